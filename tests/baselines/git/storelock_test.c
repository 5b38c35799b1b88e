/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/storelock.h"

#include "tests/baselines/fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define REF "refs/firebreak/0123456789abcdef0123456789abcdef01234567"
#define OID "89abcdef0123456789abcdef0123456789abcdef"

/* A git folder as far as locks go; *ref_lock is where the lock file of REF would be. */
static char *new_git_folder(char **ref_lock)
{
	char *folder = new_folder();
	g_autofree char *refs = g_build_filename(folder, "refs", "firebreak", NULL);
	assert_int_equal(g_mkdir_with_parents(refs, 0777), 0);
	*ref_lock = g_build_filename(folder, REF ".lock", NULL);
	return folder;
}

static StoreLock *acquire(const char *folder, guint patience_ms)
{
	g_autoptr(GError) error = NULL;
	StoreLock *lock = store_lock_acquire(folder, patience_ms, &error);
	assert_no_error(error);
	return lock;
}

/* A process that takes the lock, announces REF if asked to, and waits to be killed. Returns once it has the lock. */
static pid_t start_holder(const char *folder, gboolean announces)
{
	int fds[2];
	char byte;
	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		StoreLock *lock = store_lock_acquire(folder, 1000, NULL);
		if (lock == NULL || (announces && !store_lock_announce(lock, REF, OID, NULL)))
			_exit(1);
		(void)!write(fds[1], "x", 1);
		for (;;)
			pause();
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], &byte, 1), 1);
	close(fds[0]);
	return pid;
}

static void kill_holder(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_lock_held_by_a_live_process_is_an_error_after_the_patience(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autofree char *ref_lock = NULL;
	char *folder = new_git_folder(&ref_lock);
	pid_t holder = start_holder(folder, FALSE);
	assert_null(store_lock_acquire(folder, 100, &error));
	assert_error_code(error, FIREBREAK_ERROR_STORAGE);
	assert_non_null(strstr(error->message, "another firebreak"));
	kill_holder(holder);
	store_lock_release(acquire(folder, 1000));
	remove_folder(folder);
}

static void who_gave_up_waiting_leaves_the_note_of_the_holder(void **state)
{
	(void)state;
	g_autofree char *ref_lock = NULL;
	char *folder = new_git_folder(&ref_lock);
	pid_t holder = start_holder(folder, TRUE);
	assert_null(store_lock_acquire(folder, 50, NULL));
	assert_true(g_file_set_contents(ref_lock, OID "\n", -1, NULL));
	kill_holder(holder);
	store_lock_release(acquire(folder, 1000));
	assert_false(g_file_test(ref_lock, G_FILE_TEST_EXISTS));
	remove_folder(folder);
}

static void what_a_dead_holder_left_is_removed(void **state)
{
	(void)state;
	static const char *const contents[] = {"", "89abcdef", OID "\n"};
	for (guint i = 0; i < G_N_ELEMENTS(contents); i++) {
		g_autofree char *ref_lock = NULL;
		char *folder = new_git_folder(&ref_lock);
		kill_holder(start_holder(folder, TRUE));
		assert_true(g_file_set_contents(ref_lock, contents[i], -1, NULL));
		store_lock_release(acquire(folder, 1000));
		assert_false(g_file_test(ref_lock, G_FILE_TEST_EXISTS));
		remove_folder(folder);
	}
}

static void a_lock_file_of_somebody_else_stays(void **state)
{
	(void)state;
	g_autofree char *ref_lock = NULL;
	char *folder = new_git_folder(&ref_lock);
	kill_holder(start_holder(folder, TRUE));
	assert_true(g_file_set_contents(ref_lock, "ffffffff0123456789abcdef0123456789abcdef\n", -1, NULL));
	store_lock_release(acquire(folder, 1000));
	assert_true(g_file_test(ref_lock, G_FILE_TEST_EXISTS));
	remove_folder(folder);
}

static void without_a_note_nothing_is_removed(void **state)
{
	(void)state;
	g_autofree char *ref_lock = NULL;
	char *folder = new_git_folder(&ref_lock);
	assert_true(g_file_set_contents(ref_lock, OID "\n", -1, NULL));
	kill_holder(start_holder(folder, FALSE));
	store_lock_release(acquire(folder, 1000));
	assert_true(g_file_test(ref_lock, G_FILE_TEST_EXISTS));
	remove_folder(folder);
}

static void a_note_cannot_name_a_file_outside_the_refs(void **state)
{
	(void)state;
	static const char *const notes[] = {
	        "refs/../victim " OID "\n", "victim " OID "\n", "refs/victim", "\n \n", " \n"};
	g_autofree char *ref_lock = NULL;
	char *folder = new_git_folder(&ref_lock);
	g_autofree char *victim = g_build_filename(folder, "victim.lock", NULL);
	g_autofree char *file = g_build_filename(folder, "firebreak", "lock", NULL);
	assert_true(g_file_set_contents(victim, OID "\n", -1, NULL));
	store_lock_release(acquire(folder, 1000));
	for (guint i = 0; i < G_N_ELEMENTS(notes); i++) {
		assert_true(g_file_set_contents(file, notes[i], -1, NULL));
		store_lock_release(acquire(folder, 1000));
		assert_true(g_file_test(victim, G_FILE_TEST_EXISTS));
	}
	remove_folder(folder);
}

static void a_watched_file_is_stale_only_while_it_stays_the_same(void **state)
{
	(void)state;
	LockWatch watch = {0};
	char *folder = new_folder();
	g_autofree char *path = g_build_filename(folder, "x.lock", NULL);
	assert_false(lock_watch_is_stale(&watch, path, 0));
	assert_true(g_file_set_contents(path, "1", -1, NULL));
	assert_false(lock_watch_is_stale(&watch, path, 60000));
	assert_true(lock_watch_is_stale(&watch, path, 0));
	gint64 since_us = watch.since_us;
	g_usleep(20000);
	assert_true(g_file_set_contents(path, "22", -1, NULL));
	assert_false(lock_watch_is_stale(&watch, path, 60000));
	assert_true(watch.since_us > since_us);
	assert_int_equal(g_unlink(path), 0);
	assert_false(lock_watch_is_stale(&watch, path, 0));
	remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_lock_held_by_a_live_process_is_an_error_after_the_patience),
	        cmocka_unit_test(who_gave_up_waiting_leaves_the_note_of_the_holder),
	        cmocka_unit_test(what_a_dead_holder_left_is_removed),
	        cmocka_unit_test(a_lock_file_of_somebody_else_stays),
	        cmocka_unit_test(without_a_note_nothing_is_removed),
	        cmocka_unit_test(a_note_cannot_name_a_file_outside_the_refs),
	        cmocka_unit_test(a_watched_file_is_stale_only_while_it_stays_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
