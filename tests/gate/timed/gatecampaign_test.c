/* SPDX-License-Identifier: Apache-2.0 */
/* One campaign: how many rounds it has, in which order, how long its runs may take, and what it is judged by. */
#include "gate/timed/gatecampaign.h"

#include "compare/comparison/sentence.h"
#include "tests/gate/fixture/gatefixture.h"

#define WITH(more) "version: 1\nbenchmarks: [{name: work, command: ./work" more "}]\n"

/* --- the looks --- */

/* The rounds to the last look of a benchmark that is configured for `configured` rounds, 0 = nothing said. */
static LookPlan looks(gboolean two_sides, guint asked, guint configured, guint endpoints)
{
	const GateRequest request = {.rounds = asked};
	const Gate gate = {.request = &request, .two_sides = two_sides, .endpoints = endpoints};
	const ConfigBenchmark benchmark = {.rounds = configured};
	return gate_campaign_looks(&gate, &benchmark);
}

static void a_check_looks_several_times_unless_rounds_are_fixed(void **state)
{
	(void)state;
	assert_int_equal(looks(TRUE, 0, 0, 3).n, LOOKS_MAX);
	assert_int_equal(looks(TRUE, 0, 12, 3).n, 1);
	assert_int_equal(looks(TRUE, 0, 12, 3).rounds[0], 12);
}

static void the_command_line_has_the_last_word_on_rounds(void **state)
{
	(void)state;
	assert_int_equal(looks(TRUE, 9, 12, 3).rounds[0], 9);
	assert_int_equal(looks(FALSE, 9, 12, 3).rounds[0], 9);
}

static void a_side_alone_has_a_fixed_number_of_rounds(void **state)
{
	(void)state;
	assert_int_equal(looks(FALSE, 0, 0, 3).n, 1);
	assert_int_equal(looks(FALSE, 0, 0, 3).rounds[0], 8);
}

/* The levels are divided by their number, and none is still one comparison. */
static void what_gates_decides_about_the_levels(void **state)
{
	LookPlan none = looks(TRUE, 0, 0, 0), one = looks(TRUE, 0, 0, 1), ten = looks(TRUE, 0, 0, 10);
	(void)state;
	assert_true(look_plan_alpha(&none) == look_plan_alpha(&one));
	assert_true(look_plan_alpha(&ten) < look_plan_alpha(&one));
}

static void campaigns_of_a_check_have_different_orders(void **state)
{
	const GateRequest request = {.seed = 7};
	const Gate gate = {.request = &request};
	(void)state;
	assert_true(gate_campaign_seed(&gate, 0) == 7);
	assert_true(gate_campaign_seed(&gate, 1) != gate_campaign_seed(&gate, 0));
	assert_true(gate_campaign_seed(&gate, 2) != gate_campaign_seed(&gate, 1));
}

/* --- what it is judged by --- */

typedef struct {
	CheckResult *result;
	GateRequest request;
	ConfigBenchmark benchmark;
	Gate gate;
	GateCampaign campaign;
} Judged;

static void judged_init(Judged *j, CheckMode mode)
{
	*j = (Judged){.result = check_result_new(), .request = {.mode = mode}};
	j->benchmark = (ConfigBenchmark){.name = (char *)"work", .gate_functions = TRUE};
	j->gate = (Gate){.request = &j->request, .result = j->result, .change = (LineChanges *)j, .n_judged = 1};
	j->campaign = (GateCampaign){.gate = &j->gate, .order = {.benchmark = &j->benchmark}};
}

static void functions_gate_unless_the_benchmark_says_otherwise(void **state)
{
	Judged j;
	(void)state;
	judged_init(&j, CHECK_GATE);
	assert_true(gate_campaign_input(&j.campaign).functions.gates);
	j.benchmark.gate_functions = FALSE;
	assert_false(gate_campaign_input(&j.campaign).functions.gates);
	check_result_free(j.result);
}

