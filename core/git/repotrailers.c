/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repotrailers.h"

#include "core/error.h"
#include "core/git/gitcleanup.h"

#include <string.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_revwalk, git_revwalk_free)

static void trailer_free(gpointer data)
{
	RepoTrailer *trailer = data;
	g_free(trailer->sha);
	g_free(trailer->value);
	g_free(trailer);
}

void repo_trailers_free(RepoTrailers *trailers)
{
	if (trailers == NULL)
		return;
	g_ptr_array_unref(trailers->trailers);
	g_ptr_array_unref(trailers->strays);
	g_free(trailers);
}

/* --- which commits: all of history is there --- */

static GPtrArray *walk_whole(Repo *repo, const git_oid *base, const git_oid *head, gboolean *is_cut, GError **error)
{
	g_autoptr(git_revwalk) walk = NULL;
	g_autoptr(GPtrArray) commits = g_ptr_array_new_with_free_func(g_free);
	git_oid oid;
	int rc = git_revwalk_new(&walk, repo_handle(repo));
	if (rc == 0)
		rc = git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL);
	if (rc == 0)
		rc = git_revwalk_push(walk, head);
	if (rc == 0)
		rc = git_revwalk_hide(walk, base);
	while (rc == 0 && commits->len <= REPO_TRAILER_COMMITS && (rc = git_revwalk_next(&oid, walk)) == 0)
		g_ptr_array_add(commits, repo_oid_text(&oid));
	if (rc != 0 && rc != GIT_ITEROVER) {
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot walk the history of head");
		return NULL;
	}
	*is_cut = commits->len > REPO_TRAILER_COMMITS;
	return g_steal_pointer(&commits);
}

/* --- which commits: a shallow clone --- */

/* The SHAs at which git cut the history, as a set. */
static GHashTable *read_cuts(Repo *repo)
{
	GHashTable *cuts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autofree char *path = g_build_filename(repo_path_commondir(repo), "shallow", NULL), *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return cuts;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		g_hash_table_add(cuts, g_strdup(*line));
	return cuts;
}

/* The commits that can be reached from one commit in this clone, by SHA. */
typedef struct {
	GPtrArray *order;     /* of char *, a parent never twice; owned by the keys of `children` */
	GHashTable *children; /* SHA -> GPtrArray of SHAs of its children among them */
	GHashTable *open;     /* SHAs with a parent that is not to be seen */
	gboolean is_full;     /* there were too many */
} Seen;

static void seen_init(Seen *seen)
{
	seen->order = g_ptr_array_new();
	seen->children = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
	seen->open = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	seen->is_full = FALSE;
}

static void seen_clear(Seen *seen)
{
	g_ptr_array_unref(seen->order);
	g_hash_table_unref(seen->children);
	g_hash_table_unref(seen->open);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Seen, seen_clear)

static GPtrArray *add_commit(Seen *seen, const char *sha)
{
	GPtrArray *children = g_hash_table_lookup(seen->children, sha);
	if (children != NULL)
		return children;
	char *kept = g_strdup(sha);
	children = g_ptr_array_new_with_free_func(g_free);
	g_hash_table_insert(seen->children, kept, children);
	g_ptr_array_add(seen->order, kept);
	return children;
}

/* Breadth first over what the clone has, not beyond `end` (NULL = no end), until there are too many. */
static gboolean look_around(Repo *repo, const char *from, const char *end, GHashTable *cuts, Seen *seen, GError **error)
{
	add_commit(seen, from);
	for (guint i = 0; i < seen->order->len && !seen->is_full; i++) {
		const char *sha = seen->order->pdata[i];
		g_auto(GStrv) parents = NULL;
		if (g_strcmp0(sha, end) == 0)
			continue;
		if (g_hash_table_contains(cuts, sha)) {
			g_hash_table_add(seen->open, g_strdup(sha));
			continue;
		}
		if (!repo_commit_parents(repo, sha, &parents, error))
			return FALSE;
		for (char **parent = parents; *parent != NULL; parent++) {
			if (repo_has_commit(repo, *parent))
				g_ptr_array_add(add_commit(seen, *parent), g_strdup(sha));
			else
				g_hash_table_add(seen->open, g_strdup(sha));
		}
		seen->is_full = seen->order->len > REPO_TRAILER_COMMITS;
	}
	return TRUE;
}

/* The SHAs that come after base, as a set. */
static GHashTable *descendants(const Seen *seen, const char *base)
{
	GHashTable *after = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) queue = g_ptr_array_new();
	g_ptr_array_add(queue, (gpointer)base);
	for (guint i = 0; i < queue->len; i++) {
		const GPtrArray *children = g_hash_table_lookup(seen->children, queue->pdata[i]);
		for (guint c = 0; children != NULL && c < children->len; c++)
			if (g_hash_table_add(after, g_strdup(children->pdata[c])))
				g_ptr_array_add(queue, children->pdata[c]);
	}
	return after;
}

