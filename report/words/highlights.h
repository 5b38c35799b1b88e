/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which functions a reader sees first, and what they are called.
 *
 * Every text and picture shows the same few functions in the same order: by size of the contribution, rises and falls
 * alike. Those that gate are marked, and shown however small they are. */
#pragma once

#include "compare/result.h"

/* The profile of head, else of base; borrowed; NULL if there is none. Says event and unit, and has the table. */
const Profile *highlights_profile(const Measurement *base, const Measurement *head);

/* The stack table that the comparison's frames are rows of; borrowed from the measurements; NULL if neither side has a
 * profile. */
const StackTable *highlights_table(const ResultBenchmark *benchmark);

/* One list of functions that decide, and what their costs are. */
typedef struct {
	const BenchmarkComparison *comparison;
	const StackTable *table;  /* of its frames; NULL if there is no profile, as event and unit */
	const char *event, *unit; /* foreign text */
	gboolean beside_others;   /* the benchmark has another list */
} FunctionList;

#define FUNCTION_LISTS 2

/* The lists of a benchmark: its own, and that of another engine (result.h). Returns how many. Everything is borrowed
 * from the benchmark. */
guint highlights_function_lists(const ResultBenchmark *benchmark, FunctionList lists[FUNCTION_LISTS]);
/* "functions", or where there are counts "functions by time" and "functions by instructions". Foreign text, owned by
 * the caller. */
char *highlights_list_title(const FunctionList *list);
/* The first of these lists that knows functions whose counts did not repeat, or NULL. */
const FunctionList *highlights_unstable(const FunctionList *lists, guint n_lists);
/* The number of functions that the list knows; one may be there twice, once for each side. */
guint highlights_count_unstable(const FunctionList *list);
/* TRUE for counts of which not one changed, or differs between runs. */
gboolean highlights_all_same(const BenchmarkComparison *comparison);
/* That base was not measured but taken from the store: one clause, static; NULL if it was measured. */
const char *highlights_base_source(const ResultBenchmark *benchmark);

/* The first `limit` functions in reading order, at most `unchanged` of them of class unchanged, and of counts none that
 * is the same on both sides; after them in the same order those that gate. Elements are borrowed from the comparison,
 * the array is the caller's. */
GPtrArray *highlights_functions(const BenchmarkComparison *comparison, guint limit, guint unchanged);
/* The parts that explain the contribution of a function in a table, for rows below its own: what is inlined into it and
 * worth showing (compare/functions/inlinedparts.h), largest first, and after them, with the frame of the function
 * itself, what these parts leave. Elements are InlinedParts that the array owns, the array is the caller's. */
GPtrArray *highlights_parts(const FunctionComparison *function);
/* TRUE for the last of these, what the parts leave. */
gboolean highlights_is_rest(const FunctionComparison *function, const InlinedPart *part);
/* The rest that the contributions of these functions leave of the change of the total, as share of base's: all other
 * functions, and cost for which no function is known. NaN where the change is not known. */
double highlights_rest(const BenchmarkComparison *comparison, const GPtrArray *shown);
/* The total that contributions are shares of: the cost of base per unit of work, with what was measured but not
 * sampled. NaN where no contribution tells it. `comparison` may be NULL. */
double highlights_base_total(const BenchmarkComparison *comparison);

/* The function that an accused benchmark's sentence names first, and the list that it is of; of a benchmark that passed
 * because its regression is accepted, the largest one that is accepted, else that rose for certain. NULL if it names
 * none, or if nothing is accused. Borrowed. */
const FunctionComparison *highlights_culprit(const ResultBenchmark *benchmark, FunctionList *list);
/* The function that an improvement is owed to: the one that the sentence thanks, or where that explains less
 * than half, the one that saves most for certain; with the list that it is of. NULL if there is none. Borrowed. */
const FunctionComparison *highlights_saver(const ResultBenchmark *benchmark, FunctionList *list);

/* The benchmarks that passed although a function of theirs is slower for certain: what
 * BenchmarkComparison.slower says of them is the first thing below the verdict. Elements are borrowed from the result,
 * the array is the caller's. */
