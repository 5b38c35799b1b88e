/* SPDX-License-Identifier: Apache-2.0 */
#include "core/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void findings_keep_the_order_in_which_they_came(void **state)
{
	(void)state;
	g_autoptr(FindingList) list = finding_list_new();
	finding_add(list, FINDING_WARNING, "few_rounds", "parse", "only %d rounds", 5);
	finding_add(list, FINDING_INFO, "a", NULL, "later");
	assert_int_equal(finding_count(list), 2);
	assert_string_equal(finding_get(list, 0)->code, "few_rounds");
	assert_string_equal(finding_get(list, 0)->benchmark, "parse");
	assert_string_equal(finding_get(list, 0)->text, "only 5 rounds");
	assert_int_equal(finding_get(list, 0)->severity, FINDING_WARNING);
	assert_null(finding_get(list, 1)->benchmark);
}

static void the_same_finding_is_kept_once(void **state)
{
	(void)state;
	g_autoptr(FindingList) list = finding_list_new();
	finding_add(list, FINDING_INFO, "c", "b", "t");
	finding_add(list, FINDING_INFO, "c", "b", "t");
	assert_int_equal(finding_count(list), 1);
	finding_add(list, FINDING_INFO, "c", "other", "t");
	finding_add(list, FINDING_INFO, "c", NULL, "t");
	finding_add(list, FINDING_INFO, "c", "b", "other");
	assert_int_equal(finding_count(list), 4);
}

static void a_finding_is_found_by_its_code(void **state)
{
	(void)state;
	g_autoptr(FindingList) list = finding_list_new();
	assert_false(finding_has(list, "c"));
	finding_add(list, FINDING_ERROR, "c", "b", "t");
	assert_true(finding_has(list, "c"));
	assert_false(finding_has(list, "b"));
}

static void severities_have_names(void **state)
{
	(void)state;
	assert_string_equal(finding_severity_name(FINDING_INFO), "info");
	assert_string_equal(finding_severity_name(FINDING_WARNING), "warning");
	assert_string_equal(finding_severity_name(FINDING_ERROR), "error");
}

static void freeing_no_list_is_fine(void **state)
{
	(void)state;
	finding_list_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(findings_keep_the_order_in_which_they_came),
	        cmocka_unit_test(the_same_finding_is_kept_once),
	        cmocka_unit_test(a_finding_is_found_by_its_code),
	        cmocka_unit_test(severities_have_names),
	        cmocka_unit_test(freeing_no_list_is_fine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
