/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/flagged.h"

#include "model/numbers/numberwords.h"
#include "report/words/wording.h"

/* FALSE if it is no reason to look at the function. */
static gboolean weigh(const ResultBenchmark *benchmark, const FunctionComparison *function, FlaggedWeight *weight)
{
	gboolean passed = benchmark->comparison->verdict == VERDICT_PASS;
	gboolean dearer = function->klass == FUNCTION_REGRESSION || (function->klass == FUNCTION_NEW && !passed);
	gboolean suspect = function->klass == FUNCTION_LAYOUT_SUSPECT;
	gboolean held = function->held != FUNCTION_NOT_HELD;
	if (function->gates)
		*weight = FLAGGED_GATES;
	else if (dearer && !passed)
		*weight = FLAGGED_SLOWER;
	else
		*weight = held ? FLAGGED_HELD : FLAGGED_NOTICED;
	return function->gates || held || ((dearer || suspect) && function->contribution > 0);
}

static void flagged_free(gpointer data)
{
	FlaggedFunction *flagged = data;
	source_place_clear(&flagged->place);
	g_free(flagged);
}

static FlaggedFunction *flagged_new(
        const ResultBenchmark *benchmark, const FunctionList *list, const FunctionComparison *function)
{
	FlaggedFunction *flagged = g_new0(FlaggedFunction, 1);
	flagged->benchmark = benchmark;
	flagged->list = *list;
	flagged->function = function;
	flagged->place = source_place_of(list, function);
	return flagged;
}

static void add_of_list(GPtrArray *all, const ResultBenchmark *benchmark, const FunctionList *list)
{
	for (guint i = 0; i < list->comparison->functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(list->comparison->functions, i);
		FlaggedWeight weight;
		if (!weigh(benchmark, function, &weight))
			continue;
		FlaggedFunction *flagged = flagged_new(benchmark, list, function);
		flagged->weight = weight;
		g_ptr_array_add(all, flagged);
	}
}

static int by_weight(gconstpointer left, gconstpointer right)
{
	const FlaggedFunction *a = *(FlaggedFunction *const *)left, *b = *(FlaggedFunction *const *)right;
	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	double x = a->function->contribution, y = b->function->contribution;
	return x > y ? -1 : x < y; /* the sort is stable: ties stay in the order of the benchmarks */
}

GPtrArray *flagged_functions(const CheckResult *result)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(flagged_free);
	for (guint i = 0; result->mode == CHECK_GATE && i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		FunctionList lists[FUNCTION_LISTS];
		guint n = benchmark->comparison != NULL ? highlights_function_lists(benchmark, lists) : 0;
		for (guint j = 0; j < n; j++)
			add_of_list(all, benchmark, &lists[j]);
	}
	g_ptr_array_sort(all, by_weight);
	return all;
}

/* The function with its contribution, as the comparison says it or else in the fewest words. */
static char *sentence_of(const FlaggedFunction *flagged)
{
	const FunctionComparison *function = flagged->function;
	if (function->sentence != NULL && *function->sentence != '\0')
		return g_strdup(function->sentence);
	g_autofree char *points = number_words(flagged->list.comparison->counted)->points(function->contribution);
	return g_strdup_printf("%s %s", highlights_name(flagged->list.table, function->frame), points);
}

char *flagged_text(const FlaggedFunction *flagged)
{
	const char *slower = flagged->benchmark->comparison->slower;
	if (slower != NULL && highlights_slower_function(flagged->benchmark, NULL) == flagged->function)
		return g_strconcat(flagged->benchmark->name, ": ", slower, NULL);
	g_autofree char *sentence = sentence_of(flagged);
	gboolean held = flagged->weight == FLAGGED_HELD;
	const char *event = flagged->list.event;
	gboolean counted = flagged->list.comparison->counted && event != NULL;
	return g_strconcat(flagged->benchmark->name, ": ", counted ? event : "", counted ? ": " : "", sentence,
	        held ? "; it does not fail the check: " : "", held ? wording_hold(flagged->function) : "", NULL);
}
