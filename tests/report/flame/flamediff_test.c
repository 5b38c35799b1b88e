/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamediff.h"

#include "compare/policy.h"
#include "compare/timed/verdict.h"
#include "report/flame/flamecolor.h"
#include "report/flame/flamediffdata.h"
#include "tests/report/countedsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/flameprofiles.h"
#include "tests/report/golden.h"
#include "tests/report/wellformed.h"

static char *draw(const ResultBenchmark *benchmark, const BenchmarkComparison *comparison)
{
	FlameDiff diff = {
	        .base = benchmark->base->profile,
	        .head = benchmark->head->profile,
	        .base_work = 1,
	        .head_work = 1,
	        .comparison = comparison,
	        .benchmark = "catalog",
	        .title = "base 1a2b3c4 → head 5d6e7f8",
	};
	return flame_diff_svg(&diff, NULL);
}

/* The element of a frame, from its group to the end of it. Owned by the caller. */
static char *frame_of(const char *svg, const char *name)
{
	g_autofree char *start = g_strdup_printf("<title>%s&#10;", name);
	const char *title = strstr(svg, start);
	if (title == NULL)
		fail_msg("no frame %s", name);
	const char *group = g_strrstr_len(svg, title - svg, "<g class=\"f\"");
	return g_strndup(group, (gsize)(strstr(title, "</g>") - group));
}

/* Its fill; 0 grey, 1 orange, -1 blue. */
static int hue_of(const char *svg, const char *name)
{
	g_autofree char *frame = frame_of(svg, name);
	const char *fill = strstr(frame, "fill=\"#") + strlen("fill=\"#");
	guint red, green, blue;
	assert_int_equal(sscanf(fill, "%2x%2x%2x", &red, &green, &blue), 3);
	int difference = (int)red - (int)blue;
	return difference > 15 ? 1 : difference < -15 ? -1 : 0;
}

static void the_picture_is_as_it_was(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	assert_golden("diff.svg", text);
}

static void colour_follows_the_tests(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	assert_int_equal(hue_of(text, "hash_word"), 1);
	assert_int_equal(hue_of(text, "count_words"), 1);
	assert_int_equal(hue_of(text, "main"), 1);
	assert_int_equal(hue_of(text, "render_rows"), -1);
	assert_int_equal(hue_of(text, "sort_rows"), 0);
	assert_int_equal(hue_of(text, "compare_rows"), 0);
}

static void without_a_test_all_frames_are_grey(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, NULL);
	assert_int_equal(hue_of(text, "hash_word"), 0);
	assert_int_equal(hue_of(text, "main"), 0);
	assert_int_equal(hue_of(text, "render_rows"), 0);
}

/* The whole rose by noise in untested code, while the only significant function fell: neither colour would be true. */
static void a_frame_is_grey_when_its_change_contradicts_the_tests(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	for (guint i = 0; i < benchmark->comparison->functions->len; i++) {
		FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, i);
		if (function->contribution > 0)
			function->p_adjusted = 1;
	}
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	assert_int_equal(hue_of(text, "main"), 0);
	assert_int_equal(hue_of(text, "hash_word"), 0);
	assert_int_equal(hue_of(text, "render_rows"), -1);
}

static void vanished_frames_are_hatched_and_new_ones_outlined(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	g_autofree char *gone = frame_of(text, "print_page"), *fresh = frame_of(text, "hash_mix");
	g_autofree char *kept = frame_of(text, "hash_word");
	assert_non_null(strstr(gone, "url(#gone)"));
	assert_non_null(strstr(gone, "ms: gone, -"));
	assert_non_null(strstr(fresh, "stroke=\"#1f2328\""));
	assert_null(strstr(kept, "url(#gone)"));
	assert_null(strstr(kept, "stroke=\"#1f2328\""));
}

