/* SPDX-License-Identifier: Apache-2.0 */
/* Which size of the pieces of stack is chosen, and that all rounds of both sides use it. */
#include "runner/record/stackpiece.h"
#include "tests/runner/campaignfixture.h"

/* Of a thousand samples, `lacking` each lack something with the first `n` sizes. */
static StackPieceCounts lacking_with(guint n, guint64 lacking)
{
	StackPieceCounts counts = {.samples = 1000, .buffer_bytes = 16 << 20};
	for (guint i = 0; i < n; i++)
		counts.lacking[i] = lacking;
	return counts;
}

static guint choose(StackPieceCounts base, StackPieceCounts head, RecorderStacks stacks)
{
	const StackPieceCounts *there[] = {&base, &head}, *back[] = {&head, &base};
	guint chosen = stack_piece_choose(there, 2, stacks);
	assert_int_equal(stack_piece_choose(back, 2, stacks), chosen);
	return chosen;
}

static void sizes_ascend_up_to_the_most_that_is_taken_unasked(void **state)
{
	(void)state;
	for (guint i = 1; i < STACK_PIECE_SIZES; i++)
		assert_true(stack_piece_size(i) > stack_piece_size(i - 1) && stack_piece_size(i) % 8 == 0);
	assert_int_equal(stack_piece_size(STACK_PIECE_SIZES - 1), STACK_PIECE_MAX);
}

static void a_larger_size_is_the_next_one_up_to_the_kernels_limit(void **state)
{
	(void)state;
	assert_int_equal(stack_piece_larger(256), 3072);
	assert_int_equal(stack_piece_larger(3072), 6144);
	assert_int_equal(stack_piece_larger(STACK_PIECE_MAX), STACK_PIECE_LIMIT);
	assert_int_equal(stack_piece_larger(STACK_PIECE_LIMIT), 0);
}

static void the_smallest_size_that_is_enough_is_chosen(void **state)
{
	static const struct {
		guint n;
		guint64 lacking;
		guint leaf, dwarf;
	} cases[] = {
	        {0, 0, 3072, 16384},
	        {1, 10, 3072, 16384}, /* one in a hundred is few enough */
	        {1, 11, 6144, 16384},
	        {3, 300, 16384, 16384},
	        {4, 300, 24576, 24576},
	        {5, 1000, STACK_PIECE_MAX, STACK_PIECE_MAX},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		StackPieceCounts counts = lacking_with(cases[i].n, cases[i].lacking);
		assert_int_equal(choose(counts, counts, RECORDER_LEAF_REPAIR), cases[i].leaf);
		assert_int_equal(choose(counts, counts, RECORDER_DWARF), cases[i].dwarf);
	}
}

static void the_side_that_needs_more_decides_for_both(void **state)
{
	(void)state;
	assert_int_equal(choose(lacking_with(0, 0), lacking_with(2, 50), RECORDER_LEAF_REPAIR), 12288);
}

static void a_side_without_samples_has_no_say(void **state)
{
	(void)state;
	assert_int_equal(
	        choose((StackPieceCounts){.buffer_bytes = 16 << 20}, lacking_with(1, 50), RECORDER_LEAF_REPAIR), 6144);
	assert_int_equal(choose((StackPieceCounts){0}, (StackPieceCounts){0}, RECORDER_LEAF_REPAIR), 0);
}

/* Samples that find no room are lost, and that makes a measurement invalid. */
static void small_buffers_keep_pieces_small(void **state)
{
	StackPieceCounts small = lacking_with(5, 500);
	(void)state;
	small.buffer_bytes = 128 << 10;
	assert_int_equal(choose(small, lacking_with(5, 500), RECORDER_LEAF_REPAIR), 3072);
	small.buffer_bytes = 1 << 20;
	assert_int_equal(choose(small, lacking_with(5, 500), RECORDER_LEAF_REPAIR), 16384);
}

/* --- campaigns --- */

static const FakeRun *run_at(const Fixture *f, guint i)
{
	return &g_array_index(f->fake.runs, FakeRun, i);
}

