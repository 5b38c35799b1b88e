/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/secondcampaign.h"

#include "compare/timed/confirmation.h"

/* --- what follows --- */

static BenchmarkComparison *outcome_of(Verdict verdict, const char *code, const char *reason)
{
	BenchmarkComparison *c = benchmark_comparison_new("catalog");
	FunctionComparison *f = g_new0(FunctionComparison, 1);
	f->gates = TRUE;
	g_ptr_array_add(c->functions, f);
	benchmark_comparison_decide(c, verdict, code, g_strdup(reason));
	g_free(c->sentence);
	c->sentence = g_strdup("task-clock +9.0 %");
	return c;
}

static gboolean first_function_gates(const BenchmarkComparison *c)
{
	return ((const FunctionComparison *)c->functions->pdata[0])->gates;
}

static void what_is_found_again_stays_a_regression(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 8);
	g_autofree char *reason = g_strdup(t.suspected->reason);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(confirmation_apply(t.suspected, c));
	assert_int_equal(t.suspected->confirmation, CONFIRMATION_CONFIRMED);
	assert_string_equal(t.suspected->confirmation_text, c->sentence);
	assert_int_equal(t.suspected->verdict, VERDICT_REGRESSION);
	assert_string_equal(t.suspected->reason, reason);
	assert_int_equal(
	        ((const MetricComparison *)t.suspected->metrics->pdata[0])->confirmation, CONFIRMATION_CONFIRMED);
	assert_true(suspect(&t, "hash")->gates);
	twice_clear(&t);
}

/* Two metrics failed, and one of them fails again: the verdict rests on that one. */
static void what_is_not_found_again_beside_what_is_is_taken_back(void **state)
{
	MetricPolicy faults = {.metric = (char *)"page-faults", .gates = TRUE, .margin = .02, .pass_margin = .05};
	static const struct {
		const SyntheticFunction *again;
		double faults;
		const char *code, *stands, *fell, *said;
		Confirmation of_fallen;
	} rows[] = {
	        {steady, 1300, "regression", "page-faults", "task-clock", "more page-faults",
	                CONFIRMATION_NOT_CONFIRMED},
	        {slower, 1000, "regression", "task-clock", "page-faults", "slower", CONFIRMATION_NOT_CONFIRMED},
	        {slower, 1006, "regression", "task-clock", "page-faults", "slower", CONFIRMATION_UNCLEAR},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) first = campaign(slower, 8, 5), second = campaign(rows[i].again, 8, 6);
		g_ptr_array_add(first->policies, &faults);
		g_ptr_array_add(second->policies, &faults);
		for (guint r = 0; r < 8; r++) {
			synthetic_value(first->base, "page-faults", "count", r, 1000 + r);
			synthetic_value(first->head, "page-faults", "count", r, 1300 + 2 * r);
			synthetic_value(second->base, "page-faults", "count", r, 1000 + r);
			synthetic_value(second->head, "page-faults", "count", r, rows[i].faults + 4 * r);
		}
		g_autoptr(BenchmarkComparison) suspected = compare_benchmark(&first->input);
		assert_string_equal(suspected->reason_code, "regression");
		second->input.suspected = suspected;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&second->input);
		assert_true(confirmation_apply(suspected, c));
		assert_string_equal(suspected->reason_code, rows[i].code);
		assert_true(g_str_has_prefix(suspected->reason, rows[i].stands));
		assert_non_null(strstr(suspected->sentence, rows[i].said));
		assert_null(strstr(suspected->sentence, rows[i].fell));
		for (guint m = 0; m < suspected->metrics->len; m++) {
			const MetricComparison *metric = suspected->metrics->pdata[m];
			gboolean stands = g_str_equal(metric->name, rows[i].stands);
			if (!metric->gates)
				continue;
			assert_int_equal(metric->verdict, stands ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE);
			assert_int_equal(metric->confirmation, stands ? CONFIRMATION_CONFIRMED : rows[i].of_fallen);
		}
	}
}

/* hash rises again, sort, which is said to be its cause, does not. */
static void a_consequence_that_alone_is_found_again_gates(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_slower, 8);
	FunctionComparison *hash = suspect(&t, "hash"), *sort = suspect(&t, "sort");
	hash->gates = FALSE;
	hash->excused = TRUE;
	sort->gates = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(confirmation_apply(t.suspected, c));
	assert_string_equal(t.suspected->reason_code, "function_regression");
	assert_true(hash->gates && !hash->excused && !sort->gates);
	assert_true(g_str_has_prefix(t.suspected->reason, "found again: hash "));
	twice_clear(&t);
}

