/* Metrics, functions and what belongs to them, from report.json back into comparisons (reportread.h). */
#pragma once

#include "compare/result.h"
#include "report/json/reportfields.h"

/* Appends the metrics of a benchmark. */
void read_metrics(ReportReading *reading, BenchmarkComparison *comparison, const json_t *array);
/* Appends functions; their frames become rows of the table, which the comparison then refers to. */
void read_functions(ReportReading *reading, BenchmarkComparison *comparison, StackTable *table, const json_t *array);
/* Reads what profile_facts_json() writes of the comparison. */
void read_profile_facts(BenchmarkComparison *comparison, const json_t *object);
/* The functions whose counts did not repeat; `comparison` is of counts. */
void read_unstable(BenchmarkComparison *comparison, StackTable *table, const json_t *array);
/* A verdict, or an error. */
Verdict read_verdict(ReportReading *reading, const json_t *object);
