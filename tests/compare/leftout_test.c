/* SPDX-License-Identifier: Apache-2.0 */
/* Tests how a report names the benchmarks that a request leaves out. */
#include "compare/leftout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The findings about the first `n` of five benchmarks. */
static FindingList *leave_out(guint n)
{
	static const char *const all[] = {"parse", "sort", "hash", "print", "copy"};
	FindingList *findings = finding_list_new();
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(names, (gpointer)all[i]);
	left_out_add(findings, names);
	return findings;
}

static void nothing_left_out_is_not_told(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = leave_out(0);
	assert_int_equal(finding_count(findings), 0);
}

static void one_is_told_as_a_finding_of_its_own(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = leave_out(1);
	assert_int_equal(finding_count(findings), 1);
	assert_string_equal(finding_get(findings, 0)->benchmark, "parse");
}

static void several_are_one_line(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = leave_out(3);
	assert_int_equal(finding_count(findings), 1);
	assert_null(finding_get(findings, 0)->benchmark);
	assert_string_equal(
	        finding_get(findings, 0)->text, "3 benchmarks were left out by --benchmark: parse, sort, hash");
}

static void of_many_a_few_are_named(void **state)
{
	(void)state;
	g_autoptr(FindingList) findings = leave_out(5);
	assert_string_equal(finding_get(findings, 0)->text,
	        "5 benchmarks were left out by --benchmark: parse, sort, hash and 2 more");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(nothing_left_out_is_not_told),
	        cmocka_unit_test(one_is_told_as_a_finding_of_its_own),
	        cmocka_unit_test(several_are_one_line),
	        cmocka_unit_test(of_many_a_few_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
