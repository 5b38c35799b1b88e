/* SPDX-License-Identifier: Apache-2.0 */
/* Findings about the profiles of a campaign: stacks that end too early, code of no file, and what would help. */
#include "gate/timed/gateprofiles.h"

#include "tests/gate/fixture/gatefixture.h"

#define WITH(more) "version: 1\nbenchmarks: [{name: work, command: ./work" more "}]\n"
#define ONE_FUNCTION "main 500 1000\n"

static const CheckResult *check(GateFixture *f, const char *config, const char *costs)
{
	g_autofree char *other = g_strconcat(costs, "\n", NULL);
	gate_fixture_base(f, config, costs);
	gate_fixture_head(f, other);
	return gate_fixture_check(f);
}

/* --- stacks that are not followed to their root --- */

static guint incomplete, cut;

static void lose_roots(FakeRun *run)
{
	run->incomplete = incomplete;
	run->cut = cut;
}

/* A check in which so many of the 200 samples of each run lack their root, `n_cut` for their piece of stack. */
static const CheckResult *check_incomplete(GateFixture *f, const char *config, guint n, guint n_cut)
{
	incomplete = n;
	cut = n_cut;
	fake_host.on_run = lose_roots;
	return check(f, config, COSTS);
}

static void some_stacks_without_a_root_are_not_told(void **state)
{
	assert_not_found(check_incomplete(*state, TIMED, 10, 0), "incomplete_stacks");
}

static void many_stacks_without_a_root_are_told(void **state)
{
	const Finding *finding = found(check_incomplete(*state, TIMED, 40, 0), "incomplete_stacks");
	assert_int_equal(finding->severity, FINDING_WARNING);
	assert_says(finding->text, "20 % of the stacks could not be followed to their root");
}

static void call_frame_information_helps_where_tables_are_used(void **state)
{
	assert_says(found(check_incomplete(*state, WITH(", unwind: dwarf"), 40, 0), "incomplete_stacks")->text,
	        "or with frame pointers and `unwind: leaf-repair`");
}

static void a_size_that_was_configured_may_be_too_small(void **state)
{
	assert_says(
	        found(check_incomplete(*state, WITH(", unwind: dwarf, stack_bytes: 512"), 40, 40), "incomplete_stacks")
	                ->text,
	        "they need more than `stack_bytes: 512`");
}

static void a_size_that_was_chosen_can_be_raised(void **state)
{
	assert_says(found(check_incomplete(*state, WITH(", unwind: dwarf"), 40, 40), "incomplete_stacks")->text,
	        "set `stack_bytes: 65528`");
}

static void no_size_is_larger_than_the_largest(void **state)
{
	assert_says(found(check_incomplete(*state, WITH(", unwind: dwarf, stack_bytes: 65528"), 40, 40),
	                    "incomplete_stacks")
	                    ->text,
	        "deeper than the largest piece of stack");
}

/* A larger piece helps only if most of them end with theirs. */
static void a_few_stacks_that_are_cut_do_not_make_it_the_size(void **state)
{
	const Finding *finding = found(check_incomplete(*state, WITH(", unwind: dwarf"), 40, 20), "incomplete_stacks");
	assert_null(strstr(finding->text, "stack_bytes"));
}

/* --- stacks of one frame --- */

static void stacks_with_callers_are_not_shallow(void **state)
{
	assert_not_found(check(*state, TIMED, COSTS), "shallow_stacks");
}

static void the_remedy_for_shallow_stacks_depends_on_how_they_are_made(void **state)
{
	assert_says(found(check(*state, WITH(", unwind: dwarf"), ONE_FUNCTION), "shallow_stacks")->text,
	        "is there call frame information");
}

/* --- code of no file --- */

static guint unknown;

static void run_unknown(FakeRun *run)
{
	run->unknown = unknown;
}

static const CheckResult *check_unknown(GateFixture *f, guint n)
{
	unknown = n;
	fake_host.on_run = run_unknown;
	return check(f, TIMED, COSTS);
}

static void code_of_no_file_is_told_from_a_twentieth_on(void **state)
{
	assert_says(found(check_unknown(*state, 20), "unknown_code")->text, "lie in code that belongs to no file");
}

static void a_little_code_of_no_file_is_not_told(void **state)
{
	assert_not_found(check_unknown(*state, 5), "unknown_code");
}

/* --- a program that is not the one that was built --- */

/* The code of the fake machine lies in no file of the checkout. */
static void a_program_from_elsewhere_is_told(void **state)
{
	assert_says(found(check(*state, TIMED, COSTS), "program_outside_tree")->text,
	        "nothing that it runs was built from the checkout");
}

/* --- the profiles themselves --- */

static void each_run_is_a_run_of_the_profile_of_its_side(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, SLOWER);
	gate_fixture_check(f);
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_int_equal(profile_n_runs(row->base->profile), measurement_n_runs(row->base));
	assert_int_equal(profile_run_total(row->head->profile, 0).samples, fake_host.samples);
	assert_ptr_equal(row->base->profile->table, row->head->profile->table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(some_stacks_without_a_root_are_not_told),
	        GATE_TEST(many_stacks_without_a_root_are_told),
	        GATE_TEST(call_frame_information_helps_where_tables_are_used),
	        GATE_TEST(a_size_that_was_configured_may_be_too_small),
	        GATE_TEST(a_size_that_was_chosen_can_be_raised),
	        GATE_TEST(no_size_is_larger_than_the_largest),
	        GATE_TEST(a_few_stacks_that_are_cut_do_not_make_it_the_size),
	        GATE_TEST(stacks_with_callers_are_not_shallow),
	        GATE_TEST(the_remedy_for_shallow_stacks_depends_on_how_they_are_made),
	        GATE_TEST(code_of_no_file_is_told_from_a_twentieth_on),
	        GATE_TEST(a_little_code_of_no_file_is_not_told),
	        GATE_TEST(a_program_from_elsewhere_is_told),
	        GATE_TEST(each_run_is_a_run_of_the_profile_of_its_side),
	};
	return run_gate_tests(tests);
}
