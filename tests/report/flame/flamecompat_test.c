/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamecompat.h"

#include "tests/profile/sharedfile.h"

#include "profile/folded/folded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/report/wellformed.h"

#define PAIR_COLUMNS                                                                                                   \
	"main;foo 1 2\nmain;gone 40 0\nmain;keep 100 100\nmain;keep;child 0 60\nmain;new 0 5\nmain;rec;rec 10 10\n"

/* A frame as the tools that are compared with write it. */
typedef struct {
	const char *tooltip, *fill;
} Known;

static char *draw(const char *columns, FlameCompatTool tool, gboolean negate)
{
	static const FoldedOptions options = {.columns = 2, .plain_root = TRUE};
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) counts = profile_new(table, "", "samples");
	profile_add_run(counts);
	profile_add_run(counts);
	assert_true(folded_read(columns, strlen(columns), "test", &options, counts, 0, NULL, NULL));
	FlameCompat compat = {
	        .counts = counts, .tool = tool, .negate = negate, .heading = "Difference", .title = "base → head"};
	return flame_compat_svg(&compat, NULL);
}

/* The text after the tooltip, up to the end of the frame; NULL if there is none. Owned by the caller. */
static char *frame_of(const char *svg, const char *tooltip)
{
	g_autofree char *title = g_strdup_printf("<title>%s</title>", tooltip);
	const char *start = strstr(svg, title);
	return start == NULL ? NULL : g_strndup(start, (gsize)(strstr(start, "</g>") - start));
}

static void assert_frame(const char *svg, const Known *known)
{
	g_autofree char *frame = frame_of(svg, known->tooltip), *fill = g_strdup_printf("fill=\"%s\"", known->fill);
	if (frame == NULL)
		fail_msg("no frame %s", known->tooltip);
	if (strstr(frame, fill) == NULL)
		fail_msg("%s is not %s: %s", known->tooltip, known->fill, frame);
}

static guint count(const char *text, const char *word)
{
	guint n = 0;
	for (; (text = strstr(text, word)) != NULL; text += strlen(word))
		n++;
	return n;
}

static void tooltips_and_colours_are_those_of_flamegraph_pl(void **state)
{
	(void)state;
	static const Known frames[] = {
	        {"all (177 samples, 100%)", "#ffffff"},
	        {"main (177 samples, 100.00%; 0.00%)", "#ffffff"},
	        {"foo (2 samples, 1.13%; +0.56%)", "#ffcece"},
	        {"keep (160 samples, 90.40%; 0.00%)", "#ffffff"},
	        {"child (60 samples, 33.90%; +33.90%)", "#ff0000"},
	        {"new (5 samples, 2.82%; +2.82%)", "#ffc0c0"},
	        {"rec (10 samples, 5.65%; 0.00%)", "#ffffff"},
	};
	g_autofree char *svg = draw(PAIR_COLUMNS, FLAME_COMPAT_FLAMEGRAPH_PL, FALSE);
	for (gsize i = 0; i < G_N_ELEMENTS(frames); i++)
		assert_frame(svg, &frames[i]);
}

static void colours_of_inferno_begin_at_another_shade(void **state)
{
	(void)state;
	static const Known frames[] = {
	        {"main (177 samples, 100.00%; 0.00%)", "#fafafa"},
	        {"foo (2 samples, 1.13%; +0.56%)", "#fff7f7"},
	        {"child (60 samples, 33.90%; +33.90%)", "#ff6464"},
	        {"new (5 samples, 2.82%; +2.82%)", "#ffeded"},
	};
	g_autofree char *svg = draw(PAIR_COLUMNS, FLAME_COMPAT_INFERNO, FALSE);
	for (gsize i = 0; i < G_N_ELEMENTS(frames); i++)
		assert_frame(svg, &frames[i]);
}

static void negating_turns_sign_and_hue_and_leaves_the_widths(void **state)
{
	(void)state;
	static const Known frames[] = {
	        {"main (177 samples, 100.00%; 0.00%)", "#ffffff"},
	        {"child (60 samples, 33.90%; -33.90%)", "#0000ff"},
	        {"new (5 samples, 2.82%; -2.82%)", "#c0c0ff"},
	};
	g_autofree char *svg = draw(PAIR_COLUMNS, FLAME_COMPAT_FLAMEGRAPH_PL, TRUE);
	for (gsize i = 0; i < G_N_ELEMENTS(frames); i++)
		assert_frame(svg, &frames[i]);
	assert_non_null(strstr(svg, ">as wide as base, "));
	assert_non_null(strstr(svg, "; new in head and not drawn: 1 stack, 40 samples<"));
}

