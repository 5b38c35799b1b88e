/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/inodestate.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MODE_BITS 07777
/* The limits are of all names together, and of a value: the kernel gives no more. */
#define MAX_BYTES 65536

struct InodeState {
	guint mode; /* kind and permissions */
	guint64 bytes;
	int flags;
	GHashTable *attributes; /* char * -> GBytes; NULL = none */
};

static gboolean fail(GError **error, const char *what, const char *path)
{
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot %s %s", what, path);
}

/* --- read --- */

static GBytes *read_value(const char *path, const char *name)
{
	char value[MAX_BYTES];
	ssize_t length = lgetxattr(path, name, value, sizeof value);
	return length >= 0 ? g_bytes_new(value, (gsize)length) : NULL;
}

/* A file system without attributes has none. What may not be read is no state of a program of this user. */
static gboolean read_attributes(const char *path, GHashTable **attributes, GError **error)
{
	char names[MAX_BYTES];
	ssize_t length = llistxattr(path, names, sizeof names);
	*attributes = NULL;
	if (length < 0 && errno != ENOTSUP)
		return fail(error, "read the extended attributes of", path);
	for (const char *name = names; name < names + length; name += strlen(name) + 1) {
		GBytes *value = read_value(path, name);
		if (value == NULL)
			continue;
		if (*attributes == NULL)
			*attributes =
			        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
		g_hash_table_insert(*attributes, g_strdup(name), value);
	}
	return TRUE;
}

/* Those that users can set; 0 where there are none. */
static int read_flags(const char *path)
{
	int flags = 0, fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0)
		flags = 0;
	if (fd >= 0)
		close(fd);
	return flags & FS_FL_USER_MODIFIABLE;
}

InodeState *inode_state_new(const char *path, GError **error)
{
	struct stat info;
	GHashTable *attributes = NULL;
	if (lstat(path, &info) != 0) {
		fail(error, "read", path);
		return NULL;
	}
	if (!read_attributes(path, &attributes, error))
		return NULL;
	InodeState *state = g_new(InodeState, 1);
	*state = (InodeState){
	        .mode = info.st_mode,
	        .bytes = (guint64)info.st_size,
	        .flags = S_ISDIR(info.st_mode) ? read_flags(path) : 0,
	        .attributes = attributes,
	};
	return state;
}

void inode_state_free(InodeState *state)
{
	if (state == NULL)
		return;
	g_clear_pointer(&state->attributes, g_hash_table_unref);
	g_free(state);
}

/* --- put back --- */

static gboolean restore_mode(const InodeState *state, const char *path, gboolean *changed, GError **error)
{
	struct stat info;
	if (lstat(path, &info) != 0 || (info.st_mode & S_IFMT) != (state->mode & S_IFMT))
		return fail(error, "restore", path);
	if (info.st_mode == state->mode)
		return TRUE;
	*changed = TRUE;
	return chmod(path, state->mode & MODE_BITS) == 0 || fail(error, "restore the permissions of", path);
}

/* Flags before all else: some forbid every other change. */
static gboolean restore_flags(const InodeState *state, const char *path, gboolean *changed, GError **error)
{
	if (!S_ISDIR(state->mode) || read_flags(path) == state->flags)
		return TRUE;
	*changed = TRUE;
	int flags = 0, fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	gboolean ok = fd >= 0 && ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0;
	flags = (flags & ~FS_FL_USER_MODIFIABLE) | state->flags;
	ok = ok && ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0;
	int failed = errno;
	if (fd >= 0)
		close(fd);
	errno = failed;
	return ok || fail(error, "restore the flags of", path);
}

static gpointer lookup(GHashTable *attributes, const char *name)
{
	return attributes != NULL ? g_hash_table_lookup(attributes, name) : NULL;
}

static gboolean remove_new(const InodeState *state, const char *path, GHashTable *now, gboolean *changed)
{
	GHashTableIter iter;
	gpointer name;
	g_hash_table_iter_init(&iter, now);
	while (g_hash_table_iter_next(&iter, &name, NULL)) {
		if (lookup(state->attributes, name) != NULL)
			continue;
		*changed = TRUE;
		if (lremovexattr(path, name) != 0)
			return FALSE;
	}
	return TRUE;
}

static gboolean set_old(const InodeState *state, const char *path, GHashTable *now, gboolean *changed)
{
	GHashTableIter iter;
	gpointer name, value;
	g_hash_table_iter_init(&iter, state->attributes);
	while (g_hash_table_iter_next(&iter, &name, &value)) {
		const GBytes *present = lookup(now, name);
		if (present != NULL && g_bytes_equal(present, value))
			continue;
		*changed = TRUE;
		gsize length;
		const void *data = g_bytes_get_data(value, &length);
		if (lsetxattr(path, name, data, length, 0) != 0)
			return FALSE;
	}
	return TRUE;
}

static gboolean restore_attributes(const InodeState *state, const char *path, gboolean *changed, GError **error)
{
	g_autoptr(GHashTable) now = NULL;
	if (!read_attributes(path, &now, error))
		return FALSE;
	gboolean ok = (now == NULL || remove_new(state, path, now, changed)) &&
	              (state->attributes == NULL || set_old(state, path, now, changed));
	return ok || fail(error, "restore the extended attributes of", path);
}

gboolean inode_state_restore(const InodeState *state, const char *path, gboolean *changed, GError **error)
{
	return restore_flags(state, path, changed, error) && restore_mode(state, path, changed, error) &&
	       restore_attributes(state, path, changed, error);
}

/* --- made anew --- */

/* A folder is written to when it gets another one around it. */
static gboolean move_entry(const char *old, const char *new)
{
	struct stat info;
	if (g_rename(old, new) == 0)
		return TRUE;
	return errno == EACCES && lstat(old, &info) == 0 && S_ISDIR(info.st_mode) && chmod(old, 0700) == 0 &&
	       g_rename(old, new) == 0 && chmod(new, info.st_mode & MODE_BITS) == 0;
}

static gboolean move_entries(const char *from, const char *to)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(from, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
		g_ptr_array_add(names, g_strdup(name));
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *old = g_build_filename(from, names->pdata[i], NULL);
		g_autofree char *new = g_build_filename(to, names->pdata[i], NULL);
		if (!move_entry(old, new))
			return FALSE;
	}
	return dir != NULL;
}

static gboolean make_anew(const InodeState *state, const char *path, GError **error)
{
	gboolean changed = FALSE;
	g_autofree char *fresh = g_strconcat(path, ".XXXXXX", NULL);
	/* the owner may not write to a folder of a protected build */
	gboolean ok = chmod(path, 0700) == 0 && g_mkdtemp(fresh) != NULL && move_entries(path, fresh) &&
	              g_rmdir(path) == 0 && g_rename(fresh, path) == 0;
	return ok ? inode_state_restore(state, path, &changed, error) : fail(error, "make again the folder", path);
}

gboolean inode_state_shrink(InodeState *state, const char *path, gboolean *changed, GError **error)
{
	struct stat info;
	if (!S_ISDIR(state->mode))
		return TRUE;
	if (lstat(path, &info) != 0)
		return fail(error, "read", path);
	if ((guint64)info.st_size <= state->bytes)
		return TRUE;
	off_t before = info.st_size;
	if (!make_anew(state, path, error))
		return FALSE;
	if (lstat(path, &info) != 0)
		return fail(error, "read", path);
	state->bytes = (guint64)info.st_size;
	*changed |= info.st_size < before;
	return TRUE;
}
