/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repodiff.h"

#include <string.h>

#include "core/error.h"
#include "core/git/gitcleanup.h"

/* Limits on the cost of a hostile change. Files above the size, and all that come after the sums are used up, count as
 * changed as a whole, which needs no look into them. */
#define MAX_FILES 100000
#define MAX_FILE_BYTES ((gint64)16 * 1024 * 1024)
#define MAX_ALL_BYTES ((guint64)512 * 1024 * 1024)
#define MAX_ALL_HUNKS 1000000
#define MAX_RENAME_CANDIDATES 400 /* every file that came is compared with every one that went */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_diff, git_diff_free)

typedef struct {
	git_repository *git;
	git_odb *odb;
	guint64 bytes_left;
	guint hunks_left;
	guint n_files; /* found so far */
	LineChanges *changes;
} Differ;

/* --- which files --- */

static int count_file(const git_diff *diff, const git_diff_delta *delta, const char *pathspec, void *data)
{
	Differ *differ = data;
	(void)diff;
	(void)delta;
	(void)pathspec;
	return ++differ->n_files > MAX_FILES ? GIT_EUSER : 0;
}

static git_diff *find_files(Differ *differ, git_tree *base, git_tree *head, GError **error)
{
	git_diff_options options;
	git_diff_find_options renames;
	git_diff *diff = NULL;
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	git_diff_find_options_init(&renames, GIT_DIFF_FIND_OPTIONS_VERSION);
	options.ignore_submodules = GIT_SUBMODULE_IGNORE_NONE; /* whatever .gitmodules says */
	options.notify_cb = count_file;
	options.payload = differ;
	int rc = git_diff_tree_to_tree(&diff, differ->git, base, head, &options);
	if (rc == GIT_EUSER) {
		firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "the change edits more than %d files, too many to compare line by line", MAX_FILES);
		return NULL;
	}
	renames.flags = GIT_DIFF_FIND_RENAMES;
	renames.rename_limit = MAX_RENAME_CANDIDATES;
	if (rc == 0)
		rc = git_diff_find_similar(diff, &renames);
	if (rc == 0)
		return diff;
	git_diff_free(diff);
	repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot compare the trees of base and head");
	return NULL;
}

/* --- which lines of one file --- */

typedef struct {
	Differ *differ;
	ChangedFile *file;
} FileDiffer;

static int see_binary(const git_diff_delta *delta, const git_diff_binary *binary, void *data)
{
	FileDiffer *differ = data;
	(void)delta;
	(void)binary;
	differ->file->binary = TRUE;
	return 0;
}

/* git gives the line after which a side without lines stands. */
static guint32 first_line(int start, int lines)
{
	return (guint32)MAX(start, 0) + (lines == 0 ? 1 : 0);
}

static int see_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *data)
{
	FileDiffer *differ = data;
	(void)delta;
	if (differ->differ->hunks_left == 0)
		return GIT_EUSER;
	differ->differ->hunks_left--;
	LineChange change = {
	        .base_first = first_line(hunk->old_start, hunk->old_lines),
	        .base_lines = (guint32)hunk->old_lines,
	        .head_first = first_line(hunk->new_start, hunk->new_lines),
	        .head_lines = (guint32)hunk->new_lines,
	};
	g_array_append_val(differ->file->changes, change);
	return 0;
}

static gboolean has_file(const git_diff_file *file)
{
	return (file->flags & GIT_DIFF_FLAG_EXISTS) != 0;
}

/* TRUE if a side can be read within the limits; subtracts its size from what is left of them. */
static gboolean is_affordable(Differ *differ, const git_diff_file *file)
{
	size_t bytes = 0;
	git_object_t type;
	if (!has_file(file))
		return TRUE;
	if (file->mode == GIT_FILEMODE_COMMIT || git_odb_read_header(&bytes, &type, differ->odb, &file->id) != 0 ||
	        bytes > MAX_FILE_BYTES || bytes > differ->bytes_left)
		return FALSE;
	differ->bytes_left -= bytes;
	return TRUE;
}

static int read_side(Differ *differ, const git_diff_file *file, git_blob **blob)
{
	return has_file(file) ? git_blob_lookup(blob, differ->git, &file->id) : 0;
}

static int compare_lines(Differ *differ, const git_diff_delta *delta, ChangedFile *file)
{
	g_autoptr(git_blob) base = NULL;
	g_autoptr(git_blob) head = NULL;
	git_diff_options options;
	FileDiffer into = {differ, file};
	int rc = read_side(differ, &delta->old_file, &base);
	if (rc == 0)
		rc = read_side(differ, &delta->new_file, &head);
	if (rc != 0)
		return rc;
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.context_lines = 0;
	options.max_size = MAX_FILE_BYTES;
	return git_diff_blobs(base, delta->old_file.path, head, delta->new_file.path, &options, NULL, see_binary,
	        see_hunk, NULL, &into);
}

static void set_whole(ChangedFile *file)
{
	file->binary = TRUE;
	g_array_set_size(file->changes, 0);
}

static gboolean add_file(Differ *differ, const git_diff_delta *delta, GError **error)
{
	const git_diff_file *base = &delta->old_file, *head = &delta->new_file;
	ChangedFile *file = line_changes_add_file(
	        differ->changes, has_file(base) ? base->path : NULL, has_file(head) ? head->path : NULL);
	if (!is_affordable(differ, base) || !is_affordable(differ, head)) {
		set_whole(file);
		return TRUE;
	}
	int rc = compare_lines(differ, delta, file);
	if (rc == GIT_EUSER)
		set_whole(file);
	else if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot compare %s", head->path);
	return TRUE;
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
	return strcmp(changed_file_path(*(ChangedFile *const *)a), changed_file_path(*(ChangedFile *const *)b));
}

static gboolean add_files(Differ *differ, git_diff *diff, GError **error)
{
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
		if (!add_file(differ, git_diff_get_delta(diff, i), error))
			return FALSE;
	g_ptr_array_sort(differ->changes->files, compare_paths);
	return TRUE;
}

LineChanges *repo_line_changes(Repo *repo, const char *base_tree, const char *head_tree, GError **error)
{
	git_repository *git = repo_handle(repo);
	g_autoptr(git_odb) odb = NULL;
	g_autoptr(git_tree) base = repo_lookup_tree(git, base_tree, error);
	g_autoptr(git_tree) head = base == NULL ? NULL : repo_lookup_tree(git, head_tree, error);
	if (head == NULL)
		return NULL;
	int rc = git_repository_odb(&odb, git);
	if (rc != 0) {
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot open the objects of the repository");
		return NULL;
	}
	g_autoptr(LineChanges) changes = line_changes_new();
	Differ differ = {
	        .git = git,
	        .odb = odb,
	        .bytes_left = MAX_ALL_BYTES,
	        .hunks_left = MAX_ALL_HUNKS,
	        .changes = changes,
	};
	g_autoptr(git_diff) diff = find_files(&differ, base, head, error);
	return diff != NULL && add_files(&differ, diff, error) ? g_steal_pointer(&changes) : NULL;
}