/* Base against base: that nothing was edited would excuse every false alarm. */
static void the_change_counts_only_in_a_gate(void **state)
{
	Judged gate, calibration;
	(void)state;
	judged_init(&gate, CHECK_GATE);
	judged_init(&calibration, CHECK_CALIBRATE);
	assert_non_null(gate_campaign_input(&gate.campaign).change);
	assert_null(gate_campaign_input(&calibration.campaign).change);
	check_result_free(gate.result);
	check_result_free(calibration.result);
}

static void a_disturbed_yardstick_is_part_of_it(void **state)
{
	Judged j;
	(void)state;
	judged_init(&j, CHECK_GATE);
	assert_false(gate_campaign_input(&j.campaign).contaminated);
	j.campaign.facts.yardstick.contaminated = TRUE;
	assert_true(gate_campaign_input(&j.campaign).contaminated);
	check_result_free(j.result);
}

/* --- whole checks --- */

static gint64 most_timeout_ms;

static void watch(FakeRun *run)
{
	most_timeout_ms = MAX(most_timeout_ms, run->benchmark->timeout_ms);
}

static const CheckResult *check_watched(GateFixture *f, const char *config)
{
	most_timeout_ms = 0;
	fake_host.on_run = watch;
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	return gate_fixture_check(f);
}

static void without_a_limit_a_run_has_its_own_timeout(void **state)
{
	check_watched(*state, WITH(", timeout: 90s"));
	assert_int_equal(most_timeout_ms, 90000);
}

/* The two runs of a round may follow each other, so each has half of what is left. */
static void with_a_limit_a_run_has_half_of_what_is_left(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 100;
	assert_ends(check_watched(f, WITH(", timeout: 90s")), 0, "");
	assert_in_range(most_timeout_ms, 1, 50000);
}

static void a_side_alone_has_no_yardstick(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	assert_ends(gate_fixture_measure(f), 0, "");
	assert_int_equal(fake_host.yardsticks, 0);
	assert_int_equal(measurement_n_runs(only_benchmark(f->result)->head), 8);
}

static void fail_beside_the_twin(FakeRun *run)
{
	if (run->together == 2)
		run->failure_code = "benchmark_failed";
}

/* Margins of sequential rounds are wider: falling back to them must not let more pass. */
static void falling_back_to_sequential_rounds_widens_no_margin(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, TIMED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_check(f);
	const MetricComparison *beside =
	        most_telling_metric(only_benchmark(f->result)->comparison->metrics, VERDICT_PASS);
	double margin = beside->pass_margin;
	fake_host_reset();
	fake_host.on_run = fail_beside_the_twin;
	gate_fixture_check(f);
	const MetricComparison *alone =
	        most_telling_metric(only_benchmark(f->result)->comparison->metrics, VERDICT_PASS);
	assert_string_equal(only_benchmark(f->result)->head->schedule, "sequential");
	assert_true(alone->pass_margin == margin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_check_looks_several_times_unless_rounds_are_fixed),
	        cmocka_unit_test(the_command_line_has_the_last_word_on_rounds),
	        cmocka_unit_test(a_side_alone_has_a_fixed_number_of_rounds),
	        cmocka_unit_test(what_gates_decides_about_the_levels),
	        cmocka_unit_test(campaigns_of_a_check_have_different_orders),
	        cmocka_unit_test(functions_gate_unless_the_benchmark_says_otherwise),
	        cmocka_unit_test(the_change_counts_only_in_a_gate),
	        cmocka_unit_test(a_disturbed_yardstick_is_part_of_it),
	        GATE_TEST(without_a_limit_a_run_has_its_own_timeout),
	        GATE_TEST(with_a_limit_a_run_has_half_of_what_is_left),
	        GATE_TEST(a_side_alone_has_no_yardstick),
	        GATE_TEST(falling_back_to_sequential_rounds_widens_no_margin),
	};
	return run_gate_tests(tests);
}
