/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/enginepair.h"
#include "model/engine.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static MetricComparison *add_metric(BenchmarkComparison *c, const Engine *engine, const char *name, double change)
{
	gboolean counted = engine_counts(engine);
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = engine;
	metric->unit = g_strdup(counted ? "count" : "ns");
	metric->base = 1000;
	metric->head = 1000 * (1 + change);
	metric->change_ratio = 1 + change;
	metric->lower_ratio = 1 + change - (counted ? 0 : .01);
	metric->upper_ratio = 1 + change + (counted ? 0 : .01);
	metric->margin = counted ? .005 : .02;
	metric->verdict = VERDICT_PASS;
	metric->gates = TRUE;
	metric->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	metric->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	metric->head_values = g_array_new(FALSE, FALSE, sizeof(double));
	g_ptr_array_add(c->metrics, metric);
	return metric;
}

/* The findings of two engines on one benchmark. */
typedef struct {
	BenchmarkComparison *timed, *counted;
	MetricComparison *time, *instructions;
} Pair;

static void say(BenchmarkComparison *c, Verdict verdict, const char *code, const char *text)
{
	benchmark_comparison_decide(c, verdict, code, g_strdup(text));
	g_free(c->sentence);
	c->sentence = g_strdup(text);
}

static Pair *pair_new(double instructions, double time)
{
	Pair *pair = g_new0(Pair, 1);
	pair->timed = benchmark_comparison_new("catalog");
	pair->counted = benchmark_comparison_new("catalog");
	pair->counted->counted = TRUE;
	pair->time = add_metric(pair->timed, &engine_perf, "task-clock", time);
	pair->instructions = add_metric(pair->counted, &engine_callgrind, "instructions", instructions);
	say(pair->timed, VERDICT_PASS, "", "time passes");
	say(pair->counted, VERDICT_PASS, "", "counts pass");
	return pair;
}

static void pair_free(Pair *pair)
{
	benchmark_comparison_free(pair->timed);
	benchmark_comparison_free(pair->counted);
	g_free(pair);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Pair, pair_free)

