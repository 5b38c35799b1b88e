/* SPDX-License-Identifier: Apache-2.0 */
/* Advice that makes a timed benchmark tell more. */
#include "gate/timed/gateadvice.h"

#include "tests/gate/fixture/gatefixture.h"

static const CheckResult *check_equal(GateFixture *f, const char *config)
{
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	return gate_fixture_check(f);
}

static void few_samples_are_told_with_what_would_do(void **state)
{
	fake_host.samples = 50;
	const CheckResult *result = check_equal(*state, TIMED);
	assert_ends(result, 0, "");
	assert_says(found(result, "few_samples")->text, "500 samples of base and 500 of head in 10 rounds");
	assert_says(found(result, "few_samples")->text, "4.0 times the work");
}

static void enough_samples_are_not_told(void **state)
{
	assert_not_found(check_equal(*state, TIMED), "few_samples");
}

static void noise_is_told_with_the_rounds_that_it_takes(void **state)
{
	fake_host.noise = .15;
	const CheckResult *result = check_equal(*state, TIMED);
	const Finding *finding = found(result, "noisy_benchmark");
	assert_int_equal(finding->severity, FINDING_WARNING);
	assert_says(finding->text, "too noisy: only changes above");
	assert_says(finding->text, "Longer runs help: ");
}

/* "68.3 times the work (rounds of 79 s)" is no advice. */
static void a_benchmark_is_not_to_be_made_a_hundred_times_as_long(void **state)
{
	fake_host.noise = .3;
	const CheckResult *result = check_equal(*state, TIMED);
	const Finding *finding = found(result, "noisy_benchmark");
	assert_null(strstr(finding->text, "Longer runs help"));
	assert_says(finding->text, "What helps: ");
}

static void what_does_not_gate_is_not_too_noisy(void **state)
{
	fake_host.noise = .1;
	const CheckResult *result = check_equal(
	        *state, "version: 1\nbenchmarks: [{name: work, command: ./work, gate: {page-faults: {margin: 2%}}}]\n");
	assert_not_found(result, "noisy_benchmark");
}

static void rounds_that_were_cut_short_show_only_that(void **state)
{
	GateFixture *f = *state;
	fake_host.samples = 50;
	fake_host.noise = .1;
	f->request.mode = CHECK_CALIBRATE;
	f->request.max_time_s = 9;
	check_equal(f, TIMED);
	assert_not_found(f->result, "few_samples");
	assert_not_found(f->result, "noisy_benchmark");
}

static void a_program_that_is_one_function_may_lack_its_callers(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, "main 500 1000\n");
	gate_fixture_head(f, "main 500 1000\n\n");
	gate_fixture_check(f);
	assert_says(found(f->result, "shallow_stacks")->text, "unwind: dwarf");
}

static void sides_that_do_other_amounts_of_work_are_told(void **state)
{
	GateFixture *f = *state;
	fake_host.work[SIDE_BASE] = 10;
	fake_host.work[SIDE_HEAD] = 11;
	check_equal(f, "version: 1\nbenchmarks: [{name: work, command: ./work, work: reported}]\n");
	assert_says(found(f->result, "work_differs")->text, "10 units of work and one of head 11");
}

static void sides_that_do_the_same_work_are_not_told(void **state)
{
	assert_not_found(check_equal(*state, TIMED), "work_differs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(few_samples_are_told_with_what_would_do),
	        GATE_TEST(enough_samples_are_not_told),
	        GATE_TEST(noise_is_told_with_the_rounds_that_it_takes),
	        GATE_TEST(a_benchmark_is_not_to_be_made_a_hundred_times_as_long),
	        GATE_TEST(what_does_not_gate_is_not_too_noisy),
	        GATE_TEST(rounds_that_were_cut_short_show_only_that),
	        GATE_TEST(a_program_that_is_one_function_may_lack_its_callers),
	        GATE_TEST(sides_that_do_other_amounts_of_work_are_told),
	        GATE_TEST(sides_that_do_the_same_work_are_not_told),
	};
	return run_gate_tests(tests);
}
