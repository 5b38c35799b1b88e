/* SPDX-License-Identifier: Apache-2.0 */
/* The system call that opens a perf event, for which the C library has no function. */
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

/* perf_event_open(2); returns the descriptor (close-on-exec) or -1 with errno. */
int perf_event_open_fd(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd);
