/* SPDX-License-Identifier: Apache-2.0 */
#include "core/durable.h"

#include "core/error.h"
#include "core/writeall.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_TRIES 100

static gboolean fail(GError **error, const char *what, const char *path)
{
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s %s", what, path);
}

/* Closes the descriptor at the end of its scope, where nothing is lost if that fails. */
typedef int Descriptor;
static void close_descriptor(Descriptor *fd)
{
	if (*fd >= 0)
		close(*fd);
}
#define AUTO_DESCRIPTOR __attribute__((cleanup(close_descriptor))) Descriptor

static gboolean sync_dir(const char *path, GError **error)
{
	AUTO_DESCRIPTOR fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fail(error, "cannot open folder", path);
	/* Some network and FUSE file systems have no sync of folders and say so with EINVAL. */
	if (fsync(fd) != 0 && errno != EINVAL)
		return fail(error, "cannot sync folder", path);
	return TRUE;
}

/* A name is durable only when the folder that it stands in was synced, too (fsync(2)). */
static gboolean sync_parent(const char *path, GError **error)
{
	g_autofree char *parent = g_path_get_dirname(path);
	return sync_dir(parent, error);
}

char *durable_plain_path(const char *path)
{
	char *plain = g_strdup(path);
	for (gsize length = strlen(plain); length > 1 && plain[length - 1] == '/'; length--)
		plain[length - 1] = '\0';
	return plain;
}

/* A name beside `path` that nothing else makes. */
static char *name_beside(const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *base = g_path_get_basename(path);
	return g_strdup_printf("%s/.%.100s.%08x%08x.tmp", folder, base, g_random_int(), g_random_int());
}

/* --- files --- */

