/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/arena.h"

#include "core/durable.h"
#include "core/error.h"
#include "runner/trees/inodestate.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/random.h>
#include <sys/stat.h>

struct Arena {
	char *dir, *short_dir; /* the second may be NULL */
	GHashTable *names;     /* set of char *: what belongs to the check */
	char *campaign_dir;
	InodeState *inode, *short_inode, *campaign_inode; /* of the three folders; the second may be NULL */
};

/* The kernel gives so few bytes at once, or there is no kernel to run on. */
static guint64 random_number(void)
{
	guint64 number;
	ssize_t got = getrandom(&number, sizeof number, 0);
	g_assert(got == sizeof number);
	return number;
}

char *arena_random_name(void)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	const guint n_letters = sizeof letters - 1;
	char *name = g_new0(char, ARENA_NAME_LENGTH + 1);
	guint64 number = random_number();
	for (int i = 0; i < ARENA_NAME_LENGTH; i++, number /= n_letters)
		name[i] = letters[number % n_letters];
	return name;
}

Arena *arena_new(const char *campaign_dir, const char *short_dir, GError **error)
{
	g_autofree char *name = arena_random_name();
	g_autofree char *dir = g_build_filename(campaign_dir, name, NULL);
	if (g_mkdir(dir, 0700) != 0) {
		firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make the folder %s", dir);
		return NULL;
	}
	g_autoptr(Arena) arena = g_new0(Arena, 1);
	arena->dir = g_canonicalize_filename(dir, NULL);
	arena->short_dir = g_strdup(short_dir);
	arena->campaign_dir = g_strdup(campaign_dir);
	arena->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	arena->inode = inode_state_new(arena->dir, error);
	arena->campaign_inode = arena->inode != NULL ? inode_state_new(campaign_dir, error) : NULL;
	if (arena->campaign_inode != NULL && short_dir != NULL)
		arena->short_inode = inode_state_new(short_dir, error);
	gboolean ok = arena->campaign_inode != NULL && (short_dir == NULL || arena->short_inode != NULL);
	return ok ? g_steal_pointer(&arena) : NULL;
}

void arena_free(Arena *arena)
{
	if (arena == NULL)
		return;
	g_hash_table_unref(arena->names);
	inode_state_free(arena->inode);
	inode_state_free(arena->short_inode);
	inode_state_free(arena->campaign_inode);
	g_free(arena->dir);
	g_free(arena->short_dir);
	g_free(arena->campaign_dir);
	g_free(arena);
}

const char *arena_dir(const Arena *arena)
{
	return arena->dir;
}

char *arena_draw(Arena *arena)
{
	char *name = arena_random_name();
	char *path = g_build_filename(arena->dir, name, NULL);
	g_hash_table_add(arena->names, name);
	return path;
}

char *arena_temporary(const Arena *arena, const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	return arena->short_dir != NULL ? g_build_filename(arena->short_dir, name, NULL)
	                                : g_build_filename(path, "tmp", NULL);
}

void arena_forget(Arena *arena, const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	g_hash_table_remove(arena->names, name);
}

static gboolean find_strays(const Arena *arena, const char *folder, GPtrArray *strays, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	if (dir == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "cannot read the folder %s", folder);
	for (const char *name; (name = g_dir_read_name(dir)) != NULL;)
		if (!g_hash_table_contains(arena->names, name))
			g_ptr_array_add(strays, g_build_filename(folder, name, NULL));
	return TRUE;
}

static gboolean restore_folders(const Arena *arena, gboolean *changed, GError **error)
{
	const struct {
		InodeState *inode;
		const char *path;
		gboolean may_shrink;
	} folders[] = {
	        {arena->campaign_inode, arena->campaign_dir, FALSE},
	        {arena->inode, arena->dir, TRUE},
	        {arena->short_inode, arena->short_dir, TRUE},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
		InodeState *inode = folders[i].inode;
		if (inode == NULL)
			continue;
		if (!inode_state_restore(inode, folders[i].path, changed, error) ||
		        (folders[i].may_shrink && !inode_state_shrink(inode, folders[i].path, changed, error)))
			return FALSE;
	}
	return TRUE;
}

/* The folders come last: to remove a stray changes the times and the size of the one that it was in. */
gboolean arena_clean(const Arena *arena, FindingList *findings, GError **error)
{
	g_autoptr(GPtrArray) strays = g_ptr_array_new_with_free_func(g_free);
	if (!find_strays(arena, arena->dir, strays, error) ||
	        (arena->short_dir != NULL && !find_strays(arena, arena->short_dir, strays, error)))
		return FALSE;
	for (guint i = 0; i < strays->len; i++)
		if (!durable_remove_tree(strays->pdata[i], error))
			return FALSE;
	gboolean changed = strays->len > 0;
	if (!restore_folders(arena, &changed, error))
		return FALSE;
	if (changed && !finding_has(findings, "state_removed"))
		finding_add(findings, FINDING_WARNING, "state_removed", NULL,
		        "a build or a run wrote beside its own tree, or changed the folder around it, where the next "
		        "run could have found it; it was removed");
	return TRUE;
}
