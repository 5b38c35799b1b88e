/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/store.h"

#include "tests/baselines/fixture.h"

#include <unistd.h>

static BaselineStore *open_store(const char *path)
{
	g_autoptr(GError) error = NULL;
	BaselineStore *store = baseline_store_open(path, BASELINE_STORE_PREFIX, &error);
	assert_no_error(error);
	return store;
}

static void put_sample(BaselineStore *store, const char *benchmark, const char *commit, const char *salt)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement(benchmark, commit, salt, table);
	baseline_store_put(store, measurement, &error);
	assert_no_error(error);
}

/* Asserts that the sample with this salt is stored. */
static void assert_stored(BaselineStore *store, const char *benchmark, const char *commit, const char *salt)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StackTable) other = stack_table_new();
	g_autoptr(Measurement) wanted = awkward_measurement(benchmark, commit, salt, table);
	g_autoptr(Measurement) back = baseline_store_get(store, commit, NULL, benchmark, other, &error);
	assert_no_error(error);
	assert_non_null(back);
	assert_same_measurement(wanted, back);
}

static char *tip_of(const char *repo, const char *commit)
{
	g_autofree char *command = g_strdup_printf("git rev-parse --verify refs/firebreak/%s", commit);
	return run_in(repo, command);
}

static void measurements_come_back_from_a_working_tree(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	put_sample(store, "parse-large", commit, "1");
	put_sample(store, "a name / with .. bad\nbytes", commit, "2");
	assert_stored(store, "parse-large", commit, "1");
	assert_stored(store, "a name / with .. bad\nbytes", commit, "2");
	do_in(repo, "git fsck --strict --no-dangling");
	g_autofree char *status = run_in(repo, "git status --porcelain");
	assert_string_equal(status, "");
	remove_folder(repo);
}

static void a_bare_repository_works(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit), *bare = new_folder();
	g_autofree char *clone = g_strdup_printf("git clone -q --bare %s %s", repo, bare);
	do_in(repo, clone);
	g_autoptr(BaselineStore) store = open_store(bare);
	put_sample(store, "b", commit, "1");
	assert_stored(store, "b", commit, "1");
	do_in(bare, "git fsck --strict --no-dangling");
	remove_folder(repo);
	remove_folder(bare);
}

static void a_linked_working_tree_shares_the_refs(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit), *parent = new_folder();
	g_autofree char *linked = g_build_filename(parent, "linked", NULL);
	g_autofree char *command = g_strdup_printf("git worktree add -q --detach %s", linked);
	do_in(repo, command);
	g_autoptr(BaselineStore) in_linked = open_store(linked);
	g_autoptr(BaselineStore) in_main = open_store(repo);
	put_sample(in_linked, "b", commit, "1");
	assert_stored(in_main, "b", commit, "1");
	put_sample(in_main, "c", commit, "2");
	assert_stored(in_linked, "c", commit, "2");
	remove_folder(repo);
	remove_folder(parent);
}

static void absence_is_not_an_error(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	g_autoptr(StackTable) table = stack_table_new();
	assert_null(baseline_store_get(store, commit, NULL, "b", table, &error));
	assert_no_error(error);
	put_sample(store, "b", commit, "1");
	assert_null(baseline_store_get(store, commit, NULL, "c", table, &error));
	assert_null(baseline_store_get(store, commit, "0123456789abcdef", "b", table, &error));
	assert_no_error(error);
	remove_folder(repo);
}

static void only_commits_are_stored(void **state)
{
	(void)state;
	static const char *const names[] = {"worktree", "", "HEAD", "0123456", "../../../heads/main",
	        "0123456789ABCDEF0123456789ABCDEF01234567", "0123456789abcdef0123456789abcdef01234567"};
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Measurement) measurement = awkward_measurement("b", names[i], "", table);
		assert_false(baseline_store_put(store, measurement, &error));
		assert_error_code(error, FIREBREAK_ERROR_USAGE);
	}
	g_autofree char *refs = run_in(repo, "git for-each-ref refs/firebreak");
	assert_string_equal(refs, "");
	remove_folder(repo);
}

