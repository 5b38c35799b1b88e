/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/refsnapshot.h"

#include "baselines/git/objectread.h"
#include "core/error.h"
#include "model/textpiece.h"

#include <string.h>

#define CAMPAIGN_SUFFIX ".json"

struct RefSnapshot {
	git_repository *git; /* borrowed */
	git_tree *tree;
	gint64 time_s;
};

/* Refuses commits of another kind, such as one of the measured program: nothing of it would be known, so all of it
 * would be carried from clone to clone. */
static gboolean check_form(const git_commit *commit, const char *ref_name, GError **error)
{
	const char *message = git_commit_message_raw(commit);
	if (git_commit_parentcount(commit) == 0 && message != NULL && g_str_has_prefix(message, REF_SNAPSHOT_MESSAGE))
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
	        "%s is damaged: it points to a commit that is not a baseline", ref_name);
}

RefSnapshot *ref_snapshot_at(git_repository *git, const char *ref_name, const git_oid *tip, GError **error)
{
	g_autoptr(git_commit) commit = object_read_commit(git, tip, ref_name, error);
	if (commit == NULL)
		return NULL;
	if (!check_form(commit, ref_name, error))
		return NULL;
	git_tree *tree = object_read_tree(git, git_commit_tree_id(commit), ref_name, error);
	if (tree == NULL)
		return NULL;
	RefSnapshot *snapshot = g_new0(RefSnapshot, 1);
	snapshot->git = git;
	snapshot->tree = tree;
	snapshot->time_s = git_commit_time(commit);
	return snapshot;
}

void ref_snapshot_free(RefSnapshot *snapshot)
{
	if (snapshot == NULL)
		return;
	git_tree_free(snapshot->tree);
	g_free(snapshot);
}

gint64 ref_snapshot_time(const RefSnapshot *snapshot)
{
	return snapshot->time_s;
}

git_tree *ref_snapshot_root(const RefSnapshot *snapshot)
{
	return snapshot->tree;
}

/* --- folders --- */

git_tree *ref_snapshot_folder(const RefSnapshot *snapshot, const char *path, GError **error)
{
	g_auto(GStrv) names = g_strsplit(path, "/", -1);
	git_tree *tree = NULL;
	for (guint i = 0; names[i] != NULL; i++) {
		g_autoptr(git_tree) parent = tree;
		const git_tree_entry *child = git_tree_entry_byname(parent != NULL ? parent : snapshot->tree, names[i]);
		if (child == NULL)
			return NULL;
		tree = object_read_tree(snapshot->git, git_tree_entry_id(child), path, error);
		if (tree == NULL)
			return NULL;
	}
	return tree;
}

gboolean ref_snapshot_find(
        const RefSnapshot *snapshot, const char *path, git_oid *id, git_filemode_t *mode, GError **error)
{
	const char *slash = strrchr(path, '/');
	g_autofree char *folder = slash != NULL ? g_strndup(path, (gsize)(slash - path)) : NULL;
	g_autoptr(git_tree) parent = slash != NULL ? ref_snapshot_folder(snapshot, folder, error) : NULL;
	if (slash != NULL && parent == NULL)
		return FALSE;
	const git_tree_entry *entry =
	        git_tree_entry_byname(parent != NULL ? parent : snapshot->tree, slash != NULL ? slash + 1 : path);
	if (entry == NULL)
		return FALSE;
	*id = *git_tree_entry_id(entry);
	*mode = git_tree_entry_filemode(entry);
	return TRUE;
}

typedef gboolean (*NameTest)(const git_tree_entry *entry);

static gboolean is_fingerprint_folder(const git_tree_entry *entry)
{
	return git_tree_entry_type(entry) == GIT_OBJECT_TREE &&
	       text_hex_digits(git_tree_entry_name(entry)) == REF_STORE_FINGERPRINT_DIGITS;
}

static gboolean is_folder(const git_tree_entry *entry)
{
	return git_tree_entry_type(entry) == GIT_OBJECT_TREE;
}

static gboolean is_campaign_file(const git_tree_entry *entry)
{
	return git_tree_entry_type(entry) == GIT_OBJECT_BLOB &&
	       g_str_has_suffix(git_tree_entry_name(entry), CAMPAIGN_SUFFIX);
}

/* Appends the paths of what passes the test in `tree`, which lies at `folder` ("" = the root). */
static void append_matching(const git_tree *tree, const char *folder, NameTest test, GPtrArray *paths)
{
	for (size_t i = 0; i < git_tree_entrycount(tree); i++) {
		const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
		if (test(entry))
			g_ptr_array_add(paths,
			        g_strconcat(folder, *folder != '\0' ? "/" : "", git_tree_entry_name(entry), NULL));
	}
}