static void the_words_of_the_report_are_stable(void **state)
{
	static const char *const names[] = {"unknown", "same", "more_work", "slower_work", "hidden_work", "less_work",
	        "faster_work", "hidden_saving", "opposed"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		assert_string_equal(engine_pair_name((EnginePair)i), names[i]);
	assert_int_equal(G_N_ELEMENTS(names), PAIR_OPPOSED + 1);
}

static void two_directions_have_a_meaning(void **state)
{
	static const struct {
		double instructions, time;
		EnginePair pair;
		const char *text;
	} rows[] = {
	        {.1, .1, PAIR_MORE_WORK,
	                "more work is done, and it takes longer (instructions +10.00 % (100 more), task-clock +10.0 % "
	                "[+9.0, +11.0])"},
	        {0, .1, PAIR_SLOWER_WORK,
	                "the same work is done, but it takes longer: look at memory, layout and the environment "
	                "(instructions unchanged (1000), task-clock +10.0 % [+9.0, +11.0])"},
	        {.1, 0, PAIR_HIDDEN_WORK,
	                "more work is done, but time did not rise measurably: waiting hides it, or it is too little to "
	                "be seen in time "
	                "(instructions +10.00 % (100 more), task-clock +0.00 % [-1.0, +1.0])"},
	        {-.1, -.1, PAIR_LESS_WORK,
	                "less work is done, and it takes less time (instructions -10.00 % (100 fewer), task-clock "
	                "-10.0 % [-11.0, -9.0])"},
	        {0, -.1, PAIR_FASTER_WORK,
	                "the same work is done in less time: memory, layout or the environment changed for the better "
	                "(instructions unchanged (1000), task-clock -10.0 % [-11.0, -9.0])"},
	        {-.1, 0, PAIR_HIDDEN_SAVING,
	                "less work is done, but time did not fall measurably: waiting hides it, or it is too little to "
	                "be seen in time "
	                "(instructions -10.00 % (100 fewer), task-clock +0.00 % [-1.0, +1.0])"},
	        {.1, -.1, PAIR_OPPOSED,
	                "work and time changed in opposite directions (instructions +10.00 % (100 more), task-clock "
	                "-10.0 % [-11.0, -9.0])"},
	        {-.1, .1, PAIR_OPPOSED,
	                "work and time changed in opposite directions (instructions -10.00 % (100 fewer), task-clock "
	                "+10.0 % [+9.0, +11.0])"},
	        {0, 0, PAIR_SAME,
	                "neither work nor time changed much (instructions unchanged (1000), "
	                "task-clock +0.00 % [-1.0, +1.0])"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Pair) pair = pair_new(rows[i].instructions, rows[i].time);
		engine_pair_join(pair->timed, pair->counted);
		assert_int_equal(pair->timed->pair, rows[i].pair);
		assert_string_equal(pair->timed->pair_text, rows[i].text);
	}
}

static void a_wide_margin_does_not_make_more_work_the_same_work(void **state)
{
	(void)state;
	g_autoptr(Pair) pair = pair_new(.075, .25);
	for (guint i = 0; i < pair->counted->metrics->len; i++)
		((MetricComparison *)pair->counted->metrics->pdata[i])->margin = .1;
	engine_pair_join(pair->timed, pair->counted);
	assert_int_equal(pair->timed->pair, PAIR_MORE_WORK);
}

/* A change that is certain but within its margin, and one beyond it that is not certain. */
static void what_is_within_the_margin_or_uncertain_stayed(void **state)
{
	(void)state;
	g_autoptr(Pair) small = pair_new(.004, .015), fell = pair_new(-.004, -.015), wide = pair_new(0, .05);
	wide->time->lower_ratio = 1;
	engine_pair_join(small->timed, small->counted);
	engine_pair_join(fell->timed, fell->counted);
	engine_pair_join(wide->timed, wide->counted);
	assert_int_equal(small->timed->pair, PAIR_SAME);
	assert_int_equal(fell->timed->pair, PAIR_SAME);
	assert_int_equal(wide->timed->pair, PAIR_SAME);
	g_autoptr(Pair) down = pair_new(0, -.05);
	down->time->upper_ratio = 1;
	engine_pair_join(down->timed, down->counted);
	assert_int_equal(down->timed->pair, PAIR_SAME);
}

static void assert_unknown(Pair *pair)
{
	engine_pair_join(pair->timed, pair->counted);
	assert_int_equal(pair->timed->pair, PAIR_UNKNOWN);
	assert_null(pair->timed->pair_text);
}

static void what_one_engine_cannot_say_is_unknown(void **state)
{
	(void)state;
	g_autoptr(Pair) no_time = pair_new(.1, .1), no_count = pair_new(.1, .1), broken = pair_new(.1, .1);
	g_ptr_array_set_size(no_time->timed->metrics, 0);
	assert_unknown(no_time);
	g_ptr_array_set_size(no_count->counted->metrics, 0);
	assert_unknown(no_count);
	broken->time->verdict = VERDICT_ERROR;
	assert_unknown(broken);
	g_autoptr(Pair) open_below = pair_new(.1, .1), open_above = pair_new(.1, .1), nothing = pair_new(.1, .1);
	open_below->time->lower_ratio = 0;
	assert_unknown(open_below);
	open_above->time->upper_ratio = INFINITY;
	assert_unknown(open_above);
	nothing->time->lower_ratio = NAN;
	assert_unknown(nothing);
}

static void an_engine_that_failed_says_nothing_of_work_or_time(void **state)
{
	(void)state;
	g_autoptr(Pair) timed = pair_new(.1, .1), counted = pair_new(.1, .1);
	say(timed->timed, VERDICT_ERROR, "zero_runs", "no round was measured");
	assert_unknown(timed);
	say(counted->counted, VERDICT_ERROR, "zero_runs", "no run was counted");
	assert_unknown(counted);
	assert_int_equal(counted->timed->verdict, VERDICT_ERROR);
	assert_string_equal(counted->timed->reason_code, "zero_runs");
}

static void the_time_that_is_known_is_spoken_of(void **state)
{
	(void)state;
	g_autoptr(Pair) pair = pair_new(.1, .1);
	add_metric(pair->timed, &engine_perf, "wall", 0);
	add_metric(pair->timed, &engine_perf, "cycles", 0)->verdict = VERDICT_ERROR;
	engine_pair_join(pair->timed, pair->counted);
	assert_int_equal(pair->timed->pair, PAIR_MORE_WORK);
	g_autoptr(Pair) cycles = pair_new(.1, .1);
	add_metric(cycles->timed, &engine_perf, "cycles", 0);
	engine_pair_join(cycles->timed, cycles->counted);
	assert_int_equal(cycles->timed->pair, PAIR_HIDDEN_WORK);
}

static void the_graver_verdict_is_that_of_both(void **state)
{
	static const Verdict by_gravity[] = {VERDICT_ERROR, VERDICT_REGRESSION, VERDICT_INCONCLUSIVE, VERDICT_PASS};
	(void)state;
	for (guint t = 0; t < G_N_ELEMENTS(by_gravity); t++)
		for (guint e = 0; e < G_N_ELEMENTS(by_gravity); e++) {
			g_autoptr(Pair) pair = pair_new(.1, .1);
			say(pair->timed, by_gravity[t], "of_time", "time");
			say(pair->counted, by_gravity[e], "of_counts", "counts");
			engine_pair_join(pair->timed, pair->counted);
			assert_int_equal(pair->timed->verdict, by_gravity[MIN(t, e)]);
			assert_string_equal(pair->timed->reason_code, e < t ? "of_counts" : "of_time");
			assert_string_equal(pair->timed->reason, e < t ? "counts" : "time");
		}
}

/* Neither "no metric gates" nor its sentence is of interest where another engine has something to judge. */
static void an_engine_without_a_gating_metric_decides_nothing(void **state)
{
	static const Verdict others[] = {VERDICT_PASS, VERDICT_INCONCLUSIVE, VERDICT_REGRESSION, VERDICT_ERROR};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
		g_autoptr(Pair) timed = pair_new(.1, .1), counted = pair_new(.1, .1);
		say(timed->timed, VERDICT_ERROR, "zero_endpoints", "no metric gates");
		say(timed->counted, others[i], "of_counts", "counts");
		engine_pair_join(timed->timed, timed->counted);
		assert_int_equal(timed->timed->verdict, others[i]);
		assert_string_equal(timed->timed->reason_code, "of_counts");
		assert_string_equal(timed->timed->sentence, "counts");
		say(counted->counted, VERDICT_ERROR, "zero_endpoints", "no metric gates");
		say(counted->timed, others[i], "of_time", "time");
		engine_pair_join(counted->timed, counted->counted);
		assert_int_equal(counted->timed->verdict, others[i]);
		assert_string_equal(counted->timed->reason_code, "of_time");
		assert_string_equal(counted->timed->sentence, "time");
	}
	g_autoptr(Pair) neither = pair_new(.1, .1), shown = pair_new(.1, .1);
	say(neither->timed, VERDICT_ERROR, "zero_endpoints", "no metric gates");
	say(neither->counted, VERDICT_ERROR, "zero_endpoints", "no metric gates");
	engine_pair_join(neither->timed, neither->counted);
	assert_true(engine_pair_abstains(neither->timed));
	say(shown->counted, VERDICT_ERROR, "zero_endpoints", "no metric gates");
	engine_pair_join(shown->timed, shown->counted);
	assert_int_equal(shown->timed->pair, PAIR_MORE_WORK);
}