static void a_tooltip_tells_costs_changes_samples_and_the_test(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	g_autofree char *frame = frame_of(text, "render_rows");
	static const char *const parts[] = {"catalog · catalog.c:21",
	        "base 101 ms ± 589 µs → head 72.6 ms ± 687 µs (± is 95 %) per run (cpu-clock:u)", "change -28.8 ms",
	        "of this frame", "pp of the base total&#10;share of base", "samples 1,6",
	        "function test: significant, improvement", "] of the measured base total, adjusted p "};
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		if (strstr(frame, parts[i]) == NULL)
			fail_msg("'%s' is not in %s", parts[i], frame);
	g_autofree char *steady = frame_of(text, "compare_rows");
	assert_non_null(strstr(steady, "function test: not significant, detectable from 6.2 %"));
}

/* Cost that was measured but not sampled is part of the total, in the table as in the picture. */
static void a_function_has_the_same_points_in_the_picture_as_in_the_table(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	for (guint i = 0; i < benchmark->comparison->functions->len; i++) {
		FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, i);
		function->contribution *= .9;
	}
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	g_autofree char *frame = frame_of(text, "hash_word");
	assert_non_null(strstr(frame, "itself +15.9 pp"));
	assert_non_null(strstr(frame, "  +15.9 pp"));
	assert_null(strstr(text, "17.7 pp"));
	assert_null(strstr(text, "at its name"));
}

/* The frame grew by 60 %, whatever share of the total that is. */
static void a_relative_change_is_that_of_the_frame_itself(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) base = profile_new(table, "samples", "samples"),
	                   head = profile_new(table, "samples", "samples");
	profile_add_run(base);
	profile_add_run(head);
	profile_add(base, 0, sample_stack(table, NULL, "main;keep"), (ProfileCell){100, 100});
	profile_add(head, 0, sample_stack(table, NULL, "main;keep"), (ProfileCell){100, 100});
	profile_add(head, 0, sample_stack(table, NULL, "main;keep;child"), (ProfileCell){60, 60});
	profile_add(base, 0, sample_stack(table, NULL, "main;rest"), (ProfileCell){300, 300});
	profile_add(head, 0, sample_stack(table, NULL, "main;rest"), (ProfileCell){300, 300});
	FlameDiff diff = {.base = base, .head = head, .benchmark = "b", .title = "t"};
	g_autofree char *text = flame_diff_svg(&diff, NULL);
	g_autofree char *frame = frame_of(text, "keep");
	assert_non_null(strstr(frame, "+60.0 % of this frame, +15.0 pp of the base total"));
	g_autofree char *child = frame_of(text, "child");
	assert_non_null(strstr(child, "+60 samples: new, +15.0 pp of the base total"));
}

static void title_verdict_legend_and_table_are_in_the_picture(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	static const char *const parts[] = {">base 1a2b3c4 → head 5d6e7f8<", ">Regression<", ">catalog<",
	        ">catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19<", ">removed here<",
	        ">added here<", ">no significant change<", ">▲ hash_word<", ">improvement<"};
	*strstr(text, "<script>") = '\0';
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		if (strstr(text, parts[i]) == NULL)
			fail_msg("'%s' is missing", parts[i]);
}

static void what_widths_and_colours_mean_is_said_in_words(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	assert_non_null(strstr(text, ">Widths are cpu-clock:u per run: base "));
	assert_non_null(strstr(text, ">Orange costs more in head, blue costs less, the stronger the more; grey: "));
	assert_null(strstr(text, "Why a regression"));
}

/* The sides are swapped, so that the picture falls while the verdict stays. */
static void a_badge_of_a_regression_on_a_picture_that_falls_is_explained(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FlameDiff diff = {
	        .base = benchmark->head->profile,
	        .head = benchmark->base->profile,
	        .comparison = benchmark->comparison,
	        .benchmark = "catalog",
	        .title = "t",
	};
	g_autofree char *text = flame_diff_svg(&diff, NULL);
	assert_non_null(strstr(text, ">Why a regression: task-clock failed, which is not what this picture shows<"));
}

