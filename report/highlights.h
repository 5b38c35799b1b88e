/* Which functions a reader sees first, and what they are called.
 *
 * Every text and picture shows the same few functions in the same order: those that gate, then by class (regression,
 * new, layout_suspect, cost_shift, renamed, improvement, removed, unchanged), then by size of the contribution. */
#pragma once

#include "compare/result.h"

/* The stack table that the comparison's frames are rows of; borrowed from the measurements; NULL if neither side has a
 * profile. */
const StackTable *highlights_table(const ResultBenchmark *benchmark);

/* The first `limit` functions in reading order, at most `unchanged` of them of class unchanged. Elements are borrowed
 * from the comparison, the array is the caller's. */
GPtrArray *highlights_functions(const BenchmarkComparison *comparison, guint limit, guint unchanged);

/* Name of a function; "?" without a table. Foreign text; borrowed from the table. */
const char *highlights_name(const StackTable *table, FrameId frame);
/* Where a function is: "file.c:27", without a known file its module, "" if that is not known either. Foreign text,
 * owned by the caller. */
char *highlights_place(const StackTable *table, FrameId frame);

/* TRUE if the tests say that this function changed: its adjusted p-value of either direction is at most `alpha`. */
gboolean highlights_significant(const FunctionComparison *function, double alpha);

/* The outcome in one line that names the benchmark and, where there is one, the function to blame: "parse: task-clock
 * +12.3 % [+11.0, +13.5], since hash_word (+11.9 pp)", "parse: wall: interval too wide", "3 benchmarks passed"; of an
 * error its first reason. Says if a regression was confirmed, and how many more benchmarks ended the same way. In
 * a calibration or self-test it says what was done instead. Foreign text, owned by the caller. */
char *highlights_headline(const CheckResult *result);

/* TRUE for a regression, also for one that a second campaign did not confirm: then a reader wants to know what was
 * seen.
 */
gboolean highlights_accuses(const BenchmarkComparison *comparison);

/* TRUE if any of these functions has something known about how the change relates to it (wording_relation()). */
gboolean highlights_has_relations(const GPtrArray *functions);

/* What a reader is advised to do to learn how far the gate can be trusted here: one sentence, static; NULL if that is
 * known, or if nothing was gated. */
const char *highlights_advice(const CheckResult *result);

/* TRUE if readers in a hurry are shown the metric: it gates, the benchmark reports it itself, or none gates at all. */
gboolean highlights_shows_metric(const BenchmarkComparison *comparison, const MetricComparison *metric);

/* The file that is the benchmark's artifact of this kind, or NULL; borrowed. */
const char *highlights_artifact(const ResultBenchmark *benchmark, const char *kind);
/* The files with the differential flame graphs of the benchmark's extra profiles, in their order. Elements are borrowed
 * from the benchmark, the array is the caller's. */
GPtrArray *highlights_extra_diffs(const ResultBenchmark *benchmark);
