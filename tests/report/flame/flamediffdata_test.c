/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamediffdata.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/flameprofiles.h"

static char *element_of(const ProfilePair *pair)
{
	GString *out = g_string_new("<svg>");
	FlameDiffData data = {.base = pair->base, .head = pair->head, .base_work = 2.5};
	flame_diff_data_append(out, &data);
	g_string_append(out, "</svg>");
	return g_string_free(out, FALSE);
}

static void assert_same_folded(const Profile *got, const Profile *wanted)
{
	g_autofree char *was = folded_write(wanted, FOLDED_ALL_RUNS, FOLDED_WEIGHT);
	g_autofree char *is = folded_write(got, FOLDED_ALL_RUNS, FOLDED_WEIGHT);
	assert_string_equal(is, was);
}

static void assert_both_sides_come_back(const ProfilePair *pair)
{
	FlameDiffData data;
	g_autofree char *text = element_of(pair);
	assert_true(flame_diff_data_read(text, strlen(text), "test", &data, NULL));
	assert_same_folded(data.base, pair->base);
	assert_same_folded(data.head, pair->head);
	flame_diff_data_clear(&data);
}

static void both_sides_come_back_exactly(void **state)
{
	(void)state;
	ProfilePair example = pair_new(PAIR_BASE, PAIR_HEAD);
	assert_both_sides_come_back(&example);
	pair_clear(&example);
	for (guint32 seed = 0; seed < 20; seed++) {
		ProfilePair pair = pair_random(seed);
		assert_both_sides_come_back(&pair);
		pair_clear(&pair);
	}
}

static void a_scale_that_is_no_work_comes_back(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("a 5\n", "a 6\n");
	FlameDiffData data = {.base = pair.base, .head = pair.head, .base_work = 5. / 6, .normalized = TRUE};
	g_autoptr(GString) out = g_string_new(NULL);
	flame_diff_data_append(out, &data);
	assert_true(flame_diff_data_read(out->str, out->len, "test", &data, NULL));
	assert_true(data.normalized);
	flame_diff_data_clear(&data);
	g_autofree char *usual = element_of(&pair);
	assert_true(flame_diff_data_read(usual, strlen(usual), "test", &data, NULL));
	assert_false(data.normalized);
	flame_diff_data_clear(&data);
	pair_clear(&pair);
}

static void a_fact_that_is_not_known_is_damage(void **state)
{
	(void)state;
	FlameDiffData data;
	g_autoptr(GError) error = NULL;
	const char *text =
	        "<metadata class=\"folded\">firebreak-folded 2\n% ns 1 1 1 1 1 1 1 1 counted turned\n</metadata>";
	assert_false(flame_diff_data_read(text, strlen(text), "test", &data, &error));
	assert_int_equal(firebreak_error_exit_code(error), FIREBREAK_ERROR_INVALID);
}

static void names_and_counts_of_any_kind_come_back(void **state)
{
	(void)state;
	ProfilePair pair =
	        pair_new("a b;=3;%41;<x>&\"' 18446744073709551607\n\xff\x01;\xc3\xa9;]]> 1\nop 3 7\n", "=;% 5\n");
	assert_both_sides_come_back(&pair);
	pair_clear(&pair);
}

static void every_run_comes_back(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("a 5\n", "a 6\n");
	StackId stack = stack_table_push(pair.table, STACK_ROOT, stack_table_leaf(pair.table, (StackId){1}));
	profile_add(pair.base, profile_add_run(pair.base), stack, (ProfileCell){7, 7});
	g_autofree char *text = element_of(&pair);
	FlameDiffData data;
	assert_true(flame_diff_data_read(text, strlen(text), "test", &data, NULL));
	assert_int_equal(data.base_runs, 2);
	assert_int_equal(data.head_runs, 1);
	assert_true(flame_diff_data_work(&data, FALSE) == 2.5);
	assert_true(flame_diff_data_work(&data, TRUE) == 1);
	assert_int_equal(profile_run_total(data.base, 0).weight, 5);
	assert_int_equal(profile_run_total(data.base, 1).weight, 7);
	assert_int_equal(profile_run_total(data.head, 0).weight, 6);
	assert_string_equal(data.base->unit, "counts");
	assert_string_equal(data.base->event, "");
	assert_false(data.counted);
	flame_diff_data_clear(&data);
	pair_clear(&pair);
}

