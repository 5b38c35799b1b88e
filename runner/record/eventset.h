/* SPDX-License-Identifier: Apache-2.0 */
/* The events of one recording, open on a process on every CPU.
 *
 * All have the same fields in their samples (runner/record/recordlayout.h) and the clock CLOCK_MONOTONIC. One of them,
 * the tracker, also makes the records of maps, names, forks and switches: the first event, or where recording starts
 * switched off, one more that is always on and samples nothing.
 *
 * Samples tell their period, unless one of the events is counted in software and has a fixed period above 1: the kernel
 * takes the wish for the period as one for every single happening. Then it is that of the event's attribute. */
#pragma once

#include "runner/record/recordplan.h"

typedef struct {
	char *name;                  /* as it stands in the file: with the modifiers that hold */
	struct perf_event_attr attr; /* as it was opened */
	gboolean off_cpu;
	gboolean always_on; /* a tracker that is not switched */
	guint leader;       /* index of its group's leader; its own if it has none */
	int *fds;           /* one per CPU */
	guint64 *ids;       /* one per CPU */
} OpenEvent;

typedef struct {
	GArray *events;    /* of OpenEvent */
	GHashTable *by_id; /* identifier -> index */
	guint n_cpus;
	gboolean alone;        /* as planned */
	RecorderStacks stacks; /* what the kernel could do of what was asked */
} EventSet;

/* The rate that is opened where `hz` samples per second are asked for: at most three quarters of what
 * kernel.perf_event_max_sample_rate allows now. The kernel counts interrupts by ticks of its clock, and stops an event
 * for the rest of a tick (throttles it) when one more comes than the limit allows on average. A rate that is lowered
 * is a finding. */
guint64 event_allowed_hz(guint64 hz, FindingList *findings);

/* Opens them. What an older kernel does not know is left out, one after the other: counts of lost samples, build-ids in
 * maps, registers and stack for leaf repair (a finding). An event with `or_clock` that is refused becomes cpu-clock (a
 * finding). Errors: FIREBREAK_ERROR_ENVIRONMENT, with the remedy; FIREBREAK_ERROR_USAGE for a fixed period that cannot
 * be told beside a frequency. */
EventSet *event_set_open(
        const RecorderPlan *plan, pid_t pid, const int *cpus, guint n_cpus, FindingList *findings, GError **error);
void event_set_free(EventSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(EventSet, event_set_free)

/* An event by its index; borrowed. */
const OpenEvent *event_set_get(const EventSet *set, guint index);
/* The event that a sample's identifier belongs to, NULL if none. */
const OpenEvent *event_set_find(const EventSet *set, guint64 id);
/* Switches all events on or off, but a tracker that is always on. */
gboolean event_set_enable(EventSet *set, gboolean on, GError **error);
/* The kernel's own count of records of the event that found no room; 0 where it does not keep one (before Linux 6.0).
 */
gboolean event_set_lost(const EventSet *set, guint index, guint64 *lost, GError **error);
