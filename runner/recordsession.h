/* One recording of one command: start, counters, samples, end. What `firebreak record` does.
 *
 * The command keeps the caller's input, output and environment. It may switch measuring on and off itself, with the
 * pipes that FIREBREAK_CTL_FIFO and FIREBREAK_ACK_FIFO name (runner/control.h), when measuring starts switched off. */
#pragma once

#include "core/child.h"
#include "runner/control.h"
#include "runner/recorder.h"

typedef struct {
	const char *const *command; /* NULL-terminated */
	RecorderPlan plan;          /* its `command` and `alone` are not looked at */
	const int *cpus;            /* to pin the command to; n_cpus 0 = not pinned */
	guint n_cpus;
	gint64 timeout_ms; /* 0 = none */
	const char *path;  /* of the recording */
} RecordRequest;

typedef struct {
	char *failure; /* how the command failed, NULL if it did not (child_describe_failure()) */
	int exit_code; /* what a shell would say of the command: 128 + n for a signal */
	int exec_errno;
	guint64 wall_ns, user_ns, peak_rss_bytes;
	guint orphans_killed;
	GArray *counters; /* of CounterValue */
	RecorderCounts counts;
	ControlFacts region; /* with `start_disabled` */
	int cancelled;       /* the signal that ended the recording, 0 if none did */
} RecordOutcome;

/* Appends the CPUs (int) of a list such as "0,2-3". FALSE if it is none. */
gboolean cpu_list_parse(const char *text, GArray *cpus);

void record_outcome_clear(RecordOutcome *outcome);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RecordOutcome, record_outcome_clear)

/* Runs and records. `outcome` is zeroed by the caller. That the command fails, or is ended by a signal to this process,
 * is no error: the recording is completed. */
gboolean record_session(const RecordRequest *request, const PerfAbilities *abilities, RecordOutcome *outcome,
        FindingList *findings, GError **error);

/* Why a recording is not to be trusted, NULL if it is: over 1 % of the samples were lost, sampling was throttled for
 * more than 1 % of them, or nothing was sampled while CPU time was used. Owned by the caller. */
char *record_doubt(const RecordRequest *request, const RecordOutcome *outcome);
