/* SPDX-License-Identifier: Apache-2.0 */
/* From configuration and machine to policies: what of each benchmark is judged, and how strictly. */
#pragma once

#include "compare/comparison/comparison.h"
#include "runner/config/config.h"

/* The properties of the machine that decide the defaults. */
typedef struct {
	gboolean hosted;   /* a shared virtual machine */
	gboolean hardware; /* hardware counters can be had */
} PolicyMachine;

/* The schedule a benchmark is measured with unless it turns out not to run beside itself: sequential if told so or if
 * wall time or a metric of the benchmark's own gates (it most likely read a clock), else co-scheduled. `wanted` is the
 * command line's choice (SCHEDULE_AUTO = none). */
Schedule policy_schedule(const ConfigBenchmark *benchmark, Schedule wanted);

/* The metric policies of a benchmark for its runs under the engine perf: a GPtrArray of MetricPolicy with only what can
 * be measured or is asked for; empty without that engine. What the machine has no counter for is not asked of it where
 * callgrind counts the same. Owned by the caller. */
GPtrArray *policy_metrics(const ConfigBenchmark *benchmark, Schedule schedule, PolicyMachine machine);
/* The same where rounds were measured by another schedule than the policy asked for: margins are those of the schedule
 * asked for (auto: co-scheduled), so that falling back to sequential rounds widens none; metrics are those that the
 * schedule used can measure. */
GPtrArray *policy_metrics_measured(
        const ConfigBenchmark *benchmark, Schedule asked, Schedule used, PolicyMachine machine);
/* The same for what callgrind counts: `instructions`, and what the benchmark's options add. Judged by exact rules:
 * there is no interval, so the pass margin is the margin. abs_floor is per unit of work as `work` of the configuration
 * says, and 0 with a margin of 0 %, where any rise counts. These need no share of a false-alarm budget. Owned by the
 * caller. */
GPtrArray *policy_counted_metrics(const ConfigBenchmark *benchmark);
/* The same without a configuration: the defaults for what was counted of base. Owned by the caller. */
GPtrArray *policy_counted_defaults(const Measurement *base);
/* Adds policies for the metrics that the benchmark reported without the configuration naming them: they are compared
 * and shown, and never gate. */
void policy_add_reported(GPtrArray *policies, const Measurement *measurement);
/* The number of them that gate. */
guint policy_gating(const GPtrArray *policies);

/* The ways in which `head` weakens `base`, in sentences: config_weakened() plus the margins and gates of metrics. A
 * GPtrArray of char *. */
GPtrArray *policy_weakened(const Config *base, const Config *head, PolicyMachine machine);
