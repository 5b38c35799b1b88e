/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/acceptance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compare/counted/enginepair.h"
#include "compare/timed/confirmation.h"
#include "tests/compare/countedinput.h"
#include "tests/compare/near.h"
#include "tests/compare/synthetic.h"

#define SHA "0123456789abcdef0123456789abcdef01234567"

static const SyntheticFunction steady[] = {
        {"main;scan", 600, 600, NULL, 0},
        {"main;hash", 200, 200, NULL, 0},
        {"main;sort", 200, 200, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};
/* hash costs 10 % of the total more */
static const SyntheticFunction slower_hash[] = {
        {"main;scan", 600, 600, NULL, 0},
        {"main;hash", 200, 300, NULL, 0},
        {"main;sort", 200, 200, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};
/* hash 10 %, sort 8 % */
static const SyntheticFunction slower_both[] = {
        {"main;scan", 600, 600, NULL, 0},
        {"main;hash", 200, 300, NULL, 0},
        {"main;sort", 200, 280, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};
/* hash 10 %, and every other function by as much that the total fails without it, too: 5 % */
static const SyntheticFunction slower_everywhere[] = {
        {"main;scan", 600, 630, NULL, 0},
        {"main;hash", 200, 300, NULL, 0},
        {"main;sort", 200, 220, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};
/* sort falls by as much as hash rises: hash gates, the total holds */
static const SyntheticFunction hash_for_sort[] = {
        {"main;scan", 600, 600, NULL, 0},
        {"main;parse;hash", 200, 260, NULL, 0},
        {"main;output;sort", 200, 150, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};

static Synthetic *campaign(const SyntheticFunction *tree, guint rounds)
{
	SyntheticPlan plan = {.functions = tree, .rounds = rounds, .seed = 5, .noise = .2, .time_noise = .002};
	return synthetic_new(&plan);
}

/* An entry in force; NULL for any benchmark, or any function. */
static Acceptance *entry(const char *benchmark, const char *function)
{
	Acceptance *acceptance = g_new0(Acceptance, 1);
	acceptance->where = g_strdup("firebreak.yml:7");
	acceptance->benchmark = g_strdup(benchmark);
	acceptance->function = g_strdup(function);
	acceptance->reason = g_strdup("worth it");
	acceptance->is_new = TRUE;
	return acceptance;
}

static GPtrArray *entries(Acceptance *first, Acceptance *second)
{
	GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)acceptance_free);
	g_ptr_array_add(list, first);
	if (second != NULL)
		g_ptr_array_add(list, second);
	return list;
}

static Acceptance *at(const GPtrArray *list, guint i)
{
	return list->pdata[i];
}

/* The comparison of a campaign after the entries were applied. */
static BenchmarkComparison *judged(const Synthetic *s, const GPtrArray *acceptances)
{
	BenchmarkComparison *c = compare_benchmark(&s->input);
	acceptance_apply(acceptances, &s->input, c);
	return c;
}

static void assert_verdict(const BenchmarkComparison *c, Verdict verdict, const char *code)
{
	if (c->verdict != verdict || !g_str_equal(c->reason_code, code))
		fail_msg("%s (%s): %s", verdict_name(c->verdict), c->reason_code, c->reason);
	assert_true(strlen(c->sentence) > 0);
}

static const MetricComparison *task_clock(const BenchmarkComparison *c)
{
	return c->metrics->pdata[0];
}

static const AcceptedRegression *accepted(const BenchmarkComparison *c, guint i)
{
	assert_non_null(c->accepted);
	assert_true(i < c->accepted->len);
	return c->accepted->pdata[i];
}

/* --- which are in force --- */

static AcceptanceState state_of(Acceptance *acceptance, const AcceptanceFacts *facts)
{
	acceptance_examine(acceptance, facts);
	AcceptanceState state = acceptance->state;
	acceptance_free(acceptance);
	return state;
}

static const AcceptanceFacts fine = {.allowed = TRUE, .knows_benchmark = TRUE, .until_end_s = 1000, .head_time_s = 5};

static void an_entry_that_the_change_brings_is_in_force(void **state)
{
	(void)state;
	assert_int_equal(state_of(entry("catalog", NULL), &fine), ACCEPTANCE_UNUSED);
}

static void an_entry_that_base_has_too_is_spent_unless_it_has_a_last_day(void **state)
{
	(void)state;
	Acceptance *known = entry("catalog", NULL), *dated = entry("catalog", NULL);
	known->is_new = dated->is_new = FALSE;
	dated->until = g_strdup("2026-12-31");
	assert_int_equal(state_of(known, &fine), ACCEPTANCE_SPENT);
	assert_int_equal(state_of(dated, &fine), ACCEPTANCE_UNUSED);
}

static void the_last_day_is_over_when_head_was_committed_after_it(void **state)
{
	(void)state;
	for (gint64 late = 0; late < 2; late++) {
		AcceptanceFacts facts = fine;
		Acceptance *dated = entry("catalog", NULL);
		dated->until = g_strdup("2026-12-31");
		facts.head_time_s = facts.until_end_s - 1 + late;
		assert_int_equal(state_of(dated, &facts), late ? ACCEPTANCE_EXPIRED : ACCEPTANCE_UNUSED);
	}
}

static void the_policy_and_the_benchmarks_come_first(void **state)
{
	(void)state;
	AcceptanceFacts forbidden = fine, unknown = fine;
	forbidden.allowed = forbidden.knows_benchmark = FALSE;
	unknown.knows_benchmark = FALSE;
	assert_int_equal(state_of(entry("catalog", NULL), &forbidden), ACCEPTANCE_FORBIDDEN);
	assert_int_equal(state_of(entry("catalog", NULL), &unknown), ACCEPTANCE_UNKNOWN_BENCHMARK);
	assert_int_equal(state_of(acceptance_of_trailer(SHA, ""), &fine), ACCEPTANCE_NO_REASON);
	assert_int_equal(state_of(acceptance_of_trailer(SHA, "catalog:"), &fine), ACCEPTANCE_NO_REASON);
}

static void a_trailer_may_name_a_benchmark(void **state)
{
	static const struct {
		const char *value, *benchmark, *reason;
		gboolean is_unnamed;
	} rows[] = {
	        {"we need it", NULL, "we need it", TRUE},
	        {"parse-large: we need it", "parse-large", "we need it", FALSE},
	        {"a.b_C-9:  spaced ", "a.b_C-9", "spaced", FALSE},
	        {"*: we need it", NULL, "we need it", FALSE},
	        {"*we need it", NULL, "*we need it", TRUE},
	        {"two words: a reason", NULL, "two words: a reason", TRUE},
	        {"https://example.org/why", NULL, "https://example.org/why", TRUE},
	        {": nothing before", NULL, ": nothing before", TRUE},
	        {"parse:", "parse", "", FALSE},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Acceptance *acceptance = acceptance_of_trailer(SHA, rows[i].value);
		assert_int_equal(g_strcmp0(acceptance->benchmark, rows[i].benchmark), 0);
		assert_string_equal(acceptance->reason, rows[i].reason);
		assert_int_equal(acceptance->is_unnamed, rows[i].is_unnamed);
		assert_string_equal(acceptance->where, "commit 0123456789ab");
		assert_string_equal(acceptance->sha, SHA);
		assert_int_equal(acceptance->source, ACCEPTANCE_BY_TRAILER);
		assert_null(acceptance->function);
		acceptance_free(acceptance);
	}
}

/* Those that read as a name with a slip, by how they end where `count` is the only benchmark. */
static const char *const slips[] = {"count:is fine", "count : is fine", "\"count\": fine", "count, words: fine",
        "count - fine", "Count is fine", "cuont - fine", "benchmark count: fine", "no", "false", "count", "* fine"};

static void a_trailer_that_may_be_a_slip_accepts_nothing(void **state)
{
	AcceptanceFacts single = fine;
	(void)state;
	single.only_benchmark = "count";
	for (gsize i = 0; i < G_N_ELEMENTS(slips); i++) {
		g_autoptr(GPtrArray) list = entries(acceptance_of_trailer(SHA, slips[i]), NULL);
		acceptance_examine(at(list, 0), &single);
		if (at(list, 0)->state != ACCEPTANCE_UNNAMED || acceptances_concern(list, "count"))
			fail_msg("\"%s\" accepts something", slips[i]);
	}
}

static void a_reason_alone_is_for_the_only_benchmark(void **state)
{
	AcceptanceFacts single = fine;
	(void)state;
	single.only_benchmark = "count";
	g_autoptr(GPtrArray) list = entries(acceptance_of_trailer(SHA, "we need it"), NULL);
	assert_false(acceptances_concern(list, "count"));
	acceptance_examine(at(list, 0), &single);
	assert_int_equal(at(list, 0)->state, ACCEPTANCE_UNUSED);
	assert_string_equal(at(list, 0)->benchmark, "count");
	assert_true(acceptances_concern(list, "count"));
}

static void a_reason_alone_accepts_nothing_where_there_are_several_benchmarks(void **state)
{
	(void)state;
	Acceptance *acceptance = acceptance_of_trailer(SHA, "we need it");
	acceptance_examine(acceptance, &fine);
	g_autofree char *scope = acceptance_scope(acceptance);
	assert_string_equal(scope, "no benchmark");
	assert_int_equal(state_of(acceptance, &fine), ACCEPTANCE_UNNAMED);
	assert_int_equal(state_of(acceptance_of_trailer(SHA, "*: we need it"), &fine), ACCEPTANCE_UNUSED);
}

static void only_those_in_force_concern_a_benchmark(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	assert_true(acceptances_concern(list, "catalog"));
	assert_false(acceptances_concern(list, "other"));
	at(list, 0)->state = ACCEPTANCE_EXPIRED;
	assert_false(acceptances_concern(list, "catalog"));
}

/* --- whole benchmarks --- */

static void a_regression_of_an_accepted_benchmark_passes_and_is_listed(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 8);
	g_autoptr(GPtrArray) list = entries(entry("catalog", NULL), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_PASS, "accepted");
	assert_int_equal(at(list, 0)->state, ACCEPTANCE_USED);
	assert_true(task_clock(c)->accepted);
	assert_int_equal(task_clock(c)->verdict, VERDICT_REGRESSION);
	assert_int_equal(c->accepted->len, 2);
	assert_string_equal(accepted(c, 0)->name, "task-clock");
	assert_true(g_str_has_prefix(accepted(c, 0)->text, "task-clock +10."));
	assert_false(accepted(c, 0)->is_function);
	assert_string_equal(accepted(c, 1)->name, "hash");
	assert_true(accepted(c, 1)->is_function);
	assert_string_equal(accepted(c, 1)->reason, "worth it");
	assert_string_equal(accepted(c, 1)->where, "firebreak.yml:7");
	assert_true(synthetic_find(s, c, "hash")->accepted && !synthetic_find(s, c, "hash")->gates);
	assert_true(g_str_has_prefix(c->sentence, "catalog is 1"));
	assert_non_null(strstr(c->sentence, "; accepted in firebreak.yml:7: worth it"));
}

static void an_acceptance_of_another_benchmark_changes_nothing(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 8);
	g_autoptr(GPtrArray) list = entries(entry("other", NULL), entry("other", "hash"));
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_null(c->accepted);
	assert_int_equal(at(list, 0)->state, ACCEPTANCE_UNUSED);
}

static void an_acceptance_that_is_not_in_force_changes_nothing(void **state)
{
	(void)state;
	for (int s = ACCEPTANCE_FORBIDDEN; s <= ACCEPTANCE_SPENT; s++) {
		g_autoptr(Synthetic) campaign_of_hash = campaign(slower_hash, 8);
		g_autoptr(GPtrArray) list = entries(entry("catalog", NULL), entry("catalog", "hash"));
		at(list, 0)->state = at(list, 1)->state = (AcceptanceState)s;
		g_autoptr(BenchmarkComparison) c = judged(campaign_of_hash, list);
		assert_verdict(c, VERDICT_REGRESSION, "regression");
		assert_null(c->accepted);
	}
}

static void a_pass_stays_a_plain_pass(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_autoptr(GPtrArray) list = entries(entry(NULL, NULL), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_PASS, "");
	assert_int_equal(at(list, 0)->state, ACCEPTANCE_UNUSED);
}

static void what_is_inconclusive_or_an_error_is_never_accepted(void **state)
{
	(void)state;
	g_autoptr(Synthetic) few = campaign(steady, 7);
	g_autoptr(Synthetic) none = campaign(slower_hash, 0);
	g_autoptr(GPtrArray) list = entries(entry(NULL, NULL), NULL);
	g_autoptr(BenchmarkComparison) open = judged(few, list), invalid = judged(none, list);
	assert_verdict(open, VERDICT_INCONCLUSIVE, "too_few_rounds");
	assert_verdict(invalid, VERDICT_ERROR, "zero_runs");
}

/* A second metric that gates and wanders: nobody knows whether it passes. */
static void add_open_metric(Synthetic *s, MetricPolicy *policy)
{
	*policy = (MetricPolicy){.metric = (char *)"page-faults",
	        .engine = &engine_perf,
	        .margin = .02,
	        .pass_margin = .04,
	        .gates = TRUE};
	g_ptr_array_add(s->policies, policy);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "page-faults", "count", r, r % 2 == 0 ? 1000 : 1400);
		synthetic_value(s->head, "page-faults", "count", r, r % 3 == 0 ? 1000 : 1400);
	}
}

