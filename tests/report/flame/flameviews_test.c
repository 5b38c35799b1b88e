/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flameviews.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/flameprofiles.h"

#define SEEDS 20

typedef struct {
	FlameLayout *layout;
	FlameViews *views;
	FlamePaths *paths;
} Drawn;

/* Views of two profiles in which the functions of `changed` (may be NULL) are significant; untested without. */
static Drawn drawn_new(const FlameInput *input, const FunctionComparison *changed)
{
	const Profile *profile = input->head != NULL ? input->head : input->base;
	guint n = stack_table_n_frames(profile->table);
	Drawn drawn = {0};
	g_autofree const FunctionComparison **functions = g_new0(const FunctionComparison *, MAX(n, 1));
	g_autofree gboolean *significant = g_new0(gboolean, MAX(n, 1));
	if (changed != NULL) {
		significant[changed->frame.index] = TRUE;
		functions[changed->frame.index] = changed;
	}
	drawn.paths = flame_paths_new(&(FlamePathsInput){.base = input->base,
	        .head = input->head,
	        .base_work = input->base_work,
	        .head_work = input->head_work,
	        .functions = functions,
	        .significant = significant,
	        .untested = changed == NULL,
	        .alpha = .05});
	FlameInput with_paths = *input;
	with_paths.known = drawn.paths->known;
	drawn.layout = flame_layout_new(&with_paths);
	FlameViewsInput views = {.input = input,
	        .layout = drawn.layout,
	        .paths = drawn.paths,
	        .untested = changed == NULL,
	        .least_scale = .02,
	        .per = "run"};
	drawn.views = flame_views_new(&views);
	return drawn;
}

static void drawn_clear(Drawn *drawn)
{
	flame_views_free(drawn->views);
	flame_layout_free(drawn->layout);
	flame_paths_free(drawn->paths);
}

static Drawn draw(const Profile *base, const Profile *head)
{
	return drawn_new(&(FlameInput){.base = base, .head = head}, NULL);
}

static guint node_named(const Drawn *drawn, const StackTable *table, const char *name)
{
	for (guint i = 1; i < drawn->layout->nodes->len; i++)
		if (strcmp(stack_table_frame_name(
		                   table, stack_table_leaf(table, flame_layout_node(drawn->layout, i)->stack)),
		            name) == 0)
			return i;
	fail_msg("no frame %s", name);
	return 0;
}

/* --- properties --- */

static void changes_of_children_and_self_add_up_to_that_of_the_frame(void **state)
{
	(void)state;
	for (guint32 seed = 0; seed < SEEDS; seed++) {
		ProfilePair pair = pair_random(seed);
		Drawn drawn = draw(pair.base, pair.head);
		guint n = drawn.layout->nodes->len;
		g_autofree double *sums = g_new0(double, n);
		for (guint i = n; i-- > 0;) {
			const FlameNode *node = flame_layout_node(drawn.layout, i);
			double change = node->head.total - node->base.total;
			assert_float_equal(sums[i] + node->head.self - node->base.self, change, 1e-6);
			if (i > 0)
				sums[node->parent] += change;
		}
		drawn_clear(&drawn);
		pair_clear(&pair);
	}
}

static void assert_children_fit(const Drawn *drawn)
{
	guint n = drawn->layout->nodes->len;
	for (guint width = 0; width < FLAME_WIDTHS; width++) {
		g_autofree guint64 *sums = g_new0(guint64, n);
		for (guint i = 1; i < n; i++)
			sums[flame_layout_node(drawn->layout, i)->parent] += drawn->views->widths[width][i];
		for (guint i = 0; i < n; i++)
			assert_true(sums[i] <= drawn->views->widths[width][i]);
		assert_true(drawn->views->widths[width][0] == FLAME_VIEW_WHOLE);
	}
}

static void children_never_exceed_their_parent_in_any_width(void **state)
{
	(void)state;
	for (guint32 seed = 0; seed < SEEDS; seed++) {
		ProfilePair pair = pair_random(seed);
		Drawn whole = draw(pair.base, pair.head);
		Drawn cut = drawn_new(
		        &(FlameInput){.base = pair.base, .head = pair.head, .min_share = .01, .max_depth = 4}, NULL);
		assert_true(cut.layout->nodes->len < whole.layout->nodes->len);
		assert_children_fit(&whole);
		assert_children_fit(&cut);
		drawn_clear(&cut);
		drawn_clear(&whole);
		pair_clear(&pair);
	}
}