static void confirm(BenchmarkComparison *c, Confirmation confirmation, const char *text)
{
	c->confirmation = confirmation;
	c->confirmation_text = g_strdup(text);
}

/* "Confirmed" stands only beside what was confirmed, and the verdict rests on that. */
static void a_verdict_has_the_confirmation_of_its_engine(void **state)
{
	static const struct {
		Verdict timed;
		Confirmation of_time;
		Verdict counted;
		Confirmation of_counts, joined;
		const char *code, *text, *sentence;
	} rows[] = {
	        {VERDICT_INCONCLUSIVE, CONFIRMATION_NOT_CONFIRMED, VERDICT_REGRESSION, CONFIRMATION_CONFIRMED,
	                CONFIRMATION_CONFIRMED, "of_counts", "counted", "more counts; more time (not confirmed)"},
	        {VERDICT_INCONCLUSIVE, CONFIRMATION_UNCLEAR, VERDICT_REGRESSION, CONFIRMATION_CONFIRMED,
	                CONFIRMATION_CONFIRMED, "of_counts", "counted",
	                "more counts; more time (a second campaign was inconclusive)"},
	        {VERDICT_INCONCLUSIVE, CONFIRMATION_UNCLEAR, VERDICT_PASS, CONFIRMATION_NOT_NEEDED,
	                CONFIRMATION_UNCLEAR, "of_time", "timed", "more time; more counts"},
	        {VERDICT_REGRESSION, CONFIRMATION_NOT_RUN, VERDICT_PASS, CONFIRMATION_NOT_NEEDED, CONFIRMATION_NOT_RUN,
	                "of_time", "timed", "more time; more counts"},
	        {VERDICT_REGRESSION, CONFIRMATION_NOT_RUN, VERDICT_REGRESSION, CONFIRMATION_CONFIRMED,
	                CONFIRMATION_PARTLY, "of_counts", "counts: counted; time: not measured a second time: timed",
	                "more counts (confirmed); task-clock +10.0 % [+9.0, +11.0] (not measured a second time)"},
	        {VERDICT_REGRESSION, CONFIRMATION_CONFIRMED, VERDICT_REGRESSION, CONFIRMATION_NOT_RUN,
	                CONFIRMATION_PARTLY, "of_time", "time: timed; counts: not counted a second time: counted",
	                "more time (confirmed); instructions +10.00 % (100 more) (not counted a second time)"},
	        {VERDICT_REGRESSION, CONFIRMATION_CONFIRMED, VERDICT_REGRESSION, CONFIRMATION_CONFIRMED,
	                CONFIRMATION_CONFIRMED, "of_time", "timed; counted",
	                "more time; instructions +10.00 % (100 more)"},
	        {VERDICT_REGRESSION, CONFIRMATION_CONFIRMED, VERDICT_INCONCLUSIVE, CONFIRMATION_NOT_NEEDED,
	                CONFIRMATION_CONFIRMED, "of_time", "timed", "more time; more counts"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Pair) pair = pair_new(.1, .1);
		say(pair->timed, rows[i].timed, "of_time", "more time");
		say(pair->counted, rows[i].counted, "of_counts", "more counts");
		confirm(pair->timed, rows[i].of_time, "timed");
		confirm(pair->counted, rows[i].of_counts, "counted");
		engine_pair_join(pair->timed, pair->counted);
		assert_int_equal(pair->timed->confirmation, rows[i].joined);
		assert_string_equal(pair->timed->reason_code, rows[i].code);
		assert_string_equal(pair->timed->confirmation_text, rows[i].text);
		assert_string_equal(pair->timed->sentence, rows[i].sentence);
	}
	g_autoptr(Pair) neither = pair_new(.1, .1);
	say(neither->timed, VERDICT_REGRESSION, "regression", "task-clock regressed");
	say(neither->counted, VERDICT_REGRESSION, "regression", "instructions regressed");
	confirm(neither->timed, CONFIRMATION_NOT_RUN, "--no-confirm");
	confirm(neither->counted, CONFIRMATION_NOT_RUN, "--no-confirm");
	engine_pair_join(neither->timed, neither->counted);
	assert_int_equal(neither->timed->confirmation, CONFIRMATION_NOT_RUN);
	assert_string_equal(neither->timed->confirmation_text, "--no-confirm");
}

