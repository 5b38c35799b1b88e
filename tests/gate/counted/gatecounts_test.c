/* SPDX-License-Identifier: Apache-2.0 */
/* The runs under valgrind: which of them are made at once, how long each may take, and which failures are tried again.
 */
#include "gate/counted/gatecounts.h"

#include "tests/gate/fixture/gatefixture.h"

#define WITH(more) "version: 1\nbenchmarks: [{name: work, command: ./work, engines: [callgrind]" more "}]\n"

static guint most_together;
static gint64 least_timeout_ms;

static void watch(FakeRun *run)
{
	most_together = MAX(most_together, run->together);
	least_timeout_ms = MIN(least_timeout_ms, run->benchmark->timeout_ms);
}

/* A check of two equal sides whose runs are watched. */
static const CheckResult *check_watched(GateFixture *f, const char *config)
{
	most_together = 0;
	least_timeout_ms = G_MAXINT64;
	if (fake_host.on_run == NULL)
		fake_host.on_run = watch;
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	return gate_fixture_check(f);
}

static void sides_are_counted_beside_each_other_where_there_are_cpus(void **state)
{
	assert_ends(check_watched(*state, COUNTED), 0, "");
	assert_int_equal(most_together, 2);
}

static void on_one_processor_they_are_counted_one_after_the_other(void **state)
{
	fake_host.processors = 1;
	assert_ends(check_watched(*state, COUNTED), 0, "");
	assert_int_equal(most_together, 1);
}

static void a_sequential_benchmark_is_counted_alone(void **state)
{
	const CheckResult *result = check_watched(*state, WITH(", schedule: sequential"));
	assert_ends(result, 0, "");
	assert_int_equal(most_together, 1);
	assert_not_found(result, "cannot_run_beside_itself");
}

static void the_command_line_has_the_last_word_on_that(void **state)
{
	GateFixture *f = *state;
	f->request.schedule = SCHEDULE_SEQUENTIAL;
	assert_ends(check_watched(f, WITH(", schedule: coscheduled")), 0, "");
	assert_int_equal(most_together, 1);
}

static void without_a_limit_a_run_has_its_own_timeout(void **state)
{
	check_watched(*state, WITH(", timeout: 90s"));
	assert_int_equal(least_timeout_ms, 90000);
}

/* It counts VALGRIND_SLOWDOWN-fold. */
static void with_a_limit_a_run_ends_in_time(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 1000;
	assert_ends(check_watched(f, WITH(", timeout: 90s")), 0, "");
	assert_in_range(least_timeout_ms, 1, 1000 * 1000 / VALGRIND_SLOWDOWN);
}

/* With `heap` a run is two, one after the other. */
static void two_programs_of_a_run_share_its_time(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 1000;
	check_watched(f, WITH(", timeout: 90s, heap: true"));
	assert_in_range(least_timeout_ms, 1, 1000 * 1000 / VALGRIND_SLOWDOWN / 2);
}

static void the_time_of_runs_depends_on_what_is_made_at_once(void **state)
{
	static const guint more[N_SIDES] = {2, 1};
	GateCounts together = {.alone = FALSE}, alone = {.alone = TRUE};
	(void)state;
	assert_true(gate_counts_expected_s(&together, more, 5) == 10);
	assert_true(gate_counts_expected_s(&alone, more, 5) == 15);
}

static void stored_runs_count_as_runs_of_base(void **state)
{
	g_autoptr(Measurement) stored = measurement_new("work", "b", "t");
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	GateCounts counts = {.measurements = {stored, NULL}, .runs = {none, none}, .base_is_stored = TRUE};
	(void)state;
	g_array_set_size(stored->runs, 3);
	assert_int_equal(gate_counts_n_runs(&counts, SIDE_BASE), 3);
	assert_int_equal(gate_counts_n_runs(&counts, SIDE_HEAD), 0);
	counts.base_is_stored = FALSE;
	assert_int_equal(gate_counts_n_runs(&counts, SIDE_BASE), 0);
}

/* --- runs that fail --- */

