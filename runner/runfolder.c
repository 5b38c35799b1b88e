#include "runner/runfolder.h"

#include "core/durable.h"
#include "core/error.h"
#include "runner/hostenv.h"

#include <errno.h>

char *run_folder_new(const RunRequest *request, GError **error)
{
	const char *scratch = request->side->scratch_dir;
	g_autofree char *folder = g_build_filename(scratch, "run-XXXXXX", NULL);
	if (g_mkdtemp(folder) != NULL)
		return g_steal_pointer(&folder);
	firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make a folder in %s", scratch);
	return NULL;
}

void run_folder_free(char *folder)
{
	if (folder != NULL)
		durable_remove_tree(folder, NULL);
	g_free(folder);
}

char *run_folder_metrics(const char *folder)
{
	return g_build_filename(folder, "metrics", NULL);
}

char **run_environment(const RunRequest *request, const char *folder, guint padding)
{
	g_autofree char *metrics = run_folder_metrics(folder);
	char **environment = benchmark_environment(request->side->scratch_dir, request->pass_env, padding);
	return g_environ_setenv(environment, "FIREBREAK_METRICS", metrics, TRUE);
}

char *run_folder_cwd(const RunRequest *request)
{
	return g_build_filename(request->side->tree_dir, request->benchmark->cwd, NULL);
}
