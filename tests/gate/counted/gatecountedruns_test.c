/* SPDX-License-Identifier: Apache-2.0 */
/* The number of runs under valgrind, and the time that they are expected to take. */
#include "gate/counted/gatecountedruns.h"

#include "tests/gate/fixture/gatefixture.h"

static void runs_are_told_in_words(void **state)
{
	static const struct {
		guint runs[N_SIDES];
		const char *text;
	} cases[] = {
	        {{2, 1}, "base twice and head once"},
	        {{1, 0}, "base once"},
	        {{0, 3}, "head 3 times"},
	        {{5, 4}, "base 5 times and head 4 times"},
	        {{0, 0}, ""},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = gate_counted_runs_text(cases[i].runs);
		assert_string_equal(text, cases[i].text);
	}
}

/* --- from what is known already --- */

/* `n` runs under valgrind that took so many seconds each; NULL for none. */
static Measurement *runs_of(guint n, double seconds)
{
	Measurement *measurement = n > 0 ? measurement_new("work", "b", "t") : NULL;
	const RunFacts facts = {.wall_ns = (guint64)(seconds * 1e9)};
	for (guint i = 0; i < n; i++)
		g_array_append_val(measurement->runs, facts);
	return measurement;
}

/* The time that counting is expected to take where base has `n` stored runs. */
static double expected_s(guint n, double seconds)
{
	g_autoptr(Measurement) stored = runs_of(n, seconds);
	GateBase base = {.stored = stored};
	g_autoptr(GPtrArray) bases = g_ptr_array_new();
	g_ptr_array_add(bases, &base);
	const Gate gate = {.bases = bases};
	return gate_counted_expected_s(&gate, 0);
}

static void nothing_is_expected_where_nothing_is_stored(void **state)
{
	(void)state;
	assert_true(expected_s(0, 0) == 0);
}

/* One stored run cannot show that it repeats, so head makes two. */
static void one_stored_run_makes_two_runs_of_head_expected(void **state)
{
	(void)state;
	assert_true(expected_s(1, 3) == 6);
	assert_true(expected_s(2, 3) == 3);
	assert_true(expected_s(5, 3) == 3);
}

static double run_s(guint n_base, guint n_head)
{
	g_autoptr(Measurement) base = runs_of(n_base, 3), head = runs_of(n_head, 7);
	const GateCounted job = {.counts = {.measurements = {base, head}}};
	return gate_counted_run_s(&job);
}

static void head_tells_better_than_base_what_a_run_takes(void **state)
{
	(void)state;
	assert_true(run_s(2, 1) == 7);
	assert_true(run_s(2, 0) == 3);
	assert_true(run_s(0, 0) == 0);
}

static void base_is_stored_as_long_as_nothing_says_otherwise(void **state)
{
	static const struct {
		gboolean two_sides, is_stored, same_as_stored;
		BaseSource source;
	} cases[] = {
	        {FALSE, FALSE, FALSE, BASE_NONE},
	        {TRUE, TRUE, FALSE, BASE_STORED},
	        {TRUE, FALSE, TRUE, BASE_STORED},
	        {TRUE, FALSE, FALSE, BASE_MEASURED},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Gate gate = {.two_sides = cases[i].two_sides};
		const GateCounted job = {
		        .gate = &gate,
		        .counts = {.base_is_stored = cases[i].is_stored},
		        .same_as_stored = cases[i].same_as_stored,
		};
		assert_int_equal(gate_counted_base_source(&job), cases[i].source);
	}
}

/* --- whole checks --- */

static void a_side_alone_is_counted_twice(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	assert_ends(gate_fixture_measure(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_HEAD], 2);
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
}

/* A run that cannot end in time only takes the time that others need. */
static void a_run_that_is_too_long_for_the_rest_is_not_begun(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, "main 2000 100000\n");
	assert_ends(gate_fixture_measure(f), 0, "");
	memset(fake_host.counted, 0, sizeof fake_host.counted);
	f->request.max_time_s = 80;
	gate_fixture_head(f, "main 2000 100000\n\n");
	assert_ends(gate_fixture_check(f), 3, NOT_MEASURED);
	assert_int_equal(fake_host.counted[SIDE_HEAD], 0);
}

#define MARGIN(margin)                                                                                                 \
	"version: 1\nbenchmarks: [{name: work, command: ./work, engines: [callgrind],\n"                               \
	"  gate: {instructions: {margin: " margin "}}}]\n"

/* The change that a self-test plants under this configuration, as a share of base. */
static double planted(GateFixture *f, const char *config)
{
	f->request.mode = CHECK_SELF_TEST;
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	const ResultBenchmark *row = only_benchmark(f->result);
	return metric_median(measurement_metric(row->head, &engine_callgrind, "instructions")) /
	               metric_median(measurement_metric(row->base, &engine_callgrind, "instructions")) -
	       1;
}

static void a_self_test_plants_three_margins(void **state)
{
	double share = planted(*state, MARGIN("10%"));
	assert_true(share > .27 && share < .33);
}

/* Three times nothing would be found by nobody. */
static void a_self_test_plants_something_also_without_a_margin(void **state)
{
	assert_true(planted(*state, MARGIN("0%")) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(runs_are_told_in_words),
	        cmocka_unit_test(nothing_is_expected_where_nothing_is_stored),
	        cmocka_unit_test(one_stored_run_makes_two_runs_of_head_expected),
	        cmocka_unit_test(head_tells_better_than_base_what_a_run_takes),
	        cmocka_unit_test(base_is_stored_as_long_as_nothing_says_otherwise),
	        GATE_TEST(a_side_alone_is_counted_twice),
	        GATE_TEST(a_run_that_is_too_long_for_the_rest_is_not_begun),
	        GATE_TEST(a_self_test_plants_three_margins),
	        GATE_TEST(a_self_test_plants_something_also_without_a_margin),
	};
	return run_gate_tests(tests);
}
