/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that the rest of the program asks about a configuration, and the words of its values.
 *
 * Which engine measures what:
 *
 *     perf                             time, hardware counters where there are any, memory
 *     callgrind                        instructions, allocations, system-calls
 *     callgrind with `cache: true`     estimated-cycles, l1-misses, ll-misses, branch-misses
 *     callgrind with `heap: true`      allocated-bytes, peak-heap
 *
 * `instructions` and `branch-misses` are metrics of both; a gate that names one holds for either engine. */
#pragma once

#include "model/engine.h"
#include "runner/config/configdata.h"

#define CONFIG_METRIC_NAME_MAX 64 /* characters */

/* The words of firebreak.yml for an enum, NULL-terminated, in the order of its values. */
extern const char *const config_schedules[], *const config_measure_scopes[], *const config_unwinders[];
extern const char *const config_frameworks[];
/* "auto", "coscheduled" or "sequential". */
const char *schedule_name(Schedule schedule);
/* The word for a framework, as in "google-benchmark". */
const char *framework_name(FrameworkId framework);
/* "whole" or "region". */
const char *measure_name(MeasureScope measure);

/* The benchmark of that name, or NULL; borrowed. */
const ConfigBenchmark *config_benchmark(const Config *config, const char *name);
/* The word of a benchmark's command that is still to be filled in ("./your-benchmark", "TODO"), or NULL. Owned by the
 * caller. */
char *config_placeholder(const ConfigBenchmark *benchmark);
/* Refuses a configuration in which a benchmark is still what `firebreak init` wrote, or a command has a placeholder. */
gboolean config_is_filled_in(const Config *config, GError **error);
/* TRUE if the command is a text for a shell, which became /bin/sh -c. */
gboolean config_command_is_text(const ConfigBenchmark *benchmark);
/* The program that a benchmark starts, as its command has it; of a text for a shell its first command, "" if there is
 * none. Owned by the caller. */
char *config_program(const ConfigBenchmark *benchmark);
/* TRUE if the benchmark is measured by that engine. */
gboolean config_uses_engine(const ConfigBenchmark *benchmark, const Engine *engine);
/* The numbers of its framework that may gate: costs that load on the machine does not change. NULL-terminated; empty
 * without a framework. */
const char *const *config_framework_metrics(const ConfigBenchmark *benchmark);
/* Why this name, that of a number of some framework, cannot gate here, as a clause; NULL if it can, or if it is none.
 */
const char *config_framework_objection(const ConfigBenchmark *benchmark, const char *metric);
/* TRUE if that engine measures that metric of the benchmark, as far as the configuration says; whether the machine can
 * is another matter. The benchmark's own metrics are collected by the engine perf. */
gboolean config_measures(const ConfigBenchmark *benchmark, const Engine *engine, const char *metric);
/* The key to write for the metric to be measured, as the end of a message: "needs `cache: true`". */
const char *config_metric_needs(const ConfigBenchmark *benchmark, const char *metric);
/* The metrics that firebreak itself measures and a gate can name, NULL-terminated. */
extern const char *const config_metric_names[];
/* Other words that mean something in a gate or a report, so that no metric may have them as its name. */
extern const char *const config_taken_names[];
/* TRUE if a benchmark may report a metric of that name: 1 to 64 of a-z, 0-9 and `-`, and no word that means something
 * else in a gate or a report. */
gboolean config_own_metric_name(const char *name);
/* TRUE if the benchmark is to report that metric. */
gboolean config_declares_metric(const ConfigBenchmark *benchmark, const char *metric);
/* The gate of that metric, or NULL; borrowed. */
const ConfigGate *config_gate(const ConfigBenchmark *benchmark, const char *metric);
