/* SPDX-License-Identifier: Apache-2.0 */
/* The stored side: that of a commit, or in a file. */
#include "gate/stored/storedside.h"

#include "baselines/transfer.h"
#include "core/error.h"
#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

static void store(GateFixture *f)
{
	gate_fixture_base(f, BOTH, COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
}

static StoredSide *must_open(const GateFixture *f, const char *name, StackTable *table)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(f->repo, NULL);
	StoredSide *side = stored_side_open(repo, name, table, &error);
	if (side == NULL)
		fail_msg("%s", error->message);
	return side;
}

static void assert_refused(const GateFixture *f, const char *name, int code, const char *what)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(f->repo, NULL);
	g_autoptr(StackTable) table = stack_table_new();
	assert_null(stored_side_open(repo, name, table, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, code));
	assert_says(error->message, what);
}

/* The counted and the timed piece of `work`, and nothing of another benchmark or kind of machine. */
static void assert_holds_both(const StoredSide *side, StackTable *table)
{
	g_autoptr(GError) error = NULL;
	StoredPiece *counted = stored_side_find(side, "work", TRUE, NULL);
	StoredPiece *timed = stored_side_find(side, "work", FALSE, NULL);
	assert_true(counted != NULL && timed != NULL && counted != timed);
	assert_null(stored_side_find(side, "other", TRUE, NULL));
	assert_null(stored_side_find(side, "work", TRUE, timed->fingerprint));
	assert_ptr_equal(stored_side_find(side, "work", TRUE, counted->fingerprint), counted);
	const Measurement *read = stored_side_read(side, counted, table, &error);
	assert_non_null(read);
	assert_true(metric_median(measurement_metric(read, &engine_callgrind, "instructions")) == 100000);
	assert_ptr_equal(stored_side_read(side, counted, table, &error), read);
}

static void a_commit_has_what_was_counted_and_what_was_timed(void **state)
{
	GateFixture *f = *state;
	store(f);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StoredSide) side = must_open(f, "base", table);
	assert_false(side->is_file);
	assert_holds_both(side, table);
}

static void a_file_has_the_same_as_its_commit(void **state)
{
	GateFixture *f = *state;
	store(f);
	g_autofree char *path = g_build_filename(f->root, "base.json", NULL), *sha = git(f->repo, "rev-parse base^0");
	g_autoptr(BaselineStore) baselines = baseline_store_open(f->repo, NULL, NULL);
	assert_true(baseline_export(baselines, sha, path, NULL));
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StoredSide) side = must_open(f, path, table);
	assert_true(side->is_file);
	assert_string_equal(side->sha, sha);
	assert_holds_both(side, table);
}

static void a_piece_that_is_damaged_is_never_found(void **state)
{
	GateFixture *f = *state;
	store(f);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StoredSide) side = must_open(f, "base", table);
	StoredPiece *counted = stored_side_find(side, "work", TRUE, NULL);
	counted->problem = g_strdup("its hash is another");
	assert_null(stored_side_find(side, "work", TRUE, NULL));
	assert_non_null(stored_side_find(side, "work", FALSE, NULL));
}

static void a_baseline_that_is_removed_meanwhile_is_an_error(void **state)
{
	GateFixture *f = *state;
	store(f);
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StoredSide) side = must_open(f, "base", table);
	g_autofree char *ref = git(f->repo, "for-each-ref --format=%%(refname) refs/firebreak/%s", side->sha);
	g_autofree char *removed = git(f->repo, "update-ref -d refs/firebreak/%s", side->sha);
	assert_string_not_equal(ref, "");
	assert_null(stored_side_read(side, stored_side_find(side, "work", TRUE, NULL), table, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE));
}

static void a_commit_of_which_nothing_is_stored_is_refused(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_import(f);
	assert_refused(f, "base", FIREBREAK_ERROR_BASELINE, "firebreak run base");
}

static void a_damaged_commit_is_refused(void **state)
{
	GateFixture *f = *state;
	store(f);
	gate_fixture_damage_baselines(f, "base");
	assert_refused(f, "base", FIREBREAK_ERROR_BASELINE, "is damaged");
}

static void a_name_of_nothing_is_a_mistake(void **state)
{
	GateFixture *f = *state;
	store(f);
	assert_refused(f, "no-such-thing", FIREBREAK_ERROR_USAGE, "no-such-thing");
}

static void outside_of_a_repository_only_files_are_known(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	(void)state;
	assert_null(stored_side_open(NULL, "base", table, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_says(error->message, "there is no repository here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(a_commit_has_what_was_counted_and_what_was_timed),
	        GATE_TEST(a_file_has_the_same_as_its_commit),
	        GATE_TEST(a_piece_that_is_damaged_is_never_found),
	        GATE_TEST(a_baseline_that_is_removed_meanwhile_is_an_error),
	        GATE_TEST(a_commit_of_which_nothing_is_stored_is_refused),
	        GATE_TEST(a_damaged_commit_is_refused),
	        GATE_TEST(a_name_of_nothing_is_a_mistake),
	        GATE_TEST(outside_of_a_repository_only_files_are_known),
	};
	return run_gate_tests(tests);
}
