/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/bisect/bisecttarget.h"

#include "compare/comparison/sentence.h"
#include "compare/outcomewords.h"
#include "compare/result.h"
#include "model/engine.h"
#include "model/numbers/number.h"

#include <math.h>
#include <string.h>

#define ABSENT_SHARE .5 /* of a function's contribution to the bad commit */

void bisect_target_clear(BisectTarget *target)
{
	g_clear_pointer(&target->metric, g_free);
	g_clear_pointer(&target->function, g_free);
}

void bisect_answer_clear(BisectAnswer *answer)
{
	g_clear_pointer(&answer->text, g_free);
}

char *bisect_target_text(const BisectTarget *target)
{
	if (target->function != NULL)
		return g_strdup_printf("the function %s", target->function);
	return g_strdup(target->metric != NULL ? target->metric : "whatever regressed");
}

gboolean bisect_target_is_counted(const BisectTarget *target)
{
	return engine_counts(target->engine);
}

/* --- what a comparison knows of it --- */

/* Metrics of counts are also copied into the comparison of the other engine: they are taken from their own. */
static gboolean is_own(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	return comparison->counted == engine_counts(metric->engine);
}

static gboolean is_wanted_metric(const BisectTarget *target, const MetricComparison *metric)
{
	return (target->metric == NULL || g_str_equal(target->metric, metric->name)) &&
	       (target->engine == NULL || target->engine == metric->engine);
}

static const MetricComparison *find_metric(const BisectTarget *target, const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (is_own(comparison, metric) && is_wanted_metric(target, metric))
			return metric;
	}
	return NULL;
}

/* The same name, or the same without parameters. */
static gboolean is_function(const BisectTarget *target, const char *name)
{
	gsize length = strlen(target->function);
	return strncmp(name, target->function, length) == 0 && (name[length] == '\0' || name[length] == '(');
}

/* Finds the function of that name: of several the one that gates, else the first, which contributes most. */
static const FunctionComparison *find_function(const BisectTarget *target, const BenchmarkComparison *comparison)
{
	const FunctionComparison *first = NULL;
	for (guint i = 0; comparison->table != NULL && i < comparison->functions->len; i++) {
		const FunctionComparison *function = comparison->functions->pdata[i];
		if (!is_function(target, stack_table_frame_name(comparison->table, function->frame)))
			continue;
		if (function->gates)
			return function;
		first = first != NULL ? first : function;
	}
	return first;
}

static char *function_text(const BenchmarkComparison *comparison, const FunctionComparison *function)
{
	return comparison->counted ? sentence_of_counted_function(comparison->table, function)
	                           : sentence_of_function(comparison->table, function);
}

/* Tells why nothing that a comparison says is to be believed; NULL if it is. */
static const char *find_doubt(const BenchmarkComparison *comparison)
{
	static const char *const doubts[] = {"contaminated", "out_of_time", NOT_MEASURED, "base_not_built", NULL};
	return g_strv_contains(doubts, comparison->reason_code) ? comparison->reason : NULL;
}

/* --- one commit --- */

static BisectVerdict judge_metric(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	switch (metric->verdict) {
	case VERDICT_PASS:
		return BISECT_GOOD;
	case VERDICT_REGRESSION:
		return !metric->gates || comparison->verdict == VERDICT_REGRESSION ? BISECT_BAD : BISECT_UNCLEAR;
	case VERDICT_INCONCLUSIVE:
		return BISECT_UNCLEAR;
	case VERDICT_ERROR:
		break;
	}
	return BISECT_UNTESTABLE;
}

static void answer_metric(const BenchmarkComparison *comparison, const MetricComparison *metric, BisectAnswer *answer)
{
	answer->verdict = judge_metric(comparison, metric);
	answer->change_ratio = metric->change_ratio;
	gboolean told = answer->verdict == BISECT_GOOD || answer->verdict == BISECT_BAD;
	if (told)
		answer->text = sentence_of_metric(metric);
	else
		answer->text = g_strdup_printf("%s: %s", metric->name,
		        metric->reason != NULL && metric->verdict != VERDICT_REGRESSION ? metric->reason
		                                                                        : comparison->reason);
}