static void fail_always(FakeRun *run)
{
	run->failure_code = "benchmark_failed";
	run->failure = "exit code 7";
}

/* It is not the twin that such a program does not bear. */
static void a_program_that_fails_alone_too_is_not_blamed_on_its_twin(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_always;
	assert_ends(check_watched(f, COUNTED), 4, "measurement_invalid");
	assert_not_found(f->result, "cannot_run_beside_itself");
	assert_says(((ResultReason *)f->result->reasons->pdata[0])->text, "run 1 under valgrind: exit code 7");
}

static void fail_once_for_good(FakeRun *run)
{
	if (run->together == 1 || run->number > 0)
		return;
	run->failure_code = "timeout";
}

/* More time would pass in the next try, too. */
static void a_timeout_is_not_tried_again(void **state)
{
	GateFixture *f = *state;
	fake_host.on_run = fail_once_for_good;
	assert_ends(check_watched(f, COUNTED), 4, "measurement_invalid");
	assert_int_equal(fake_host.counted[SIDE_BASE] + fake_host.counted[SIDE_HEAD], 2);
}

static guint failures;

static void lose_data(FakeRun *run)
{
	if (run->number >= failures)
		return;
	run->failure_code = "data_lost";
	run->retry = TRUE;
}

/* The check of a side alone whose first `n` runs lose data. */
static const CheckResult *measure_after(GateFixture *f, guint n)
{
	failures = n;
	fake_host.on_run = lose_data;
	gate_fixture_base(f, COUNTED, COSTS);
	return gate_fixture_measure(f);
}

static void three_lost_runs_are_made_again(void **state)
{
	GateFixture *f = *state;
	assert_ends(measure_after(f, 3), 0, "");
	assert_int_equal(fake_host.counted[SIDE_HEAD], 5);
	assert_int_equal(only_benchmark(f->result)->campaign.retries, 3);
}

static void a_fourth_lost_run_ends_the_measurement(void **state)
{
	assert_ends(measure_after(*state, 4), 4, "measurement_invalid");
	assert_int_equal(fake_host.counted[SIDE_HEAD], 4);
}

/* --- runs that the deadline ends --- */

/* A benchmark of ten seconds, which take 500 under valgrind. */
static const CheckResult *check_long(GateFixture *f, const char *config, double max_time_s)
{
	f->request.max_time_s = max_time_s;
	gate_fixture_base(f, config, "main 10000 1000\n");
	gate_fixture_head(f, "main 10000 1000\n\n");
	return gate_fixture_check(f);
}

static void a_run_that_the_deadline_ends_is_a_lack_of_time(void **state)
{
	assert_ends(check_long(*state, COUNTED, 100), 3, NOT_MEASURED);
}

static void a_run_that_its_own_timeout_ends_is_invalid(void **state)
{
	assert_ends(check_long(*state, WITH(", timeout: 1s"), 5000), 4, "measurement_invalid");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(sides_are_counted_beside_each_other_where_there_are_cpus),
	        GATE_TEST(on_one_processor_they_are_counted_one_after_the_other),
	        GATE_TEST(a_sequential_benchmark_is_counted_alone),
	        GATE_TEST(the_command_line_has_the_last_word_on_that),
	        GATE_TEST(without_a_limit_a_run_has_its_own_timeout),
	        GATE_TEST(with_a_limit_a_run_ends_in_time),
	        GATE_TEST(two_programs_of_a_run_share_its_time),
	        cmocka_unit_test(the_time_of_runs_depends_on_what_is_made_at_once),
	        cmocka_unit_test(stored_runs_count_as_runs_of_base),
	        GATE_TEST(a_program_that_fails_alone_too_is_not_blamed_on_its_twin),
	        GATE_TEST(a_timeout_is_not_tried_again),
	        GATE_TEST(three_lost_runs_are_made_again),
	        GATE_TEST(a_fourth_lost_run_ends_the_measurement),
	        GATE_TEST(a_run_that_the_deadline_ends_is_a_lack_of_time),
	        GATE_TEST(a_run_that_its_own_timeout_ends_is_invalid),
	};
	return run_gate_tests(tests);
}
