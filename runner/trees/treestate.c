/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treestate.h"

#include "core/durable.h"
#include "core/error.h"
#include "core/writeall.h"
#include "model/textpiece.h"
#include "runner/trees/inodestate.h"
#include "runner/trees/treecopy.h"
#include "runner/trees/treewalk.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MODE_BITS 07777
#define NAMED 5
#define COPY_BYTES (256 * 1024)
/* Of kernels with 250 and 100 ticks a second. A sandbox may claim a finer clock than its file system has. */
#define MIN_CLOCK_STEP_NS 4000000L
#define MAX_CLOCK_STEP_NS 10000000L
/* A tree up to this size is copied in less time than a run takes. */
#define SMALL_BYTES (32 * 1024 * 1024)
#define SMALL_ENTRIES 5000
/* So long after what was mended all entries were read: later than their change, so that reading them leaves no trace on
 * file systems that note the first reading (relatime). */
#define READ_AFTER_S 1
#define TOP "."

typedef struct {
	guint mode, seen;      /* `seen`: number of the walk that met it last */
	guint64 number, bytes; /* the first of its inode */
	struct timespec written, changed;
	InodeState *inode; /* NULL for what is neither file nor folder */
} Noted;

struct TreeState {
	char *root, *build;
	const TreeSeal *seal;
	GHashTable *entries; /* char * -> Noted; the root itself is TOP */
	gboolean copies;
	gboolean times_lie; /* contents have to be compared */
	guint walk;
};

/* The findings of one walk. */
typedef struct {
	TreeState *state;
	TreeChanges *changes;
	GPtrArray *added, *changed, *folders; /* of char *: paths; folders: known ones with other times */
	gboolean remade;                      /* a folder was made anew */
} Scan;

void tree_changes_clear(TreeChanges *changes)
{
	if (changes->names != NULL)
		g_string_free(changes->names, TRUE);
	*changes = (TreeChanges){0};
}

static void name_change(TreeChanges *changes, const char *path)
{
	if (changes->names == NULL)
		changes->names = g_string_new(NULL);
	guint n = changes->added + changes->changed + changes->removed;
	if (n < NAMED)
		g_string_append_printf(changes->names, "%s%s", n > 0 ? ", " : "", path);
	else if (n == NAMED)
		g_string_append(changes->names, ", ...");
}

static gboolean storage_error(GError **error, const char *path)
{
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot restore %s", path);
}

/* The caller owns the text. */
static char *path_of(const TreeState *state, const char *path)
{
	return g_str_equal(path, TOP) ? g_strdup(state->root) : g_build_filename(state->root, path, NULL);
}

static gboolean same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* --- noted --- */

static void note(Noted *noted, const struct stat *info, guint walk)
{
	noted->mode = info->st_mode;
	noted->seen = walk;
	noted->number = info->st_ino;
	noted->bytes = (guint64)info->st_size;
	noted->written = info->st_mtim;
	noted->changed = info->st_ctim;
}

static void noted_free(gpointer data)
{
	inode_state_free(((Noted *)data)->inode);
	g_free(data);
}

/* Waits longer than a step of the clock that file systems use: a file that is written later has another time then. */
static void wait_for_clock(void)
{
	struct timespec step;
	if (clock_getres(CLOCK_REALTIME_COARSE, &step) != 0 || step.tv_sec > 0)
		step.tv_nsec = MAX_CLOCK_STEP_NS;
	g_usleep((gulong)(2 * CLAMP(step.tv_nsec, MIN_CLOCK_STEP_NS, MAX_CLOCK_STEP_NS) / 1000));
}

/* Writes to a file that has been mapped and read. */
static gboolean write_mapped(int fd)
{
	long page = sysconf(_SC_PAGESIZE);
	volatile char *mapped = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mapped == MAP_FAILED)
		return FALSE;
	char was = mapped[0];
	wait_for_clock();
	mapped[0] = (char)(was + 1);
	return munmap((void *)mapped, (size_t)page) == 0;
}

/* TRUE unless the time of last change follows a write to a mapped file in the folder that `root` is in. */
static gboolean do_times_lie(const char *root)
{
	g_autofree char *folder = g_path_get_dirname(root), *path = g_build_filename(folder, "probe-XXXXXX", NULL);
	struct stat before, after;
	int fd = g_mkstemp(path);
	if (fd < 0)
		return TRUE;
	g_unlink(path);
	gboolean ok = ftruncate(fd, sysconf(_SC_PAGESIZE)) == 0 && fstat(fd, &before) == 0 && write_mapped(fd) &&
	              fstat(fd, &after) == 0 && !same_time(before.st_ctim, after.st_ctim);
	close(fd);
	return !ok;
}

