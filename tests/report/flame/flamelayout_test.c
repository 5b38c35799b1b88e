/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamelayout.h"

#include "profile/folded/folded.h"
#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TOLERANCE 1e-9

/* A pair in which everything happens that diff views get wrong: doubled, vanished, grown by a child, new, recursive. */
#define PAIR_BASE "main;foo 1\nmain;gone 40\nmain;keep 100\nmain;rec;rec 10\n"
#define PAIR_HEAD "main;foo 2\nmain;keep 100\nmain;keep;child 60\nmain;new 5\nmain;rec;rec 10\n"

#define assert_close(a, b) assert_true(fabs((a) - (b)) < TOLERANCE)

typedef struct {
	StackTable *table;
	Profile *base, *head;
} Pair;

static Profile *read_profile(StackTable *table, const char *text)
{
	Profile *profile = profile_new(table, "samples", "samples");
	profile_add_run(profile);
	FoldedOptions options = {.columns = 1, .plain_root = TRUE};
	assert_true(folded_read(text, strlen(text), "test", &options, profile, 0, NULL, NULL));
	return profile;
}

static Pair pair_new(const char *base, const char *head)
{
	Pair pair = {.table = stack_table_new()};
	pair.base = read_profile(pair.table, base);
	pair.head = read_profile(pair.table, head);
	return pair;
}

static void pair_clear(Pair *pair)
{
	profile_free(pair->base);
	profile_free(pair->head);
	stack_table_unref(pair->table);
}

static FlameLayout *pair_layout(const Pair *pair, FlameWidth width)
{
	FlameInput input = {.base = pair->base, .head = pair->head, .width = width};
	return flame_layout_new(&input);
}

/* The node whose path is `path` ("main;keep"). */
static const FlameNode *find(const FlameLayout *layout, StackTable *table, const char *path)
{
	StackId stack = sample_stack(table, NULL, path);
	for (guint i = 0; i < layout->nodes->len; i++) {
		if (flame_layout_node(layout, i)->stack.index == stack.index)
			return flame_layout_node(layout, i);
	}
	fail_msg("no node %s", path);
	return NULL;
}

static void vanished_and_new_frames_have_their_place(void **state)
{
	(void)state;
	Pair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	g_autoptr(FlameLayout) layout = pair_layout(&pair, FLAME_WIDTH_UNION);
	const FlameNode *gone = find(layout, pair.table, "main;gone"), *fresh = find(layout, pair.table, "main;new");
	const FlameNode *keep = find(layout, pair.table, "main;keep"), *foo = find(layout, pair.table, "main;foo");
	assert_true(gone->base.total == 40 && gone->head.total == 0 && gone->width > 0);
	assert_true(fresh->base.total == 0 && fresh->head.total == 5 && fresh->width > 0);
	assert_true(keep->base.total == 100 && keep->head.total == 160);
	assert_true(foo->base.total == 1 && foo->head.total == 2);
	/* 2 + 40 + 160 + 5 + 10 */
	assert_close(keep->width, 160. / 217);
	assert_close(gone->width, 40. / 217);
	pair_clear(&pair);
}

/* Whatever is cut, a node's change is that of its children and its own. */
static void check_sums(const FlameLayout *layout)
{
	for (guint i = 0; i < layout->nodes->len; i++) {
		const FlameNode *node = flame_layout_node(layout, i);
		double base = node->base.self, head = node->head.self, width = 0, right = node->x;
		gboolean inner = FALSE;
		for (guint k = i + 1; k < layout->nodes->len; k++) {
			const FlameNode *child = flame_layout_node(layout, k);
			if (child->parent != i)
				continue;
			inner = TRUE;
			base += child->base.total;
			head += child->head.total;
			width += child->width;
			assert_true(child->x >= right - TOLERANCE);
			right = child->x + child->width;
		}
		assert_true(width <= node->width + TOLERANCE);
		if (inner) {
			assert_close(base, node->base.total);
			assert_close(head, node->head.total);
		}
	}
}

static void changes_add_up_and_children_fit_in_every_mode(void **state)
{
	(void)state;
	static const FlameWidth modes[] = {FLAME_WIDTH_UNION, FLAME_WIDTH_BASE, FLAME_WIDTH_HEAD, FLAME_WIDTH_SUM};
	Pair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autoptr(FlameLayout) layout = pair_layout(&pair, modes[i]);
		assert_close(flame_layout_node(layout, 0)->width, 1);
		if (modes[i] == FLAME_WIDTH_UNION || modes[i] == FLAME_WIDTH_SUM)
			check_sums(layout);
	}
	pair_clear(&pair);
}

