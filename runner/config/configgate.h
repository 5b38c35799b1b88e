/* SPDX-License-Identifier: Apache-2.0 */
/* `gate` of a benchmark in firebreak.yml: which metrics gate, and how strictly. */
#pragma once

#include "core/yamltree.h"
#include "runner/config/configdata.h"

/* Reads a mapping of `gate` on top of what the benchmark has; its own metrics have been read before. NULL is fine.
 * Errors: FIREBREAK_ERROR_USAGE with file:line:column, here and below. */
gboolean config_gates_read(const YamlNode *node, ConfigBenchmark *benchmark, GError **error);
/* Fails if a metric is to gate that none of the benchmark's engines measures, and says what would switch it on. `own`
 * and `defaults` are the mappings of `gate` that were read, for the place in the message; NULL where there is none. */
gboolean config_gates_check(
        const YamlNode *own, const YamlNode *defaults, const ConfigBenchmark *benchmark, GError **error);
