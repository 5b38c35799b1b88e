/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/clocklibrary.h"

#include "core/helperprogram.h"
#include "runner/frameworks/frameworkoutput.h"

gboolean clock_library_exists(const ClockLibrary *library, GError **error)
{
	g_autofree char *path = helper_program_path(library->file, error);
	return path != NULL;
}

char **clock_library_load(const ClockLibrary *library, const char *dir, guint parameter, char **environment)
{
	g_autofree char *path = helper_program_path(library->file, NULL);
	g_autofree char *log = g_build_filename(dir, library->log, NULL);
	g_autofree char *value = g_strdup_printf("%u", parameter);
	if (path == NULL)
		return environment;
	const char *own = g_environ_getenv(environment, "LD_PRELOAD");
	g_autofree char *all = g_strconcat(path, own != NULL ? ":" : NULL, own, NULL);
	environment = g_environ_setenv(environment, "LD_PRELOAD", all, TRUE);
	environment = g_environ_setenv(environment, library->log_variable, log, TRUE);
	return g_environ_setenv(environment, library->variable, value, TRUE);
}

char **clock_library_log(const ClockLibrary *library, const char *dir)
{
	g_autofree char *path = g_build_filename(dir, library->log, NULL);
	g_autoptr(GString) log = framework_file(path);
	return g_strsplit(log != NULL ? g_strchomp(log->str) : "", "\n", -1);
}
