/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trialcases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* `says` NULL = none. */
static void assert_trouble(FrameworkId id, const char *output, const char *says)
{
	g_autofree char *trouble = trial_case_trouble(id, output);
	if (says == NULL && trouble != NULL)
		fail_msg("%s", trouble);
	if (says != NULL && (trouble == NULL || strstr(trouble, says) == NULL))
		fail_msg("%s: %s lacks %s", output, trouble != NULL ? trouble : "no trouble", says);
}

static void a_case_without_a_benchmark_is_none(void **state)
{
	(void)state;
	assert_trouble(FRAMEWORK_CATCH2, "All tests passed (1 assertion in 1 test case)", "no BENCHMARK");
	assert_trouble(FRAMEWORK_CATCH2, "benchmark name   samples  iterations", NULL);
	assert_trouble(FRAMEWORK_GOOGLE_BENCHMARK, "BM_a ERROR OCCURRED: 'no file'", "an error occurred");
	assert_trouble(FRAMEWORK_GO, "PASS", "no result");
}

static void a_case_whose_work_is_removed_is_left_out(void **state)
{
	(void)state;
	assert_trouble(FRAMEWORK_GOOGLE_BENCHMARK, "BM_a/8   0.251 ns   0.249 ns   2804325712\n",
	        "an iteration of BM_a/8 takes 0.25 ns, less than a CPU cycle");
	assert_trouble(FRAMEWORK_GOOGLE_BENCHMARK, "BM_a/8   3.51 ns   3.49 ns   280432571\n", NULL);
	assert_trouble(FRAMEWORK_GOOGLE_BENCHMARK, "off (global logger)   0.251 ns   0.249 ns   280432571\n",
	        "an iteration of off (global logger) takes 0.25 ns");
	/* with threads, an iteration takes less time by the wall than of the CPU */
	assert_trouble(FRAMEWORK_GOOGLE_BENCHMARK, "BM_a/threads:8   0.251 ns   2.01 ns   280432571\n", NULL);
	assert_trouble(FRAMEWORK_GOOGLE_BENCHMARK, "BM_a   0.2 ns   0.2 ns   99\nBM_b   8 ns   8 ns   99\n", NULL);
	assert_trouble(FRAMEWORK_GO, "BenchmarkA-2   40000000   0.2516 ns/op\n", "in a variable of the package");
	assert_trouble(FRAMEWORK_GO, "BenchmarkA-2   40000000   25.16 ns/op\n", NULL);
	assert_trouble(FRAMEWORK_LIBTEST, "test a ... bench:           0 ns/iter (+/- 0)\n", "black_box()");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_case_without_a_benchmark_is_none),
	        cmocka_unit_test(a_case_whose_work_is_removed_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
