/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/refstore.h"

#include "baselines/git/objectread.h"
#include "baselines/git/refprefix.h"
#include "core/error.h"
#include "model/textpiece.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 60000
#define MAX_PREFIX_BYTES 200

struct RefStore {
	Repo *repo;
	git_repository *git; /* borrowed from repo */
	char *prefix;
	guint patience_ms;
	FindingList *findings; /* borrowed */
	PackWatch packs;
};

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_reference_iterator, git_reference_iterator_free)

/* --- the prefix --- */

/* Places to which git, or a host of repositories, gives a meaning; in any case of letters, as some file systems see
 * them. */
static const char *const taken_prefixes[] = {"refs/heads/", "refs/tags/", "refs/remotes/", "refs/notes/",
        "refs/replace/", "refs/pull/", "refs/pull-requests/", "refs/merge-requests/", "refs/merge/", "refs/changes/",
        "refs/for/", "refs/drafts/", "refs/meta/", "refs/users/", "refs/groups/", "refs/keep-around/",
        "refs/environments/", "refs/pipelines/", "refs/prefetch/", "refs/bundle/", "refs/bundles/", "refs/worktree/",
        "refs/bisect/", "refs/rewritten/", "refs/original/", "refs/stash/"};

static gboolean is_taken(const char *prefix)
{
	for (gsize i = 0; i < G_N_ELEMENTS(taken_prefixes); i++)
		if (g_ascii_strncasecmp(prefix, taken_prefixes[i], strlen(taken_prefixes[i])) == 0)
			return TRUE;
	return FALSE;
}

static gboolean check_prefix(const char *prefix, GError **error)
{
	g_autofree char *example = g_strdup_printf("%s%040d", prefix, 0);
	gboolean ok = g_str_has_prefix(prefix, "refs/") && strlen(prefix) > strlen("refs/") &&
	              g_str_has_suffix(prefix, "/") && strlen(prefix) <= MAX_PREFIX_BYTES;
	int valid = 0;
	ok = ok && git_reference_name_is_valid(&valid, example) == 0 && valid != 0;
	ok = ok && !is_taken(prefix);
	if (!ok)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "'%s' cannot be the prefix of baselines; take one such as " BASELINE_STORE_PREFIX
		        " that ends with a slash and that git does not use itself",
		        prefix);
	return ok;
}

/* The prefix that the repository's configuration sets; NULL with *error set if that cannot be read. Owned by the
 * caller. */
static char *configured_prefix(git_repository *git, GError **error)
{
	git_config *config = NULL;
	const char *value = NULL;
	int rc = git_repository_config_snapshot(&config, git);
	if (rc == 0)
		rc = git_config_get_string(&value, config, "firebreak.prefix");
	char *prefix = g_strdup(rc == 0 ? value : BASELINE_STORE_PREFIX);
	git_config_free(config);
	if (rc == 0 || rc == GIT_ENOTFOUND)
		return prefix;
	g_free(prefix);
	repo_set_error(error, FIREBREAK_ERROR_STORAGE, GIT_ERROR, "reading the git configuration");
	return NULL;
}

RefStore *ref_store_open(const char *repo_path, const char *prefix, GError **error)
{
	g_autoptr(Repo) repo = repo_open(repo_path, error);
	if (repo == NULL)
		return NULL;
	g_autofree char *chosen = prefix != NULL ? g_strdup(prefix) : configured_prefix(repo_handle(repo), error);
	if (chosen == NULL || !check_prefix(chosen, error))
		return NULL;
	RefStore *store = g_new0(RefStore, 1);
	store->repo = g_steal_pointer(&repo);
	store->git = repo_handle(store->repo);
	store->prefix = g_steal_pointer(&chosen);
	store->patience_ms = PATIENCE_MS;
	return store;
}

void ref_store_free(RefStore *store)
{
	if (store == NULL)
		return;
	repo_free(store->repo);
	g_free(store->prefix);
	g_free(store);
}

void ref_store_set_patience(RefStore *store, guint patience_ms)
{
	store->patience_ms = patience_ms;
}

void ref_store_set_findings(RefStore *store, FindingList *findings)
{
	store->findings = findings;
}

FindingList *ref_store_findings(const RefStore *store)
{
	return store->findings;
}

Repo *ref_store_repo(const RefStore *store)
{
	return store->repo;
}

const char *ref_store_prefix(const RefStore *store)
{
	return store->prefix;
}

guint ref_store_patience(const RefStore *store)
{
	return store->patience_ms;
}

PackWatch *ref_store_packs(RefStore *store)
{
	return &store->packs;
}

/* --- names --- */

