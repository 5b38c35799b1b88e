/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/perfopen.h"

#include <sys/syscall.h>
#include <unistd.h>

int perf_event_open_fd(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd)
{
	attr->size = sizeof *attr;
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
}
