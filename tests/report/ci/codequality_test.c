/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/codequality.h"

#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

#include "core/jsontext.h"

static json_t *issues_of(const CheckResult *result)
{
	gsize length;
	g_autofree char *text = codequality_json(result, &length);
	json_t *issues = json_load_text(text, length, "code quality", NULL);
	assert_non_null(issues);
	return issues;
}

static const char *nth(const json_t *issues, guint index, const char *key)
{
	return json_string_value(json_object_get(json_array_get(issues, index), key));
}

static void the_issues_are_as_they_were(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_trust(result->benchmarks->pdata[0]);
	gsize length;
	g_autofree char *text = codequality_json(result, &length);
	assert_int_equal(length, strlen(text));
	assert_golden("codequality.json", text);
	leave_for_parsers("texts-sample.codequality.json", text, length);
}

static void a_pass_without_flagged_functions_is_an_empty_array(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	g_autofree char *text = codequality_json(result, NULL);
	assert_string_equal(text, "[]\n");
}

static void a_fingerprint_outlives_new_numbers_and_lines(void **state)
{
	(void)state;
	g_autoptr(CheckResult) first = many_functions(10, 3), second = many_functions(10, 3);
	FunctionComparison *function =
	        ((ResultBenchmark *)second->benchmarks->pdata[0])->comparison->functions->pdata[0];
	function->contribution = .9;
	replace_field(&function->sentence, "something else");
	json_auto_t *a = issues_of(first), *b = issues_of(second);
	assert_string_equal(nth(a, 0, "fingerprint"), nth(b, 0, "fingerprint"));
	assert_string_not_equal(nth(a, 0, "description"), nth(b, 0, "description"));
}

static void fingerprints_of_functions_differ(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(30, 5);
	json_auto_t *issues = issues_of(result);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	assert_int_equal(json_array_size(issues), 150);
	for (guint i = 0; i < json_array_size(issues); i++)
		assert_true(g_hash_table_add(seen, (gpointer)nth(issues, i, "fingerprint")));
}

static void what_gates_comes_first_and_is_critical(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(20, 2);
	json_auto_t *issues = issues_of(result);
	assert_string_equal(nth(issues, 0, "severity"), "critical");
	assert_string_equal(nth(issues, 3, "severity"), "critical");
	assert_string_equal(nth(issues, 4, "severity"), "minor");
}

static void a_function_outside_of_the_checkout_stands_at_the_configuration(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_hostile_benchmark(result, "../../etc/passwd");
	json_auto_t *issues = issues_of(result);
	const json_t *location = json_object_get(json_array_get(issues, 0), "location");
	assert_string_equal(json_string_value(json_object_get(location, "path")), "firebreak.yml");
	assert_int_equal(json_integer_value(json_object_get(json_object_get(location, "lines"), "begin")), 1);
}

static void functions_of_one_name_are_issues_of_their_own(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(2, 2);
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FunctionComparison *first = g_ptr_array_index(benchmark->comparison->functions, 0),
	                   *second = g_ptr_array_index(benchmark->comparison->functions, 1);
	second->frame = first->frame;
	json_auto_t *issues = issues_of(result);
	assert_string_not_equal(nth(issues, 0, "fingerprint"), nth(issues, 1, "fingerprint"));
}

static void there_is_a_limit_and_the_gravest_are_within(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(100, 50);
	json_auto_t *issues = issues_of(result);
	assert_int_equal(json_array_size(issues), CODEQUALITY_MAX_ISSUES);
	assert_string_equal(nth(issues, 499, "severity"), "critical");
}

static void hostile_names_stay_text(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = hostile_result();
	gsize length;
	g_autofree char *text = codequality_json(result, &length);
	json_auto_t *issues = issues_of(result);
	assert_int_equal(json_array_size(issues), G_N_ELEMENTS(hostile_texts));
	leave_for_parsers("texts-hostile.codequality.json", text, length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_issues_are_as_they_were),
	        cmocka_unit_test(a_pass_without_flagged_functions_is_an_empty_array),
	        cmocka_unit_test(a_fingerprint_outlives_new_numbers_and_lines),
	        cmocka_unit_test(fingerprints_of_functions_differ),
	        cmocka_unit_test(what_gates_comes_first_and_is_critical),
	        cmocka_unit_test(a_function_outside_of_the_checkout_stands_at_the_configuration),
	        cmocka_unit_test(functions_of_one_name_are_issues_of_their_own),
	        cmocka_unit_test(there_is_a_limit_and_the_gravest_are_within),
	        cmocka_unit_test(hostile_names_stay_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
