/* SPDX-License-Identifier: Apache-2.0 */
/* The hotspot report of `firebreak top`: what is in it, and its canonical form, JSON that keeps to
 * docs/schema/top-1.json. */
#pragma once

#include "model/recordinghead.h"
#include "profile/hotspots/hotgroups.h"
#include "profile/hotspots/hotpairs.h"
#include "profile/hotspots/hotpatterns.h"
#include "profile/hotspots/hotspots.h"

#define TOP_SCHEMA "firebreak-top/1"

/* Everything is borrowed. The costs are the weights of the profile, all runs summed. */
typedef struct {
	const Profile *profile;
	const char *const *files;  /* NULL-terminated; foreign text */
	const RecordingHead *head; /* of the first file; NULL = it has none */
	const Hotspots *hotspots;
	const HotGroups *groups; /* sorted by `order`: what the table shows */
	const HotGroups *base;   /* the same of the recording to compare with, or NULL */
	const GArray *pairs;     /* with it, of HotPair: what the table shows instead */
	const char *base_file;   /* foreign text */
	const HotPatterns *patterns;
	const FindingList *findings;
	ProfileCell unknown; /* of stacks whose last function has no name */
	gboolean counted;    /* costs are counted, not sampled: shares have no error of sampling */
	gboolean uneven;     /* samples stand for different costs: the error of a share is not known */
	HotspotOrder order;
	guint rows;                      /* groups shown; 0 = all */
	double least_share;              /* only groups whose share of the whole, by the cost of `order`, is not less */
	gboolean self_only;              /* the table has no inclusive costs and no groups without self cost */
	const HotspotCalls *calls;       /* of the functions below, or NULL */
	gboolean no_callers, no_callees; /* the text leaves them out */
	const GArray *chosen;            /* of FrameId: what `calls` is about */
} TopReport;

/* The number of groups that are shown: the first ones. */
guint top_n_shown(const TopReport *top);
/* The same of pairs. */
guint top_n_pairs_shown(const TopReport *top);

/* The JSON text; sets *length (may be NULL). Owned by the caller. */
char *top_json(const TopReport *top, gsize *length);
