/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/gitprogram.h"

#include "core/child.h"
#include "core/durable.h"
#include "core/error.h"

#include <string.h>
#include <unistd.h>

/* Only ends a git that hangs: the first fetch of a large store over a slow line may take many minutes. */
#define TIMEOUT_MS (60 * 60 * (gint64)1000)

/* These stand before the command. Settings that a version of git does not know do nothing there. They keep the
 * repository's own configuration from running programs, from packing objects away while they are synced, and from
 * exchanging more than was asked for. */
static const char *const settings[] = {"core.hooksPath=/dev/null", "core.fsync=all", "core.fsmonitor=false",
        "gc.auto=0", "maintenance.auto=false", "fetch.unpackLimit=1", "fetch.writeCommitGraph=false",
        "fetch.prune=false", "push.followTags=false", "push.gpgSign=false",
        "push.pushOption=", "push.recurseSubmodules=no", "submodule.recurse=false"};

/* Variables that would make git work on another repository, or on this one in another way. */
static const char *const misleading[] = {"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX",
        "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_CEILING_DIRECTORIES"};

void git_output_clear(GitOutput *output)
{
	g_clear_pointer(&output->out, g_free);
	g_clear_pointer(&output->reason, g_free);
}

static char **environment(void)
{
	char **env = g_get_environ();
	for (gsize i = 0; i < G_N_ELEMENTS(misleading); i++)
		env = g_environ_unsetenv(env, misleading[i]);
	/* Nobody would answer a prompt, and reasons are told by the words that git prints in English. */
	env = g_environ_setenv(env, "GIT_TERMINAL_PROMPT", "0", TRUE);
	return g_environ_setenv(env, "LC_ALL", "C", TRUE);
}

/* The argument vector; `git_dir` is borrowed, the strings of `owned` belong to it. */
static GPtrArray *command_line(const char *git_dir, const char *const *args, GPtrArray *owned)
{
	GPtrArray *argv = g_ptr_array_new();
	char *place = g_strconcat("--git-dir=", git_dir, NULL);
	g_ptr_array_add(owned, place);
	g_ptr_array_add(argv, (gpointer) "git");
	g_ptr_array_add(argv, place);
	g_ptr_array_add(argv, (gpointer) "--no-replace-objects");
	for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
		g_ptr_array_add(argv, (gpointer) "-c");
		g_ptr_array_add(argv, (gpointer)settings[i]);
	}
	for (; *args != NULL; args++)
		g_ptr_array_add(argv, (gpointer)*args);
	g_ptr_array_add(argv, NULL);
	return argv;
}

/* The line that says why: the first with `fatal:` or `error:`, else the last that says something. */
static char *telling_line(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	const char *last = NULL;
	for (char **line = lines; *line != NULL; line++) {
		g_strstrip(*line);
		if (g_ascii_strncasecmp(*line, "fatal:", 6) == 0 || g_ascii_strncasecmp(*line, "error:", 6) == 0)
			return g_strdup(*line);
		last = **line != '\0' ? *line : last;
	}
	return g_strdup(last);
}

/* TRUE for the words by which git, ssh and hosts of repositories refuse access. */
static gboolean says_denied(const char *text)
{
	static const char *const words[] = {"denied", "not allowed", "not permitted", "not authorized", "forbidden",
	        "read-only", "read only", "not enabled", "returned error: 401", "returned error: 403"};
	g_autofree char *lower = g_ascii_strdown(text, -1);
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(lower, words[i]) != NULL)
			return TRUE;
	return FALSE;
}

static char *reason_of(const ChildResult *result)
{
	char *said = result->exit_code > 0 ? telling_line(result->err->str) : NULL;
	if (said != NULL)
		return said;
	char *failure = child_describe_failure(result);
	return failure != NULL ? failure : g_strdup("");
}

static gboolean take_result(const ChildResult *result, GitOutput *output, GError **error)
{
	if (result->exec_errno != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, result->exec_errno,
		        "git cannot be started; install it to exchange baselines with a remote");
	if (result->out_bytes > GIT_PROGRAM_MAX_BYTES)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_STORAGE, "git printed more than %zu bytes", GIT_PROGRAM_MAX_BYTES);
	output->exit_code = result->exit_code;
	output->out = g_strndup(result->out->str, result->out->len);
	output->reason = reason_of(result);
	output->is_denied = result->exit_code > 0 && says_denied(result->err->str);
	return TRUE;
}

static gboolean run(Repo *repo, const char *const *args, const char *input_file, GitOutput *output, GError **error)
{
	const char *git_dir = repo_path_gitdir(repo), *work_dir = repo_path_workdir(repo);
	g_auto(GStrv) env = environment();
	g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) argv = command_line(git_dir, args, owned);
	ChildSpec spec = {.argv = (const char *const *)argv->pdata,
	        .envp = (const char *const *)env,
	        .cwd = work_dir != NULL ? work_dir : git_dir,
	        .input = input_file,
	        .timeout_ms = TIMEOUT_MS,
	        .keep_bytes = GIT_PROGRAM_MAX_BYTES};
	g_autoptr(Child) child = child_run(&spec, error);
	return child != NULL && take_result(child_result(child), output, error);
}

gboolean git_program_run(Repo *repo, const char *const *args, const char *input, GitOutput *output, GError **error)
{
	if (input == NULL)
		return run(repo, args, NULL, output, error);
	g_autofree char *folder = g_build_filename(repo_path_commondir(repo), "firebreak", NULL);
	g_autofree char *path = g_build_filename(folder, "input", NULL);
	if (!durable_make_dir(folder, error) || !durable_write_file(path, input, -1, error))
		return FALSE;
	gboolean ok = run(repo, args, path, output, error);
	(void)unlink(path);
	return ok;
}