/* Changes that the check itself accounts for in another way. */
static gboolean is_explained(const FunctionComparison *function)
{
	return function->klass == FUNCTION_COST_SHIFT || function->klass == FUNCTION_RENAMED ||
	       function->klass == FUNCTION_REMOVED || function->klass == FUNCTION_IMPROVEMENT;
}

static BisectVerdict judge_function(
        const BisectTarget *target, const BenchmarkComparison *comparison, const FunctionComparison *function)
{
	double most = function->tested ? function->contribution_upper : function->contribution;
	if (function->held == FUNCTION_HELD_BY_TOTAL)
		return function->klass == FUNCTION_COST_SHIFT ? BISECT_UNCLEAR : BISECT_BAD;
	if (function->gates || (function->excused && comparison->verdict == VERDICT_REGRESSION))
		return comparison->verdict == VERDICT_REGRESSION ? BISECT_BAD : BISECT_UNCLEAR;
	if (is_explained(function) || (comparison->counted && function->repeats))
		return BISECT_GOOD;
	return most < ABSENT_SHARE * target->contribution ? BISECT_GOOD : BISECT_UNCLEAR;
}

static void answer_function(const BisectTarget *target, const BenchmarkComparison *comparison, BisectAnswer *answer)
{
	const FunctionComparison *function = find_function(target, comparison);
	if (function == NULL) {
		answer->verdict = BISECT_GOOD;
		answer->contribution = 0;
		answer->text = g_strdup_printf("%s costs nothing on either side", target->function);
		return;
	}
	answer->verdict = judge_function(target, comparison, function);
	answer->contribution = function->contribution;
	answer->text = function_text(comparison, function);
}

static void answer_nothing(BisectVerdict verdict, const char *why, BisectAnswer *answer)
{
	answer->verdict = verdict;
	answer->text = g_strdup(why);
}

/* The comparison that knows about the target, or NULL; where no engine is asked for, counts before others. */
static const BenchmarkComparison *find_comparison(
        const BisectTarget *target, const BenchmarkComparison *const *comparisons)
{
	const BenchmarkComparison *found = NULL;
	for (; *comparisons != NULL; comparisons++) {
		gboolean right = target->engine == NULL || (*comparisons)->counted == bisect_target_is_counted(target);
		gboolean knows = right && (target->function != NULL || find_metric(target, *comparisons) != NULL);
		if (knows && (found == NULL || (*comparisons)->counted))
			found = *comparisons;
	}
	return found;
}

void bisect_judge(const BisectTarget *target, const BenchmarkComparison *const *comparisons, BisectAnswer *answer)
{
	const BenchmarkComparison *comparison = find_comparison(target, comparisons);
	*answer = (BisectAnswer){.change_ratio = NAN, .contribution = NAN};
	if (comparison == NULL) {
		g_autofree char *name = bisect_target_text(target);
		g_autofree char *why = g_strdup_printf("%s was not measured", name);
		answer_nothing(BISECT_UNTESTABLE, why, answer);
	} else if (comparison->verdict == VERDICT_ERROR) {
		answer_nothing(BISECT_UNTESTABLE, comparison->reason, answer);
	} else if (find_doubt(comparison) != NULL) {
		answer_nothing(BISECT_UNCLEAR, find_doubt(comparison), answer);
	} else if (target->function != NULL) {
		answer_function(target, comparison, answer);
	} else {
		answer_metric(comparison, find_metric(target, comparison), answer);
	}
}

/* TRUE if the profile is of another engine, and not an extra profile of the same one. */
static gboolean is_counted(const ResultProfile *profile)
{
	return engine_counts(profile->engine) && g_str_equal(profile->event, "instructions");
}

