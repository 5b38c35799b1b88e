/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repo.h"

#include "core/error.h"
#include "core/git/gitcleanup.h"
#include "core/git/lfspointer.h"

#include <string.h>
#include <sys/stat.h>

#define MAX_FILE_BYTES ((size_t)64 * 1024 * 1024)

struct Repo {
	git_repository *git;
	char *gitdir, *commondir, *workdir;
};

/* --- libgit2 --- */

/* The search paths of the configuration stay as they are: `safe.directory` is honoured only from the user's own files,
 * and the other settings libgit2 reads cannot run anything. The extensions are those whose repositories it reads
 * correctly although it does not know them. libgit2 stays up until the process ends. */
static void start_libgit2(void)
{
	static gsize once = 0;
	static const char *extensions[] = {"worktreeconfig", "partialclone", "relativeworktrees"};
	if (!g_once_init_enter(&once))
		return;
	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 1);
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, G_N_ELEMENTS(extensions));
	g_once_init_leave(&once, 1);
}

static const char *last_message(void)
{
	const git_error *last = git_error_last();
	return last == NULL || last->message == NULL ? "unknown libgit2 error" : last->message;
}

gboolean repo_misses_object(void)
{
	const git_error *last = git_error_last();
	return last != NULL && last->klass == GIT_ERROR_ODB;
}

gboolean repo_set_error(GError **error, int code, int rc, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	gboolean missing = rc == GIT_ENOTFOUND && repo_misses_object();
	g_set_error(error, FIREBREAK_ERROR, missing ? FIREBREAK_ERROR_USAGE : code, "%s: %s%s", what, last_message(),
	        missing ? "; if this is a partial clone, clone without --filter" : "");
	return FALSE;
}

git_tree *repo_lookup_tree(git_repository *git, const char *sha, GError **error)
{
	git_oid oid;
	git_tree *tree = NULL;
	if (strlen(sha) != GIT_OID_HEXSZ || git_oid_fromstr(&oid, sha) != 0) {
		firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "\"%s\" is not a full SHA of 40 hex digits", sha);
		return NULL;
	}
	int rc = git_tree_lookup(&tree, git, &oid);
	if (rc != 0)
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read tree %s", sha);
	return tree;
}

static gboolean fail(GError **error, FirebreakError code, const char *format, ...) G_GNUC_PRINTF(3, 4);

static gboolean fail(GError **error, FirebreakError code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, FIREBREAK_ERROR, (int)code, text);
	return FALSE;
}

char *repo_oid_text(const git_oid *oid)
{
	char hex[GIT_OID_HEXSZ + 1];
	return g_strdup(git_oid_tostr(hex, sizeof hex, oid));
}

/* --- opening --- */

