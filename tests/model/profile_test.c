/* SPDX-License-Identifier: Apache-2.0 */
#include "model/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct {
	StackTable *table;
	Profile *profile;
	FrameId main_frame, f;
	StackId at_main, at_f;
} Example;

static int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->table = stack_table_new();
	e->profile = profile_new(e->table, "cpu-clock:u", "ns");
	e->main_frame = stack_table_frame_named(e->table, "main", "prog", FRAME_USER);
	e->f = stack_table_frame_named(e->table, "f", "prog", FRAME_USER);
	e->at_main = stack_table_push(e->table, STACK_ROOT, e->main_frame);
	e->at_f = stack_table_push(e->table, e->at_main, e->f);
	profile_add_run(e->profile);
	profile_add_run(e->profile);
	*state = e;
	return 0;
}

static int tear_down(void **state)
{
	Example *e = *state;
	profile_free(e->profile);
	stack_table_unref(e->table);
	g_free(e);
	return 0;
}

static void costs_of_one_stack_add_up(void **state)
{
	Example *e = *state;
	profile_add(e->profile, 1, e->at_f, (ProfileCell){1, 500});
	profile_add(e->profile, 1, e->at_f, (ProfileCell){2, 700});
	assert_int_equal(profile_cell(e->profile, 1, e->at_f).samples, 3);
	assert_int_equal(profile_cell(e->profile, 1, e->at_f).weight, 1200);
	assert_int_equal(profile_cell(e->profile, 0, e->at_f).weight, 0);
	assert_int_equal(profile_cell(e->profile, 1, e->at_main).weight, 0);
}

static void sums_stop_at_the_largest_number(void **state)
{
	Example *e = *state;
	profile_add(e->profile, 0, e->at_f, (ProfileCell){1, G_MAXUINT64 - 1});
	profile_add(e->profile, 0, e->at_f, (ProfileCell){1, 5});
	profile_add(e->profile, 0, e->at_main, (ProfileCell){1, 5});
	assert_true(profile_cell(e->profile, 0, e->at_f).weight == G_MAXUINT64);
	assert_true(profile_run_total(e->profile, 0).weight == G_MAXUINT64);
	assert_int_equal(profile_run_total(e->profile, 0).samples, 3);
}

static void totals_go_over_stacks_or_over_runs(void **state)
{
	Example *e = *state;
	profile_add(e->profile, 0, e->at_f, (ProfileCell){1, 10});
	profile_add(e->profile, 0, e->at_main, (ProfileCell){1, 20});
	profile_add(e->profile, 1, e->at_f, (ProfileCell){1, 40});
	assert_int_equal(profile_run_total(e->profile, 0).weight, 30);
	assert_int_equal(profile_run_total(e->profile, 1).weight, 40);
	assert_int_equal(profile_stack_total(e->profile, e->at_f).weight, 50);
}

static void self_cost_goes_to_the_leaf_only(void **state)
{
	Example *e = *state;
	guint n_frames;
	StackId recursive = stack_table_push(e->table, e->at_f, e->f);
	profile_add(e->profile, 0, e->at_f, (ProfileCell){1, 10});
	profile_add(e->profile, 0, recursive, (ProfileCell){1, 5});
	profile_add(e->profile, 1, e->at_main, (ProfileCell){4, 20});
	g_autofree ProfileCell *self = profile_self_by_frame(e->profile, &n_frames);
	assert_int_equal(n_frames, 2);
	assert_int_equal(self[e->f.index * 2 + 0].weight, 15);
	assert_int_equal(self[e->f.index * 2 + 1].weight, 0);
	assert_int_equal(self[e->main_frame.index * 2 + 0].weight, 0);
	assert_int_equal(self[e->main_frame.index * 2 + 1].samples, 4);
}

static void costs_in_parts_of_a_unit_are_written_in_units(void **state)
{
	Example *e = *state;
	g_autoptr(GString) out = g_string_new(NULL);
	profile_add(e->profile, 1, e->at_f, (ProfileCell){3, 4});
	assert_true(profile_rescale(e->profile, 1000));
	assert_int_equal(profile_cell(e->profile, 1, e->at_f).samples, 3000);
	assert_int_equal(profile_cell(e->profile, 1, e->at_f).weight, 4000);
	const guint64 weights[] = {0, 2000, 1750, 5, 1010};
	for (guint i = 0; i < G_N_ELEMENTS(weights); i++) {
		profile_append_cost(out, e->profile, weights[i]);
		g_string_append_c(out, ' ');
	}
	assert_string_equal(out->str, "0 2 1.75 0.005 1.01 ");
}

/* Saturated, all costs would be the same. */
static void costs_that_are_too_large_for_a_scale_keep_theirs(void **state)
{
	Example *e = *state;
	profile_add(e->profile, 0, e->at_main, (ProfileCell){1, 7});
	profile_add(e->profile, 1, e->at_f, (ProfileCell){3, G_MAXUINT64 / 500});
	assert_false(profile_rescale(e->profile, 1000));
	assert_int_equal(e->profile->scale, 1);
	assert_int_equal(profile_cell(e->profile, 0, e->at_main).weight, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(costs_of_one_stack_add_up, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(sums_stop_at_the_largest_number, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(totals_go_over_stacks_or_over_runs, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(self_cost_goes_to_the_leaf_only, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(costs_in_parts_of_a_unit_are_written_in_units, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(costs_that_are_too_large_for_a_scale_keep_theirs, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