/* The comparisons of the only benchmark; NULL if there is none. */
static GPtrArray *comparisons_of(const CheckResult *result)
{
	const ResultBenchmark *row = result->benchmarks->len > 0 ? result->benchmarks->pdata[0] : NULL;
	if (row == NULL || row->comparison == NULL)
		return NULL;
	GPtrArray *comparisons = g_ptr_array_new();
	g_ptr_array_add(comparisons, row->comparison);
	for (guint i = 0; i < row->profiles->len; i++) {
		const ResultProfile *profile = row->profiles->pdata[i];
		if (profile->comparison != NULL && is_counted(profile))
			g_ptr_array_add(comparisons, profile->comparison);
	}
	g_ptr_array_add(comparisons, NULL);
	return comparisons;
}

void bisect_judge_check(const BisectTarget *target, const CheckResult *result, BisectAnswer *answer)
{
	g_autoptr(GPtrArray) comparisons = comparisons_of(result);
	if (comparisons != NULL) {
		bisect_judge(target, (const BenchmarkComparison *const *)comparisons->pdata, answer);
		return;
	}
	g_autofree char *why = check_result_reason(result);
	*answer = (BisectAnswer){.change_ratio = NAN, .contribution = NAN};
	answer_nothing(BISECT_UNTESTABLE, why, answer);
}

void bisect_judge_whole(const CheckResult *result, BisectAnswer *answer)
{
	static const BisectVerdict verdicts[] = {
	        [VERDICT_PASS] = BISECT_GOOD,
	        [VERDICT_REGRESSION] = BISECT_BAD,
	        [VERDICT_INCONCLUSIVE] = BISECT_UNCLEAR,
	        [VERDICT_ERROR] = BISECT_UNTESTABLE,
	};
	g_autofree char *why = check_result_reason(result);
	answer_nothing(verdicts[result->verdict], why, answer);
}

void bisect_judge_not_bad(gboolean no_regression, const char *why, BisectAnswer *answer)
{
	answer_nothing(no_regression ? BISECT_GOOD : BISECT_UNCLEAR, why, answer);
}

void bisect_judge_failed(const char *why, BisectAnswer *answer)
{
	answer_nothing(BISECT_UNTESTABLE, why, answer);
}

/* --- what is looked for --- */

static gboolean refuse(char **why, char *text)
{
	*why = text;
	return FALSE;
}

/* The gating metric that failed, a counted one first; of those that are asked for also one that does not gate. */
static const MetricComparison *find_regression(
        const BisectTarget *target, const BenchmarkComparison *const *comparisons)
{
	const MetricComparison *found = NULL;
	for (; *comparisons != NULL; comparisons++)
		for (guint i = 0; find_doubt(*comparisons) == NULL && i < (*comparisons)->metrics->len; i++) {
			const MetricComparison *metric = (*comparisons)->metrics->pdata[i];
			gboolean wanted = is_own(*comparisons, metric) && is_wanted_metric(target, metric) &&
			                  (metric->gates || target->metric != NULL) &&
			                  judge_metric(*comparisons, metric) == BISECT_BAD;
			if (wanted && (found == NULL || (*comparisons)->counted))
				found = metric;
			if (wanted && (*comparisons)->counted)
				return found;
		}
	return found;
}

/* The function that gates, of that name if one is asked for, in counts first. */
static const FunctionComparison *find_slow_function(
        const BisectTarget *target, const BenchmarkComparison *const *comparisons, const BenchmarkComparison **where)
{
	const FunctionComparison *found = NULL;
	for (; *comparisons != NULL; comparisons++) {
		gboolean right = target->engine == NULL || (*comparisons)->counted == bisect_target_is_counted(target);
		if (!right || find_doubt(*comparisons) != NULL || (*comparisons)->verdict != VERDICT_REGRESSION)
			continue;
		const FunctionComparison *function = target->function != NULL
		                                             ? find_function(target, *comparisons)
		                                             : gating_function((*comparisons)->functions);
		if (function == NULL || !(function->gates || function->excused))
			continue;
		if (found == NULL || (*comparisons)->counted) {
			found = function;
			*where = *comparisons;
		}
	}
	return found;
}

static void settle_on_function(
        BisectTarget *target, const BenchmarkComparison *comparison, const FunctionComparison *function)
{
	bisect_target_clear(target);
	target->engine = engine_that(comparison->counted);
	target->function = g_strdup(stack_table_frame_name(comparison->table, function->frame));
	target->contribution = function->contribution;
}

