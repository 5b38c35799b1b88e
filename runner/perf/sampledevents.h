/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a benchmark that are sampled: first the event whose samples are the costs of functions, then one event
 * for each extra profile that the configuration asks for.
 *
 * An extra event that cannot be had here is left out with a finding: a profile that decides nothing stops no check. */
#pragma once

#include "runner/config/config.h"
#include "runner/machine.h"

typedef struct SampledEvents SampledEvents;

typedef struct {
	const ConfigBenchmark *benchmark; /* must outlive the events, like `abilities` */
	const PerfAbilities *abilities;
	const CpuPlan *cpus;
	const char *scratch_dir; /* exists; a recording is tried there */
	FindingList *findings;
} SampledEventsPlan;

/* Tries every extra event on the calling process. Errors: FIREBREAK_ERROR_ENVIRONMENT where the first event is none,
 * FIREBREAK_ERROR_STORAGE. Owned by the caller. */
SampledEvents *sampled_events_new(const SampledEventsPlan *plan, GError **error);
void sampled_events_free(SampledEvents *events);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SampledEvents, sampled_events_free)

/* The events of a recording: an array of RecorderEvent, borrowed. Rate and period are those of the configuration. */
const GArray *sampled_events_array(const SampledEvents *events);
/* The names of event `index`: in the configuration and in results, and in recordings. Borrowed. */
const char *sampled_events_name(const SampledEvents *events, guint index);
/* The name of an event as it stands in recordings; borrowed. */
const char *sampled_events_recorded_name(const SampledEvents *events, guint index);