static void what_is_not_found_again_is_inconclusive(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	g_autoptr(BenchmarkComparison) second =
	        outcome_of(VERDICT_INCONCLUSIVE, "not_confirmed", "task-clock +0.3 % in 8 new rounds");
	assert_false(confirmation_apply(first, second));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_CONFIRMED);
	assert_string_equal(first->confirmation_text, "task-clock +0.3 % in 8 new rounds");
	assert_int_equal(first->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(first->reason_code, "not_confirmed");
	assert_string_equal(first->sentence, first->reason); /* there is no metric to speak of */
	assert_string_equal(
	        first->reason, "a second campaign did not confirm the regression: task-clock +0.3 % in 8 new rounds");
	assert_false(first_function_gates(first));
}

static void a_campaign_that_cannot_tell_leaves_the_verdict_open(void **state)
{
	static const char *const codes[] = {"too_few_rounds", "unclear", "contaminated"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
		g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
		g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_INCONCLUSIVE, codes[i], "why not");
		assert_false(confirmation_apply(first, second));
		assert_int_equal(first->verdict, VERDICT_INCONCLUSIVE);
		assert_string_equal(first->reason_code, "confirmation_unclear");
		assert_int_equal(first->confirmation, CONFIRMATION_UNCLEAR);
		assert_string_equal(first->confirmation_text, "why not");
		assert_string_equal(
		        first->reason, "a second campaign could neither confirm nor rule out the regression: why not");
		assert_false(first_function_gates(first));
	}
}

/* A campaign that was not measured takes nothing back: a head that fails when it is run again would gain by it. */
static void a_campaign_that_is_not_valid_changes_nothing(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_ERROR, "zero_samples", "why not");
	assert_true(confirmation_apply(first, second));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_RUN);
	assert_string_equal(first->confirmation_text, "the second campaign is not valid: why not");
	assert_string_equal(first->reason, "slower");
	assert_true(first_function_gates(first));
}

static void only_a_regression_needs_to_be_confirmed(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_PASS, "", "passes");
	g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	assert_false(confirmation_apply(first, second));
	confirmation_skip(first, g_strdup("no time was left"));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_null(first->confirmation_text);
	assert_int_equal(first->verdict, VERDICT_PASS);
}

static void a_confirmation_that_was_not_run_says_why(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	confirmation_skip(first, g_strdup("switched off"));
	confirmation_skip(first, g_strdup("no time was left"));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_RUN);
	assert_string_equal(first->confirmation_text, "no time was left");
	assert_int_equal(first->verdict, VERDICT_REGRESSION);
}

