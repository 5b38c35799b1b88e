/* SPDX-License-Identifier: Apache-2.0 */
/* The hotspot report of `firebreak top`: what is in it, and its canonical form, JSON that keeps to
 * docs/schema/top-1.json. */
#pragma once

#include "profile/hotspots/hotpatterns.h"
#include "profile/hotspots/hotspots.h"

#define TOP_SCHEMA "firebreak-top/1"

/* Everything is borrowed. The costs are the weights of the profile, all runs summed. */
typedef struct {
	const Profile *profile;
	const char *const *files; /* NULL-terminated; foreign text */
	const Hotspots *hotspots;
	const HotPatterns *patterns;
	const FindingList *findings;
	ProfileCell unknown; /* of stacks whose last function has no name */
	gboolean counted;    /* costs are counted, not sampled: shares have no error of sampling */
	gboolean uneven;     /* samples stand for different costs: the error of a share is not known */
	HotspotOrder order;
	guint rows;                /* functions shown; 0 = all */
	const HotspotCalls *calls; /* of the functions below, or NULL */
	const GArray *chosen;      /* of FrameId: what `calls` is about */
} TopReport;

/* The functions that are shown: at most `rows`. Array of FrameId, owned by the caller. */
GArray *top_functions(const TopReport *top);

/* The JSON text; sets *length (may be NULL). Owned by the caller. */
char *top_json(const TopReport *top, gsize *length);
