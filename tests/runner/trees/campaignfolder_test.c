/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/campaignfolder.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/durable.h"

/* Larger than any number of a process, as one of another container may be here. */
#define NO_PROCESS "9999999-abcdef"

static int set_up(void **state)
{
	*state = g_dir_make_tmp("firebreak-test-XXXXXX", NULL);
	return *state != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	durable_remove_tree(*state, NULL);
	g_free(*state);
	return 0;
}

/* A folder of another check with something in it; owned by the caller. */
static char *make_other(const char *cache, const char *name)
{
	char *path = g_build_filename(cache, "campaigns", name, NULL);
	g_autofree char *tree = g_build_filename(path, "tree", NULL);
	assert_int_equal(g_mkdir_with_parents(tree, 0700), 0);
	return path;
}

static gboolean is_there(const char *path)
{
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void the_folder_goes_with_the_check(void **state)
{
	CampaignFolder *folder = campaign_folder_new(*state, NULL);
	assert_non_null(folder);
	g_autofree char *path = g_strdup(campaign_folder_path(folder));
	assert_true(g_str_has_prefix(path, *state));
	assert_true(is_there(path));
	campaign_folder_free(folder);
	assert_false(is_there(path));
}

static void the_short_folder_leaves_60_characters_for_a_socket_and_goes_with_the_check(void **state)
{
	CampaignFolder *folder = campaign_folder_new(*state, NULL);
	g_autofree char *path = g_strdup(campaign_folder_short(folder));
	assert_non_null(path);
	assert_true(is_there(path));
	assert_true(strlen(path) + 1 + CAMPAIGN_SHORT_NAME + 1 + 60 < sizeof((struct sockaddr_un *)0)->sun_path);
	campaign_folder_free(folder);
	assert_false(is_there(path));
}

/* A benchmark can write the link, too. */
static void only_a_short_folder_goes_with_one_that_is_left(void **state)
{
	g_autofree char *other = make_other(*state, NO_PROCESS), *link = g_build_filename(other, "tmp", NULL);
	g_autofree char *left = g_build_filename(*state, "fb-abc123", NULL);
	g_autofree char *foreign = g_build_filename(*state, "fb-notes", NULL);
	assert_int_equal(g_mkdir(left, 0700), 0);
	assert_int_equal(g_mkdir(foreign, 0700), 0);
	assert_int_equal(symlink(left, link), 0);
	campaign_folder_free(campaign_folder_new(*state, NULL));
	assert_false(is_there(left));
	g_autofree char *again = make_other(*state, NO_PROCESS);
	assert_int_equal(symlink(foreign, link), 0);
	campaign_folder_free(campaign_folder_new(*state, NULL));
	assert_false(is_there(again));
	assert_true(is_there(foreign));
}

/* The check of another container, whose processes have other numbers here, was taken for one that was killed. */
static void the_folder_of_a_check_in_another_container_stays(void **state)
{
	g_autofree char *other = make_other(*state, NO_PROCESS);
	int fd = open(other, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	g_autoptr(CampaignFolder) folder = campaign_folder_new(*state, NULL);
	assert_non_null(folder);
	assert_true(is_there(other));
	close(fd);
}

static void two_checks_at_once_keep_their_folders(void **state)
{
	g_autoptr(CampaignFolder) first = campaign_folder_new(*state, NULL);
	g_autoptr(CampaignFolder) second = campaign_folder_new(*state, NULL);
	assert_non_null(first);
	assert_non_null(second);
	assert_true(is_there(campaign_folder_path(first)));
	assert_true(is_there(campaign_folder_path(second)));
}

/* Also if another process has its number by now. */
static void what_nobody_has_locked_is_removed(void **state)
{
	g_autofree char *name = g_strdup_printf("%07d-abcdef", (int)getpid());
	g_autofree char *of_living = make_other(*state, name), *of_none = make_other(*state, NO_PROCESS);
	g_autoptr(CampaignFolder) folder = campaign_folder_new(*state, NULL);
	assert_false(is_there(of_living));
	assert_false(is_there(of_none));
	assert_true(is_there(campaign_folder_path(folder)));
}

static void what_is_no_campaign_stays(void **state)
{
	g_autofree char *other = make_other(*state, "notes"), *file = g_build_filename(other, "../1-file", NULL);
	assert_true(g_file_set_contents(file, "", 0, NULL));
	g_autoptr(CampaignFolder) folder = campaign_folder_new(*state, NULL);
	assert_true(is_there(other));
	assert_true(is_there(file));
}

/* A process that the check started may live on, and does not hold the lock. */
static void the_folder_of_a_killed_check_is_removed(void **state)
{
	int ends[2];
	char path[4096] = "";
	gint32 survivor = 0;
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		CampaignFolder *folder = campaign_folder_new(*state, NULL);
		char *argv[] = {(char *)"sleep", (char *)"60", NULL};
		GPid child = 0;
		g_spawn_async(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &child, NULL);
		survivor = child;
		g_strlcpy(path, campaign_folder_path(folder), sizeof path);
		if (write(ends[1], &survivor, sizeof survivor) != sizeof survivor ||
		        write(ends[1], path, sizeof path) != sizeof path)
			_exit(1);
		pause();
	}
	assert_int_equal(read(ends[0], &survivor, sizeof survivor), sizeof survivor);
	assert_int_equal(read(ends[0], path, sizeof path), sizeof path);
	g_autoptr(CampaignFolder) during = campaign_folder_new(*state, NULL);
	gboolean was_there = is_there(path);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	g_autoptr(CampaignFolder) after = campaign_folder_new(*state, NULL);
	gboolean is_gone = !is_there(path);
	if (survivor > 0)
		kill(survivor, SIGKILL);
	close(ends[0]);
	close(ends[1]);
	assert_true(survivor > 0);
	assert_true(was_there);
	assert_true(is_gone);
}

static void without_a_cache_the_folder_is_a_temporary_one(void **state)
{
	(void)state;
	CampaignFolder *folder = campaign_folder_new(NULL, NULL);
	assert_non_null(folder);
	g_autofree char *path = g_strdup(campaign_folder_path(folder));
	assert_true(is_there(path));
	campaign_folder_free(folder);
	assert_false(is_there(path));
}

#define WITH_CACHE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_CACHE(the_folder_goes_with_the_check),
	        WITH_CACHE(the_short_folder_leaves_60_characters_for_a_socket_and_goes_with_the_check),
	        WITH_CACHE(only_a_short_folder_goes_with_one_that_is_left),
	        WITH_CACHE(the_folder_of_a_check_in_another_container_stays),
	        WITH_CACHE(two_checks_at_once_keep_their_folders),
	        WITH_CACHE(what_nobody_has_locked_is_removed),
	        WITH_CACHE(what_is_no_campaign_stays),
	        WITH_CACHE(the_folder_of_a_killed_check_is_removed),
	        cmocka_unit_test(without_a_cache_the_folder_is_a_temporary_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