/* 100 -> 0 and 0 -> 100 under a parent that stays the same need twice its cost. */
static void children_that_trade_places_fit_into_their_parent(void **state)
{
	(void)state;
	Pair pair = pair_new("p;a 100\n", "p;b 100\n");
	g_autoptr(FlameLayout) layout = pair_layout(&pair, FLAME_WIDTH_UNION);
	assert_close(find(layout, pair.table, "p")->width, 1);
	assert_close(find(layout, pair.table, "p;a")->width, .5);
	assert_close(find(layout, pair.table, "p;b")->x, .5);
	pair_clear(&pair);
}

/* Layouts made from sorted text draw `b` twice here, because `b(int)` sorts in between. */
static void a_frame_is_drawn_once_however_its_stacks_sort(void **state)
{
	(void)state;
	Pair pair = pair_new("a;b 10\na;b(int) 10\na;b;c 10\n", "a;b 10\n");
	g_autoptr(FlameLayout) layout = pair_layout(&pair, FLAME_WIDTH_BASE);
	assert_int_equal(layout->nodes->len, 5);
	assert_true(find(layout, pair.table, "a;b")->base.total == 20);
	pair_clear(&pair);
}

static void siblings_are_in_order_of_name(void **state)
{
	(void)state;
	Pair pair = pair_new("a;z 1\na;m 5\na;b 3\n", "a;k 1\n");
	g_autoptr(FlameLayout) layout = pair_layout(&pair, FLAME_WIDTH_UNION);
	static const char *const order[] = {"a", "b", "k", "m", "z"};
	for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
		FrameId leaf = stack_table_leaf(pair.table, flame_layout_node(layout, i + 1)->stack);
		assert_string_equal(stack_table_frame_name(pair.table, leaf), order[i]);
	}
	pair_clear(&pair);
}

static void costs_are_per_run_and_unit_of_work(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "cpu-clock", "ns");
	StackId stack = sample_stack(table, NULL, "main;work");
	for (guint run = 0; run < 4; run++) {
		profile_add_run(profile);
		profile_add(profile, run, stack, (ProfileCell){.samples = 3, .weight = 1000 * (run + 1)});
	}
	FlameInput input = {.head = profile, .head_work = 10, .width = FLAME_WIDTH_HEAD};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	const FlameNode *node = find(layout, table, "main;work");
	assert_close(node->head.total, 250);
	assert_int_equal(node->head.samples, 12);
	assert_true(node->base.total == 0);
}

/* Thirds that add up to a whole may miss it by a bit. */
static void what_rounding_leaves_is_no_change(void **state)
{
	(void)state;
	FlameNode node = {.base.total = .1 + .2, .head.total = .3};
	assert_true(node.base.total != node.head.total);
	assert_true(flame_node_change(&node) == 0);
	node = (FlameNode){.base.total = 1e12, .head.total = 1e12 + 1};
	assert_true(flame_node_change(&node) == 1);
	node = (FlameNode){.base.total = 1e-3};
	assert_true(flame_node_change(&node) == -1e-3);
	node = (FlameNode){0};
	assert_true(flame_node_change(&node) == 0);
}

static void narrow_frames_are_left_out_and_counted(void **state)
{
	(void)state;
	Pair pair = pair_new("main;big 996\nmain;small;tiny 3\nmain;other 1\n", "main;big 996\nmain;small 2\n");
	FlameInput input = {.base = pair.base, .head = pair.head, .width = FLAME_WIDTH_BASE, .min_share = .01};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	assert_int_equal(layout->nodes->len, 3);
	assert_int_equal(layout->cut_frames, 3);
	assert_true(layout->cut_base.total == 4 && layout->cut_head.total == 2);
	pair_clear(&pair);
}

static void the_widest_frames_are_drawn_and_the_others_counted(void **state)
{
	(void)state;
	Pair pair = pair_new("main;big 90\nmain;big;part 5\nmain;even 2\nmain;odd 2\nmain;one 1\n", "main;big 1\n");
	FlameInput input = {.base = pair.base, .head = pair.head, .width = FLAME_WIDTH_BASE, .max_frames = 4};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	/* of the two that are equally wide only one would fit */
	assert_int_equal(layout->nodes->len, 1 + 3);
	assert_int_equal(layout->cut_frames, 3);
	assert_true(layout->cut_base.total == 5);
	input.max_frames = 5;
	g_autoptr(FlameLayout) more = flame_layout_new(&input);
	assert_int_equal(more->nodes->len, 1 + 5);
	input.max_frames = 6;
	g_autoptr(FlameLayout) all = flame_layout_new(&input);
	assert_int_equal(all->cut_frames, 0);
	pair_clear(&pair);
}

