/* SPDX-License-Identifier: Apache-2.0 */
#include "core/durable.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Each test has an empty folder of its own. */
static int make_folder(void **state)
{
	*state = g_dir_make_tmp("firebreak-durable-XXXXXX", NULL);
	return *state == NULL ? -1 : 0;
}

static int remove_folder(void **state)
{
	gboolean good = durable_remove_tree(*state, NULL);
	g_free(*state);
	return good ? 0 : -1;
}

static char *in(const char *folder, const char *name)
{
	return g_build_filename(folder, name, NULL);
}

static void put(const char *folder, const char *name, const char *text)
{
	g_autofree char *path = in(folder, name), *parent = g_path_get_dirname(path);
	assert_int_equal(g_mkdir_with_parents(parent, 0777), 0);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void check_content(const char *folder, const char *name, const char *expected)
{
	g_autofree char *path = in(folder, name), *text = NULL;
	g_file_get_contents(path, &text, NULL, NULL);
	if (expected == NULL)
		assert_null(text);
	else if (text == NULL)
		fail_msg("%s is not there", path);
	else
		assert_string_equal(text, expected);
}

static guint count_entries(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	assert_non_null(dir);
	guint n = 0;
	while (g_dir_read_name(dir) != NULL)
		n++;
	return n;
}

static mode_t mode_of(const char *path)
{
	struct stat info;
	assert_int_equal(lstat(path, &info), 0);
	return info.st_mode & 07777;
}

static void must(gboolean good, GError *error)
{
	if (!good)
		fail_msg("%s", error->message);
}

static void check_error(const GError *error, const char *path, int errno_value)
{
	assert_non_null(error);
	assert_int_equal(error->domain, FIREBREAK_ERROR);
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	if (strstr(error->message, path) == NULL || strstr(error->message, g_strerror(errno_value)) == NULL)
		fail_msg("\"%s\" does not name %s and %s", error->message, path, g_strerror(errno_value));
}

/* --- files --- */

static void a_file_is_written_and_replaced(void **state)
{
	g_autofree char *path = in(*state, "report.json");
	g_autoptr(GError) error = NULL;
	must(durable_write_file(path, "one", -1, &error), error);
	check_content(*state, "report.json", "one");
	must(durable_write_file(path, "twofold", 3, &error), error);
	check_content(*state, "report.json", "two");
	must(durable_write_file(path, "", 0, &error), error);
	check_content(*state, "report.json", "");
	assert_int_equal(count_entries(*state), 1);
}

static void the_mode_is_that_of_the_umask_or_of_the_file_replaced(void **state)
{
	g_autofree char *path = in(*state, "file");
	mode_t old = umask(027);
	gboolean good = durable_write_file(path, "x", 1, NULL);
	umask(old);
	assert_true(good);
	assert_int_equal(mode_of(path), 0640);
	assert_int_equal(chmod(path, 0600), 0);
	assert_true(durable_write_file(path, "y", 1, NULL));
	assert_int_equal(mode_of(path), 0600);
}

static void a_link_is_replaced_and_not_followed(void **state)
{
	put(*state, "target", "untouched");
	g_autofree char *path = in(*state, "link");
	assert_int_equal(symlink("target", path), 0);
	assert_true(durable_write_file(path, "new", -1, NULL));
	check_content(*state, "target", "untouched");
	check_content(*state, "link", "new");
	assert_false(g_file_test(path, G_FILE_TEST_IS_SYMLINK));
}

static void a_failed_write_leaves_the_old_file_and_no_temporary(void **state)
{
	/* A limit on the size of files stands in for a full disk; in a child, so that it ends with it. */
	put(*state, "file", "old");
	g_autofree char *path = in(*state, "file"), *large = g_strnfill(100000, 'x');
	fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){5000, 5000});
		g_autoptr(GError) error = NULL;
		gboolean good = durable_write_file(path, large, 100000, &error);
		_exit(!good && error->code == FIREBREAK_ERROR_STORAGE &&
		                        strstr(error->message, g_strerror(EFBIG)) != NULL
		                ? 0
		                : 1);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	check_content(*state, "file", "old");
	assert_int_equal(count_entries(*state), 1);
}

