#include "report/flamesvg.h"

#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"
#include "tests/report/wellformed.h"

static char *draw(const Profile *profile, const char *benchmark)
{
	FlameGraph graph = {.profile = profile, .work = 1, .benchmark = benchmark, .title = "head 5d6e7f8"};
	gsize length;
	char *text = flame_svg(&graph, &length);
	assert_int_equal(length, strlen(text));
	return text;
}

static void the_picture_is_as_it_was(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark->head->profile, "catalog");
	assert_golden("head.svg", text);
}

static const char *const hostile_names[] = {
        "</text><script>alert(1)</script>",
        "\033[2J\x01\x02",
        "caf\xc3\xa9 \xff\xfe \xc3",
        "\" onload=\"alert(1)",
        "]]>&amp;<![CDATA[",
        "\xed\xa0\x80\xef\xbf\xbf",
        "\xe2\x80\xaeright to left",
};

static void hostile_names_stay_text(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "cpu-clock:u<", "\"ns");
	profile_add_run(profile);
	for (gsize i = 0; i < G_N_ELEMENTS(hostile_names); i++) {
		FrameId frame = stack_table_frame_named(table, hostile_names[i], hostile_names[i], FRAME_USER);
		StackId stack = stack_table_push(table, STACK_ROOT, frame);
		profile_add(profile, 0, stack, (ProfileCell){10, 10});
	}
	g_autofree char *text = draw(profile, hostile_names[0]);
	assert_true(g_utf8_validate(text, -1, NULL));
	assert_null(strchr(text, '\033'));
	WellFormed xml = wellformed_parse(text);
	assert_int_equal(wellformed_count(&xml, "script"), 1);
	assert_int_equal(wellformed_count(&xml, "style"), 1);
	assert_non_null(strstr(xml.text->str, "</text><script>alert(1)</script>"));
	wellformed_clear(&xml);
	g_autofree char *path = g_build_filename(BUILD_DIR, "hostile.svg", NULL);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

/* Cutting after escaping would cut an entity in half. */
static void a_name_of_a_megabyte_is_cut_between_characters(void **state)
{
	(void)state;
	g_autoptr(GString) name = g_string_new(NULL);
	while (name->len < 1024 * 1024)
		g_string_append(name, "<é&");
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "cpu-clock", "ns");
	profile_add_run(profile);
	StackId stack =
	        stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, name->str, name->str, FRAME_USER));
	profile_add(profile, 0, stack, (ProfileCell){1, 1});
	g_autofree char *text = draw(profile, name->str);
	assert_true(strlen(text) < 64 * 1024);
	WellFormed xml = wellformed_parse(text);
	assert_non_null(strstr(xml.text->str, "<é&<é&"));
	assert_non_null(strstr(xml.text->str, "…"));
	wellformed_clear(&xml);
}

static void everything_static_is_there_without_scripts(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark->head->profile, "catalog");
	char *script = strstr(text, "<script>");
	assert_non_null(script);
	*script = '\0';
	assert_non_null(strstr(text, ">head 5d6e7f8<"));
	assert_non_null(strstr(text, ">hash_word<"));
	assert_non_null(strstr(text, ">kernel 2.68 %<"));
	assert_null(strstr(text, "http://www.w3.org/1999/xlink"));
	assert_null(strstr(text, "href="));
	assert_non_null(strstr(text, " x=\"1.3333%\" width=\"97.3334%\""));
}

static void what_was_counted_has_no_samples(void **state)
{
	(void)state;
	static const char *const events[][3] = {
	        {"instructions", "instructions", ">448,201,334 instructions per run<"},
	        {"system-calls", "count", ">448,201,334 system-calls per run<"},
	        {"allocated-bytes", "bytes", ">448,201,334 bytes per run<"},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++) {
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Profile) profile = profile_new(table, events[i][0], events[i][1]);
		profile_add_run(profile);
		profile_add(profile, 0, sample_stack(table, "catalog", "main@catalog"),
		        (ProfileCell){448201334, 448201334});
		FlameGraph graph = {
		        .profile = profile, .work = 1, .benchmark = "catalog", .title = "head", .counted = TRUE};
		g_autofree char *text = flame_svg(&graph, NULL);
		assert_non_null(strstr(text, events[i][2]));
		assert_non_null(strstr(text, "with everything it calls, 100 % of all"));
		assert_null(strstr(text, "samples"));
	}
}

static void nothing_sampled_is_a_picture_that_says_so(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "cpu-clock", "ns");
	g_autofree char *text = draw(profile, "empty");
	assert_non_null(strstr(text, ">nothing was measured<"));
	WellFormed xml = wellformed_parse(text);
	wellformed_clear(&xml);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_picture_is_as_it_was),
	        cmocka_unit_test(hostile_names_stay_text),
	        cmocka_unit_test(a_name_of_a_megabyte_is_cut_between_characters),
	        cmocka_unit_test(everything_static_is_there_without_scripts),
	        cmocka_unit_test(what_was_counted_has_no_samples),
	        cmocka_unit_test(nothing_sampled_is_a_picture_that_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