/* Forty runs of 20,000 stacks take more room than a picture has. */
static void runs_are_summed_where_they_do_not_fit(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("", "");
	for (guint i = 0; i < 20000; i++) {
		g_autofree char *name = g_strdup_printf("f%u", i);
		StackId stack = stack_table_push(
		        pair.table, STACK_ROOT, stack_table_frame_named(pair.table, name, NULL, FRAME_USER));
		for (guint run = 0; run < 40; run++) {
			if (run == profile_n_runs(pair.base))
				profile_add_run(pair.base);
			profile_add(pair.base, run, stack, (ProfileCell){run, run});
		}
	}
	GString *out = g_string_new(NULL);
	FlameDiffData data = {.base = pair.base, .head = pair.head, .base_work = 2};
	assert_int_equal(flame_diff_data_append(out, &data), FLAME_DIFF_DATA_SUMS);
	assert_true(flame_diff_data_read(out->str, out->len, "test", &data, NULL));
	assert_int_equal(data.base_runs, 40);
	assert_int_equal(profile_n_runs(data.base), 1);
	assert_true(flame_diff_data_work(&data, FALSE) == 80);
	assert_int_equal(profile_run_total(data.base, 0).weight, 20000 * 780);
	flame_diff_data_clear(&data);
	g_string_free(out, TRUE);
	pair_clear(&pair);
}

static void modules_kinds_and_what_a_sample_costs_come_back(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("", "");
	StackId stack = stack_table_push(
	        pair.table, STACK_ROOT, stack_table_frame_named(pair.table, "read", "libc.so.6", FRAME_USER));
	profile_add(pair.base, 0, stack, (ProfileCell){3, 1500});
	stack = stack_table_push(
	        pair.table, stack, stack_table_frame_named(pair.table, "read", "[kernel]", FRAME_KERNEL));
	profile_add(pair.base, 0, stack, (ProfileCell){1, 500});
	g_autofree char *text = element_of(&pair);
	FlameDiffData data;
	assert_true(flame_diff_data_read(text, strlen(text), "test", &data, NULL));
	const StackTable *table = data.base->table;
	FrameId user = stack_table_leaf(table, (StackId){1}), kernel = stack_table_leaf(table, (StackId){2});
	assert_string_equal(stack_table_frame_module(table, user), "libc.so.6");
	assert_string_equal(stack_table_frame_module(table, kernel), "[kernel]");
	assert_int_equal(stack_table_get_frame(table, kernel)->kind, FRAME_KERNEL);
	assert_int_equal(profile_cell(data.base, 0, (StackId){1}).samples, 3);
	assert_int_equal(profile_cell(data.base, 0, (StackId){2}).samples, 1);
	flame_diff_data_clear(&data);
	pair_clear(&pair);
}

static void add_cell(Profile *profile, guint run, const char *name, ProfileCell cell)
{
	FrameId frame = stack_table_frame_named(profile->table, name, NULL, FRAME_USER);
	profile_add(profile, run, stack_table_push(profile->table, STACK_ROOT, frame), cell);
}

static ProfileCell cell_named(const Profile *profile, guint run, const char *name)
{
	FrameId frame = stack_table_frame_named(profile->table, name, NULL, FRAME_USER);
	return profile_cell(profile, run, stack_table_push(profile->table, STACK_ROOT, frame));
}

static void assert_cell(const Profile *profile, guint run, const char *name, ProfileCell wanted)
{
	ProfileCell cell = cell_named(profile, run, name);
	assert_int_equal(cell.samples, wanted.samples);
	assert_int_equal(cell.weight, wanted.weight);
}

