/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/buildcache.h"

#include "core/cancel.h"
#include "core/durable.h"
#include "core/error.h"
#include "runner/trees/arena.h"
#include "runner/trees/openlocked.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB_VARIABLE "FIREBREAK_CACHE_MAX_MIB"
#define DAYS_VARIABLE "FIREBREAK_CACHE_MAX_DAYS"
#define MIB_DEFAULT 5120
#define DAYS_DEFAULT 30
#define BYTES_PER_MIB (1024 * 1024)
#define SECONDS_PER_DAY (24 * 60 * 60)

struct BuildCache {
	char *dir, *builds, *seals, *running;
	char *mark;    /* the file of this check in `running`; NULL = none yet */
	int mark_lock; /* -1 = none */
	gboolean was_left;
	guint64 max_mib, max_days;
	gboolean distrusts;
	GHashTable *known; /* key -> identity of the seal when the cache was opened */
	GHashTable *own;   /* key -> identity of a seal that this check wrote */
	GHashTable *used;  /* set of keys */
};

/* --- seals --- */

static char *seal_path(const BuildCache *cache, const char *key)
{
	return g_build_filename(cache->seals, key, NULL);
}

/* Changes whenever somebody writes, renames or replaces the file. NULL if there is none. Owned by the caller. */
static char *seal_identity(const BuildCache *cache, const char *key)
{
	g_autofree char *path = seal_path(cache, key);
	struct stat info;
	if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
		return NULL;
	return g_strdup_printf("%ju %ju %jd %jd.%09ld", (uintmax_t)info.st_dev, (uintmax_t)info.st_ino,
	        (intmax_t)info.st_size, (intmax_t)info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

static GPtrArray *names_in(const char *folder)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
		g_ptr_array_add(names, g_strdup(name));
	return names;
}

static void note_seals(BuildCache *cache)
{
	g_autoptr(GPtrArray) keys = names_in(cache->seals);
	for (guint i = 0; i < keys->len; i++) {
		char *identity = seal_identity(cache, keys->pdata[i]);
		if (identity != NULL)
			g_hash_table_insert(cache->known, g_strdup(keys->pdata[i]), identity);
	}
}

static gboolean is_believed(const BuildCache *cache, const char *key)
{
	g_autofree char *identity = seal_identity(cache, key);
	const char *own = g_hash_table_lookup(cache->own, key), *known = g_hash_table_lookup(cache->known, key);
	if (identity == NULL)
		return FALSE;
	if (own != NULL)
		return g_str_equal(identity, own);
	return !cache->distrusts || g_strcmp0(identity, known) == 0;
}

TreeSeal *build_cache_seal(const BuildCache *cache, const char *key, gboolean *doubtful)
{
	g_autofree char *path = seal_path(cache, key), *text = NULL;
	*doubtful = FALSE;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	TreeSeal *seal = is_believed(cache, key) ? tree_seal_parse(text) : NULL;
	*doubtful = seal == NULL;
	return seal;
}

/* --- checks that were killed --- */

/* Under this lock files are made and looked for in `running`, so that nobody sees one that is not locked yet. */
static int lock_running(const BuildCache *cache, GError **error)
{
	int fd = open_locked(cache->running, O_RDONLY | O_DIRECTORY, LOCK_EX);
	if (fd < 0)
		firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot lock %s", cache->running);
	return fd;
}

/* Removes the files that nobody has locked, but not before the seals: a check that is killed here leaves them to the
 * next one. */
static gboolean sweep_marks(BuildCache *cache, GError **error)
{
	g_autoptr(GPtrArray) names = names_in(cache->running), left = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(cache->running, names->pdata[i], NULL);
		int fd = open_locked(path, O_RDONLY, LOCK_EX | LOCK_NB);
		if (fd < 0 && errno == EWOULDBLOCK)
			continue;
		if (fd >= 0)
			close(fd);
		g_ptr_array_add(left, g_steal_pointer(&path));
	}
	cache->was_left = left->len > 0;
	g_autoptr(GPtrArray) keys = names_in(cache->seals);
	for (guint i = 0; cache->was_left && i < keys->len; i++) {
		g_autofree char *seal = seal_path(cache, keys->pdata[i]);
		if (!durable_remove_tree(seal, error))
			return FALSE;
	}
	for (guint i = 0; i < left->len; i++)
		if (!durable_remove_tree(left->pdata[i], error))
			return FALSE;
	return TRUE;
}

