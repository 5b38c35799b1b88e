/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedtotals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

#define MAX_RUNS 6

/* The values of one metric, per side; a 0 after the first value ends them. */
typedef struct {
	double base[MAX_RUNS], head[MAX_RUNS];
	double margin;
} Values;

static guint count_runs(const double *values)
{
	guint n = 1;
	while (n < MAX_RUNS && values[n] != 0)
		n++;
	return n;
}

static Measurement *side_new(const char *metric, const char *unit, const double *values, guint n)
{
	Measurement *m = measurement_new("catalog", "base", "tree");
	m->work = 1;
	MetricSeries *series = measurement_add_metric(m, &engine_callgrind, metric, unit, METRIC_DETERMINISTIC);
	for (guint i = 0; i < n; i++) {
		RunFacts facts = {.round = i + 1};
		g_array_append_val(m->runs, facts);
	}
	g_array_set_size(series->values, 0);
	g_array_append_vals(series->values, values, n);
	return m;
}

typedef struct {
	Measurement *sides[2];
	MetricPolicy policy;
	CountedInput input;
} Metric;

static Metric *metric_new(const char *name, const char *unit, const Values *values)
{
	Metric *m = g_new0(Metric, 1);
	m->sides[0] = side_new(name, unit, values->base, count_runs(values->base));
	m->sides[1] = side_new(name, unit, values->head, count_runs(values->head));
	m->policy = (MetricPolicy){.metric = (char *)name, .engine = &engine_callgrind, .gates = TRUE};
	m->policy.margin = m->policy.pass_margin = values->margin;
	m->input = (CountedInput){.base = m->sides[0], .head = m->sides[1]};
	return m;
}

static void metric_free(Metric *m)
{
	measurement_free(m->sides[0]);
	measurement_free(m->sides[1]);
	g_free(m);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Metric, metric_free)

static MetricComparison *judge(const Values *values)
{
	g_autoptr(Metric) m = metric_new("instructions", "count", values);
	return counted_metric(&m->input, &m->policy);
}

static void assert_verdict(const MetricComparison *row, Verdict verdict, const char *reason)
{
	assert_string_equal(verdict_name(row->verdict), verdict_name(verdict));
	if (reason == NULL)
		assert_null(row->reason);
	else
		assert_string_equal(row->reason, reason);
}

static void a_row_says_what_was_counted(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) row = judge(&(Values){{1000, 1000}, {1020}, .05});
	assert_verdict(row, VERDICT_PASS, NULL);
	assert_string_equal(row->name, "instructions");
	assert_ptr_equal(row->engine, &engine_callgrind);
	assert_string_equal(row->unit, "count");
	assert_true(row->base == 1000 && row->head == 1020);
	assert_near(row->change_ratio, 1.02, 0);
	assert_true(row->lower_ratio == row->change_ratio && row->upper_ratio == row->change_ratio);
	assert_true(row->margin == .05 && row->pass_margin == .05 && row->gates);
	assert_true(row->mde_ratio == 0 && row->deterministic && !row->improved && !row->negligible);
	assert_true(row->base_spread == 0 && isnan(row->head_spread));
	assert_int_equal(row->rounds, 1);
	assert_int_equal(row->rounds_needed, 1);
	assert_true(isnan(row->p_value) && isnan(row->alpha_fail) && isnan(row->alpha_pass));
	assert_true(isnan(row->sd_log) && isnan(row->acf1) && isnan(row->slot_effect));
	assert_int_equal(row->looks->len, 0);
	assert_int_equal(row->base_values->len, 2);
	assert_int_equal(row->head_values->len, 1);
}

