/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak-cc: stands in for the compilers of a build, under their names, and starts the real one with the arguments
 * of runner/compilers/compilerflags.h.
 *
 *     gcc -O3 -c a.c         as gcc, through a link of that name: the next gcc of PATH
 *     compiler /opt/gcc ...  as `compiler`: the program that is named first (for CC with a path, and RUSTC_WRAPPER)
 *
 * FIREBREAK_SOURCE (the checkout), FIREBREAK_LAYOUT and FIREBREAK_COMPILER_LOG come from runner/trees/hostenv.h. The
 * compiler of C gets a PATH without the folder of these links, so that ccache, which looks for a compiler of the same
 * name, does not come back here. */
#include "runner/compilers/compilerflags.h"
#include "runner/compilers/compilerfolder.h"
#include "runner/compilers/compilerlog.h"
#include "runner/compilers/goflags.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CANNOT_START = 126, NOT_FOUND = 127 };

static gboolean is_this_program(const char *path)
{
	struct stat self, other;
	return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 && self.st_dev == other.st_dev &&
	       self.st_ino == other.st_ino;
}

/* PATH without the folders in which that name leads back here. Owned by the caller. */
static char *path_without_us(const char *name)
{
	const char *path = g_getenv("PATH");
	g_auto(GStrv) folders = g_strsplit(path != NULL ? path : "/usr/local/bin:/usr/bin:/bin", ":", -1);
	g_autoptr(GString) kept = g_string_new(NULL);
	for (char **folder = folders; *folder != NULL; folder++) {
		g_autofree char *file = g_build_filename(**folder != '\0' ? *folder : ".", name, NULL);
		if (!is_this_program(file))
			g_string_append_printf(
			        kept, "%s%s", kept->len > 0 ? ":" : "", **folder != '\0' ? *folder : ".");
	}
	return g_string_free(g_steal_pointer(&kept), FALSE);
}

/* The kind of the real compiler: cc and c++ may be clang under another name. */
static CompilerKind real_kind(const char *name, const char *program)
{
	CompilerKind kind = compiler_kind(name);
	char *real = realpath(program, NULL);
	if (real != NULL && kind == COMPILER_C) {
		g_autofree char *real_name = g_path_get_basename(real);
		if (compiler_kind(real_name) == COMPILER_CLANG)
			kind = COMPILER_CLANG;
	}
	free(real);
	return kind;
}

/* TRUE for a call that makes code: something was added to it, which it is not to one that only asks the compiler about
 * itself. Go gets nothing. */
static gboolean makes_code(const char *name, const GPtrArray *all, char *const *arguments)
{
	return compiler_kind(name) == COMPILER_GO ? go_compiles(arguments)
	                                          : all->len - 1 != g_strv_length((char **)arguments);
}

static void note_call(const char *name, const char *program, const GPtrArray *all, char *const *arguments)
{
	const char *log = g_getenv(COMPILER_LOG_VARIABLE);
	char *real = realpath(program, NULL);
	if (log != NULL && *log != '\0' && makes_code(name, all, arguments))
		compiler_log_append(log, name, real != NULL ? real : program);
	free(real);
}

static int cannot_start(const char *name, int error)
{
	fprintf(stderr, "firebreak-cc: %s: %s\n", name, g_strerror(error));
	return error == ENOENT ? NOT_FOUND : CANNOT_START;
}

int main(int argc, char **argv)
{
	g_autofree char *called = g_path_get_basename(argv[0]);
	gboolean named = g_str_equal(called, COMPILER_BY_PATH);
	if (named && argc < 2) {
		fprintf(stderr, "usage: " COMPILER_BY_PATH " COMPILER [ARGUMENT...]\n");
		return 2;
	}
	char **arguments = argv + (named ? 2 : 1);
	g_autofree char *name = named ? g_path_get_basename(argv[1]) : g_strdup(called);
	g_autofree char *path = path_without_us(name), *whole_path = g_strdup(g_getenv("PATH"));
	g_setenv("PATH", path, TRUE);
	g_autofree char *program = g_find_program_in_path(named ? argv[1] : called);
	if (program == NULL || is_this_program(program))
		return cannot_start(name, ENOENT);
	/* rustc links with cc, and cgo compiles with it, which is to come through here */
	CompilerKind kind = compiler_kind(name);
	if ((kind == COMPILER_RUST || kind == COMPILER_GO) && whole_path != NULL)
		g_setenv("PATH", whole_path, TRUE);
	g_autofree char *go_flags =
	        kind == COMPILER_GO && g_getenv("GOFLAGS") != NULL ? go_flags_variable(g_getenv("GOFLAGS")) : NULL;
	if (go_flags != NULL)
		g_setenv("GOFLAGS", go_flags, TRUE);
	const char *layout = g_getenv(COMPILER_LAYOUT_VARIABLE);
	const CompilerPlan plan = {
	        .kind = real_kind(name, program),
	        .name = name,
	        .source = g_getenv(COMPILER_SOURCE_VARIABLE),
	        .layout = layout != NULL ? (guint)g_ascii_strtoull(layout, NULL, 10) : 0,
	};
	g_autoptr(GPtrArray) all = compiler_arguments(&plan, arguments);
	note_call(name, program, all, arguments);
	g_ptr_array_insert(all, 0, g_strdup(named ? argv[1] : called));
	execv(program, (char **)all->pdata);
	return cannot_start(program, errno);
}
