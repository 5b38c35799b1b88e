#include "profile/ownedfile.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static gboolean is_trusted(int fd, gint32 pid)
{
	struct stat file, process;
	g_autofree char *folder = g_strdup_printf("/proc/%d", pid);
	if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
		return FALSE;
	return file.st_uid == geteuid() || (stat(folder, &process) == 0 && file.st_uid == process.st_uid);
}

/* The file may grow or shrink meanwhile. */
static GBytes *read_all(int fd, gsize max_bytes)
{
	enum { PIECE = 1 << 16 };
	g_autoptr(GByteArray) content = g_byte_array_new();
	while (content->len < max_bytes) {
		guint before = content->len;
		gsize wanted = MIN((gsize)PIECE, max_bytes - before);
		g_byte_array_set_size(content, before + (guint)wanted);
		gssize got = TEMP_FAILURE_RETRY(read(fd, content->data + before, wanted));
		g_byte_array_set_size(content, before + (guint)MAX(got, 0));
		if (got <= 0)
			break;
	}
	return g_byte_array_free_to_bytes(g_steal_pointer(&content));
}

GBytes *owned_file_read(const char *root, const char *path, gint32 pid, gsize max_bytes)
{
	int fd = open_below(root, path);
	if (fd < 0)
		return NULL;
	GBytes *content = is_trusted(fd, pid) ? read_all(fd, max_bytes) : NULL;
	close(fd);
	return content;
}

char *process_root(gint32 pid)
{
	g_autofree char *root = g_strdup_printf("/proc/%d/root", pid);
	return access(root, X_OK) == 0 ? g_steal_pointer(&root) : g_strdup("/");
}
