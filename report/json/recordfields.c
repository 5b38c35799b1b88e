#include "report/json/recordfields.h"

#include "compare/result.h"

static const Field function_change_rows[] = {
        FIELD("contribution_pp", SHARE, FunctionComparison, contribution),
        FIELD("ci_pp", SHARE_PAIR, FunctionComparison, contribution_lower),
        FIELD("ci_simultaneous_pp", SHARE_PAIR, FunctionComparison, simultaneous_lower),
        FIELD("change_pct", CHANGE, FunctionComparison, change_ratio),
        FIELD("base_cost", COST, FunctionComparison, base_cost),
        FIELD("head_cost", COST, FunctionComparison, head_cost),
        FIELD("base_samples", SAMPLES, FunctionComparison, base_samples),
        FIELD("head_samples", SAMPLES, FunctionComparison, head_samples),
};
const FieldTable function_change_fields = {function_change_rows, G_N_ELEMENTS(function_change_rows)};

static const Field inlined_change_rows[] = {
        FIELD("contribution_pp", SHARE, InlinedPart, contribution),
        FIELD("ci_pp", SHARE_PAIR, InlinedPart, contribution_lower),
        FIELD("base_cost", COST, InlinedPart, base_cost),
        FIELD("head_cost", COST, InlinedPart, head_cost),
        FIELD("base_samples", SAMPLES, InlinedPart, base_samples),
        FIELD("head_samples", SAMPLES, InlinedPart, head_samples),
};
const FieldTable inlined_change_fields = {inlined_change_rows, G_N_ELEMENTS(inlined_change_rows)};

static const Field metric_margin_rows[] = {
        FIELD("margin_pct", SHARE, MetricComparison, margin),
        FIELD("pass_margin_pct", SHARE, MetricComparison, pass_margin),
};
const FieldTable metric_margin_fields = {metric_margin_rows, G_N_ELEMENTS(metric_margin_rows)};

static const Field metric_test_rows[] = {
        FIELD("mde_pct", SHARE, MetricComparison, mde_ratio),
        FIELD("rounds", COUNT, MetricComparison, rounds),
        FIELD("rounds_needed", LINE, MetricComparison, rounds_needed),
        FIELD("p", NUMBER, MetricComparison, p_value),
        FIELD("alpha_fail", NUMBER, MetricComparison, alpha_fail),
        FIELD("alpha_pass", NUMBER, MetricComparison, alpha_pass),
        FIELD("sd_log", NUMBER, MetricComparison, sd_log),
        FIELD("acf1", NUMBER, MetricComparison, acf1),
        FIELD("slot_effect", NUMBER, MetricComparison, slot_effect),
        FIELD("gates", FLAG, MetricComparison, gates),
};
const FieldTable metric_test_fields = {metric_test_rows, G_N_ELEMENTS(metric_test_rows)};

static const Field metric_remark_rows[] = {
        FIELD("negligible", FLAG, MetricComparison, negligible),
        FIELD("deterministic", FLAG, MetricComparison, deterministic),
        FIELD("improved", FLAG, MetricComparison, improved),
};
const FieldTable metric_remark_fields = {metric_remark_rows, G_N_ELEMENTS(metric_remark_rows)};

static const Field run_sample_rows[] = {
        FIELD("started_first", FLAG, RunFacts, started_first),
        FIELD("wall_ns", BIG_COUNT, RunFacts, wall_ns),
        FIELD("samples", BIG_COUNT, RunFacts, samples),
        FIELD("lost_samples", BIG_COUNT, RunFacts, lost_samples),
};
const FieldTable run_sample_fields = {run_sample_rows, G_N_ELEMENTS(run_sample_rows)};

static const Field run_quality_rows[] = {
        FIELD("incomplete_samples", BIG_COUNT, RunFacts, incomplete_samples),
        FIELD("throttled", BIG_COUNT, RunFacts, throttled),
        FIELD("steal_pct", SHARE, RunFacts, steal_share),
        FIELD("running_pct", SHARE, RunFacts, running_share),
        FIELD("overlap_pct", SHARE, RunFacts, overlap_share),
        FIELD("attempts", COUNT, RunFacts, attempts),
};
const FieldTable run_quality_fields = {run_quality_rows, G_N_ELEMENTS(run_quality_rows)};

static const Field campaign_rows[] = {
        FIELD("rounds", COUNT, CampaignFacts, rounds),
        FIELD("retries", COUNT, CampaignFacts, retries),
};
const FieldTable campaign_fields = {campaign_rows, G_N_ELEMENTS(campaign_rows)};

static const Field campaign_time_rows[] = {
        FIELD("stack_bytes", LINE, CampaignFacts, stack_bytes),
        FIELD("overlap_pct", SHARE, CampaignFacts, overlap_share),
        FIELD("interference_pct", CHANGE, CampaignFacts, interference_ratio),
        FIELD("estimate_s", NUMBER, CampaignFacts, estimate_s),
        FIELD("elapsed_s", NUMBER, CampaignFacts, elapsed_s),
        FIELD("out_of_time", FLAG, CampaignFacts, out_of_time),
};
const FieldTable campaign_time_fields = {campaign_time_rows, G_N_ELEMENTS(campaign_time_rows)};

static const Field calibration_rows[] = {
        FIELD("campaigns", COUNT, CalibrationSummary, campaigns),
        FIELD("passes", COUNT, CalibrationSummary, passes),
        FIELD("false_alarms", COUNT, CalibrationSummary, false_alarms),
        FIELD("function_alarms", COUNT, CalibrationSummary, function_alarms),
        FIELD("alarm_rate_upper_pct", SHARE, CalibrationSummary, alarm_rate_upper),
        FIELD("smallest_visible_pct", SHARE, CalibrationSummary, smallest_visible),
        FIELD("aa_spread_pct", SHARE, CalibrationSummary, aa_spread),
        FIELD("suspicious", FLAG, CalibrationSummary, suspicious),
};
const FieldTable calibration_fields = {calibration_rows, G_N_ELEMENTS(calibration_rows)};
