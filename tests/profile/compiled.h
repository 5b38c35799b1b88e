/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that tests compile on the spot, to have object files with known content. */
#pragma once

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs a command; TRUE if it ended with 0. Its output goes nowhere, or to *output. */
static inline gboolean run_command(const char *const *argv, char **output)
{
	int status = -1;
	g_autofree char *ignored = NULL;
	gboolean ok = g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
	        NULL, output != NULL ? output : &ignored, NULL, &status, NULL);
	return ok && status == 0;
}

static inline gboolean have_program(const char *name)
{
	g_autofree char *path = g_find_program_in_path(name);
	return path != NULL;
}

/* A temporary folder; owned by the caller, to be removed with remove_folder(). */
static inline char *new_folder(void)
{
	char *folder = g_dir_make_tmp("firebreak-test-XXXXXX", NULL);
	g_assert(folder != NULL);
	return folder;
}

static inline void remove_folder(const char *folder)
{
	const char *const argv[] = {"rm", "-rf", folder, NULL};
	run_command(argv, NULL);
}

/* Compiles text to folder/name with a compiler and blank-separated options; the path, owned by the caller, or NULL if
 * there is no such compiler or it fails. `source` names the file in the folder. */
static inline char *compile(const char *folder, const char *compiler, const char *options, const char *source,
        const char *text, const char *name)
{
	g_autofree char *source_path = g_build_filename(folder, source, NULL);
	g_autofree char *program = g_build_filename(folder, name, NULL);
	g_auto(GStrv) words = g_strsplit(options, " ", -1);
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	if (!have_program(compiler) || !g_file_set_contents(source_path, text, -1, NULL))
		return NULL;
	g_ptr_array_add(argv, (gpointer)compiler);
	for (char **word = words; *word != NULL; word++)
		g_ptr_array_add(argv, *word);
	const char *const rest[] = {"-o", program, source_path, NULL};
	for (guint i = 0; i < G_N_ELEMENTS(rest); i++)
		g_ptr_array_add(argv, (gpointer)rest[i]);
	return run_command((const char *const *)argv->pdata, NULL) ? g_steal_pointer(&program) : NULL;
}

/* A function of a program: where its code is in the file. */
typedef struct {
	guint64 offset, size;
} Extent;

/* Looks a function up with readelf, which knows nothing of our code. */
static inline Extent find_function(const char *path, const char *name)
{
	Extent extent = {0};
	g_autofree char *table = NULL;
	const char *const argv[] = {"readelf", "-sW", path, NULL};
	if (!run_command(argv, &table))
		return extent;
	g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		guint64 value;
		int size, used = 0;
		g_autofree char *suffix = g_strdup_printf(" %s", name);
		if (sscanf(*line, " %*d: %" G_GINT64_MODIFIER "x %d FUNC %n", &value, &size, &used) < 2 || used == 0 ||
		        !g_str_has_suffix(*line, suffix))
			continue;
		/* the text segment of these programs has equal addresses and offsets */
		extent = (Extent){value, (guint64)size};
	}
	return extent;
}
