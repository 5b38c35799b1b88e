#include "runner/trees/hostenv.h"

#include <string.h>

#define C_FLAGS "-g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -falign-functions=32"
#define RUST_FLAGS "-C debuginfo=2 -C force-frame-pointers=yes"
#define LD_FLAGS "-Wl,--build-id"
/* each function in a section of its own, and these in an order that the number decides */
#define LAYOUT_C_FLAGS "-ffunction-sections"
#define LAYOUT_LINKER "-fuse-ld=lld"
#define LAYOUT_SHUFFLE "-Wl,--shuffle-sections=.text*="

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

static int compare_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char **sorted(char **environment)
{
	qsort(environment, g_strv_length(environment), sizeof *environment, compare_text);
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

/* `instead` stands in for a variable that the user has not set. */
static char **add_flags(char **environment, const char *name, const char *instead, const char *flags)
{
	const char *set = g_getenv(name), *now = set != NULL && *set != '\0' ? set : instead;
	g_autofree char *all = g_strjoin(*now != '\0' ? " " : "", now, flags, NULL);
	return g_environ_setenv(environment, name, all, TRUE);
}

/* Adds to the flags that are there. */
static char **append_flags(char **environment, const char *name, const char *format, ...) G_GNUC_PRINTF(3, 4);
static char **append_flags(char **environment, const char *name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *flags = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *all = g_strjoin(" ", g_environ_getenv(environment, name), flags, NULL);
	return g_environ_setenv(environment, name, all, TRUE);
}

static char **add_layout(char **environment, guint layout)
{
	environment = append_flags(environment, "CFLAGS", "%s", LAYOUT_C_FLAGS);
	environment = append_flags(environment, "CXXFLAGS", "%s", LAYOUT_C_FLAGS);
	environment = append_flags(environment, "LDFLAGS", "%s %s%u", LAYOUT_LINKER, LAYOUT_SHUFFLE, layout);
	/* rustc gives each function a section by itself */
	return append_flags(
	        environment, "RUSTFLAGS", "-C link-arg=%s -C link-arg=%s%u", LAYOUT_LINKER, LAYOUT_SHUFFLE, layout);
}

char **build_environment(const char *source, const char *scratch, char *const *pass_env, guint layout)
{
	static const char *const kept[] = {"CC", "CXX", "LD", "AR", "MAKEFLAGS", "CMAKE_GENERATOR"};
	char **environment = add_tool_folders(common_environment(scratch, pass_env));
	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++)
		environment = set_default(environment, kept[i], NULL);
	g_autofree char *c_flags = g_strdup_printf("%s -ffile-prefix-map=%s=.", C_FLAGS, source);
	g_autofree char *rust_flags = g_strdup_printf("%s --remap-path-prefix=%s=.", RUST_FLAGS, source);
	/* a variable that is set replaces the -O2 of `CFLAGS ?= -O2` and of configure scripts; a later -O still wins */
	environment = add_flags(environment, "CFLAGS", "-O2", c_flags);
	environment = add_flags(environment, "CXXFLAGS", "-O2", c_flags);
	environment = add_flags(environment, "RUSTFLAGS", "", rust_flags);
	environment = add_flags(environment, "LDFLAGS", "", LD_FLAGS);
	if (layout > 0)
		environment = add_layout(environment, layout);
	return sorted(environment);
}

const char *build_flags_text(void)
{
	return C_FLAGS " " LD_FLAGS " " RUST_FLAGS;
}
