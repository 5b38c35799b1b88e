/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treewalk.h"

#include "core/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

typedef struct {
	int root;
	GPtrArray *folders; /* of char *: paths below the root that are still to be entered */
	GString *path;      /* of the entry that is visited */
	TreeVisit visit;
	gpointer data;
} Walk;

static gboolean fail(GError **error, const char *path)
{
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot read %s", path);
}

static gboolean visit_entry(Walk *walk, int folder, const char *name, GError **error)
{
	struct stat info;
	if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
		return fail(error, walk->path->str);
	const TreeEntry entry = {.path = walk->path->str, .folder = folder, .name = name, .info = &info};
	TreeStep step = walk->visit(walk->data, &entry, error);
	if (step == TREE_GO_ON && S_ISDIR(info.st_mode))
		g_ptr_array_add(walk->folders, g_strdup(walk->path->str));
	return step != TREE_STOP;
}

/* Closes `dir`. */
static gboolean visit_entries(Walk *walk, DIR *dir, const char *folder, GError **error)
{
	gboolean ok = TRUE;
	errno = 0;
	for (struct dirent *entry = readdir(dir); ok && entry != NULL; errno = 0, entry = ok ? readdir(dir) : NULL) {
		const char *name = entry->d_name;
		if (g_str_equal(name, ".") || g_str_equal(name, ".."))
			continue;
		g_string_printf(walk->path, "%s%s%s", folder, *folder != '\0' ? "/" : "", name);
		ok = visit_entry(walk, dirfd(dir), name, error);
	}
	if (ok && errno != 0)
		ok = fail(error, folder);
	closedir(dir);
	return ok;
}

static gboolean visit_folder(Walk *walk, const char *folder, GError **error)
{
	const char *path = *folder != '\0' ? folder : ".";
	int fd = openat(walk->root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (dir != NULL)
		return visit_entries(walk, dir, folder, error);
	fail(error, path);
	if (fd >= 0)
		close(fd);
	return FALSE;
}

gboolean tree_walk(const char *root, TreeVisit visit, gpointer data, GError **error)
{
	g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) path = g_string_new(NULL);
	Walk walk = {.folders = folders, .path = path, .visit = visit, .data = data};
	walk.root = open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (walk.root < 0)
		return fail(error, root);
	g_ptr_array_add(folders, g_strdup(""));
	gboolean ok = TRUE;
	/* Folders wait in a list, so that one is open at a time, however deep a build has nested them. */
	for (guint i = 0; ok && i < folders->len; i++)
		ok = visit_folder(&walk, folders->pdata[i], error);
	close(walk.root);
	return ok;
}
