/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/topjson.h"

#include "core/jsontext.h"
#include "tests/report/topexample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static json_t *json_of(const TopExample *e)
{
	gsize length;
	g_autofree char *text = top_json(&e->report, &length);
	json_t *object = json_load_text(text, length, "top", NULL);
	assert_non_null(object);
	return object;
}

/* The member at a path of keys and indices, "functions/0/name". */
static const json_t *at(const json_t *json, const char *path)
{
	g_auto(GStrv) steps = g_strsplit(path, "/", -1);
	for (guint i = 0; steps[i] != NULL; i++)
		json = json_is_array(json) ? json_array_get(json, (gsize)g_ascii_strtoull(steps[i], NULL, 10))
		                           : json_object_get(json, steps[i]);
	if (json == NULL)
		fail_msg("no %s", path);
	return json;
}

static void assert_number(const json_t *json, const char *path, double wanted)
{
	double got = json_number_value(at(json, path));
	if (got < wanted - 1e-6 || got > wanted + 1e-6)
		fail_msg("%s is %g, wanted %g", path, got, wanted);
}

static void functions_come_with_both_costs_and_what_they_are(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	json_auto_t *json = json_of(e);
	assert_string_equal(json_string_value(at(json, "schema")), TOP_SCHEMA);
	assert_number(json, "total", 1e9);
	assert_number(json, "samples", 1000);
	assert_number(json, "unknown_pct", 1);
	assert_int_equal(json_array_size(at(json, "functions")), 7);
	assert_number(json, "functions_seen", 11);
	assert_string_equal(json_string_value(at(json, "functions/0/name")), "score");
	assert_number(json, "functions/0/self_pct", 40);
	assert_number(json, "functions/0/self_half_width_pp", 3.030845);
	assert_number(json, "functions/0/inclusive_pct", 40);
	assert_string_equal(json_string_value(at(json, "functions/1/kind")), "inlined");
	assert_string_equal(json_string_value(at(json, "functions/1/module")), "lexi");
	assert_true(json_is_null(at(json, "functions/1/file")));
	assert_true(json_is_null(at(json, "calls")));
}

static void hints_and_findings_have_stable_codes(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	json_auto_t *json = json_of(e);
	assert_string_equal(json_string_value(at(json, "hints/0/code")), "allocation_heavy");
	assert_number(json, "hints/0/share_pct", 15);
	assert_string_equal(json_string_value(at(json, "findings/0/code")), "samples_lost");
	assert_string_equal(json_string_value(at(json, "findings/0/severity")), "warning");
}

static void callers_and_callees_have_shares_of_the_function_and_of_all(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	top_example_choose(e, "parse");
	json_auto_t *json = json_of(e);
	assert_number(json, "calls/inclusive_pct", 50);
	assert_number(json, "calls/self_pct", 5);
	assert_string_equal(json_string_value(at(json, "calls/callers/0/name")), "main");
	assert_number(json, "calls/callers/0/pct_of_function", 100);
	assert_string_equal(json_string_value(at(json, "calls/callees/0/name")), "read_word");
	assert_number(json, "calls/callees/0/pct_of_function", 60);
	assert_number(json, "calls/callees/0/pct", 30);
}

static void counted_costs_have_no_half_width(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	e->report.counted = TRUE;
	json_auto_t *json = json_of(e);
	assert_true(json_is_null(at(json, "functions/0/self_half_width_pp")));
}

static void no_limit_shows_all_functions(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	e->report.rows = 0;
	e->report.order = HOTSPOTS_BY_INCLUSIVE;
	hot_groups_sort(e->groups, HOTSPOTS_BY_INCLUSIVE);
	json_auto_t *json = json_of(e);
	assert_int_equal(json_array_size(at(json, "functions")), 11);
	assert_string_equal(json_string_value(at(json, "functions/1/name")), "main");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(functions_come_with_both_costs_and_what_they_are),
	        cmocka_unit_test(hints_and_findings_have_stable_codes),
	        cmocka_unit_test(callers_and_callees_have_shares_of_the_function_and_of_all),
	        cmocka_unit_test(counted_costs_have_no_half_width),
	        cmocka_unit_test(no_limit_shows_all_functions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
