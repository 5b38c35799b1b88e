/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/confirmation.h"

#include "compare/comparison/sentence.h"
#include "compare/comparison/totals.h"

/* --- what is suspected --- */

static gboolean is_suspected(const BenchmarkComparison *suspected, const MetricPolicy *policy)
{
	for (guint i = 0; i < suspected->metrics->len; i++) {
		const MetricComparison *metric = suspected->metrics->pdata[i];
		gboolean same_engine = policy->engine == NULL || policy->engine == metric->engine;
		if (same_engine && g_str_equal(policy->metric, metric->name))
			return metric->gates && metric->verdict == VERDICT_REGRESSION;
	}
	return FALSE;
}

GPtrArray *confirmation_policies(const CompareInput *input)
{
	GPtrArray *policies = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < input->policies->len; i++) {
		MetricPolicy *policy = g_new(MetricPolicy, 1);
		*policy = *(const MetricPolicy *)input->policies->pdata[i];
		/* Everything else is measured and shown, but a second campaign may not find new regressions: the
		 * error rates count its suspects only. */
		policy->gates = policy->gates && is_suspected(input->suspected, policy);
		g_ptr_array_add(policies, policy);
	}
	return policies;
}

CompareInput confirmation_input(const CompareInput *input, const GPtrArray *policies, guint rounds)
{
	CompareInput again = *input;
	again.policies = policies;
	again.functions.gates = FALSE;
	again.plan = (LookPlan){
	        .n = 1,
	        .rounds = {rounds},
	        .alpha_fail = {CONFIRMATION_ALPHA},
	        .alpha_pass = {CONFIRMATION_ALPHA},
	};
	return again;
}

/* --- what was found --- */

static gboolean is_suspect(const FunctionComparison *f)
{
	return f->gates || f->excused;
}

/* The function of the second campaign that was suspected as `suspect` in the first, or NULL. Campaigns number their
 * frames each in a table of its own. */
static FunctionComparison *find_function(
        const BenchmarkComparison *second, const BenchmarkComparison *first, const FunctionComparison *suspect)
{
	if (first->table == NULL || second->table == NULL)
		return NULL;
	const char *name = stack_table_frame_name(first->table, suspect->frame);
	const char *module = stack_table_frame_module(first->table, suspect->frame);
	for (guint i = 0; i < second->functions->len; i++) {
		FunctionComparison *f = second->functions->pdata[i];
		if (g_str_equal(stack_table_frame_name(second->table, f->frame), name) &&
		        g_str_equal(stack_table_frame_module(second->table, f->frame), module))
			return f;
	}
	return NULL;
}

static gboolean is_found_again(const FunctionComparison *f, const FunctionPolicy *policy)
{
	return f->p_value <= CONFIRMATION_ALPHA && attribution_passes_floors(f, policy) &&
	       f->klass != FUNCTION_COST_SHIFT && f->klass != FUNCTION_LAYOUT_SUSPECT;
}

/* Lets those suspects gate that rose again, and that the totals of this campaign do not hold. */
static void find_functions_again(const CompareInput *input, BenchmarkComparison *comparison)
{
	const HoldInput hold = {
	        .total_failed = most_telling_metric(comparison->metrics, VERDICT_REGRESSION) != NULL,
	        .total_holds =
	                comparison->table != NULL && compare_total_holds(comparison->metrics, input->base->profile),
	        .strict = input->functions.strict,
	};
	for (guint i = 0; i < input->suspected->functions->len; i++) {
		const FunctionComparison *suspect = input->suspected->functions->pdata[i];
		FunctionComparison *f =
		        is_suspect(suspect) ? find_function(comparison, input->suspected, suspect) : NULL;
		if (f == NULL || !is_found_again(f, &input->functions))
			continue;
		/* Held by the totals of this campaign and not of the first one, which may have been the odd one. */
		f->held = attribution_hold(&hold, f);
		f->gates = f->held == FUNCTION_NOT_HELD;
	}
}

/* --- what was not found --- */

/* TRUE if the bound on the worse side shows that a metric did not change by its margin. */
static gboolean is_absent_metric(const MetricComparison *metric)
{
	double most = metric->higher_is_better ? 1 / metric->lower_ratio : metric->upper_ratio;
	return most < 1 + metric->margin;
}

/* TRUE if head does not run a function at all, or if its interval shows that it costs less than the floor more. */
static gboolean is_absent_function(const FunctionComparison *f, const FunctionPolicy *policy)
{
	return f == NULL || f->head_samples == 0 || f->contribution_upper < policy->floor_contribution;
}

static char *describe_function(const BenchmarkComparison *comparison, const FunctionComparison *f)
{
	if (f->tested)
		return sentence_of_function(comparison->table, f);
	return g_strdup_printf("%s has too few samples", stack_table_frame_name(comparison->table, f->frame));
}

