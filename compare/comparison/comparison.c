/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/comparison.h"

#include <string.h>

const char *verdict_name(Verdict verdict)
{
	static const char *const names[] = {
	        [VERDICT_PASS] = "pass",
	        [VERDICT_REGRESSION] = "regression",
	        [VERDICT_INCONCLUSIVE] = "inconclusive",
	        [VERDICT_ERROR] = "error",
	};
	return names[verdict];
}

guint verdict_gravity(Verdict verdict)
{
	static const guint ranks[] = {
	        [VERDICT_PASS] = 0,
	        [VERDICT_INCONCLUSIVE] = 1,
	        [VERDICT_REGRESSION] = 2,
	        [VERDICT_ERROR] = 3,
	};
	return ranks[verdict];
}

const char *function_class_name(FunctionClass klass)
{
	static const char *const names[] = {
	        [FUNCTION_UNCHANGED] = "unchanged",
	        [FUNCTION_REGRESSION] = "regression",
	        [FUNCTION_IMPROVEMENT] = "improvement",
	        [FUNCTION_NEW] = "new",
	        [FUNCTION_REMOVED] = "removed",
	        [FUNCTION_RENAMED] = "renamed",
	        [FUNCTION_COST_SHIFT] = "cost_shift",
	        [FUNCTION_LAYOUT_SUSPECT] = "layout_suspect",
	};
	return names[klass];
}

const char *change_relation_name(ChangeRelation relation)
{
	static const char *const names[] = {
	        [CHANGE_UNKNOWN] = "unknown",
	        [CHANGE_TOUCHED] = "touched",
	        [CHANGE_CALLS_TOUCHED] = "calls_touched",
	        [CHANGE_UNTOUCHED] = "untouched",
	        [CHANGE_CALLED_BY_TOUCHED] = "called_by_touched",
	};
	return names[relation];
}

const char *function_hold_name(FunctionHold hold)
{
	static const char *const names[] = {
	        [FUNCTION_NOT_HELD] = NULL,
	        [FUNCTION_HELD_BY_TOTAL] = "total",
	        [FUNCTION_HELD_BY_CODE] = "same_code",
	        [FUNCTION_HELD_BY_LEVEL] = "level",
	};
	return names[hold];
}

const char *confirmation_name(Confirmation confirmation)
{
	static const char *const names[] = {
	        [CONFIRMATION_NOT_NEEDED] = "not_needed",
	        [CONFIRMATION_NOT_RUN] = "not_run",
	        [CONFIRMATION_CONFIRMED] = "confirmed",
	        [CONFIRMATION_NOT_CONFIRMED] = "not_confirmed",
	        [CONFIRMATION_UNCLEAR] = "unclear",
	        [CONFIRMATION_PARTLY] = "partly_confirmed",
	};
	return names[confirmation];
}

void metric_comparison_free(MetricComparison *comparison)
{
	if (comparison == NULL)
		return;
	g_free(comparison->name);
	g_free(comparison->unit);
	g_free(comparison->reason);
	g_clear_pointer(&comparison->looks, g_array_unref);
	g_clear_pointer(&comparison->base_values, g_array_unref);
	g_clear_pointer(&comparison->head_values, g_array_unref);
	g_free(comparison);
}

MetricComparison *metric_comparison_copy(const MetricComparison *comparison)
{
	MetricComparison *copy = g_memdup2(comparison, sizeof *comparison);
	copy->name = g_strdup(comparison->name);
	copy->engine = comparison->engine;
	copy->unit = g_strdup(comparison->unit);
	copy->reason = g_strdup(comparison->reason);
	copy->looks = g_array_copy(comparison->looks);
	copy->base_values = g_array_copy(comparison->base_values);
	copy->head_values = g_array_copy(comparison->head_values);
	return copy;
}

static gint compare_metric_order(gconstpointer a, gconstpointer b)
{
	const MetricComparison *x = *(MetricComparison *const *)a, *y = *(MetricComparison *const *)b;
	if (x->gates != y->gates)
		return x->gates ? -1 : 1;
	int by_engine = engine_order(x->engine, y->engine);
	return by_engine != 0 ? by_engine : strcmp(x->name, y->name);
}

void metric_comparisons_sort(GPtrArray *metrics)
{
	g_ptr_array_sort(metrics, compare_metric_order);
}

void function_comparison_free(FunctionComparison *comparison)
{
	if (comparison == NULL)
		return;
	g_clear_pointer(&comparison->inlined, g_ptr_array_unref);
	g_free(comparison->sentence);
	g_free(comparison->note);
	g_free(comparison);
}

