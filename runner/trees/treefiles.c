/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treefiles.h"

#include "runner/trees/treewalk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ELF_MAGIC "\177ELF"
#define MAX_FOUND 1000

/* The files that are looked for, and those found. */
typedef struct {
	const char *path; /* that paths end with; NULL = any program */
	gboolean executable;
	GPtrArray *found;
} Search;

static gboolean ends_with_path(const char *whole, const char *path)
{
	gsize length = strlen(whole), tail = strlen(path);
	return length >= tail && g_str_equal(whole + length - tail, path) &&
	       (length == tail || whole[length - tail - 1] == '/');
}

static gboolean is_elf(int folder, const char *name)
{
	char magic[4];
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	gboolean is = fd >= 0 && read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
	              memcmp(magic, ELF_MAGIC, sizeof magic) == 0;
	if (fd >= 0)
		close(fd);
	return is;
}

/* Libraries are executable for some linkers, and nobody starts them. */
static gboolean is_library(const char *name)
{
	return g_str_has_suffix(name, ".so") || strstr(name, ".so.") != NULL || g_str_has_suffix(name, ".o");
}

static gboolean is_wanted(const Search *search, const TreeEntry *entry)
{
	gboolean regular = S_ISREG(entry->info->st_mode);
	if (!regular || (search->executable && (entry->info->st_mode & S_IXUSR) == 0))
		return FALSE;
	return search->path != NULL ? ends_with_path(entry->path, search->path)
	                            : !is_library(entry->name) && is_elf(entry->folder, entry->name);
}

char *tree_path_named(const char *root, const char *cwd, const char *word)
{
	if (g_path_is_absolute(word))
		return NULL;
	g_autofree char *path = g_build_filename(root, cwd, word, NULL);
	g_autofree char *real = realpath(path, NULL), *real_root = realpath(root, NULL);
	const char *below =
	        real != NULL && real_root != NULL && g_str_has_prefix(real, real_root) ? real + strlen(real_root) : "";
	return *below == '/' ? g_strdup(below + 1) : NULL;
}

gboolean tree_file_is_elf(const char *path)
{
	return is_elf(AT_FDCWD, path);
}

static TreeStep look(gpointer data, const TreeEntry *entry, GError **error)
{
	Search *search = data;
	(void)error;
	/* programs there only tell CMake what the compiler can do */
	if (S_ISDIR(entry->info->st_mode) &&
	        (g_str_equal(entry->name, ".git") || g_str_equal(entry->name, "CMakeFiles")))
		return TREE_PASS_BY;
	if (search->found->len < MAX_FOUND && is_wanted(search, entry))
		g_ptr_array_add(search->found, g_strdup(entry->path));
	return TREE_GO_ON;
}

static gint by_length(gconstpointer a, gconstpointer b)
{
	const char *one = *(char *const *)a, *other = *(char *const *)b;
	gsize length = strlen(one), other_length = strlen(other);
	return length != other_length ? (length < other_length ? -1 : 1) : strcmp(one, other);
}

static GPtrArray *search_tree(const char *root, const char *path, gboolean executable)
{
	Search search = {path, executable, g_ptr_array_new_with_free_func(g_free)};
	tree_walk(root, look, &search, NULL);
	g_ptr_array_sort(search.found, by_length);
	return search.found;
}

GPtrArray *tree_files_named(const char *root, const char *path, gboolean programs)
{
	return search_tree(root, path, programs);
}

GPtrArray *tree_programs(const char *root)
{
	return search_tree(root, NULL, TRUE);
}
