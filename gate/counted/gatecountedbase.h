/* SPDX-License-Identifier: Apache-2.0 */
/* Decides if the stored counts of base are believed. Where they are not, base is prepared and counted after all.
 * Internal to gate/counted/gatecounted.h.
 *
 *     after head's first runs     other libraries or tools than base had    base is counted instead of used
 *     anything is different       nothing but what is stored speaks for it  base is counted once more; if that is
 *                                                                           something else, it takes the place of what
 *                                                                           is stored
 *
 * All return COUNTING_NO_BASE if base cannot be built any more: what is stored is left as it is. */
#pragma once

#include "gate/counted/gatecountedruns.h"

/* Makes base ready to be counted; `why` is a clause for the user. */
Counting gate_counted_prepare_base(GateCounted *job, const char *why, GError **error);
/* Counts base anew if it is stored and head was run with other libraries or tools: a finding says which. Where that
 * cannot be done, `doubt` of the job is set. */
Counting gate_counted_renew_base(GateCounted *job, GError **error);
/* Counts base, and head beside it if that has one run; `why` is a clause for the user. Sets `same_as_stored`, or adds
 * the finding that what is stored is outdated. */
Counting gate_counted_verify_base(GateCounted *job, const char *why, GError **error);
/* A finding that base was counted again, why, and what came of it. */
void gate_counted_note_recount(const GateCounted *job, const char *why);
/* Makes as many more runs as the verdict needs, none if it stands. Base is made ready for them if it is only stored. */
Counting gate_counted_run_rest(GateCounted *job, GError **error);
