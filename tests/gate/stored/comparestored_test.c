/* SPDX-License-Identifier: Apache-2.0 */
/* Two stored measurements judged without running anything: exit code 6, and who decides. */
#include "gate/stored/comparestored.h"

#include "tests/gate/fixture/gatefixture.h"

static CheckResult *stored;

static const CheckResult *compare(const GateFixture *f, const char *base, const char *head)
{
	StoredRequest request = {.repo_path = f->repo, .base = base, .head = head};
	g_clear_pointer(&stored, check_result_free);
	stored = compare_stored(&request);
	return stored;
}

static int tear_down(void **state)
{
	g_clear_pointer(&stored, check_result_free);
	return gate_fixture_tear_down(state);
}

static void store(GateFixture *f, const char *config, const char *costs)
{
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, costs);
	gate_fixture_check(f);
}

static void stored_counts_are_judged_as_a_check_judges_them(void **state)
{
	GateFixture *f = *state;
	store(f, COUNTED, SLOWER);
	assert_ends(compare(f, "base", "main"), 1, "regression");
	assert_ends(compare(f, "main", "base"), 0, "");
	assert_ends(compare(f, "main", "main"), 0, "");
}

static void stored_times_are_shown_and_never_judged(void **state)
{
	GateFixture *f = *state;
	store(f, TIMED, SLOWER);
	assert_int_equal(compare(f, "base", "main")->exit_code, 3);
	assert_int_equal(only_benchmark(stored)->comparison->verdict, VERDICT_INCONCLUSIVE);
}

static void counts_decide_where_both_are_stored(void **state)
{
	GateFixture *f = *state;
	store(f, BOTH, LONGER);
	assert_ends(compare(f, "base", "main"), 0, "");
}

static void a_commit_without_baselines_is_exit_code_six(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	assert_ends(gate_fixture_measure(f), 0, "");
	gate_fixture_head(f, SLOWER);
	f->request.store = FALSE;
	gate_fixture_check(f);
	assert_ends(compare(f, "base", "main"), 6, "no_baseline");
}

static void what_is_neither_a_revision_nor_a_file_is_a_mistake(void **state)
{
	GateFixture *f = *state;
	store(f, COUNTED, COSTS "\n");
	assert_ends(compare(f, "no-such-thing", "main"), 2, "usage");
}

#define STORED_TEST(name) cmocka_unit_test_setup_teardown(name, gate_fixture_set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        STORED_TEST(stored_counts_are_judged_as_a_check_judges_them),
	        STORED_TEST(stored_times_are_shown_and_never_judged),
	        STORED_TEST(counts_decide_where_both_are_stored),
	        STORED_TEST(a_commit_without_baselines_is_exit_code_six),
	        STORED_TEST(what_is_neither_a_revision_nor_a_file_is_a_mistake),
	};
	return run_gate_tests(tests);
}
