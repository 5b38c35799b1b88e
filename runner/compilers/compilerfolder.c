/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/compilers/compilerfolder.h"

#include "core/durable.h"
#include "core/error.h"
#include "core/helperprogram.h"
#include "runner/compilers/compilerflags.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define WRAPPER "firebreak-cc"

static void add_names(GHashTable *names, const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		g_autofree char *file = g_build_filename(folder, name, NULL);
		if (compiler_kind(name) != COMPILER_NONE && g_file_test(file, G_FILE_TEST_IS_EXECUTABLE) &&
		        !g_file_test(file, G_FILE_TEST_IS_DIR))
			g_hash_table_add(names, g_strdup(name));
	}
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(char *const *)a, *(char *const *)b);
}

char **compiler_names(const char *path)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) folders = g_strsplit(path, ":", -1);
	for (char **folder = folders; *folder != NULL; folder++)
		if (g_path_is_absolute(*folder))
			add_names(names, *folder);
	guint n;
	char **keys = (char **)g_hash_table_get_keys_as_array(names, &n);
	g_hash_table_steal_all(names);
	qsort(keys, n, sizeof *keys, compare_names);
	return keys;
}

/* Puts the link in its place at once, whatever is there. It is made beside the folder, where nobody takes it away. */
static gboolean make_link(const char *target, const char *folder, const char *name, GError **error)
{
	g_autofree char *link = g_build_filename(folder, name, NULL);
	g_autofree char *there = g_file_read_link(link, NULL);
	if (g_strcmp0(there, target) == 0)
		return TRUE;
	g_autofree char *made = g_strdup_printf("%s.%d", folder, (int)getpid());
	g_unlink(made);
	if (g_file_test(link, G_FILE_TEST_IS_DIR) && there == NULL && !durable_remove_tree(link, error))
		return FALSE;
	if (symlink(target, made) == 0 && g_rename(made, link) == 0)
		return TRUE;
	int saved = errno;
	g_unlink(made);
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, saved, "cannot make %s", link);
}

/* Removes what is named like no compiler. */
static gboolean remove_others(const char *folder, char *const *names, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		g_autofree char *file = g_build_filename(folder, name, NULL);
		if (!g_strv_contains((const char *const *)names, name) && !durable_remove_tree(file, error))
			return FALSE;
	}
	return TRUE;
}

gboolean compiler_folder_make(const char *folder, const char *path, GError **error)
{
	g_autofree char *wrapper = helper_program_path(WRAPPER, error);
	g_auto(GStrv) found = compiler_names(path);
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_strv_builder_addv(builder, (const char **)found);
	g_strv_builder_add(builder, COMPILER_BY_PATH);
	g_auto(GStrv) names = g_strv_builder_end(builder);
	if (wrapper == NULL)
		return FALSE;
	if (g_mkdir_with_parents(folder, 0700) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make %s", folder);
	if (!remove_others(folder, names, error))
		return FALSE;
	for (char **name = names; *name != NULL; name++)
		if (!make_link(wrapper, folder, *name, error))
			return FALSE;
	return TRUE;
}
