/* SPDX-License-Identifier: Apache-2.0 */
/* Opening perf events: what can be counted and sampled here, by perf's names, and what to say when it cannot.
 *
 * The ladder: hardware cycles where there is a PMU that this process may use, else the cpu-clock software event.
 * Source: man perf_event_open(2), linux/perf_event.h, /sys/bus/event_source/devices. */
#pragma once

#include "core/finding.h"
#include "runner/events/perfopen.h"

#include <glib.h>

/* An event as perf_event_open takes it. */
typedef struct {
	char *name; /* as perf writes it, with modifiers: "cycles:u", "cpu/event=0x3c/", "sched:sched_switch" */
	char *unit; /* of its counts and periods: "ns", "cycles", "instructions", "count" */
	guint32 type;
	guint64 config, config1, config2;
	gboolean exclude_user, exclude_kernel, exclude_hv; /* what the modifiers leave out */
	guint precise;                                     /* 0-3, number of `p` */
	gboolean hardware;                                 /* needs a PMU */
	gboolean in_kernel_only; /* happens only inside the kernel: counts nothing without kernel mode */
	guint group;             /* events with the same number other than 0 are one group; the first leads */
} PerfEventSpec;

void perf_event_spec_clear(PerfEventSpec *spec);

/* TRUE if both are the same event in the same modes, whatever they are called. */
gboolean perf_event_spec_equal(const PerfEventSpec *a, const PerfEventSpec *b);

/* One line for a refusal of perf_event_open, with the remedy: "perf_event_open(cycles): permission denied; needs
 * CAP_PERFMON or kernel.perf_event_paranoid <= 2 (now 4)". Sets FIREBREAK_ERROR_ENVIRONMENT. Returns FALSE. */
gboolean perf_event_refused(GError **error, const char *event, int errno_value);

/* The measurements that this machine lets this process make. */
typedef struct {
	gboolean hardware;       /* cycles are counted and sampled */
	double cycles_per_ns;    /* in user mode, of CPU time (runner/events/cyclerate.h); 0 where they cannot */
	const char *no_hardware; /* why they are not, a clause; NULL where they are. Static */
	gboolean kernel_allowed; /* kernel mode may be counted (paranoid <= 1 or the capability) */
	const char *sampling;    /* name of the best event to sample: "cycles" or "cpu-clock" */
} PerfAbilities;

/* Tries the ladder on the calling process, and works for 10 to 100 ms where there are hardware counters. Those that
 * cost too much (runner/events/countercost.h) are none. Fails with FIREBREAK_ERROR_ENVIRONMENT when not even the
 * software clock can be opened. What is missing becomes a finding. */
gboolean perf_probe(PerfAbilities *abilities, FindingList *findings, GError **error);

/* kernel.perf_event_paranoid, or G_MAXINT if it cannot be read. */
int perf_paranoid_level(void);
