/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/verdict.h"

#include "compare/policy.h"
#include "compare/timed/waiting.h"
#include "tests/compare/synthetic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS 1e6

/* Both sides use the CPU for 250 ms a run; these are their waits. */
typedef struct {
	double base_ms, head_ms, noise_ms;
	double head_cpu_ms; /* 0 = as base */
	guint rounds;
} Plan;

static Measurement *side_of(const Plan *plan, gboolean is_head, guint64 *state)
{
	Measurement *side = measurement_new("one", is_head ? "head" : "base", "");
	double wait_ms = is_head ? plan->head_ms : plan->base_ms;
	double cpu_ms = is_head && plan->head_cpu_ms > 0 ? plan->head_cpu_ms : 250;
	for (guint run = 0; run < plan->rounds; run++) {
		RunFacts facts = {.round = run + 1};
		g_array_append_val(side->runs, facts);
		double noise_ms = plan->noise_ms * synthetic_normal(state);
		synthetic_value(side, "wait", "ns", run, MAX(0, wait_ms + noise_ms) * MS);
		synthetic_value(side, "task-clock", "ns", run, cpu_ms * (1 + .002 * synthetic_normal(state)) * MS);
	}
	return side;
}

typedef struct {
	Measurement *base, *head;
} Pair;

static Pair measured(Plan plan)
{
	guint64 state = 17;
	plan.rounds = plan.rounds > 0 ? plan.rounds : 8;
	Pair pair = {.base = side_of(&plan, FALSE, &state)};
	pair.head = side_of(&plan, TRUE, &state);
	return pair;
}

static void pair_clear(Pair *pair)
{
	measurement_free(pair->base);
	measurement_free(pair->head);
}

static WaitingChange change_of(Plan plan)
{
	Pair pair = measured(plan);
	WaitingChange change = waiting_compare(pair.base, pair.head, measurement_n_runs(pair.base));
	pair_clear(&pair);
	return change;
}

static void a_program_that_waits_alike_on_both_sides_did_not_change(void **state)
{
	(void)state;
	WaitingChange change = change_of((Plan){.base_ms = 600, .head_ms = 600, .noise_ms = 15});
	assert_int_equal(change.rounds, 8);
	assert_false(change.rose || change.fell || change.shifted || change.unknown);
	assert_null(waiting_text(&change));
	assert_null(waiting_objection(&change));
}

static void a_sleep_rises_and_takes_the_share_of_cpu_down(void **state)
{
	(void)state;
	WaitingChange change = change_of((Plan){.head_ms = 600, .noise_ms = 1});
	assert_true(change.rose && change.shifted && !change.fell);
	assert_true(fabs(change.change_ns / MS - 600) < 3);
	assert_true(change.base_share > .99 && fabs(change.head_share - .294) < .01);
	g_autofree char *text = waiting_text(&change), *objection = waiting_objection(&change);
	assert_non_null(strstr(text, "head waits "));
	assert_non_null(strstr(objection, "uses the CPU for 29 % of its time instead of "));
	assert_non_null(strstr(objection, "`waits: true`"));
}

static void work_that_moved_away_is_seen_though_cpu_time_fell(void **state)
{
	(void)state;
	WaitingChange change = change_of((Plan){.head_ms = 200, .head_cpu_ms = 50, .noise_ms = 5});
	assert_true(change.rose && change.shifted);
}

static void a_small_rise_is_told_and_keeps_nothing_from_passing(void **state)
{
	(void)state;
	WaitingChange change = change_of((Plan){.base_ms = 5, .head_ms = 35, .noise_ms = 1});
	assert_true(change.rose && !change.shifted);
	g_autofree char *text = waiting_text(&change);
	assert_non_null(text);
	assert_null(waiting_objection(&change));
}

static void a_rise_below_the_floor_is_none(void **state)
{
	(void)state;
	WaitingChange few = change_of((Plan){.head_ms = 9, .noise_ms = .1});
	assert_false(few.rose);
	/* two hundredths of two seconds */
	WaitingChange little = change_of((Plan){.base_ms = 1750, .head_ms = 1785, .noise_ms = .1});
	assert_false(little.rose);
}

static void a_fall_is_told_too(void **state)
{
	(void)state;
	WaitingChange change = change_of((Plan){.base_ms = 600, .noise_ms = 1});
	assert_true(change.fell && !change.rose && !change.shifted);
	g_autofree char *text = waiting_text(&change);
	assert_non_null(text);
}