static void a_metric_that_is_open_beside_an_accepted_one_keeps_it_from_passing(void **state)
{
	MetricPolicy policy;
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 8);
	add_open_metric(s, &policy);
	g_autoptr(GPtrArray) list = entries(entry("catalog", NULL), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_INCONCLUSIVE, "interval_too_wide");
	assert_non_null(strstr(c->reason, "page-faults is not known to pass"));
	assert_non_null(c->accepted);
}

static void a_contaminated_campaign_does_not_pass_by_an_acceptance(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 8);
	s->input.contaminated = TRUE;
	g_autoptr(GPtrArray) list = entries(entry("catalog", NULL), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_INCONCLUSIVE, "contaminated");
}

static void a_head_that_waits_longer_does_not_pass_by_an_acceptance(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 8);
	for (guint run = 0; run < measurement_n_runs(s->base); run++) {
		synthetic_value(s->base, "wait", "ns", run, 1e3 + run);
		synthetic_value(s->head, "wait", "ns", run, 2e9 + run);
	}
	g_autoptr(GPtrArray) list = entries(entry("catalog", NULL), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_INCONCLUSIVE, "waits_more");
}

/* CPU time falls, page faults rise, and head prints an error that base does not. Owned by the caller. */
static Synthetic *campaign_that_may_leave_out_work(MetricPolicy *policy, double head_faults)
{
	static const SyntheticFunction faster[] = {{"main;scan", 1000, 600, NULL, 0}, {NULL, 0, 0, NULL, 0}};
	g_autoptr(GPtrArray) none = g_ptr_array_new(), lines = g_ptr_array_new();
	Synthetic *s = campaign(faster, 8);
	g_ptr_array_add(lines, (gpointer) "error: cannot open data.txt");
	measurement_add_complaints(s->base, none);
	measurement_add_complaints(s->head, lines);
	add_open_metric(s, policy);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "page-faults", "count", r, 1000 + r);
		synthetic_value(s->head, "page-faults", "count", r, head_faults + r);
	}
	return s;
}