/* Too rare for an interval, but what has no sample in head costs it nothing. */
static void a_function_that_only_base_runs_now_is_absent(void **state)
{
	static const SyntheticFunction removed[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;hash", 1, 0, "b.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(slightly_slower, removed, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(synthetic_find(t.second, c, "hash")->base_samples > 0);
	assert_int_equal(synthetic_find(t.second, c, "hash")->head_samples, 0);
	assert_string_equal(c->reason_code, "not_confirmed");
	twice_clear(&t);
}

static void a_suspected_metric_that_was_not_measured_again_is_not_absent(void **state)
{
	(void)state;
	for (guint gated = 0; gated < 2; gated++) {
		Twice t = measure_twice(slower, steady, 8);
		acquit_functions(t.suspected);
		MetricComparison *other = g_new0(MetricComparison, 1);
		other->name = g_strdup("page-faults");
		other->engine = &engine_perf;
		other->verdict = VERDICT_REGRESSION;
		other->gates = gated;
		g_ptr_array_add(t.suspected->metrics, other);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_string_equal(c->reason_code, gated ? "unclear" : "not_confirmed");
		if (gated)
			assert_string_equal(c->reason, "a metric was not measured");
		twice_clear(&t);
	}
}

/* --- what is taken back, and what is not --- */

static MetricComparison *add_metric(BenchmarkComparison *c, const Engine *engine, const char *name, Verdict verdict)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = engine;
	metric->unit = g_strdup("count");
	metric->verdict = verdict;
	metric->gates = TRUE;
	metric->margin = .02;
	metric->change_ratio = metric->lower_ratio = metric->upper_ratio = verdict == VERDICT_REGRESSION ? 1.1 : 1;
	metric->reason = g_strdup("why");
	g_ptr_array_add(c->metrics, metric);
	return metric;
}

/* A regression of page-faults, and a second campaign that shows the absence of something. */
static BenchmarkComparison *failed_faults(MetricComparison **faults)
{
	BenchmarkComparison *first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	*faults = add_metric(first, &engine_perf, "page-faults", VERDICT_REGRESSION);
	return first;
}

static void a_metric_is_absent_only_where_the_same_one_of_the_same_engine_is(void **state)
{
	static const struct {
		const Engine *engine;
		const char *name; /* of the second campaign; NULL = it has no metric */
		Verdict verdict;
		Confirmation confirmation;
	} rows[] = {
	        {&engine_perf, "page-faults", VERDICT_PASS, CONFIRMATION_NOT_CONFIRMED},
	        {&engine_perf, "page-faults", VERDICT_ERROR, CONFIRMATION_UNCLEAR},
	        {&engine_benchmark, "page-faults", VERDICT_PASS, CONFIRMATION_UNCLEAR},
	        {&engine_perf, "cycles", VERDICT_PASS, CONFIRMATION_UNCLEAR},
	        {NULL, NULL, VERDICT_PASS, CONFIRMATION_UNCLEAR},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		MetricComparison *faults = NULL;
		g_autoptr(BenchmarkComparison) first = failed_faults(&faults);
		g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_INCONCLUSIVE, "unclear", "why not");
		if (rows[i].name != NULL)
			add_metric(second, rows[i].engine, rows[i].name, rows[i].verdict);
		assert_false(confirmation_apply(first, second));
		assert_int_equal(faults->verdict, VERDICT_INCONCLUSIVE);
		assert_int_equal(faults->confirmation, rows[i].confirmation);
		assert_string_equal(faults->reason, rows[i].confirmation == CONFIRMATION_NOT_CONFIRMED
		                                            ? "a second campaign did not confirm it"
		                                            : "a second campaign was inconclusive");
	}
}

/* In the second campaign only what is suspected gates: that another metric rose there confirms nothing. */
static void a_metric_that_rose_again_without_gating_is_not_confirmed(void **state)
{
	(void)state;
	for (guint gates = 0; gates < 2; gates++) {
		MetricComparison *faults = NULL;
		g_autoptr(BenchmarkComparison) first = failed_faults(&faults);
		g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_REGRESSION, "function_regression", "again");
		add_metric(second, &engine_perf, "page-faults", VERDICT_REGRESSION)->gates = gates;
		assert_true(confirmation_apply(first, second));
		assert_int_equal(faults->verdict, gates ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE);
	}
}

static void a_metric_that_does_not_gate_has_no_confirmation(void **state)
{
	(void)state;
	MetricComparison *faults = NULL;
	g_autoptr(BenchmarkComparison) first = failed_faults(&faults);
	faults->gates = FALSE;
	confirmation_skip(first, g_strdup("--no-confirm"));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_RUN);
	assert_int_equal(faults->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_int_equal(faults->verdict, VERDICT_REGRESSION);
}

static void counts_that_were_repeated_are_confirmed_if_they_are_a_regression(void **state)
{
	(void)state;
	MetricComparison *faults = NULL;
	g_autoptr(BenchmarkComparison) failed = failed_faults(&faults);
	confirmation_note_repeated(failed, g_strdup("counted twice"));
	assert_int_equal(failed->confirmation, CONFIRMATION_CONFIRMED);
	assert_string_equal(failed->confirmation_text, "counted twice");
	assert_int_equal(faults->confirmation, CONFIRMATION_CONFIRMED);
	g_autoptr(BenchmarkComparison) passed = outcome_of(VERDICT_PASS, "", "passes");
	confirmation_note_repeated(passed, g_strdup("counted twice"));
	assert_int_equal(passed->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_null(passed->confirmation_text);
}

/* The total failed and hash gated; only hash is found again: then the verdict is of hash. */
static void where_only_the_function_is_found_again_the_verdict_is_of_it(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slightly_slower, 8);
	assert_string_equal(t.suspected->reason_code, "regression");
	assert_true(suspect(&t, "hash")->gates);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason_code, "function_regression");
	assert_true(confirmation_apply(t.suspected, c));
	assert_string_equal(t.suspected->reason_code, "function_regression");
	assert_true(g_str_has_prefix(t.suspected->reason, "found again: hash "));
	assert_int_equal(((MetricComparison *)t.suspected->metrics->pdata[0])->verdict, VERDICT_INCONCLUSIVE);
	assert_true(suspect(&t, "hash")->gates);
	twice_clear(&t);
}

