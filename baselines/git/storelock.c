/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/storelock.h"

#include "core/durable.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define NOTE_MAX_BYTES 1024
#define DEAD_HOLDER_GRACE_MS 1000

struct StoreLock {
	char *git_folder;
	char *path;
	int fd;
};

/* Pauses grow and are drawn at random, so that those who wait do not meet again and again. */
void store_lock_pause(guint attempt)
{
	gint32 most_us = 1000 << MIN(attempt, 6u);
	g_usleep((gulong)g_random_int_range(500, MIN(most_us, 50000) + 1));
}

/* A lock that somebody takes, gives back and takes again is another file, or the same one with other times; so is one
 * into which its holder writes. Only what nobody works with stays the same. */
static gboolean is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       memcmp(&a->st_mtim, &b->st_mtim, sizeof a->st_mtim) == 0 &&
	       memcmp(&a->st_ctim, &b->st_ctim, sizeof a->st_ctim) == 0;
}

gboolean lock_watch_is_stale(LockWatch *watch, const char *path, guint age_ms)
{
	struct stat now;
	if (lstat(path, &now) != 0 || !S_ISREG(now.st_mode)) {
		watch->since_us = 0;
		return FALSE;
	}
	if (watch->since_us == 0 || !is_same_file(&now, &watch->seen)) {
		watch->seen = now;
		watch->since_us = g_get_monotonic_time();
	}
	return g_get_monotonic_time() - watch->since_us >= (gint64)age_ms * 1000;
}

/* TRUE if the lock file may be the dead holder's: it holds the noted value, or the beginning of it, since git may have
 * been killed in the middle of writing it. */
static gboolean holds_noted_value(const char *lock_path, const char *oid)
{
	g_autofree char *content = NULL;
	g_autofree char *value = g_strconcat(oid, "\n", NULL);
	return g_file_get_contents(lock_path, &content, NULL, NULL) && g_str_has_prefix(value, content);
}

/* A git that is no firebreak may hold the same lock with the same value, so the file is given a second in which its
 * holder can go on; whenever it changes or goes, the second begins anew or the wait ends. */
static void remove_left_lock(const StoreLock *lock, const char *ref_name, const char *oid)
{
	g_autofree char *name = g_strconcat(ref_name, ".lock", NULL);
	g_autofree char *path = g_build_filename(lock->git_folder, name, NULL);
	LockWatch watch = {0};
	guint attempt = 0;
	while (g_file_test(path, G_FILE_TEST_IS_REGULAR) && holds_noted_value(path, oid)) {
		if (lock_watch_is_stale(&watch, path, DEAD_HOLDER_GRACE_MS)) {
			(void)unlink(path);
			return;
		}
		store_lock_pause(attempt++);
	}
}

/* "refs/... <hex>\n", nothing else: the path of a file to be removed is made from it. */
static gboolean parse_note(char *note, const char **ref_name, const char **oid)
{
	char *blank = strchr(note, ' ');
	char *end = strchr(note, '\n');
	if (blank == NULL || end == NULL || blank > end || !g_str_has_prefix(note, "refs/") ||
	        strstr(note, "..") != NULL)
		return FALSE;
	*blank = *end = '\0';
	*ref_name = note;
	*oid = blank + 1;
	return TRUE;
}

static void clear_up_after_dead_holder(const StoreLock *lock)
{
	char note[NOTE_MAX_BYTES + 1];
	const char *ref_name, *oid;
	ssize_t length = pread(lock->fd, note, NOTE_MAX_BYTES, 0);
	if (length <= 0)
		return;
	note[length] = '\0';
	if (parse_note(note, &ref_name, &oid))
		remove_left_lock(lock, ref_name, oid);
}

/* flock() knows no time limit, so the lock is tried again and again. */
static gboolean wait_for_lock(const StoreLock *lock, guint patience_ms, GError **error)
{
	gint64 deadline_us = g_get_monotonic_time() + (gint64)patience_ms * 1000;
	for (guint attempt = 0; flock(lock->fd, LOCK_EX | LOCK_NB) != 0; attempt++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s: flock", lock->path);
		if (g_get_monotonic_time() > deadline_us) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE,
			        "%s: another firebreak has held the lock for more than %u ms", lock->path, patience_ms);
			return FALSE;
		}
		store_lock_pause(attempt);
	}
	return TRUE;
}

static StoreLock *acquire(const char *git_folder, const char *name, guint patience_ms, GError **error)
{
	g_autofree char *folder = g_build_filename(git_folder, "firebreak", NULL);
	if (!durable_make_dir(folder, error))
		return NULL;
	g_autoptr(StoreLock) lock = g_new0(StoreLock, 1);
	lock->git_folder = g_strdup(git_folder);
	lock->path = g_build_filename(folder, name, NULL);
	lock->fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (lock->fd < 0) {
		firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", lock->path);
		return NULL;
	}
	if (!wait_for_lock(lock, patience_ms, error)) {
		close(lock->fd); /* without taking the holder's note back */
		lock->fd = -1;
		return NULL;
	}
	return g_steal_pointer(&lock);
}

StoreLock *store_lock_acquire(const char *git_folder, guint patience_ms, GError **error)
{
	StoreLock *lock = acquire(git_folder, "lock", patience_ms, error);
	if (lock != NULL)
		clear_up_after_dead_holder(lock);
	return lock;
}

StoreLock *store_lock_acquire_sync(const char *git_folder, guint patience_ms, GError **error)
{
	return acquire(git_folder, "sync", patience_ms, error);
}

gboolean store_lock_announce(StoreLock *lock, const char *ref_name, const char *oid, GError **error)
{
	g_autofree char *note = g_strdup_printf("%s %s\n", ref_name, oid);
	gsize length = strlen(note);
	g_assert(length < NOTE_MAX_BYTES);
	if (ftruncate(lock->fd, 0) == 0 && pwrite(lock->fd, note, length, 0) == (ssize_t)length)
		return TRUE;
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", lock->path);
}

/* The note goes before the lock does: the next holder would take it for that of a writer that died. */
void store_lock_release(StoreLock *lock)
{
	if (lock == NULL)
		return;
	if (lock->fd >= 0) {
		(void)!ftruncate(lock->fd, 0);
		close(lock->fd);
	}
	g_free(lock->path);
	g_free(lock->git_folder);
	g_free(lock);
}