static gboolean find_marks(BuildCache *cache, GError **error)
{
	int all = lock_running(cache, error);
	gboolean ok = all >= 0 && sweep_marks(cache, error);
	if (all >= 0)
		close(all);
	return ok;
}

gboolean build_cache_was_left(const BuildCache *cache)
{
	return cache->was_left;
}

gboolean build_cache_distrust(BuildCache *cache, GError **error)
{
	cache->distrusts = TRUE;
	if (cache->mark != NULL)
		return TRUE;
	int all = lock_running(cache, error);
	if (all < 0)
		return FALSE;
	g_autofree char *name = arena_random_name();
	cache->mark = g_build_filename(cache->running, name, NULL);
	cache->mark_lock = open_locked(cache->mark, O_RDWR | O_CREAT | O_EXCL, LOCK_EX | LOCK_NB);
	int failed = errno;
	close(all);
	return cache->mark_lock >= 0 ||
	       firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, failed, "cannot make %s", cache->mark);
}

/* The last thing that a check does here. */
static void remove_mark(BuildCache *cache)
{
	if (cache->mark_lock < 0)
		return;
	g_unlink(cache->mark);
	close(cache->mark_lock);
}

/* --- open --- */

static gboolean read_limit(const char *variable, guint64 otherwise, guint64 *limit, GError **error)
{
	const char *text = g_getenv(variable);
	*limit = otherwise;
	if (text == NULL || *text == '\0' || g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT32, limit, NULL))
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "%s takes a whole number, 0 or more, not \"%s\"; the default is %" G_GUINT64_FORMAT, variable, text,
	        otherwise);
}

static void cache_free(BuildCache *cache)
{
	g_hash_table_unref(cache->known);
	g_hash_table_unref(cache->own);
	g_hash_table_unref(cache->used);
	g_free(cache->dir);
	g_free(cache->builds);
	g_free(cache->seals);
	g_free(cache->running);
	g_free(cache->mark);
	g_free(cache);
}

BuildCache *build_cache_open(const char *dir, GError **error)
{
	BuildCache *cache = g_new0(BuildCache, 1);
	cache->dir = g_strdup(dir);
	cache->builds = g_build_filename(dir, "builds", NULL);
	cache->seals = g_build_filename(dir, "seals", NULL);
	cache->running = g_build_filename(dir, "running", NULL);
	cache->mark_lock = -1;
	cache->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	cache->own = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	cache->used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (read_limit(MIB_VARIABLE, MIB_DEFAULT, &cache->max_mib, error) &&
	        read_limit(DAYS_VARIABLE, DAYS_DEFAULT, &cache->max_days, error) &&
	        durable_make_dir(cache->builds, error) && durable_make_dir(cache->seals, error) &&
	        durable_make_dir(cache->running, error) && find_marks(cache, error)) {
		note_seals(cache);
		return cache;
	}
	cache_free(cache);
	return NULL;
}

const char *build_cache_dir(const BuildCache *cache)
{
	return cache->dir;
}

char *build_cache_path(const BuildCache *cache, const char *key)
{
	return g_build_filename(cache->builds, key, NULL);
}

/* Another process may remove the folder between opening and locking; then the lock is on a folder that is gone, and is
 * taken again on the new one. */
int build_cache_lock(const BuildCache *cache, const char *key, int how, GError **error)
{
	g_autofree char *dir = build_cache_path(cache, key);
	for (;;) {
		struct stat locked, named;
		if (!durable_make_dir(dir, error))
			return -1;
		int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0 || flock(fd, how) != 0 || fstat(fd, &locked) != 0) {
			int failed = errno;
			if (fd >= 0)
				close(fd);
			if (failed != EINTR || cancel_check(error))
				firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, failed, "cannot lock %s", dir);
			return -1;
		}
		if (stat(dir, &named) == 0 && named.st_ino == locked.st_ino && named.st_dev == locked.st_dev)
			return fd;
		close(fd);
	}
}

/* --- a build --- */

gboolean build_cache_keep(BuildCache *cache, const char *key, const TreeSeal *seal, GError **error)
{
	g_autofree char *dir = build_cache_path(cache, key), *tree = g_build_filename(dir, "tree", NULL);
	g_autofree char *path = seal_path(cache, key), *text = tree_seal_text(seal);
	if (!tree_seal_protect(tree, error) || !durable_write_file(path, text, -1, error))
		return FALSE;
	g_hash_table_insert(cache->own, g_strdup(key), seal_identity(cache, key));
	return TRUE;
}

