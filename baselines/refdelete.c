#include "baselines/refdelete.h"

#include "baselines/gitprogram.h"
#include "baselines/storelock.h"
#include "core/error.h"

#include <unistd.h>

#define BATCH 5000
#define PATIENCE_MS 60000

/* A lock file that may be in the way. */
typedef struct {
	char *path;
	LockWatch watch;
} Obstacle;

static void obstacle_clear(gpointer data)
{
	Obstacle *obstacle = data;
	g_free(obstacle->path);
}

/* packed-refs.lock, and that of each ref; a GArray of Obstacle. */
static GArray *find_obstacles(const char *git_folder, const char *prefix, const GPtrArray *commits, guint from, guint n)
{
	GArray *obstacles = g_array_new(FALSE, TRUE, sizeof(Obstacle));
	Obstacle packed = {.path = g_build_filename(git_folder, "packed-refs.lock", NULL)};
	g_array_set_clear_func(obstacles, obstacle_clear);
	g_array_append_val(obstacles, packed);
	for (guint i = from; i < from + n; i++) {
		Obstacle single = {
		        .path = g_strdup_printf("%s/%s%s.lock", git_folder, prefix, (const char *)commits->pdata[i])};
		g_array_append_val(obstacles, single);
	}
	return obstacles;
}

static void remove_stale(GArray *obstacles)
{
	for (guint i = 0; i < obstacles->len; i++) {
		Obstacle *obstacle = &g_array_index(obstacles, Obstacle, i);
		if (lock_watch_is_stale(&obstacle->watch, obstacle->path, PATIENCE_MS / 2))
			(void)unlink(obstacle->path);
	}
}

static char *commands(const char *prefix, const GPtrArray *commits, guint from, guint n)
{
	GString *text = g_string_new(NULL);
	for (guint i = from; i < from + n; i++)
		g_string_append_printf(text, "delete %s%s\n", prefix, (const char *)commits->pdata[i]);
	return g_string_free(text, FALSE);
}

/* Attempts until git takes all of it or patience ends. */
static gboolean delete_patiently(RefStore *store, const char *input, GArray *obstacles, GError **error)
{
	static const char *const args[] = {"update-ref", "--stdin", NULL};
	gint64 deadline_us = g_get_monotonic_time() + (gint64)PATIENCE_MS * 1000;
	for (guint attempt = 0;; attempt++) {
		g_auto(GitOutput) output = {0};
		if (!git_program_run(ref_store_repo(store), args, input, &output, error))
			return FALSE;
		if (output.exit_code == 0)
			return TRUE;
		if (g_get_monotonic_time() > deadline_us)
			return firebreak_refuse(
			        error, FIREBREAK_ERROR_STORAGE, "removing refs: git update-ref: %s", output.reason);
		remove_stale(obstacles);
		store_lock_pause(attempt);
	}
}

static gboolean delete_batch(RefStore *store, const char *prefix, const GPtrArray *commits, guint from, GError **error)
{
	const char *git_folder = repo_path_commondir(ref_store_repo(store));
	guint n = MIN(BATCH, commits->len - from);
	g_autofree char *input = commands(prefix, commits, from, n);
	g_autoptr(GArray) obstacles = find_obstacles(git_folder, prefix, commits, from, n);
	g_autoptr(StoreLock) lock = store_lock_acquire(git_folder, PATIENCE_MS, error);
	return lock != NULL && delete_patiently(store, input, obstacles, error);
}

gboolean ref_delete_all(RefStore *store, const char *prefix, const GPtrArray *commits, GError **error)
{
	for (guint from = 0; from < commits->len; from += BATCH) {
		if (!delete_batch(store, prefix, commits, from, error))
			return FALSE;
	}
	return TRUE;
}