gboolean ref_store_check_commit(const char *commit, GError **error)
{
	if (text_hex_digits(commit) == GIT_OID_HEXSZ)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        "'%s' is not the full SHA of a commit; only measurements of commits are stored", commit);
	return FALSE;
}

char *ref_store_name(const RefStore *store, const char *commit, GError **error)
{
	return ref_store_check_commit(commit, error) ? g_strconcat(store->prefix, commit, NULL) : NULL;
}

static void add_commit(GHashTable *commits, const char *name)
{
	if (text_hex_digits(name) == GIT_OID_HEXSZ)
		g_hash_table_add(commits, g_strdup(name));
}

/* Refs whose file holds no value are skipped by libgit2, but must be seen: they are damaged, not absent. So is a folder
 * that the machine does not let be read. */
static gboolean add_files(const RefStore *store, GHashTable *commits, GError **error)
{
	const struct dirent *entry;
	g_autofree char *path = g_build_filename(repo_path_commondir(store->repo), store->prefix, NULL);
	DIR *folder = opendir(path);
	if (folder == NULL)
		return errno == ENOENT || firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", path);
	for (errno = 0; (entry = readdir(folder)) != NULL; errno = 0)
		add_commit(commits, entry->d_name);
	int failed = errno;
	closedir(folder);
	return failed == 0 || firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, failed, "%s", path);
}

/* TRUE if a file of the git folder can be read or is absent. This is checked because libgit2 takes a file that it
 * cannot read for absent. */
static gboolean check_file(const RefStore *store, const char *name, GError **error)
{
	char byte;
	g_autofree char *path = g_build_filename(repo_path_commondir(store->repo), name, NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 ? read(fd, &byte, 1) >= 0 || errno == EISDIR : errno == ENOENT || errno == ENOTDIR;
	int failed = errno;
	if (fd >= 0)
		close(fd);
	return ok || firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, failed, "%s", path);
}

static GPtrArray *sorted_names(GHashTable *names)
{
	GPtrArray *list = g_ptr_array_new_full(g_hash_table_size(names), g_free);
	GHashTableIter iter;
	gpointer name;
	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		g_ptr_array_add(list, g_strdup(name));
	g_ptr_array_sort(list, text_order);
	return list;
}

GPtrArray *ref_store_commits(RefStore *store, GError **error)
{
	g_autoptr(GHashTable) commits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(git_reference_iterator) iterator = NULL;
	g_autofree char *glob = g_strconcat(store->prefix, "*", NULL);
	const char *name;
	if (!check_file(store, "packed-refs", error))
		return NULL;
	int rc = git_reference_iterator_glob_new(&iterator, store->git, glob);
	while (rc == 0 && (rc = git_reference_next_name(&name, iterator)) == 0)
		add_commit(commits, name + strlen(store->prefix));
	if (rc != GIT_ITEROVER) {
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "listing %s", glob);
		return NULL;
	}
	return add_files(store, commits, error) ? sorted_names(commits) : NULL;
}

/* --- reading --- */

/* The id a ref points to; *found is FALSE if there is no such ref. That there is none is believed only if the files in
 * which it would be can be read, or are not there, and a second look says the same. */
static gboolean read_ref(RefStore *store, const char *ref_name, git_oid *tip, gboolean *found, GError **error)
{
	g_autoptr(git_reference) ref = NULL;
	int rc = git_reference_lookup(&ref, store->git, ref_name);
	if (rc == GIT_ENOTFOUND) {
		if (!check_file(store, ref_name, error) || !check_file(store, "packed-refs", error))
			return FALSE;
		rc = git_reference_lookup(&ref, store->git, ref_name);
	}
	*found = rc == 0;
	if (rc != 0)
		return rc == GIT_ENOTFOUND || object_read_fail(error, ref_name);
	if (git_reference_type(ref) != GIT_REFERENCE_DIRECT)
		return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
		        "%s is damaged: it is a symbolic ref, so that what it points to would be changed", ref_name);
	*tip = *git_reference_target(ref);
	return TRUE;
}

gboolean ref_store_tip(RefStore *store, const char *commit, git_oid *tip, gboolean *found, GError **error)
{
	g_autofree char *ref_name = ref_store_name(store, commit, error);
	return ref_name != NULL && read_ref(store, ref_name, tip, found, error);
}

RefSnapshot *ref_store_snapshot(RefStore *store, const char *commit, GError **error)
{
	git_oid tip;
	gboolean found;
	g_autofree char *ref_name = ref_store_name(store, commit, error);
	if (ref_name == NULL || !read_ref(store, ref_name, &tip, &found, error) || !found)
		return NULL;
	return ref_snapshot_at(store->git, ref_name, &tip, error);
}