/* Of varying periods the mean cost of a sample does not tell how many there were. */
static void samples_that_weigh_differently_come_back(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("", "");
	profile_add_run(pair.base);
	add_cell(pair.base, 0, "hot", (ProfileCell){1, 900});
	add_cell(pair.base, 0, "cold", (ProfileCell){90, 90});
	add_cell(pair.base, 0, "free", (ProfileCell){2, 0});
	add_cell(pair.base, 1, "hot", (ProfileCell){3, 5});
	add_cell(pair.head, 0, "cold", (ProfileCell){7, 700});
	g_autofree char *text = element_of(&pair);
	FlameDiffData data;
	assert_true(flame_diff_data_read(text, strlen(text), "test", &data, NULL));
	assert_non_null(strstr(text, "firebreak-folded 3\n"));
	assert_cell(data.base, 0, "hot", (ProfileCell){1, 900});
	assert_cell(data.base, 0, "cold", (ProfileCell){90, 90});
	assert_cell(data.base, 0, "free", (ProfileCell){2, 0});
	assert_cell(data.base, 1, "hot", (ProfileCell){3, 5});
	assert_cell(data.base, 1, "cold", (ProfileCell){0, 0});
	assert_cell(data.head, 0, "cold", (ProfileCell){7, 700});
	flame_diff_data_clear(&data);
	pair_clear(&pair);
}

/* Older versions wrote this, and it is still written of samples that weigh alike. */
static void without_samples_a_cost_tells_them(void **state)
{
	(void)state;
	static const char text[] = "<metadata class=\"folded\">firebreak-folded 2\n"
	                           "cycles cycles 1 1 1 1 1 1 250 100 sampled\n1 hot 1000 300\n</metadata>";
	FlameDiffData data;
	assert_true(flame_diff_data_read(text, strlen(text), "test", &data, NULL));
	assert_cell(data.base, 0, "hot", (ProfileCell){4, 1000});
	assert_cell(data.head, 0, "hot", (ProfileCell){3, 300});
	flame_diff_data_clear(&data);
	ProfilePair alike = pair_new("", "");
	add_cell(alike.base, 0, "hot", (ProfileCell){4, 1000});
	add_cell(alike.base, 0, "cold", (ProfileCell){1, 250});
	g_autofree char *written = element_of(&alike);
	assert_non_null(strstr(written, "firebreak-folded 2\n"));
	pair_clear(&alike);
}

static void the_order_of_lines_does_not_matter(void **state)
{
	(void)state;
	ProfilePair one = pair_new("a;c 1\na;b 2\nd 3\na 4\n", "e 5\na;b 6\n");
	ProfilePair other = pair_new("a 4\nd 3\na;b 2\na;c 1\n", "a;b 6\ne 5\n");
	g_autofree char *text = element_of(&one), *same = element_of(&other);
	assert_string_equal(text, same);
	pair_clear(&other);
	pair_clear(&one);
}

/* A row takes some ten bytes, whatever its path is called. */
static void names_are_written_once(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("", "");
	g_autoptr(GString) name = g_string_new(NULL);
	for (guint i = 0; i < 500; i++)
		g_string_append(name, "namespace::");
	FrameId frame = stack_table_frame_named(pair.table, name->str, NULL, FRAME_USER);
	StackId stack = STACK_ROOT;
	for (guint i = 0; i < 1000; i++) {
		stack = stack_table_push(pair.table, stack, frame);
		profile_add(pair.base, 0, stack, (ProfileCell){1, 1});
	}
	g_autofree char *text = element_of(&pair);
	assert_true(strlen(text) < name->len + 1000 * 12);
	pair_clear(&pair);
}

