/* SPDX-License-Identifier: Apache-2.0 */
/* Access to the user's git repository through libgit2: revisions, trees, the working tree. Checkouts are in
 * core/git/repocheckout.h.
 *
 * Nothing here runs a program, hook or filter, changes a ref, or touches the user's index or working tree. The only
 * thing written is objects (repo_worktree_tree). The user's git configuration is read, because `safe.directory`,
 * `core.excludesFile` and the like are the user's decisions; no setting in it makes libgit2 execute anything.
 * Replace refs and grafts are not followed: what is named by a SHA is what is measured.
 *
 * Commits and trees are named by their full SHA as lower-case hex, 40 digits. A Repo is used by one thread.
 * Errors: FIREBREAK_ERROR_USAGE for what the caller named wrongly or the clone lacks, FIREBREAK_ERROR_ENVIRONMENT for a
 * kind of repository that cannot be read, FIREBREAK_ERROR_STORAGE for damage and I/O. Outputs are owned by the caller
 * and untouched on failure. */
#pragma once

#include <glib.h>

typedef struct Repo Repo;
struct git_oid;
struct git_repository;
struct git_tree;

/* Opens the repository that holds `path`, looking upward through its parent folders. */
Repo *repo_open(const char *path, GError **error);
/* Opens exactly the git folder or working tree `path`, without looking upward. */
Repo *repo_open_exact(const char *path, GError **error);
/* Opens exactly the git folder `gitdir` without a working tree, even if its configuration names one that is gone. */
Repo *repo_open_gitdir(const char *gitdir, GError **error);
void repo_free(Repo *repo);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Repo, repo_free)

/* The libgit2 handle, borrowed, for layers that store objects and refs of their own. Owner validation, fsync and strict
 * hashes are in force once a Repo has been opened. */
struct git_repository *repo_handle(Repo *repo);
/* Sets *error to "<what>: <libgit2's last message>" with the given code; `rc` is what libgit2 returned. An object that
 * is missing becomes a usage error that speaks of partial clones. Returns FALSE. */
gboolean repo_set_error(GError **error, int code, int rc, const char *format, ...) G_GNUC_PRINTF(4, 5);
/* TRUE if libgit2 last failed to find an object, as in a partial clone, rather than a name or a path. */
gboolean repo_misses_object(void);
/* The 40 digits of an object's name. Owned by the caller. */
char *repo_oid_text(const struct git_oid *oid);
/* A tree by its full SHA; freed with git_tree_free(). Errors: FIREBREAK_ERROR_USAGE if it is none,
 * FIREBREAK_ERROR_STORAGE if it cannot be read. */
struct git_tree *repo_lookup_tree(struct git_repository *git, const char *sha, GError **error);

/* Absolute paths, ending without a slash; borrowed. The git folder of a linked working tree is its own; the common one
 * is that of the main repository. The working tree is NULL in a bare repository. */
const char *repo_path_gitdir(Repo *repo);
/* The git folder that all working trees of the repository share; borrowed. */
const char *repo_path_commondir(Repo *repo);
/* The working tree; borrowed, NULL for a bare repository. */
const char *repo_path_workdir(Repo *repo);
/* TRUE if the history is cut (`git clone --depth`); right also in linked working trees. */
gboolean repo_is_shallow(Repo *repo);

/* The full name of the default branch: where origin/HEAD points, else the first of origin/main, main, origin/master,
 * master that exists. NULL if there is none. */
char *repo_default_branch(Repo *repo);

/* The commit that a revision (SHA, branch, tag, HEAD~2, ...) names, tags peeled. A name of a branch or tag that is also
 * the beginning of another commit's SHA is refused. Unknown revisions are a usage error that says how to get them into
 * the clone. */
gboolean repo_resolve(Repo *repo, const char *revision, char **sha, GError **error);
/* The same in the repository at `path`, of which nothing else is wanted: the SHA, owned by the caller. */
char *repo_resolve_at(const char *path, const char *revision, GError **error);
/* TRUE if the commit is in this clone. */
gboolean repo_has_commit(Repo *repo, const char *sha);
/* The tree of a commit. */
gboolean repo_commit_tree(Repo *repo, const char *sha, char **tree_sha, GError **error);
/* First paragraph of the message of a commit on one line, as it is (foreign text, perhaps not UTF-8). */
gboolean repo_commit_subject(Repo *repo, const char *sha, char **subject, GError **error);
/* Committer time in seconds since 1970. */
gboolean repo_commit_time(Repo *repo, const char *sha, gint64 *seconds, GError **error);
/* SHAs of the parents as the commit names them, also those that are not in the clone. A GStrv, empty for a root commit.
 */
gboolean repo_commit_parents(Repo *repo, const char *sha, char ***parents, GError **error);
/* The best common ancestor of two commits. Refused in a shallow clone, where the answer could be wrong; histories
 * without a common commit are a usage error. */
gboolean repo_merge_base(Repo *repo, const char *a, const char *b, char **sha, GError **error);

/* The content of the regular file `path` (relative, `/` between folders) in a commit, with a NUL after it; *length may
 * be NULL. A missing file is no error: *text is NULL. At most 64 MiB. */
gboolean repo_read_file(
        Repo *repo, const char *commit_sha, const char *path, char **text, gsize *length, GError **error);
/* The same for a tree. */
gboolean repo_read_tree_file(
        Repo *repo, const char *tree_sha, const char *path, char **text, gsize *length, GError **error);

/* The tree of the uncommitted working tree: tracked files as they are now plus untracked ones that are not ignored.
 * Files outside a sparse checkout are taken as committed, and so are those of Git LFS that are as fetched; a submodule
 * counts with the commit it is at. The objects are written to the repository's store, the index is not; git's garbage
 * collection removes them in time. */
gboolean repo_worktree_tree(Repo *repo, char **tree_sha, GError **error);
