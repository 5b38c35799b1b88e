/* The fields of report.json that stand one after the other and are written and read in different modules, as tables
 * (fieldtable.h). */
#pragma once

#include "report/json/fieldtable.h"

/* Of a FunctionComparison, and of an InlinedPart: costs, and how they changed. */
extern const FieldTable function_change_fields;
extern const FieldTable inlined_change_fields;
/* Of a MetricComparison: margins, what the test says, and what else is known. */
extern const FieldTable metric_margin_fields;
extern const FieldTable metric_test_fields;
extern const FieldTable metric_remark_fields;
/* Of RunFacts: samples, and what disturbed the run. */
extern const FieldTable run_sample_fields;
extern const FieldTable run_quality_fields;
/* Of CampaignFacts: what was paid, and how it went. */
extern const FieldTable campaign_fields;
extern const FieldTable campaign_time_fields;
/* Of a CalibrationSummary: all. */
extern const FieldTable calibration_fields;