static void a_head_that_may_leave_out_work_does_not_pass_by_an_acceptance(void **state)
{
	MetricPolicy policy;
	(void)state;
	g_autoptr(Synthetic) s = campaign_that_may_leave_out_work(&policy, 1400);
	g_autoptr(BenchmarkComparison) alone = compare_benchmark(&s->input);
	assert_verdict(alone, VERDICT_REGRESSION, "regression");
	g_autoptr(GPtrArray) list = entries(entry("catalog", NULL), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_ERROR, "prints_error");
	assert_string_equal(c->sentence, c->reason);
}

/* Nobody accepts anything; a second campaign took the regression back that had hidden what head prints. */
static void a_head_that_may_leave_out_work_is_invalid_once_its_regression_is_refuted(void **state)
{
	MetricPolicy policy, again_policy;
	(void)state;
	g_autoptr(Synthetic) s = campaign_that_may_leave_out_work(&policy, 1400);
	g_autoptr(Synthetic) again = campaign_that_may_leave_out_work(&again_policy, 1000);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	again->input.suspected = c;
	g_autoptr(BenchmarkComparison) second = compare_benchmark(&again->input);
	confirmation_apply(c, second);
	assert_verdict(c, VERDICT_INCONCLUSIVE, "not_confirmed");
	g_autoptr(GPtrArray) nothing = g_ptr_array_new();
	acceptance_apply(nothing, &s->input, c);
	assert_verdict(c, VERDICT_ERROR, "prints_error");
	assert_string_equal(c->sentence, c->reason);
}