static void swapping_the_sides_mirrors_everything(void **state)
{
	(void)state;
	for (guint32 seed = 0; seed < SEEDS; seed++) {
		ProfilePair pair = pair_random(seed);
		Drawn forth = draw(pair.base, pair.head), back = draw(pair.head, pair.base);
		guint n = forth.layout->nodes->len;
		assert_int_equal(back.layout->nodes->len, n);
		double ratio =
		        flame_layout_node(forth.layout, 0)->head.total / flame_layout_node(forth.layout, 0)->base.total;
		for (guint i = 0; i < n; i++)
			for (guint c = 0; c < FLAME_COLOURS; c++) {
				assert_float_equal(forth.views->change[c][FLAME_VALUE_SHARE][i],
				        -back.views->change[c][FLAME_VALUE_SHARE][i], 1e-12);
				/* the same change as a share of the other total */
				assert_float_equal(forth.views->change[c][FLAME_VALUE_WORK][i],
				        -back.views->change[c][FLAME_VALUE_WORK][i] * ratio, 1e-12);
			}
		gsize bytes = n * sizeof(guint32);
		assert_memory_equal(forth.views->widths[FLAME_VIEW_BASE], back.views->widths[FLAME_VIEW_HEAD], bytes);
		assert_memory_equal(forth.views->widths[FLAME_VIEW_HEAD], back.views->widths[FLAME_VIEW_BASE], bytes);
		assert_memory_equal(forth.views->widths[FLAME_VIEW_LARGER_SHARE],
		        back.views->widths[FLAME_VIEW_LARGER_SHARE], bytes);
		drawn_clear(&back);
		drawn_clear(&forth);
		pair_clear(&pair);
	}
}

static void assert_same_views(const Drawn *one, const Drawn *other)
{
	guint n = one->layout->nodes->len;
	assert_int_equal(other->layout->nodes->len, n);
	for (guint i = 0; i < n; i++)
		for (guint c = 0; c < FLAME_COLOURS; c++)
			for (guint v = 0; v < FLAME_VALUES; v++)
				assert_float_equal(one->views->change[c][v][i], other->views->change[c][v][i], 1e-12);
	for (guint w = 0; w < FLAME_WIDTHS; w++)
		for (guint i = 0; i < n; i++)
			assert_in_range(one->views->widths[w][i] + 1 - other->views->widths[w][i], 0, 2);
}

static void scaling_both_sides_changes_nothing(void **state)
{
	(void)state;
	ProfilePair pair = pair_random(1);
	Profile *base = pair_scaled(pair.base, 7), *head = pair_scaled(pair.head, 7);
	Drawn one = draw(pair.base, pair.head), other = draw(base, head);
	assert_same_views(&one, &other);
	drawn_clear(&other);
	drawn_clear(&one);
	profile_free(base);
	profile_free(head);
	pair_clear(&pair);
}

/* Base ran k times as long: per unit of work it is the same, and no count vanishes. */
static void work_undoes_a_scale(void **state)
{
	(void)state;
	ProfilePair pair = pair_random(2);
	Profile *base = pair_scaled(pair.base, 3);
	Drawn one = draw(pair.base, pair.head);
	Drawn other = drawn_new(&(FlameInput){.base = base, .head = pair.head, .base_work = 3}, NULL);
	assert_same_views(&one, &other);
	drawn_clear(&other);
	drawn_clear(&one);
	profile_free(base);
	pair_clear(&pair);
}

static void no_change_is_neutral_in_all_views(void **state)
{
	(void)state;
	ProfilePair pair = pair_random(3);
	Profile *same = pair_scaled(pair.base, 1);
	Drawn drawn = draw(pair.base, same);
	FlameColor grey = flame_color_change(0);
	for (guint i = 0; i < drawn.layout->nodes->len; i++)
		for (guint c = 0; c < FLAME_COLOURS; c++)
			for (guint v = 0; v < FLAME_VALUES; v++) {
				FlameColor fill = flame_views_fill(drawn.views, (FlameColourBy)c, (FlameValue)v, i);
				assert_memory_equal(&fill, &grey, sizeof grey);
			}
	drawn_clear(&drawn);
	profile_free(same);
	pair_clear(&pair);
}

/* --- examples --- */

static void a_parent_is_coloured_by_its_whole_subtree_and_alone_by_itself(void **state)
{
	(void)state;
	ProfilePair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	Drawn drawn = draw(pair.base, pair.head);
	guint keep = node_named(&drawn, pair.table, "keep"), gone = node_named(&drawn, pair.table, "gone");
	assert_float_equal(drawn.views->change[FLAME_COLOUR_INCLUSIVE][FLAME_VALUE_WORK][keep], 60. / 151, 1e-12);
	assert_float_equal(drawn.views->change[FLAME_COLOUR_SELF][FLAME_VALUE_WORK][keep], 0, 0);
	assert_float_equal(
	        drawn.views->change[FLAME_COLOUR_SELF][FLAME_VALUE_SHARE][keep], 100. / 177 - 100. / 151, 1e-12);
	assert_float_equal(drawn.views->change[FLAME_COLOUR_SELF][FLAME_VALUE_WORK][gone], -40. / 151, 1e-12);
	assert_int_equal(drawn.views->widths[FLAME_VIEW_HEAD][gone], 0);
	assert_int_equal(drawn.views->widths[FLAME_VIEW_BASE][gone], 40. / 151 * FLAME_VIEW_WHOLE);
	drawn_clear(&drawn);
	pair_clear(&pair);
}

