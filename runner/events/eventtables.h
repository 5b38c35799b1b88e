/* SPDX-License-Identifier: Apache-2.0 */
/* The events that every kernel knows by name: hardware, software and cache events, and their aliases.
 *
 * Source: linux/perf_event.h; the names are those that `perf list` prints. */
#pragma once

#include <glib.h>

typedef struct {
	const char *name;
	const char *unit; /* of counts and periods: "ns", "cycles", "instructions", "count" */
	guint32 type;
	guint64 config;
	gboolean in_kernel_only; /* counts nothing in user mode */
} KnownEvent;

/* The event of this name or alias, NULL if there is none. Static. */
const KnownEvent *known_event(const char *name);
/* All names with aliases; NULL-terminated and static. */
const char *const *known_event_names(void);
