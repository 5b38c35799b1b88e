/* SPDX-License-Identifier: Apache-2.0 */
/* Real repositories for tests, made with the git program in a temporary folder that is removed at the end.
 *
 * HOME is such a folder too, so the user's git configuration plays no part: libgit2 looks where HOME is once, when it
 * starts, so all tests of a program share it, by make_home() and remove_home() as setup and teardown of the group.
 * Every failure of git fails the test with git's output. */
#pragma once

#include "core/durable.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* libgit2 1.5 forgets the state of a regular expression whenever it opens a repository that has extensions (partial,
 * sparse): a leak of its own, which the leak checker should not count as ours. Weak, as a test and the fixture that it
 * is linked with may both include this. */
const char *__lsan_default_suppressions(void) __attribute__((weak));
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2\n";
}

typedef struct {
	char *root; /* the temporary folder */
	char *main; /* a repository in it, `main`, with the branch `main` and no commit */
} Fixture;

/* Runs git in `dir` with the arguments of `format` split like a shell would, without one. Returns what it prints,
 * without the newline at the end; owned by the caller. */
static inline char *git(const char *dir, const char *format, ...) G_GNUC_PRINTF(2, 3);

static inline char *git(const char *dir, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *arguments = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *line = g_strconcat("git -c protocol.file.allow=always ", arguments, NULL);
	g_auto(GStrv) argv = NULL;
	char *out = NULL;
	g_autofree char *err = NULL;
	g_autoptr(GError) error = NULL;
	int status = 0;
	if (!g_shell_parse_argv(line, NULL, &argv, &error) ||
	        !g_spawn_sync(dir, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, &error))
		fail_msg("%s: %s", line, error->message);
	if (status != 0)
		fail_msg("%s: status %d: %s%s", line, status, out, err);
	return g_strchomp(out);
}

static inline void run_git(const char *dir, const char *arguments)
{
	G_GNUC_UNUSED g_autofree char *out = git(dir, "%s", arguments);
}

static inline void put(const char *dir, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autofree char *folder = g_path_get_dirname(path);
	assert_int_equal(g_mkdir_with_parents(folder, 0777), 0);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

/* Puts a file and commits everything; returns the SHA. */
static inline char *commit_file(const char *dir, const char *name, const char *text)
{
	put(dir, name, text);
	run_git(dir, "add -A");
	run_git(dir, "commit -q --allow-empty -m 'change a file'");
	return git(dir, "rev-parse HEAD");
}

static inline char *make_temporary_dir(void)
{
	g_autofree char *made = g_dir_make_tmp("firebreak-git-XXXXXX", NULL);
	assert_non_null(made);
	return realpath(made, NULL);
}

static inline void remove_dir(const char *path)
{
	g_autoptr(GError) error = NULL;
	if (!durable_remove_tree(path, &error))
		fail_msg("%s", error->message);
}

static inline int make_home(void **state)
{
	char *home = make_temporary_dir();
	g_setenv("HOME", home, TRUE);
	g_setenv("GIT_CONFIG_NOSYSTEM", "1", TRUE);
	g_unsetenv("XDG_CONFIG_HOME");
	g_unsetenv("GIT_CONFIG_GLOBAL"); /* it may name a device, which git would replace by a file */
	g_unsetenv("GIT_DIR");
	g_unsetenv("GIT_WORK_TREE");
	g_unsetenv("GIT_INDEX_FILE");
	run_git(home, "config --global user.name T");
	run_git(home, "config --global user.email t@example.org");
	run_git(home, "config --global init.defaultBranch main");
	*state = home;
	return 0;
}

static inline int remove_home(void **state)
{
	remove_dir(*state);
	free(*state);
	return 0;
}

static inline int fixture_setup(void **state)
{
	Fixture *fixture = g_new0(Fixture, 1);
	fixture->root = make_temporary_dir();
	fixture->main = g_build_filename(fixture->root, "main", NULL);
	run_git(fixture->root, "init -q main");
	*state = fixture;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	Fixture *fixture = *state;
	remove_dir(fixture->root);
	free(fixture->root);
	g_free(fixture->main);
	g_free(fixture);
	return 0;
}

#define GIT_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

static inline char *below(const Fixture *fixture, const char *name)
{
	return g_build_filename(fixture->root, name, NULL);
}

/* The content of a file, or NULL if it is not there. */
static inline char *content(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	char *text = NULL;
	g_file_get_contents(path, &text, NULL, NULL);
	return text;
}
