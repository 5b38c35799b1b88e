/* SPDX-License-Identifier: Apache-2.0 */
/* The change of the time in which the runs of a benchmark wait, as data: compare/timed/waiting.h fills it, a comparison
 * holds it. */
#pragma once

#include <glib.h>

typedef struct {
	guint rounds;                         /* with a wait on both sides; 0 = it was not measured */
	double base_ns, head_ns;              /* medians per unit of work */
	double change_ns, lower_ns, upper_ns; /* head - base: Hodges-Lehmann and bounds */
	double base_share, head_share;        /* medians of cpu / (cpu + wait), 0..1 */
	gboolean rose, fell;                  /* by more than the floor, for certain */
	gboolean shifted;                     /* and the share of CPU fell sharply */
	gboolean unknown;                     /* of head alone */
} WaitingChange;