/* The first suspected metric that may well have changed by its margin, in words; NULL if there is none. */
static char *open_metric(const CompareInput *input, const BenchmarkComparison *comparison)
{
	guint n_suspects = 0, n_judged = 0;
	for (guint i = 0; i < input->suspected->metrics->len; i++) {
		const MetricComparison *metric = input->suspected->metrics->pdata[i];
		n_suspects += metric->gates && metric->verdict == VERDICT_REGRESSION;
	}
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && !is_absent_metric(metric))
			return sentence_of_metric(metric);
		n_judged += metric->gates;
	}
	return n_judged < n_suspects ? g_strdup("a metric was not measured") : NULL;
}

/* Does the same for functions and the floor. Without a profile nothing is known of any. */
static char *open_function(const CompareInput *input, const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < input->suspected->functions->len; i++) {
		const FunctionComparison *suspect = input->suspected->functions->pdata[i];
		if (!is_suspect(suspect))
			continue;
		if (comparison->table == NULL)
			return g_strdup("there is no profile");
		const FunctionComparison *f = find_function(comparison, input->suspected, suspect);
		if (!is_absent_function(f, &input->functions))
			return describe_function(comparison, f);
	}
	return NULL;
}

/* Says what shows the absence of the largest suspect. */
static char *describe_absent(const CompareInput *input, const BenchmarkComparison *comparison)
{
	const MetricComparison *metric = most_telling_metric(comparison->metrics, VERDICT_PASS);
	if (metric != NULL)
		return sentence_of_metric(metric);
	const FunctionComparison *suspect = gating_function(input->suspected->functions);
	const FunctionComparison *f = suspect != NULL ? find_function(comparison, input->suspected, suspect) : NULL;
	return f != NULL ? describe_function(comparison, f) : g_strdup("head did not run the function");
}

static void judge_missed(const CompareInput *input, BenchmarkComparison *comparison)
{
	guint rounds = input->plan.rounds[0], needed = look_rounds_possible(CONFIRMATION_ALPHA);
	/* In so few rounds even a change of all of them could be chance, so finding nothing shows nothing. */
	if (rounds < needed) {
		benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "too_few_rounds",
		        g_strdup_printf("too few rounds to find it again: %u of %u", rounds, needed));
		return;
	}
	/* A regression that was not found again may still be there: only an interval can show that it is absent. */
	char *open = open_metric(input, comparison);
	if (open == NULL)
		open = open_function(input, comparison);
	if (open != NULL) {
		benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "unclear", open);
		return;
	}
	g_autofree char *seen = describe_absent(input, comparison);
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "not_confirmed",
	        g_strdup_printf("%s in %u new rounds", seen, rounds));
}

void confirmation_judge(const CompareInput *input, BenchmarkComparison *comparison)
{
	if (input->contaminated) {
		benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "contaminated",
		        g_strdup("the control program, which is the same on both sides, took different times"));
		return;
	}
	find_functions_again(input, comparison);
	const MetricComparison *metric = most_telling_metric(comparison->metrics, VERDICT_REGRESSION);
	const FunctionComparison *function = gating_function(comparison->functions);
	if (metric != NULL) {
		benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "regression",
		        g_strdup_printf("%s regressed again: %s", metric->name, metric->reason));
	} else if (function != NULL) {
		g_autofree char *again = sentence_of_function(comparison->table, function);
		benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "function_regression",
		        g_strdup_printf("found again: %s", again));
	} else {
		judge_missed(input, comparison);
	}
}

/* --- what follows from it --- */

static gboolean has_failed(const MetricComparison *metric)
{
	return metric->gates && metric->verdict == VERDICT_REGRESSION;
}

static void conclude(BenchmarkComparison *first, Confirmation confirmation, char *text)
{
	first->confirmation = confirmation;
	g_free(first->confirmation_text);
	first->confirmation_text = text;
	for (guint i = 0; i < first->metrics->len; i++) {
		MetricComparison *metric = first->metrics->pdata[i];
		if (has_failed(metric))
			metric->confirmation = confirmation;
	}
}

void confirmation_skip(BenchmarkComparison *first, char *why)
{
	if (first->verdict == VERDICT_REGRESSION)
		conclude(first, CONFIRMATION_NOT_RUN, why);
	else
		g_free(why);
}

void confirmation_note_repeated(BenchmarkComparison *comparison, char *how)
{
	if (comparison->verdict == VERDICT_REGRESSION)
		conclude(comparison, CONFIRMATION_CONFIRMED, how);
	else
		g_free(how);
}

