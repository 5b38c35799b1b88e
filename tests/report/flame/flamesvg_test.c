/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamesvg.h"

#include "profile/folded/folded.h"
#include "report/flame/flamescript.h"
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
		assert_non_null(strstr(text, ">main (448,201,334"));
		*strstr(text, "<script>") = '\0';
		assert_null(strstr(text, "samples"));
	}
}

/* A picture of folded text. */
static char *draw_folded(const char *folded, const FlameOptions *options)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "counts");
	profile_add_run(profile);
	assert_true(folded_read(folded, strlen(folded), "text", NULL, profile, 0, NULL, NULL));
	FlameGraph graph = {
	        .profile = profile, .benchmark = "picture", .title = "head", .counted = TRUE, .options = options};
	return flame_svg(&graph, NULL);
}

static guint count_of(const char *text, const char *part)
{
	guint n = 0;
	for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
		n++;
	return n;
}

static void assert_draws_once(const char *svg, const char *tooltip)
{
	g_autofree char *title = g_strdup_printf("<title>%s", tooltip);
	if (count_of(svg, title) != 1)
		fail_msg("%u times %s", count_of(svg, title), title);
}

/* Pictures made from sorted text draw `b` twice, because `b(int)` sorts in between; blanks in names likewise. */
static void frames_are_drawn_once_and_say_their_share(void **state)
{
	(void)state;
	g_autofree char *svg = draw_folded("a;b 10\na;b(int) 10\na;b;c 10\n", NULL);
	assert_draws_once(svg, "all (30 samples, 100%)");
	assert_draws_once(svg, "a (30 samples, 100.00%)");
	assert_draws_once(svg, "b (20 samples, 66.67%)");
	assert_draws_once(svg, "b(int) (10 samples, 33.33%)");
	g_autofree char *blanks = draw_folded("a;b 10\na;b c 10\na;b;c 10\n", NULL);
	assert_draws_once(blanks, "b (20 samples, 66.67%)");
	assert_draws_once(blanks, "b c (10 samples, 33.33%)");
}

static void a_number_at_the_end_of_a_name_is_no_count(void **state)
{
	(void)state;
	g_autofree char *svg = draw_folded("a;op 3 10\na;name with 42 5\n", NULL);
	assert_draws_once(svg, "op 3 (10 samples, 66.67%)");
	assert_draws_once(svg, "name with 42 (5 samples, 33.33%)");
}

static void equal_lines_add_up(void **state)
{
	(void)state;
	g_autofree char *svg = draw_folded("a;b 5\na;c 3\na;b 12\n", NULL);
	assert_draws_once(svg, "b (17 samples, 85.00%)");
}

/* Other tools draw nothing, or cut fractions off line by line. */
static void fractions_are_kept_until_they_are_summed(void **state)
{
	(void)state;
	g_autofree char *svg = draw_folded("a;b 0.5\na;c 0.25\na;b 0.5\na;c 2.75\n", NULL);
	assert_draws_once(svg, "b (1 samples, 25.00%)");
	assert_draws_once(svg, "c (3 samples, 75.00%)");
}

/* A `;` in a name, as of the Rust type [u8; 8], is no longer one when a stack is written. */
static void a_semicolon_in_a_name_does_not_split_it(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "counts");
	FrameId frame = stack_table_frame_named(table, "<[u8; 8]>::fill", NULL, FRAME_USER);
	profile_add_run(profile);
	profile_add(profile, 0, stack_table_push(table, STACK_ROOT, frame), (ProfileCell){4, 4});
	g_autofree char *folded = folded_write(profile, 0, FOLDED_WEIGHT);
	assert_string_equal(folded, "<[u8: 8]>::fill 4\n");
	g_autofree char *svg = draw_folded(folded, NULL);
	assert_draws_once(svg, "&lt;[u8: 8]&gt;::fill (4 samples, 100.00%)");
}

static void notes_of_kinds_are_no_part_of_names(void **state)
{
	(void)state;
	g_autofree char *svg = draw_folded("a;read_[k] 1\na;copy_[i] 1\na;run_[j] 1\na;wake_[w] 1\na;[heap] 1\n", NULL);
	assert_draws_once(svg, "read (1 samples, 20.00%)&#10;kernel");
	assert_draws_once(svg, "copy (1 samples, 20.00%)&#10;inlined");
	assert_draws_once(svg, "run (1 samples, 20.00%)&#10;generated code");
	assert_draws_once(svg, "wake (1 samples, 20.00%)");
	assert_draws_once(svg, "[heap] (1 samples, 20.00%)");
	assert_null(strstr(svg, "[k]"));
}

static void icicles_have_the_bottom_above(void **state)
{
	(void)state;
	const FlameOptions inverted = {.style = {.inverted = TRUE}};
	g_autofree char *flames = draw_folded("a;b 1\n", NULL), *icicles = draw_folded("a;b 1\n", &inverted);
	assert_non_null(strstr(flames, "<title>all (1 samples, 100%)</title><svg x=\"0%\" y=\"36\""));
	assert_non_null(strstr(icicles, "<title>all (1 samples, 100%)</title><svg x=\"0%\" y=\"0\""));
	assert_non_null(strstr(icicles, "data-up=\"0\""));
}