static void a_file_needs_its_folder(void **state)
{
	g_autofree char *path = in(*state, "missing/file"), *folder = in(*state, "folder");
	g_autoptr(GError) error = NULL;
	assert_false(durable_write_file(path, "x", 1, &error));
	check_error(error, path, ENOENT);
	g_clear_error(&error);
	assert_int_equal(g_mkdir(folder, 0777), 0);
	assert_false(durable_write_file(folder, "x", 1, &error));
	check_error(error, folder, EISDIR);
	assert_int_equal(count_entries(*state), 1);
}

static void long_names_are_written(void **state)
{
	g_autofree char *name = g_strnfill(255, 'n');
	g_autofree char *path = in(*state, name);
	assert_true(durable_write_file(path, "x", 1, NULL));
	check_content(*state, name, "x");
}

/* --- folders --- */

static void folders_are_made_with_their_parents(void **state)
{
	g_autofree char *path = in(*state, "a/b//c/"), *plain = in(*state, "a/b/c");
	g_autoptr(GError) error = NULL;
	must(durable_make_dir(path, &error), error);
	assert_true(g_file_test(plain, G_FILE_TEST_IS_DIR));
	must(durable_make_dir(plain, &error), error);
	must(durable_make_dir("/", &error), error);
}

static void a_folder_is_not_made_where_a_file_is(void **state)
{
	put(*state, "file", "x");
	g_autofree char *path = in(*state, "file"), *inner = in(*state, "file/a/b");
	g_autoptr(GError) error = NULL;
	assert_false(durable_make_dir(path, &error));
	check_error(error, path, ENOTDIR);
	g_clear_error(&error);
	assert_false(durable_make_dir(inner, &error));
	check_error(error, path, ENOTDIR);
	check_content(*state, "file", "x");
}

static void a_folder_is_published_where_none_was(void **state)
{
	put(*state, "prepared/a/b.txt", "new");
	g_autofree char *prepared = in(*state, "prepared"), *target = in(*state, "out");
	g_autoptr(GError) error = NULL;
	must(durable_replace_dir(prepared, target, &error), error);
	check_content(*state, "out/a/b.txt", "new");
	assert_int_equal(count_entries(*state), 1);
}

static void a_published_folder_replaces_the_whole_old_one(void **state)
{
	put(*state, "prepared/a.txt", "new");
	put(*state, "out/a.txt", "old");
	put(*state, "out/deep/b.txt", "old");
	g_autofree char *prepared = in(*state, "prepared/"), *target = in(*state, "out/");
	g_autoptr(GError) error = NULL;
	must(durable_replace_dir(prepared, target, &error), error);
	check_content(*state, "out/a.txt", "new");
	check_content(*state, "out/deep/b.txt", NULL);
	assert_int_equal(count_entries(*state), 1);
}

static void a_link_in_place_of_the_target_goes_and_what_it_names_stays(void **state)
{
	put(*state, "prepared/a.txt", "new");
	put(*state, "elsewhere/a.txt", "keep");
	g_autofree char *prepared = in(*state, "prepared"), *target = in(*state, "out");
	assert_int_equal(symlink("elsewhere", target), 0);
	assert_true(durable_replace_dir(prepared, target, NULL));
	check_content(*state, "out/a.txt", "new");
	check_content(*state, "elsewhere/a.txt", "keep");
	assert_int_equal(count_entries(*state), 2);
}

static void a_failed_publication_changes_nothing(void **state)
{
	put(*state, "prepared/a.txt", "new");
	put(*state, "file", "old");
	g_autofree char *prepared = in(*state, "prepared"), *file = in(*state, "file");
	g_autofree char *nowhere = in(*state, "missing/out"), *absent = in(*state, "absent");
	g_autoptr(GError) error = NULL;
	assert_false(durable_replace_dir(prepared, file, &error));
	check_error(error, file, ENOTDIR);
	g_clear_error(&error);
	assert_false(durable_replace_dir(prepared, nowhere, &error));
	check_error(error, nowhere, ENOENT);
	g_clear_error(&error);
	assert_false(durable_replace_dir(absent, prepared, &error));
	check_error(error, absent, ENOENT);
	check_content(*state, "file", "old");
	check_content(*state, "prepared/a.txt", "new");
	assert_int_equal(count_entries(*state), 2);
}

/* --- removal --- */

