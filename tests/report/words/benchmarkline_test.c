/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/benchmarkline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define REASON "the reason"
#define SENTENCE "the sentence"

typedef struct {
	CheckResult *result;
	ResultBenchmark *benchmark;
} Compared;

/* A benchmark "parse" with that verdict and sentence. */
static Compared compared(Verdict verdict, const char *sentence)
{
	CheckResult *result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "parse");
	benchmark->comparison = benchmark_comparison_new("parse");
	benchmark_comparison_decide(benchmark->comparison, verdict, "", g_strdup(REASON));
	g_free(benchmark->comparison->sentence);
	benchmark->comparison->sentence = g_strdup(sentence);
	return (Compared){result, benchmark};
}

static void the_line_is_numbers_where_they_stand_and_else_why_not(void **state)
{
	static const struct {
		Verdict verdict;
		const char *sentence, *line, *rest;
	} cases[] = {
	        {VERDICT_PASS, SENTENCE, SENTENCE, REASON},
	        {VERDICT_REGRESSION, SENTENCE, SENTENCE, REASON},
	        {VERDICT_INCONCLUSIVE, SENTENCE, REASON, SENTENCE},
	        {VERDICT_ERROR, SENTENCE, REASON, SENTENCE},
	        {VERDICT_PASS, "", REASON, ""},
	        {VERDICT_REGRESSION, "", REASON, ""},
	        {VERDICT_INCONCLUSIVE, "", REASON, ""},
	        {VERDICT_ERROR, "", REASON, ""},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Compared c = compared(cases[i].verdict, cases[i].sentence);
		assert_string_equal(benchmark_line(c.result, c.benchmark), cases[i].line);
		assert_string_equal(benchmark_line_rest(c.result, c.benchmark), cases[i].rest);
		assert_string_equal(benchmark_line_reason(c.result, c.benchmark), REASON);
		check_result_free(c.result);
	}
}

static void the_rest_does_not_say_the_same_again(void **state)
{
	(void)state;
	for (Verdict verdict = VERDICT_PASS; verdict <= VERDICT_ERROR; verdict++) {
		Compared c = compared(verdict, REASON);
		assert_string_equal(benchmark_line(c.result, c.benchmark), REASON);
		assert_string_equal(benchmark_line_rest(c.result, c.benchmark), "");
		check_result_free(c.result);
	}
}

static void what_could_not_be_compared_has_the_first_reason_that_names_it(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "parse");
	check_result_add_reason(result, 5, "build_failed", NULL, "the reason of all");
	check_result_add_reason(result, 4, "timeout", "other", "the reason of another");
	assert_string_equal(benchmark_line(result, benchmark), BENCHMARK_NOT_COMPARED);
	assert_string_equal(benchmark_line_reason(result, benchmark), BENCHMARK_NOT_COMPARED);
	check_result_add_reason(result, 4, "benchmark_failed", "parse", "head was killed");
	check_result_add_reason(result, 4, "benchmark_failed", "parse", "something else");
	assert_string_equal(benchmark_line(result, benchmark), "head was killed");
	assert_string_equal(benchmark_line_reason(result, benchmark), "head was killed");
	assert_string_equal(benchmark_line_rest(result, benchmark), "");
	g_autofree char *named = benchmark_line_named(result, benchmark);
	assert_string_equal(named, "parse: head was killed");
}

static void only_numbers_that_stand_are_called_confirmed(void **state)
{
	static const struct {
		Verdict verdict;
		const char *sentence;
		Confirmation confirmation;
		const char *wanted;
	} cases[] = {
	        {VERDICT_REGRESSION, SENTENCE, CONFIRMATION_CONFIRMED, SENTENCE "; confirmed"},
	        {VERDICT_REGRESSION, SENTENCE, CONFIRMATION_NOT_RUN, "parse: " SENTENCE},
	        {VERDICT_REGRESSION, "", CONFIRMATION_CONFIRMED, "parse: " REASON},
	        {VERDICT_PASS, SENTENCE, CONFIRMATION_CONFIRMED, SENTENCE "; confirmed"},
	        {VERDICT_INCONCLUSIVE, SENTENCE, CONFIRMATION_CONFIRMED, "parse: " REASON},
	        {VERDICT_INCONCLUSIVE, SENTENCE, CONFIRMATION_NOT_CONFIRMED, "parse: " REASON},
	        {VERDICT_ERROR, SENTENCE, CONFIRMATION_CONFIRMED, "parse: " REASON},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Compared c = compared(cases[i].verdict, cases[i].sentence);
		c.benchmark->comparison->confirmation = cases[i].confirmation;
		g_autofree char *named = benchmark_line_named(c.result, c.benchmark);
		assert_string_equal(named, cases[i].wanted);
		check_result_free(c.result);
	}
}

