/* SPDX-License-Identifier: Apache-2.0 */
/* The facts of a campaign in report.json, and what earlier A/A campaigns say of the benchmark, both ways. */
#pragma once

#include "compare/result.h"
#include "core/json/jsonfields.h"

/* Null if there was no campaign; the schedule is that of its runs. Owned by the caller. */
json_t *campaign_json(const CampaignFacts *campaign, const char *schedule);
/* The facts that campaign_json() wrote; what is not there is 0 or not known. */
CampaignFacts campaign_read(const json_t *object);
/* Null if none is stored. Owned by the caller. */
json_t *calibration_json(const CalibrationSummary *calibration);
/* NULL if none is stored. Owned by the caller. */
CalibrationSummary *calibration_read(const json_t *object);