static void a_campaign_goes_on_after_a_regression_that_may_be_accepted(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 8);
	assert_true(compare_decided(&s->input));
	s->input.beyond_regression = TRUE;
	assert_false(compare_decided(&s->input));
	g_autoptr(Synthetic) same = campaign(steady, 8);
	same->input.beyond_regression = TRUE;
	assert_true(compare_decided(&same->input));
}

/* --- functions --- */

static void an_accepted_function_covers_what_it_costs_more(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 12);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_PASS, "accepted");
	assert_string_equal(accepted(c, 0)->name, "task-clock");
	assert_non_null(strstr(accepted(c, 0)->text, "; without hash it is task-clock "));
	assert_string_equal(accepted(c, 1)->name, "hash");
	assert_int_equal(at(list, 0)->state, ACCEPTANCE_USED);
}

static void another_function_that_costs_more_still_fails(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_both, 12);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_non_null(strstr(c->reason, "task-clock regressed beyond what is accepted"));
	assert_non_null(strstr(c->reason, "without hash it is task-clock +"));
	assert_true(synthetic_find(s, c, "sort")->gates);
	assert_false(synthetic_find(s, c, "hash")->gates);
	assert_false(task_clock(c)->accepted);
}

static void both_functions_accepted_pass(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_both, 12);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), entry("catalog", "sort"));
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_PASS, "accepted");
	assert_int_equal(c->accepted->len, 3);
	assert_int_equal(at(list, 1)->state, ACCEPTANCE_USED);
}

