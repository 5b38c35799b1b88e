/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/output.h"

#include "core/durable.h"
#include "core/error.h"
#include "core/writeall.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void output_end_if_unread(int error_number)
{
	if (error_number != EPIPE)
		return;
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
}

static gboolean write_to_stdout(const char *bytes, gsize length, GError **error)
{
	if (fflush(stdout) == 0 && write_all(STDOUT_FILENO, bytes, length))
		return TRUE;
	int error_number = errno;
	output_end_if_unread(error_number);
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, error_number, "cannot write to standard output");
}

/* A device, pipe or socket, which must not be replaced by a file. */
static gboolean write_in_place(const char *path, const char *bytes, gsize length, GError **error)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	gboolean ok = fd >= 0 && write_all(fd, bytes, length);
	if (!ok)
		firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	return ok;
}

gboolean output_write(const char *path, const char *text, GError **error)
{
	return output_write_bytes(path, text, strlen(text), error);
}

gboolean output_write_bytes(const char *path, const char *bytes, gsize length, GError **error)
{
	struct stat status;
	if (path == NULL || strcmp(path, "-") == 0)
		return write_to_stdout(bytes, length, error);
	gboolean exists = stat(path, &status) == 0;
	if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		return write_in_place(path, bytes, length, error);
	char *target = exists ? realpath(path, NULL) : NULL;
	gboolean ok = durable_write_file(target != NULL ? target : path, bytes, (gssize)length, error);
	free(target);
	return ok;
}

gboolean output_is_no_input(const char *path, char *const *inputs, GError **error)
{
	struct stat output, input;
	if (path == NULL || strcmp(path, "-") == 0 || stat(path, &output) != 0 || !S_ISREG(output.st_mode))
		return TRUE;
	for (; *inputs != NULL; inputs++) {
		int failed = strcmp(*inputs, "-") == 0 ? fstat(STDIN_FILENO, &input) : stat(*inputs, &input);
		if (failed == 0 && input.st_dev == output.st_dev && input.st_ino == output.st_ino)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s is read and would be overwritten; write to another file", path);
	}
	return TRUE;
}

gboolean print_result(const char *text)
{
	if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
		return TRUE;
	int error_number = errno;
	output_end_if_unread(error_number);
	fprintf(stderr, "firebreak: cannot write to standard output: %s\n", g_strerror(error_number));
	return FALSE;
}
