/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics of a benchmark in report.json, both ways. */
#pragma once

#include "compare/comparison/comparison.h"
#include "core/json/jsonfields.h"

/* An array of MetricComparisons; owned by the caller. */
json_t *metrics_json(const GPtrArray *metrics);
/* Appends the metrics of a benchmark. */
void metrics_read(FieldReading *reading, const json_t *array, GPtrArray *metrics);