static void a_rise_that_no_function_is_blamed_for_still_fails(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_everywhere, 20);
	s->input.functions.gates = FALSE;
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_null(c->accepted);
	assert_non_null(strstr(c->reason, "without hash it is task-clock +"));
}

static void another_function_still_fails_where_the_total_holds(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(hash_for_sort, 20);
	s->input.functions.strict = TRUE;
	g_autoptr(GPtrArray) other = entries(entry("catalog", "scan"), NULL);
	g_autoptr(BenchmarkComparison) before = compare_benchmark(&s->input);
	g_autoptr(BenchmarkComparison) c = judged(s, other);
	assert_true(synthetic_find(s, before, "hash")->gates);
	assert_verdict(c, before->verdict, before->reason_code);
	assert_true(synthetic_find(s, c, "hash")->gates);
}

static void a_function_that_fell_covers_nothing(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 12);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "scan"), entry("catalog", "no_such_function"));
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_null(strstr(c->reason, "beyond what is accepted"));
	assert_int_equal(at(list, 0)->state, ACCEPTANCE_UNUSED);
}

static void a_function_does_not_cover_a_metric_that_its_samples_do_not_count(void **state)
{
	MetricPolicy policy;
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_hash, 8);
	add_open_metric(s, &policy);
	for (guint r = 0; r < 8; r++)
		synthetic_value(s->head, "page-faults", "count", r, 2000);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_non_null(strstr(c->reason, "page-faults regressed beyond what is accepted"));
	assert_non_null(strstr(c->reason, "it can be accepted for the whole benchmark only"));
}

static void a_rest_that_cannot_be_told_is_inconclusive(void **state)
{
	SyntheticPlan plan = {.functions = slower_hash, .rounds = 8, .seed = 5, .noise = 6, .time_noise = .002};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	s->input.functions.gates = FALSE;
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged(s, list);
	assert_verdict(c, VERDICT_INCONCLUSIVE, "acceptance_unclear");
	assert_non_null(strstr(c->reason, "without hash it is task-clock "));
}