static void a_side_without_cost_is_drawn(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FlameDiff no_head = {.base = benchmark->base->profile, .benchmark = "b", .title = "t"};
	FlameDiff no_base = {.head = benchmark->head->profile, .benchmark = "b", .title = "t"};
	g_autofree char *gone = flame_diff_svg(&no_head, NULL), *fresh = flame_diff_svg(&no_base, NULL);
	g_autofree char *gone_main = frame_of(gone, "main"), *fresh_main = frame_of(fresh, "main");
	assert_non_null(strstr(gone_main, "url(#gone)"));
	assert_non_null(strstr(fresh_main, "stroke=\"#1f2328\""));
	assert_non_null(strstr(fresh_main, "n/a of the base total"));
	WellFormed xml = wellformed_parse(fresh);
	wellformed_clear(&xml);
}

/* Whatever else became of it: a renamed function may be slower, too. */
static void both_names_of_a_renamed_function_say_the_other(void **state)
{
	(void)state;
	static const FunctionClass classes[] = {FUNCTION_RENAMED, FUNCTION_REGRESSION};
	for (gsize i = 0; i < G_N_ELEMENTS(classes); i++) {
		g_autoptr(CheckResult) result = sample_result();
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
		FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, 1);
		function->klass = classes[i];
		StackTable *table = benchmark->base->profile->table;
		StackId gone = sample_stack(table, "catalog", "_start@catalog;mix@catalog");
		profile_add(benchmark->base->profile, 0, gone, (ProfileCell){90, 90 * SAMPLE_PERIOD_NS});
		function->renamed_from = stack_table_leaf(table, gone);
		g_autofree char *text = draw(benchmark, benchmark->comparison);
		g_autofree char *to = frame_of(text, "hash_mix"), *from = frame_of(text, "mix");
		assert_non_null(strstr(to, "&#10;renamed from mix"));
		assert_non_null(strstr(from, "&#10;renamed to hash_mix"));
		assert_null(strstr(from, "renamed from"));
		assert_non_null(strstr(text, "hash_mix (was mix)<"));
	}
}

/* Frames have the place of the side that was read first; also those of functions without a cost of their own. */
static void frames_stand_where_head_has_them(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	BenchmarkComparison *comparison = benchmark->comparison;
	StackTable *table = benchmark->head->profile->table;
	FunctionPlace moved = {.file = stack_table_name(table, "src/moved.c", -1), .line = 40};
	comparison->head_places = g_array_new(FALSE, TRUE, sizeof(FunctionPlace));
	g_array_set_size(comparison->head_places, stack_table_n_frames(table));
	g_array_index(comparison->head_places, FunctionPlace, sample_frame(table, "hash_word").index) = moved;
	g_array_index(comparison->head_places, FunctionPlace, sample_frame(table, "main").index) = moved;
	g_autofree char *text = draw(benchmark, comparison);
	g_autofree char *function = frame_of(text, "hash_word"), *caller = frame_of(text, "main");
	g_autofree char *still = frame_of(text, "count_words");
	assert_non_null(strstr(function, "hash_word&#10;catalog · moved.c:40&#10;"));
	assert_non_null(strstr(caller, "main&#10;catalog · moved.c:40&#10;"));
	assert_null(strstr(still, "moved.c"));
}

static void long_names_of_a_renamed_function_share_a_cell(void **state)
{
	(void)state;
	static const char *const cells[][2] = {
	        {"the_name_of_a_function_that_is_too_long_for_a_cell", "hash_mix (was the_name_…or_a_cell)<"},
	        {"x", "hash_mix (was x)<"},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cells); i++) {
		g_autoptr(CheckResult) result = sample_result();
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
		FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, 1);
		function->renamed_from =
		        stack_table_frame_named(benchmark->head->profile->table, cells[i][0], "catalog", FRAME_USER);
		g_autofree char *text = draw(benchmark, benchmark->comparison);
		if (strstr(text, cells[i][1]) == NULL)
			fail_msg("'%s' is missing; there is %.60s", cells[i][1], strstr(text, "hash_mix (was"));
	}
}