static void the_sentence_begins_with_the_graver_one(void **state)
{
	(void)state;
	g_autoptr(Pair) pass = pair_new(0, 0), counts = pair_new(.1, 0), both = pair_new(.1, .1);
	engine_pair_join(pass->timed, pass->counted);
	assert_string_equal(pass->timed->sentence, "time passes; counts pass");
	say(counts->counted, VERDICT_REGRESSION, "regression",
	        "instructions +10.00 % (100 more), caused by hash: +9.90 pp");
	engine_pair_join(counts->timed, counts->counted);
	assert_string_equal(
	        counts->timed->sentence, "instructions +10.00 % (100 more), caused by hash: +9.90 pp; time passes");
	say(both->counted, VERDICT_REGRESSION, "regression",
	        "instructions +10.00 % (100 more), caused by hash: +9.90 pp");
	say(both->timed, VERDICT_REGRESSION, "regression", "task-clock +10.0 %, caused by hash: +9.9 pp");
	engine_pair_join(both->timed, both->counted);
	assert_string_equal(
	        both->timed->sentence, "task-clock +10.0 %, caused by hash: +9.9 pp; instructions +10.00 % (100 more)");
	/* allocations alone regressed */
	g_autoptr(Pair) other = pair_new(0, .1);
	g_free(other->instructions->name);
	other->instructions->name = g_strdup("allocations");
	say(other->counted, VERDICT_REGRESSION, "regression", "allocations +10.00 % (100 more)");
	say(other->timed, VERDICT_REGRESSION, "regression", "task-clock +10.0 %");
	engine_pair_join(other->timed, other->counted);
	assert_string_equal(other->timed->sentence, "task-clock +10.0 %; allocations +10.00 % (100 more)");
}

