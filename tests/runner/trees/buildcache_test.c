/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/buildcache.h"

#include "core/durable.h"
#include "core/error.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib/gstdio.h>

static int set_up(void **state)
{
	*state = g_dir_make_tmp("firebreak-cache-XXXXXX", NULL);
	return *state != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	g_unsetenv("FIREBREAK_CACHE_MAX_MIB");
	g_unsetenv("FIREBREAK_CACHE_MAX_DAYS");
	durable_remove_tree(*state, NULL);
	g_free(*state);
	return 0;
}

static BuildCache *open_cache(const char *dir)
{
	g_autoptr(GError) error = NULL;
	BuildCache *cache = build_cache_open(dir, &error);
	if (cache == NULL)
		fail_msg("%s", error->message);
	return cache;
}

/* A build that is one file of so many bytes. */
static void build(BuildCache *cache, const char *key, gsize bytes)
{
	int lock = build_cache_lock(cache, key, LOCK_EX, NULL);
	g_autofree char *dir = build_cache_path(cache, key), *tree = g_build_filename(dir, "tree", NULL);
	g_autofree char *file = g_build_filename(tree, "file", NULL), *text = g_strnfill(bytes, 'x');
	assert_true(lock >= 0);
	assert_true(build_cache_discard(cache, key, NULL));
	assert_int_equal(g_mkdir(tree, 0755), 0);
	assert_true(g_file_set_contents(file, text, (gssize)bytes, NULL));
	g_autoptr(TreeSeal) seal = tree_seal_new(tree, NULL);
	assert_int_equal(tree_seal_bytes(seal), bytes);
	assert_true(build_cache_keep(cache, key, seal, NULL));
	build_cache_note_use(cache, key, seal);
	close(lock);
}

/* A check that only builds this. */
static void build_alone(const char *dir, const char *key, gsize bytes)
{
	g_autoptr(BuildCache) cache = open_cache(dir);
	build(cache, key, bytes);
}

static gboolean has_build(const BuildCache *cache, const char *key)
{
	gboolean doubtful;
	g_autoptr(TreeSeal) seal = build_cache_seal(cache, key, &doubtful);
	g_autofree char *dir = build_cache_path(cache, key), *tree = g_build_filename(dir, "tree", NULL);
	return seal != NULL && g_file_test(tree, G_FILE_TEST_IS_DIR);
}

/* Pretends that it was used last so many days ago. */
static void age(const char *dir, const char *key, int days)
{
	g_autofree char *used = g_build_filename(dir, "builds", key, "used", NULL);
	gint64 when = g_get_real_time() / G_USEC_PER_SEC - (gint64)days * 86400;
	const struct timespec times[] = {{.tv_sec = when}, {.tv_sec = when}};
	assert_int_equal(utimensat(AT_FDCWD, used, times, 0), 0);
}

static void a_build_is_found_again_and_cannot_be_written_to(void **state)
{
	struct stat info;
	build_alone(*state, "one", 10);
	g_autoptr(BuildCache) cache = open_cache(*state);
	assert_true(has_build(cache, "one"));
	assert_false(has_build(cache, "other"));
	g_autofree char *file = g_build_filename(*state, "builds", "one", "tree", "file", NULL);
	assert_int_equal(stat(file, &info), 0);
	assert_int_equal(info.st_mode & 0222, 0);
}

static void a_build_that_was_not_used_for_long_goes(void **state)
{
	build_alone(*state, "old", 10);
	build_alone(*state, "young", 10);
	age(*state, "old", 31);
	age(*state, "young", 29);
	build_cache_close(open_cache(*state));
	g_autoptr(BuildCache) cache = open_cache(*state);
	assert_false(has_build(cache, "old"));
	assert_true(has_build(cache, "young"));
}

static void what_is_too_much_goes_the_longest_unused_first(void **state)
{
	build_alone(*state, "a", 700 * 1024);
	build_alone(*state, "b", 700 * 1024);
	age(*state, "a", 1);
	age(*state, "b", 2);
	g_setenv("FIREBREAK_CACHE_MAX_MIB", "1", TRUE);
	build_cache_close(open_cache(*state));
	g_autoptr(BuildCache) cache = open_cache(*state);
	assert_true(has_build(cache, "a"));
	assert_false(has_build(cache, "b"));
}

static void a_build_in_use_or_of_this_check_stays(void **state)
{
	g_setenv("FIREBREAK_CACHE_MAX_MIB", "0", TRUE);
	BuildCache *cache = open_cache(*state);
	build(cache, "mine", 10);
	build_cache_close(cache);
	cache = open_cache(*state);
	assert_true(has_build(cache, "mine"));
	int lock = build_cache_lock(cache, "mine", LOCK_SH, NULL);
	build_cache_close(cache);
	cache = open_cache(*state);
	assert_true(has_build(cache, "mine"));
	close(lock);
	build_cache_close(cache);
	cache = open_cache(*state);
	assert_false(has_build(cache, "mine"));
	build_cache_close(cache);
}

