/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/runfolder.h"

#include "core/durable.h"
#include "core/error.h"
#include "runner/trees/hostenv.h"
#include "runner/trees/treelinks.h"

#include <errno.h>
#include <glib/gstdio.h>

static char *run_folder_home(const char *folder)
{
	return g_build_filename(folder, "home", NULL);
}

char *run_folder_new(const RunRequest *request, GError **error)
{
	g_autofree char *folder = arena_draw(request->side->arena), *home = run_folder_home(folder);
	g_autofree char *temporary = arena_temporary(request->side->arena, folder);
	const char *const wanted[] = {folder, home, temporary};
	gsize made = 0;
	while (made < G_N_ELEMENTS(wanted) && g_mkdir(wanted[made], 0700) == 0)
		made++;
	if (made == G_N_ELEMENTS(wanted))
		return g_steal_pointer(&folder);
	firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make the folder %s", wanted[made]);
	run_folder_free(request, g_steal_pointer(&folder));
	return NULL;
}

void run_folder_free(const RunRequest *request, char *folder)
{
	if (folder == NULL)
		return;
	g_autofree char *temporary = arena_temporary(request->side->arena, folder);
	durable_remove_tree(temporary, NULL);
	durable_remove_tree(folder, NULL);
	arena_forget(request->side->arena, folder);
	g_free(folder);
}

char *run_folder_metrics(const char *folder)
{
	return g_build_filename(folder, "metrics", NULL);
}

char **run_environment(const RunRequest *request, const char *folder, guint padding)
{
	g_autofree char *metrics = run_folder_metrics(folder), *home = run_folder_home(folder);
	g_autofree char *temporary = arena_temporary(request->side->arena, folder);
	const char *const *passed = (const char *const *)request->pass_env;
	char **environment = benchmark_environment(home, request->pass_env, padding);
	if (passed == NULL || !g_strv_contains(passed, "TMPDIR"))
		environment = g_environ_setenv(environment, "TMPDIR", temporary, TRUE);
	return g_environ_setenv(environment, "FIREBREAK_METRICS", metrics, TRUE);
}

char *run_folder_cwd(const RunRequest *request, GError **error)
{
	if (!tree_holds_folder(request->side->tree_dir, request->benchmark->cwd, error)) {
		g_prefix_error(error, "benchmark %s of %s: ", request->benchmark->name, request->side->name);
		return NULL;
	}
	return g_build_filename(request->side->tree_dir, request->benchmark->cwd, NULL);
}
