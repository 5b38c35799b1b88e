/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/openlocked.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

int open_locked(const char *path, int flags, int how)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	while (fd >= 0 && flock(fd, how) != 0) {
		int failed = errno;
		if (failed == EINTR)
			continue;
		close(fd);
		errno = failed;
		return -1;
	}
	return fd;
}