/* The first two runs are the warm-up. */
static void assert_runs(const Fixture *f, gboolean weighs, guint warm_up_bytes, guint stack_bytes)
{
	for (guint i = 0; i < f->fake.runs->len; i++) {
		assert_int_equal(run_at(f, i)->weighs, weighs && i < 2);
		assert_int_equal(run_at(f, i)->stack_bytes, i < 2 ? warm_up_bytes : stack_bytes);
	}
}

static void the_warm_up_chooses_the_size_for_all_rounds_of_both_sides(void **state)
{
	Fixture *f = *state;
	f->decided_after = 20;
	f->fake.pieces[SIDE_BASE] = lacking_with(1, 400);
	f->fake.pieces[SIDE_HEAD] = lacking_with(2, 160);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->stack_bytes, 12288);
	assert_runs(f, TRUE, 0, 12288);
	assert_says(f->talk->str, "12288 bytes of stack");
}

static void what_the_configuration_says_is_taken_as_it_is(void **state)
{
	Fixture *f = *state;
	ConfigBenchmark *benchmark = f->config->benchmarks->pdata[0];
	benchmark->stack_bytes = 4096;
	f->fake.pieces[SIDE_BASE] = lacking_with(3, 400);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->stack_bytes, 4096);
	assert_runs(f, FALSE, 4096, 4096);
}

static void frame_pointers_alone_need_no_piece(void **state)
{
	Fixture *f = *state;
	ConfigBenchmark *benchmark = f->config->benchmarks->pdata[0];
	benchmark->unwind = RECORDER_FRAME_POINTERS;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->stack_bytes, 0);
	assert_runs(f, FALSE, 0, 0);
}

static void a_single_side_chooses_for_itself(void **state)
{
	Fixture *f = *state;
	f->plan.sides[SIDE_HEAD] = NULL;
	f->fake.pieces[SIDE_BASE] = lacking_with(1, 400);
	f->fake.pieces[SIDE_HEAD] = lacking_with(5, 400);
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->stack_bytes, 6144);
}

/* Also where both sides run alone once more, between rounds. */
static void the_size_stays_when_rounds_become_sequential(void **state)
{
	Fixture *f = *state;
	f->fake.pieces[SIDE_BASE] = lacking_with(1, 400);
	f->fake.pieces[SIDE_HEAD] = lacking_with(0, 0);
	f->fake.beside_factor = 3;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_runs(f, TRUE, 0, 6144);
}

/* Those of rounds that were given up are not counted. */
static void stacks_that_ended_early_are_counted_in_the_rounds_that_count(void **state)
{
	Fixture *f = *state;
	f->fake.pieces[SIDE_BASE].cut = 1;
	f->fake.pieces[SIDE_HEAD].cut = 2;
	f->fake.beside_factor = 3;
	g_autoptr(Campaign) campaign = fixture_must_run(f, SCHEDULE_AUTO);
	assert_int_equal(campaign->schedule, SCHEDULE_SEQUENTIAL);
	assert_int_equal(campaign->cut_stacks, 3 * campaign->rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sizes_ascend_up_to_the_most_that_is_taken_unasked),
	        cmocka_unit_test(a_larger_size_is_the_next_one_up_to_the_kernels_limit),
	        cmocka_unit_test(the_smallest_size_that_is_enough_is_chosen),
	        cmocka_unit_test(the_side_that_needs_more_decides_for_both),
	        cmocka_unit_test(a_side_without_samples_has_no_say),
	        cmocka_unit_test(small_buffers_keep_pieces_small),
	        FIXTURE_TEST(the_warm_up_chooses_the_size_for_all_rounds_of_both_sides),
	        FIXTURE_TEST(what_the_configuration_says_is_taken_as_it_is),
	        FIXTURE_TEST(frame_pointers_alone_need_no_piece),
	        FIXTURE_TEST(a_single_side_chooses_for_itself),
	        FIXTURE_TEST(the_size_stays_when_rounds_become_sequential),
	        FIXTURE_TEST(stacks_that_ended_early_are_counted_in_the_rounds_that_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