/* Once the total is accepted, code that is the same on both sides fails nothing by itself. */
static void equal_code_does_not_fail_where_the_total_is_accepted(void **state)
{
	(void)state;
	for (guint same = 0; same < 2; same++) {
		g_autoptr(Synthetic) s = campaign(slower_both, 12);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		FunctionComparison *sort = synthetic_find(s, c, "sort");
		sort->gates = TRUE;
		sort->code = same ? CODE_SAME : CODE_CHANGED;
		s->policy.margin = .15;
		s->policy.pass_margin = .3;
		g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
		acceptance_apply(list, &s->input, c);
		assert_int_equal(sort->gates, !same);
		assert_int_equal(sort->held, same ? FUNCTION_HELD_BY_CODE : FUNCTION_NOT_HELD);
		assert_int_equal(c->verdict, same ? VERDICT_PASS : VERDICT_REGRESSION);
	}
}

/* The function that was excused as the consequence of the accepted one is beyond it. */
static void what_an_accepted_function_excused_gates(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower_both, 12);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	FunctionComparison *sort = synthetic_find(s, c, "sort");
	sort->gates = FALSE;
	sort->excused = TRUE;
	s->policy.margin = .15;
	s->policy.pass_margin = .3;
	((MetricComparison *)c->metrics->pdata[0])->verdict = VERDICT_PASS;
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	acceptance_apply(list, &s->input, c);
	assert_verdict(c, VERDICT_REGRESSION, "function_regression");
	assert_true(sort->gates && !sort->excused);
	assert_non_null(strstr(c->reason, "beyond what is accepted: sort +"));
}

/* --- counts --- */

static const CountedFunction counted_hash[] = {
        {"cmd;main", {1000}, {1000}},
        {"cmd;main;hash", {300000}, {330000}},
        {"cmd;main;sort", {699000}, {699000}},
        {NULL, {0}, {0}},
};
/* sort rises by less than the margin, but together with the rest it is beyond it */
static const CountedFunction counted_more[] = {
        {"cmd;main", {1000}, {1000}},
        {"cmd;main;hash", {300000}, {330000}},
        {"cmd;main;scan", {300000}, {304000}},
        {"cmd;main;sort", {399000}, {403000}},
        {NULL, {0}, {0}},
};
static const CountedFunction counted_both[] = {
        {"cmd;main", {1000}, {1000}},
        {"cmd;main;hash", {300000}, {330000}},
        {"cmd;main;sort", {699000}, {719000}},
        {NULL, {0}, {0}},
};
/* hash wanders, and so does the total */
static const CountedFunction counted_noisy[] = {
        {"cmd;main", {700000}, {700000}},
        {"cmd;main;hash", {300000, 301000, 300500, 300200, 300800}, {330300, 330700, 330100, 330900, 330400}},
        {NULL, {0}, {0}},
};

static BenchmarkComparison *judged_counts(const Counted *counted, const GPtrArray *acceptances)
{
	BenchmarkComparison *c = compare_counted(&counted->input);
	acceptance_apply_counted(acceptances, &counted->input, c);
	return c;
}

static void an_accepted_function_covers_its_counts_to_the_last(void **state)
{
	(void)state;
	g_autoptr(Counted) counted = counted_new(counted_hash, 2, 2, 0);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged_counts(counted, list);
	assert_verdict(c, VERDICT_PASS, "accepted");
	assert_ptr_equal(accepted(c, 0)->engine, &engine_callgrind);
	assert_non_null(strstr(accepted(c, 0)->text, "without hash it is instructions unchanged"));
	assert_true(counted_find(c, "hash")->accepted);
}

