/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/resultinput.h"

#include "compare/exitcodes.h"

static void a_verdict_gives_its_exit_code(void **state)
{
	static const struct {
		Verdict verdict;
		int exit_code;
	} rows[] = {{VERDICT_PASS, 0}, {VERDICT_REGRESSION, 1}, {VERDICT_INCONCLUSIVE, 3}, {VERDICT_ERROR, 4}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(CheckResult) result = check_result_new();
		add_judged(result, "one", rows[i].verdict, "code");
		check_result_decide(result);
		assert_int_equal(result->exit_code, rows[i].exit_code);
		assert_int_equal(result->verdict, rows[i].verdict);
		assert_int_equal(result->reasons->len, rows[i].exit_code != 0);
	}
}

static void the_most_important_exit_code_wins_in_every_pair(void **state)
{
	static const int order[] = {137, 77, 9, 2, 8, 7, 5, 4, 6, 1, 3, 0};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(order); i++)
		for (guint j = 0; j < G_N_ELEMENTS(order); j++) {
			g_autoptr(CheckResult) result = check_result_new();
			add_judged(result, "one", VERDICT_PASS, "");
			check_result_add_reason(result, order[i], "a", NULL, "a");
			check_result_add_reason(result, order[j], "b", NULL, "b");
			check_result_decide(result);
			assert_int_equal(result->exit_code, order[MIN(i, j)]);
			assert_int_equal(((ResultReason *)result->reasons->pdata[0])->exit_code, order[MIN(i, j)]);
			assert_int_equal(((ResultReason *)result->reasons->pdata[1])->exit_code, order[MAX(i, j)]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_verdict_gives_its_exit_code),
	        cmocka_unit_test(the_most_important_exit_code_wins_in_every_pair),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
