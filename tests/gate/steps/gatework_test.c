/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that both engines do alike with a benchmark: is there time, was it the time that ended a run, and what is
 * said then. The clock is that of the fake machine. */
#include "gate/steps/gatework.h"

#include "core/error.h"
#include "tests/gate/fixture/gatefixture.h"

typedef struct {
	Gate gate;
	GateRequest request;
	ConfigBenchmark benchmark;
	GateWork work;
	BudgetShare share;
} Case;

/* A check of two sides and one benchmark that has `max_time_s`, 0 = not limited. */
static void begin(Case *f, double max_time_s)
{
	fake_host_reset();
	*f = (Case){.gate = {.result = check_result_new(), .two_sides = TRUE}, .benchmark = {.name = (char *)"work"}};
	f->gate.request = &f->request;
	gate_budget_start(&f->gate.budget, fake_host.host.now_ns, max_time_s);
	gate_budget_plan(&f->gate.budget, 1, NULL);
	f->share = gate_budget_share(&f->gate.budget, 0);
	f->work = (GateWork){.gate = &f->gate, .benchmark = &f->benchmark};
}

static void end(Case *f)
{
	gate_budget_clear(&f->gate.budget);
	check_result_free(f->gate.result);
}

static void time_is_over_when_that_of_the_campaign_is(void **state)
{
	Case f;
	(void)state;
	begin(&f, 100);
	assert_false(gate_time_is_over(&f.gate, &f.share));
	fake_host_pass((double)(f.share.campaign_end_ns - f.share.begin_ns) / 1e9);
	assert_true(gate_time_is_over(&f.gate, &f.share));
	end(&f);
}

static void time_that_is_not_limited_is_never_over(void **state)
{
	Case f;
	(void)state;
	begin(&f, 0);
	fake_host_pass(1e6);
	assert_false(gate_time_is_over(&f.gate, &f.share));
	end(&f);
}

static void the_time_to_ask_for_is_a_value_of_the_option(void **state)
{
	Case f;
	(void)state;
	begin(&f, 10);
	g_autofree char *seconds = gate_time_needed(&f.gate, &f.share, 20),
	                *minutes = gate_time_needed(&f.gate, &f.share, 2000),
	                *unknown = gate_time_needed(&f.gate, &f.share, 0);
	assert_true(g_regex_match_simple("--max-time [0-9]+s would do$", seconds, 0, 0));
	assert_true(g_regex_match_simple("--max-time [0-9]+m would do$", minutes, 0, 0));
	assert_says(unknown, "give --max-time more");
	end(&f);
}

/* TRUE if a campaign of so many seconds has the time in the check that its message asks for. */
static gboolean is_enough(double campaign_s)
{
	Case f;
	begin(&f, 10);
	g_autofree char *text = gate_time_needed(&f.gate, &f.share, campaign_s);
	char *unit;
	double asked = g_ascii_strtod(strstr(text, "--max-time ") + strlen("--max-time "), &unit);
	end(&f);
	begin(&f, asked * (*unit == 'm' ? 60 : 1));
	gboolean enough = gate_seconds_until(&f.gate.budget, f.share.campaign_end_ns) >= campaign_s;
	/* and no more than a minute too much */
	gboolean near = gate_seconds_until(&f.gate.budget, f.share.campaign_end_ns) < campaign_s + 60;
	end(&f);
	return enough && near;
}

/* Or the next check ends in the same way. */
static void the_time_to_ask_for_is_enough(void **state)
{
	(void)state;
	assert_true(is_enough(20));
	assert_true(is_enough(2000));
}

static void a_benchmark_without_time_is_a_reason_with_its_cause(void **state)
{
	Case f;
	(void)state;
	begin(&f, 10);
	gate_report_no_time(&f.work, &f.share, 0, "the warm-up took 9 s");
	assert_int_equal(f.gate.result->reasons->len, 1);
	const ResultReason *reason = f.gate.result->reasons->pdata[0];
	assert_string_equal(reason->code, NOT_MEASURED);
	assert_string_equal(reason->benchmark, "work");
	assert_says(reason->text, "time ran out (the warm-up took 9 s); give --max-time more");
	end(&f);
}