static void settle_on_metric(BisectTarget *target, const MetricComparison *metric)
{
	char *name = g_strdup(metric->name);
	const Engine *engine = metric->engine;
	bisect_target_clear(target);
	target->metric = name;
	target->engine = engine;
}

/* A metric beside a function says whose costs are meant. */
static gboolean restrict_engine(BisectTarget *target, const BenchmarkComparison *const *comparisons, char **why)
{
	for (; *comparisons != NULL; comparisons++) {
		const MetricComparison *metric = find_metric(target, *comparisons);
		if (metric == NULL)
			continue;
		target->engine = metric->engine;
		return TRUE;
	}
	return refuse(why, g_strdup_printf("%s was not measured", target->metric));
}

/* Tells why what is asked for is no regression. */
static char *explain_metric(const BisectTarget *target, const BenchmarkComparison *const *comparisons)
{
	g_autoptr(GString) names = g_string_new(NULL);
	g_assert(*comparisons != NULL);
	for (const BenchmarkComparison *const *at = comparisons; *at != NULL; at++) {
		const MetricComparison *metric = target->metric != NULL ? find_metric(target, *at) : NULL;
		if (metric != NULL) {
			g_autofree char *sentence = sentence_of_metric(metric);
			g_autofree char *margin = number_share(metric->margin);
			return g_strdup_printf(
			        "%s is not a regression: %s, with a margin of %s", metric->name, sentence, margin);
		}
		for (guint i = 0; i < (*at)->metrics->len; i++)
			if (is_own(*at, (*at)->metrics->pdata[i]))
				g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
				        ((const MetricComparison *)(*at)->metrics->pdata[i])->name);
	}
	if (target->metric == NULL)
		return g_strdup((*comparisons)->sentence != NULL ? (*comparisons)->sentence : (*comparisons)->reason);
	return g_strdup_printf("%s was not measured; there are %s", target->metric, names->str);
}

static char *explain_function(const BisectTarget *target, const BenchmarkComparison *const *comparisons)
{
	for (; *comparisons != NULL; comparisons++) {
		const FunctionComparison *function = find_function(target, *comparisons);
		if (function == NULL)
			continue;
		g_autofree char *sentence = function_text(*comparisons, function);
		return g_strdup_printf("the function is not a regression: %s", sentence);
	}
	return g_strdup_printf("no function named %s was seen to run", target->function);
}

gboolean bisect_target_settle(BisectTarget *target, const BenchmarkComparison *const *comparisons, char **why)
{
	const BenchmarkComparison *where = NULL;
	if (*comparisons == NULL || (*comparisons)->verdict == VERDICT_ERROR)
		return refuse(why, g_strdup(*comparisons == NULL ? "nothing was compared" : (*comparisons)->reason));
	if (find_doubt(*comparisons) != NULL && comparisons[1] == NULL)
		return refuse(why, g_strdup(find_doubt(*comparisons)));
	if (target->function != NULL && target->metric != NULL && !restrict_engine(target, comparisons, why))
		return FALSE;
	const MetricComparison *metric = target->function == NULL ? find_regression(target, comparisons) : NULL;
	if (metric != NULL) {
		settle_on_metric(target, metric);
		return TRUE;
	}
	if (target->metric != NULL && target->function == NULL)
		return refuse(why, explain_metric(target, comparisons));
	const FunctionComparison *function = find_slow_function(target, comparisons, &where);
	if (function == NULL)
		return refuse(why, target->function != NULL ? explain_function(target, comparisons)
		                                            : explain_metric(target, comparisons));
	settle_on_function(target, where, function);
	return TRUE;
}

gboolean bisect_target_settle_check(BisectTarget *target, const CheckResult *result, char **why)
{
	g_autoptr(GPtrArray) comparisons = comparisons_of(result);
	if (comparisons != NULL)
		return bisect_target_settle(target, (const BenchmarkComparison *const *)comparisons->pdata, why);
	return refuse(why, check_result_reason(result));
}
