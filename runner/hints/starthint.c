/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/hints/starthint.h"

#include "core/nearestword.h"
#include "core/regularfile.h"
#include "runner/trees/treefiles.h"

#include <errno.h>
#include <string.h>

#define MAX_NAMED 5
#define FIRST_LINE_BYTES 256

/* `path` as a command has to have it that runs in `cwd`. Owned by the caller. */
static char *from_cwd(const StartPlace *place, const char *path)
{
	if (g_str_equal(place->cwd, "."))
		return g_strdup_printf("./%s", path);
	g_autofree char *below = g_strdup_printf("%s/", place->cwd);
	if (g_str_has_prefix(path, below))
		return g_strdup_printf("./%s", path + strlen(below));
	g_auto(GStrv) parts = g_strsplit(place->cwd, "/", -1);
	GString *text = g_string_new(NULL);
	for (char **part = parts; *part != NULL; part++)
		if (**part != '\0' && !g_str_equal(*part, "."))
			g_string_append(text, "../");
	return g_string_free(g_string_append(text, path), FALSE);
}

/* "a, b or c" as commands of that folder. */
static char *candidates_text(const StartPlace *place, const GPtrArray *paths)
{
	GString *text = g_string_new(NULL);
	guint shown = MIN(paths->len, MAX_NAMED);
	for (guint i = 0; i < shown; i++) {
		g_autofree char *command = from_cwd(place, paths->pdata[i]);
		g_string_append_printf(text, "%s%s", i == 0 ? "" : i + 1 == shown ? " or " : ", ", command);
	}
	return g_string_free(text, FALSE);
}

/* Programs of the tree whose names a typing error could have turned into that name. */
static GPtrArray *similar(const GPtrArray *programs, const char *name)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < programs->len; i++) {
		g_autofree char *other = g_path_get_basename(programs->pdata[i]);
		const char *const known[] = {other, NULL};
		if (nearest_word(name, known) != NULL)
			g_ptr_array_add(found, g_strdup(programs->pdata[i]));
	}
	return found;
}

static char *did_you_mean(const StartPlace *place, const GPtrArray *paths)
{
	g_autofree char *names = candidates_text(place, paths);
	return g_strdup_printf("did you mean %s?", names);
}

/* Each list is a walk through the whole tree. */
static char *hint_of_missing(const StartPlace *place, const char *program)
{
	g_autofree char *name = g_path_get_basename(program);
	g_autoptr(GPtrArray) same = tree_files_named(place->tree, name, TRUE);
	if (same->len > 0)
		return did_you_mean(place, same);
	g_autoptr(GPtrArray) programs = tree_programs(place->tree);
	g_autoptr(GPtrArray) alike = similar(programs, name);
	if (alike->len > 0)
		return did_you_mean(place, alike);
	g_autoptr(GPtrArray) idle = tree_files_named(place->tree, name, FALSE);
	if (idle->len > 0)
		return g_strdup_printf("%s is there, but not as a program: git keeps its executable bit with `git "
		                       "update-index --chmod=+x %s`",
		        (const char *)idle->pdata[0], (const char *)idle->pdata[0]);
	if (g_path_is_absolute(program))
		return g_strdup(
		        "neither this machine nor the checkout has it; a program of the repository is named from "
		        "`cwd`, such as ./build/bench");
	if (programs->len > 0) {
		g_autofree char *names = candidates_text(place, programs);
		return g_strdup_printf("nothing in the checkout has that name; its programs are %s%s", names,
		        programs->len > MAX_NAMED ? ", among others" : "");
	}
	return g_strdup("the checkout has no program at all: the build command has to build the benchmark (`go build "
	                "./...`, `cargo build` and a plain `make` often leave benchmarks out)");
}

/* A file that is there cannot be found if what runs it is not there: the program of its first line. It may be anything
 * by now, since the run could replace it. */
static char *hint_of_present(const char *file)
{
	g_autoptr(GString) begin = regular_file_begin(file, 0, FIRST_LINE_BYTES);
	if (begin == NULL)
		return NULL;
	if (!g_str_has_prefix(begin->str, "#!"))
		return g_strdup("the file is there, but not the loader that it asks for: it was built for another "
		                "system (`file` tells for which)");
	g_autofree char *line = g_strndup(begin->str, strcspn(begin->str, "\n"));
	gboolean returns = g_str_has_suffix(line, "\r");
	return returns ? g_strdup("its first line ends with a carriage return; write it with the line ends of Unix")
	               : g_strdup_printf("its first line, \"%s\", names a program that is not on this machine",
	                         g_strstrip(line));
}

static char *hint_of_refused(const char *program, const char *file)
{
	if (g_file_test(file, G_FILE_TEST_IS_DIR))
		return g_strdup_printf("%s is a folder; name the program in it", program);
	return g_strdup_printf("%s is not executable: `git update-index --chmod=+x %s`, or start it by its interpreter "
	                       "(`sh %s`)",
	        program, program, program);
}

char *start_hint(const StartPlace *place, const char *program, int error)
{
	gboolean absolute = g_path_is_absolute(program), plain = strchr(program, '/') == NULL;
	g_autofree char *file = absolute ? g_strdup(program) : g_build_filename(place->tree, place->cwd, program, NULL);
	if (error == EACCES)
		return plain ? NULL : hint_of_refused(program, file);
	if (error == ENOEXEC)
		return g_strdup("it is not a program for this machine; if it is a script, its first line has to be "
		                "`#!` and its interpreter");
	if (error != ENOENT && error != ENOTDIR)
		return NULL;
	if (!plain && g_file_test(file, G_FILE_TEST_EXISTS))
		return hint_of_present(file);
	return hint_of_missing(place, program);
}
