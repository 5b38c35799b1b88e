/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run, as /proc has them at a moment. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* Appends the children of one thread of a process (its id as text) to an array of pid_t that holds `most` at most. */
void process_children(pid_t pid, const char *tid, guint most, GArray *pids);
/* A process and its descendants, `most` at most, parents first: a GArray of pid_t, owned by the caller. */
GArray *process_tree(pid_t root, guint most);
/* The parent of a process; 0 if it is gone. */
pid_t process_parent(pid_t pid);