void function_comparison_add_note(FunctionComparison *comparison, char *note)
{
	if (comparison->note == NULL) {
		comparison->note = note;
		return;
	}
	g_autofree char *first = comparison->note, *second = note;
	comparison->note = g_strdup_printf("%s; %s", first, second);
}

gboolean function_comparison_is_renamed(const FunctionComparison *comparison)
{
	return comparison->frame.index != comparison->renamed_from.index;
}

static void accepted_regression_free(gpointer data)
{
	AcceptedRegression *accepted = data;
	g_free(accepted->name);
	g_free(accepted->text);
	g_free(accepted->reason);
	g_free(accepted->where);
	g_free(accepted);
}

AcceptedRegression *accepted_regression_copy(const AcceptedRegression *accepted)
{
	AcceptedRegression *copy = g_memdup2(accepted, sizeof *accepted);
	copy->name = g_strdup(accepted->name);
	copy->engine = accepted->engine;
	copy->text = g_strdup(accepted->text);
	copy->reason = g_strdup(accepted->reason);
	copy->where = g_strdup(accepted->where);
	return copy;
}

void benchmark_comparison_add_accepted(BenchmarkComparison *comparison, AcceptedRegression *accepted)
{
	if (comparison->accepted == NULL)
		comparison->accepted = g_ptr_array_new_with_free_func(accepted_regression_free);
	g_ptr_array_add(comparison->accepted, accepted);
}

gboolean function_comparison_is_elsewhere(const FunctionComparison *comparison)
{
	NameId base = comparison->base_place.file, head = comparison->place.file;
	return base.index != 0 && head.index != 0 && base.index != head.index;
}

BenchmarkComparison *benchmark_comparison_new(const char *benchmark)
{
	BenchmarkComparison *comparison = g_new0(BenchmarkComparison, 1);
	comparison->benchmark = g_strdup(benchmark);
	comparison->verdict = VERDICT_ERROR; /* what nobody judged must not look like a pass */
	comparison->reason_code = g_strdup("");
	comparison->reason = g_strdup("");
	comparison->sentence = g_strdup("");
	comparison->metrics = g_ptr_array_new_with_free_func((GDestroyNotify)metric_comparison_free);
	comparison->functions = g_ptr_array_new_with_free_func((GDestroyNotify)function_comparison_free);
	return comparison;
}

FunctionPlace benchmark_comparison_head_place(const BenchmarkComparison *comparison, FrameId frame)
{
	const GArray *places = comparison == NULL ? NULL : comparison->head_places;
	return places != NULL && frame.index < places->len ? g_array_index(places, FunctionPlace, frame.index)
	                                                   : (FunctionPlace){0};
}

void benchmark_comparison_decide(
        BenchmarkComparison *comparison, Verdict verdict, const char *reason_code, char *reason)
{
	comparison->verdict = verdict;
	g_free(comparison->reason_code);
	comparison->reason_code = g_strdup(reason_code);
	g_free(comparison->reason);
	comparison->reason = reason;
}

void benchmark_comparison_free(BenchmarkComparison *comparison)
{
	if (comparison == NULL)
		return;
	g_free(comparison->benchmark);
	g_free(comparison->reason_code);
	g_free(comparison->reason);
	g_free(comparison->sentence);
	g_free(comparison->confirmation_text);
	g_clear_pointer(&comparison->file_labels, g_hash_table_unref);
	g_free(comparison->pair_text);
	g_free(comparison->slower);
	g_clear_pointer(&comparison->accepted, g_ptr_array_unref);
	g_clear_pointer(&comparison->unstable, g_array_unref);
	g_ptr_array_unref(comparison->metrics);
	g_ptr_array_unref(comparison->functions);
	g_clear_pointer(&comparison->head_places, g_array_unref);
	g_clear_pointer(&comparison->table, stack_table_unref);
	g_free(comparison);
}

const MetricPolicy *metric_policy_find(const GPtrArray *policies, const MetricComparison *metric)
{
	for (guint i = 0; i < policies->len; i++) {
		const MetricPolicy *policy = policies->pdata[i];
		gboolean any_engine = policy->engine == NULL || policy->engine == metric->engine;
		if (any_engine && g_str_equal(policy->metric, metric->name))
			return policy;
	}
	return NULL;
}

void metric_policy_free(gpointer data)
{
	MetricPolicy *policy = data;
	g_free(policy->metric);
	g_free(policy);
}
