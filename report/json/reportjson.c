#include "report/json/reportjson.h"

#include "compare/counted/enginepair.h"
#include "compare/measured.h"
#include "compare/shownvalues.h"
#include "core/findingjson.h"
#include "core/jsontext.h"
#include "model/engine.h"
#include "report/json/acceptancejson.h"
#include "report/json/annotationjson.h"
#include "report/json/changedjson.h"
#include "report/json/functionjson.h"
#include "report/json/historyjson.h"
#include "report/json/recordfields.h"
#include "report/json/shardjson.h"
#include "report/words/highlights.h"

#include <math.h>

static json_t *percent(double share)
{
	return json_number(share * 100);
}

/* Change in percent from a ratio; an infinite one is null. */
static json_t *change_percent(double ratio)
{
	return json_number((ratio - 1) * 100);
}

/* A bound that is not there, 0 below or infinite, is null. */
static json_t *bounds(double lower, double upper)
{
	return pair_json(lower > 0 ? change_percent(lower) : json_null(), change_percent(upper));
}

static json_t *numbers(const GArray *values, gboolean counted)
{
	json_t *array = json_array();
	for (guint i = 0; values != NULL && i < values->len; i++)
		json_array_append_new(array, json_cost(g_array_index(values, double, i), counted));
	return array;
}

static json_t *side_json(const ResultSide *side)
{
	json_t *object = json_object();
	json_set(object, "sha", json_text(side->sha));
	json_set(object, "ref", json_text(side->ref));
	json_set(object, "chosen_by", json_text(side->chosen_by));
	json_set(object, "subject", json_text(side->subject));
	return object;
}

static json_t *environment_json(const Environment *environment)
{
	if (environment == NULL)
		return json_null();
	json_t *object = json_object();
	for (guint i = 0; i < environment->fields->len; i++) {
		const EnvironmentField *field = g_ptr_array_index(environment->fields, i);
		json_set(object, field->name, json_text(field->value));
	}
	return object;
}

static json_t *reasons_json(const GPtrArray *reasons)
{
	json_t *array = json_array();
	for (guint i = 0; i < reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(reasons, i);
		json_t *object = json_object();
		json_set(object, "exit_code", json_integer(reason->exit_code));
		json_set(object, "code", json_text(reason->code));
		json_set(object, "benchmark", json_text(reason->benchmark));
		json_set(object, "text", json_text(reason->text));
		json_array_append_new(array, object);
	}
	return array;
}

/* A log ratio as change in percent; an open one is null. */
static json_t *look_bound(double log_ratio)
{
	return isfinite(log_ratio) ? percent(expm1(log_ratio)) : json_null();
}

static json_t *looks_json(const GArray *looks)
{
	json_t *array = json_array();
	for (guint i = 0; looks != NULL && i < looks->len; i++) {
		const MetricLook *look = &g_array_index(looks, MetricLook, i);
		json_t *object = json_object();
		json_set(object, "rounds", json_integer(look->rounds));
		json_set(object, "ci_pct", pair_json(look_bound(look->lower), look_bound(look->upper)));
		json_set(object, "verdict", json_string(verdict_name(look->verdict)));
		json_array_append_new(array, object);
	}
	return array;
}

/* From the numbers as they are written, so that a report that is read and written again stays the same. */
static json_t *head_shown(const json_t *object, const MetricComparison *metric, gboolean counted)
{
	MetricComparison written = *metric;
	const json_t *change = json_object_get(object, "change_pct");
	if (json_is_number(change)) {
		written.base = json_number_value(json_object_get(object, "base"));
		written.change_ratio = 1 + json_number_value(change) / 100;
	}
	return json_cost(metric_shown_head(&written), counted);
}

