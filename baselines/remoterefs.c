/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/remoterefs.h"

#include "baselines/git/gitprogram.h"
#include "baselines/git/refdelete.h"
#include "baselines/refwrite.h"
#include "core/error.h"
#include "model/textpiece.h"

#include <string.h>
#include <unistd.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_reference_iterator, git_reference_iterator_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(git_strarray, git_strarray_dispose)

/* --- the remote --- */

gboolean remote_refs_is_name(RefStore *store, const char *name)
{
	g_auto(git_strarray) names = {NULL, 0};
	if (git_remote_list(&names, repo_handle(ref_store_repo(store))) != 0)
		return FALSE;
	for (size_t i = 0; i < names.count; i++)
		if (g_str_equal(names.strings[i], name))
			/* git would take such a name for an option. */
			return name[0] != '-';
	return FALSE;
}

/* Owned by the caller; NULL if it is not clear which one is meant. */
static char *usual_remote(RefStore *store)
{
	g_auto(git_strarray) names = {NULL, 0};
	if (remote_refs_is_name(store, "origin"))
		return g_strdup("origin");
	if (git_remote_list(&names, repo_handle(ref_store_repo(store))) == 0 && names.count == 1 &&
	        names.strings[0][0] != '-')
		return g_strdup(names.strings[0]);
	return NULL;
}

RemoteRefs *remote_refs_open(RefStore *store, const char *name, GError **error)
{
	if (name != NULL && !remote_refs_is_name(store, name)) {
		firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "there is no remote '%s'; `git remote` lists them, `git remote add` makes one", name);
		return NULL;
	}
	g_autofree char *chosen = name != NULL ? g_strdup(name) : usual_remote(store);
	if (chosen == NULL) {
		firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "there is no remote 'origin'; name one that `git remote` lists");
		return NULL;
	}
	RemoteRefs *remote = g_new0(RemoteRefs, 1);
	remote->store = store;
	remote->name = g_steal_pointer(&chosen);
	return remote;
}

void remote_refs_free(RemoteRefs *remote)
{
	if (remote == NULL)
		return;
	g_free(remote->name);
	g_free(remote);
}

/* Runs git; one that fails is an error. */
static gboolean run_or_fail(const RemoteRefs *remote, const char *const *args, GitOutput *output, GError **error)
{
	if (!git_program_run(ref_store_repo(remote->store), args, NULL, output, error))
		return FALSE;
	if (output->exit_code == 0)
		return TRUE;
	return firebreak_refuse(
	        error, FIREBREAK_ERROR_STORAGE, "remote %s: git %s: %s", remote->name, args[0], output->reason);
}

/* --- listing --- */

/* Adds "<value> TAB <prefix><commit>". git matches the pattern with the end of a name, so others may be listed, too. */
static void add_line(GHashTable *refs, const char *line, const char *prefix)
{
	const char *tab = strchr(line, '\t');
	if (tab == NULL || tab - line != GIT_OID_HEXSZ || !g_str_has_prefix(tab + 1, prefix))
		return;
	const char *commit = tab + 1 + strlen(prefix);
	g_autofree char *value = g_strndup(line, GIT_OID_HEXSZ);
	if (text_hex_digits(commit) == GIT_OID_HEXSZ && text_hex_digits(value) == GIT_OID_HEXSZ)
		g_hash_table_insert(refs, g_strdup(commit), g_steal_pointer(&value));
}

/* Sets the value of a ref that stands for another one, "ref: <name> TAB <prefix><commit>", to "". */
static void take_symbolic(GHashTable *refs, const char *line, const char *prefix)
{
	const char *tab = strchr(line, '\t');
	if (tab != NULL && g_str_has_prefix(line, "ref: ") && g_str_has_prefix(tab + 1, prefix) &&
	        g_hash_table_contains(refs, tab + 1 + strlen(prefix)))
		g_hash_table_insert(refs, g_strdup(tab + 1 + strlen(prefix)), g_strdup(""));
}

GHashTable *remote_refs_list(const RemoteRefs *remote, GError **error)
{
	g_auto(GitOutput) output = {0};
	const char *prefix = ref_store_prefix(remote->store);
	g_autofree char *pattern = g_strconcat(prefix, "*", NULL);
	const char *const args[] = {"ls-remote", "--refs", "--symref", "--quiet", "--", remote->name, pattern, NULL};
	if (!run_or_fail(remote, args, &output, error))
		return NULL;
	GHashTable *refs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) lines = g_strsplit(output.out, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++)
		add_line(refs, lines[i], prefix);
	for (guint i = 0; lines[i] != NULL; i++)
		take_symbolic(refs, lines[i], prefix);
	return refs;
}

