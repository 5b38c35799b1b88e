/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/hostenv.h"

#include "model/textpiece.h"
#include "runner/compilers/compilerfolder.h"
#include "runner/compilers/compilerlog.h"

#include <string.h>

static char **set_default(char **environment, const char *name, const char *fallback)
{
	const char *value = g_getenv(name);
	if (value == NULL)
		value = fallback;
	return value == NULL ? environment : g_environ_setenv(environment, name, value, TRUE);
}

static char **common_environment(const char *scratch, char *const *pass_env)
{
	char **environment = g_new0(char *, 1);
	environment = set_default(environment, "PATH", "/usr/local/bin:/usr/bin:/bin");
	environment = set_default(environment, "TZ", NULL);
	environment = g_environ_setenv(environment, "LANG", "C.UTF-8", TRUE);
	environment = g_environ_setenv(environment, "LC_ALL", "C.UTF-8", TRUE);
	environment = g_environ_setenv(environment, "HOME", scratch, TRUE);
	environment = g_environ_setenv(environment, "TMPDIR", scratch, TRUE);
	for (char *const *name = pass_env; name != NULL && *name != NULL; name++)
		environment = set_default(environment, *name, NULL);
	return environment;
}

static char **sorted(char **environment)
{
	qsort(environment, g_strv_length(environment), sizeof *environment, text_order);
	return environment;
}

char **benchmark_environment(const char *scratch, char *const *pass_env, guint padding)
{
	g_autofree char *pad = g_strnfill(padding, 'x');
	return sorted(g_environ_setenv(common_environment(scratch, pass_env), "FIREBREAK_PAD", pad, TRUE));
}

/* Tools that keep downloads below the home folder find them there although HOME is another one. */
static char **add_tool_folders(char **environment)
{
	static const struct {
		const char *variable, *folder;
	} tools[] = {
	        {"CARGO_HOME", ".cargo"}, {"RUSTUP_HOME", ".rustup"}, {"GOPATH", "go"}, {"GOCACHE", ".cache/go-build"}};
	for (gsize i = 0; i < G_N_ELEMENTS(tools); i++) {
		g_autofree char *path = g_build_filename(g_get_home_dir(), tools[i].folder, NULL);
		environment = set_default(
		        environment, tools[i].variable, g_file_test(path, G_FILE_TEST_IS_DIR) ? path : NULL);
	}
	return environment;
}

/* CC="/opt/gcc/bin/gcc -m32" -> "<compilers>/compiler /opt/gcc/bin/gcc -m32"; a compiler without a path is found in
 * the folder by itself. */
static char **wrap_by_path(char **environment, const char *variable, const char *compilers)
{
	const char *value = g_environ_getenv(environment, variable);
	if (value == NULL || !g_path_is_absolute(value))
		return environment;
	g_autofree char *wrapped = g_strdup_printf("%s/" COMPILER_BY_PATH " %s", compilers, value);
	return g_environ_setenv(environment, variable, wrapped, TRUE);
}

char **build_environment(const BuildPlace *place)
{
	static const char *const kept[] = {"CC", "CXX", "LD", "AR", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS",
	        "RUSTFLAGS", "GOFLAGS", "MAKEFLAGS", "CMAKE_GENERATOR"};
	char **environment = add_tool_folders(common_environment(place->scratch, place->pass_env));
	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++)
		environment = set_default(environment, kept[i], NULL);
	g_autofree char *path = g_strjoin(":", place->compilers, g_environ_getenv(environment, "PATH"), NULL);
	g_autofree char *wrapper = g_build_filename(place->compilers, COMPILER_BY_PATH, NULL);
	g_autofree char *layout = g_strdup_printf("%u", place->layout);
	environment = g_environ_setenv(environment, "PATH", path, TRUE);
	environment = wrap_by_path(environment, "CC", place->compilers);
	environment = wrap_by_path(environment, "CXX", place->compilers);
	environment = g_environ_setenv(environment, "RUSTC_WRAPPER", wrapper, TRUE);
	environment = g_environ_setenv(environment, COMPILER_SOURCE_VARIABLE, place->source, TRUE);
	if (place->log != NULL)
		environment = g_environ_setenv(environment, COMPILER_LOG_VARIABLE, place->log, TRUE);
	if (place->layout > 0)
		environment = g_environ_setenv(environment, COMPILER_LAYOUT_VARIABLE, layout, TRUE);
	return sorted(environment);
}