static char *draw_counted(const ResultBenchmark *benchmark)
{
	FlameDiff diff = {
	        .base = benchmark->base->profile,
	        .head = benchmark->head->profile,
	        .base_work = 1,
	        .head_work = 1,
	        .comparison = benchmark->comparison,
	        .counted = TRUE,
	        .benchmark = "catalog",
	        .title = "base 1a2b3c4 → head 5d6e7f8, instructions",
	};
	return flame_diff_svg(&diff, NULL);
}

static void the_picture_of_counts_is_as_it_was(void **state)
{
	(void)state;
	static const CountedSample noisy = {2, 885618, 1234};
	g_autoptr(CheckResult) result = counted_result(&noisy);
	g_autofree char *text = draw_counted(g_ptr_array_index(result->benchmarks, 0));
	assert_golden("counted-diff.svg", text);
}

static void what_decides_nothing_has_no_verdict(void **state)
{
	(void)state;
	static const CountedSample little = {1, 73802, 0};
	g_autoptr(CheckResult) result = counted_result(&little);
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FlameDiff diff = {.base = benchmark->base->profile,
	        .head = benchmark->head->profile,
	        .comparison = benchmark->comparison,
	        .counted = TRUE,
	        .shown_only = TRUE,
	        .benchmark = "catalog",
	        .title = "t"};
	g_autofree char *text = flame_diff_svg(&diff, NULL);
	assert_non_null(strstr(text, ">base 73,801,492 instructions → head 73,875,294 instructions per run, +0.10 %; "
	                             "decides nothing<"));
	assert_null(strstr(text, ">Pass<"));
	assert_null(strstr(text, "unchanged (73.8 M)"));
}

static void small_changes_of_counts_have_colour_and_all_digits(void **state)
{
	(void)state;
	static const CountedSample little = {1, 73802, 0}; /* .1 % of the total */
	g_autoptr(CheckResult) result = counted_result(&little);
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	((FunctionComparison *)benchmark->comparison->functions->pdata[0])->klass = FUNCTION_REGRESSION;
	g_autofree char *text = draw_counted(benchmark);
	g_autofree char *frame = frame_of(text, "hash_word");
	assert_int_equal(hue_of(text, "hash_word"), 1);
	assert_int_equal(hue_of(text, "read_clock"), 0);
	static const char *const parts[] = {"base 12,000,052 instructions → head 12,073,854 instructions per run&#10;",
	        "change +73,802 instructions: +0.62 % of this frame, +0.10 pp of the base total&#10;share of base",
	        "function: slower, itself +0.10 pp", " of the counted base total"};
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		if (strstr(frame, parts[i]) == NULL)
			fail_msg("'%s' is not in %s", parts[i], frame);
}

static void counts_have_neither_samples_nor_tests(void **state)
{
	(void)state;
	static const CountedSample noisy = {2, 885618, 1234};
	static const char *const words[] = {"sample", "test", "95 %", "significant", "adjusted", "detectable"};
	g_autoptr(CheckResult) result = counted_result(&noisy);
	g_autofree char *text = draw_counted(g_ptr_array_index(result->benchmarks, 0));
	g_autofree char *clock = frame_of(text, "read_clock");
	assert_non_null(
	        strstr(clock, "itself 0 pp [-0.0017, +0.0017] of the counted base total, not the same in all runs"));
	*strstr(text, "<script>") = '\0';
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(text, words[i]) != NULL)
			fail_msg("'%s' is in the picture", words[i]);
}