static char *without_slash(const char *path)
{
	if (path == NULL)
		return NULL;
	gsize length = strlen(path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	return g_strndup(path, length);
}

/* The name of the repository at or above `path`: its working tree, or its git folder if it is bare, as git says it. */
static char *repository_name(const char *path)
{
	g_auto(git_buf) found = {0};
	if (git_repository_discover(&found, path, 0, NULL) != 0)
		return g_strdup(path);
	g_autofree char *gitdir = without_slash(found.ptr);
	return g_str_has_suffix(gitdir, "/.git") ? g_path_get_dirname(gitdir) : g_steal_pointer(&gitdir);
}

static gboolean open_error(const char *path, int rc, GError **error)
{
	const char *message = last_message();
	/* libgit2 1.5 reports another owner like this where the user's configuration has no safe.directory at all. */
	if (rc == GIT_EOWNER || strstr(message, "safe.directory") != NULL) {
		g_autofree char *name = repository_name(path);
		return fail(error, FIREBREAK_ERROR_USAGE,
		        "repository %s belongs to another user; if you trust it, run: git config --global --add "
		        "safe.directory %s",
		        name, name);
	}
	if (rc == GIT_ENOTFOUND) {
		g_autofree char *absolute = g_canonicalize_filename(path, NULL);
		return fail(error, FIREBREAK_ERROR_USAGE,
		        "%s is not inside a git repository; run firebreak in a clone or name one with -C", absolute);
	}
	if (strstr(message, "extension") != NULL || strstr(message, "repository version") != NULL)
		return fail(error, FIREBREAK_ERROR_ENVIRONMENT,
		        "the repository of %s has a format that libgit2 %s cannot read: %s", path, LIBGIT2_VERSION,
		        message);
	return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot open the repository of %s", path);
}

static Repo *open_with(const char *path, unsigned int flags, GError **error)
{
	start_libgit2();
	git_repository *git = NULL;
	int rc = git_repository_open_ext(&git, path, flags, NULL);
	if (rc != 0) {
		open_error(path, rc, error);
		return NULL;
	}
	Repo *repo = g_new0(Repo, 1);
	repo->git = git;
	repo->gitdir = without_slash(git_repository_path(git));
	repo->commondir = without_slash(git_repository_commondir(git));
	repo->workdir = without_slash(git_repository_workdir(git));
	return repo;
}

Repo *repo_open(const char *path, GError **error)
{
	return open_with(path, 0, error);
}

Repo *repo_open_exact(const char *path, GError **error)
{
	return open_with(path, GIT_REPOSITORY_OPEN_NO_SEARCH, error);
}

Repo *repo_open_gitdir(const char *gitdir, GError **error)
{
	return open_with(gitdir, GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE, error);
}

void repo_free(Repo *repo)
{
	if (repo == NULL)
		return;
	git_repository_free(repo->git);
	g_free(repo->gitdir);
	g_free(repo->commondir);
	g_free(repo->workdir);
	g_free(repo);
}

git_repository *repo_handle(Repo *repo)
{
	return repo->git;
}

const char *repo_path_gitdir(Repo *repo)
{
	return repo->gitdir;
}

const char *repo_path_commondir(Repo *repo)
{
	return repo->commondir;
}

const char *repo_path_workdir(Repo *repo)
{
	return repo->workdir;
}

/* libgit2's own answer is wrong in a linked working tree: the file is in the common folder. */
gboolean repo_is_shallow(Repo *repo)
{
	g_autofree char *path = g_build_filename(repo->commondir, "shallow", NULL);
	struct stat info;
	return stat(path, &info) == 0 && info.st_size > 0;
}

/* --- references --- */

static char *symbolic_target(Repo *repo, const char *name)
{
	g_autoptr(git_reference) ref = NULL;
	if (git_reference_lookup(&ref, repo->git, name) != 0)
		return NULL;
	return g_strdup(git_reference_symbolic_target(ref));
}

static gboolean has_reference(Repo *repo, const char *name)
{
	git_oid oid;
	return git_reference_name_to_id(&oid, repo->git, name) == 0;
}

char *repo_default_branch(Repo *repo)
{
	static const char *const names[] = {
	        "refs/remotes/origin/main", "refs/heads/main", "refs/remotes/origin/master", "refs/heads/master"};
	g_autofree char *target = symbolic_target(repo, "refs/remotes/origin/HEAD");
	if (target != NULL && has_reference(repo, target))
		return g_steal_pointer(&target);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (has_reference(repo, names[i]))
			return g_strdup(names[i]);
	return NULL;
}

/* --- commits --- */

static gboolean unknown_revision(Repo *repo, const char *revision, GError **error)
{
	g_autofree char *remote = g_strconcat("refs/remotes/origin/", revision, NULL);
	if (has_reference(repo, remote))
		return fail(error, FIREBREAK_ERROR_USAGE, "revision \"%s\" is unknown; did you mean \"origin/%s\"?",
		        revision, revision);
	if (repo_is_shallow(repo))
		return fail(error, FIREBREAK_ERROR_USAGE,
		        "revision \"%s\" is not in this shallow clone; set fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 "
		        "(GitLab), or run git fetch --unshallow",
		        revision);
	if (g_str_equal(revision, "HEAD"))
		return fail(error, FIREBREAK_ERROR_USAGE, "this repository has no commit yet; commit first");
	return fail(
	        error, FIREBREAK_ERROR_USAGE, "revision \"%s\" is unknown; check its name or run git fetch", revision);
}

/* Digits of the beginning of a SHA that a revision can begin with; 0 if it does not. A whole SHA is never a name. */
static gsize abbreviation_length(const char *revision)
{
	gsize digits = strspn(revision, "0123456789abcdefABCDEF");
	gboolean ends = revision[digits] == '\0' || strchr("~^@:", revision[digits]) != NULL;
	return ends && digits >= GIT_OID_MINPREFIXLEN && digits < GIT_OID_HEXSZ ? digits : 0;
}

/* Refuses a branch or tag whose name is the digits of another commit. Git itself would take the name without a
 * warning. */
static gboolean check_unambiguous(Repo *repo, const char *revision, GError **error)
{
	git_oid prefix;
	gsize digits = abbreviation_length(revision);
	g_autofree char *name = g_strndup(revision, digits);
	g_autoptr(git_reference) reference = NULL;
	g_autoptr(git_object) named = NULL, commit = NULL;
	if (digits == 0 || git_reference_dwim(&reference, repo->git, name) != 0 ||
	        git_oid_fromstrn(&prefix, name, digits) != 0 ||
	        git_object_lookup_prefix(&commit, repo->git, &prefix, digits, GIT_OBJECT_COMMIT) != 0)
		return TRUE;
	if (git_reference_peel(&named, reference, GIT_OBJECT_COMMIT) == 0 &&
	        git_oid_equal(git_object_id(named), git_object_id(commit)))
		return TRUE;
	g_autofree char *sha = repo_oid_text(git_object_id(commit));
	return fail(error, FIREBREAK_ERROR_USAGE,
	        "\"%s\" is the name of %s and the beginning of commit %s; write the full name or the full SHA", name,
	        git_reference_name(reference), sha);
}

gboolean repo_resolve(Repo *repo, const char *revision, char **sha, GError **error)
{
	g_autoptr(git_object) object = NULL, commit = NULL;
	if (!check_unambiguous(repo, revision, error))
		return FALSE;
	int rc = git_revparse_single(&object, repo->git, revision);
	if (rc == GIT_EAMBIGUOUS)
		return fail(error, FIREBREAK_ERROR_USAGE, "revision \"%s\" is ambiguous; give more of its digits",
		        revision);
	if (rc != 0)
		return unknown_revision(repo, revision, error);
	rc = git_object_peel(&commit, object, GIT_OBJECT_COMMIT);
	if (rc == GIT_ENOTFOUND)
		return unknown_revision(repo, revision, error);
	if (rc != 0)
		return fail(error, FIREBREAK_ERROR_USAGE, "revision \"%s\" names a %s, not a commit", revision,
		        git_object_type2string(git_object_type(object)));
	*sha = repo_oid_text(git_object_id(commit));
	return TRUE;
}

char *repo_resolve_at(const char *path, const char *revision, GError **error)
{
	char *sha = NULL;
	g_autoptr(Repo) repo = repo_open(path, error);
	return repo != NULL && repo_resolve(repo, revision, &sha, error) ? sha : NULL;
}

static gboolean parse_sha(const char *sha, git_oid *oid, GError **error)
{
	if (strlen(sha) == GIT_OID_HEXSZ && git_oid_fromstr(oid, sha) == 0)
		return TRUE;
	return fail(error, FIREBREAK_ERROR_USAGE, "\"%s\" is not a full SHA of 40 hex digits", sha);
}

static git_commit *lookup_commit(Repo *repo, const char *sha, GError **error)
{
	git_oid oid;
	git_commit *commit = NULL;
	if (!parse_sha(sha, &oid, error))
		return NULL;
	int rc = git_commit_lookup(&commit, repo->git, &oid);
	if (rc == GIT_ENOTFOUND)
		fail(error, FIREBREAK_ERROR_USAGE, "commit %s is not in this clone; run git fetch --depth=1 origin %s",
		        sha, sha);
	else if (rc != 0)
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read commit %s", sha);
	return commit;
}

gboolean repo_has_commit(Repo *repo, const char *sha)
{
	g_autoptr(git_commit) commit = lookup_commit(repo, sha, NULL);
	return commit != NULL;
}

gboolean repo_commit_tree(Repo *repo, const char *sha, char **tree_sha, GError **error)
{
	g_autoptr(git_commit) commit = lookup_commit(repo, sha, error);
	if (commit == NULL)
		return FALSE;
	*tree_sha = repo_oid_text(git_commit_tree_id(commit));
	return TRUE;
}

gboolean repo_commit_subject(Repo *repo, const char *sha, char **subject, GError **error)
{
	g_autoptr(git_commit) commit = lookup_commit(repo, sha, error);
	if (commit == NULL)
		return FALSE;
	const char *summary = git_commit_summary(commit);
	*subject = g_strdup(summary == NULL ? "" : summary);
	return TRUE;
}

gboolean repo_commit_time(Repo *repo, const char *sha, gint64 *seconds, GError **error)
{
	g_autoptr(git_commit) commit = lookup_commit(repo, sha, error);
	if (commit == NULL)
		return FALSE;
	*seconds = git_commit_time(commit);
	return TRUE;
}

gboolean repo_commit_parents(Repo *repo, const char *sha, char ***parents, GError **error)
{
	g_autoptr(git_commit) commit = lookup_commit(repo, sha, error);
	if (commit == NULL)
		return FALSE;
	unsigned int count = git_commit_parentcount(commit);
	*parents = g_new0(char *, count + 1);
	for (unsigned int i = 0; i < count; i++)
		(*parents)[i] = repo_oid_text(git_commit_parent_id(commit, i));
	return TRUE;
}

gboolean repo_merge_base(Repo *repo, const char *a, const char *b, char **sha, GError **error)
{
	git_oid one, two, base;
	if (!parse_sha(a, &one, error) || !parse_sha(b, &two, error))
		return FALSE;
	if (repo_is_shallow(repo))
		return fail(error, FIREBREAK_ERROR_USAGE,
		        "cannot find the merge base of %.12s and %.12s in a shallow clone; set fetch-depth: 0 "
		        "(GitHub) or GIT_DEPTH: 0 (GitLab), or run git fetch --unshallow",
		        a, b);
	int rc = git_merge_base(&base, repo->git, &one, &two);
	if (rc == GIT_ENOTFOUND && repo_has_commit(repo, a) && repo_has_commit(repo, b))
		return fail(error, FIREBREAK_ERROR_USAGE, "commits %.12s and %.12s have no common ancestor", a, b);
	if (rc != 0)
		return repo_set_error(
		        error, FIREBREAK_ERROR_STORAGE, rc, "cannot find the merge base of %.12s and %.12s", a, b);
	*sha = repo_oid_text(&base);
	return TRUE;
}

/* --- files --- */

static gboolean check_size(Repo *repo, const git_oid *oid, const char *path, GError **error)
{
	g_autoptr(git_odb) odb = NULL;
	size_t size = 0;
	git_object_t type;
	int rc = git_repository_odb(&odb, repo->git);
	if (rc == 0)
		rc = git_odb_read_header(&size, &type, odb, oid);
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read %s", path);
	if (size > MAX_FILE_BYTES)
		return fail(error, FIREBREAK_ERROR_USAGE, "%s is larger than the 64 MiB that are read", path);
	return TRUE;
}

static gboolean read_blob(Repo *repo, const git_oid *oid, const char *path, char **text, gsize *length, GError **error)
{
	g_autoptr(git_blob) blob = NULL;
	if (!check_size(repo, oid, path, error))
		return FALSE;
	int rc = git_blob_lookup(&blob, repo->git, oid);
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read %s", path);
	gsize size = (gsize)git_blob_rawsize(blob);
	*text = g_malloc(size + 1);
	memcpy(*text, git_blob_rawcontent(blob), size);
	(*text)[size] = '\0';
	if (length != NULL)
		*length = size;
	return TRUE;
}

gboolean repo_read_tree_file(
        Repo *repo, const char *tree_sha, const char *path, char **text, gsize *length, GError **error)
{
	git_oid oid;
	g_autoptr(git_tree) tree = NULL;
	g_autoptr(git_tree_entry) entry = NULL;
	if (!parse_sha(tree_sha, &oid, error))
		return FALSE;
	int rc = git_tree_lookup(&tree, repo->git, &oid);
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read tree %s", tree_sha);
	rc = git_tree_entry_bypath(&entry, tree, path);
	if (rc == GIT_ENOTFOUND && !repo_misses_object()) {
		*text = NULL;
		return TRUE;
	}
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read %s", path);
	git_filemode_t mode = git_tree_entry_filemode(entry);
	if (mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE)
		return fail(error, FIREBREAK_ERROR_USAGE, "%s is not a regular file", path);
	return read_blob(repo, git_tree_entry_id(entry), path, text, length, error);
}

gboolean repo_read_file(
        Repo *repo, const char *commit_sha, const char *path, char **text, gsize *length, GError **error)
{
	g_autofree char *tree_sha = NULL;
	if (!repo_commit_tree(repo, commit_sha, &tree_sha, error))
		return FALSE;
	if (repo_read_tree_file(repo, tree_sha, path, text, length, error))
		return TRUE;
	g_prefix_error(error, "commit %.12s: ", commit_sha);
	return FALSE;
}

/* --- the working tree --- */

/* TRUE if the path is outside a sparse checkout: absent from the working tree on purpose. */
static gboolean is_left_out(git_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index, path, 0);
	return entry != NULL && (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
}

/* TRUE if git has a Git LFS pointer there, and the working tree the contents that it names: that is no change. */
static gboolean is_fetched_pointer(git_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index, path, 0);
	git_repository *own = git_index_owner(index);
	g_autoptr(git_blob) blob = NULL;
	if (entry == NULL || git_blob_lookup(&blob, own, &entry->id) != 0)
		return FALSE;
	g_autofree char *file = g_build_filename(git_repository_workdir(own), path, NULL);
	return lfs_pointer_matches(git_blob_rawcontent(blob), (gsize)git_blob_rawsize(blob), file);
}

static int skip_unchanged(const char *path, const char *matched, void *index)
{
	(void)matched;
	return is_left_out(index, path) || is_fetched_pointer(index, path) ? 1 : 0;
}

gboolean repo_worktree_tree(Repo *repo, char **tree_sha, GError **error)
{
	if (repo->workdir == NULL)
		return fail(error, FIREBREAK_ERROR_USAGE, "repository %s is bare: it has no working tree to measure",
		        repo->gitdir);
	/* A handle of its own, whose index is changed in memory and never written. */
	g_autoptr(git_repository) own = NULL;
	g_autoptr(git_index) index = NULL;
	git_oid oid;
	int rc = git_repository_open_ext(&own, repo->workdir, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	if (rc == 0)
		rc = git_repository_index(&index, own);
	if (rc == 0)
		rc = git_index_add_all(index, NULL, GIT_INDEX_ADD_DEFAULT, skip_unchanged, index);
	if (rc == 0)
		rc = git_index_write_tree(&oid, index);
	if (rc != 0)
		return repo_set_error(
		        error, FIREBREAK_ERROR_STORAGE, rc, "cannot read the working tree %s", repo->workdir);
	*tree_sha = repo_oid_text(&oid);
	return TRUE;
}
