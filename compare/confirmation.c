#include "compare/confirmation.h"

#include "compare/sentence.h"

/* --- what is suspected --- */

static gboolean is_suspected(const BenchmarkComparison *suspected, const MetricPolicy *policy)
{
	for (guint i = 0; i < suspected->metrics->len; i++) {
		const MetricComparison *metric = suspected->metrics->pdata[i];
		gboolean same_engine = policy->engine == NULL || g_str_equal(policy->engine, metric->engine);
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

/* Lets those suspects gate that rose again. */
static void find_functions_again(const CompareInput *input, BenchmarkComparison *comparison)
{
	for (guint i = 0; i < input->suspected->functions->len; i++) {
		const FunctionComparison *suspect = input->suspected->functions->pdata[i];
		FunctionComparison *f =
		        is_suspect(suspect) ? find_function(comparison, input->suspected, suspect) : NULL;
		if (f != NULL)
			f->gates = is_found_again(f, &input->functions);
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

/* Likewise of functions and the floor. Without a profile nothing is known of any. */
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

/* What shows the absence of the largest suspect. */
static char *describe_absent(const CompareInput *input, const BenchmarkComparison *comparison)
{
	const MetricComparison *metric = most_telling_metric(comparison->metrics, VERDICT_PASS);
	if (metric != NULL)
		return sentence_of_metric(metric);
	const FunctionComparison *suspect = gating_function(input->suspected->functions);
	const FunctionComparison *f = suspect != NULL ? find_function(comparison, input->suspected, suspect) : NULL;
	return f != NULL ? describe_function(comparison, f) : g_strdup("head does not run it now");
}

static void judge_missed(const CompareInput *input, BenchmarkComparison *comparison)
{
	guint rounds = input->plan.rounds[0], needed = look_rounds_possible(CONFIRMATION_ALPHA);
	if (rounds < needed) {
		benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "too_few_rounds",
		        g_strdup_printf("too few rounds to find it again: %u of %u", rounds, needed));
		return;
	}
	char *open = open_metric(input, comparison);
	if (open == NULL)
		open = open_function(input, comparison);
	if (open != NULL) {
		benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "unclear", open);
		return;
	}
	g_autofree char *seen = describe_absent(input, comparison);
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "not_confirmed",
	        g_strdup_printf("not found again in %u rounds: %s", rounds, seen));
}

void confirmation_judge(const CompareInput *input, BenchmarkComparison *comparison)
{
	if (input->contaminated) {
		benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "contaminated",
		        g_strdup("the control that nobody changed moved too"));
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

static void conclude(BenchmarkComparison *first, Confirmation confirmation, char *text)
{
	first->confirmation = confirmation;
	g_free(first->confirmation_text);
	first->confirmation_text = text;
}

void confirmation_skip(BenchmarkComparison *first, char *why)
{
	if (first->verdict == VERDICT_REGRESSION)
		conclude(first, CONFIRMATION_NOT_RUN, why);
	else
		g_free(why);
}

static void refute(BenchmarkComparison *first, const BenchmarkComparison *second)
{
	conclude(first, CONFIRMATION_NOT_CONFIRMED, g_strdup(second->reason));
	benchmark_comparison_decide(first, VERDICT_INCONCLUSIVE, "not_confirmed",
	        g_strdup_printf("a regression that a second campaign did not confirm: %s", second->reason));
	for (guint i = 0; i < first->functions->len; i++)
		((FunctionComparison *)first->functions->pdata[i])->gates = FALSE;
	sentence_renew(first);
}

gboolean confirmation_apply(BenchmarkComparison *first, const BenchmarkComparison *second)
{
	if (first->verdict != VERDICT_REGRESSION)
		return FALSE;
	if (second->verdict == VERDICT_REGRESSION)
		conclude(first, CONFIRMATION_CONFIRMED, g_strdup(second->sentence));
	else if (g_str_equal(second->reason_code, "not_confirmed"))
		refute(first, second);
	else
		confirmation_skip(first, g_strdup_printf("a second campaign could not tell: %s", second->reason));
	return first->verdict == VERDICT_REGRESSION;
}