/* `name` in the folder of that descriptor. */
static gboolean note_one(TreeState *state, const char *path, const char *name, const struct stat *info, GError **error)
{
	Noted *noted = g_new0(Noted, 1);
	note(noted, info, state->walk);
	g_hash_table_insert(state->entries, g_strdup(path), noted);
	if (S_ISREG(info->st_mode) || S_ISDIR(info->st_mode))
		noted->inode = inode_state_new(name, error);
	return noted->inode != NULL || !(S_ISREG(info->st_mode) || S_ISDIR(info->st_mode));
}

static TreeStep note_entry(gpointer data, const TreeEntry *entry, GError **error)
{
	/* however deep it lies */
	g_autofree char *name = g_strdup_printf("/proc/self/fd/%d/%s", entry->folder, entry->name);
	return note_one(data, entry->path, name, entry->info, error) ? TREE_GO_ON : TREE_STOP;
}

static gboolean note_tree(TreeState *state, GError **error)
{
	struct stat info;
	g_hash_table_remove_all(state->entries);
	if (lstat(state->root, &info) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot read %s", state->root);
	if (!note_one(state, TOP, state->root, &info, error) || !tree_walk(state->root, note_entry, state, error))
		return FALSE;
	wait_for_clock();
	return TRUE;
}

TreeState *tree_state_new(const TreeStatePlan *plan, GError **error)
{
	g_autoptr(TreeState) state = g_new0(TreeState, 1);
	state->root = g_strdup(plan->root);
	state->build = g_strdup(plan->build);
	state->seal = plan->seal;
	state->copies = plan->copies;
	state->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, noted_free);
	state->times_lie = do_times_lie(plan->root);
	return note_tree(state, error) ? g_steal_pointer(&state) : NULL;
}

void tree_state_free(TreeState *state)
{
	if (state == NULL)
		return;
	g_hash_table_unref(state->entries);
	g_free(state->root);
	g_free(state->build);
	g_free(state);
}

/* --- compared --- */

static gboolean is_unchanged(const Noted *noted, const struct stat *info)
{
	return noted->mode == info->st_mode && noted->number == info->st_ino &&
	       noted->bytes == (guint64)info->st_size && same_time(noted->written, info->st_mtim) &&
	       same_time(noted->changed, info->st_ctim);
}

static TreeStep found_new(Scan *scan, const TreeEntry *entry)
{
	name_change(scan->changes, entry->path);
	scan->changes->added++;
	scan->changes->programs |= S_ISREG(entry->info->st_mode) && (entry->info->st_mode & 0111) != 0;
	g_ptr_array_add(scan->added, g_strdup(entry->path));
	return TREE_PASS_BY;
}

static void found_changed_folder(Scan *scan, const char *path, gboolean changed)
{
	if (!changed)
		return;
	name_change(scan->changes, path);
	scan->changes->changed++;
}

/* A folder of the build: what is in it is looked at by itself. It has to be open for that. */
static TreeStep found_folder(Scan *scan, const TreeEntry *entry, const Noted *noted, GError **error)
{
	g_autofree char *target = path_of(scan->state, entry->path);
	gboolean changed = noted->number != entry->info->st_ino;
	if (!inode_state_restore(noted->inode, target, &changed, error))
		return TREE_STOP;
	found_changed_folder(scan, entry->path, changed);
	g_ptr_array_add(scan->folders, g_strdup(entry->path));
	(void)fchmodat(entry->folder, entry->name, (noted->mode & MODE_BITS) | 0700, 0);
	return TREE_GO_ON;
}

static TreeStep compare_entry(gpointer data, const TreeEntry *entry, GError **error)
{
	Scan *scan = data;
	Noted *noted = g_hash_table_lookup(scan->state->entries, entry->path);
	if (noted == NULL)
		return found_new(scan, entry);
	noted->seen = scan->state->walk;
	gboolean to_read = scan->state->times_lie && S_ISREG(noted->mode);
	if (is_unchanged(noted, entry->info) && (!to_read || tree_seal_has_contents(scan->state->seal, entry)))
		return TREE_GO_ON;
	if (S_ISDIR(noted->mode) && S_ISDIR(entry->info->st_mode))
		return found_folder(scan, entry, noted, error);
	name_change(scan->changes, entry->path);
	scan->changes->changed++;
	g_ptr_array_add(scan->changed, g_strdup(entry->path));
	return TREE_PASS_BY;
}