static void hostile_names_and_sentences_stay_text(void **state)
{
	(void)state;
	static const char hostile[] = "</text><script>x</script>\033\xff";
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	StackTable *table = benchmark->base->profile->table;
	StackId stack =
	        stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, hostile, hostile, FRAME_USER));
	profile_add(benchmark->base->profile, 0, stack, (ProfileCell){999, 999 * (guint64)SAMPLE_PERIOD_NS});
	g_free(benchmark->comparison->sentence);
	benchmark->comparison->sentence = g_strdup(hostile);
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	assert_null(strchr(text, '\033'));
	assert_true(g_utf8_validate(text, -1, NULL));
	WellFormed xml = wellformed_parse(text);
	assert_int_equal(wellformed_count(&xml, "script"), 2); /* that of the views, that of all flame graphs */
	wellformed_clear(&xml);
}

static char *draw_pair(const ProfilePair *pair)
{
	FlameDiff diff = {.base = pair->base,
	        .head = pair->head,
	        .untested = TRUE,
	        .shown_only = TRUE,
	        .benchmark = "b",
	        .title = "t"};
	return flame_diff_svg(&diff, NULL);
}

static void assert_in_frame(const char *svg, const char *name, const char *part)
{
	g_autofree char *frame = frame_of(svg, name);
	if (strstr(frame, part) == NULL)
		fail_msg("'%s' is not in %s", part, frame);
}

/* Other tools leave out or colour white what vanished, and parents whose children grew. */
static void every_change_of_a_pair_is_seen(void **state)
{
	(void)state;
	ProfilePair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	g_autofree char *text = draw_pair(&pair);
	assert_in_frame(text, "gone", "url(#gone)");
	assert_in_frame(text, "gone", "change -40 counts: gone, -26.5 pp of the base total");
	assert_in_frame(text, "new", "stroke=\"#1f2328\"");
	assert_in_frame(text, "keep", "+60.0 % of this frame, +39.7 pp of the base total");
	assert_in_frame(text, "foo", "+100.0 % of this frame, +0.66 pp of the base total");
	assert_int_equal(hue_of(text, "gone"), -1);
	assert_int_equal(hue_of(text, "keep"), 1);
	assert_int_equal(hue_of(text, "foo"), 1);
	assert_int_equal(hue_of(text, "main"), 1);
	assert_int_equal(hue_of(text, "rec"), 0);
	pair_clear(&pair);
}

static void what_was_not_tested_says_so(void **state)
{
	(void)state;
	ProfilePair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	g_autofree char *text = draw_pair(&pair);
	assert_in_frame(text, "keep", "not tested: too few runs to tell a change from chance");
	assert_non_null(strstr(text, ">pale: changes that were not tested<"));
	assert_non_null(strstr(text, "per run, +17.2 %; too few runs to test it<"));
	assert_null(strstr(text, "function test"));
	pair_clear(&pair);
}

/* Sorted text puts "b(int)" between "b" and its child, and so draws "b" twice. */
static void names_that_extend_another_do_not_split_a_frame(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("a;b 10\na;b(int) 10\na;b;c 10\n", "a;b 10\na;b(int) 10\na;b;c 10\n");
	g_autofree char *text = draw_pair(&pair);
	const char *first = strstr(text, "<title>b&#10;");
	assert_non_null(first);
	assert_null(strstr(first + 1, "<title>b&#10;"));
	assert_in_frame(text, "b", "base 20 counts → head 20 counts per run&#10;");
	pair_clear(&pair);
}

static void both_sides_can_be_rebuilt_from_the_picture(void **state)
{
	(void)state;
	ProfilePair pair = pair_random(5);
	g_autofree char *text = draw_pair(&pair);
	FlameDiffData data;
	assert_true(flame_diff_data_read(text, strlen(text), "test", &data, NULL));
	g_autofree char *wanted = folded_write_diff(pair.base, pair.head, FOLDED_WEIGHT);
	g_autofree char *got = folded_write_diff(data.base, data.head, FOLDED_WEIGHT);
	assert_string_equal(got, wanted);
	flame_diff_data_clear(&data);
	pair_clear(&pair);
}