/* The verdict of a benchmark that was not measured, after its reason was added. */
static Verdict settled(gboolean two_sides, gboolean *is_there)
{
	Case f;
	begin(&f, 10);
	f.gate.two_sides = two_sides;
	ResultBenchmark *row = check_result_add_benchmark(f.gate.result, "work");
	gate_report_no_time(&f.work, &f.share, 0, "");
	gate_settle_no_time(&f.gate, row);
	*is_there = row->comparison != NULL;
	Verdict verdict = *is_there ? row->comparison->verdict : VERDICT_ERROR;
	end(&f);
	return verdict;
}

static void a_benchmark_of_two_sides_without_time_is_inconclusive(void **state)
{
	gboolean is_there;
	(void)state;
	assert_int_equal(settled(TRUE, &is_there), VERDICT_INCONCLUSIVE);
	assert_true(is_there);
}

static void a_side_alone_has_no_verdict(void **state)
{
	gboolean is_there;
	(void)state;
	settled(FALSE, &is_there);
	assert_false(is_there);
}

/* Adds what is said of two amounts of work; 0 = that side was not measured. TRUE if anything is. */
static gboolean work_differs(double base_work, double head_work)
{
	Case f;
	begin(&f, 0);
	g_autoptr(Measurement) base = base_work > 0 ? measurement_new("work", "b", "t") : NULL;
	g_autoptr(Measurement) head = head_work > 0 ? measurement_new("work", "h", "t") : NULL;
	if (base != NULL)
		base->work = base_work;
	if (head != NULL)
		head->work = head_work;
	gate_work_finding(&f.work, base, head);
	gboolean found = finding_has(f.gate.result->findings, "work_differs");
	end(&f);
	return found;
}

static void sides_that_do_different_work_are_worth_a_word(void **state)
{
	(void)state;
	assert_true(work_differs(100, 102));
	assert_true(work_differs(100, 98));
	assert_false(work_differs(100, 100.5));
	assert_false(work_differs(0, 100));
	assert_false(work_differs(100, 0));
}

static void choose_commits(Case *f)
{
	f->gate.choices[SIDE_BASE].sha = (char *)"4567";
	f->gate.choices[SIDE_HEAD].sha = (char *)"0123";
	f->gate.own_trees[SIDE_BASE] = f->gate.own_trees[SIDE_HEAD] = (char *)"tree";
}

static void a_measurement_of_a_commit_is_stored_by_a_gate_that_stores(void **state)
{
	Case f;
	(void)state;
	begin(&f, 0);
	choose_commits(&f);
	g_autoptr(Measurement) commit = measurement_new("work", "0123", "tree");
	g_autoptr(Measurement) worktree = measurement_new("work", "worktree", "tree");
	assert_false(gate_may_store(&f.work, SIDE_HEAD, commit));
	f.request.store = TRUE;
	assert_true(gate_may_store(&f.work, SIDE_HEAD, commit));
	assert_false(gate_may_store(&f.work, SIDE_HEAD, worktree));
	f.request.mode = CHECK_CALIBRATE;
	assert_false(gate_may_store(&f.work, SIDE_HEAD, commit));
	end(&f);
}

static void cases_that_base_lacks_keep_a_measurement_of_head_from_being_stored(void **state)
{
	Case f;
	(void)state;
	begin(&f, 0);
	choose_commits(&f);
	f.request.store = TRUE;
	f.benchmark.case_filter = (char *)"^sort$";
	g_autoptr(Measurement) measurement = measurement_new("work", "0123", "tree");
	assert_true(gate_may_store(&f.work, SIDE_BASE, measurement));
	assert_false(gate_may_store(&f.work, SIDE_HEAD, measurement));
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(time_is_over_when_that_of_the_campaign_is),
	        cmocka_unit_test(time_that_is_not_limited_is_never_over),
	        cmocka_unit_test(the_time_to_ask_for_is_a_value_of_the_option),
	        cmocka_unit_test(the_time_to_ask_for_is_enough),
	        cmocka_unit_test(a_benchmark_without_time_is_a_reason_with_its_cause),
	        cmocka_unit_test(a_benchmark_of_two_sides_without_time_is_inconclusive),
	        cmocka_unit_test(a_side_alone_has_no_verdict),
	        cmocka_unit_test(sides_that_do_different_work_are_worth_a_word),
	        cmocka_unit_test(a_measurement_of_a_commit_is_stored_by_a_gate_that_stores),
	        cmocka_unit_test(cases_that_base_lacks_keep_a_measurement_of_head_from_being_stored),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