static void six_rounds_are_too_few_to_tell(void **state)
{
	(void)state;
	WaitingChange six = change_of((Plan){.head_ms = 600, .rounds = 6});
	assert_false(six.rose || six.shifted);
	WaitingChange seven = change_of((Plan){.head_ms = 600, .rounds = 7});
	assert_true(seven.rose && seven.shifted);
}

static void forget_waits(Measurement *side, guint n)
{
	MetricSeries *wait = measurement_metric(side, &engine_perf, "wait");
	for (guint i = 0; i < n; i++)
		g_array_index(wait->values, double, i) = NAN;
}

static void a_head_that_hides_its_wait_does_not_pass(void **state)
{
	(void)state;
	Pair pair = measured((Plan){.noise_ms = 1});
	forget_waits(pair.head, 4);
	WaitingChange hidden = waiting_compare(pair.base, pair.head, 8);
	g_autofree char *objection = waiting_objection(&hidden);
	assert_true(hidden.unknown);
	assert_non_null(objection);
	forget_waits(pair.base, 8);
	WaitingChange none = waiting_compare(pair.base, pair.head, 8);
	assert_false(none.unknown);
	assert_int_equal(none.rounds, 0);
	pair_clear(&pair);
}

/* Rounds that base lost are not those that head lost, so fewer are left than either has. */
static void a_head_that_lost_more_than_base_and_leaves_no_bounds_hides_its_wait(void **state)
{
	static const struct {
		guint base_lost, head_lost;
		gboolean unknown;
	} rows[] = {{2, 4, TRUE}, {1, 4, FALSE}, {3, 3, FALSE}, {4, 2, FALSE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Pair pair = measured((Plan){.head_ms = 600, .noise_ms = 1, .rounds = 12});
		const MetricSeries *of_base = measurement_metric(pair.base, &engine_perf, "wait");
		forget_waits(pair.head, rows[i].head_lost);
		for (guint run = 0; run < rows[i].base_lost; run++)
			g_array_index(of_base->values, double, 11 - run) = NAN;
		WaitingChange change = waiting_compare(pair.base, pair.head, 12);
		assert_int_equal(change.rounds, 12 - rows[i].base_lost - rows[i].head_lost);
		assert_int_equal(change.unknown, rows[i].unknown);
		assert_int_equal(change.shifted, change.rounds >= WAITING_MIN_ROUNDS);
		pair_clear(&pair);
	}
}

/* Two of eight rounds are enough to leave no bounds; of a base that lost as many, nothing follows. */
static void a_head_that_loses_what_leaves_too_few_rounds_does_not_pass(void **state)
{
	static const struct {
		guint base_lost, head_lost;
		gboolean unknown;
	} rows[] = {{0, 1, FALSE}, {0, 2, TRUE}, {1, 2, TRUE}, {2, 2, FALSE}, {2, 3, FALSE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Pair pair = measured((Plan){.noise_ms = 1, .head_ms = 600});
		forget_waits(pair.base, rows[i].base_lost);
		forget_waits(pair.head, rows[i].head_lost);
		assert_int_equal(waiting_compare(pair.base, pair.head, 8).unknown, rows[i].unknown);
		pair_clear(&pair);
	}
}

static void a_kernel_that_tells_no_waits_changes_nothing(void **state)
{
	(void)state;
	Measurement *base = measurement_new("one", "base", ""), *head = measurement_new("one", "head", "");
	RunFacts facts = {.round = 1};
	for (guint i = 0; i < 8; i++) {
		g_array_append_val(base->runs, facts);
		g_array_append_val(head->runs, facts);
	}
	WaitingChange change = waiting_compare(base, head, 8);
	assert_false(change.rose || change.shifted || change.unknown);
	assert_null(waiting_text(&change));
	measurement_free(base);
	measurement_free(head);
}

static void the_floor_is_that_of_a_whole_run(void **state)
{
	(void)state;
	Pair pair = measured((Plan){.head_ms = 9, .noise_ms = .1});
	pair.base->work = pair.head->work = 1000;
	WaitingChange few = waiting_compare(pair.base, pair.head, 8);
	assert_false(few.rose);
	pair_clear(&pair);
	Pair more = measured((Plan){.head_ms = 30, .noise_ms = .1});
	more.base->work = more.head->work = 1000;
	WaitingChange rose = waiting_compare(more.base, more.head, 8);
	assert_true(rose.rose);
	pair_clear(&more);
}

/* Counts how often 8 rounds of an unchanged program that waits, with the spread of co-scheduled rounds, give a
 * finding. */
static void unchanged_programs_give_no_finding(void **state)
{
	guint n_findings = 0, n_objections = 0;
	guint64 random = 5;
	const Plan plan = {.base_ms = 220, .head_ms = 220, .noise_ms = 20, .rounds = 8};
	(void)state;
	for (guint i = 0; i < 2000; i++) {
		Pair pair = {.base = side_of(&plan, FALSE, &random)};
		pair.head = side_of(&plan, TRUE, &random);
		WaitingChange change = waiting_compare(pair.base, pair.head, 8);
		n_findings += change.rose || change.fell;
		n_objections += change.shifted;
		pair_clear(&pair);
	}
	assert_in_range(n_findings, 0, 10);
	assert_int_equal(n_objections, 0);
}

/* --- the verdict --- */

static const SyntheticFunction steady[] = {
        {"main;work", 700, 700, NULL, 0}, {"main;other", 300, 300, NULL, 0}, {NULL, 0, 0, NULL, 0}};

static Synthetic *campaign_with_waits(double base_ms, double head_ms)
{
	const SyntheticPlan plan = {.functions = steady, .rounds = 8, .noise = .3, .time_noise = .002, .seed = 3};
	Synthetic *s = synthetic_new(&plan);
	for (guint run = 0; run < 8; run++) {
		synthetic_value(s->base, "wait", "ns", run, base_ms * MS + run);
		synthetic_value(s->head, "wait", "ns", run, head_ms * MS + run);
	}
	return s;
}

static void assert_judged(const Synthetic *s, Verdict verdict, const char *code)
{
	g_autoptr(BenchmarkComparison) comparison = compare_benchmark(&s->input);
	assert_int_equal(comparison->verdict, verdict);
	assert_string_equal(comparison->reason_code, code);
}

static void a_head_that_waits_much_longer_does_not_pass(void **state)
{
	(void)state;
	g_autoptr(Synthetic) alike = campaign_with_waits(600, 600), longer = campaign_with_waits(0, 600);
	assert_judged(alike, VERDICT_PASS, "");
	assert_judged(longer, VERDICT_INCONCLUSIVE, "waits_more");
	longer->input.contaminated = TRUE;
	assert_judged(longer, VERDICT_INCONCLUSIVE, "waits_more");
}

static void waiting_that_is_meant_passes(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign_with_waits(0, 600);
	s->input.waits_meant = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_true(c->waiting.rose);
}

static void a_gate_on_the_wait_judges_it_by_its_own_margin(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign_with_waits(100, 300);
	MetricPolicy policy = {.metric = (char *)"wait", .engine = &engine_perf};
	assert_true(default_policy("wait", "coscheduled", TRUE, &policy));
	assert_false(policy.gates);
	g_ptr_array_add(s->policies, &policy);
	assert_judged(s, VERDICT_INCONCLUSIVE, "waits_more");
	policy.gates = TRUE;
	assert_judged(s, VERDICT_REGRESSION, "regression");
	policy.margin = policy.pass_margin = 4;
	assert_judged(s, VERDICT_PASS, "");
}

static void forget_clock(Measurement *side, guint n, double value)
{
	MetricSeries *clock = measurement_metric(side, &engine_perf, "task-clock");
	for (guint i = 0; i < n; i++)
		g_array_index(clock->values, double, i) = value;
}

/* Without CPU time there is no share: such a round tells nothing of the wait. */
static void a_round_without_cpu_time_is_no_round_with_a_wait(void **state)
{
	(void)state;
	for (guint head = 0; head < 2; head++) {
		Pair pair = measured((Plan){.base_ms = 100, .head_ms = 100, .noise_ms = 1});
		forget_clock(head ? pair.head : pair.base, 3, NAN);
		WaitingChange change = waiting_compare(pair.base, pair.head, 8);
		assert_int_equal(change.rounds, 5);
		assert_int_equal(change.unknown, head);
		pair_clear(&pair);
	}
}

/* A head of which all work is done by somebody else uses no CPU time at all. */
static void a_head_that_uses_no_cpu_time_does_not_pass_for_it(void **state)
{
	static const double values[] = {0, NAN};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
		Pair pair = measured((Plan){.head_ms = 600, .noise_ms = 1});
		forget_clock(pair.head, 8, values[i]);
		WaitingChange change = waiting_compare(pair.base, pair.head, 8);
		g_autofree char *objection = waiting_objection(&change);
		assert_int_equal(change.rounds, 0);
		assert_true(change.unknown);
		assert_non_null(objection);
		forget_clock(pair.base, 8, values[i]);
		WaitingChange both = waiting_compare(pair.base, pair.head, 8);
		assert_false(both.unknown);
		pair_clear(&pair);
	}
}

static void what_head_hides_is_told(void **state)
{
	(void)state;
	const WaitingChange hidden = {.unknown = TRUE};
	g_autofree char *text = waiting_text(&hidden), *objection = waiting_objection(&hidden);
	assert_string_equal(text,
	        "the waiting time of base is known, that of head is not: records were lost, or no CPU time was "
	        "counted");
	assert_string_equal(objection,
	        "the waiting time of base is known, that of head is not: records were lost, or no "
	        "CPU time was counted, so work "
	        "may have moved to where it is not counted");
}

static void a_head_that_hides_its_wait_is_inconclusive_unless_waiting_is_meant(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign_with_waits(600, 600);
	forget_waits(s->head, 1);
	assert_judged(s, VERDICT_PASS, "");
	forget_waits(s->head, 2);
	assert_judged(s, VERDICT_INCONCLUSIVE, "waits_more");
	s->input.waits_meant = TRUE;
	assert_judged(s, VERDICT_PASS, "");
}

/* A metric that a benchmark reports itself may have the same name, and is not the time of the run. */
static void only_a_gating_wall_time_of_perf_judges_the_wait(void **state)
{
	static const struct {
		const Engine *engine;
		gboolean gates;
		Verdict verdict;
	} rows[] = {{&engine_perf, TRUE, VERDICT_PASS}, {&engine_perf, FALSE, VERDICT_INCONCLUSIVE},
	        {&engine_benchmark, TRUE, VERDICT_INCONCLUSIVE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = campaign_with_waits(0, 600);
		MetricPolicy wall = {.metric = (char *)"wall",
		        .engine = rows[i].engine,
		        .margin = 9,
		        .pass_margin = 9,
		        .gates = rows[i].gates};
		g_ptr_array_add(s->policies, &wall);
		for (guint side = 0; side < 2; side++) {
			MetricSeries *series = measurement_add_metric(
			        side == 0 ? s->base : s->head, rows[i].engine, "wall", "ns", METRIC_SAME_CAMPAIGN);
			g_array_set_size(series->values, 8);
			for (guint run = 0; run < 8; run++)
				g_array_index(series->values, double, run) = 1e9 + run;
		}
		assert_judged(s, rows[i].verdict, rows[i].verdict == VERDICT_PASS ? "" : "waits_more");
	}
}

/* A time of 0 that gates is an error; where other metrics gate, the wait has to tell. */
static void a_head_that_uses_no_cpu_time_passes_by_no_other_metric(void **state)
{
	MetricPolicy faults = {.metric = (char *)"page-faults", .margin = .02, .pass_margin = .05, .gates = TRUE};
	(void)state;
	g_autoptr(Synthetic) s = campaign_with_waits(0, 600);
	s->policy.gates = FALSE;
	g_ptr_array_add(s->policies, &faults);
	for (guint run = 0; run < 8; run++) {
		synthetic_value(s->base, "page-faults", "count", run, 1000 + run);
		synthetic_value(s->head, "page-faults", "count", run, 1000 + run);
		synthetic_value(s->head, "task-clock", "ns", run, 0);
	}
	assert_judged(s, VERDICT_INCONCLUSIVE, "waits_more");
}

/* Of base three waits are known in seven rounds, so head hides nothing; the eighth does not count. */
static void rounds_after_those_that_are_compared_do_not_count(void **state)
{
	(void)state;
	Pair pair = measured((Plan){.base_ms = 100, .head_ms = 100, .noise_ms = 1});
	forget_waits(pair.base, 4);
	forget_waits(pair.head, 8);
	assert_false(waiting_compare(pair.base, pair.head, 7).unknown);
	pair_clear(&pair);
	Pair known = measured((Plan){.base_ms = 100, .head_ms = 100, .noise_ms = 1});
	forget_waits(known.base, 3);
	forget_waits(known.head, 8);
	assert_true(waiting_compare(known.base, known.head, 7).unknown);
	pair_clear(&known);
}

static void a_change_of_exactly_the_floor_is_none(void **state)
{
	(void)state;
	WaitingChange up = change_of((Plan){.head_ms = 10}), above = change_of((Plan){.head_ms = 10.001});
	assert_false(up.rose);
	assert_true(above.rose);
	WaitingChange down = change_of((Plan){.base_ms = 10}), below = change_of((Plan){.base_ms = 10.001});
	assert_false(down.fell);
	assert_true(below.fell);
}

static void a_base_of_which_half_is_known_lets_head_hide_nothing(void **state)
{
	(void)state;
	for (guint more = 0; more < 2; more++) {
		Pair pair = measured((Plan){.base_ms = 100, .head_ms = 100, .noise_ms = 1});
		forget_waits(pair.base, 4 - more);
		forget_waits(pair.head, 8);
		assert_int_equal(waiting_compare(pair.base, pair.head, 8).unknown, more);
		pair_clear(&pair);
	}
}

static void one_round_gives_a_change_without_bounds(void **state)
{
	(void)state;
	WaitingChange change = change_of((Plan){.base_ms = 100, .head_ms = 700, .rounds = 1});
	assert_int_equal(change.rounds, 1);
	assert_true(change.change_ns == 600 * MS && isinf(change.lower_ns) && isinf(change.upper_ns));
	assert_false(change.rose || change.shifted);
}

static void a_change_is_told_in_one_unit_and_hundredths(void **state)
{
	const WaitingChange change = {.base_ns = .2 * MS,
	        .head_ns = 612 * MS,
	        .change_ns = 612 * MS,
	        .lower_ns = -.04 * MS,
	        .upper_ns = 613.25 * MS,
	        .base_share = .8,
	        .head_share = .25,
	        .rose = TRUE,
	        .shifted = TRUE};
	(void)state;
	g_autofree char *text = waiting_text(&change), *objection = waiting_objection(&change);
	assert_true(g_str_has_prefix(text,
	        "head waits 612 ms per unit of work, base 200 µs (+612.0 ms [+0.0, +613.2]): all of its threads"));
	assert_true(g_str_has_prefix(objection,
	        "head waits +612.0 ms [+0.0, +613.2] longer than base, and uses the CPU for 25 % of its time instead "
	        "of 80 %: it sleeps"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_program_that_waits_alike_on_both_sides_did_not_change),
	        cmocka_unit_test(a_sleep_rises_and_takes_the_share_of_cpu_down),
	        cmocka_unit_test(work_that_moved_away_is_seen_though_cpu_time_fell),
	        cmocka_unit_test(a_small_rise_is_told_and_keeps_nothing_from_passing),
	        cmocka_unit_test(a_rise_below_the_floor_is_none),
	        cmocka_unit_test(a_fall_is_told_too),
	        cmocka_unit_test(six_rounds_are_too_few_to_tell),
	        cmocka_unit_test(a_head_that_hides_its_wait_does_not_pass),
	        cmocka_unit_test(a_head_that_lost_more_than_base_and_leaves_no_bounds_hides_its_wait),
	        cmocka_unit_test(a_head_that_loses_what_leaves_too_few_rounds_does_not_pass),
	        cmocka_unit_test(a_kernel_that_tells_no_waits_changes_nothing),
	        cmocka_unit_test(the_floor_is_that_of_a_whole_run),
	        cmocka_unit_test(unchanged_programs_give_no_finding),
	        cmocka_unit_test(a_head_that_waits_much_longer_does_not_pass),
	        cmocka_unit_test(waiting_that_is_meant_passes),
	        cmocka_unit_test(a_gate_on_the_wait_judges_it_by_its_own_margin),
	        cmocka_unit_test(a_round_without_cpu_time_is_no_round_with_a_wait),
	        cmocka_unit_test(a_head_that_uses_no_cpu_time_does_not_pass_for_it),
	        cmocka_unit_test(what_head_hides_is_told),
	        cmocka_unit_test(a_head_that_hides_its_wait_is_inconclusive_unless_waiting_is_meant),
	        cmocka_unit_test(only_a_gating_wall_time_of_perf_judges_the_wait),
	        cmocka_unit_test(a_head_that_uses_no_cpu_time_passes_by_no_other_metric),
	        cmocka_unit_test(rounds_after_those_that_are_compared_do_not_count),
	        cmocka_unit_test(a_change_of_exactly_the_floor_is_none),
	        cmocka_unit_test(a_base_of_which_half_is_known_lets_head_hide_nothing),
	        cmocka_unit_test(one_round_gives_a_change_without_bounds),
	        cmocka_unit_test(a_change_is_told_in_one_unit_and_hundredths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
