/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/runstate.h"

static void changes_finding(const RunRequest *request, const TreeChanges *changes, FindingList *findings)
{
	guint n = changes->added + changes->changed + changes->removed;
	if (n == 0)
		return;
	gboolean costly = changes->programs || changes->changed + changes->removed > 0;
	finding_add(findings, costly ? FINDING_WARNING : FINDING_INFO, "tree_changed", request->benchmark->name,
	        "a run of %s wrote to its tree: %s; each run starts from the tree as built, so what every run "
	        "needs has to come from the build",
	        request->side->name, changes->names->str);
}

static gboolean restore_tree(const RunRequest *request, TreeState *tree, FindingList *findings, GError **error)
{
	TreeChanges changes = {0};
	gboolean ok = tree == NULL || tree_state_restore(tree, &changes, error);
	if (ok)
		changes_finding(request, &changes, findings);
	else
		g_prefix_error(error, "benchmark %s of %s: ", request->benchmark->name, request->side->name);
	tree_changes_clear(&changes);
	return ok;
}

static gboolean restore(const RunRequest *request, FindingList *findings, GError **error)
{
	if (request->trusted)
		return TRUE;
	return arena_clean(request->side->arena, findings, error) &&
	       restore_tree(request, request->side->build_state, findings, error) &&
	       restore_tree(request, request->side->state, findings, error);
}

gboolean run_state_restore(const RunRequest *requests, guint n, FindingList *findings, GError **error)
{
	for (guint i = 0; i < n; i++)
		if (!restore(&requests[i], findings, error))
			return FALSE;
	return TRUE;
}
