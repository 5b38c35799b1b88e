/* SPDX-License-Identifier: Apache-2.0 */
/* One recording of one command: start, counters, samples, end. What `firebreak record` does.
 *
 * The command keeps the caller's input, output and environment. It may switch measuring on and off itself, with the
 * pipes that FIREBREAK_CTL_FIFO and FIREBREAK_ACK_FIFO name (runner/record/control.h), when measuring starts switched
 * off. */
#pragma once

#include "core/child.h"
#include "runner/record/control.h"
#include "runner/record/recorder.h"

typedef struct {
	const char *const *command; /* NULL-terminated */
	RecorderPlan plan;          /* its `command` and `alone` are not looked at */
	const int *cpus;            /* to pin the command to; n_cpus 0 = not pinned */
	guint n_cpus;
	gint64 timeout_ms; /* 0 = none */
	const char *path;  /* of the recording; a link to a file is followed */
} RecordRequest;

typedef struct {
	char *failure;      /* how the command failed, NULL if it did not (child_describe_failure()) */
	int exit_code;      /* what a shell would say of the command: 128 + n for a signal */
	gboolean timed_out; /* it was ended, and may still say that it ended well */
	int exec_errno;
	guint64 wall_ns, user_ns, peak_rss_bytes;
	guint64 cpu_ns; /* user and system, of the command and the children that it waited for */
	guint orphans_killed;
	GArray *counters; /* of CounterValue */
	RecorderCounts counts;
	ControlFacts region; /* with `start_disabled` */
	int cancelled;       /* the signal that ended the recording, 0 if none did */
} RecordOutcome;

/* Appends the CPUs (int) of a list such as "0,2-3". FALSE if it is none. */
gboolean cpu_list_parse(const char *text, GArray *cpus);
/* Refuses a CPU that is not online. Errors: FIREBREAK_ERROR_USAGE, naming those that are. */
gboolean cpu_list_check(const GArray *cpus, GError **error);

void record_outcome_clear(RecordOutcome *outcome);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RecordOutcome, record_outcome_clear)

/* Runs and records. `outcome` is zeroed by the caller. That the command fails, or is ended by a signal to this process,
 * is no error: the recording is completed. Only of one that could not be started there is none, `exec_errno` is set,
 * and what was at `path` before stays, as on errors. That nothing was sampled is a finding. */
gboolean record_session(const RecordRequest *request, const PerfAbilities *abilities, RecordOutcome *outcome,
        FindingList *findings, GError **error);

/* Tells why a recording is not to be trusted, NULL if it is: over 1 % of the samples were lost; sampling was throttled
 * too often; most of the CPU time was not counted; nothing was sampled while CPU time was used; or, where it starts
 * switched off, measuring was never switched on, was on while nothing ran, or was left on.
 *
 * Throttling stops an event on a CPU up to the next tick of the kernel's clock, 1 to 10 ms later, so each time stands
 * for many samples that were never taken, and what was busiest is missing. Once is a finding that record_session()
 * adds; more than 5 times, or more than once in 100 samples, is a doubt.
 *
 * Holds foreign text. Owned by the caller. */
char *record_doubt(const RecordRequest *request, const RecordOutcome *outcome);