static void a_metric_says_why_it_does_not_pass(void **state)
{
	static const struct {
		gboolean gates, accepted;
		Verdict verdict;
		const char *reason, *line;
	} cases[] = {
	        {TRUE, FALSE, VERDICT_PASS, "", NULL},
	        {TRUE, FALSE, VERDICT_REGRESSION, "too slow", "too slow"},
	        {TRUE, FALSE, VERDICT_INCONCLUSIVE, NULL, REASON},
	        {TRUE, TRUE, VERDICT_REGRESSION, "too slow", "accepted"},
	        {FALSE, FALSE, VERDICT_REGRESSION, "too slow", "does not gate"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Compared c = compared(VERDICT_REGRESSION, SENTENCE);
		MetricComparison metric = {.name = (char *)"wall",
		        .engine = engine_row(0),
		        .gates = cases[i].gates,
		        .accepted = cases[i].accepted,
		        .verdict = cases[i].verdict,
		        .reason = (char *)cases[i].reason};
		const char *line = benchmark_line_metric(c.benchmark->comparison, &metric);
		assert_true(g_strcmp0(line, cases[i].line) == 0);
		check_result_free(c.result);
	}
}

static void functions_that_gate_say_the_sentence(void **state)
{
	static const struct {
		Verdict verdict;
		const char *sentence;
		gboolean gate;
		const char *line;
	} cases[] = {
	        {VERDICT_REGRESSION, SENTENCE, TRUE, SENTENCE},
	        {VERDICT_INCONCLUSIVE, SENTENCE, TRUE, SENTENCE},
	        {VERDICT_REGRESSION, "", TRUE, NULL},
	        {VERDICT_REGRESSION, SENTENCE, FALSE, NULL},
	        {VERDICT_PASS, SENTENCE, FALSE, NULL},
	        {VERDICT_INCONCLUSIVE, SENTENCE, FALSE, REASON},
	        {VERDICT_ERROR, "", FALSE, REASON},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Compared c = compared(cases[i].verdict, cases[i].sentence);
		const char *line =
		        benchmark_line_functions(c.result, c.benchmark, c.benchmark->comparison, cases[i].gate);
		assert_true(g_strcmp0(line, cases[i].line) == 0);
		check_result_free(c.result);
	}
}

static void a_text_names_its_benchmark_once(void **state)
{
	static const struct {
		const char *benchmark, *text, *wanted;
	} cases[] = {
	        {"t", "timed at other times", "t: timed at other times"},
	        {"catalog", "catalog: not measured", "catalog: not measured"},
	        {"catalog", "catalog was not measured", "catalog was not measured"},
	        {"catalog", "catalogs are missing", "catalog: catalogs are missing"},
	        {NULL, "no benchmark was measured", "no benchmark was measured"},
	        {"", "no benchmark was measured", "no benchmark was measured"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = benchmark_line_about(cases[i].benchmark, cases[i].text);
		assert_string_equal(text, cases[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_line_is_numbers_where_they_stand_and_else_why_not),
	        cmocka_unit_test(the_rest_does_not_say_the_same_again),
	        cmocka_unit_test(what_could_not_be_compared_has_the_first_reason_that_names_it),
	        cmocka_unit_test(only_numbers_that_stand_are_called_confirmed),
	        cmocka_unit_test(a_metric_says_why_it_does_not_pass),
	        cmocka_unit_test(functions_that_gate_say_the_sentence),
	        cmocka_unit_test(a_text_names_its_benchmark_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