static int open_temporary(const char *path, mode_t mode, char **name)
{
	for (int i = 0; i < TEMPORARY_TRIES; i++) {
		g_autofree char *candidate = name_beside(path);
		int fd = open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd >= 0)
			*name = g_steal_pointer(&candidate);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Gives the file the mode of the one it will replace, if there is one. */
static gboolean keep_mode(int fd, const char *path)
{
	struct stat old;
	if (lstat(path, &old) != 0 || !S_ISREG(old.st_mode))
		return TRUE;
	return fchmod(fd, old.st_mode & 07777) == 0;
}

/* Fills the new file and gives it its name. Closes `fd` in any case. The content is synced before the name: after a
 * loss of power, a file system may have kept the rename and not the bytes. */
static gboolean fill_and_rename(int fd, const char *temporary, const char *path, const char *data, gsize length)
{
	gboolean good = write_all(fd, data, length) && keep_mode(fd, path) && fsync(fd) == 0;
	int saved = errno;
	if (close(fd) != 0 && good) {
		good = FALSE;
		saved = errno;
	}
	errno = saved;
	return good && rename(temporary, path) == 0;
}

gboolean durable_write_file(const char *path, const char *data, gssize length, GError **error)
{
	g_autofree char *temporary = NULL;
	gsize n = length < 0 ? strlen(data) : (gsize)length;
	int fd = open_temporary(path, 0666, &temporary);
	if (fd < 0)
		return fail(error, "cannot write", path);
	if (!fill_and_rename(fd, temporary, path, data, n)) {
		int saved = errno;
		unlink(temporary);
		errno = saved;
		return fail(error, "cannot write", path);
	}
	return sync_parent(path, error);
}

/* --- folders --- */

static gboolean make_one_dir(const char *path, GError **error)
{
	struct stat info;
	if (mkdir(path, 0777) == 0)
		return sync_parent(path, error);
	int saved = errno;
	if (saved == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
		return TRUE;
	errno = saved == EEXIST ? ENOTDIR : saved;
	return fail(error, "cannot make folder", path);
}

gboolean durable_make_dir(const char *path, GError **error)
{
	g_autofree char *partial = durable_plain_path(path);
	for (char *slash = strchr(partial + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		gboolean good = g_file_test(partial, G_FILE_TEST_IS_DIR) || make_one_dir(partial, error);
		*slash = '/';
		if (!good)
			return FALSE;
	}
	return make_one_dir(partial, error);
}

static gboolean sync_file(const char *path, GError **error)
{
	AUTO_DESCRIPTOR fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fsync(fd) != 0)
		return fail(error, "cannot sync", path);
	return TRUE;
}

/* Syncs the files of one folder and appends the folders in it to `pending`. */
static gboolean sync_level(const char *path, GPtrArray *pending, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	if (dir == NULL)
		return fail(error, "cannot open folder", path);
	for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
		g_autofree char *entry = g_build_filename(path, name, NULL);
		struct stat info;
		if (lstat(entry, &info) != 0)
			return fail(error, "cannot read", entry);
		if (S_ISREG(info.st_mode) && !sync_file(entry, error))
			return FALSE;
		if (S_ISDIR(info.st_mode))
			g_ptr_array_add(pending, g_steal_pointer(&entry));
	}
	return sync_dir(path, error);
}

static gboolean sync_tree(const char *path, GError **error)
{
	g_autoptr(GPtrArray) pending = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(pending, g_strdup(path));
	for (guint i = 0; i < pending->len; i++)
		if (!sync_level(pending->pdata[i], pending, error))
			return FALSE;
	return TRUE;
}

/* Publishes where the file system cannot exchange names: the old folder steps aside first, and comes back on failure.
 */
static gboolean replace_in_two_steps(const char *prepared, const char *target, char **old)
{
	g_autofree char *aside = name_beside(target);
	gboolean moved = rename(target, aside) == 0;
	if (!moved && errno != ENOENT)
		return FALSE;
	if (rename(prepared, target) == 0) {
		*old = moved ? g_steal_pointer(&aside) : NULL;
		return TRUE;
	}
	int saved = errno;
	if (moved && rename(aside, target) != 0)
		saved = errno;
	errno = saved;
	return FALSE;
}

/* Gives the folder its name; *old is where what had the name before is now, NULL if nothing had. */
static gboolean publish(const char *prepared, const char *target, char **old)
{
	if (renameat2(AT_FDCWD, prepared, AT_FDCWD, target, RENAME_NOREPLACE) == 0)
		return TRUE;
	if (errno == EEXIST && renameat2(AT_FDCWD, prepared, AT_FDCWD, target, RENAME_EXCHANGE) == 0) {
		*old = g_strdup(prepared);
		return TRUE;
	}
	/* File systems that know none of these flags refuse them with EINVAL. */
	if (errno != EINVAL && errno != ENOSYS)
		return FALSE;
	return replace_in_two_steps(prepared, target, old);
}

gboolean durable_replace_dir(const char *prepared_dir, const char *target_dir, GError **error)
{
	g_autofree char *prepared = durable_plain_path(prepared_dir), *target = durable_plain_path(target_dir),
	                *old = NULL;
	struct stat info;
	if (lstat(target, &info) == 0 && !S_ISDIR(info.st_mode) && !S_ISLNK(info.st_mode)) {
		errno = ENOTDIR;
		return fail(error, "cannot replace", target);
	}
	if (!sync_tree(prepared, error))
		return FALSE;
	if (!publish(prepared, target, &old))
		return fail(error, "cannot publish folder", target);
	if (!sync_parent(target, error) || !sync_parent(prepared, error))
		return FALSE;
	/* The new folder is there and durable; an old one that cannot be removed does not change that. */
	if (old != NULL)
		durable_remove_tree(old, NULL);
	return TRUE;
}

/* --- removal ---
 *
 * A tree may be deeper than paths are long or descriptors are many. So no path is built and nothing recurs: folders
 * found inside a folder are moved up to the top of the tree, where each in turn is emptied and removed. */

#define EMPTY_TRIES 10

typedef struct {
	int top;
	guint64 moved;
} Removal;

typedef gboolean (*EntryFunc)(Removal *removal, int folder, const char *name);

/* Opens a folder that is to be removed, never through a link; without permission, permission is given first. */
static int open_folder(int parent, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(parent, name, flags);
	if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, AT_SYMLINK_NOFOLLOW) == 0)
		fd = openat(parent, name, flags);
	return fd;
}