static void a_tree_is_removed_and_what_links_name_stays(void **state)
{
	put(*state, "keep/a.txt", "keep");
	put(*state, "tree/a/b/c.txt", "x");
	put(*state, "tree/.hidden", "x");
	put(*state, "tree/.0.rm", "x");
	put(*state, "tree/.1.rm/x", "x");
	g_autofree char *keep = in(*state, "keep"), *link = in(*state, "tree/a/link"), *tree = in(*state, "tree");
	g_autofree char *fifo = in(*state, "tree/fifo"), *top_link = in(*state, "toplink");
	assert_int_equal(symlink(keep, link), 0);
	assert_int_equal(symlink(keep, top_link), 0);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	g_autoptr(GError) error = NULL;
	must(durable_remove_tree(tree, &error), error);
	must(durable_remove_tree(top_link, &error), error);
	check_content(*state, "keep/a.txt", "keep");
	assert_int_equal(count_entries(*state), 1);
}

static void what_is_not_there_is_removed(void **state)
{
	g_autofree char *path = in(*state, "a/b");
	assert_true(durable_remove_tree(path, NULL));
}

static void a_file_is_removed(void **state)
{
	put(*state, "file", "x");
	g_autofree char *path = in(*state, "file");
	assert_true(durable_remove_tree(path, NULL));
	assert_int_equal(count_entries(*state), 0);
}

static void a_tree_deeper_than_any_path_or_descriptor_limit_is_removed(void **state)
{
	g_autofree char *tree = in(*state, "tree");
	assert_int_equal(g_mkdir(tree, 0777), 0);
	int fd = open(tree, O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < 3000; i++) {
		assert_int_equal(mkdirat(fd, "deeper", 0777), 0);
		int inner = openat(fd, "deeper", O_RDONLY | O_DIRECTORY);
		assert_true(inner >= 0);
		close(fd);
		fd = inner;
	}
	close(fd);
	struct rlimit old, few;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = (struct rlimit){.rlim_cur = 32, .rlim_max = old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	g_autoptr(GError) error = NULL;
	gboolean good = durable_remove_tree(tree, &error);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	must(good, error);
	assert_int_equal(count_entries(*state), 0);
}

/* Runs the removal as another user where the test has the rights of root, for whom permissions mean nothing. */
static void folders_without_permission_are_removed(void **state)
{
	static const mode_t modes[] = {0000, 0555, 0111, 0400};
	put(*state, "home/tree/x", "x");
	g_autofree char *home = in(*state, "home"), *tree = in(*state, "home/tree");
	for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autofree char *name = g_strdup_printf("home/tree/mode%zu/inner/file", i);
		put(*state, name, "x");
	}
	fflush(NULL);
	if (geteuid() == 0) {
		g_autofree char *owner = g_strdup_printf("chown -R 65534:65534 '%s'", home);
		assert_true(g_spawn_command_line_sync(owner, NULL, NULL, NULL, NULL));
		assert_int_equal(chmod(*state, 0755), 0);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autofree char *outer = g_strdup_printf("%s/mode%zu", tree, i);
		g_autofree char *inner = g_strdup_printf("%s/inner", outer);
		assert_int_equal(chmod(inner, modes[i]), 0);
		assert_int_equal(chmod(outer, modes[i]), 0);
	}
	assert_int_equal(chmod(tree, 0555), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
			_exit(2);
		_exit(durable_remove_tree(tree, NULL) ? 0 : 1);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(count_entries(home), 0);
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FOLDER_TEST(a_file_is_written_and_replaced),
	        FOLDER_TEST(the_mode_is_that_of_the_umask_or_of_the_file_replaced),
	        FOLDER_TEST(a_link_is_replaced_and_not_followed),
	        FOLDER_TEST(a_failed_write_leaves_the_old_file_and_no_temporary),
	        FOLDER_TEST(a_file_needs_its_folder),
	        FOLDER_TEST(long_names_are_written),
	        FOLDER_TEST(folders_are_made_with_their_parents),
	        FOLDER_TEST(a_folder_is_not_made_where_a_file_is),
	        FOLDER_TEST(a_folder_is_published_where_none_was),
	        FOLDER_TEST(a_published_folder_replaces_the_whole_old_one),
	        FOLDER_TEST(a_link_in_place_of_the_target_goes_and_what_it_names_stays),
	        FOLDER_TEST(a_failed_publication_changes_nothing),
	        FOLDER_TEST(a_tree_is_removed_and_what_links_name_stays),
	        FOLDER_TEST(what_is_not_there_is_removed),
	        FOLDER_TEST(a_file_is_removed),
	        FOLDER_TEST(a_tree_deeper_than_any_path_or_descriptor_limit_is_removed),
	        FOLDER_TEST(folders_without_permission_are_removed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