static void a_picture_without_data_has_none(void **state)
{
	(void)state;
	ProfilePair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	FlameDiff diff = {.base = pair.base, .head = pair.head, .without_data = TRUE, .benchmark = "b", .title = "t"};
	g_autofree char *text = flame_diff_svg(&diff, NULL);
	assert_null(strstr(text, "<metadata"));
	pair_clear(&pair);
}

static void in_a_page_it_can_be_legend_and_frames_alone(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FlameDiff diff = {.base = benchmark->base->profile,
	        .head = benchmark->head->profile,
	        .comparison = benchmark->comparison,
	        .frames_only = TRUE,
	        .benchmark = "catalog",
	        .title = "base 1a2b3c4 → head 5d6e7f8"};
	g_autofree char *text = flame_diff_svg(&diff, NULL);
	static const char *const there[] = {">removed here<", ">▲ hash_word", "class=\"frames\""};
	static const char *const not_there[] = {">base 1a2b3c4 → head 5d6e7f8<", ">Regression<", ">improvement<"};
	for (gsize i = 0; i < G_N_ELEMENTS(there); i++)
		if (strstr(text, there[i]) == NULL)
			fail_msg("'%s' is missing", there[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(not_there); i++)
		if (strstr(text, not_there[i]) != NULL)
			fail_msg("'%s' is there", not_there[i]);
	assert_int_equal(hue_of(text, "hash_word"), 1);
}

static void what_is_left_out_of_a_small_picture_is_said(void **state)
{
	(void)state;
	ProfilePair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	FlameDiff diff = {.base = pair.base, .head = pair.head, .max_frames = 4, .benchmark = "b", .title = "t"};
	g_autofree char *text = flame_diff_svg(&diff, NULL);
	/* foo, new, rec and rec again cost 11 of 151 in base, 17 of 177 in head */
	assert_non_null(strstr(text, ">4 frames are too narrow to be drawn (7.28 % of base, 9.6 % of head)<"));
	assert_null(strstr(text, ">every frame is drawn<"));
	assert_null(strstr(text, "<title>foo"));
	assert_in_frame(text, "gone", "url(#gone)");
	pair_clear(&pair);
}

static void the_same_profiles_give_the_same_bytes(void **state)
{
	(void)state;
	ProfilePair one = pair_random(6), other = pair_random(6);
	g_autofree char *first = draw_pair(&one), *second = draw_pair(&other);
	assert_string_equal(first, second);
	pair_clear(&other);
	pair_clear(&one);
}

static void without_significant_functions_no_view_has_colour(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, NULL);
	assert_non_null(strstr(
	        text, " data-inclusive-share=\"\" data-self-work=\"\" data-self-share=\"\" data-share-marks=\"\">"));
}

#define NULL_CAMPAIGNS 60
#define NULL_FUNCTIONS 20
#define NULL_RUNS 8

/* Counts of one and the same program: each function's are those of about 90 samples. */
static Measurement *noise_measurement(StackTable *table, GRand *random)
{
	Measurement *side = measurement_new("b", "", "");
	side->profile = profile_new(table, "cpu-clock", "samples");
	for (guint run = 0; run < NULL_RUNS; run++) {
		RunFacts facts = {.round = run + 1};
		g_array_append_val(side->runs, facts);
		profile_add_run(side->profile);
		for (guint f = 0; f < NULL_FUNCTIONS; f++) {
			g_autofree char *text = g_strdup_printf("main;f%u", f);
			guint64 count = 0;
			for (guint i = 0; i < 100; i++)
				count += g_rand_double(random) < .9;
			profile_add(side->profile, run, sample_stack(table, NULL, text), (ProfileCell){count, count});
		}
	}
	return side;
}