static void what_is_left_of_a_build_that_did_not_end_goes(void **state)
{
	g_autofree char *tree = g_build_filename(*state, "builds", "half", "tree", "lib", NULL);
	assert_int_equal(g_mkdir_with_parents(tree, 0755), 0);
	assert_int_equal(g_chmod(tree, 0555), 0);
	build_cache_close(open_cache(*state));
	assert_false(g_file_test(tree, G_FILE_TEST_EXISTS));
}

/* Head's code has run: it could have written a build of base with a seal that fits. */
static void a_seal_that_somebody_wrote_meanwhile_is_not_believed(void **state)
{
	gboolean doubtful;
	g_autofree char *path = g_build_filename(*state, "seals", "base", NULL), *text = NULL;
	build_alone(*state, "base", 10);
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	BuildCache *cache = open_cache(*state);
	assert_true(has_build(cache, "base"));
	assert_true(g_file_set_contents(path, text, -1, NULL));
	assert_true(has_build(cache, "base"));
	assert_true(build_cache_distrust(cache, NULL));
	assert_null(build_cache_seal(cache, "base", &doubtful));
	assert_true(doubtful);
	build(cache, "base", 20);
	assert_true(has_build(cache, "base"));
	build_cache_close(cache);
}

static void what_somebody_put_there_meanwhile_is_gone_after_the_check(void **state)
{
	build_alone(*state, "kept", 10);
	BuildCache *cache = open_cache(*state);
	assert_true(build_cache_distrust(cache, NULL));
	build_alone(*state, "foreign", 10);
	build_cache_close(cache);
	cache = open_cache(*state);
	assert_true(has_build(cache, "kept"));
	assert_false(has_build(cache, "foreign"));
	build_cache_close(cache);
}

static void a_limit_that_is_no_number_is_a_mistake_and_removes_nothing(void **state)
{
	static const char *const wrong[] = {"many", "-1", "1.5", "5G"};
	build_alone(*state, "one", 10);
	age(*state, "one", 5);
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;
		g_setenv("FIREBREAK_CACHE_MAX_DAYS", wrong[i], TRUE);
		assert_null(build_cache_open(*state, &error));
		assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
		assert_non_null(strstr(error->message, wrong[i]));
	}
	g_unsetenv("FIREBREAK_CACHE_MAX_DAYS");
	g_autoptr(BuildCache) cache = open_cache(*state);
	assert_true(has_build(cache, "one"));
}

/* A check that is killed after the code of its change has begun: nothing is closed. */
static void run_killed(const char *dir, gboolean begins)
{
	pid_t pid = fork();
	if (pid == 0) {
		BuildCache *cache = build_cache_open(dir, NULL);
		if (cache == NULL || (begins && !build_cache_distrust(cache, NULL)))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

static gboolean has_seal(const BuildCache *cache, const char *key)
{
	gboolean doubtful;
	g_autoptr(TreeSeal) seal = build_cache_seal(cache, key, &doubtful);
	return seal != NULL;
}

/* The code of a change wrote to base's build and its seal, and killed the check: the next one believed both. */
static void nothing_is_believed_after_a_check_that_was_killed(void **state)
{
	BuildCache *cache = open_cache(*state);
	build(cache, "kept", 10);
	build_cache_close(cache);
	run_killed(*state, FALSE);
	cache = open_cache(*state);
	assert_false(build_cache_was_left(cache));
	assert_true(has_seal(cache, "kept"));
	build_cache_close(cache);
	run_killed(*state, TRUE);
	cache = open_cache(*state);
	assert_true(build_cache_was_left(cache));
	assert_false(has_seal(cache, "kept"));
	build(cache, "kept", 10);
	build_cache_close(cache);
	cache = open_cache(*state);
	assert_false(build_cache_was_left(cache));
	assert_true(has_seal(cache, "kept"));
	build_cache_close(cache);
}

static void a_check_that_goes_on_is_no_killed_one(void **state)
{
	BuildCache *first = open_cache(*state);
	assert_true(build_cache_distrust(first, NULL));
	assert_true(build_cache_distrust(first, NULL));
	BuildCache *second = open_cache(*state);
	assert_false(build_cache_was_left(second));
	build_cache_close(first);
	build_cache_close(second);
	second = open_cache(*state);
	assert_false(build_cache_was_left(second));
	build_cache_close(second);
}

#define WITH_FOLDER(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_FOLDER(nothing_is_believed_after_a_check_that_was_killed),
	        WITH_FOLDER(a_check_that_goes_on_is_no_killed_one),
	        WITH_FOLDER(a_build_is_found_again_and_cannot_be_written_to),
	        WITH_FOLDER(a_build_that_was_not_used_for_long_goes),
	        WITH_FOLDER(what_is_too_much_goes_the_longest_unused_first),
	        WITH_FOLDER(a_build_in_use_or_of_this_check_stays),
	        WITH_FOLDER(what_is_left_of_a_build_that_did_not_end_goes),
	        WITH_FOLDER(a_seal_that_somebody_wrote_meanwhile_is_not_believed),
	        WITH_FOLDER(what_somebody_put_there_meanwhile_is_gone_after_the_check),
	        WITH_FOLDER(a_limit_that_is_no_number_is_a_mistake_and_removes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
