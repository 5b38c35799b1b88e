/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/ancestry.h"

#include "model/textpiece.h"

#include <string.h>

/* Dates come from the clocks of those who committed, so a parent may seem younger than its child by this much. */
#define CLOCK_SLOP_S (24 * 60 * 60)

typedef struct {
	char *sha;
	gint64 time_s;
	char **parents;   /* SHAs; NULL until the walk came here */
	guint n_children; /* children that the walk met and that are not in the result yet */
	gboolean is_listed;
} Node;

typedef struct {
	Repo *repo;
	GHashTable *nodes;   /* SHA -> Node, owns the nodes */
	GSequence *frontier; /* of Node, newest first */
} Walk;

static void node_free(gpointer data)
{
	Node *node = data;
	g_free(node->sha);
	g_strfreev(node->parents);
	g_free(node);
}

static gint compare_newest_first(gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
	const Node *x = a, *y = b;
	if (x->time_s != y->time_s)
		return x->time_s > y->time_s ? -1 : 1;
	return strcmp(y->sha, x->sha);
}

static Node *take_first(GSequence *sequence)
{
	GSequenceIter *first = g_sequence_get_begin_iter(sequence);
	Node *node = g_sequence_get(first);
	g_sequence_remove(first);
	return node;
}

/* The node of a commit, new ones joining the frontier; *node is NULL if the clone lacks the commit. */
static gboolean find_or_add(Walk *walk, const char *sha, Node **node, GError **error)
{
	gint64 time_s;
	*node = g_hash_table_lookup(walk->nodes, sha);
	if (*node != NULL || !repo_has_commit(walk->repo, sha))
		return TRUE;
	if (!repo_commit_time(walk->repo, sha, &time_s, error))
		return FALSE;
	*node = g_new0(Node, 1);
	(*node)->sha = g_strdup(sha);
	(*node)->time_s = time_s;
	g_hash_table_insert(walk->nodes, (*node)->sha, *node);
	g_sequence_insert_sorted(walk->frontier, *node, compare_newest_first, NULL);
	return TRUE;
}

/* Follows the parents of everything down to `oldest_s`. */
static gboolean walk_down(Walk *walk, gint64 oldest_s, GError **error)
{
	while (!g_sequence_is_empty(walk->frontier)) {
		Node *node = take_first(walk->frontier), *parent;
		if (node->time_s < oldest_s - CLOCK_SLOP_S)
			return TRUE;
		if (!repo_commit_parents(walk->repo, node->sha, &node->parents, error))
			return FALSE;
		for (char **sha = node->parents; *sha != NULL; sha++) {
			if (!find_or_add(walk, *sha, &parent, error))
				return FALSE;
			if (parent != NULL)
				parent->n_children++;
		}
	}
	return TRUE;
}

/* Children before parents; the listed ones go to `result`, newest first. */
static void take_in_order(Walk *walk, GPtrArray *result)
{
	g_autoptr(GSequence) ready = g_sequence_new(NULL);
	GHashTableIter iter;
	gpointer value;
	g_hash_table_iter_init(&iter, walk->nodes);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		if (((Node *)value)->n_children == 0)
			g_sequence_insert_sorted(ready, value, compare_newest_first, NULL);
	}
	while (!g_sequence_is_empty(ready)) {
		Node *node = take_first(ready);
		if (node->is_listed)
			g_ptr_array_add(result, g_strdup(node->sha));
		for (char **sha = node->parents; sha != NULL && *sha != NULL; sha++) {
			Node *parent = g_hash_table_lookup(walk->nodes, *sha);
			if (parent != NULL && --parent->n_children == 0)
				g_sequence_insert_sorted(ready, parent, compare_newest_first, NULL);
		}
	}
}

/* Puts the unknown commits and then `newest_first` backwards in the place of `commits`. */
static void replace_contents(GPtrArray *commits, GPtrArray *unknown, GPtrArray *newest_first)
{
	g_ptr_array_sort(unknown, text_order);
	g_ptr_array_set_size(commits, 0);
	for (guint i = 0; i < unknown->len; i++)
		g_ptr_array_add(commits, g_strdup(unknown->pdata[i]));
	for (guint i = newest_first->len; i-- > 0;)
		g_ptr_array_add(commits, g_strdup(newest_first->pdata[i]));
}

gboolean ancestry_sort(Repo *repo, GPtrArray *commits, GError **error)
{
	g_autoptr(GHashTable) nodes = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, node_free);
	g_autoptr(GSequence) frontier = g_sequence_new(NULL);
	g_autoptr(GPtrArray) unknown = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) newest_first = g_ptr_array_new_with_free_func(g_free);
	Walk walk = {repo, nodes, frontier};
	gint64 oldest_s = G_MAXINT64;
	for (guint i = 0; i < commits->len; i++) {
		Node *node;
		if (!find_or_add(&walk, commits->pdata[i], &node, error))
			return FALSE;
		if (node == NULL) {
			g_ptr_array_add(unknown, g_strdup(commits->pdata[i]));
			continue;
		}
		node->is_listed = TRUE;
		oldest_s = MIN(oldest_s, node->time_s);
	}
	if (!walk_down(&walk, oldest_s, error))
		return FALSE;
	take_in_order(&walk, newest_first);
	replace_contents(commits, unknown, newest_first);
	return TRUE;
}
