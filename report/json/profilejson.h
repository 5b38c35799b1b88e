/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles in report.json, both ways: what the costs of functions are, those whose counts did not repeat, and extra
 * profiles with functions of their own. */
#pragma once

#include "compare/result.h"
#include "core/json/jsonfields.h"

/* The facts about the functions' costs: of head, else of base; null without a profile. Owned by the caller. */
json_t *profile_facts_json(const Measurement *base, const Measurement *head, const BenchmarkComparison *comparison);
/* Reads what of that belongs to the comparison. */
void profile_facts_read(BenchmarkComparison *comparison, const json_t *object);
/* Those whose counts did not repeat, of whichever comparison of the benchmark knows it. Owned by the caller. */
json_t *unstable_json(const ResultBenchmark *benchmark);
/* The functions whose counts did not repeat; `comparison` is of counts. */
void unstable_read(FieldReading *reading, BenchmarkComparison *comparison, StackTable *table, const json_t *array);
/* The extra profiles; benchmarkjson.c reads them. Owned by the caller. */
json_t *profiles_json(const GPtrArray *profiles);
