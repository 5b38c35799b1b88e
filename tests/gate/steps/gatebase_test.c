/* SPDX-License-Identifier: Apache-2.0 */
/* Stored counts of base: which stand for counting it, and what is stored in their place. */
#include "gate/steps/gatebase.h"

#include "baselines/store.h"
#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

/* Two runs of base are stored, and one of head. */
static void store_both(GateFixture *f)
{
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	memset(fake_host.counted, 0, sizeof fake_host.counted);
}

static void scatter(FakeRun *run)
{
	run->factor = 1 + .01 * (run->number % 3);
}

/* Five runs of either are stored, as counts that do not repeat are made more often. */
static void store_many(GateFixture *f)
{
	fake_host.on_run = scatter;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_check(f);
	fake_host.on_run = NULL;
}

/* `firebreak run` of a revision, which counts it twice. */
static const CheckResult *count(GateFixture *f, const char *revision)
{
	f->request.head = revision;
	return gate_fixture_measure(f);
}

typedef struct {
	BaselineStore *store;
	StackTable *table;
	Measurement *measurement;
} Stored;

static Stored stored_of(const GateFixture *f, const char *revision)
{
	Stored stored = {.store = baseline_store_open(f->repo, NULL, NULL), .table = stack_table_new()};
	g_autofree char *sha = git(f->repo, "rev-parse %s^{commit}", revision);
	stored.measurement = baseline_store_get(stored.store, sha, NULL, "work", stored.table, NULL);
	assert_non_null(stored.measurement);
	return stored;
}

static void stored_clear(Stored *stored)
{
	measurement_free(stored->measurement);
	stack_table_unref(stored->table);
	baseline_store_free(stored->store);
}

static guint stored_runs(const GateFixture *f, const char *revision)
{
	Stored stored = stored_of(f, revision);
	guint n = measurement_n_runs(stored.measurement);
	stored_clear(&stored);
	return n;
}

static void fewer_runs_do_not_replace_more(void **state)
{
	GateFixture *f = *state;
	store_many(f);
	assert_ends(count(f, "base"), 0, "");
	assert_says(found(f->result, "better_stored")->text, "more than its 2 runs");
	assert_int_equal(stored_runs(f, "base"), 5);
}

static void as_many_runs_replace_what_is_stored(void **state)
{
	GateFixture *f = *state;
	store_both(f);
	assert_ends(count(f, "base"), 0, "");
	assert_not_found(f->result, "better_stored");
}

static void more_runs_replace_what_is_stored(void **state)
{
	GateFixture *f = *state;
	store_both(f);
	assert_int_equal(stored_runs(f, "main"), 1);
	assert_ends(count(f, "main"), 0, "");
	assert_int_equal(stored_runs(f, "main"), 2);
}

/* A check keeps silent about what it would store. */
static void a_check_says_nothing_of_better_counts(void **state)
{
	GateFixture *f = *state;
	store_many(f);
	f->request.measure_base = TRUE;
	gate_fixture_check(f);
	assert_not_found(f->result, "better_stored");
	assert_int_equal(stored_runs(f, "base"), 5);
}

/* Takes the profile from what is stored of base. */
static void forget_profile(const GateFixture *f)
{
	g_autoptr(GError) error = NULL;
	Stored stored = stored_of(f, "base");
	g_clear_pointer(&stored.measurement->profile, profile_free);
	if (!baseline_store_put(stored.store, stored.measurement, &error))
		fail_msg("%s", error->message);
	stored_clear(&stored);
}

static void counts_without_a_profile_do_not_stand_for_base(void **state)
{
	GateFixture *f = *state;
	store_both(f);
	forget_profile(f);
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(found(f->result, "stored_base_unusable")->text, "it has no profile");
	assert_int_equal(fake_host.counted[SIDE_BASE], 2);
}

static void counts_that_are_not_fit_are_replaced_by_fewer_runs(void **state)
{
	GateFixture *f = *state;
	store_many(f);
	forget_profile(f);
	assert_ends(count(f, "base"), 0, "");
	assert_not_found(f->result, "better_stored");
	assert_int_equal(stored_runs(f, "base"), 2);
}

static void nothing_is_stored_where_that_is_not_wanted(void **state)
{
	GateFixture *f = *state;
	f->request.store = FALSE;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(stored_baselines(f, "base") + stored_baselines(f, "main"), 0);
}

static void a_base_that_is_timed_too_is_built(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, BOTH, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	memset(fake_host.counted, 0, sizeof fake_host.counted);
	memset(fake_host.timed, 0, sizeof fake_host.timed);
	gate_fixture_head(f, COSTS "\n\n");
	assert_ends(gate_fixture_check(f), 0, "");
	assert_int_equal(fake_host.counted[SIDE_BASE], 0);
	assert_true(fake_host.timed[SIDE_BASE] >= FIRST_ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(fewer_runs_do_not_replace_more),
	        GATE_TEST(as_many_runs_replace_what_is_stored),
	        GATE_TEST(more_runs_replace_what_is_stored),
	        GATE_TEST(a_check_says_nothing_of_better_counts),
	        GATE_TEST(counts_without_a_profile_do_not_stand_for_base),
	        GATE_TEST(counts_that_are_not_fit_are_replaced_by_fewer_runs),
	        GATE_TEST(nothing_is_stored_where_that_is_not_wanted),
	        GATE_TEST(a_base_that_is_timed_too_is_built),
	};
	return run_gate_tests(tests);
}
