/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark in report.json, both ways. */
#pragma once

#include "compare/result.h"
#include "core/json/jsonfields.h"

/* Owned by the caller. */
json_t *benchmark_json(const ResultBenchmark *benchmark);
/* Appends a benchmark to the result, whose sides are read already. A verdict without a comparison is an error of the
 * report, unless it is one of error. */
void benchmark_read(FieldReading *reading, CheckResult *result, const json_t *object);