static json_t *metric_json(const MetricComparison *metric)
{
	json_t *object = json_object();
	gboolean counted = engine_counts(metric->engine);
	json_set(object, "name", json_text(metric->name));
	json_set(object, "engine", json_text(metric->engine));
	json_set(object, "unit", json_text(metric->unit));
	json_set(object, "base", json_cost(metric->base, counted));
	json_set(object, "head", json_cost(metric->head, counted));
	json_set(object, "higher_is_better", json_boolean(metric->higher_is_better));
	json_set(object, "change_pct", change_percent(metric->change_ratio));
	json_set(object, "head_shown", head_shown(object, metric, counted));
	json_set(object, "ci_pct", bounds(metric->lower_ratio, metric->upper_ratio));
	fields_write(object, metric_margin_fields, metric, FALSE);
	json_set(object, "base_spread_pct", counted ? percent(metric->base_spread) : json_null());
	json_set(object, "head_spread_pct", counted ? percent(metric->head_spread) : json_null());
	fields_write(object, metric_test_fields, metric, FALSE);
	if (metric->accepted)
		json_set(object, "accepted", json_true());
	if (metric->confirmation != CONFIRMATION_NOT_NEEDED)
		json_set(object, "confirmation", json_string(confirmation_name(metric->confirmation)));
	fields_write(object, metric_remark_fields, metric, FALSE);
	json_set(object, "verdict", json_string(verdict_name(metric->verdict)));
	json_set(object, "reason", json_text(metric->reason));
	json_set(object, "looks", looks_json(metric->looks));
	json_set(object, "base_values", numbers(metric->base_values, counted));
	json_set(object, "head_values", numbers(metric->head_values, counted));
	return object;
}

static json_t *run_json(const Measurement *measurement, guint index)
{
	if (measurement == NULL || index >= measurement->runs->len)
		return json_null();
	const RunFacts *run = &g_array_index(measurement->runs, RunFacts, index);
	json_t *object = json_object();
	fields_write(object, run_sample_fields, run, FALSE);
	json_set(object, "lost_pct", percent(run_lost_share(run)));
	fields_write(object, run_quality_fields, run, FALSE);
	json_set(object, "work", json_number(measurement_run_work(measurement, index)));
	return object;
}

static guint round_of(const Measurement *measurement, guint index)
{
	if (measurement == NULL || index >= measurement->runs->len)
		return 0;
	return g_array_index(measurement->runs, RunFacts, index).round;
}