static void metrics_are_copied_in_their_order(void **state)
{
	static const char *const wanted[] = {"instructions", "task-clock", "wall"};
	(void)state;
	g_autoptr(Pair) pair = pair_new(.1, .1);
	add_metric(pair->timed, &engine_perf, "wall", 0)->gates = FALSE;
	engine_pair_join(pair->timed, pair->counted);
	assert_int_equal(pair->timed->metrics->len, G_N_ELEMENTS(wanted));
	for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
		assert_string_equal(((const MetricComparison *)pair->timed->metrics->pdata[i])->name, wanted[i]);
	assert_int_equal(pair->counted->metrics->len, 1);
	assert_ptr_not_equal(pair->timed->metrics->pdata[0], pair->instructions);
}

/* A function that is slower though it fails nothing is told of both engines. */
static void what_is_slower_is_told_of_both_engines(void **state)
{
	static const struct {
		const char *timed, *instructions, *joined;
	} rows[] = {
	        {NULL, NULL, NULL},
	        {"slower: a", NULL, "slower: a"},
	        {NULL, "slower: b", "by instructions slower: b"},
	        {"slower: a", "slower: b", "slower: a; by instructions slower: b"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(BenchmarkComparison) timed = benchmark_comparison_new("x");
		g_autoptr(BenchmarkComparison) counted = benchmark_comparison_new("x");
		counted->counted = TRUE;
		benchmark_comparison_decide(timed, VERDICT_PASS, "", g_strdup("passes"));
		benchmark_comparison_decide(counted, VERDICT_PASS, "", g_strdup("passes"));
		timed->slower = g_strdup(rows[i].timed);
		counted->slower = g_strdup(rows[i].instructions);
		engine_pair_join(timed, counted);
		assert_int_equal(g_strcmp0(timed->slower, rows[i].joined), 0);
	}
}

static void a_narrow_margin_makes_a_smaller_change_one(void **state)
{
	(void)state;
	g_autoptr(Pair) usual = pair_new(.003, .012), narrow = pair_new(.003, .012);
	engine_pair_join(usual->timed, usual->counted);
	assert_int_equal(usual->timed->pair, PAIR_SAME);
	narrow->instructions->margin = .002;
	narrow->time->margin = .01;
	engine_pair_join(narrow->timed, narrow->counted);
	assert_int_equal(narrow->timed->pair, PAIR_MORE_WORK);
}

/* An error has nothing that could have been confirmed, so what became of the other's regression is not told beside it.
 */
static void beside_an_error_a_regression_has_no_mark(void **state)
{
	(void)state;
	g_autoptr(Pair) pair = pair_new(.1, .1);
	say(pair->timed, VERDICT_ERROR, "zero_runs", "no round was measured");
	say(pair->counted, VERDICT_REGRESSION, "regression", "more counts");
	confirm(pair->counted, CONFIRMATION_CONFIRMED, "counted");
	engine_pair_join(pair->timed, pair->counted);
	assert_int_equal(pair->timed->verdict, VERDICT_ERROR);
	assert_int_equal(pair->timed->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_string_equal(pair->timed->sentence, "no round was measured; more counts");
}

/* Instructions pass beside the allocations that regressed. */
static void of_the_other_engine_the_metric_that_regressed_is_told(void **state)
{
	(void)state;
	g_autoptr(Pair) pair = pair_new(.001, .1);
	add_metric(pair->counted, &engine_callgrind, "allocations", .2)->verdict = VERDICT_REGRESSION;
	say(pair->timed, VERDICT_REGRESSION, "regression", "task-clock +10.0 %");
	say(pair->counted, VERDICT_REGRESSION, "regression", "allocations +20.00 % (200 more), and more of it");
	engine_pair_join(pair->timed, pair->counted);
	assert_string_equal(pair->timed->sentence, "task-clock +10.0 %; allocations +20.00 % (200 more)");
}

static void what_was_confirmed_alike_is_told_once(void **state)
{
	static const struct {
		const char *timed, *instructions, *joined;
	} rows[] = {
	        {"timed", NULL, "timed"},
	        {"timed", "", "timed"},
	        {"both", "both", "both"},
	        {"timed", "counted", "timed; counted"},
	        {NULL, "counted", "counted"},
	        {NULL, NULL, NULL},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Pair) pair = pair_new(.1, .1);
		say(pair->timed, VERDICT_REGRESSION, "of_time", "more time");
		say(pair->counted, VERDICT_REGRESSION, "of_counts", "more counts");
		confirm(pair->timed, CONFIRMATION_CONFIRMED, rows[i].timed);
		confirm(pair->counted, CONFIRMATION_CONFIRMED, rows[i].instructions);
		engine_pair_join(pair->timed, pair->counted);
		assert_int_equal(g_strcmp0(pair->timed->confirmation_text, rows[i].joined), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_slower_is_told_of_both_engines),
	        cmocka_unit_test(the_words_of_the_report_are_stable),
	        cmocka_unit_test(two_directions_have_a_meaning),
	        cmocka_unit_test(a_wide_margin_does_not_make_more_work_the_same_work),
	        cmocka_unit_test(what_is_within_the_margin_or_uncertain_stayed),
	        cmocka_unit_test(what_one_engine_cannot_say_is_unknown),
	        cmocka_unit_test(an_engine_that_failed_says_nothing_of_work_or_time),
	        cmocka_unit_test(the_time_that_is_known_is_spoken_of),
	        cmocka_unit_test(the_graver_verdict_is_that_of_both),
	        cmocka_unit_test(an_engine_without_a_gating_metric_decides_nothing),
	        cmocka_unit_test(a_verdict_has_the_confirmation_of_its_engine),
	        cmocka_unit_test(the_sentence_begins_with_the_graver_one),
	        cmocka_unit_test(metrics_are_copied_in_their_order),
	        cmocka_unit_test(a_narrow_margin_makes_a_smaller_change_one),
	        cmocka_unit_test(beside_an_error_a_regression_has_no_mark),
	        cmocka_unit_test(of_the_other_engine_the_metric_that_regressed_is_told),
	        cmocka_unit_test(what_was_confirmed_alike_is_told_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
