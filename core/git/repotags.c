/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repotags.h"

#include "core/error.h"
#include "core/git/gitcleanup.h"

#include <string.h>

#define TAG_PREFIX "refs/tags/"

gboolean repo_is_release(const char *tag)
{
	const char *slash = strrchr(tag, '/'), *at = slash != NULL ? slash + 1 : tag;
	guint numbers = 0;
	for (at += *at == 'v'; g_ascii_isdigit(*at); numbers++) {
		at += strspn(at, "0123456789");
		if (at[0] == '.' && g_ascii_isdigit(at[1]))
			at++;
	}
	return *at == '\0' && numbers >= 2;
}

/* Adds a release to the table from SHA to name. Tags of something else than a commit are none. */
static int take_tag(const char *name, git_oid *oid, void *data)
{
	GHashTable *releases = data;
	const char *tag = name + strlen(TAG_PREFIX);
	if (!g_str_has_prefix(name, TAG_PREFIX) || !repo_is_release(tag))
		return 0;
	char *sha = g_malloc(GIT_OID_HEXSZ + 1);
	git_oid_tostr(sha, GIT_OID_HEXSZ + 1, oid);
	const char *known = g_hash_table_lookup(releases, sha);
	if (known == NULL || strcmp(tag, known) > 0)
		g_hash_table_replace(releases, sha, g_strdup(tag));
	else
		g_free(sha);
	return 0;
}

/* Annotated tags are objects of their own that point to the commit. */
static GHashTable *peel(git_repository *git, GHashTable *tags)
{
	GHashTable *releases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	GHashTableIter iter;
	gpointer sha, tag;
	g_hash_table_iter_init(&iter, tags);
	while (g_hash_table_iter_next(&iter, &sha, &tag)) {
		git_oid oid;
		git_object *object = NULL, *commit = NULL;
		if (git_oid_fromstr(&oid, sha) == 0 && git_object_lookup(&object, git, &oid, GIT_OBJECT_ANY) == 0 &&
		        git_object_peel(&commit, object, GIT_OBJECT_COMMIT) == 0) {
			git_oid peeled = *git_object_id(commit);
			g_autofree char *name = g_strconcat(TAG_PREFIX, tag, NULL);
			take_tag(name, &peeled, releases);
		}
		git_object_free(commit);
		git_object_free(object);
	}
	return releases;
}

gboolean repo_step_back(Repo *repo, char **sha, GError **error)
{
	g_auto(GStrv) parents = NULL;
	if (!repo_commit_parents(repo, *sha, &parents, error))
		return FALSE;
	g_free(*sha);
	*sha = parents[0] != NULL && repo_has_commit(repo, parents[0]) ? g_strdup(parents[0]) : NULL;
	return TRUE;
}

gboolean repo_last_release(Repo *repo, const char *sha, guint within, char **tag, char **commit, GError **error)
{
	g_autoptr(GHashTable) tags = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	int rc = git_tag_foreach(repo_handle(repo), take_tag, tags);
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read the tags");
	g_autoptr(GHashTable) releases = peel(repo_handle(repo), tags);
	g_autofree char *at = g_strdup(sha);
	const char *found = NULL;
	for (guint i = 0; at != NULL && i < within && g_hash_table_size(releases) > 0; i++) {
		found = g_hash_table_lookup(releases, at);
		if (found != NULL)
			break;
		if (!repo_step_back(repo, &at, error))
			return FALSE;
	}
	*tag = g_strdup(found);
	*commit = found != NULL ? g_steal_pointer(&at) : NULL;
	return TRUE;
}

gboolean repo_commits_back(Repo *repo, const char *sha, guint n, char **commit, GError **error)
{
	g_autofree char *at = g_strdup(sha);
	for (guint i = 0; at != NULL && i < n; i++)
		if (!repo_step_back(repo, &at, error))
			return FALSE;
	*commit = g_steal_pointer(&at);
	return TRUE;
}
