/* SPDX-License-Identifier: Apache-2.0 */
/* Commits of a bisection that are answered by stored counts. */
#include "gate/bisect/bisectstored.h"

#include "compare/counted/countedbase.h"
#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

/* Base against `head`, both stored, and a log that looks for `metric` there. */
static BisectLog *store_and_ask(GateFixture *f, const char *config, const char *head, const char *metric)
{
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, head);
	gate_fixture_check(f);
	BisectLog *log = bisect_log_new();
	log->good = git(f->repo, "rev-parse base^0");
	log->bad = git(f->repo, "rev-parse main^0");
	log->benchmark = g_strdup("work");
	log->target.metric = g_strdup(metric);
	log->target.engine = g_str_equal(metric, "instructions") ? &engine_callgrind : &engine_perf;
	log->fingerprint = environment_fingerprint(only_benchmark(f->result)->base->environment, METRIC_REPLICABLE);
	return log;
}

/* The answer about bad, or BISECT_UNTESTABLE where it has to be measured. */
static BisectVerdict answer(const GateFixture *f, const BisectLog *log)
{
	g_autoptr(Repo) repo = repo_open(f->repo, NULL);
	g_autoptr(BisectStored) stored = bisect_stored_new(f->repo, repo, log);
	BisectAnswer answer = {.verdict = BISECT_UNTESTABLE};
	gboolean told = bisect_stored_answer(stored, log->bad, &answer);
	BisectVerdict verdict = told ? answer.verdict : BISECT_UNTESTABLE;
	if (told)
		bisect_answer_clear(&answer);
	return verdict;
}

static void stored_counts_that_rise_are_bad(void **state)
{
	GateFixture *f = *state;
	g_autoptr(BisectLog) log = store_and_ask(f, COUNTED, SLOWER, "instructions");
	assert_int_equal(answer(f, log), BISECT_BAD);
}

static void stored_counts_that_are_equal_are_good(void **state)
{
	GateFixture *f = *state;
	g_autoptr(BisectLog) log = store_and_ask(f, COUNTED, COSTS "\n", "instructions");
	assert_int_equal(answer(f, log), BISECT_GOOD);
}

/* Prints a result of each case, as a test program of Go does that was asked for so many iterations. */
#define GO_PROGRAM(cases)                                                                                              \
	"for last; do :; done\nn=${last#-test.benchtime=}\n"                                                           \
	"for c in " cases "; do echo \"Benchmark$c ${n%x} 1000 ns/op\"; done\n"
#define GO_COUNTED                                                                                                     \
	"version: 1\nbenchmarks: [{name: work, command: [sh, bench.sh], framework: go, iterations: 4000, engines: "    \
	"[callgrind]}]\n"

/* A check would let both sides run the cases of good alone. */
static void a_commit_that_was_measured_with_other_cases_has_to_be_measured(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "bench.sh", GO_PROGRAM("Work"));
	gate_fixture_base(f, GO_COUNTED, COSTS);
	gate_fixture_import(f);
	f->request.head = "base";
	assert_ends(gate_fixture_measure(f), 0, "");
	f->request.head = "main";
	gate_fixture_put(f, "bench.sh", GO_PROGRAM("Work Sort"));
	gate_fixture_head(f, SLOWER);
	assert_ends(gate_fixture_measure(f), 0, "");
	g_autoptr(BisectLog) log = bisect_log_new();
	log->good = git(f->repo, "rev-parse base^0");
	log->bad = git(f->repo, "rev-parse main^0");
	log->benchmark = g_strdup("work");
	log->target.metric = g_strdup("instructions");
	log->target.engine = &engine_callgrind;
	log->fingerprint = environment_fingerprint(only_benchmark(f->result)->head->environment, METRIC_REPLICABLE);
	assert_int_equal(answer(f, log), BISECT_UNTESTABLE);
}

static void a_commit_that_is_not_stored_has_to_be_measured(void **state)
{
	GateFixture *f = *state;
	f->request.store = FALSE;
	g_autoptr(BisectLog) log = store_and_ask(f, COUNTED, SLOWER, "instructions");
	assert_int_equal(answer(f, log), BISECT_UNTESTABLE);
}

static void a_damaged_commit_has_to_be_measured(void **state)
{
	GateFixture *f = *state;
	g_autoptr(BisectLog) log = store_and_ask(f, COUNTED, SLOWER, "instructions");
	gate_fixture_damage_baselines(f, "main");
	assert_int_equal(answer(f, log), BISECT_UNTESTABLE);
}

static void another_kind_of_machine_has_to_measure(void **state)
{
	GateFixture *f = *state;
	g_autoptr(BisectLog) log = store_and_ask(f, COUNTED, SLOWER, "instructions");
	log->fingerprint[0] = log->fingerprint[0] == '0' ? '1' : '0';
	assert_int_equal(answer(f, log), BISECT_UNTESTABLE);
}

static void times_are_never_answered_by_what_is_stored(void **state)
{
	GateFixture *f = *state;
	g_autoptr(BisectLog) log = store_and_ask(f, TIMED, LONGER, "task-clock");
	assert_int_equal(answer(f, log), BISECT_UNTESTABLE);
}

static void a_benchmark_that_the_policy_lacks_has_to_be_measured(void **state)
{
	GateFixture *f = *state;
	g_autoptr(BisectLog) log = store_and_ask(f, COUNTED, SLOWER, "instructions");
	g_free(log->benchmark);
	log->benchmark = g_strdup("other");
	assert_int_equal(answer(f, log), BISECT_UNTESTABLE);
}

static void the_policy_is_that_of_good_if_it_has_one(void **state)
{
	GateFixture *f = *state;
	g_autoptr(BisectLog) log = bisect_log_new();
	gate_fixture_put(f, "work.costs", COSTS);
	gate_fixture_commit(f, "no policy");
	gate_fixture_put(f, "firebreak.yml", COUNTED);
	gate_fixture_commit(f, "one");
	gate_fixture_put(f, "firebreak.yml", "version: 1\nbenchmarks: [{name: other, command: ./other}]\n");
	gate_fixture_commit(f, "another");
	gate_fixture_import(f);
	g_autoptr(Repo) repo = repo_open(f->repo, NULL);
	log->good = git(f->repo, "rev-parse main^");
	log->bad = git(f->repo, "rev-parse main");
	g_autoptr(Config) of_good = bisect_policy(repo, log);
	assert_non_null(config_benchmark(of_good, "work"));
	g_free(log->good);
	log->good = git(f->repo, "rev-parse base^0");
	g_autoptr(Config) of_bad = bisect_policy(repo, log);
	assert_non_null(config_benchmark(of_bad, "other"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(stored_counts_that_rise_are_bad),
	        GATE_TEST(stored_counts_that_are_equal_are_good),
	        GATE_TEST(a_commit_that_is_not_stored_has_to_be_measured),
	        GATE_TEST(a_commit_that_was_measured_with_other_cases_has_to_be_measured),
	        GATE_TEST(a_damaged_commit_has_to_be_measured),
	        GATE_TEST(another_kind_of_machine_has_to_measure),
	        GATE_TEST(times_are_never_answered_by_what_is_stored),
	        GATE_TEST(a_benchmark_that_the_policy_lacks_has_to_be_measured),
	        GATE_TEST(the_policy_is_that_of_good_if_it_has_one),
	};
	return run_gate_tests(tests);
}
