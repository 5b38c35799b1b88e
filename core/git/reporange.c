/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/reporange.h"

#include "core/error.h"
#include "core/git/gitcleanup.h"

#include <string.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_revwalk, git_revwalk_free)

static void range_commit_free(gpointer data)
{
	RangeCommit *commit = data;
	g_free(commit->sha);
	g_array_unref(commit->parents);
	g_free(commit);
}

static gboolean parse(const char *sha, git_oid *oid, GError **error)
{
	if (strlen(sha) == GIT_OID_HEXSZ && git_oid_fromstr(oid, sha) == 0)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "\"%s\" is not a full SHA of 40 hex digits", sha);
}

static gboolean check_ancestry(Repo *repo, const RangePlan *plan, GError **error)
{
	g_autofree char *base = NULL;
	if (!repo_merge_base(repo, plan->from, plan->to, &base, error))
		return FALSE;
	if (g_str_equal(base, plan->from))
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "%.12s is not an ancestor of %.12s; begin from their merge base, %.12s", plan->from, plan->to, base);
}

static git_revwalk *start(Repo *repo, const RangePlan *plan, GError **error)
{
	git_oid from, to;
	g_autoptr(git_revwalk) walk = NULL;
	if (!parse(plan->from, &from, error) || !parse(plan->to, &to, error))
		return NULL;
	int rc = git_revwalk_new(&walk, repo_handle(repo));
	if (rc == 0)
		rc = git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
	if (rc == 0 && plan->first_parent)
		rc = git_revwalk_simplify_first_parent(walk);
	if (rc == 0)
		rc = git_revwalk_push(walk, &to);
	if (rc == 0)
		rc = git_revwalk_hide(walk, &from);
	if (rc == 0)
		return g_steal_pointer(&walk);
	repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot walk from %.12s to %.12s", plan->to, plan->from);
	return NULL;
}

/* Positions of the parents that are in the range, of which all stand before their children. */
static gboolean add_commit(
        Repo *repo, const RangePlan *plan, GHashTable *positions, const git_oid *oid, GPtrArray *range, GError **error)
{
	char text[GIT_OID_HEXSZ + 1];
	g_auto(GStrv) parents = NULL;
	git_oid_tostr(text, sizeof text, oid);
	if (!repo_commit_parents(repo, text, &parents, error))
		return FALSE;
	RangeCommit *commit = g_new0(RangeCommit, 1);
	commit->sha = g_strdup(text);
	commit->parents = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; parents[i] != NULL && (i == 0 || !plan->first_parent); i++) {
		gpointer position;
		if (g_hash_table_lookup_extended(positions, parents[i], NULL, &position)) {
			guint at = GPOINTER_TO_UINT(position);
			g_array_append_val(commit->parents, at);
		}
	}
	g_hash_table_insert(positions, commit->sha, GUINT_TO_POINTER(range->len));
	g_ptr_array_add(range, commit);
	return TRUE;
}

static gboolean walk_range(Repo *repo, const RangePlan *plan, git_revwalk *walk, GPtrArray *range, GError **error)
{
	g_autoptr(GHashTable) positions = g_hash_table_new(g_str_hash, g_str_equal);
	git_oid oid;
	int rc;
	while ((rc = git_revwalk_next(&oid, walk)) == 0) {
		if (range->len == REPO_RANGE_MAX)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "there are more than %d commits from %.12s to %.12s; name nearer ones%s",
			        REPO_RANGE_MAX, plan->from, plan->to,
			        plan->first_parent ? "" : ", or follow only first parents");
		if (!add_commit(repo, plan, positions, &oid, range, error))
			return FALSE;
	}
	if (rc == GIT_ITEROVER)
		return TRUE;
	return repo_set_error(
	        error, FIREBREAK_ERROR_STORAGE, rc, "cannot walk from %.12s to %.12s", plan->to, plan->from);
}

GPtrArray *repo_range(Repo *repo, const RangePlan *plan, GError **error)
{
	g_autoptr(GPtrArray) range = g_ptr_array_new_with_free_func(range_commit_free);
	if (!check_ancestry(repo, plan, error))
		return NULL;
	g_autoptr(git_revwalk) walk = start(repo, plan, error);
	if (walk == NULL || !walk_range(repo, plan, walk, range, error))
		return NULL;
	return g_steal_pointer(&range);
}
