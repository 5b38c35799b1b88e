/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/toptext.h"

#include "tests/report/topexample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/report/golden.h"

#include "report/words/wording.h"

static char *text_of(const TopExample *e, guint width)
{
	return top_text(&e->report, &(TopTextOptions){.width = width});
}

static void the_table_is_the_expected_one(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	g_autofree char *text = text_of(e, 0);
	assert_golden("top.txt", text);
}

static void a_function_comes_with_callers_and_callees(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	top_example_choose(e, "parse");
	g_autofree char *text = text_of(e, 0);
	assert_golden("top-calls.txt", text);
}

static void lines_fit_the_terminal(void **state)
{
	static const guint widths[] = {40, 60, 80, 100, 200};
	(void)state;
	for (guint choose = 0; choose < 2; choose++)
		for (guint w = 0; w < G_N_ELEMENTS(widths); w++) {
			g_autoptr(TopExample) e = top_example_new();
			if (choose)
				top_example_choose(e, "push_back");
			g_autofree char *text = text_of(e, widths[w]);
			g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
			for (guint i = 0; lines[i] != NULL; i++)
				if (wording_columns(lines[i]) > widths[w])
					fail_msg("wider than %u: %s", widths[w], lines[i]);
		}
}

static void the_function_is_named_on_a_narrow_terminal(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	g_autofree char *text = text_of(e, 40);
	assert_non_null(strstr(text, "read_word"));
	assert_null(strstr(text, "samples  "));
}

static void hostile_names_stay_text(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	g_autofree char *text = text_of(e, 0);
	assert_null(strchr(text, '\033'));
	assert_non_null(strstr(text, "\\x1b[31mpush_back\\n"));
}

static void colour_says_nothing_that_words_do_not(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	g_autofree char *plain = text_of(e, 0), *coloured = top_text(&e->report, &(TopTextOptions){.colour = TRUE});
	g_autoptr(GRegex) styles = g_regex_new("\033\\[[0-9;]*m", 0, 0, NULL);
	g_autofree char *stripped = g_regex_replace_literal(styles, coloured, -1, 0, "", 0, NULL);
	assert_string_not_equal(coloured, plain);
	assert_string_equal(stripped, plain);
}

static void quiet_leaves_the_remarks_out(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	g_autofree char *text = top_text(&e->report, &(TopTextOptions){.quiet = TRUE});
	assert_null(strstr(text, "hint: "));
	assert_null(strstr(text, "warning: "));
	assert_non_null(strstr(text, "score"));
}

static void counted_costs_have_no_error_of_sampling(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	e->report.counted = TRUE;
	g_autofree char *text = text_of(e, 0);
	assert_null(strstr(text, "±"));
	assert_non_null(strstr(text, "1.00 s of cpu-clock:u, 1.00 % without a name\n"));
}

/* Costs that differ from sample to sample have an error that their number does not say. */
static void uneven_costs_have_no_error_either(void **state)
{
	(void)state;
	g_autoptr(TopExample) e = top_example_new();
	e->report.uneven = TRUE;
	g_autofree char *text = text_of(e, 0);
	assert_null(strstr(text, "±"));
	assert_non_null(strstr(text, "1.00 s of cpu-clock:u in 1,000 samples"));
}

static void a_name_is_cut_in_the_middle_unless_wide(void **state)
{
	static const char *const files[] = {"one", NULL};
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "samples");
	g_autoptr(FindingList) findings = finding_list_new();
	g_autofree char *filling = g_strnfill(400, 'x'), *name = g_strconcat("Box<", filling, ">::push", NULL);
	profile_add_run(profile);
	FrameId frame = stack_table_frame_named(table, name, NULL, FRAME_USER);
	profile_add(profile, 0, stack_table_push(table, STACK_ROOT, frame), (ProfileCell){1, 1});
	g_autoptr(Hotspots) hotspots = hotspots_new(profile);
	g_autoptr(HotPatterns) patterns = hot_patterns_new(profile, TRUE);
	HotGrouping grouping;
	hot_grouping_init(&grouping);
	g_autoptr(HotGroups) groups = hot_groups_new(profile, &grouping);
	const TopReport top = {.profile = profile,
	        .files = files,
	        .hotspots = hotspots,
	        .groups = groups,
	        .patterns = patterns,
	        .findings = findings};
	g_autofree char *cut = top_text(&top, &(TopTextOptions){0}),
	                *whole = top_text(&top, &(TopTextOptions){.wide = 1});
	assert_null(strstr(cut, name));
	assert_non_null(strstr(cut, "Box<xxx"));
	assert_non_null(strstr(cut, "xxx>::push"));
	assert_non_null(strstr(whole, name));
	g_auto(GStrv) lines = g_strsplit(cut, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++)
		assert_true(wording_columns(lines[i]) < 160);
	hot_grouping_clear(&grouping);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_table_is_the_expected_one),
	        cmocka_unit_test(a_function_comes_with_callers_and_callees),
	        cmocka_unit_test(lines_fit_the_terminal),
	        cmocka_unit_test(the_function_is_named_on_a_narrow_terminal),
	        cmocka_unit_test(hostile_names_stay_text),
	        cmocka_unit_test(colour_says_nothing_that_words_do_not),
	        cmocka_unit_test(quiet_leaves_the_remarks_out),
	        cmocka_unit_test(counted_costs_have_no_error_of_sampling),
	        cmocka_unit_test(uneven_costs_have_no_error_either),
	        cmocka_unit_test(a_name_is_cut_in_the_middle_unless_wide),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
