/* SPDX-License-Identifier: Apache-2.0 */
/* One writer at a time, and no lock that outlives its writer.
 *
 * git updates a ref through the file `<ref>.lock`, and a process that is killed at the wrong moment leaves it behind:
 * every later write of that ref is then refused for good. Therefore all firebreak processes that write refs of a
 * repository take turns on an flock() of `<git folder>/firebreak/lock`, which the kernel releases when its holder dies.
 * Before a writer touches a ref it notes in that file which one and with which value, and empties it afterwards. Who
 * gets the lock next and finds a note knows that its author is dead and removes what it left.
 *
 *     store_lock_acquire  ->  store_lock_announce  ->  (update the ref)  ->  store_lock_release
 *
 * A `<ref>.lock` is removed in two cases only, both while holding the lock:
 * - the note names the ref, the file holds no other value than the noted one, and it stays as it is for a second;
 * - the file (perhaps of a git that was killed) stays as it is for half of the caller's patience: LockWatch.
 * The file `lock` itself stays for ever. */
#pragma once

#include <glib.h>
#include <sys/stat.h>

typedef struct StoreLock StoreLock;

/* Waits up to `patience_ms` for the lock and clears up after a dead holder. `git_folder` is the repository's common git
 * folder. Errors: FIREBREAK_ERROR_STORAGE. */
StoreLock *store_lock_acquire(const char *git_folder, guint patience_ms, GError **error);

/* The lock of those that talk to remotes, `<git folder>/firebreak/sync`, which is held while the network is waited for.
 * Whoever holds it may take the other one, too, never the other way round. It has no notes. */
StoreLock *store_lock_acquire_sync(const char *git_folder, guint patience_ms, GError **error);

/* Notes that `ref_name` is about to get the value `oid` (hex). */
gboolean store_lock_announce(StoreLock *lock, const char *ref_name, const char *oid, GError **error);

/* Takes the note back, releases and frees. NULL is fine. */
void store_lock_release(StoreLock *lock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StoreLock, store_lock_release)

/* Sleeps for a random time that grows with the number of attempts so far, at most 50 ms. */
void store_lock_pause(guint attempt);

/* Watches a lock file that somebody else may hold. Starts as {0}. */
typedef struct {
	struct stat seen;
	gint64 since_us; /* monotonic; 0 = nothing seen yet */
} LockWatch;

/* TRUE once `path` has been there, the same and unchanged, for `age_ms` of the watcher's own time; clocks that jump and
 * time stamps from other machines play no part. */
gboolean lock_watch_is_stale(LockWatch *watch, const char *path, guint age_ms);
