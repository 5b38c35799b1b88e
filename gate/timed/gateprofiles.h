/* SPDX-License-Identifier: Apache-2.0 */
/* From the recordings of a campaign to its profiles: names for the samples of all runs of both sides, in one go, facts
 * about their code, and remarks on their quality. */
#pragma once

#include "gate/timed/campaigndata.h"

/* Fills profiles, code, fold and samples of a campaign whose runs are done. `recordings` holds a list of paths for each
 * side. */
gboolean gate_profiles_make(GateCampaign *campaign, GPtrArray *const recordings[N_SIDES], GError **error);