static void a_frames_own_cost_may_come_first(void **state)
{
	(void)state;
	Pair pair = pair_new("main;a 1\n", "main 20\nmain;a 30\nmain;b 50\n");
	FlameInput input = {.head = pair.head, .width = FLAME_WIDTH_HEAD, .own_first = TRUE};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	assert_close(find(layout, pair.table, "main;a")->x, .2);
	assert_close(find(layout, pair.table, "main;b")->x, .5);
	pair_clear(&pair);
}

static void endless_recursion_becomes_one_frame_that_says_how_many(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "samples", "samples");
	StackId stack = STACK_ROOT;
	profile_add_run(profile);
	for (guint i = 0; i < 200000; i++)
		stack = sample_push(table, stack, "again");
	profile_add(profile, 0, stack, (ProfileCell){7, 7});
	FlameInput input = {.head = profile, .width = FLAME_WIDTH_HEAD};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	const FlameNode *last = flame_layout_node(layout, layout->nodes->len - 1);
	assert_int_equal(layout->depth, FLAME_MAX_DEPTH + 1);
	assert_int_equal(last->hidden_frames, 200000 - FLAME_MAX_DEPTH);
	assert_true(last->head.total == 7 && last->head.samples == 7);
	check_sums(layout);
}

static void what_is_too_deep_and_too_narrow_is_counted(void **state)
{
	(void)state;
	Pair pair = pair_new("a;b 990\na;b;c;d 10\n", "a;b 990\na;b;c;d 10\n");
	for (guint reversed = 0; reversed < 2; reversed++) {
		FlameInput input = {.base = pair.base, .head = pair.head, .min_share = .02, .max_depth = 2};
		input.reversed = reversed;
		g_autoptr(FlameLayout) layout = flame_layout_new(&input);
		assert_int_equal(layout->depth, 2);
		assert_int_equal(layout->cut_frames, reversed ? 1 : 2);
		assert_true(layout->cut_base.total == 10 && layout->cut_head.total == 10);
	}
	pair_clear(&pair);
}

static void swapping_the_sides_negates_every_change(void **state)
{
	(void)state;
	Pair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	Pair swapped = {pair.table, pair.head, pair.base};
	g_autoptr(FlameLayout) layout = pair_layout(&pair, FLAME_WIDTH_UNION);
	g_autoptr(FlameLayout) mirror = pair_layout(&swapped, FLAME_WIDTH_UNION);
	assert_int_equal(layout->nodes->len, mirror->nodes->len);
	for (guint i = 0; i < layout->nodes->len; i++) {
		const FlameNode *a = flame_layout_node(layout, i), *b = flame_layout_node(mirror, i);
		assert_int_equal(a->stack.index, b->stack.index);
		assert_true(a->width == b->width && a->x == b->x);
		assert_true(a->head.total - a->base.total == -(b->head.total - b->base.total));
	}
	pair_clear(&pair);
}

/* No positive count becomes 0 and nothing unchanged looks new because one side ran twice as much work. */
static void work_scales_a_side_without_losing_small_counts(void **state)
{
	(void)state;
	Pair pair = pair_new("m;x 2\nm;y 400\n", "m;x 1\nm;y 200\n");
	FlameInput input = {.base = pair.base, .head = pair.head, .base_work = 2, .head_work = 1};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	const FlameNode *node = find(layout, pair.table, "m;x");
	assert_true(node->base.total == 1 && node->head.total == 1);
	pair_clear(&pair);
}

static void known_changes_are_summed_on_their_own(void **state)
{
	(void)state;
	Pair pair = pair_new(PAIR_BASE, PAIR_HEAD);
	g_autofree double *known = g_new0(double, stack_table_n_stacks(pair.table));
	known[sample_stack(pair.table, NULL, "main;foo").index] = 1;
	known[sample_stack(pair.table, NULL, "main;gone").index] = -40;
	FlameInput input = {.base = pair.base, .head = pair.head, .known = known};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	assert_true(find(layout, pair.table, "main")->known_change == 1 - 40);
	assert_true(find(layout, pair.table, "main;keep")->known_change == 0);
	pair_clear(&pair);
}