char *remote_refs_value(const RemoteRefs *remote, const char *ref_name, GError **error)
{
	g_auto(GitOutput) output = {0};
	g_autofree char *line_end = g_strconcat("\t", ref_name, NULL);
	const char *const args[] = {"ls-remote", "--refs", "--quiet", "--", remote->name, ref_name, NULL};
	if (!run_or_fail(remote, args, &output, error))
		return NULL;
	g_auto(GStrv) lines = g_strsplit(output.out, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++) {
		g_autofree char *value = g_strndup(lines[i], GIT_OID_HEXSZ);
		if (text_hex_digits(value) == GIT_OID_HEXSZ && g_str_equal(lines[i] + GIT_OID_HEXSZ, line_end))
			return g_steal_pointer(&value);
	}
	return NULL;
}

/* --- fetching --- */

static char *incoming_prefix(RefStore *store)
{
	const char *prefix = ref_store_prefix(store);
	return g_strdup_printf("%.*s-incoming/", (int)strlen(prefix) - 1, prefix);
}

/* The star after the SHA, which no name has anything in place of, makes a ref that the remote lacks no error. */
static char *fetch_refspec(const char *prefix, const char *incoming, const char *commit)
{
	return g_strdup_printf("+%s%s*:%s%s*", prefix, commit, incoming, commit);
}

gboolean remote_refs_fetch(const RemoteRefs *remote, const GPtrArray *commits, guint from, guint n, GError **error)
{
	/* Nothing that is configured for the user's own fetches happens besides: an empty --refmap leaves tracking
	 * branches alone, and with --no-filter all objects come in a partial clone, too. */
	static const char *const options[] = {"fetch", "--quiet", "--no-tags", "--no-prune", "--no-recurse-submodules",
	        "--no-write-fetch-head", "--no-show-forced-updates", "--no-filter", "--refmap=", "--"};
	g_auto(GitOutput) output = {0};
	g_autofree char *incoming = incoming_prefix(remote->store);
	g_autoptr(GPtrArray) args = g_ptr_array_new_with_free_func(g_free);
	g_assert(n <= REMOTE_REFS_BATCH && from + n <= commits->len);
	for (gsize i = 0; i < G_N_ELEMENTS(options); i++)
		g_ptr_array_add(args, g_strdup(options[i]));
	g_ptr_array_add(args, g_strdup(remote->name));
	for (guint i = from; i < from + n; i++)
		g_ptr_array_add(args, fetch_refspec(ref_store_prefix(remote->store), incoming, commits->pdata[i]));
	g_ptr_array_add(args, NULL);
	return run_or_fail(remote, (const char *const *)args->pdata, &output, error) &&
	       ref_store_sync_packs(remote->store, error);
}

GPtrArray *incoming_refs_list(RefStore *store, GError **error)
{
	g_autofree char *incoming = incoming_prefix(store);
	g_autofree char *glob = g_strconcat(incoming, "*", NULL);
	g_autoptr(git_reference_iterator) iterator = NULL;
	g_autoptr(GPtrArray) commits = g_ptr_array_new_with_free_func(g_free);
	const char *name;
	int rc = git_reference_iterator_glob_new(&iterator, repo_handle(ref_store_repo(store)), glob);
	while (rc == 0 && (rc = git_reference_next_name(&name, iterator)) == 0)
		if (text_hex_digits(name + strlen(incoming)) == GIT_OID_HEXSZ)
			g_ptr_array_add(commits, g_strdup(name + strlen(incoming)));
	if (rc != GIT_ITEROVER) {
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "listing %s", glob);
		return NULL;
	}
	g_ptr_array_sort(commits, text_order);
	return g_steal_pointer(&commits);
}

gboolean incoming_refs_tip(RefStore *store, const char *commit, git_oid *tip, GError **error)
{
	g_autofree char *incoming = incoming_prefix(store);
	g_autofree char *name = g_strconcat(incoming, commit, NULL);
	int rc = git_reference_name_to_id(tip, repo_handle(ref_store_repo(store)), name);
	return rc == 0 || repo_set_error(error, FIREBREAK_ERROR_STORAGE, GIT_ERROR, "reading %s", name);
}

/* Lock files there are those of a git that was killed: nobody else writes there. */
static void remove_left_locks(RefStore *store, const char *incoming)
{
	const char *name;
	g_autofree char *folder = g_build_filename(repo_path_commondir(ref_store_repo(store)), incoming, NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		if (g_str_has_suffix(name, ".lock"))
			(void)unlink(path);
	}
}

gboolean incoming_refs_clear(RefStore *store, GError **error)
{
	g_autofree char *incoming = incoming_prefix(store);
	remove_left_locks(store, incoming);
	g_autoptr(GPtrArray) commits = incoming_refs_list(store, error);
	if (commits == NULL)
		return FALSE;
	g_autoptr(GArray) deletions = g_array_new(FALSE, TRUE, sizeof(RefDeletion));
	for (guint i = 0; i < commits->len; i++) {
		RefDeletion deletion = {.commit = commits->pdata[i]};
		g_array_append_val(deletions, deletion);
	}
	return ref_delete_all(store, incoming, deletions, error);
}

/* --- pushing --- */

