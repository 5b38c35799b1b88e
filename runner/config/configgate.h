/* The gates of a benchmark: which metrics there are, which engine measures them, and how `gate` is read.
 *
 *     perf                             time, hardware counters where there are any, memory
 *     callgrind                        instructions, allocations, system-calls
 *     callgrind with `cache: true`     estimated-cycles, l1-misses, ll-misses, branch-misses
 *     callgrind with `heap: true`      allocated-bytes, peak-heap
 *
 * `instructions` and `branch-misses` are metrics of both; a gate that names one holds for either engine. */
#pragma once

#include "core/yamltree.h"
#include "runner/config/config.h"

#define CONFIG_METRIC_NAME_MAX 64 /* characters */

void config_gate_free(ConfigGate *gate);
/* A deep copy, owned by the caller. */
ConfigGate *config_gate_copy(const ConfigGate *gate);

/* Reads a mapping of `gate` on top of what the benchmark has; its own metrics have been read before. NULL is fine.
 * Errors: FIREBREAK_ERROR_USAGE with file:line:column, here and below. */
gboolean config_gates_read(const YamlNode *node, ConfigBenchmark *benchmark, GError **error);
/* Fails if a metric is to gate that none of the benchmark's engines measures, and says what would switch it on. `own`
 * and `defaults` are the mappings of `gate` that were read, for the place in the message; NULL where there is none. */
gboolean config_gates_check(
        const YamlNode *own, const YamlNode *defaults, const ConfigBenchmark *benchmark, GError **error);
