/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/totalsinput.h"

#include "tests/compare/near.h"

/* Ratios that scatter a little around 1 + change, different in each round. */
static void fill(double *b, double *h, guint rounds, double change, double scatter)
{
	for (guint i = 0; i < rounds; i++) {
		b[i] = 100 + i % 3;
		h[i] = b[i] * (1 + change) * (1 + scatter * ((double)(i * 7 % 11) - 5) / 5);
	}
}

static Verdict verdict_of(guint rounds, double change, double scatter, double margin, double pass_margin)
{
	double b[64], h[64];
	MetricPolicy policy = {.margin = margin, .pass_margin = pass_margin, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	fill(b, h, rounds, change, scatter);
	g_autoptr(MetricComparison) c = compare(b, h, rounds, &policy, &plan);
	return c->verdict;
}

static void the_example_fails_at_a_margin_of_two_percent(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(10, 1);
	(void)state;
	g_autoptr(MetricComparison) c = compare(base, head, 10, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_near(100 * (c->change_ratio - 1), 4.004004004, 1e-8);
	assert_near(100 * (c->lower_ratio - 1), 3.309929789, 1e-8); /* level .01 */
	assert_near(100 * (c->upper_ratio - 1), 4.538722796, 1e-8); /* level .05 */
	assert_near(c->p_value, 1 / 1024.0, 1e-15);
	assert_near(c->sd_log, .009167004974, 1e-11);
	assert_int_equal(c->rounds, 10);
	assert_near(c->mde_ratio, expm1(.01073982323), 1e-10);
	assert_non_null(c->reason);
	assert_int_equal(c->looks->len, 1);
	assert_int_equal(g_array_index(c->looks, MetricLook, 0).verdict, VERDICT_REGRESSION);
}

/* Head seems 1 % slower where base started first, in three of eight rounds, and 4 % where it did not. */
static void the_slot_effect_is_the_difference_of_the_two_means(void **state)
{
	static const gboolean base_first[] = {TRUE, FALSE, FALSE, TRUE, FALSE, TRUE, FALSE, FALSE};
	double b[8], h[8];
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(8, 1);
	(void)state;
	for (guint i = 0; i < 8; i++) {
		b[i] = 1 + i;
		h[i] = b[i] * exp(base_first[i] ? .01 : .04);
	}
	TotalsInput input = {.base = b,
	        .head = h,
	        .base_first = base_first,
	        .rounds = 8,
	        .name = "task-clock",
	        .engine = &engine_perf,
	        .unit = "ns",
	        .policy = &policy,
	        .plan = &plan};
	g_autoptr(MetricComparison) c = totals_compare(&input);
	assert_near(c->slot_effect, -.03, 1e-12);
}

/* Below ten rounds the t formula promises too much, so it is stretched. */
static void the_detectable_change_of_few_rounds_is_stretched(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(8, 1);
	(void)state;
	g_autoptr(MetricComparison) c = compare(base, head, 8, &policy, &plan);
	assert_near(c->mde_ratio, expm1(1.15 * totals_mde(c->sd_log, 8, .01)), 1e-12);
}

static void a_campaign_that_ends_before_the_first_look_says_when_that_is(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	(void)state;
	g_autoptr(MetricComparison) c = compare(base, head, 6, &policy, &plan);
	assert_string_equal(c->reason, "too few rounds: 6, and the first look is after 8");
}

static void a_wide_interval_is_given_in_percent(void **state)
{
	MetricPolicy policy = {.margin = .035, .pass_margin = .036, .gates = TRUE};
	LookPlan plan = look_plan_fixed(10, 1);
	(void)state;
	g_autoptr(MetricComparison) c = compare(base, head, 10, &policy, &plan);
	assert_string_equal(c->reason,
	        "too noisy: only changes above 4.6 % are visible (measured +3.3 % to +4.5 % in 10 "
	        "rounds; margin 3.5 %, pass below 3.6 %)");
}

static void a_change_between_margin_and_pass_margin_is_too_close_to_call(void **state)
{
	double b[20], h[20];
	MetricPolicy policy = {.margin = .02, .pass_margin = .10, .gates = TRUE};
	LookPlan plan = look_plan_fixed(20, 1);
	(void)state;
	for (guint i = 0; i < 20; i++) {
		b[i] = 100;
		h[i] = 93.8 + 26. * (i * 7 % 20) / 19;
	}
	g_autoptr(MetricComparison) c = compare(b, h, 20, &policy, &plan);
	assert_string_equal(c->reason, "too close to call (measured +1.8 % to +10.1 % in 20 rounds; margin 2 %, pass "
	                               "below 10 %)");
}

static void a_value_that_cannot_be_compared_is_named_with_its_round(void **state)
{
	double broken[10];
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(10, 1);
	(void)state;
	memcpy(broken, head, sizeof broken);
	broken[3] = 0;
	g_autoptr(MetricComparison) c = compare(base, broken, 10, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_ERROR);
	assert_string_equal(c->reason, "round 4 of head has the value 0, which cannot be compared");
}

static void spread_and_mde_of_the_example_are_the_known_ones(void **state)
{
	double d[10], clean[10];
	(void)state;
	for (guint i = 0; i < 10; i++)
		d[i] = log(head[i] / base[i]);
	assert_near(totals_spread(d, 10), .009167004974, 1e-12); /* 1.4826 MAD */
	assert_near(totals_mde(totals_spread(d, 10), 10, .01), .01073982323, 1e-11);
	for (guint i = 0; i < 10; i++)
		clean[i] = i < 5 ? 0 : 1; /* MAD is 1/2: .7413; sd is .527 */
	assert_near(totals_spread(clean, 10), .7413, 1e-12);
	clean[9] = 100;
	assert_true(totals_spread(clean, 10) > 30); /* sd, because it is larger */
	assert_true(isnan(totals_spread(d, 1)));
	assert_true(isnan(totals_mde(.01, 1, .01)));
}

static void the_standard_deviation_counts_where_it_is_larger(void **state)
{
	/* All but one equal: the MAD is 0. */
	const double d[] = {0, 0, 0, 0, .1};
	(void)state;
	assert_near(totals_spread(d, 5), .1 / sqrt(5), 1e-12);
}

static void mde_of_a_total_follows_the_table(void **state)
{
	static const guint rounds[] = {8, 10, 12, 20};
	static const struct {
		double sd, mde[4];
	} rows[] = {
	        {.26, {.36, .30, .27, .20}},
	        {1.3, {1.79, 1.52, 1.35, .99}},
	        {7.0, {9.64, 8.20, 7.26, 5.32}},
	        {8.7, {11.98, 10.19, 9.03, 6.62}},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		for (guint j = 0; j < 4; j++)
			assert_near(totals_mde(rows[i].sd, rounds[j], .01), rows[i].mde[j], .00501);
}

static void rounds_needed_are_the_fewest_that_resolve_the_effect(void **state)
{
	(void)state;
	for (double sd = .003; sd < .2; sd *= 1.7) {
		guint k = totals_rounds_needed(sd, .01, .04);
		assert_true(k >= 7);
		assert_true(totals_mde(sd, k, .01) <= .04);
		assert_true(k == 7 || totals_mde(sd, k - 1, .01) > .04);
	}
	assert_int_equal(totals_rounds_needed(0, .01, .04), 7);
	assert_int_equal(totals_rounds_needed(100, .01, .04), 0);
	assert_int_equal(totals_rounds_needed(NAN, .01, .04), 0);
	assert_int_equal(totals_rounds_needed(.01, .01, 0), 0);
}

static void the_verdict_follows_the_margins(void **state)
{
	static const struct {
		double change, scatter, margin, pass_margin;
		Verdict verdict;
	} rows[] = {
	        {0, .002, .02, .05, VERDICT_PASS}, {.10, .002, .02, .05, VERDICT_REGRESSION},
	        {-.10, .002, .02, .05, VERDICT_PASS},
	        {.02, .002, .02, .05, VERDICT_PASS},        /* exactly at the margin: not beyond it */
	        {.035, .002, .02, .05, VERDICT_REGRESSION}, /* both conditions hold: FAIL is tested first */
	        {.05, .30, .02, .05, VERDICT_INCONCLUSIVE}, /* the interval spans both margins */
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_int_equal(verdict_of(20, rows[i].change, rows[i].scatter, rows[i].margin, rows[i].pass_margin),
		        rows[i].verdict);
}

static void fewer_rounds_than_the_first_look_never_decide(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	double b[7], h[7];
	(void)state;
	for (guint rounds = 1; rounds < 8; rounds++) {
		assert_int_equal(verdict_of(rounds, 0, .001, .02, .05), VERDICT_INCONCLUSIVE);
		assert_int_equal(verdict_of(rounds, 1, .001, .02, .05), VERDICT_INCONCLUSIVE);
	}
	fill(b, h, 7, 0, .001);
	g_autoptr(MetricComparison) c = compare(b, h, 7, &policy, &plan);
	assert_true(g_str_has_prefix(c->reason, "too few rounds"));
	assert_int_equal(c->looks->len, 0);
	assert_int_equal(c->rounds, 7);
}

/* Five rounds cannot show anything at level .01: no critical value exists, which must not be used as an index. */
static void a_look_at_which_nothing_can_fail_is_inconclusive(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(5, 1);
	double b[5], h[5];
	(void)state;
	fill(b, h, 5, 0, .001);
	g_autoptr(MetricComparison) c = compare(b, h, 5, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	assert_near(c->lower_ratio, 0, 0);
	assert_true(strstr(c->reason, "7 at the earliest") != NULL);
}

/* Eight rounds at a level that needs ten. */
static void nothing_is_detectable_where_nothing_can_fail(void **state)
{
	(void)state;
	double b[10], h[10];
	LookPlan few = look_plan_fixed(8, 3), enough = look_plan_fixed(10, 3);
	MetricPolicy policy = {.metric = (char *)"m", .margin = .02, .pass_margin = .04, .gates = TRUE};
	fill(b, h, 10, 1.1, .01);
	TotalsInput input = {.base = b,
	        .head = h,
	        .rounds = 8,
	        .name = "m",
	        .engine = &engine_perf,
	        .unit = "ns",
	        .policy = &policy,
	        .plan = &few};
	MetricComparison *blind = totals_compare(&input);
	input.rounds = 10;
	input.plan = &enough;
	MetricComparison *seeing = totals_compare(&input);
	assert_true(isnan(blind->mde_ratio));
	assert_true(seeing->mde_ratio > 0);
	metric_comparison_free(blind);
	metric_comparison_free(seeing);
}

static void the_first_look_that_decides_is_final(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	double b[20], h[20];
	(void)state;
	fill(b, h, 20, 0, .001);
	for (guint i = 8; i < 20; i++)
		h[i] = 2 * b[i]; /* a wild change after the decision */
	g_autoptr(MetricComparison) c = compare(b, h, 20, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(c->rounds, 8);
	assert_int_equal(c->looks->len, 1);
	assert_int_equal(c->base_values->len, 20);
	assert_near(c->alpha_fail, .004, 0);
}

static void later_looks_use_their_own_levels(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	double b[20], h[20];
	(void)state;
	fill(b, h, 20, .05, .30);
	g_autoptr(MetricComparison) c = compare(b, h, 20, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(c->looks->len, 3);
	assert_int_equal(g_array_index(c->looks, MetricLook, 1).rounds, 12);
	assert_int_equal(c->rounds, 20);
	assert_near(c->alpha_fail, .003, 0);
	assert_near(c->alpha_pass, .015, 0);
	assert_true(g_str_has_prefix(c->reason, "too noisy: only changes above "));
	/* Rounds between two looks do not count. */
	g_autoptr(MetricComparison) between = compare(b, h, 15, &policy, &plan);
	assert_int_equal(between->rounds, 12);
	assert_int_equal(between->looks->len, 2);
}

static void invalid_values_are_errors(void **state)
{
	static const double invalid[] = {NAN, INFINITY, -INFINITY, 0, -1};
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	double b[8], h[8];
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(invalid); i++)
		for (guint side = 0; side < 2; side++)
			for (guint round = 0; round < 8; round++) {
				fill(b, h, 8, 0, .001);
				(side == 0 ? b : h)[round] = invalid[i];
				g_autoptr(MetricComparison) c = compare(b, h, 8, &policy, &plan);
				assert_int_equal(c->verdict, VERDICT_ERROR);
				assert_non_null(c->reason);
				assert_true(isnan(c->change_ratio));
			}
}

static void equal_invalid_values_are_errors_too(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	const double nans[] = {NAN, NAN, NAN}, zeros[] = {0, 0, 0};
	(void)state;
	g_autoptr(MetricComparison) n = compare(nans, nans, 3, &policy, &plan);
	g_autoptr(MetricComparison) z = compare(zeros, zeros, 3, &policy, &plan);
	assert_int_equal(n->verdict, VERDICT_ERROR);
	assert_int_equal(z->verdict, VERDICT_ERROR);
}

static void zero_rounds_are_an_error(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	(void)state;
	g_autoptr(MetricComparison) c = compare(NULL, NULL, 0, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_ERROR);
}

static void margins_that_are_no_numbers_are_errors(void **state)
{
	const double same[] = {5, 5, 5};
	LookPlan plan = look_plan_sequential(1);
	const MetricPolicy policies[] = {{.margin = NAN, .pass_margin = .05}, {.margin = .02, .pass_margin = NAN},
	        {.margin = INFINITY}, {.margin = .02, .pass_margin = .05, .abs_floor = INFINITY}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(policies); i++) {
		g_autoptr(MetricComparison) c = compare(same, same, 3, &policies[i], &plan);
		assert_int_equal(c->verdict, VERDICT_ERROR);
	}
}

static void extreme_values_do_not_overflow(void **state)
{
	double b[8], h[8];
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	(void)state;
	for (guint i = 0; i < 8; i++) {
		b[i] = 1e-300 * (1 + .01 * i);
		h[i] = 1e300 * (1 + .01 * i);
	}
	g_autoptr(MetricComparison) c = compare(b, h, 8, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	g_autoptr(MetricComparison) mirrored = compare(h, b, 8, &policy, &plan);
	assert_int_equal(mirrored->verdict, VERDICT_PASS);
}

static void equal_values_need_three_rounds_and_no_test(void **state)
{
	MetricPolicy policy = {.margin = .005, .pass_margin = .01, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	const double b[] = {1000, 1000, 1000}, same[] = {1000, 1000, 1000}, within[] = {1005, 1005, 1005},
	             beyond[] = {1006, 1006, 1006}, less[] = {900, 900, 900};
	const struct {
		const double *h;
		Verdict verdict;
		gboolean improved;
	} rows[] = {{same, VERDICT_PASS, FALSE}, {within, VERDICT_PASS, FALSE}, {beyond, VERDICT_REGRESSION, FALSE},
	        {less, VERDICT_PASS, TRUE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(MetricComparison) c = compare(b, rows[i].h, 3, &policy, &plan);
		assert_true(c->deterministic);
		assert_int_equal(c->verdict, rows[i].verdict);
		assert_int_equal(c->improved, rows[i].improved);
		assert_near(c->lower_ratio, c->change_ratio, 0);
		assert_near(c->mde_ratio, 0, 0);
	}
	g_autoptr(MetricComparison) two = compare(b, same, 2, &policy, &plan);
	assert_int_equal(two->verdict, VERDICT_INCONCLUSIVE);
}

static void one_differing_value_ends_the_short_cut(void **state)
{
	MetricPolicy policy = {.margin = .005, .pass_margin = .01, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	const double b[] = {1000, 1000, 1001}, h[] = {1000, 1000, 1000};
	(void)state;
	g_autoptr(MetricComparison) c = compare(b, h, 3, &policy, &plan);
	assert_false(c->deterministic);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	g_autoptr(MetricComparison) mirrored = compare(h, b, 3, &policy, &plan);
	assert_int_equal(mirrored->verdict, VERDICT_INCONCLUSIVE);
}

/* A configuration may name a pass margin alone, below the margin that it leaves as it is. */
static void an_exact_change_between_a_smaller_pass_margin_and_the_margin_does_not_pass(void **state)
{
	MetricPolicy policy = {.margin = .05, .pass_margin = .01, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	static const struct {
		double head;
		Verdict verdict;
	} rows[] = {{1000, VERDICT_PASS}, {1010, VERDICT_PASS}, {1030, VERDICT_INCONCLUSIVE},
	        {1050, VERDICT_INCONCLUSIVE}, {1060, VERDICT_REGRESSION}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		for (guint rounds = 3; rounds <= 8; rounds += 5) {
			double b[8], h[8];
			for (guint r = 0; r < 8; r++) {
				b[r] = 1000;
				h[r] = rows[i].head;
			}
			g_autoptr(MetricComparison) c = compare(b, h, rounds, &policy, &plan);
			assert_true(c->deterministic);
			assert_int_equal(c->verdict, rows[i].verdict);
			assert_int_equal(c->reason == NULL, rows[i].verdict == VERDICT_PASS);
		}
}

static void values_below_the_floor_are_negligible(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .abs_floor = 64, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	const double b[] = {1, 2, .01, 1, 2, 1, .01, 3}, h[] = {60, 50, 63, 61, 50, 40, 63, 62};
	double large[8];
	(void)state;
	g_autoptr(MetricComparison) small = compare(b, h, 8, &policy, &plan);
	assert_true(small->negligible);
	assert_int_equal(small->verdict, VERDICT_PASS);
	for (guint i = 0; i < 8; i++)
		large[i] = h[i] + 64;
	g_autoptr(MetricComparison) risen = compare(b, large, 8, &policy, &plan);
	assert_false(risen->negligible);
	assert_int_equal(risen->verdict, VERDICT_REGRESSION);
	assert_near(risen->change_ratio, 120, 2); /* from 1 to 120: half the floor decides, but is not told */
}

/* 3 MiB that become 6 are twice as many, whatever is added before they are compared. */
static void what_is_stated_above_a_floor_is_the_change_of_the_values(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .abs_floor = 4, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	const double b[] = {3, 3, 3, 3, 3, 3, 3, 3}, h[] = {6, 6, 6, 6, 6, 6, 6, 6};
	const double close[] = {3.09, 3.08, 3.09, 3.08, 3.09, 3.08, 3.09, 3.08};
	(void)state;
	g_autoptr(MetricComparison) twice = compare(b, h, 8, &policy, &plan);
	assert_near(twice->change_ratio, 2, 1e-12);
	assert_near(twice->lower_ratio, 2, 1e-12);
	assert_near(twice->margin, .02 * (1 + 2. / 3), 1e-12);
	assert_int_equal(twice->verdict, VERDICT_REGRESSION);
	g_autoptr(MetricComparison) passed = compare(b, close, 8, &policy, &plan);
	assert_int_equal(passed->verdict, VERDICT_PASS);
	assert_near(passed->change_ratio, 3.085 / 3, 1e-3);
	assert_true(passed->upper_ratio < 1 + passed->pass_margin);
	MetricLook last = g_array_index(passed->looks, MetricLook, passed->looks->len - 1);
	assert_near(exp(last.upper), passed->upper_ratio, 1e-12);
}

/* Twelve rounds could decide at that level, but the look is after twenty: who stops early must not look early. */
static void rounds_before_a_fixed_look_decide_nothing(void **state)
{
	static const double changes[] = {.5, -.5, 0};
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(20, 1);
	double b[12], h[12];
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
		fill(b, h, 12, changes[i], .002);
		g_autoptr(MetricComparison) c = compare(b, h, 12, &policy, &plan);
		assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
		assert_string_equal(c->reason, "too few rounds: 12, and the first look is after 20");
		assert_int_equal(c->looks->len, 0);
	}
}

static void the_round_that_was_not_measured_is_named(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(3, 1);
	const double b[] = {1, 1, 1}, h[] = {1, NAN, 1};
	(void)state;
	g_autoptr(MetricComparison) c = compare(b, h, 3, &policy, &plan);
	assert_string_equal(c->reason, "it was not measured in round 2 of head");
}

static void the_first_value_and_two_rounds_count(void **state)
{
	const double known[] = {9, NAN, 3, 1, INFINITY}, two[] = {0, 1};
	(void)state;
	assert_near(totals_known_median(known, 5), 3, 0);
	assert_near(totals_spread(two, 2), 1.4826 * .5, 1e-12);
	assert_true(isnan(totals_spread(two, 1)));
}

/* The smallest change that is found grows by the same factor as the change that is told. */
static void a_floor_raises_what_can_be_detected(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	double b[12], h[12], shifted_b[12], shifted_h[12];
	(void)state;
	fill(b, h, 12, 0, .01);
	for (guint i = 0; i < 12; i++) {
		shifted_b[i] = b[i] + 2;
		shifted_h[i] = h[i] + 2;
	}
	g_autoptr(MetricComparison) summed = compare(shifted_b, shifted_h, 12, &policy, &plan);
	policy.abs_floor = 4;
	g_autoptr(MetricComparison) told = compare(b, h, 12, &policy, &plan);
	assert_int_equal(summed->rounds, told->rounds);
	assert_near(told->mde_ratio, summed->mde_ratio * (1 + 2 / told->base), 1e-12);
	assert_true(told->mde_ratio > summed->mde_ratio);
}

static void an_improvement_is_labelled(void **state)
{
	double b[8], h[8];
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	(void)state;
	fill(b, h, 8, -.10, .002);
	g_autoptr(MetricComparison) better = compare(b, h, 8, &policy, &plan);
	assert_true(better->improved);
	assert_null(better->reason);
	fill(b, h, 8, -.015, .002);
	g_autoptr(MetricComparison) within = compare(b, h, 8, &policy, &plan);
	assert_false(within->improved);
}

static void changes_that_alternate_are_correlated_with_the_one_before(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	static const double b[] = {100, 100, 100, 100, 100, 100, 100, 100},
	                    h[] = {101, 100, 101, 100, 101, 100, 101, 100};
	(void)state;
	g_autoptr(MetricComparison) c = compare(b, h, 8, &policy, &plan);
	assert_near(c->acf1, -7.0 / 8, 1e-12);
}

static void the_slot_effect_needs_both_orders_of_starts(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	const gboolean always[] = {1, 1, 1, 1, 1, 1, 1, 1};
	TotalsInput input = {.base = base,
	        .head = head,
	        .base_first = always,
	        .rounds = 8,
	        .name = "wall",
	        .engine = &engine_perf,
	        .unit = "ns",
	        .policy = &policy,
	        .plan = &plan};
	(void)state;
	g_autoptr(MetricComparison) one_order = totals_compare(&input);
	assert_true(isnan(one_order->slot_effect));
	input.base_first = NULL;
	g_autoptr(MetricComparison) unknown = totals_compare(&input);
	assert_true(isnan(unknown->slot_effect));
}

static void swapped_sides_give_the_mirror_image(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(10, 1);
	(void)state;
	g_autoptr(MetricComparison) c = compare(base, head, 10, &policy, &plan);
	g_autoptr(MetricComparison) mirrored = compare(head, base, 10, &policy, &plan);
	assert_near(log(mirrored->change_ratio), -log(c->change_ratio), 1e-12);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_int_equal(mirrored->verdict, VERDICT_PASS);
	assert_true(mirrored->improved);
	assert_near(mirrored->sd_log, c->sd_log, 1e-12);
}

static void scaled_sides_give_the_same_verdict(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(10, 1);
	double b[10], h[10];
	(void)state;
	g_autoptr(MetricComparison) c = compare(base, head, 10, &policy, &plan);
	for (double scale = 1e-6; scale < 1e12; scale *= 1024) {
		for (guint i = 0; i < 10; i++) {
			b[i] = base[i] * scale;
			h[i] = head[i] * scale;
		}
		g_autoptr(MetricComparison) scaled = compare(b, h, 10, &policy, &plan);
		assert_int_equal(scaled->verdict, c->verdict);
		assert_near(scaled->change_ratio, c->change_ratio, 1e-12);
		assert_near(scaled->p_value, c->p_value, 0);
	}
}

static void identical_sides_pass(void **state)
{
	MetricPolicy policy = {.margin = 0, .pass_margin = .0001, .gates = TRUE};
	LookPlan plan = look_plan_fixed(10, 1);
	(void)state;
	g_autoptr(MetricComparison) c = compare(base, base, 10, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_near(c->change_ratio, 1, 0);
	assert_near(c->p_value, 1, 0);
	assert_false(c->improved);
	assert_true(isnan(c->acf1));
}

static void two_rounds_are_the_fewest_that_are_needed(void **state)
{
	(void)state;
	assert_int_equal(look_rounds_possible(.5), 1);
	assert_int_equal(totals_rounds_needed(0, .5, .04), 2);
}

/* The normal approximation is just below the limit, the t formula just above it. */
static void an_effect_that_the_last_round_does_not_resolve_needs_too_many(void **state)
{
	const double effect = .04, z = 2.3263478740 + .8416212336;
	double beyond = effect * sqrt(9999.5) / z, within = effect * sqrt(9990) / z;
	(void)state;
	assert_true(totals_mde(beyond, 10000, .01) > effect);
	assert_int_equal(totals_rounds_needed(beyond, .01, effect), 0);
	assert_in_range(totals_rounds_needed(within, .01, effect), 9990, 10000);
}

static void without_a_round_that_base_started_there_is_no_slot_effect(void **state)
{
	static const MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	static const gboolean never[10] = {FALSE};
	LookPlan plan = look_plan_fixed(10, 1);
	(void)state;
	TotalsInput input = {.base = base,
	        .head = head,
	        .base_first = never,
	        .rounds = 10,
	        .name = "wall",
	        .engine = &engine_perf,
	        .unit = "ns",
	        .policy = &policy,
	        .plan = &plan};
	g_autoptr(MetricComparison) c = totals_compare(&input);
	assert_true(isnan(c->slot_effect));
	assert_false(isnan(c->acf1));
}

/* The reason of eight rounds with these ratios of head to base. */
static char *open_reason(const double *ratios)
{
	double b[8], h[8];
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	for (guint i = 0; i < 8; i++) {
		b[i] = isinf(ratios[i]) ? 5e-324 : ratios[i] == 0 ? 1.7e308 : 100;
		h[i] = isinf(ratios[i]) ? 1.7e308 : ratios[i] == 0 ? 5e-324 : 100 * ratios[i];
	}
	g_autoptr(MetricComparison) c = compare(b, h, 8, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	return g_steal_pointer(&c->reason);
}

/* 0 and infinity stand for the most extreme ratios of two numbers, which no double can hold. */
static void an_interval_of_extreme_ratios_has_no_end(void **state)
{
	static const struct {
		double ratios[8];
		const char *interval;
	} rows[] = {
	        {{1.01, 1.01, 1.01, 1.01, 1.01, 1.01, INFINITY, INFINITY}, "from +1.0 % on"},
	        {{1.06, 1.06, 1.06, 1.06, 1.06, 1.06, 1.06, 0}, "up to +6.0 %"},
	        {{1.06, 1.06, 1.06, 1.06, 1.06, 0, INFINITY, INFINITY}, "open at both ends"},
	        {{1.06, 1.06, 1.06, 1.06, 1.06, 1.06, 1.06, 1.01}, "+1.0 % to +6.0 %"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *reason = open_reason(rows[i].ratios);
		g_autofree char *wanted =
		        g_strdup_printf("(measured %s in 8 rounds; margin 2 %%, pass below 5 %%)", rows[i].interval);
		assert_non_null(strstr(reason, wanted));
	}
}

static void a_fall_too_small_to_show_is_written_as_none(void **state)
{
	static const double hardly[] = {1.06, 1.06, 1.06, 1.06, 1.06, 1.06, 1.06, .99996};
	static const double just[] = {1.06, 1.06, 1.06, 1.06, 1.06, 1.06, 1.06, .99994};
	(void)state;
	g_autofree char *none = open_reason(hardly), *some = open_reason(just);
	assert_non_null(strstr(none, "(measured +0.00 % to +6.0 %"));
	assert_non_null(strstr(some, "(measured -0.01 % to +6.0 %"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_slot_effect_is_the_difference_of_the_two_means),
	        cmocka_unit_test(the_detectable_change_of_few_rounds_is_stretched),
	        cmocka_unit_test(a_campaign_that_ends_before_the_first_look_says_when_that_is),
	        cmocka_unit_test(a_wide_interval_is_given_in_percent),
	        cmocka_unit_test(a_change_between_margin_and_pass_margin_is_too_close_to_call),
	        cmocka_unit_test(a_value_that_cannot_be_compared_is_named_with_its_round),
	        cmocka_unit_test(the_example_fails_at_a_margin_of_two_percent),
	        cmocka_unit_test(spread_and_mde_of_the_example_are_the_known_ones),
	        cmocka_unit_test(the_standard_deviation_counts_where_it_is_larger),
	        cmocka_unit_test(mde_of_a_total_follows_the_table),
	        cmocka_unit_test(rounds_needed_are_the_fewest_that_resolve_the_effect),
	        cmocka_unit_test(the_verdict_follows_the_margins),
	        cmocka_unit_test(fewer_rounds_than_the_first_look_never_decide),
	        cmocka_unit_test(a_look_at_which_nothing_can_fail_is_inconclusive),
	        cmocka_unit_test(nothing_is_detectable_where_nothing_can_fail),
	        cmocka_unit_test(the_first_look_that_decides_is_final),
	        cmocka_unit_test(later_looks_use_their_own_levels),
	        cmocka_unit_test(invalid_values_are_errors),
	        cmocka_unit_test(equal_invalid_values_are_errors_too),
	        cmocka_unit_test(zero_rounds_are_an_error),
	        cmocka_unit_test(margins_that_are_no_numbers_are_errors),
	        cmocka_unit_test(extreme_values_do_not_overflow),
	        cmocka_unit_test(equal_values_need_three_rounds_and_no_test),
	        cmocka_unit_test(one_differing_value_ends_the_short_cut),
	        cmocka_unit_test(an_exact_change_between_a_smaller_pass_margin_and_the_margin_does_not_pass),
	        cmocka_unit_test(values_below_the_floor_are_negligible),
	        cmocka_unit_test(what_is_stated_above_a_floor_is_the_change_of_the_values),
	        cmocka_unit_test(rounds_before_a_fixed_look_decide_nothing),
	        cmocka_unit_test(the_round_that_was_not_measured_is_named),
	        cmocka_unit_test(the_first_value_and_two_rounds_count),
	        cmocka_unit_test(a_floor_raises_what_can_be_detected),
	        cmocka_unit_test(an_improvement_is_labelled),
	        cmocka_unit_test(changes_that_alternate_are_correlated_with_the_one_before),
	        cmocka_unit_test(the_slot_effect_needs_both_orders_of_starts),
	        cmocka_unit_test(swapped_sides_give_the_mirror_image),
	        cmocka_unit_test(scaled_sides_give_the_same_verdict),
	        cmocka_unit_test(identical_sides_pass),
	        cmocka_unit_test(two_rounds_are_the_fewest_that_are_needed),
	        cmocka_unit_test(an_effect_that_the_last_round_does_not_resolve_needs_too_many),
	        cmocka_unit_test(without_a_round_that_base_started_there_is_no_slot_effect),
	        cmocka_unit_test(an_interval_of_extreme_ratios_has_no_end),
	        cmocka_unit_test(a_fall_too_small_to_show_is_written_as_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
