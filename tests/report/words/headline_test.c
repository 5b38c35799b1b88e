/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/headline.h"

#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_headline(const CheckResult *result, const char *wanted)
{
	g_autofree char *headline = headline_text(result);
	assert_string_equal(headline, wanted);
}

static void the_headline_names_benchmark_and_culprit(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	check_headline(result, "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19");
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	comparison->confirmation = CONFIRMATION_CONFIRMED;
	check_headline(result, "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19; confirmed");
	comparison->confirmation = CONFIRMATION_NOT_RUN;
	ResultBenchmark *second = check_result_add_benchmark(result, "other");
	second->comparison = benchmark_comparison_new("other");
	second->comparison->verdict = VERDICT_REGRESSION;
	check_headline(result,
	        "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19; and 1 more benchmark");
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build");
	check_result_decide(result);
	check_headline(result, "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19; and 1 more "
	                       "benchmark; and an error: head does not build");
	g_ptr_array_set_size(result->benchmarks, 0);
	check_headline(result, "head does not build");
}

static void a_regression_that_edited_code_explains_comes_first(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *unexplained = check_result_add_benchmark(result, "other");
	unexplained->comparison = benchmark_comparison_new("other");
	unexplained->comparison->verdict = VERDICT_REGRESSION;
	ResultBenchmark *first = result->benchmarks->pdata[0];
	((FunctionComparison *)first->comparison->functions->pdata[0])->relation = CHANGE_TOUCHED;
	result->benchmarks->pdata[0] = unexplained;
	result->benchmarks->pdata[result->benchmarks->len - 1] = first;
	check_headline(result,
	        "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19; and 1 more benchmark");
}

static void an_inconclusive_headline_says_why(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "parse");
	benchmark->comparison = benchmark_comparison_new("parse");
	benchmark->comparison->verdict = VERDICT_INCONCLUSIVE;
	g_free(benchmark->comparison->reason);
	benchmark->comparison->reason = g_strdup("wall time: too close to call");
	check_result_decide(result);
	check_headline(result, "parse: wall time: too close to call");
}

static void passes_are_counted(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	for (guint i = 0; i < 2; i++) {
		ResultBenchmark *benchmark = check_result_add_benchmark(result, "b");
		benchmark->comparison = benchmark_comparison_new("b");
		benchmark->comparison->verdict = VERDICT_PASS;
	}
	check_result_decide(result);
	check_headline(result, "2 benchmarks passed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_headline_names_benchmark_and_culprit),
	        cmocka_unit_test(a_regression_that_edited_code_explains_comes_first),
	        cmocka_unit_test(an_inconclusive_headline_says_why),
	        cmocka_unit_test(passes_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