/* Walks a clone whose history is cut. A commit that is not known to come after base or before it may be either. */
static GPtrArray *walk_shallow(Repo *repo, const char *base, const char *head, gboolean *is_cut, GError **error)
{
	g_autoptr(GHashTable) cuts = read_cuts(repo);
	g_auto(Seen) of_head = {0}, of_base = {0};
	seen_init(&of_head);
	seen_init(&of_base);
	if (!look_around(repo, head, base, cuts, &of_head, error) ||
	        !look_around(repo, base, NULL, cuts, &of_base, error))
		return NULL;
	gboolean base_is_whole = g_hash_table_size(of_base.open) == 0 && !of_base.is_full;
	g_autoptr(GHashTable) after = descendants(&of_head, base);
	g_autoptr(GPtrArray) commits = g_ptr_array_new_with_free_func(g_free);
	*is_cut = of_head.is_full;
	for (guint i = 0; i < of_head.order->len; i++) {
		const char *sha = of_head.order->pdata[i];
		if (g_hash_table_contains(of_base.children, sha))
			continue;
		gboolean counts = base_is_whole || g_hash_table_contains(after, sha);
		if (counts)
			g_ptr_array_add(commits, g_strdup(sha));
		*is_cut = *is_cut || !counts || g_hash_table_contains(of_head.open, sha);
	}
	return g_steal_pointer(&commits);
}

/* --- their trailers --- */

/* One line of valid UTF-8. */
static char *clean_value(const char *value)
{
	g_autofree char *start = g_strndup(value, REPO_TRAILER_VALUE_BYTES);
	char *text = g_utf8_make_valid(start, -1);
	for (char *c = text; *c != '\0'; c++)
		if (g_ascii_iscntrl(*c))
			*c = ' ';
	return g_strstrip(text);
}

/* "Key:" at the beginning of a line, which may be quoted or an item of a list. */
static gboolean begins_with_key(const char *line, const char *key)
{
	line += strspn(line, " \t*>-");
	if (g_ascii_strncasecmp(line, key, strlen(key)) != 0)
		return FALSE;
	line += strlen(key);
	return line[strspn(line, " \t")] == ':';
}

static guint count_key_lines(const char *message, const char *key)
{
	guint n = 0;
	for (const char *line = message; line != NULL; line = strchr(line, '\n')) {
		line += line != message; /* after the newline */
		n += begins_with_key(line, key);
	}
	return n;
}

static gboolean read_commit(Repo *repo, const char *sha, const char *key, RepoTrailers *result, GError **error)
{
	git_oid oid;
	g_autoptr(git_commit) commit = NULL;
	git_message_trailer_array found = {0};
	int rc = git_oid_fromstr(&oid, sha);
	if (rc == 0)
		rc = git_commit_lookup(&commit, repo_handle(repo), &oid);
	if (rc == 0)
		rc = git_message_trailers(&found, git_commit_message(commit));
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read the message of commit %s", sha);
	guint n_trailers = 0;
	for (size_t i = 0; i < found.count; i++) {
		if (g_ascii_strcasecmp(found.trailers[i].key, key) != 0)
			continue;
		RepoTrailer *trailer = g_new0(RepoTrailer, 1);
		trailer->sha = g_strdup(sha);
		trailer->value = clean_value(found.trailers[i].value);
		g_ptr_array_add(result->trailers, trailer);
		n_trailers++;
	}
	git_message_trailer_array_free(&found);
	if (count_key_lines(git_commit_message(commit), key) > n_trailers && result->strays->len < REPO_TRAILERS_MAX)
		g_ptr_array_add(result->strays, g_strdup(sha));
	return TRUE;
}

static GPtrArray *commits_between(Repo *repo, const char *base, const char *head, gboolean *is_cut, GError **error)
{
	git_oid from, to;
	if (repo_is_shallow(repo))
		return walk_shallow(repo, base, head, is_cut, error);
	int rc = git_oid_fromstr(&from, base);
	if (rc == 0)
		rc = git_oid_fromstr(&to, head);
	if (rc == 0)
		return walk_whole(repo, &from, &to, is_cut, error);
	repo_set_error(error, FIREBREAK_ERROR_USAGE, rc, "\"%s\" and \"%s\" are not both full SHAs", base, head);
	return NULL;
}

RepoTrailers *repo_trailers_between(Repo *repo, const char *base, const char *head, const char *key, GError **error)
{
	gboolean is_cut = FALSE;
	g_autoptr(GPtrArray) commits = commits_between(repo, base, head, &is_cut, error);
	if (commits == NULL)
		return NULL;
	g_autoptr(RepoTrailers) result = g_new0(RepoTrailers, 1);
	result->trailers = g_ptr_array_new_with_free_func(trailer_free);
	result->strays = g_ptr_array_new_with_free_func(g_free);
	result->is_cut = is_cut;
	for (guint i = 0; i < commits->len && result->trailers->len < REPO_TRAILERS_MAX; i++)
		if (!read_commit(repo, commits->pdata[i], key, result, error))
			return NULL;
	if (result->trailers->len >= REPO_TRAILERS_MAX) {
		g_ptr_array_set_size(result->trailers, REPO_TRAILERS_MAX);
		result->is_cut = TRUE;
	}
	return g_steal_pointer(&result);
}
