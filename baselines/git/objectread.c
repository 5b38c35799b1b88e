/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/objectread.h"

#include "baselines/git/looseobject.h"
#include "core/error.h"
#include "core/git/repo.h"

gboolean object_read_fail(GError **error, const char *what)
{
	const git_error *last = git_error_last();
	gboolean machine = last != NULL && (last->klass == GIT_ERROR_OS || last->klass == GIT_ERROR_NOMEMORY);
	return repo_set_error(error, machine ? FIREBREAK_ERROR_STORAGE : FIREBREAK_ERROR_BASELINE, GIT_ERROR,
	        "%s is damaged or missing (as in a partial clone)", what);
}

static gboolean check_loose(git_repository *git, const git_oid *id, const char *what, GError **error)
{
	char hex[GIT_OID_HEXSZ + 1];
	g_autofree char *folder = g_build_filename(git_repository_commondir(git), "objects", NULL);
	gboolean is_whole;
	if (!loose_object_check(folder, git_oid_tostr(hex, sizeof hex, id), &is_whole, error))
		return FALSE;
	if (is_whole)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
	        "%s is damaged: the data of object %s are cut or garbled", what, hex);
	return FALSE;
}

git_commit *object_read_commit(git_repository *git, const git_oid *id, const char *what, GError **error)
{
	git_commit *commit = NULL;
	if (!check_loose(git, id, what, error))
		return NULL;
	if (git_commit_lookup(&commit, git, id) != 0)
		object_read_fail(error, what);
	return commit;
}

git_tree *object_read_tree(git_repository *git, const git_oid *id, const char *what, GError **error)
{
	git_tree *tree = NULL;
	if (!check_loose(git, id, what, error))
		return NULL;
	if (git_tree_lookup(&tree, git, id) != 0)
		object_read_fail(error, what);
	return tree;
}

/* The object, NULL with *error set if it is not a blob of the allowed size. */
static git_odb_object *read_object(git_odb *odb, const git_oid *id, const char *what, GError **error)
{
	size_t size_bytes;
	git_object_t type;
	git_odb_object *object = NULL;
	if (git_odb_read_header(&size_bytes, &type, odb, id) != 0) {
		object_read_fail(error, what);
		return NULL;
	}
	if (type != GIT_OBJECT_BLOB || size_bytes > OBJECT_READ_MAX_BYTES) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "%s is not a file of at most %zu bytes",
		        what, OBJECT_READ_MAX_BYTES);
		return NULL;
	}
	if (git_odb_read(&object, odb, id) != 0)
		object_read_fail(error, what);
	return object;
}

GString *object_read_blob(git_repository *git, const git_oid *id, const char *what, GError **error)
{
	g_autoptr(git_odb) odb = NULL;
	if (!check_loose(git, id, what, error))
		return NULL;
	if (git_repository_odb(&odb, git) != 0) {
		object_read_fail(error, what);
		return NULL;
	}
	g_autoptr(git_odb_object) object = read_object(odb, id, what, error);
	if (object == NULL)
		return NULL;
	return g_string_new_len(git_odb_object_data(object), (gssize)git_odb_object_size(object));
}