/* difffolded.pl and its pictures leave it out without a word. */
static void what_vanished_is_not_drawn_and_said_so(void **state)
{
	(void)state;
	g_autofree char *svg = draw(PAIR_COLUMNS, FLAME_COMPAT_FLAMEGRAPH_PL, FALSE);
	assert_null(strstr(svg, "<title>gone"));
	assert_non_null(strstr(svg, "; gone in head and not drawn: 1 stack, 40 samples<"));
}

/* flamegraph.pl knows the change of the first line only: +23.53% instead. */
static void changes_of_equal_lines_add_up(void **state)
{
	(void)state;
	g_autofree char *svg = draw("a;b 1 5\na;b 2 12\n", FLAME_COMPAT_FLAMEGRAPH_PL, FALSE);
	assert_frame(svg, &(Known){"b (17 samples, 100.00%; +82.35%)", "#ff0000"});
}

/* flamegraph.pl draws b twice here. */
static void a_frame_is_drawn_once_however_its_lines_sort(void **state)
{
	(void)state;
	g_autofree char *svg = draw("a;b 5 10\na;b(int) 10 10\na;b;c 10 10\n", FLAME_COMPAT_FLAMEGRAPH_PL, FALSE);
	assert_int_equal(count(svg, "<title>b ("), 1);
	assert_frame(svg, &(Known){"b (20 samples, 66.67%; +16.67%)", "#ff0000"});
}

static void each_frame_has_its_place_in_samples(void **state)
{
	(void)state;
	g_autofree char *svg = draw(PAIR_COLUMNS, FLAME_COMPAT_INFERNO, FALSE);
	static const char *const places[][2] = {
	        {"foo (2 samples, 1.13%; +0.56%)", "fg:x=\"0\" fg:w=\"2\""},
	        {"keep (160 samples, 90.40%; 0.00%)", "fg:x=\"2\" fg:w=\"160\""},
	        {"child (60 samples, 33.90%; +33.90%)", "fg:x=\"102\" fg:w=\"60\""},
	};
	assert_non_null(strstr(svg, " xmlns:fg=\"http://github.com/jonhoo/inferno\" total_samples=\"177\""));
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *frame = frame_of(svg, places[i][0]);
		if (frame == NULL || strstr(frame, places[i][1]) == NULL)
			fail_msg("%s is not at %s", places[i][0], places[i][1]);
	}
}

static void hostile_names_stay_text(void **state)
{
	(void)state;
	g_autofree char *svg =
	        draw("a;</title><script>x</script> 1 2\na;\"&]]> 2 1\na;\xff 1 1\n", FLAME_COMPAT_INFERNO, FALSE);
	WellFormed xml = wellformed_parse(svg);
	assert_int_equal(wellformed_count(&xml, "script"), 1);
	wellformed_clear(&xml);
}

static void a_known_picture_is_reproduced(void **state)
{
	(void)state;
	static const Known frames[] = {
	        {"all (513 samples, 100%)", "#fafafa"},
	        {"main (415 samples, 80.90%; +27.49%)", "#ff6464"},
	        {"cksum (56 samples, 10.92%; +4.87%)", "#ffdfdf"},
	        {"cksum (5 samples, 0.97%; -0.78%)", "#f5f5ff"},
	        {"noploop (417 samples, 81.29%; 0.00%)", "#fafafa"},
	};
	static const Known negated[] = {
	        {"all (513 samples, 100%)", "#fafafa"},
	        {"main (415 samples, 80.90%; -27.49%)", "#6464ff"},
	        {"cksum (56 samples, 10.92%; -4.87%)", "#dfdfff"},
	        {"cksum (5 samples, 0.97%; +0.78%)", "#fff5f5"},
	};
	g_autofree char *columns =
	        shared_text("jonhoo-inferno/differential/", "perf-cycles-instructions-01-collapsed-all-diff.txt");
	g_autofree char *svg = draw(columns, FLAME_COMPAT_INFERNO, FALSE);
	g_autofree char *turned = draw(columns, FLAME_COMPAT_INFERNO, TRUE);
	for (gsize i = 0; i < G_N_ELEMENTS(frames); i++)
		assert_frame(svg, &frames[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(negated); i++)
		assert_frame(turned, &negated[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(tooltips_and_colours_are_those_of_flamegraph_pl),
	        cmocka_unit_test(colours_of_inferno_begin_at_another_shade),
	        cmocka_unit_test(negating_turns_sign_and_hue_and_leaves_the_widths),
	        cmocka_unit_test(what_vanished_is_not_drawn_and_said_so),
	        cmocka_unit_test(changes_of_equal_lines_add_up),
	        cmocka_unit_test(a_frame_is_drawn_once_however_its_lines_sort),
	        cmocka_unit_test(each_frame_has_its_place_in_samples),
	        cmocka_unit_test(hostile_names_stay_text),
	        cmocka_unit_test(a_known_picture_is_reproduced),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
