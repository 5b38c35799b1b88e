/* SPDX-License-Identifier: Apache-2.0 */
/* Tracepoints as the kernel's tracefs lists them: "sched:sched_switch", and probes that were registered there.
 *
 * `root` is the folder that stands for "/". Source: kernel, Documentation/trace/events.rst, uprobetracer.rst. */
#pragma once

#include <glib.h>

/* Folder of tracefs that can be read, owned by the caller; NULL if there is none. */
char *tracefs_folder(const char *root);
/* The remedy where it cannot be read, because it is not mounted or is closed to this user. Static. */
const char *tracefs_remedy(const char *root);

typedef struct {
	guint64 id;       /* for perf_event_attr.config */
	gboolean in_user; /* a uprobe: happens in user mode */
} Tracepoint;

/* Looks a tracepoint up. Errors: FIREBREAK_ERROR_ENVIRONMENT if tracefs cannot be read, else FIREBREAK_ERROR_USAGE,
 * naming the nearest known. */
gboolean tracepoint_find(const char *root, const char *group, const char *name, Tracepoint *found, GError **error);