/* The metric of the second campaign that has this one's name, or NULL. */
static const MetricComparison *find_metric(const BenchmarkComparison *second, const MetricComparison *suspect)
{
	for (guint i = 0; i < second->metrics->len; i++) {
		const MetricComparison *metric = second->metrics->pdata[i];
		if (g_str_equal(metric->name, suspect->name) && metric->engine == suspect->engine)
			return metric;
	}
	return NULL;
}

static void take_back_metric(MetricComparison *metric, const MetricComparison *again)
{
	/* A metric that the second campaign could not measure was not refuted by it. */
	gboolean absent = again != NULL && again->verdict != VERDICT_ERROR && is_absent_metric(again);
	metric->confirmation = absent ? CONFIRMATION_NOT_CONFIRMED : CONFIRMATION_UNCLEAR;
	metric->verdict = VERDICT_INCONCLUSIVE;
	g_free(metric->reason);
	metric->reason =
	        g_strdup(absent ? "a second campaign did not confirm it" : "a second campaign was inconclusive");
}

static gboolean rose_again(
        const BenchmarkComparison *first, const BenchmarkComparison *second, const FunctionComparison *f)
{
	const FunctionComparison *again = is_suspect(f) ? find_function(second, first, f) : NULL;
	return again != NULL && again->gates;
}

/* Lets a function gate that was excused as the consequence of another one, where only the consequence was found
 * again. */
static void take_back_functions(BenchmarkComparison *first, const BenchmarkComparison *second)
{
	for (guint i = 0; i < first->functions->len; i++) {
		FunctionComparison *f = first->functions->pdata[i];
		gboolean stands = rose_again(first, second, f);
		f->gates = f->gates && stands;
		f->excused = f->excused && stands;
	}
	/* The cause was found again, or one of several: its consequences stay excused. */
	if (gating_function(first->functions) != NULL)
		return;
	for (guint i = 0; i < first->functions->len; i++) {
		FunctionComparison *f = first->functions->pdata[i];
		f->gates = f->excused;
		f->excused = FALSE;
	}
}

/* Takes back what the second campaign did not find again. */
static void take_back(BenchmarkComparison *first, const BenchmarkComparison *second)
{
	for (guint i = 0; i < first->metrics->len; i++) {
		MetricComparison *metric = first->metrics->pdata[i];
		const MetricComparison *again = has_failed(metric) ? find_metric(second, metric) : NULL;
		if (has_failed(metric) && !(again != NULL && has_failed(again)))
			take_back_metric(metric, again);
	}
	take_back_functions(first, second);
}

/* Upholds a regression by what was found again; what the verdict rested on before may have been taken back. */
static void uphold(BenchmarkComparison *first, const BenchmarkComparison *second)
{
	const MetricComparison *metric = most_telling_metric(first->metrics, VERDICT_REGRESSION);
	const FunctionComparison *function = gating_function(first->functions);
	conclude(first, CONFIRMATION_CONFIRMED, g_strdup(second->sentence));
	take_back(first, second);
	const MetricComparison *failed = most_telling_metric(first->metrics, VERDICT_REGRESSION);
	if (failed != NULL && failed != metric)
		benchmark_comparison_decide(first, VERDICT_REGRESSION, "regression",
		        g_strdup_printf("%s regressed: %s", failed->name, failed->reason));
	else if (failed == NULL && (metric != NULL || gating_function(first->functions) != function))
		benchmark_comparison_decide(first, VERDICT_REGRESSION, "function_regression", g_strdup(second->reason));
	sentence_renew(first);
}

static void refute(BenchmarkComparison *first, const BenchmarkComparison *second)
{
	gboolean absent = g_str_equal(second->reason_code, "not_confirmed");
	conclude(first, absent ? CONFIRMATION_NOT_CONFIRMED : CONFIRMATION_UNCLEAR, g_strdup(second->reason));
	take_back(first, second);
	benchmark_comparison_decide(first, VERDICT_INCONCLUSIVE, absent ? "not_confirmed" : "confirmation_unclear",
	        g_strdup_printf(absent ? "a second campaign did not confirm the regression: %s"
	                               : "a second campaign could neither confirm nor rule out the regression: %s",
	                second->reason));
	sentence_renew(first);
}

gboolean confirmation_apply(BenchmarkComparison *first, const BenchmarkComparison *second)
{
	if (first->verdict != VERDICT_REGRESSION)
		return FALSE;
	if (second->verdict == VERDICT_REGRESSION)
		uphold(first, second);
	else if (second->verdict == VERDICT_ERROR)
		confirmation_skip(first, g_strdup_printf("the second campaign is not valid: %s", second->reason));
	else
		refute(first, second);
	return first->verdict == VERDICT_REGRESSION;
}