/* Calls `handle` for every entry; *n is their number. */
static gboolean for_each_entry(Removal *removal, int folder, EntryFunc handle, gsize *n)
{
	/* closedir() closes its descriptor, and the folder is still needed. Both have one position, so it goes back to
	 * the start. */
	int own = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	if (dir == NULL) {
		int saved = errno;
		close_descriptor(&own);
		errno = saved;
		return FALSE;
	}
	gboolean good = TRUE;
	*n = 0;
	rewinddir(dir);
	errno = 0;
	for (struct dirent *entry = readdir(dir); good && entry != NULL; entry = good ? readdir(dir) : NULL) {
		if (g_str_equal(entry->d_name, ".") || g_str_equal(entry->d_name, ".."))
			continue;
		++*n;
		good = handle(removal, folder, entry->d_name);
		if (good)
			errno = 0;
	}
	int saved = errno;
	closedir(dir);
	errno = saved;
	return good && saved == 0;
}

/* Removes a file or link. FALSE with EISDIR if the entry is a folder. */
static gboolean remove_file(int folder, const char *name)
{
	if (unlinkat(folder, name, 0) == 0)
		return TRUE;
	if (errno != EACCES || fchmod(folder, 0700) != 0)
		return FALSE;
	return unlinkat(folder, name, 0) == 0;
}

static gboolean move_up(Removal *removal, int folder, const char *name)
{
	gboolean opened = FALSE;
	for (;;) {
		char unique[32];
		g_snprintf(unique, sizeof unique, ".%" G_GUINT64_FORMAT ".rm", removal->moved++);
		if (renameat(folder, name, removal->top, unique) == 0)
			return TRUE;
		/* The name is taken by a file or a folder that is not empty. */
		if (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR)
			continue;
		/* A folder needs to be writable to be moved. */
		if (errno != EACCES || opened || fchmodat(folder, name, 0700, AT_SYMLINK_NOFOLLOW) != 0)
			return FALSE;
		opened = TRUE;
	}
}

static gboolean empty_entry(Removal *removal, int folder, const char *name)
{
	return remove_file(folder, name) || (errno == EISDIR && move_up(removal, folder, name));
}

static gboolean remove_top_entry(Removal *removal, int folder, const char *name)
{
	if (remove_file(folder, name))
		return TRUE;
	if (errno != EISDIR)
		return FALSE;
	AUTO_DESCRIPTOR inner = open_folder(folder, name);
	if (inner < 0)
		return FALSE;
	gsize n = 0;
	for (int i = 0; i < EMPTY_TRIES; i++) {
		if (!for_each_entry(removal, inner, empty_entry, &n))
			return FALSE;
		if (unlinkat(folder, name, AT_REMOVEDIR) == 0)
			return TRUE;
		if (errno != ENOTEMPTY && errno != EEXIST)
			return FALSE;
	}
	return FALSE;
}

gboolean durable_remove_tree(const char *path, GError **error)
{
	g_autofree char *plain = durable_plain_path(path);
	/* Linux refuses to unlink a folder with EISDIR, where POSIX has EPERM (unlink(2)). */
	if (unlink(plain) == 0 || errno == ENOENT)
		return TRUE;
	if (errno != EISDIR)
		return fail(error, "cannot remove", plain);
	AUTO_DESCRIPTOR top = open_folder(AT_FDCWD, plain);
	Removal removal = {.top = top};
	if (top < 0)
		return fail(error, "cannot remove", plain);
	gsize left = 0;
	do {
		if (!for_each_entry(&removal, top, remove_top_entry, &left))
			return fail(error, "cannot remove all of", plain);
	} while (left > 0);
	if (rmdir(plain) != 0 && errno != ENOENT)
		return fail(error, "cannot remove", plain);
	return TRUE;
}
