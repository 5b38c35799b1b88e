/* SPDX-License-Identifier: Apache-2.0 */
#include "core/wholefile.h"

#include "core/error.h"
#include "core/writeall.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES 65536

struct WholeFile {
	FILE *stream;
	char *path;
	char *temporary; /* NULL = the file has no name and is copied to `path` */
	mode_t mode;
};

static gboolean cannot_write(const char *path, int errno_value, GError **error)
{
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno_value, "cannot write %s", path);
}

static gboolean open_beside(WholeFile *file, GError **error)
{
	g_autofree char *name = g_strconcat(file->path, ".XXXXXX", NULL);
	int fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return cannot_write(file->path, errno, error);
	file->temporary = g_steal_pointer(&name);
	file->stream = fdopen(fd, "w+b");
	return file->stream != NULL || cannot_write(file->path, errno, error);
}

/* A device, pipe or socket, which must not be replaced by a file. */
static gboolean open_unnamed(WholeFile *file, GError **error)
{
	file->stream = access(file->path, W_OK) == 0 ? tmpfile() : NULL;
	if (file->stream == NULL)
		return cannot_write(file->path, errno, error);
	fcntl(fileno(file->stream), F_SETFD, FD_CLOEXEC);
	return TRUE;
}

WholeFile *whole_file_open(const char *path, GError **error)
{
	g_autoptr(WholeFile) file = g_new0(WholeFile, 1);
	struct stat status;
	gboolean exists = stat(path, &status) == 0;
	file->path = g_strdup(path);
	file->mode = exists && S_ISREG(status.st_mode) ? status.st_mode & 0777 : 0600;
	if (exists && S_ISDIR(status.st_mode)) {
		cannot_write(path, EISDIR, error);
		return NULL;
	}
	gboolean ok = exists && !S_ISREG(status.st_mode) ? open_unnamed(file, error) : open_beside(file, error);
	return ok ? g_steal_pointer(&file) : NULL;
}

void whole_file_free(WholeFile *file)
{
	if (file == NULL)
		return;
	if (file->stream != NULL)
		fclose(file->stream);
	if (file->temporary != NULL)
		g_unlink(file->temporary);
	g_free(file->temporary);
	g_free(file->path);
	g_free(file);
}

FILE *whole_file_stream(const WholeFile *file)
{
	return file->stream;
}

static gboolean copy_all(FILE *from, int to)
{
	g_autofree char *bytes = g_malloc(COPY_BYTES);
	gsize n;
	rewind(from);
	while ((n = fread(bytes, 1, COPY_BYTES, from)) > 0)
		if (!write_all(to, bytes, n))
			return FALSE;
	return ferror(from) == 0;
}

static gboolean copy_to_place(const WholeFile *file, GError **error)
{
	int fd = open(file->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	gboolean ok = fd >= 0 && copy_all(file->stream, fd);
	if (!ok)
		cannot_write(file->path, errno, error);
	if (fd >= 0)
		close(fd);
	return ok;
}

static gboolean move_to_place(WholeFile *file, GError **error)
{
	/* The permissions come before the name, so that nobody can ever open the file with others. */
	if (fchmod(fileno(file->stream), file->mode) != 0 || g_rename(file->temporary, file->path) != 0)
		return cannot_write(file->path, errno, error);
	g_clear_pointer(&file->temporary, g_free);
	return TRUE;
}

gboolean whole_file_publish(WholeFile *file, GError **error)
{
	if (fflush(file->stream) != 0)
		return cannot_write(file->path, errno, error);
	return file->temporary != NULL ? move_to_place(file, error) : copy_to_place(file, error);
}