void build_cache_note_use(BuildCache *cache, const char *key, const TreeSeal *seal)
{
	g_autofree char *dir = build_cache_path(cache, key), *used = g_build_filename(dir, "used", NULL);
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT "\n", tree_seal_bytes(seal));
	durable_write_file(used, text, -1, NULL);
	g_hash_table_add(cache->used, g_strdup(key));
}

gboolean build_cache_was_used(const BuildCache *cache, const char *key)
{
	return g_hash_table_contains(cache->used, key);
}

gboolean build_cache_discard(const BuildCache *cache, const char *key, GError **error)
{
	g_autofree char *dir = build_cache_path(cache, key), *tree = g_build_filename(dir, "tree", NULL);
	g_autofree char *path = seal_path(cache, key);
	return durable_remove_tree(path, error) && durable_remove_tree(tree, error);
}

/* --- close --- */

/* Removes a build that nobody uses. */
static void remove_unused(const BuildCache *cache, const char *key)
{
	g_autofree char *dir = build_cache_path(cache, key), *path = seal_path(cache, key);
	int lock = build_cache_lock(cache, key, LOCK_EX | LOCK_NB, NULL);
	if (lock < 0)
		return;
	durable_remove_tree(path, NULL);
	durable_remove_tree(dir, NULL);
	close(lock);
}

static void remove_unbelieved(const BuildCache *cache)
{
	g_autoptr(GPtrArray) keys = names_in(cache->seals);
	for (guint i = 0; i < keys->len; i++)
		if (!is_believed(cache, keys->pdata[i]))
			remove_unused(cache, keys->pdata[i]);
}

typedef struct {
	char *key;
	gint64 used_s;
	guint64 bytes;
} Kept;

static void kept_free(gpointer data)
{
	g_free(((Kept *)data)->key);
	g_free(data);
}

static int last_used_first(gconstpointer a, gconstpointer b)
{
	const Kept *x = *(Kept *const *)a, *y = *(Kept *const *)b;
	return x->used_s != y->used_s ? (x->used_s < y->used_s ? 1 : -1) : g_strcmp0(x->key, y->key);
}

/* When it was used last, and how large it is; FALSE if it is no whole build. */
static gboolean read_kept(const BuildCache *cache, Kept *kept)
{
	g_autofree char *dir = build_cache_path(cache, kept->key), *used = g_build_filename(dir, "used", NULL);
	g_autofree char *seal = seal_path(cache, kept->key), *text = NULL;
	struct stat info;
	if (!g_file_test(seal, G_FILE_TEST_IS_REGULAR) || stat(used, &info) != 0 ||
	        !g_file_get_contents(used, &text, NULL, NULL))
		return FALSE;
	kept->used_s = info.st_mtime;
	kept->bytes = g_ascii_strtoull(text, NULL, 10);
	return TRUE;
}

/* Also removes what is left of builds that did not end. */
static GPtrArray *whole_builds(const BuildCache *cache)
{
	GPtrArray *builds = g_ptr_array_new_with_free_func(kept_free);
	g_autoptr(GPtrArray) keys = names_in(cache->builds);
	for (guint i = 0; i < keys->len; i++) {
		Kept *kept = g_new0(Kept, 1);
		kept->key = g_strdup(keys->pdata[i]);
		if (read_kept(cache, kept)) {
			g_ptr_array_add(builds, kept);
			continue;
		}
		remove_unused(cache, kept->key);
		kept_free(kept);
	}
	return builds;
}

static void prune(const BuildCache *cache)
{
	g_autoptr(GPtrArray) builds = whole_builds(cache);
	gint64 oldest_s = g_get_real_time() / G_USEC_PER_SEC - (gint64)cache->max_days * SECONDS_PER_DAY;
	guint64 bytes = 0;
	g_ptr_array_sort(builds, last_used_first);
	for (guint i = 0; i < builds->len; i++) {
		const Kept *kept = builds->pdata[i];
		bytes += MIN(kept->bytes, G_MAXUINT64 - bytes);
		/* those of this check are wanted by the next one */
		gboolean is_used = g_hash_table_contains(cache->used, kept->key);
		if (!is_used && (kept->used_s < oldest_s || bytes / BYTES_PER_MIB >= cache->max_mib))
			remove_unused(cache, kept->key);
	}
}

void build_cache_close(BuildCache *cache)
{
	if (cache == NULL)
		return;
	if (cache->distrusts)
		remove_unbelieved(cache);
	prune(cache);
	remove_mark(cache);
	cache_free(cache);
}
