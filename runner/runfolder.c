#include "runner/runfolder.h"

#include "core/durable.h"
#include "core/error.h"
#include "runner/hostenv.h"
#include "runner/treelinks.h"

#include <errno.h>
#include <glib/gstdio.h>

static char *run_folder_home(const char *folder)
{
	return g_build_filename(folder, "home", NULL);
}

char *run_folder_new(const RunRequest *request, GError **error)
{
	g_autofree char *folder = arena_draw(request->side->arena), *home = run_folder_home(folder);
	if (g_mkdir(folder, 0700) == 0 && g_mkdir(home, 0700) == 0)
		return g_steal_pointer(&folder);
	firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make the folder %s", home);
	run_folder_free(request, g_steal_pointer(&folder));
	return NULL;
}

void run_folder_free(const RunRequest *request, char *folder)
{
	if (folder == NULL)
		return;
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
	char **environment = benchmark_environment(home, request->pass_env, padding);
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
