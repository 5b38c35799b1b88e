/* SPDX-License-Identifier: Apache-2.0 */
#include "core/regularfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES 65536

int regular_file_open(const char *path, int flags, gint64 most, gint64 *size)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	if (fd < 0)
		return -1;
	int problem = fstat(fd, &status) != 0    ? errno
	              : !S_ISREG(status.st_mode) ? EINVAL
	              : status.st_size > most    ? EFBIG
	                                         : 0;
	if (problem == 0) {
		*size = status.st_size;
		return fd;
	}
	close(fd);
	errno = problem;
	return -1;
}

static gboolean read_begin(int fd, gsize most, GString *text)
{
	g_autofree char *piece = g_malloc(PIECE_BYTES);
	gssize got = 1;
	while (got != 0 && text->len < most) {
		got = read(fd, piece, MIN(PIECE_BYTES, most - text->len));
		if (got < 0 && errno != EINTR)
			return FALSE;
		if (got > 0)
			g_string_append_len(text, piece, got);
	}
	return TRUE;
}

GString *regular_file_begin(const char *path, int flags, gsize most)
{
	gint64 size = 0;
	int fd = regular_file_open(path, flags, G_MAXINT64, &size);
	if (fd < 0)
		return NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean ok = read_begin(fd, most, text);
	close(fd);
	return ok ? g_steal_pointer(&text) : NULL;
}