GPtrArray *highlights_slower(const CheckResult *result);
/* TRUE for one of them. */
gboolean highlights_is_slower(const CheckResult *result, const ResultBenchmark *benchmark);
/* TRUE if in one of them cost only moved from one function to another, so that nothing became dearer. */
gboolean highlights_is_shift(const ResultBenchmark *benchmark);
/* Of such a one: "cost moved from discount_of to key_of". Owned by the caller. */
char *highlights_moved(const ResultBenchmark *benchmark);
/* The function that this sentence names first, and the list that it is of (`list` may be NULL); NULL if there is none.
 * Borrowed. */
const FunctionComparison *highlights_slower_function(const ResultBenchmark *benchmark, FunctionList *list);

/* Name of a function; "?" without a table. Foreign text; borrowed from the table. */
const char *highlights_name(const StackTable *table, FrameId frame);
/* Its module; "" if that is not known. Foreign text; borrowed from the table. */
const char *highlights_module(const StackTable *table, FrameId frame);
/* Tells where a function is: "file.c:27", without a known file its module, "" if that is not known either. It is that
 * in head, if the comparison, which may be NULL, knows where it stands there. Foreign text, owned by the caller. */
char *highlights_head_place(const BenchmarkComparison *comparison, const StackTable *table, FrameId frame);
/* Tells where a compared function stands: in head, in base if head lacks it; what its frame says if neither is known.
 * An empty file without a table. */
FunctionPlace highlights_function_place(const StackTable *table, const FunctionComparison *function);
/* The same in words, like highlights_head_place(), with the folder where the comparison, which may be NULL, has several
 * files of that name (compare/comparison/filelabels.h). Foreign text, owned by the caller. */
char *highlights_where(
        const BenchmarkComparison *comparison, const StackTable *table, const FunctionComparison *function);
/* The same of what is inlined into a function; "" if its file is not known. */
char *highlights_part_where(const BenchmarkComparison *comparison, const StackTable *table, const InlinedPart *part);
/* The name of the file that it stood in in base, without its folders unless only those differ, if that is not where it
 * stands in head; else NULL. Foreign text, owned by the caller. */
char *highlights_was(const StackTable *table, const FunctionComparison *function);

/* TRUE if this function changed for certain: the tests say so, that is its adjusted p-value of either direction is at
 * most `alpha`; of counts, it is of another class than unchanged. */
gboolean highlights_significant(
        const BenchmarkComparison *comparison, const FunctionComparison *function, double alpha);

/* The class of a function as readers see it. A "regression" is "slower" where the benchmark did not regress, as under
 * "every gating metric passes". What is "unchanged" as data, since nothing beyond the floors of the policy
 * was shown, is "small change" if the tests of all functions say that it changed all the same, and "not significant" if
 * only its own interval excludes 0. Static. */
const char *highlights_class(const BenchmarkComparison *comparison, const FunctionComparison *function);

/* TRUE for a regression, also for one that is accepted or that a second campaign did not confirm: then a reader wants
 * to know what was seen. */
gboolean highlights_accuses(const BenchmarkComparison *comparison);

/* TRUE for a benchmark that passed only because its regression is accepted. */
gboolean highlights_is_accepted(const BenchmarkComparison *comparison);

/* TRUE if any of these functions has something known about how the change relates to it (wording_relation()). */
gboolean highlights_has_relations(const GPtrArray *functions);

/* The advice to a reader who wants to know how far the gate can be trusted here: one sentence, static; NULL if that is
 * known, or if nothing that scatters was gated. */
const char *highlights_advice(const CheckResult *result);

/* All metrics, those that gate first, of these the gravest, and of equals what sentences are about before the rest, as
 * task-clock before page-faults. Elements are borrowed from the comparison, the array is
 * the caller's. */
GPtrArray *highlights_metrics(const BenchmarkComparison *comparison);

/* TRUE if readers in a hurry are shown the metric: it gates, the benchmark reports it itself, it is a count that
 * changed, or none gates at all. */
gboolean highlights_shows_metric(const BenchmarkComparison *comparison, const MetricComparison *metric);

/* The unit of a metric, NULL where its name says it already; borrowed. */
const char *highlights_unit(const MetricComparison *metric);

/* The file that is the benchmark's artifact of this kind, or NULL; borrowed. */
const char *highlights_artifact(const ResultBenchmark *benchmark, const char *kind);
/* The files with the differential flame graphs of the benchmark's extra profiles, in their order. Elements are borrowed
 * from the benchmark, the array is the caller's. */
GPtrArray *highlights_extra_diffs(const ResultBenchmark *benchmark);