static gboolean compare_top(Scan *scan, GError **error)
{
	struct stat info;
	const TreeState *state = scan->state;
	Noted *noted = g_hash_table_lookup(state->entries, TOP);
	noted->seen = state->walk;
	if (lstat(state->root, &info) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot read %s", state->root);
	gboolean changed = noted->number != info.st_ino;
	if (is_unchanged(noted, &info))
		return TRUE;
	if (!inode_state_restore(noted->inode, state->root, &changed, error))
		return FALSE;
	found_changed_folder(scan, TOP, changed);
	g_ptr_array_add(scan->folders, g_strdup(TOP));
	return chmod(state->root, (noted->mode & MODE_BITS) | 0700) == 0 || storage_error(error, state->root);
}

/* Entries that the walk did not meet, folders before what is in them. Those in a folder that became something else are
 * among them. */
static GPtrArray *missing_entries(Scan *scan)
{
	GPtrArray *missing = g_ptr_array_new();
	GHashTableIter iter;
	gpointer path, value;
	g_hash_table_iter_init(&iter, scan->state->entries);
	while (g_hash_table_iter_next(&iter, &path, &value))
		if (((const Noted *)value)->seen != scan->state->walk)
			g_ptr_array_add(missing, path);
	g_ptr_array_sort(missing, text_order);
	for (guint i = 0; i < missing->len; i++) {
		name_change(scan->changes, missing->pdata[i]);
		scan->changes->removed++;
	}
	return missing;
}

/* --- mended --- */

/* Copies, and says what was copied. */
static gboolean copy_bytes(int from, int to, GChecksum *sum)
{
	g_autofree guchar *buffer = g_malloc(COPY_BYTES);
	for (;;) {
		ssize_t n = read(from, buffer, COPY_BYTES);
		if (n == 0)
			return TRUE;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || !write_all(to, buffer, (gsize)n))
			return FALSE;
		g_checksum_update(sum, buffer, n);
	}
}

static gboolean copy_contents(const TreeState *state, const char *path, int from, int to, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	if (!copy_bytes(from, to, sum))
		return storage_error(error, path);
	if (tree_seal_has_file(state->seal, path, g_checksum_get_string(sum)))
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "%s was changed both in the tree that runs and in the build that it was copied from", path);
}

static gboolean copy_file(
        const TreeState *state, const char *path, const char *source, const char *target, GError **error)
{
	int from = open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int to = from >= 0 ? open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
	gboolean ok = to >= 0 ? copy_contents(state, path, from, to, error) : storage_error(error, path);
	if (from >= 0)
		close(from);
	if (to >= 0 && close(to) != 0 && ok)
		ok = storage_error(error, path);
	return ok;
}

static gboolean copy_link(const char *path, const char *source, const char *target, GError **error)
{
	char text[PATH_MAX];
	ssize_t length = readlink(source, text, sizeof text - 1);
	if (length < 0)
		return storage_error(error, path);
	text[length] = '\0';
	return symlink(text, target) == 0 || storage_error(error, path);
}

static gboolean make_entry(const TreeState *state, const char *path, const Noted *noted, GError **error)
{
	g_autofree char *source = g_build_filename(state->build, path, NULL);
	g_autofree char *target = path_of(state, path);
	if (S_ISREG(noted->mode))
		return copy_file(state, path, source, target, error);
	if (S_ISLNK(noted->mode))
		return copy_link(path, source, target, error);
	int failed = S_ISDIR(noted->mode) ? mkdir(target, 0700) : mknod(target, noted->mode, 0);
	return failed == 0 || storage_error(error, path);
}

/* Mode and time of last write as they were, and the time of last reading as that of all; the rest is noted anew. */
static gboolean settle(const TreeState *state, const char *path, time_t read_s, GError **error)
{
	Noted *noted = g_hash_table_lookup(state->entries, path);
	g_autofree char *target = path_of(state, path);
	const struct timespec times[] = {{.tv_sec = read_s}, noted->written};
	struct stat info;
	gboolean ok = S_ISLNK(noted->mode) || chmod(target, noted->mode & MODE_BITS) == 0;
	ok = ok && utimensat(AT_FDCWD, target, times, AT_SYMLINK_NOFOLLOW) == 0 && lstat(target, &info) == 0;
	if (!ok)
		return storage_error(error, path);
	gboolean same = info.st_mode == noted->mode && same_time(info.st_mtim, noted->written) &&
	                (S_ISDIR(noted->mode) || noted->bytes == (guint64)info.st_size);
	note(noted, &info, state->walk);
	return same || firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s cannot be restored", path);
}