static void nothing_measured_is_the_bottom_alone(void **state)
{
	(void)state;
	FlameInput nothing = {0};
	g_autoptr(FlameLayout) layout = flame_layout_new(&nothing);
	assert_int_equal(layout->nodes->len, 1);
	assert_true(flame_layout_node(layout, 0)->width == 0);

	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) empty = profile_new(table, "cpu-clock", "ns");
	FlameInput input = {.base = empty, .head = empty};
	g_autoptr(FlameLayout) other = flame_layout_new(&input);
	assert_int_equal(other->nodes->len, 1);
}

static void a_head_without_cost_leaves_the_base_visible(void **state)
{
	(void)state;
	Pair pair = pair_new(PAIR_BASE, "main;foo 0\n");
	g_autoptr(FlameLayout) layout = pair_layout(&pair, FLAME_WIDTH_UNION);
	assert_close(find(layout, pair.table, "main;keep")->width, 100. / 151);
	assert_true(flame_layout_node(layout, 0)->head.total == 0);
	pair_clear(&pair);
}

/* The room of those that are left out is at the right edge, so the others stand beside each other. */
static void what_is_left_out_makes_no_gap_between_siblings(void **state)
{
	(void)state;
	Pair pair = pair_new("main;a 1\nmain;b 500\nmain;c 2\nmain;d 497\n", "main 1\n");
	FlameInput input = {.base = pair.base, .head = pair.head, .width = FLAME_WIDTH_BASE, .min_share = .01};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	assert_close(find(layout, pair.table, "main;b")->x, 0);
	assert_close(find(layout, pair.table, "main;d")->x, .5);
	assert_int_equal(layout->cut_frames, 2);
	pair_clear(&pair);
}

static void a_larger_total_leaves_room_at_the_right(void **state)
{
	(void)state;
	Pair pair = pair_new("main;a 30\nmain;b 20\n", "main;a 30\nmain;b 20\n");
	FlameInput input = {.head = pair.head, .width = FLAME_WIDTH_HEAD, .total = 200};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	const FlameNode *bottom = flame_layout_node(layout, 0);
	assert_true(bottom->width == 1 && bottom->head.total == 200 && bottom->head.self == 150);
	assert_close(find(layout, pair.table, "main")->width, .25);
	input.total = 10; /* less than what is there */
	g_autoptr(FlameLayout) other = flame_layout_new(&input);
	assert_true(flame_layout_node(other, 0)->head.total == 50);
	pair_clear(&pair);
}

/* "parse<main" of a reversed layout: the names from the bottom up; NULL if there is none. */
static const FlameNode *find_reversed(const FlameLayout *layout, const StackTable *table, const char *names)
{
	for (guint i = 1; i < layout->nodes->len; i++) {
		const FlameNode *node = flame_layout_node(layout, i);
		g_autoptr(GString) path = g_string_new(NULL);
		for (const FlameNode *at = node; at->depth > 0; at = flame_layout_node(layout, at->parent)) {
			const char *name = stack_table_frame_name(table, stack_table_leaf(table, at->stack));
			g_string_prepend(path, name);
			if (at->depth > 1)
				g_string_prepend(path, "<");
		}
		if (strcmp(path->str, names) == 0)
			return node;
	}
	return NULL;
}

static FlameLayout *reversed_layout(const Pair *pair, FlameWidth width)
{
	FlameInput input = {.base = pair->base, .head = pair->head, .width = width, .reversed = TRUE};
	return flame_layout_new(&input);
}

static void reversed_stacks_are_merged_from_their_leaves(void **state)
{
	(void)state;
	Pair pair = pair_new("main;a;read 10\nmain;b;read 20\nmain;b 5\nread 1\n", "main;a;read 4\n");
	g_autoptr(FlameLayout) layout = reversed_layout(&pair, FLAME_WIDTH_BASE);
	const FlameNode *read = find_reversed(layout, pair.table, "read");
	assert_true(read->base.total == 31 && read->head.total == 4 && read->base.self == 1);
	assert_close(read->width, 31. / 36);
	assert_true(find_reversed(layout, pair.table, "read<b")->base.total == 20);
	assert_true(find_reversed(layout, pair.table, "read<b<main")->base.self == 20);
	assert_true(find_reversed(layout, pair.table, "b")->base.total == 5);
	assert_null(find_reversed(layout, pair.table, "main"));
	check_sums(layout);
	pair_clear(&pair);
}