static void one_more_instruction_elsewhere_still_fails(void **state)
{
	static const CountedFunction one_more[] = {
	        {"cmd;main", {1000}, {1001}},
	        {"cmd;main;hash", {300000}, {330000}},
	        {"cmd;main;sort", {699000}, {699000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Counted) counted = counted_new(one_more, 2, 2, 0);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged_counts(counted, list);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_non_null(strstr(c->reason, "(1 more)"));
}

static void counts_of_another_function_still_fail(void **state)
{
	(void)state;
	g_autoptr(Counted) counted = counted_new(counted_both, 2, 2, .005);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged_counts(counted, list);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_true(counted_find(c, "sort")->gates);
}

static void counts_that_only_together_are_beyond_the_margin_still_fail(void **state)
{
	(void)state;
	g_autoptr(Counted) counted = counted_new(counted_more, 2, 2, .005);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged_counts(counted, list);
	assert_false(counted_find(c, "sort")->gates || counted_find(c, "scan")->gates);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_non_null(strstr(c->reason, "without hash it is instructions +0.8"));
}

static void counts_that_do_not_repeat_are_covered_by_their_ranges(void **state)
{
	(void)state;
	g_autoptr(Counted) counted = counted_new(counted_noisy, 5, 5, .005);
	g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
	g_autoptr(BenchmarkComparison) c = judged_counts(counted, list);
	assert_verdict(c, VERDICT_PASS, "accepted");
}

static void a_whole_benchmark_is_accepted_by_its_counts(void **state)
{
	(void)state;
	g_autoptr(Counted) counted = counted_new(counted_both, 2, 2, .005);
	g_autoptr(GPtrArray) list = entries(acceptance_of_trailer(SHA, "*: all of it is meant"), NULL);
	g_autoptr(BenchmarkComparison) c = judged_counts(counted, list);
	assert_verdict(c, VERDICT_PASS, "accepted");
	assert_int_equal(c->accepted->len, 3);
	assert_string_equal(accepted(c, 0)->where, "commit 0123456789ab");
}

/* The total repeats, but not the two functions whose noise cancels; one of them seems to cost more. */
static void counts_made_too_seldom_for_other_functions_are_inconclusive(void **state)
{
	static const CountedFunction cancelling[] = {
	        {"cmd;main", {500000}, {500000}},
	        {"cmd;main;even", {100000, 102000}, {130000}},
	        {"cmd;main;odd", {102000, 100000}, {101000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Counted) counted = counted_new(cancelling, 2, 1, .005);
	g_autoptr(GPtrArray) list = entries(entry("catalog", NULL), NULL);
	g_autoptr(BenchmarkComparison) c = judged_counts(counted, list);
	assert_verdict(c, VERDICT_INCONCLUSIVE, "too_few_rounds");
	assert_true(accepted(c, 0)->is_function == FALSE);
}

/* --- how often chance decides --- */

/* Of 300 campaigns in which hash rises by 10 % of the total, and the rest by `rest` of it, how many end so once hash is
 * accepted. Functions do not gate, so that the total alone decides. The clock counts 2 % that no sample saw, also of
 * what hash costs more, and that is part of the rest: .2 % of the total. */
static guint count_verdicts(double rest, Verdict verdict)
{
	double rise = (rest - .02 * .1 / 1.02) / .8;
	const SyntheticFunction tree[] = {
	        {"main;scan", 600, 600 * (1 + rise), NULL, 0},
	        {"main;hash", 200, 300, NULL, 0},
	        {"main;sort", 200, 200 * (1 + rise), NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	guint n = 0;
	for (guint seed = 1; seed <= 300; seed++) {
		SyntheticPlan plan = {.functions = tree, .rounds = 20, .seed = seed, .noise = 1, .time_noise = .003};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		s->input.functions.gates = FALSE;
		g_autoptr(GPtrArray) list = entries(entry("catalog", "hash"), NULL);
		g_autoptr(BenchmarkComparison) c = judged(s, list);
		n += c->verdict == verdict;
	}
	return n;
}

/* The levels of both decisions are those of the metric: 1 % to fail and 5 % to pass. */
static void the_rest_is_judged_at_the_levels_of_the_metric(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	guint failed = count_verdicts(s->policy.margin, VERDICT_REGRESSION);
	guint passed = count_verdicts(s->policy.pass_margin, VERDICT_PASS);
	print_message("of 300: a rest of the margin failed %u times, one of the pass margin passed %u times\n", failed,
	        passed);
	assert_true(failed <= 300 * .01 + 6);
	assert_true(passed <= 300 * .05 + 12);
	assert_true(count_verdicts(0, VERDICT_PASS) > 270);
	assert_true(count_verdicts(2 * s->policy.pass_margin, VERDICT_REGRESSION) > 270);
}

/* --- two engines --- */

static void what_one_engine_accepts_is_part_of_what_both_say(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_autoptr(Counted) counts = counted_new(counted_hash, 2, 2, .005);
	g_autoptr(GPtrArray) list = entries(entry("catalog", NULL), NULL);
	g_autoptr(BenchmarkComparison) timed = judged(s, list), counted = judged_counts(counts, list);
	engine_pair_join(timed, counted);
	assert_verdict(timed, VERDICT_PASS, "accepted");
	assert_int_equal(timed->accepted->len, 2);
	assert_string_equal(accepted(timed, 0)->name, "instructions");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_entry_that_the_change_brings_is_in_force),
	        cmocka_unit_test(an_entry_that_base_has_too_is_spent_unless_it_has_a_last_day),
	        cmocka_unit_test(the_last_day_is_over_when_head_was_committed_after_it),
	        cmocka_unit_test(the_policy_and_the_benchmarks_come_first),
	        cmocka_unit_test(a_trailer_may_name_a_benchmark),
	        cmocka_unit_test(a_trailer_that_may_be_a_slip_accepts_nothing),
	        cmocka_unit_test(a_reason_alone_is_for_the_only_benchmark),
	        cmocka_unit_test(a_reason_alone_accepts_nothing_where_there_are_several_benchmarks),
	        cmocka_unit_test(only_those_in_force_concern_a_benchmark),
	        cmocka_unit_test(a_regression_of_an_accepted_benchmark_passes_and_is_listed),
	        cmocka_unit_test(an_acceptance_of_another_benchmark_changes_nothing),
	        cmocka_unit_test(an_acceptance_that_is_not_in_force_changes_nothing),
	        cmocka_unit_test(a_pass_stays_a_plain_pass),
	        cmocka_unit_test(what_is_inconclusive_or_an_error_is_never_accepted),
	        cmocka_unit_test(a_metric_that_is_open_beside_an_accepted_one_keeps_it_from_passing),
	        cmocka_unit_test(a_contaminated_campaign_does_not_pass_by_an_acceptance),
	        cmocka_unit_test(a_head_that_waits_longer_does_not_pass_by_an_acceptance),
	        cmocka_unit_test(a_head_that_may_leave_out_work_does_not_pass_by_an_acceptance),
	        cmocka_unit_test(a_head_that_may_leave_out_work_is_invalid_once_its_regression_is_refuted),
	        cmocka_unit_test(a_campaign_goes_on_after_a_regression_that_may_be_accepted),
	        cmocka_unit_test(an_accepted_function_covers_what_it_costs_more),
	        cmocka_unit_test(another_function_that_costs_more_still_fails),
	        cmocka_unit_test(both_functions_accepted_pass),
	        cmocka_unit_test(a_rise_that_no_function_is_blamed_for_still_fails),
	        cmocka_unit_test(another_function_still_fails_where_the_total_holds),
	        cmocka_unit_test(a_function_that_fell_covers_nothing),
	        cmocka_unit_test(a_function_does_not_cover_a_metric_that_its_samples_do_not_count),
	        cmocka_unit_test(a_rest_that_cannot_be_told_is_inconclusive),
	        cmocka_unit_test(equal_code_does_not_fail_where_the_total_is_accepted),
	        cmocka_unit_test(what_an_accepted_function_excused_gates),
	        cmocka_unit_test(an_accepted_function_covers_its_counts_to_the_last),
	        cmocka_unit_test(one_more_instruction_elsewhere_still_fails),
	        cmocka_unit_test(counts_of_another_function_still_fail),
	        cmocka_unit_test(counts_that_only_together_are_beyond_the_margin_still_fail),
	        cmocka_unit_test(counts_that_do_not_repeat_are_covered_by_their_ranges),
	        cmocka_unit_test(a_whole_benchmark_is_accepted_by_its_counts),
	        cmocka_unit_test(counts_made_too_seldom_for_other_functions_are_inconclusive),
	        cmocka_unit_test(the_rest_is_judged_at_the_levels_of_the_metric),
	        cmocka_unit_test(what_one_engine_accepts_is_part_of_what_both_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