static gboolean remove_all(const TreeState *state, const GPtrArray *paths, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		g_autofree char *target = path_of(state, paths->pdata[i]);
		if (!durable_remove_tree(target, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean make_all(const TreeState *state, const GPtrArray *paths, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		const Noted *noted = g_hash_table_lookup(state->entries, paths->pdata[i]);
		g_autofree char *target = path_of(state, paths->pdata[i]);
		gboolean changed;
		if (!make_entry(state, paths->pdata[i], noted, error))
			return FALSE;
		if (noted->inode != NULL && !inode_state_restore(noted->inode, target, &changed, error))
			return FALSE;
		/* what comes next is perhaps made in it */
		if (S_ISDIR(noted->mode) && chmod(target, 0700) != 0)
			return storage_error(error, paths->pdata[i]);
	}
	return TRUE;
}

/* All entries, folders after what is in them, whose making changes their times. */
static gboolean settle_all(const TreeState *state, GError **error)
{
	time_t read_s = (time_t)(g_get_real_time() / G_USEC_PER_SEC) + READ_AFTER_S;
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	GHashTableIter iter;
	gpointer path;
	g_hash_table_iter_init(&iter, state->entries);
	while (g_hash_table_iter_next(&iter, &path, NULL))
		if (!g_str_equal(path, TOP))
			g_ptr_array_add(paths, path);
	g_ptr_array_sort(paths, text_order);
	for (guint i = paths->len; i > 0; i--)
		if (!settle(state, paths->pdata[i - 1], read_s, error))
			return FALSE;
	return settle(state, TOP, read_s, error);
}

static gboolean holds_added(const Scan *scan, const char *folder)
{
	for (guint i = 0; i < scan->added->len; i++) {
		g_autofree char *parent = g_path_get_dirname(scan->added->pdata[i]);
		if (g_str_equal(parent, folder))
			return TRUE;
	}
	return FALSE;
}

/* Folders that grew, the inner ones first. That new entries made one grow is no change of its own. */
static gboolean shrink_folders(Scan *scan, GError **error)
{
	const TreeState *state = scan->state;
	g_ptr_array_sort(scan->folders, text_order);
	for (guint i = scan->folders->len; i > 0; i--) {
		const char *path = scan->folders->pdata[i - 1];
		const Noted *noted = g_hash_table_lookup(state->entries, path);
		g_autofree char *target = path_of(state, path);
		gboolean remade = FALSE;
		if (!inode_state_shrink(noted->inode, target, &remade, error))
			return FALSE;
		scan->remade |= remade;
		found_changed_folder(scan, path, remade && !holds_added(scan, path));
	}
	return TRUE;
}

static gboolean mend(Scan *scan, const GPtrArray *missing, GError **error)
{
	const TreeState *state = scan->state;
	g_autoptr(GPtrArray) again = g_ptr_array_new();
	for (guint i = 0; i < scan->changed->len; i++)
		g_ptr_array_add(again, scan->changed->pdata[i]);
	for (guint i = 0; i < missing->len; i++)
		g_ptr_array_add(again, missing->pdata[i]);
	g_ptr_array_sort(again, text_order);
	if (!remove_all(state, scan->added, error) || !remove_all(state, scan->changed, error) ||
	        !make_all(state, again, error) || !shrink_folders(scan, error) || !settle_all(state, error))
		return FALSE;
	wait_for_clock();
	return TRUE;
}

/* Copies all of the tree anew, as it was copied first. */
static gboolean copy_anew(TreeState *state, GError **error)
{
	g_autofree char *difference = NULL;
	if (!durable_remove_tree(state->root, error) || !tree_copy(state->build, state->root, error) ||
	        !tree_seal_apply_modes(state->seal, state->root, error) ||
	        !tree_seal_check(state->seal, state->root, 0, &difference, error))
		return FALSE;
	if (difference != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s cannot be restored", difference);
	return note_tree(state, error);
}

static gboolean is_small(const TreeState *state)
{
	return tree_seal_bytes(state->seal) <= SMALL_BYTES && g_hash_table_size(state->entries) <= SMALL_ENTRIES;
}

gboolean tree_state_restore(TreeState *state, TreeChanges *changes, GError **error)
{
	g_autoptr(GPtrArray) added = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) changed = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);
	Scan scan = {.state = state, .changes = changes, .added = added, .changed = changed, .folders = folders};
	state->walk++;
	if (!compare_top(&scan, error) || !tree_walk(state->root, compare_entry, &scan, error))
		return FALSE;
	g_autoptr(GPtrArray) missing = missing_entries(&scan);
	if (added->len + changed->len + missing->len + folders->len == 0)
		return TRUE;
	if (!mend(&scan, missing, error))
		return FALSE;
	gboolean younger = scan.remade || changes->changed + changes->removed > 0;
	return !younger || !state->copies || !is_small(state) || copy_anew(state, error);
}