static gboolean noise_has_colour(GRand *random)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) base = noise_measurement(table, random);
	g_autoptr(Measurement) head = noise_measurement(table, random);
	CompareInput input = {.base = base, .head = head, .functions = default_function_policy(TRUE, 1)};
	g_autoptr(BenchmarkComparison) comparison = compare_shown_profiles(&input);
	assert_int_equal(comparison->tested_functions, NULL_FUNCTIONS);
	FlameDiff diff = {
	        .base = base->profile, .head = head->profile, .comparison = comparison, .benchmark = "b", .title = "t"};
	g_autofree char *text = flame_diff_svg(&diff, NULL);
	return strstr(text, " data-self-work=\"\"") == NULL;
}

/* Of either direction, 5 % of the pictures of a program beside itself may show colour: 6 of 60 are expected at most,
 * and more than 13 have a probability of less than .3 %. */
static void the_same_program_twice_is_grey_as_often_as_promised(void **state)
{
	(void)state;
	guint coloured = 0;
	GRand *random = g_rand_new_with_seed(11);
	for (guint i = 0; i < NULL_CAMPAIGNS; i++)
		coloured += noise_has_colour(random);
	g_rand_free(random);
	assert_in_range(coloured, 0, 13);
}

static void without_a_script_the_view_is_said_in_words(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *text = draw(benchmark, benchmark->comparison);
	*strstr(text, "<script>") = '\0';
	assert_non_null(strstr(text, ">width: larger of both    colour: change with all it calls    value: per run<"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_picture_is_as_it_was),
	        cmocka_unit_test(colour_follows_the_tests),
	        cmocka_unit_test(without_a_test_all_frames_are_grey),
	        cmocka_unit_test(a_frame_is_grey_when_its_change_contradicts_the_tests),
	        cmocka_unit_test(vanished_frames_are_hatched_and_new_ones_outlined),
	        cmocka_unit_test(a_tooltip_tells_costs_changes_samples_and_the_test),
	        cmocka_unit_test(a_function_has_the_same_points_in_the_picture_as_in_the_table),
	        cmocka_unit_test(a_relative_change_is_that_of_the_frame_itself),
	        cmocka_unit_test(title_verdict_legend_and_table_are_in_the_picture),
	        cmocka_unit_test(what_widths_and_colours_mean_is_said_in_words),
	        cmocka_unit_test(a_badge_of_a_regression_on_a_picture_that_falls_is_explained),
	        cmocka_unit_test(a_side_without_cost_is_drawn),
	        cmocka_unit_test(both_names_of_a_renamed_function_say_the_other),
	        cmocka_unit_test(frames_stand_where_head_has_them),
	        cmocka_unit_test(long_names_of_a_renamed_function_share_a_cell),
	        cmocka_unit_test(the_picture_of_counts_is_as_it_was),
	        cmocka_unit_test(what_decides_nothing_has_no_verdict),
	        cmocka_unit_test(small_changes_of_counts_have_colour_and_all_digits),
	        cmocka_unit_test(counts_have_neither_samples_nor_tests),
	        cmocka_unit_test(hostile_names_and_sentences_stay_text),
	        cmocka_unit_test(every_change_of_a_pair_is_seen),
	        cmocka_unit_test(what_was_not_tested_says_so),
	        cmocka_unit_test(names_that_extend_another_do_not_split_a_frame),
	        cmocka_unit_test(both_sides_can_be_rebuilt_from_the_picture),
	        cmocka_unit_test(a_picture_without_data_has_none),
	        cmocka_unit_test(in_a_page_it_can_be_legend_and_frames_alone),
	        cmocka_unit_test(what_is_left_out_of_a_small_picture_is_said),
	        cmocka_unit_test(the_same_profiles_give_the_same_bytes),
	        cmocka_unit_test(without_significant_functions_no_view_has_colour),
	        cmocka_unit_test(without_a_script_the_view_is_said_in_words),
	        cmocka_unit_test(the_same_program_twice_is_grey_as_often_as_promised),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
