/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/quarantine.h"

#include "baselines/damaged.h"
#include "baselines/git/objectread.h"
#include "baselines/inventory.h"
#include "baselines/refwrite.h"
#include "core/error.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The longest path in a ref is calibration/<fingerprint>/<benchmark>/<file>: four levels of folders. */
#define DEEPEST 4

/* --- the ref --- */

static gboolean keep_ref(DamageFolder *aside, GError **error)
{
	git_oid tip;
	gboolean found;
	char hex[GIT_OID_HEXSZ + 1] = "";
	g_autofree char *content = NULL;
	gsize length = 0;
	g_autofree char *name = g_strconcat(ref_store_prefix(aside->refs), aside->commit, NULL);
	g_autofree char *path = g_build_filename(repo_path_commondir(ref_store_repo(aside->refs)), name, NULL);
	if (g_file_get_contents(path, &content, &length, NULL))
		return damage_folder_keep(aside, "ref", content, length, error);
	if (ref_store_tip(aside->refs, aside->commit, &tip, &found, NULL) && found)
		git_oid_tostr(hex, sizeof hex, &tip);
	return damage_folder_keep(aside, "ref", hex, strlen(hex), error);
}

/* --- objects --- */

/* Moves the file of an object that git cannot read out of its way; one in a pack stays. */
static gboolean move_object(DamageFolder *aside, const git_oid *id, GError **error)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, id);
	g_autofree char *file =
	        g_strdup_printf("%s/objects/%.2s/%s", repo_path_commondir(ref_store_repo(aside->refs)), hex, hex + 2);
	g_autofree char *content = NULL;
	gsize length;
	if (!g_file_get_contents(file, &content, &length, NULL))
		return TRUE;
	if (!damage_folder_keep(aside, hex, content, length, error))
		return FALSE;
	return unlink(file) == 0 || firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", file);
}

/* Moves a damaged object; *tree is its content if it is a sound tree, else NULL. */
static gboolean check_object(DamageFolder *aside, const git_tree_entry *entry, git_tree **tree, GError **error)
{
	git_repository *git = repo_handle(ref_store_repo(aside->refs));
	const git_oid *id = git_tree_entry_id(entry);
	g_autoptr(GError) cause = NULL;
	*tree = NULL;
	if (git_tree_entry_type(entry) == GIT_OBJECT_TREE) {
		*tree = object_read_tree(git, id, "folder", &cause);
	} else {
		GString *text = object_read_blob(git, id, "file", &cause);
		if (text != NULL)
			g_string_free(text, TRUE);
	}
	if (g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE)) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return FALSE;
	}
	return cause == NULL || move_object(aside, id, error);
}

/* One level of trees: checks what is in them; the trees among it are appended to `below`. */
static gboolean check_level(DamageFolder *aside, const GPtrArray *level, GPtrArray *below, GError **error)
{
	for (guint i = 0; i < level->len; i++) {
		const git_tree *parent = level->pdata[i];
		for (size_t k = 0; k < git_tree_entrycount(parent); k++) {
			git_tree *tree;
			if (!check_object(aside, git_tree_entry_byindex(parent, k), &tree, error))
				return FALSE;
			if (tree != NULL)
				g_ptr_array_add(below, tree);
		}
	}
	return TRUE;
}

static void free_tree(gpointer tree)
{
	git_tree_free(tree);
}

/* Moves damaged objects below the ref, level by level. */
static gboolean move_objects(DamageFolder *aside, const git_oid *tip, GError **error)
{
	git_repository *git = repo_handle(ref_store_repo(aside->refs));
	g_autoptr(GPtrArray) level = g_ptr_array_new_with_free_func(free_tree);
	g_autoptr(git_commit) commit = object_read_commit(git, tip, "commit", NULL);
	if (commit == NULL)
		return move_object(aside, tip, error);
	git_tree *root = object_read_tree(git, git_commit_tree_id(commit), "root", NULL);
	if (root == NULL)
		return move_object(aside, git_commit_tree_id(commit), error);
	g_ptr_array_add(level, root);
	for (guint depth = 0; depth < DEEPEST && level->len > 0; depth++) {
		GPtrArray *below = g_ptr_array_new_with_free_func(free_tree);
		gboolean ok = check_level(aside, level, below, error);
		g_ptr_array_unref(level);
		level = below;
		if (!ok)
			return FALSE;
	}
	return TRUE;
}

/* --- entries that git can read --- */

/* `paths` may be NULL. */
static gboolean keep_all(DamageFolder *aside, const RefSnapshot *snapshot, const GPtrArray *paths, GError **error)
{
	for (guint i = 0; paths != NULL && i < paths->len; i++) {
		g_autofree char *reason = NULL;
		if (!damage_folder_keep_entry(aside, snapshot, paths->pdata[i], &reason, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean keep_entries(DamageFolder *aside, GError **error)
{
	g_autoptr(RefSnapshot) snapshot = ref_store_snapshot(aside->refs, aside->commit, NULL);
	g_autoptr(GPtrArray) entries = snapshot != NULL ? ref_snapshot_entries(snapshot, NULL) : NULL;
	g_autoptr(GPtrArray) campaigns = snapshot != NULL ? ref_snapshot_campaigns(snapshot, NULL) : NULL;
	return keep_all(aside, snapshot, entries, error) && keep_all(aside, snapshot, campaigns, error);
}

/* --- commits --- */

/* Keeps the findings of verify on the commit, a line each. */
static gboolean keep_reasons(DamageFolder *aside, const FindingList *reasons, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < finding_count(reasons); i++)
		g_string_append_printf(text, "%s\n", finding_get(reasons, i)->text);
	return damage_folder_keep(aside, "why", text->str, text->len, error);
}

static gboolean set_commit_aside(
        RefStore *refs, const char *commit, const FindingList *reasons, FindingList *findings, GError **error)
{
	g_auto(DamageFolder) aside = {.refs = refs, .commit = commit};
	g_autoptr(FindingList) again = finding_list_new();
	git_oid tip;
	gboolean found = FALSE;
	if (!ref_store_tip(refs, commit, &tip, &found, NULL))
		found = FALSE;
	if (!damage_folder_make(&aside, error) || !keep_reasons(&aside, reasons, error) || !keep_ref(&aside, error) ||
	        !keep_entries(&aside, error))
		return FALSE;
	/* objects last: until then the damage can be seen again */
	if (!ref_store_drop_damage(refs, commit, again, error))
		return FALSE;
	for (guint i = 0; i < finding_count(reasons); i++)
		finding_add(findings, FINDING_ERROR, "baseline_corrupt", NULL, "%s; kept in %s",
		        finding_get(reasons, i)->text, aside.path);
	return !found || move_objects(&aside, &tip, error);
}

gboolean baselines_quarantine(BaselineStore *store, FindingList *findings, guint *n_commits, GError **error)
{
	RefStore *refs = baseline_store_refs(store);
	g_autoptr(GPtrArray) commits = ref_store_commits(refs, error);
	guint n = 0;
	for (guint i = 0; commits != NULL && i < commits->len; i++) {
		g_autoptr(FindingList) reasons = finding_list_new();
		gboolean ok = FALSE;
		if (!baseline_store_verify_commit(store, commits->pdata[i], reasons, &ok, error))
			return FALSE;
		if (ok)
			continue;
		if (!set_commit_aside(refs, commits->pdata[i], reasons, findings, error))
			return FALSE;
		n++;
	}
	*n_commits = n;
	return commits != NULL;
}