/* Every way to a frame is one node, however many stacks lead there. */
static void reversed_recursion_keeps_the_sums(void **state)
{
	(void)state;
	Pair pair = pair_new("m;r;r;r 4\nm;r;r 3\nm;r 2\nm;x;r 1\nm 6\n", "m;r;r 9\n");
	static const FlameWidth widths[] = {FLAME_WIDTH_UNION, FLAME_WIDTH_BASE, FLAME_WIDTH_HEAD, FLAME_WIDTH_SUM};
	for (gsize i = 0; i < G_N_ELEMENTS(widths); i++) {
		g_autoptr(FlameLayout) layout = reversed_layout(&pair, widths[i]);
		check_sums(layout);
		assert_true(find_reversed(layout, pair.table, "r")->head.total == 9);
		assert_true(find_reversed(layout, pair.table, "r<r<m")->head.self == 9);
	}
	g_autoptr(FlameLayout) layout = reversed_layout(&pair, FLAME_WIDTH_BASE);
	assert_true(find_reversed(layout, pair.table, "r<m")->base.total == 2);
	assert_true(find_reversed(layout, pair.table, "r<r")->base.total == 7);
	pair_clear(&pair);
}

static void a_long_reversed_chain_ends_in_one_node(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "samples", "samples");
	StackId stack = STACK_ROOT;
	profile_add_run(profile);
	for (guint i = 0; i < 20000; i++)
		stack = sample_push(table, stack, "again");
	profile_add(profile, 0, stack, (ProfileCell){7, 7});
	FlameInput input = {.head = profile, .width = FLAME_WIDTH_HEAD, .reversed = TRUE};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	const FlameNode *last = flame_layout_node(layout, layout->nodes->len - 1);
	assert_int_equal(layout->depth, FLAME_MAX_DEPTH + 1);
	assert_int_equal(last->hidden_frames, 20000 - FLAME_MAX_DEPTH);
	assert_true(last->head.total == 7 && last->head.samples == 7);
}

static void reversed_frames_that_are_narrow_are_left_out_and_counted(void **state)
{
	(void)state;
	Pair pair = pair_new("m;a 500\nm;b 2\nm;c 498\n", "m;a 1\n");
	FlameInput input = {
	        .base = pair.base, .head = pair.head, .width = FLAME_WIDTH_BASE, .min_share = .01, .reversed = TRUE};
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	assert_null(find_reversed(layout, pair.table, "b"));
	assert_close(find_reversed(layout, pair.table, "c")->x, .5);
	assert_true(layout->cut_frames == 1 && layout->cut_is_least && layout->cut_base.total == 2);
	pair_clear(&pair);
}

static void nothing_reversed_is_the_bottom_alone(void **state)
{
	(void)state;
	FlameInput nothing = {.reversed = TRUE};
	g_autoptr(FlameLayout) layout = flame_layout_new(&nothing);
	assert_int_equal(layout->nodes->len, 1);
	assert_true(flame_layout_node(layout, 0)->width == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(vanished_and_new_frames_have_their_place),
	        cmocka_unit_test(changes_add_up_and_children_fit_in_every_mode),
	        cmocka_unit_test(children_that_trade_places_fit_into_their_parent),
	        cmocka_unit_test(a_frame_is_drawn_once_however_its_stacks_sort),
	        cmocka_unit_test(siblings_are_in_order_of_name),
	        cmocka_unit_test(costs_are_per_run_and_unit_of_work),
	        cmocka_unit_test(what_rounding_leaves_is_no_change),
	        cmocka_unit_test(narrow_frames_are_left_out_and_counted),
	        cmocka_unit_test(the_widest_frames_are_drawn_and_the_others_counted),
	        cmocka_unit_test(a_frames_own_cost_may_come_first),
	        cmocka_unit_test(endless_recursion_becomes_one_frame_that_says_how_many),
	        cmocka_unit_test(what_is_too_deep_and_too_narrow_is_counted),
	        cmocka_unit_test(swapping_the_sides_negates_every_change),
	        cmocka_unit_test(work_scales_a_side_without_losing_small_counts),
	        cmocka_unit_test(known_changes_are_summed_on_their_own),
	        cmocka_unit_test(nothing_measured_is_the_bottom_alone),
	        cmocka_unit_test(a_head_without_cost_leaves_the_base_visible),
	        cmocka_unit_test(what_is_left_out_makes_no_gap_between_siblings),
	        cmocka_unit_test(a_larger_total_leaves_room_at_the_right),
	        cmocka_unit_test(reversed_stacks_are_merged_from_their_leaves),
	        cmocka_unit_test(reversed_recursion_keeps_the_sums),
	        cmocka_unit_test(a_long_reversed_chain_ends_in_one_node),
	        cmocka_unit_test(reversed_frames_that_are_narrow_are_left_out_and_counted),
	        cmocka_unit_test(nothing_reversed_is_the_bottom_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