static void options_show_in_the_picture(void **state)
{
	(void)state;
	const FlameOptions options = {
	        .style = {.width_px = 800,
	                .frame_height = 24,
	                .font_size = 14,
	                .font = "Comic \"Sans\"",
	                .background = {"#eeeeee", "#eeeeb0"},
	                .name_type = "Method:",
	                .notes = "made <here>"},
	        .factor = 2,
	        .total = 100,
	        .count_name = "calls & jumps",
	};
	g_autofree char *svg = draw_folded("a;b 10\n", &options);
	WellFormed xml = wellformed_parse(svg);
	wellformed_clear(&xml);
	assert_draws_once(svg, "all (100 calls &amp; jumps, 100%)");
	assert_draws_once(svg, "b (20 calls &amp; jumps, 20.00%)");
	static const char *const parts[] = {" width=\"800\"", "height=\"23\"", "font-size=\"14\"",
	        "font-family=\"Comic &quot;Sans&quot;\"", "stop-color=\"#eeeeb0\"", "data-before=\"Method:\"",
	        "<desc>made &lt;here&gt;</desc>", "class=\"flame\""};
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		if (strstr(svg, parts[i]) == NULL)
			fail_msg("%s is not in the picture", parts[i]);
}

static void narrow_frames_are_left_out_and_said_to_be(void **state)
{
	(void)state;
	const FlameOptions tenth = {.min_share = .1}, none = {.min_share = -1};
	const char *folded = "a;wide 9999\na;thin 1\n";
	g_autofree char *usual = draw_folded(folded, NULL), *coarse = draw_folded("a;b 95\na;c 5\n", &tenth);
	g_autofree char *all = draw_folded(folded, &none);
	assert_non_null(strstr(usual, ">1 frame is too narrow to be drawn (0.01 % of the cost)<"));
	assert_non_null(strstr(coarse, ">1 frame is too narrow to be drawn (5 % of the cost)<"));
	assert_non_null(strstr(all, ">every frame is drawn<"));
}

static void what_is_too_deep_is_said_to_be(void **state)
{
	(void)state;
	g_autoptr(GString) deep = g_string_new("bottom");
	for (guint i = 0; i < 600; i++)
		g_string_append_printf(deep, ";f%u", i);
	g_string_append(deep, " 9999\n");
	g_autofree char *svg = draw_folded(deep->str, NULL);
	g_string_append(deep, "bottom;thin 1\n");
	g_autofree char *both = draw_folded(deep->str, NULL);
	assert_non_null(strstr(svg, "<title>… 89 frames ("));
	assert_non_null(strstr(svg, ">stacks of more than 512 frames end in one that stands for the rest<"));
	assert_non_null(strstr(both, ">1 frame is too narrow to be drawn (0.01 % of the cost)  ·  stacks of more than "
	                             "512 frames end in one that stands for the rest<"));
}

static void the_same_stacks_in_another_order_are_the_same_bytes(void **state)
{
	(void)state;
	g_autofree char *one = draw_folded("a;b;c 3\na;d 4\na;b 1\n", NULL);
	g_autofree char *other = draw_folded("a;d 4\na;b 1\na;b;c 3\n", NULL);
	assert_string_equal(one, other);
}

/* Most functions of a large profile are too narrow to be drawn. */
static void the_legend_is_about_all_functions(void **state)
{
	(void)state;
	const FlameOptions coarse = {.min_share = .5, .colors = FLAME_COLORS_KIND};
	g_autofree char *svg = draw_folded("a;b 30\na;c 30\na;k_[k] 40\n", &coarse);
	assert_non_null(strstr(svg, ">user code 60 %<"));
	assert_non_null(strstr(svg, ">kernel 40 %<"));
	g_autofree char *plain = draw_folded("a;b 30\n", NULL);
	assert_null(strstr(plain, "no module"));
}

/* Several pictures may stand in one page. */
static void the_style_is_about_flame_graphs_only(void **state)
{
	(void)state;
	g_auto(GStrv) lines = g_strsplit(flame_style, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++) {
		const char *line = g_strstrip(lines[i]);
		if (*line != '@' && (g_str_has_suffix(line, "{") || g_str_has_suffix(line, ",")))
			assert_true(g_str_has_prefix(line, ".flame"));
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
	        cmocka_unit_test(frames_are_drawn_once_and_say_their_share),
	        cmocka_unit_test(a_number_at_the_end_of_a_name_is_no_count),
	        cmocka_unit_test(equal_lines_add_up),
	        cmocka_unit_test(fractions_are_kept_until_they_are_summed),
	        cmocka_unit_test(a_semicolon_in_a_name_does_not_split_it),
	        cmocka_unit_test(notes_of_kinds_are_no_part_of_names),
	        cmocka_unit_test(icicles_have_the_bottom_above),
	        cmocka_unit_test(options_show_in_the_picture),
	        cmocka_unit_test(narrow_frames_are_left_out_and_said_to_be),
	        cmocka_unit_test(what_is_too_deep_is_said_to_be),
	        cmocka_unit_test(the_same_stacks_in_another_order_are_the_same_bytes),
	        cmocka_unit_test(the_legend_is_about_all_functions),
	        cmocka_unit_test(the_style_is_about_flame_graphs_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