static FunctionComparison changed(StackTable *table, const char *name, double contribution)
{
	FrameId frame = stack_table_frame_named(table, name, NULL, FRAME_USER);
	return (FunctionComparison){.frame = frame, .renamed_from = frame, .contribution = contribution};
}

static void only_significant_functions_give_colour(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("m;a 100\nm;b 100\n", "m;a 150\nm;b 140\n");
	FunctionComparison a = changed(pair.table, "a", .25);
	Drawn drawn = drawn_new(&(FlameInput){.base = pair.base, .head = pair.head}, &a);
	for (guint c = 0; c < FLAME_COLOURS; c++) {
		assert_true(drawn.views->change[c][FLAME_VALUE_WORK][node_named(&drawn, pair.table, "a")] > 0);
		assert_true(drawn.views->change[c][FLAME_VALUE_WORK][node_named(&drawn, pair.table, "b")] == 0);
	}
	/* no more than what is known explains, although the whole rose by 45 % */
	assert_float_equal(drawn.views->change[FLAME_COLOUR_INCLUSIVE][FLAME_VALUE_WORK][0], .25, 1e-12);
	drawn_clear(&drawn);
	pair_clear(&pair);
}

/* The function costs more, the rest even more than that, so its share fell: nobody tested that it would. */
static void a_share_that_moved_against_the_cost_is_no_claim(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("m;a 100\nm;b 100\n", "m;a 110\nm;b 300\n");
	FunctionComparison a = changed(pair.table, "a", .05);
	Drawn drawn = drawn_new(&(FlameInput){.base = pair.base, .head = pair.head}, &a);
	guint node = node_named(&drawn, pair.table, "a");
	for (guint c = 0; c < FLAME_COLOURS; c++) {
		assert_true(drawn.views->change[c][FLAME_VALUE_WORK][node] > 0);
		assert_true(drawn.views->change[c][FLAME_VALUE_SHARE][node] == 0);
	}
	drawn_clear(&drawn);
	pair_clear(&pair);
}

static void a_side_without_cost_has_no_width_and_no_shares(void **state)
{
	(void)state;
	ProfilePair pair = pair_new("m;a 5\n", "");
	Drawn drawn = draw(pair.base, pair.head);
	for (guint i = 0; i < drawn.layout->nodes->len; i++) {
		assert_int_equal(drawn.views->widths[FLAME_VIEW_HEAD][i], 0);
		assert_int_equal(drawn.views->widths[FLAME_VIEW_BASE][i], FLAME_VIEW_WHOLE);
		assert_true(drawn.views->change[FLAME_COLOUR_SELF][FLAME_VALUE_SHARE][i] == 0);
	}
	drawn_clear(&drawn);
	pair_clear(&pair);
}

static void what_was_not_tested_is_paler(void **state)
{
	(void)state;
	FlameViews tested = {.untested = FALSE}, untested = {.untested = TRUE};
	FlameColor strong = flame_views_color(&tested, 1), weak = flame_views_color(&untested, 1);
	FlameColor grey = flame_views_color(&untested, 0), neutral = flame_color_change(0);
	assert_true(strong.red - strong.blue > weak.red - weak.blue && weak.red > weak.blue + 60);
	assert_memory_equal(&grey, &neutral, sizeof grey);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(changes_of_children_and_self_add_up_to_that_of_the_frame),
	        cmocka_unit_test(children_never_exceed_their_parent_in_any_width),
	        cmocka_unit_test(swapping_the_sides_mirrors_everything),
	        cmocka_unit_test(scaling_both_sides_changes_nothing),
	        cmocka_unit_test(work_undoes_a_scale),
	        cmocka_unit_test(no_change_is_neutral_in_all_views),
	        cmocka_unit_test(a_parent_is_coloured_by_its_whole_subtree_and_alone_by_itself),
	        cmocka_unit_test(only_significant_functions_give_colour),
	        cmocka_unit_test(a_share_that_moved_against_the_cost_is_no_claim),
	        cmocka_unit_test(a_side_without_cost_has_no_width_and_no_shares),
	        cmocka_unit_test(what_was_not_tested_is_paler),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
