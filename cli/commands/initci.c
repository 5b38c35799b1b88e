/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/initci.h"

#include "core/durable.h"

#include <string.h>

/* The templates, made part of the program by the build. */
extern const char github_workflow[], gitlab_job[];

const char *const init_ci_names[] = {"github", "gitlab", NULL};

#define GITLAB_JOB ".gitlab/firebreak.gitlab-ci.yml"
#define GITLAB_INCLUDE                                                                                                 \
	"include:\n"                                                                                                   \
	"  - local: " GITLAB_JOB "\n"                                                                                  \
	"    inputs:\n"                                                                                                \
	"      source: https://example.org/firebreak.git # the repository of firebreak\n"                              \
	"      revision: \"0000000000000000000000000000000000000000\" # a commit of it that you trust\n"

/* Writes a file that is not there, with its folders. *written tells. */
static gboolean write_new(const char *root, const char *name, const char *text, gboolean *written, GError **error)
{
	g_autofree char *path = g_build_filename(root, name, NULL), *folder = g_path_get_dirname(path);
	*written = !g_file_test(path, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK);
	return !*written || (durable_make_dir(folder, error) && durable_write_file(path, text, -1, error));
}

static gboolean write_github(const char *root, char **notes, GError **error)
{
	gboolean written;
	if (!write_new(root, ".github/workflows/firebreak.yml", github_workflow, &written, error))
		return FALSE;
	*notes = g_strdup(
	        written ? "wrote .github/workflows/firebreak.yml: name the repository and a commit of firebreak "
	                  "in its last line"
	                : ".github/workflows/firebreak.yml exists and stays as it is");
	return TRUE;
}

static gboolean write_gitlab(const char *root, char **notes, GError **error)
{
	gboolean job, includes;
	if (!write_new(root, GITLAB_JOB, gitlab_job, &job, error) ||
	        !write_new(root, ".gitlab-ci.yml", GITLAB_INCLUDE, &includes, error))
		return FALSE;
	*notes = g_strconcat(job ? "wrote " GITLAB_JOB : GITLAB_JOB " exists and stays as it is",
	        includes ? "\nwrote .gitlab-ci.yml: name the repository and a commit of firebreak in it"
	                 : "\n.gitlab-ci.yml exists; add to it, if it is missing:\n" GITLAB_INCLUDE,
	        NULL);
	g_strchomp(*notes);
	return TRUE;
}

gboolean init_ci_write(const char *root, const char *name, char **notes, GError **error)
{
	return g_str_equal(name, "github") ? write_github(root, notes, error) : write_gitlab(root, notes, error);
}