static void the_same_data_gives_the_same_object_in_every_clone(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit), *clone = new_folder();
	g_autofree char *command = g_strdup_printf("git clone -q %s %s", repo, clone);
	do_in(repo, command);
	g_autoptr(BaselineStore) a = open_store(repo);
	g_autoptr(BaselineStore) b = open_store(clone);
	put_sample(a, "b", commit, "1");
	put_sample(a, "c", commit, "1");
	put_sample(a, "c", commit, "1");
	put_sample(b, "c", commit, "other");
	put_sample(b, "c", commit, "1");
	put_sample(b, "b", commit, "1");
	g_autofree char *x = tip_of(repo, commit), *y = tip_of(clone, commit);
	assert_string_equal(x, y);
	remove_folder(repo);
	remove_folder(clone);
}

static void a_measurement_replaces_only_that_of_its_fingerprint_and_benchmark(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) other = awkward_measurement("b", commit, "1", table);
	environment_set(other->environment, "cpu_model", METRIC_REPLICABLE, "Other CPU");
	profile_free(g_steal_pointer(&other->profile));
	put_sample(store, "b", commit, "1");
	put_sample(store, "c", commit, "1");
	baseline_store_put(store, other, &error);
	assert_no_error(error);
	put_sample(store, "c", commit, "2");

	g_autofree char *fingerprint = environment_fingerprint(other->environment, METRIC_REPLICABLE);
	g_autoptr(Measurement) back = baseline_store_get(store, commit, fingerprint, "b", table, &error);
	assert_no_error(error);
	assert_same_measurement(other, back);
	assert_stored(store, "c", commit, "2");
	environment_set(other->environment, "cpu_model", METRIC_REPLICABLE, "Some CPU @ 2 GHz \xb5");
	g_autofree char *first = environment_fingerprint(other->environment, METRIC_REPLICABLE);
	g_autoptr(Measurement) kept = baseline_store_get(store, commit, first, "b", table, &error);
	assert_no_error(error);
	assert_non_null(kept->profile);
	remove_folder(repo);
}

static void a_packed_ref_is_read_and_updated(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	put_sample(store, "b", commit, "1");
	do_in(repo, "git gc -q --prune=now");
	assert_stored(store, "b", commit, "1");
	put_sample(store, "c", commit, "1");
	assert_stored(store, "b", commit, "1");
	assert_stored(store, "c", commit, "1");
	remove_folder(repo);
}

static void a_shallow_clone_reads_the_ref_it_fetched(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit), *clone = new_folder();
	g_autoptr(BaselineStore) store = open_store(repo);
	put_sample(store, "b", commit, "1");
	do_in(repo, "git commit -q --allow-empty -m second");
	g_autofree char *make = g_strdup_printf("git clone -q --depth=1 file://%s %s", repo, clone);
	g_autofree char *fetch =
	        g_strdup_printf("git fetch -q --depth=1 origin refs/firebreak/%s:refs/firebreak/%s", commit, commit);
	do_in(repo, make);
	do_in(clone, fetch);
	g_autoptr(BaselineStore) in_clone = open_store(clone);
	assert_stored(in_clone, "b", commit, "1");
	remove_folder(repo);
	remove_folder(clone);
}

static char *lock_path_of(const char *repo, const char *commit)
{
	return g_strdup_printf("%s/.git/refs/firebreak/%s.lock", repo, commit);
}