static void verdicts_have_known_answers(void **state)
{
	static const struct {
		Values values;
		Verdict verdict;
		const char *reason;
	} rows[] = {
	        {{{1000}, {1000}, 0}, VERDICT_PASS, NULL},
	        {{{1000}, {999}, 0}, VERDICT_PASS, NULL},
	        {{{1000}, {1001}, 0}, VERDICT_REGRESSION, "+0.10 % (1 more), beyond the margin of 0 %"},
	        {{{1000}, {1005}, .005}, VERDICT_PASS, NULL},
	        {{{1000}, {1006}, .005}, VERDICT_REGRESSION, "+0.60 % (6 more), beyond the margin of 0.5 %"},
	        /* ranges apart, in touch, overlapping; five runs of either side */
	        {{{10, 11, 10, 11, 10}, {12, 13, 12, 13, 12}, 0}, VERDICT_REGRESSION,
	                "at least +9.09 %, beyond the margin of 0 %"},
	        {{{10, 11, 10, 11, 10}, {11, 13, 12, 13, 12}, 0}, VERDICT_INCONCLUSIVE,
	                "too close to call: 0 % to +30.00 %, for a margin of 0 %; its counts differ between runs of "
	                "one side (5 of base, 5 of head)"},
	        {{{12, 13, 12, 13, 12}, {10, 12, 10, 11, 10}, 0}, VERDICT_PASS, NULL},
	        {{{12, 13, 12, 13, 12}, {10, 13, 10, 11, 10}, 0}, VERDICT_INCONCLUSIVE,
	                "too close to call: -23.08 % to +8.33 %, for a margin of 0 %; its counts differ between runs "
	                "of one side (5 of base, 5 of head)"},
	        /* only one side does not repeat */
	        {{{10, 10, 10, 10, 10}, {12, 13, 12, 13, 12}, 0}, VERDICT_REGRESSION,
	                "at least +20.00 %, beyond the margin of 0 %"},
	        {{{10, 11, 10, 11, 10}, {12, 12, 12, 12, 12}, 0}, VERDICT_REGRESSION,
	                "at least +9.09 %, beyond the margin of 0 %"},
	        /* too few runs, on either side */
	        {{{10, 11, 10, 11}, {12, 13, 12, 13, 12}, 0}, VERDICT_INCONCLUSIVE,
	                "too few runs: 4 of base and 5 of head, and its counts differ between runs of one side; 5 "
	                "of each are needed"},
	        {{{10, 11, 10, 11, 10}, {12, 13, 12, 13}, 0}, VERDICT_INCONCLUSIVE,
	                "too few runs: 5 of base and 4 of head, and its counts differ between runs of one side; 5 "
	                "of each are needed"},
	        {{{10, 11}, {10, 13}, 0}, VERDICT_INCONCLUSIVE,
	                "too close to call: -9.09 % to +30.00 %, for a margin of 0 %; its counts differ between runs "
	                "of one side (2 of base, 2 of head)"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(MetricComparison) row = judge(&rows[i].values);
		assert_verdict(row, rows[i].verdict, rows[i].reason);
	}
}

/* Ten times the spread of 1 per mille is 1 %, and the largest change seen is .1 %. */
static void a_pass_far_from_the_margin_needs_no_more_runs(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) far = judge(&(Values){{10000, 10010}, {10000}, .012});
	assert_verdict(far, VERDICT_PASS, NULL);
	g_autoptr(MetricComparison) near = judge(&(Values){{10000, 10010}, {10010}, .011});
	assert_int_equal(near->verdict, VERDICT_INCONCLUSIVE);
	assert_true(g_str_has_prefix(near->reason, "too few"));
	g_autoptr(MetricComparison) both = judge(&(Values){{10000, 10010}, {10000, 10010}, .012});
	assert_int_equal(both->verdict, VERDICT_INCONCLUSIVE);
}

static void ranges_have_levels_spreads_and_what_they_would_show(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) row =
	        judge(&(Values){{1000, 1010, 1020, 1010, 1010}, {1100, 1110, 1090, 1100, 1100}, .02});
	assert_false(row->deterministic);
	assert_near(row->change_ratio, 1100.0 / 1010, 1e-15);
	assert_near(row->lower_ratio, 1090.0 / 1020, 1e-15);
	assert_near(row->upper_ratio, 1110.0 / 1000, 1e-15);
	assert_near(row->base_spread, 20.0 / 1010, 1e-15);
	assert_near(row->head_spread, 20.0 / 1100, 1e-15);
	assert_near(row->alpha_fail, 1 / 252.0, 1e-15);
	assert_near(row->alpha_pass, 1 / 252.0, 1e-15);
	assert_near(row->mde_ratio, 1020.0 / 1010 * (1100.0 / 1090) - 1, 1e-15);
	assert_int_equal(row->rounds, 5);
	assert_int_equal(row->rounds_needed, COUNTED_NOISY_RUNS);
	g_autoptr(MetricComparison) few = judge(&(Values){{1000, 1010}, {1100}, .02});
	assert_near(few->alpha_fail, 1 / 3.0, 1e-15);
}

static void a_fall_beyond_the_margin_is_an_improvement(void **state)
{
	static const struct {
		Values values;
		gboolean improved;
	} rows[] = {
	        {{{1050}, {1000}, .05}, FALSE}, {{{1051}, {1000}, .05}, TRUE}, {{{1001}, {1000}, 0}, TRUE},
	        {{{1000}, {1000}, 0}, FALSE},
	        {{{1100, 1101, 1100, 1100, 1100}, {1000, 1000, 1000, 1000, 1001}, .05}, TRUE},
	        {{{1100, 1000, 1100, 1100, 1100}, {1000, 1000, 1000, 1000, 1001}, .05}, FALSE},
	        {{{1100, 1101}, {1000, 1001}, .05}, FALSE}, /* too few runs to say so */
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(MetricComparison) row = judge(&rows[i].values);
		assert_int_equal(row->improved, rows[i].improved);
	}
}