static void too_much_is_left_out_and_said_to_be(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("", "");
	for (guint i = 0; i < FLAME_DIFF_DATA_MAX_BYTES / 8; i++) {
		g_autofree char *name = g_strdup_printf("function%u", i);
		StackId stack = stack_table_push(
		        pair.table, STACK_ROOT, stack_table_frame_named(pair.table, name, NULL, FRAME_USER));
		profile_add(pair.base, 0, stack, (ProfileCell){1, 1});
	}
	g_autofree char *text = element_of(&pair);
	g_autoptr(GError) error = NULL;
	FlameDiffData data;
	assert_true(strlen(text) < 200);
	assert_false(flame_diff_data_read(text, strlen(text), "big.svg", &data, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_string_equal(error->message, "big.svg: the profiles were too large to be kept in the picture");
	pair_clear(&pair);
}

static void assert_refused(const char *lines, int code, const char *message)
{
	g_autoptr(GError) error = NULL;
	FlameDiffData data;
	g_autofree char *text = g_strconcat("<metadata class=\"folded\">", lines, "</metadata>", NULL);
	assert_false(flame_diff_data_read(text, strlen(text), "x.svg", &data, &error));
	assert_int_equal(error->code, code);
	if (strstr(error->message, message) == NULL)
		fail_msg("'%s' is not in '%s'", message, error->message);
	assert_null(data.base);
}

static void damaged_data_are_refused_with_their_line(void **state)
{
	(void)state;
	static const struct {
		const char *lines, *message;
	} cases[] = {
	        {"firebreak-folded 4\n", "line 1: made by another version"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a 1:1\n", "line 3: a cost is no number"},
	        {"firebreak-folded 3\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a 1:\n", "line 3: a cost is no number"},
	        {"firebreak-folded 3\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a :1\n", "line 3: a cost is no number"},
	        {"firebreak-folded 3\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a 1:1:1\n", "line 3: a cost is no number"},
	        {"firebreak-folded 2\n% counts 1 1 1\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 1 1 1 nan\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 1 9999999999 1 1\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n0 a 1\n", "line 3: not a parent"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n2 a 1\n", "line 3: not a parent"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 =1 1\n", "line 3: not a name"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a 1\n1 =2 1\n", "line 4: not a name"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 %zz 1\n", "line 3: not a name"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 %00 1\n", "line 3: not a name"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a -1\n", "line 3: a cost is no number"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a 1 2 3\n", "line 3: not a parent"},
	        {"firebreak-folded 2\n% counts 9 9 1 1 3 9 1 1 sampled\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 9999 1 1 1 9999 1 1 1 sampled\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 0 1 sampled\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 guessed\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled 7\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled 1000 1\n", "line 2: not event"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a=m=none 1\n", "line 3: not a name"},
	        {"firebreak-folded 2\n% counts 1 1 1 1 1 1 1 1 sampled\n1 a=m=user=x 1\n", "line 3: not a name"},
	        {"", "line 1"},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_refused(cases[i].lines, FIREBREAK_ERROR_INVALID, cases[i].message);
}

/* Cut anywhere, a picture gives an error or fewer rows, and never more than it had. */
static void every_beginning_of_a_picture_is_safe(void **state)
{
	(void)state;
	ProfilePair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	g_autofree char *text = element_of(&pair);
	const char *start = strchr(strchr(text, '>') + 1, '>') + 1;
	for (const char *at = start; *at != '<'; at++) {
		g_autofree char *part = g_strndup(start, (gsize)(at - start));
		g_autofree char *whole = g_strconcat("<metadata class=\"folded\">", part, "</metadata>", NULL);
		FlameDiffData data;
		if (!flame_diff_data_read(whole, strlen(whole), "test", &data, NULL))
			continue;
		assert_true(profile_run_total(data.base, 0).weight <= 151);
		flame_diff_data_clear(&data);
	}
	pair_clear(&pair);
}

static void another_file_is_no_picture_of_ours(void **state)
{
	(void)state;
	static const char text[] = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
	g_autoptr(GError) error = NULL;
	FlameDiffData data;
	assert_false(flame_diff_data_read(text, sizeof text - 1, "x.svg", &data, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(error->message, "x.svg: no differential flame graph of firebreak"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(both_sides_come_back_exactly),
	        cmocka_unit_test(names_and_counts_of_any_kind_come_back),
	        cmocka_unit_test(every_run_comes_back),
	        cmocka_unit_test(a_scale_that_is_no_work_comes_back),
	        cmocka_unit_test(a_fact_that_is_not_known_is_damage),
	        cmocka_unit_test(runs_are_summed_where_they_do_not_fit),
	        cmocka_unit_test(modules_kinds_and_what_a_sample_costs_come_back),
	        cmocka_unit_test(samples_that_weigh_differently_come_back),
	        cmocka_unit_test(without_samples_a_cost_tells_them),
	        cmocka_unit_test(the_order_of_lines_does_not_matter),
	        cmocka_unit_test(names_are_written_once),
	        cmocka_unit_test(too_much_is_left_out_and_said_to_be),
	        cmocka_unit_test(damaged_data_are_refused_with_their_line),
	        cmocka_unit_test(every_beginning_of_a_picture_is_safe),
	        cmocka_unit_test(another_file_is_no_picture_of_ours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
