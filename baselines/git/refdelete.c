/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/refdelete.h"

#include "baselines/git/gitprogram.h"
#include "baselines/git/storelock.h"
#include "core/error.h"

#include <sys/stat.h>
#include <unistd.h>

/* The lock of the store is held for one batch at a time, so that other writers need not wait for all of them. */
#define BATCH 5000
#define PATIENCE_MS 60000
/* So often git may fail although nobody is in the way: whoever was has just gone, perhaps. */
#define MAX_FAILURES 5

/* The refs that one call of git removes. */
typedef struct {
	RefStore *store;
	const char *prefix;
	RefDeletion *deletions;
	guint n;
} Batch;

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
static GArray *find_obstacles(const Batch *batch)
{
	const char *git_folder = repo_path_commondir(ref_store_repo(batch->store));
	GArray *obstacles = g_array_new(FALSE, TRUE, sizeof(Obstacle));
	Obstacle packed = {.path = g_build_filename(git_folder, "packed-refs.lock", NULL)};
	g_array_set_clear_func(obstacles, obstacle_clear);
	g_array_append_val(obstacles, packed);
	for (guint i = 0; i < batch->n; i++) {
		Obstacle single = {
		        .path = g_strdup_printf("%s/%s%s.lock", git_folder, batch->prefix, batch->deletions[i].commit)};
		g_array_append_val(obstacles, single);
	}
	return obstacles;
}

/* TRUE if anything is in the way. */
static gboolean any_obstacle(const GArray *obstacles)
{
	struct stat seen;
	for (guint i = 0; i < obstacles->len; i++)
		if (lstat(g_array_index(obstacles, Obstacle, i).path, &seen) == 0)
			return TRUE;
	return FALSE;
}

static void remove_stale(GArray *obstacles)
{
	for (guint i = 0; i < obstacles->len; i++) {
		Obstacle *obstacle = &g_array_index(obstacles, Obstacle, i);
		if (lock_watch_is_stale(&obstacle->watch, obstacle->path, PATIENCE_MS / 2))
			(void)unlink(obstacle->path);
	}
}

/* Appends what git is to do about a ref; nothing if that is gone or has changed. */
static void append_command(GString *text, const Batch *batch, RefDeletion *deletion)
{
	git_oid id;
	char now[GIT_OID_HEXSZ + 1] = "";
	g_autofree char *name = g_strconcat(batch->prefix, deletion->commit, NULL);
	if (deletion->value[0] != '\0') {
		int rc = git_reference_name_to_id(&id, repo_handle(ref_store_repo(batch->store)), name);
		if (rc == 0)
			git_oid_tostr(now, sizeof now, &id);
		deletion->stays = rc != GIT_ENOTFOUND && !g_str_equal(now, deletion->value);
		if (rc == GIT_ENOTFOUND || deletion->stays)
			return;
	}
	g_string_append_printf(text, "option no-deref\ndelete %s%s%s\n", name, *now != '\0' ? " " : "", now);
}

static char *commands(const Batch *batch)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < batch->n; i++)
		append_command(text, batch, &batch->deletions[i]);
	return g_string_free(text, FALSE);
}

/* Attempts until git takes all of it, fails with nobody in its way, or patience ends. */
static gboolean delete_patiently(const Batch *batch, GArray *obstacles, GError **error)
{
	static const char *const args[] = {"update-ref", "--stdin", NULL};
	gint64 deadline_us = g_get_monotonic_time() + (gint64)PATIENCE_MS * 1000;
	guint n_failures = 0;
	for (guint attempt = 0;; attempt++) {
		g_auto(GitOutput) output = {0};
		g_autofree char *input = commands(batch);
		if (*input == '\0')
			return TRUE;
		if (!git_program_run(ref_store_repo(batch->store), args, input, &output, error))
			return FALSE;
		if (output.exit_code == 0)
			return TRUE;
		n_failures = any_obstacle(obstacles) ? 0 : n_failures + 1;
		if (n_failures >= MAX_FAILURES || g_get_monotonic_time() > deadline_us)
			return firebreak_refuse(
			        error, FIREBREAK_ERROR_STORAGE, "removing refs: git update-ref: %s", output.reason);
		remove_stale(obstacles);
		store_lock_pause(attempt);
	}
}

static gboolean delete_batch(const Batch *batch, GError **error)
{
	g_autoptr(GArray) obstacles = find_obstacles(batch);
	g_autoptr(StoreLock) lock =
	        store_lock_acquire(repo_path_commondir(ref_store_repo(batch->store)), PATIENCE_MS, error);
	return lock != NULL && delete_patiently(batch, obstacles, error);
}

gboolean ref_delete_all(RefStore *store, const char *prefix, GArray *deletions, GError **error)
{
	for (guint from = 0; from < deletions->len; from += BATCH) {
		Batch batch = {.store = store,
		        .prefix = prefix,
		        .deletions = &g_array_index(deletions, RefDeletion, from),
		        .n = MIN(BATCH, deletions->len - from)};
		if (!delete_batch(&batch, error))
			return FALSE;
	}
	return TRUE;
}