/* One level down: the paths of what passes the test in any of `folders`, which is consumed; NULL stays NULL. */
static GPtrArray *descend(const RefSnapshot *snapshot, GPtrArray *folders, NameTest test, GError **error)
{
	G_GNUC_UNUSED g_autoptr(GPtrArray) consumed = folders;
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; folders != NULL && i < folders->len; i++) {
		g_autoptr(git_tree) tree = ref_snapshot_folder(snapshot, folders->pdata[i], error);
		if (tree == NULL)
			return NULL;
		append_matching(tree, folders->pdata[i], test, paths);
	}
	return folders != NULL ? g_steal_pointer(&paths) : NULL;
}

static GPtrArray *sorted(GPtrArray *paths)
{
	if (paths != NULL)
		g_ptr_array_sort(paths, text_order);
	return paths;
}

/* --- baselines --- */

GPtrArray *ref_snapshot_entries(const RefSnapshot *snapshot, GError **error)
{
	GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
	append_matching(snapshot->tree, "", is_fingerprint_folder, folders);
	return sorted(descend(snapshot, folders, is_folder, error));
}

/* Sets *content, to NULL if there is no such file. */
static gboolean read_file(
        const RefSnapshot *snapshot, const git_tree *folder, const char *name, GString **content, GError **error)
{
	const git_tree_entry *entry = git_tree_entry_byname(folder, name);
	*content = NULL;
	if (entry == NULL)
		return TRUE;
	*content = object_read_blob(snapshot->git, git_tree_entry_id(entry), name, error);
	return *content != NULL;
}

MeasurementText *ref_snapshot_read(const RefSnapshot *snapshot, const char *entry, gboolean with_stacks, GError **error)
{
	g_autoptr(MeasurementText) text = g_new0(MeasurementText, 1);
	g_autoptr(git_tree) folder = ref_snapshot_folder(snapshot, entry, error);
	if (folder == NULL || !read_file(snapshot, folder, "manifest.json", &text->manifest, error))
		return NULL;
	if (with_stacks && !read_file(snapshot, folder, "stacks", &text->stacks, error))
		return NULL;
	return text->manifest != NULL ? g_steal_pointer(&text) : NULL;
}

GString *ref_snapshot_read_file(const RefSnapshot *snapshot, const char *entry, const char *name, GError **error)
{
	GString *content = NULL;
	g_autoptr(git_tree) folder = ref_snapshot_folder(snapshot, entry, error);
	if (folder != NULL)
		read_file(snapshot, folder, name, &content, error);
	return content;
}

/* --- A/A campaigns --- */

static gboolean is_calibration_folder(const git_tree_entry *entry)
{
	return git_tree_entry_type(entry) == GIT_OBJECT_TREE &&
	       g_str_equal(git_tree_entry_name(entry), REF_CALIBRATION_FOLDER);
}

GPtrArray *ref_snapshot_campaigns(const RefSnapshot *snapshot, GError **error)
{
	GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
	append_matching(snapshot->tree, "", is_calibration_folder, folders);
	folders = descend(snapshot, folders, is_fingerprint_folder, error);
	folders = descend(snapshot, folders, is_folder, error);
	return sorted(descend(snapshot, folders, is_campaign_file, error));
}

GString *ref_snapshot_read_campaign(const RefSnapshot *snapshot, const char *path, GError **error)
{
	GString *text = NULL;
	GError *cause = NULL;
	g_autofree char *folder = g_path_get_dirname(path), *name = g_path_get_basename(path);
	g_autoptr(git_tree) tree = ref_snapshot_folder(snapshot, folder, &cause);
	if (tree != NULL)
		read_file(snapshot, tree, name, &text, &cause);
	if (cause != NULL)
		g_propagate_error(error, cause);
	else if (text == NULL)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "%s is missing", path);
	return text;
}

/* --- what later versions may add --- */

static gboolean is_unknown(const git_tree_entry *entry)
{
	git_filemode_t mode = git_tree_entry_filemode(entry);
	return (mode == GIT_FILEMODE_TREE || mode == GIT_FILEMODE_BLOB) && !is_fingerprint_folder(entry) &&
	       !is_calibration_folder(entry);
}

GPtrArray *ref_snapshot_unknown(const RefSnapshot *snapshot)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	append_matching(snapshot->tree, "", is_unknown, names);
	return sorted(names);
}