/* No metric failed, and the function that the verdict names is the one that is found again. */
static void a_function_that_is_found_again_keeps_its_verdict(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_slower, 8);
	g_autofree char *reason = g_strdup(t.suspected->reason);
	assert_true(g_str_has_prefix(reason, "hash costs more: "));
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(confirmation_apply(t.suspected, c));
	assert_string_equal(t.suspected->reason_code, "function_regression");
	assert_string_equal(t.suspected->reason, reason);
	assert_int_equal(t.suspected->confirmation, CONFIRMATION_CONFIRMED);
	twice_clear(&t);
}

/* sort is said to be the consequence of hash, and did not rise at all. */
static void a_consequence_that_is_not_found_again_is_none(void **state)
{
	static const struct {
		const SyntheticFunction *again;
		Verdict verdict;
	} rows[] = {{slightly_slower, VERDICT_REGRESSION}, {slightly_steady, VERDICT_INCONCLUSIVE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Twice t = measure_twice(slightly_slower, rows[i].again, 8);
		FunctionComparison *hash = suspect(&t, "hash"), *sort = suspect(&t, "sort");
		sort->excused = TRUE;
		assert_true(hash->gates);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		confirmation_apply(t.suspected, c);
		assert_int_equal(t.suspected->verdict, rows[i].verdict);
		assert_int_equal(hash->gates, rows[i].verdict == VERDICT_REGRESSION);
		assert_false(sort->excused || sort->gates);
		twice_clear(&t);
	}
}

static void a_consequence_that_is_found_again_stays_excused_beside_its_cause(void **state)
{
	static const SyntheticFunction both_slower[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;hash", 900, 1010, "b.c", 10},
	        {"main;sort", 1000, 1110, "c.c", 30},
	        {"main;render", 3000, 3000, "d.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(both_slower, both_slower, 8);
	FunctionComparison *hash = suspect(&t, "hash"), *sort = suspect(&t, "sort");
	assert_true(hash->gates && sort->gates);
	sort->gates = FALSE;
	sort->excused = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(confirmation_apply(t.suspected, c));
	assert_true(hash->gates && sort->excused && !sort->gates);
	twice_clear(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_found_again_stays_a_regression),
	        cmocka_unit_test(what_is_not_found_again_is_inconclusive),
	        cmocka_unit_test(what_is_not_found_again_beside_what_is_is_taken_back),
	        cmocka_unit_test(a_consequence_that_alone_is_found_again_gates),
	        cmocka_unit_test(a_campaign_that_cannot_tell_leaves_the_verdict_open),
	        cmocka_unit_test(a_campaign_that_is_not_valid_changes_nothing),
	        cmocka_unit_test(only_a_regression_needs_to_be_confirmed),
	        cmocka_unit_test(a_confirmation_that_was_not_run_says_why),
	        cmocka_unit_test(a_function_that_only_base_runs_now_is_absent),
	        cmocka_unit_test(a_suspected_metric_that_was_not_measured_again_is_not_absent),
	        cmocka_unit_test(a_metric_is_absent_only_where_the_same_one_of_the_same_engine_is),
	        cmocka_unit_test(a_metric_that_rose_again_without_gating_is_not_confirmed),
	        cmocka_unit_test(a_metric_that_does_not_gate_has_no_confirmation),
	        cmocka_unit_test(counts_that_were_repeated_are_confirmed_if_they_are_a_regression),
	        cmocka_unit_test(where_only_the_function_is_found_again_the_verdict_is_of_it),
	        cmocka_unit_test(a_function_that_is_found_again_keeps_its_verdict),
	        cmocka_unit_test(a_consequence_that_is_not_found_again_is_none),
	        cmocka_unit_test(a_consequence_that_is_found_again_stays_excused_beside_its_cause),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
