/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treelinks.h"

#include "core/error.h"
#include "runner/trees/treewalk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
	const TreeLinksPlan *plan;
	int root;
} Check;

static gboolean lies_in(const char *path, const char *folder)
{
	gsize length = strlen(folder);
	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static gboolean lies_in_any(const char *path, const char *const *folders)
{
	for (; folders != NULL && *folders != NULL; folders++)
		if (lies_in(path, *folders))
			return TRUE;
	return FALSE;
}

/* Opens what a path below `root` leads to, if no link on the way leaves the tree; else -1 with errno EXDEV. */
static int open_beneath(int root, const char *path, guint64 flags)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC | flags, .resolve = RESOLVE_BENEATH};
	return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
}

/* A path that is written in another way, or has links on its way, is the same place. */
static gboolean is_forbidden(const TreeLinksPlan *plan, const char *path)
{
	g_autofree char *plain = g_canonicalize_filename(path, "/");
	g_autofree char *real = realpath(path, NULL);
	if (real != NULL && (lies_in(real, plan->tree) || lies_in_any(real, plan->own)))
		return FALSE;
	if (lies_in(plain, plan->tree) || lies_in_any(plain, plan->own))
		return real != NULL && lies_in_any(real, plan->forbidden);
	return lies_in_any(plain, plan->forbidden) || (real != NULL && lies_in_any(real, plan->forbidden));
}

/* Not /proc/mounts and the like, which are the same for all. The parts count as they are written: what comes after
 * /proc/self/cwd is not a part of /proc. */
static gboolean depends_on_process(const char *target)
{
	static const char *const names[] = {"cwd", "root", "fd", "task", "map_files", NULL};
	g_autofree char *plain = g_canonicalize_filename(target, "/");
	g_auto(GStrv) parts = g_strsplit(target, "/", -1);
	gboolean found = FALSE;
	for (gsize i = 0; names[i] != NULL; i++)
		found = found || g_strv_contains((const char *const *)parts, names[i]);
	gboolean in_proc = lies_in(plain, "/proc") || g_strv_contains((const char *const *)parts, "proc");
	return lies_in(plain, "/dev/fd") || (in_proc && found);
}

/* TRUE if a relative target climbs above the root, as the texts of link and target have it. */
static gboolean climbs_out(const char *link, const char *target)
{
	int depth = 0;
	for (const char *c = link; *c != '\0'; c++)
		depth += *c == '/';
	g_auto(GStrv) parts = g_strsplit(target, "/", -1);
	for (char **part = parts; *part != NULL; part++) {
		if (g_str_equal(*part, ".."))
			depth--;
		else if (**part != '\0' && !g_str_equal(*part, "."))
			depth++;
		if (depth < 0)
			return TRUE;
	}
	return FALSE;
}

/* Tells why the link may not be followed, or NULL. */
static const char *problem(const Check *check, const char *path, const char *target)
{
	const TreeLinksPlan *plan = check->plan;
	if (g_path_is_absolute(target)) {
		if (depends_on_process(target))
			return "leads each process to another place";
		return is_forbidden(plan, target) ? "leads into a folder of firebreak or the repository" : NULL;
	}
	if (climbs_out(path, target))
		return "leads out of the tree";
	int fd = open_beneath(check->root, path, 0);
	if (fd >= 0)
		close(fd);
	/* what is not there stays within the tree, too; an old kernel or a sandbox knows no openat2 */
	if (fd >= 0 || errno != EXDEV)
		return NULL;
	/* over another link, which leaves the tree by itself */
	g_autofree char *whole = g_build_filename(plan->tree, path, NULL), *real = realpath(whole, NULL);
	if (real == NULL)
		return "leads out of the tree";
	return is_forbidden(plan, real) ? "leads into a folder of firebreak or the repository" : NULL;
}

static TreeStep visit(gpointer data, const TreeEntry *entry, GError **error)
{
	const Check *check = data;
	char target[PATH_MAX + 1];
	if (!S_ISLNK(entry->info->st_mode))
		return TREE_GO_ON;
	ssize_t length = readlinkat(entry->folder, entry->name, target, sizeof target - 1);
	target[MAX(length, 0)] = '\0';
	const char *why = length < 0 ? "cannot be read" : problem(check, entry->path, target);
	if (why == NULL)
		return TREE_GO_ON;
	const TreeLinksPlan *plan = check->plan;
	g_autoptr(GError) failed = NULL;
	if (plan->known != NULL && plan->known(plan->known_data, entry->path, target, &failed))
		return TREE_GO_ON;
	if (failed != NULL) {
		g_propagate_error(error, g_steal_pointer(&failed));
		return TREE_STOP;
	}
	firebreak_refuse(error, FIREBREAK_ERROR_POLICY,
	        "the link %s -> %s %s, where a run could find files of the other side; let it lead to a place in the "
	        "tree, remove it, or land it in base by itself: a link that base has with the same target may stay",
	        entry->path, target, why);
	return TREE_STOP;
}

gboolean tree_links_check(const TreeLinksPlan *plan, GError **error)
{
	Check check = {.plan = plan, .root = open(plan->tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	if (check.root < 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot read %s", plan->tree);
	gboolean ok = tree_walk(plan->tree, visit, &check, error);
	close(check.root);
	return ok;
}

/* Without openat2, a path is judged by where all its links lead now. */
static gboolean really_lies_in(const char *tree, const char *path)
{
	g_autofree char *whole = g_build_filename(tree, path, NULL);
	g_autofree char *real = realpath(whole, NULL), *root = realpath(tree, NULL);
	return real != NULL && root != NULL && lies_in(real, root);
}

gboolean tree_holds_folder(const char *tree, const char *path, GError **error)
{
	int root = open(tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int folder = root >= 0 ? open_beneath(root, path, O_DIRECTORY) : -1;
	int failed = errno;
	if (root >= 0)
		close(root);
	if (folder >= 0)
		close(folder);
	if (folder >= 0 || ((failed == ENOSYS || failed == EPERM) && really_lies_in(tree, path)))
		return TRUE;
	if (failed == EXDEV)
		return firebreak_refuse(error, FIREBREAK_ERROR_POLICY,
		        "the working folder %s is a link that leads out of the tree", path);
	if (failed == ENOENT)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "the working folder %s is neither in the commit nor made by the build; `cwd` is relative to "
		        "the root of the repository",
		        path);
	return firebreak_set_errno(error, FIREBREAK_ERROR_INVALID, failed, "cannot enter the working folder %s", path);
}
