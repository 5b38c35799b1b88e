#include "core/regularfile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int regular_file_open(const char *path, int flags, gint64 most, gint64 *size)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= most) {
		*size = status.st_size;
		return fd;
	}
	close(fd);
	return -1;
}
