/* SPDX-License-Identifier: Apache-2.0 */
#include "model/inputfile.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_COPIED_BYTES (G_GUINT64_CONSTANT(4) << 30)
#define CHUNK_BYTES 262144

static gboolean write_all(int fd, const char *bytes, gsize length)
{
	while (length > 0) {
		gssize n = TEMP_FAILURE_RETRY(write(fd, bytes, length));
		if (n < 0)
			return FALSE;
		bytes += n;
		length -= (gsize)n;
	}
	return TRUE;
}

static gboolean copy_all(const InputFile *file, int from, GError **error)
{
	g_autofree char *chunk = g_malloc(CHUNK_BYTES);
	guint64 total = 0;
	for (;;) {
		gssize n = TEMP_FAILURE_RETRY(read(from, chunk, CHUNK_BYTES));
		if (n == 0)
			return TRUE;
		if (n < 0 || !write_all(file->copy, chunk, (gsize)n))
			return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", file->name);
		total += (guint64)n;
		if (total > MAX_COPIED_BYTES) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
			        "%s: more than 4 GiB; write it to a file and name that", file->name);
			return FALSE;
		}
	}
}

static gboolean make_copy(InputFile *file, int from, GError **error)
{
	file->copy = memfd_create("firebreak-input", MFD_CLOEXEC);
	if (file->copy < 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s: memfd_create", file->name);
	g_free(file->path);
	file->path = g_strdup_printf("/proc/self/fd/%d", file->copy);
	return copy_all(file, from, error);
}

static gboolean map(InputFile *file, int fd, GError **error)
{
	g_autoptr(GError) failure = NULL;
	file->mapping = g_mapped_file_new_from_fd(fd, FALSE, &failure);
	if (file->mapping == NULL) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "%s: %s", file->name, failure->message);
		return FALSE;
	}
	file->bytes = (const guint8 *)g_mapped_file_get_contents(file->mapping);
	file->length = g_mapped_file_get_length(file->mapping);
	return TRUE;
}

static gboolean read_descriptor(InputFile *file, int fd, GError **error)
{
	struct stat status;
	if (fstat(fd, &status) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", file->name);
	if (S_ISDIR(status.st_mode)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "%s: a directory; recordings in directories (perf record --threads) are not read", file->name);
		return FALSE;
	}
	/* standard input may be a plain file that was read in part */
	if (S_ISREG(status.st_mode) && fd != STDIN_FILENO)
		return map(file, fd, error);
	return make_copy(file, fd, error) && map(file, file->copy, error);
}

gboolean input_file_open(InputFile *file, const char *path, GError **error)
{
	gboolean is_stdin = g_str_equal(path, "-");
	*file = (InputFile){.name = is_stdin ? "standard input" : path, .path = g_strdup(path), .copy = -1};
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 ? read_descriptor(file, fd, error)
	                      : firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", file->name);
	if (fd >= 0 && !is_stdin)
		close(fd);
	if (!ok)
		input_file_close(file);
	return ok;
}

void input_file_close(InputFile *file)
{
	g_clear_pointer(&file->mapping, g_mapped_file_unref);
	g_clear_pointer(&file->path, g_free);
	if (file->copy >= 0)
		close(file->copy);
	*file = (InputFile){.copy = -1};
}