/* One object per round with what is known of its two runs. */
static json_t *runs_json(const ResultBenchmark *benchmark)
{
	json_t *array = json_array();
	guint n_base = benchmark->base == NULL ? 0 : benchmark->base->runs->len;
	guint n_head = benchmark->head == NULL ? 0 : benchmark->head->runs->len;
	for (guint i = 0; i < MAX(n_base, n_head); i++) {
		json_t *object = json_object();
		json_set(
		        object, "round", json_integer(MAX(round_of(benchmark->base, i), round_of(benchmark->head, i))));
		json_set(object, "base", run_json(benchmark->base, i));
		json_set(object, "head", run_json(benchmark->head, i));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *artifacts_json(const GPtrArray *artifacts)
{
	json_t *object = json_object();
	for (guint i = 0; artifacts != NULL && i + 1 < artifacts->len; i += 2)
		json_set(object, g_ptr_array_index(artifacts, i), json_text(g_ptr_array_index(artifacts, i + 1)));
	return object;
}

static json_t *yardstick_json(const Contamination *yardstick)
{
	if (yardstick->rounds == 0)
		return json_null();
	json_t *object = json_object();
	json_set(object, "rounds", json_integer(yardstick->rounds));
	json_set(object, "change_pct", change_percent(yardstick->change_ratio));
	json_set(object, "ci_pct", bounds(yardstick->lower_ratio, yardstick->upper_ratio));
	json_set(object, "contaminated", json_boolean(yardstick->contaminated));
	return object;
}

static json_t *campaign_json(const CampaignFacts *campaign, const char *schedule)
{
	if (campaign->rounds == 0)
		return json_null();
	json_t *object = json_object();
	fields_write(object, campaign_fields, campaign, FALSE);
	json_set(object, "layouts", json_integer(MAX(campaign->layouts, 1)));
	json_set(object, "schedule", json_text(schedule));
	fields_write(object, campaign_time_fields, campaign, FALSE);
	json_set(object, "yardstick", yardstick_json(&campaign->yardstick));
	return object;
}

static json_t *calibration_json(const CalibrationSummary *calibration)
{
	if (calibration == NULL || calibration->campaigns == 0)
		return json_null();
	json_t *object = json_object();
	fields_write(object, calibration_fields, calibration, FALSE);
	return object;
}

/* Sets what was found, and what a second campaign made of it; null where there is no comparison. */
static void set_sentences(json_t *object, const BenchmarkComparison *comparison)
{
	json_set(object, "sentence", json_text(comparison == NULL ? NULL : comparison->sentence));
	json_set(object, "confirmation",
	        comparison == NULL ? json_null() : json_string(confirmation_name(comparison->confirmation)));
	json_set(object, "confirmation_text", json_text(comparison == NULL ? NULL : comparison->confirmation_text));
}

/* Sets what two engines say together; null where there is one only. */
static void set_pair(json_t *object, const BenchmarkComparison *comparison)
{
	gboolean known = comparison != NULL && comparison->pair != PAIR_UNKNOWN;
	json_set(object, "pair", known ? json_string(engine_pair_name((EnginePair)comparison->pair)) : json_null());
	json_set(object, "slower", json_text(comparison != NULL ? comparison->slower : NULL));
	json_set(object, "pair_text", json_text(known ? comparison->pair_text : NULL));
}

static json_t *benchmark_json(const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	const Measurement *side = benchmark->head != NULL ? benchmark->head : benchmark->base;
	json_t *object = json_object(), *metrics = json_array();
	for (guint i = 0; comparison != NULL && i < comparison->metrics->len; i++)
		json_array_append_new(metrics, metric_json(g_ptr_array_index(comparison->metrics, i)));
	json_set(object, "name", json_text(benchmark->name));
	json_set(
	        object, "verdict", json_string(verdict_name(comparison == NULL ? VERDICT_ERROR : comparison->verdict)));
	json_set(object, "reason_code", json_text(comparison == NULL ? "not_compared" : comparison->reason_code));
	json_set(object, "reason", json_text(comparison == NULL ? "it could not be compared" : comparison->reason));
	set_sentences(object, comparison);
	json_set(object, "engine", json_text(benchmark->engine));
	json_set(object, "base_source", json_text(base_source_name(benchmark->base_source)));
	set_pair(object, comparison);
	json_set(object, "schedule", json_text(side == NULL ? NULL : side->schedule));
	json_set(object, "work", side == NULL ? json_null() : json_number(side->work));
	json_set(object, "campaign", campaign_json(&benchmark->campaign, side == NULL ? NULL : side->schedule));
	json_set(object, "calibration", calibration_json(benchmark->calibration));
	json_set(object, "metrics", metrics);
	json_set(object, "profile", profile_facts_json(benchmark->base, benchmark->head, comparison));
	json_set(object, "functions", functions_json(highlights_table(benchmark), comparison));
	json_set(object, "annotations",
	        annotations_json(
	                benchmark->annotations, highlights_table(benchmark), engine_counts(benchmark->engine)));
	json_set(object, "accepted", accepted_json(comparison));
	json_set(object, "unstable", unstable_json(benchmark));
	json_set(object, "profiles", profiles_json(benchmark->profiles));
	json_set(object, "history", history_json(benchmark->history));
	json_set(object, "runs", runs_json(benchmark));
	json_set(object, "artifacts", artifacts_json(benchmark->artifacts));
	return object;
}

char *report_json(const CheckResult *result, gsize *length)
{
	json_auto_t *object = json_object();
	json_t *benchmarks = json_array();
	g_autofree char *reason = check_result_reason(result);
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, result->seed); /* more than a double can hold */
	for (guint i = 0; i < result->benchmarks->len; i++)
		json_array_append_new(benchmarks, benchmark_json(g_ptr_array_index(result->benchmarks, i)));
	json_set(object, "schema", json_string(REPORT_SCHEMA));
	json_set(object, "mode", json_string(check_mode_name(result->mode)));
	json_set(object, "verdict", json_string(verdict_name(result->verdict)));
	json_set(object, "exit_code", json_integer(result->exit_code));
	json_set(object, "measured", json_boolean(result_is_measured(result)));
	json_set(object, "reason", json_text(reason));
	json_set(object, "reasons", reasons_json(result->reasons));
	json_set(object, "base", side_json(&result->base));
	json_set(object, "head", side_json(&result->head));
	json_set(object, "config_source", json_text(result->config_source));
	json_set(object, "seed", json_string(seed));
	json_set(object, "max_time_s", result->max_time_s > 0 ? json_number(result->max_time_s) : json_null());
	json_set(object, "elapsed_s", json_number(result->elapsed_s));
	json_set(object, "shards", shards_json(result->shards));
	json_set(object, "environment", environment_json(result->environment));
	json_set(object, "findings", finding_list_json(result->findings, TRUE));
	json_set(object, "acceptances", acceptances_json(result->acceptances));
	json_set(object, "changed_code", changed_code_json(result->changed));
	json_set(object, "benchmarks", benchmarks);
	return json_dump_text(object, length);
}
