/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/campaignjson.h"

#include "core/json/fieldtable.h"

static const Field yardstick_fields[] = {
        FIELD("rounds", COUNT, Contamination, rounds),
        FIELD("change_pct", CHANGE, Contamination, change_ratio),
        FIELD("ci_pct", CHANGE_PAIR, Contamination, lower_ratio),
        FIELD("contaminated", FLAG, Contamination, contaminated),
};

static const Field campaign_fields[] = {
        FIELD("rounds", COUNT, CampaignFacts, rounds),
        FIELD("retries", COUNT, CampaignFacts, retries),
        FIELD("layouts", COUNT, CampaignFacts, layouts),
        FIELD_LATER("schedule"),
        FIELD_NEW("stack_bytes", LINE, CampaignFacts, stack_bytes),
        FIELD("overlap_pct", SHARE, CampaignFacts, overlap_share),
        FIELD("interference_pct", CHANGE, CampaignFacts, interference_ratio),
        FIELD("estimate_s", NUMBER, CampaignFacts, estimate_s),
        FIELD("elapsed_s", NUMBER, CampaignFacts, elapsed_s),
        FIELD("out_of_time", FLAG, CampaignFacts, out_of_time),
        FIELD_STRUCT("yardstick", CampaignFacts, yardstick, yardstick_fields),
};

static const Field calibration_fields[] = {
        FIELD("campaigns", COUNT, CalibrationSummary, campaigns),
        FIELD("passes", COUNT, CalibrationSummary, passes),
        FIELD("false_alarms", COUNT, CalibrationSummary, false_alarms),
        FIELD("function_alarms", COUNT, CalibrationSummary, function_alarms),
        FIELD("alarm_rate_upper_pct", SHARE, CalibrationSummary, alarm_rate_upper),
        FIELD("smallest_visible_pct", SHARE, CalibrationSummary, smallest_visible),
        FIELD("aa_spread_pct", SHARE, CalibrationSummary, aa_spread),
        FIELD("suspicious", FLAG, CalibrationSummary, suspicious),
};

json_t *campaign_json(const CampaignFacts *campaign, const char *schedule)
{
	if (campaign->rounds == 0)
		return json_null();
	json_t *object = fields_json(FIELD_TABLE(campaign_fields), campaign, FALSE);
	json_set(object, "layouts", json_integer(MAX(campaign->layouts, 1)));
	json_set(object, "schedule", json_text(schedule));
	if (campaign->yardstick.rounds == 0)
		json_set(object, "yardstick", json_null());
	return object;
}

CampaignFacts campaign_read(const json_t *object)
{
	CampaignFacts campaign = {0};
	fields_read(NULL, object, FIELD_TABLE(campaign_fields), &campaign, FALSE);
	return campaign;
}

json_t *calibration_json(const CalibrationSummary *calibration)
{
	gboolean known = calibration != NULL && calibration->campaigns > 0;
	return known ? fields_json(FIELD_TABLE(calibration_fields), calibration, FALSE) : json_null();
}

CalibrationSummary *calibration_read(const json_t *object)
{
	if (field_count(object, "campaigns") == 0)
		return NULL;
	CalibrationSummary *calibration = g_new0(CalibrationSummary, 1);
	fields_read(NULL, object, FIELD_TABLE(calibration_fields), calibration, FALSE);
	return calibration;
}