/* --- zero --- */

static MetricComparison *judge_calls(double base, double head, double abs_floor)
{
	g_autoptr(Metric) m = metric_new("system-calls", "count", &(Values){{base}, {head}, .01});
	m->policy.abs_floor = abs_floor;
	return counted_metric(&m->input, &m->policy);
}

static void zero_is_a_count_like_any_other(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) none = judge_calls(0, 0, 0), from = judge_calls(0, 3, 0), to = judge_calls(3, 0, 0);
	assert_verdict(none, VERDICT_PASS, NULL);
	assert_true(none->change_ratio == 1 && none->mde_ratio == 0 && !none->improved);
	assert_verdict(from, VERDICT_REGRESSION, "0 in every run of base and above 0 in every run of head");
	assert_true(isinf(from->change_ratio));
	assert_verdict(to, VERDICT_PASS, NULL);
	assert_true(to->change_ratio == 0 && to->improved);
}

static void zero_in_some_runs_makes_a_range_without_an_end(void **state)
{
	(void)state;
	g_autoptr(Metric) m = metric_new("system-calls", "count", &(Values){{0}, {3}, .01});
	static const double mostly[] = {0, 2, 2, 2, 2}, head[] = {0, 3, 3, 3, 3}, seldom[] = {0, 0, 0, 0, 2};
	const double *const values[] = {mostly, head};
	for (guint side = 0; side < 2; side++) {
		measurement_free(m->sides[side]);
		m->sides[side] = side_new("system-calls", "count", values[side], 5);
	}
	m->input.base = m->sides[0];
	m->input.head = m->sides[1];
	g_autoptr(MetricComparison) row = counted_metric(&m->input, &m->policy);
	assert_int_equal(row->verdict, VERDICT_INCONCLUSIVE);
	assert_true(row->lower_ratio == 0 && isinf(row->upper_ratio));
	assert_true(isnan(row->mde_ratio));
	measurement_free(m->sides[0]);
	m->input.base = m->sides[0] = side_new("system-calls", "count", seldom, 5);
	g_autoptr(MetricComparison) rare = counted_metric(&m->input, &m->policy);
	assert_int_equal(rare->verdict, VERDICT_INCONCLUSIVE);
	assert_true(isnan(rare->mde_ratio) && isinf(rare->change_ratio));
}

static void below_the_floor_nothing_matters(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) below = judge_calls(0, 15, 16), rose = judge_calls(0, 16, 16),
	                            fell = judge_calls(16, 0, 16), both = judge_calls(15, 0, 16);
	assert_true(below->negligible && both->negligible && !rose->negligible && !fell->negligible);
	assert_verdict(below, VERDICT_PASS, NULL);
	assert_int_equal(rose->verdict, VERDICT_REGRESSION);
	assert_true(fell->improved);
	assert_false(both->improved);
}

/* --- work --- */

static void memory_in_use_at_once_is_not_divided_by_the_work(void **state)
{
	(void)state;
	static const char *const names[] = {"peak-heap", "allocated-bytes"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(Metric) m = metric_new(names[i], "bytes", &(Values){{800}, {800}, .01});
		m->sides[0]->work = m->sides[1]->work = 4;
		g_autoptr(MetricComparison) row = counted_metric(&m->input, &m->policy);
		assert_true(row->base == (i == 0 ? 800 : 200));
	}
}

/* --- what cannot be compared --- */

static void assert_invalid(const Metric *m, const char *reason)
{
	g_autoptr(MetricComparison) row = counted_metric(&m->input, &m->policy);
	assert_verdict(row, VERDICT_ERROR, reason);
	assert_true(isnan(row->change_ratio) && isnan(row->lower_ratio) && isnan(row->upper_ratio));
}

static void values_that_are_no_counts_are_errors(void **state)
{
	static const struct {
		double value;
		const char *reason;
	} rows[] = {
	        {NAN, "it was not measured in run 2 of head"},
	        {INFINITY, "run 2 of head has the value inf, which cannot be compared"},
	        {-1, "run 2 of head has the value -1, which cannot be compared"},
	        {0, "run 2 of head has the value 0, which cannot be compared"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Metric) m = metric_new("instructions", "count", &(Values){{5, 5}, {5, 5}, 0});
		g_array_index(measurement_metric(m->sides[1], NULL, "instructions")->values, double, 1) = rows[i].value;
		assert_invalid(m, rows[i].reason);
	}
	g_autoptr(Metric) base = metric_new("estimated-cycles", "count", &(Values){{0}, {5}, 0});
	assert_invalid(base, "run 1 of base has the value 0, which cannot be compared");
}