static void a_held_ref_lock_ends_in_a_storage_error_that_names_the_ref(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	put_sample(store, "b", commit, "1");
	g_autofree char *lock = lock_path_of(repo, commit);
	g_autofree char *before = tip_of(repo, commit);
	assert_int_equal(symlink("elsewhere", lock), 0); /* not a regular file: never taken for stale */
	baseline_store_set_patience(store, 200);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("c", commit, "1", table);
	assert_false(baseline_store_put(store, measurement, &error));
	assert_error_code(error, FIREBREAK_ERROR_STORAGE);
	assert_non_null(strstr(error->message, commit));
	g_autofree char *after = tip_of(repo, commit);
	assert_string_equal(before, after);
	remove_folder(repo);
}

static void a_lock_that_nobody_uses_is_removed_after_half_the_patience(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	put_sample(store, "b", commit, "1");
	g_autofree char *lock = lock_path_of(repo, commit);
	assert_true(g_file_set_contents(lock, "", 0, NULL));
	baseline_store_set_patience(store, 2000);
	put_sample(store, "c", commit, "1");
	assert_stored(store, "c", commit, "1");
	assert_false(g_file_test(lock, G_FILE_TEST_EXISTS));
	remove_folder(repo);
}

static void a_damaged_ref_is_neither_read_as_empty_nor_overwritten(void **state)
{
	(void)state;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	put_sample(store, "b", commit, "1");
	g_autofree char *ref = g_strdup_printf("%s/.git/refs/firebreak/%s", repo, commit);
	static const char *const damages[] = {"", "garbage\n", "0123456789abcdef0123456789abcdef01234567\n"};
	for (guint i = 0; i < G_N_ELEMENTS(damages); i++) {
		g_autoptr(GError) read_error = NULL;
		g_autoptr(GError) write_error = NULL;
		g_autofree char *content = NULL;
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Measurement) measurement = awkward_measurement("c", commit, "1", table);
		assert_true(g_file_set_contents(ref, damages[i], -1, NULL));
		assert_null(baseline_store_get(store, commit, NULL, "b", table, &read_error));
		assert_error_code(read_error, FIREBREAK_ERROR_BASELINE);
		assert_false(baseline_store_put(store, measurement, &write_error));
		assert_error_code(write_error, FIREBREAK_ERROR_BASELINE);
		assert_true(g_file_get_contents(ref, &content, NULL, NULL));
		assert_string_equal(content, damages[i]);
	}
	remove_folder(repo);
}

static void a_store_without_write_permission_is_readable_and_says_why_it_cannot_write(void **state)
{
	(void)state;
	if (geteuid() == 0) {
		print_message("running as root, to whom permissions do not apply\n");
		skip();
	}
	g_autoptr(GError) error = NULL;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = open_store(repo);
	put_sample(store, "b", commit, "1");
	do_in(repo, "chmod -R a-w .git");
	assert_stored(store, "b", commit, "1");
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("c", commit, "1", table);
	assert_false(baseline_store_put(store, measurement, &error));
	assert_error_code(error, FIREBREAK_ERROR_STORAGE);
	do_in(repo, "chmod -R u+w .git");
	remove_folder(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(measurements_come_back_from_a_working_tree),
	        cmocka_unit_test(a_bare_repository_works),
	        cmocka_unit_test(a_linked_working_tree_shares_the_refs),
	        cmocka_unit_test(absence_is_not_an_error),
	        cmocka_unit_test(only_commits_are_stored),
	        cmocka_unit_test(the_same_data_gives_the_same_object_in_every_clone),
	        cmocka_unit_test(a_measurement_replaces_only_that_of_its_fingerprint_and_benchmark),
	        cmocka_unit_test(a_packed_ref_is_read_and_updated),
	        cmocka_unit_test(a_shallow_clone_reads_the_ref_it_fetched),
	        cmocka_unit_test(a_held_ref_lock_ends_in_a_storage_error_that_names_the_ref),
	        cmocka_unit_test(a_lock_that_nobody_uses_is_removed_after_half_the_patience),
	        cmocka_unit_test(a_damaged_ref_is_neither_read_as_empty_nor_overwritten),
	        cmocka_unit_test(a_store_without_write_permission_is_readable_and_says_why_it_cannot_write),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