/* The options and refspecs of one call. */
static GPtrArray *push_arguments(const RemoteRefs *remote, const GArray *items, guint from, guint n)
{
	static const char *const options[] = {
	        "push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no"};
	const char *prefix = ref_store_prefix(remote->store);
	GPtrArray *args = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(args, g_strdup("-c"));
	/* git refuses refspecs where the remote is configured as a mirror. */
	g_ptr_array_add(args, g_strdup_printf("remote.%s.mirror=false", remote->name));
	for (gsize i = 0; i < G_N_ELEMENTS(options); i++)
		g_ptr_array_add(args, g_strdup(options[i]));
	for (guint i = from; i < from + n; i++) {
		const PushItem *item = &g_array_index(items, PushItem, i);
		g_ptr_array_add(
		        args, g_strdup_printf("--force-with-lease=%s%s:%s", prefix, item->commit, item->expected));
	}
	g_ptr_array_add(args, g_strdup("--"));
	g_ptr_array_add(args, g_strdup(remote->name));
	for (guint i = from; i < from + n; i++) {
		const PushItem *item = &g_array_index(items, PushItem, i);
		g_ptr_array_add(args, g_strdup_printf("%s:%s%s", item->tip, prefix, item->commit));
	}
	g_ptr_array_add(args, NULL);
	return args;
}

/* The outcome of one push. */
typedef struct {
	const RemoteRefs *remote;
	GHashTable *by_commit; /* what no line has been about yet: commit -> PushItem */
	char *reason;          /* why something was refused */
	char *failure;         /* why the remote gave no answer */
} PushTable;

static void push_table_clear(PushTable *table)
{
	g_clear_pointer(&table->by_commit, g_hash_table_unref);
	g_clear_pointer(&table->reason, g_free);
	g_clear_pointer(&table->failure, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PushTable, push_table_clear)

static void replace_text(char **text, const char *by)
{
	g_free(*text);
	*text = g_strdup(by);
}

static void take_result(PushTable *table, PushItem *item, char flag, const char *summary)
{
	if (flag != '!') {
		item->result = PUSH_DONE;
	} else if (g_str_has_prefix(summary, "[rejected]")) { /* by git on this side: the value is another one */
		item->result = PUSH_STALE;
	} else if (g_str_has_prefix(summary, "[remote rejected]")) {
		item->result = PUSH_REFUSED;
		replace_text(&table->reason, summary);
	} else {
		replace_text(&table->failure, summary);
	}
}

/* A line "<flag> TAB <from>:<to> TAB <summary>": sets the result of the item that it is about. */
static void take_line(PushTable *table, const char *line)
{
	const char *prefix = ref_store_prefix(table->remote->store);
	g_auto(GStrv) fields = g_strsplit(line, "\t", 3);
	if (g_strv_length(fields) != 3 || strlen(fields[0]) != 1)
		return;
	const char *to = strrchr(fields[1], ':');
	if (to == NULL || !g_str_has_prefix(to + 1, prefix))
		return;
	const char *commit = to + 1 + strlen(prefix);
	PushItem *item = g_hash_table_lookup(table->by_commit, commit);
	if (item == NULL)
		return;
	take_result(table, item, fields[0][0], fields[2]);
	g_hash_table_remove(table->by_commit, commit);
}

/* There was no answer at all about some. */
static gboolean take_silence(PushTable *table, const GitOutput *output, GError **error)
{
	gboolean silent = g_hash_table_size(table->by_commit) > 0;
	if (table->failure == NULL && !silent)
		return TRUE;
	if (table->failure != NULL || !output->is_denied)
		return firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "remote %s: git push: %s", table->remote->name,
		        *output->reason != '\0'  ? output->reason
		        : table->failure != NULL ? table->failure
		                                 : "it did not say whether it took some refs");
	replace_text(&table->reason, output->reason);
	return TRUE;
}

gboolean remote_refs_push(const RemoteRefs *remote, GArray *items, guint from, guint n, char **reason, GError **error)
{
	g_auto(GitOutput) output = {0};
	g_auto(PushTable) table = {.remote = remote, .by_commit = g_hash_table_new(g_str_hash, g_str_equal)};
	g_autoptr(GPtrArray) args = push_arguments(remote, items, from, n);
	g_assert(n <= REMOTE_REFS_BATCH && from + n <= items->len);
	if (!git_program_run(ref_store_repo(remote->store), (const char *const *)args->pdata, NULL, &output, error))
		return FALSE;
	for (guint i = from; i < from + n; i++) {
		PushItem *item = &g_array_index(items, PushItem, i);
		item->result = PUSH_REFUSED; /* unless a line says something else */
		g_hash_table_insert(table.by_commit, (gpointer)item->commit, item);
	}
	g_auto(GStrv) lines = g_strsplit(output.out, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++)
		take_line(&table, lines[i]);
	if (!take_silence(&table, &output, error))
		return FALSE;
	*reason = g_steal_pointer(&table.reason);
	return TRUE;
}