static void sides_that_have_nothing_in_common_are_errors(void **state)
{
	(void)state;
	g_autoptr(Metric) unit = metric_new("allocated-bytes", "bytes", &(Values){{5}, {5}, 0});
	MetricSeries *series = measurement_metric(unit->sides[1], NULL, "allocated-bytes");
	g_free(series->unit);
	series->unit = g_strdup("kB");
	assert_invalid(unit, "base gives it in bytes, head in kB");
	g_autoptr(Metric) margin = metric_new("instructions", "count", &(Values){{5}, {5}, NAN});
	assert_invalid(margin, "its margins are not finite numbers");
	g_autoptr(Metric) limit = metric_new("instructions", "count", &(Values){{5}, {5}, 0});
	limit->policy.abs_floor = INFINITY;
	assert_invalid(limit, "its margins are not finite numbers");
	for (guint side = 0; side < 2; side++) {
		g_autoptr(Metric) runs = metric_new("instructions", "count", &(Values){{5}, {5}, 0});
		g_array_set_size(runs->sides[side]->runs, 0);
		assert_invalid(runs, "no runs were measured");
	}
}

static void a_metric_that_only_one_side_has_keeps_its_values(void **state)
{
	(void)state;
	for (guint side = 0; side < 2; side++) {
		g_autoptr(Metric) m = metric_new("instructions", "count", &(Values){{5, 7}, {5, 7}, 0});
		g_ptr_array_set_size(m->sides[side]->metrics, 0);
		assert_invalid(m, side == 0 ? "only head has it" : "only base has it");
		g_autoptr(MetricComparison) row = counted_metric(&m->input, &m->policy);
		assert_true(side == 0 ? row->head == 6 && isnan(row->base) : row->base == 6 && isnan(row->head));
		assert_string_equal(row->unit, "count");
	}
}

static void a_metric_that_nobody_has_is_an_error_only_if_it_gates(void **state)
{
	(void)state;
	g_autoptr(Metric) m = metric_new("instructions", "count", &(Values){{5}, {5}, 0});
	g_ptr_array_set_size(m->sides[0]->metrics, 0);
	m->policy.gates = FALSE;
	g_autoptr(MetricComparison) one = counted_metric(&m->input, &m->policy);
	assert_verdict(one, VERDICT_ERROR, "only head has it");
	g_ptr_array_set_size(m->sides[1]->metrics, 0);
	assert_null(counted_metric(&m->input, &m->policy));
	m->policy.gates = TRUE;
	assert_invalid(m, "neither side has it");
}

static void the_margin_itself_is_within_it(void **state)
{
	(void)state;
	for (guint i = 1; i < 2000; i++) {
		assert_false(counted_is_beyond((1000.0 + i) / 1000.0, i / 1000.0));
		assert_true(counted_is_beyond((1000000.0 + 1000 * i + 1) / 1000000.0, i / 1000.0));
	}
	assert_false(counted_is_beyond(1, 0));
	assert_true(counted_is_beyond(4000000001.0 / 4000000000.0, 0));
	assert_false(counted_is_beyond(2, NAN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_row_says_what_was_counted),
	        cmocka_unit_test(verdicts_have_known_answers),
	        cmocka_unit_test(a_pass_far_from_the_margin_needs_no_more_runs),
	        cmocka_unit_test(ranges_have_levels_spreads_and_what_they_would_show),
	        cmocka_unit_test(a_fall_beyond_the_margin_is_an_improvement),
	        cmocka_unit_test(zero_is_a_count_like_any_other),
	        cmocka_unit_test(zero_in_some_runs_makes_a_range_without_an_end),
	        cmocka_unit_test(below_the_floor_nothing_matters),
	        cmocka_unit_test(memory_in_use_at_once_is_not_divided_by_the_work),
	        cmocka_unit_test(values_that_are_no_counts_are_errors),
	        cmocka_unit_test(sides_that_have_nothing_in_common_are_errors),
	        cmocka_unit_test(a_metric_that_only_one_side_has_keeps_its_values),
	        cmocka_unit_test(a_metric_that_nobody_has_is_an_error_only_if_it_gates),
	        cmocka_unit_test(the_margin_itself_is_within_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
