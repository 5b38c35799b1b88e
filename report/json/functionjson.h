/* The parts of report.json that are about functions: what their costs are, the functions of a comparison, those whose
 * counts did not repeat, and extra profiles with functions of their own.
 *
 * Numbers of counts are integers as far as they are whole, so that no digit is lost up to 2^53; what was measured
 * has ten digits. */
#pragma once

#include "compare/result.h"
#include "core/jsontext.h"

/* Two values as array; takes the references. All results are new references owned by the caller. */
json_t *pair_json(json_t *first, json_t *second);

/* The facts about the functions' costs: of head, else of base; null without a profile. */
json_t *profile_facts_json(const Measurement *base, const Measurement *head, const BenchmarkComparison *comparison);
/* The functions in the order of the comparison, with their names from `table`, NULL = not known. */
json_t *functions_json(const StackTable *table, const BenchmarkComparison *comparison);
/* Those whose counts did not repeat, of whichever comparison of the benchmark knows it. */
json_t *unstable_json(const ResultBenchmark *benchmark);
/* The extra profiles. */
json_t *profiles_json(const GPtrArray *profiles);
