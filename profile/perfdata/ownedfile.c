/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/ownedfile.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whoever owns the folder chooses what lies at the path. O_NONBLOCK returns at once from a pipe that nobody writes to;
 * O_NOFOLLOW, RESOLVE_IN_ROOT and RESOLVE_NO_MAGICLINKS keep links, also those of /proc, from leading out of the root.
 */
static int open_below(const char *root, const char *path)
{
	const struct open_how how = {
	        .flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
	        .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0)
		return -1;
	int fd = (int)syscall(SYS_openat2, root_fd, path, &how, sizeof how);
	close(root_fd);
	return fd;
}

static gboolean is_trusted(int fd, const OwnedFile *wanted)
{
	struct stat file, process;
	g_autofree char *folder = g_strdup_printf("/proc/%d", wanted->pid);
	/* The file that was opened is asked, not its path, which may name another one by now. */
	if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
		return FALSE;
	if ((wanted->newest_s != 0 && file.st_mtime > wanted->newest_s) || file.st_mtime < wanted->oldest_s)
		return FALSE;
	return file.st_uid == geteuid() || (stat(folder, &process) == 0 && file.st_uid == process.st_uid);
}

/* Cuts the content at the first NUL from `at` on; FALSE if there is none. */
static gboolean cut_at_nul(GByteArray *content, guint at)
{
	const guint8 *nul = content->len > at ? memchr(content->data + at, 0, content->len - at) : NULL;
	if (nul != NULL)
		g_byte_array_set_size(content, (guint)(nul - content->data));
	return nul != NULL;
}

/* The file may grow or shrink meanwhile. */
static GBytes *read_all(int fd, const OwnedFile *file, gboolean *is_cut)
{
	enum { PIECE = 1 << 16 };
	gboolean is_over = FALSE;
	g_autoptr(GByteArray) content = g_byte_array_new();
	while (content->len < file->max_bytes && !is_over) {
		guint before = content->len;
		gsize wanted = MIN((gsize)PIECE, file->max_bytes - before);
		g_byte_array_set_size(content, before + (guint)wanted);
		gssize got = TEMP_FAILURE_RETRY(read(fd, content->data + before, wanted));
		g_byte_array_set_size(content, before + (guint)MAX(got, 0));
		if (got <= 0)
			return g_byte_array_free_to_bytes(g_steal_pointer(&content));
		is_over = file->is_text && cut_at_nul(content, before);
	}
	char next;
	if (is_cut != NULL && (is_over || TEMP_FAILURE_RETRY(read(fd, &next, 1)) > 0))
		*is_cut = TRUE;
	return g_byte_array_free_to_bytes(g_steal_pointer(&content));
}

GBytes *owned_file_read(const OwnedFile *file, gboolean *is_cut)
{
	int fd = open_below(file->root, file->path);
	if (fd < 0)
		return NULL;
	GBytes *content = is_trusted(fd, file) ? read_all(fd, file, is_cut) : NULL;
	close(fd);
	return content;
}

char *process_root(gint32 pid)
{
	g_autofree char *root = g_strdup_printf("/proc/%d/root", pid);
	return access(root, X_OK) == 0 ? g_steal_pointer(&root) : g_strdup("/");
}
