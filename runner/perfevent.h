/* Opening perf events: what can be counted and sampled here, by perf's names, and what to say when it cannot.
 *
 * The ladder: hardware cycles where there is a PMU that this process may use, else the cpu-clock software event.
 * Source: man perf_event_open(2), linux/perf_event.h. */
#pragma once

#include "core/finding.h"

#include <glib.h>
#include <linux/perf_event.h>
#include <sys/types.h>

typedef struct {
	const char *name; /* perf's name */
	const char *unit; /* "ns", "cycles", "count" */
	guint32 type;     /* PERF_TYPE_* */
	guint64 config;
	gboolean hardware;
} PerfEventKind;

/* Looks an event up by perf's name, without modifiers; NULL if unknown. */
const PerfEventKind *perf_event_kind(const char *name);

/* perf_event_open(2); returns the descriptor (close-on-exec) or -1 with errno. */
int perf_event_open_fd(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd);

/* One line for a refusal of perf_event_open, with the remedy: "perf_event_open(cycles): permission denied; needs
 * CAP_PERFMON or kernel.perf_event_paranoid <= 2 (now 4)". Sets FIREBREAK_ERROR_ENVIRONMENT. Returns FALSE. */
gboolean perf_event_refused(GError **error, const char *event, int errno_value);

/* What this machine lets this process measure. */
typedef struct {
	gboolean hardware;             /* cycles can be sampled */
	gboolean kernel_allowed;       /* kernel mode may be counted (paranoid <= 1 or the capability) */
	const PerfEventKind *sampling; /* the best event to sample: cycles or cpu-clock */
} PerfAbilities;

/* Tries the ladder on the calling process. Fails with FIREBREAK_ERROR_ENVIRONMENT when not even the software clock can
 * be opened. What is missing becomes a finding. */
gboolean perf_probe(PerfAbilities *abilities, FindingList *findings, GError **error);

/* kernel.perf_event_paranoid, or G_MAXINT if it cannot be read. */
int perf_paranoid_level(void);
