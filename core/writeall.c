/* SPDX-License-Identifier: Apache-2.0 */
#include "core/writeall.h"

#include <errno.h>
#include <unistd.h>

gboolean write_all(int fd, const void *data, gsize length)
{
	for (const char *next = data; length > 0;) {
		ssize_t n = write(fd, next, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FALSE;
		next += n;
		length -= (gsize)n;
	}
	return TRUE;
}
