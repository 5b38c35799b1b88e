#include "report/json/reportread.h"

#include "compare/contradiction.h"
#include "compare/counted/enginepair.h"
#include "core/error.h"
#include "core/jsontext.h"
#include "model/engine.h"
#include "report/json/acceptancejson.h"
#include "report/json/annotationjson.h"
#include "report/json/changedjson.h"
#include "report/json/historyjson.h"
#include "report/json/readfunctions.h"
#include "report/json/readruns.h"
#include "report/json/recordfields.h"
#include "report/json/reportfields.h"
#include "report/json/reportjson.h"
#include "report/json/shardjson.h"
#include "report/words/highlights.h"

#include <math.h>

static const char *nth_mode(guint index)
{
	return check_mode_name(index);
}

static const char *nth_pair(guint index)
{
	return engine_pair_name(index);
}

/* Those that a report says nothing about are of the first, which is what there was before there were two. */
static const char *nth_engine(guint index)
{
	return engine_choices[index];
}

static const char *nth_confirmation(guint index)
{
	return confirmation_name(index);
}

static const char *nth_severity(guint index)
{
	return finding_severity_name(index);
}

static void read_side(ResultSide *side, const json_t *object)
{
	field_replace_text(&side->sha, object, "sha");
	field_replace_text(&side->ref, object, "ref");
	field_replace_text(&side->chosen_by, object, "chosen_by");
	field_replace_text(&side->subject, object, "subject");
}

static const char *engine_of(ReportReading *reading, const json_t *object)
{
	return nth_engine(field_new_word(reading, object, "engine", nth_engine, ENGINE_CHOICES));
}

static BaseSource base_source_of(ReportReading *reading, const json_t *object)
{
	const char *word = json_string_value(json_object_get(object, "base_source"));
	for (guint i = BASE_NONE; i <= BASE_STORED; i++)
		if (g_strcmp0(word, base_source_name(i)) == 0)
			return i;
	report_reading_refuse(reading, "base_source", word);
	return BASE_NONE;
}

/* --- comparisons and profiles --- */

static BenchmarkComparison *read_comparison(
        ReportReading *reading, const json_t *object, StackTable *table, gboolean counted)
{
	g_autofree char *name = field_text_or_empty(object, "name");
	BenchmarkComparison *comparison = benchmark_comparison_new(name);
	comparison->counted = counted;
	comparison->verdict = read_verdict(reading, object);
	field_replace_text(&comparison->reason_code, object, "reason_code");
	field_replace_text(&comparison->reason, object, "reason");
	field_replace_text(&comparison->sentence, object, "sentence");
	comparison->confirmation = field_new_word(reading, object, "confirmation", nth_confirmation, N_CONFIRMATIONS);
	comparison->confirmation_text = field_text(object, "confirmation_text");
	comparison->pair = (int)field_new_word(reading, object, "pair", nth_pair, PAIR_OPPOSED + 1);
	comparison->slower = field_text(object, "slower");
	comparison->pair_text = field_text(object, "pair_text");
	accepted_read(json_object_get(object, "accepted"), comparison);
	read_metrics(reading, comparison, json_object_get(object, "metrics"));
	read_profile_facts(comparison, json_object_get(object, "profile"));
	read_functions(reading, comparison, table, json_object_get(object, "functions"));
	return comparison;
}

/* A side of an extra profile: it names functions, and has no runs. */
static Measurement *read_named(const json_t *facts, StackTable *table, const char *benchmark, double work)
{
	g_autofree char *event = field_text_or_empty(facts, "event"), *unit = field_text_or_empty(facts, "unit");
	Measurement *measurement = measurement_new(benchmark, "", "");
	measurement->profile = profile_new(table, event, unit);
	measurement->work = work;
	return measurement;
}

/* Appends an extra profile; without functions it was not compared, as that of one side. */
static void read_profile(ReportReading *reading, ResultBenchmark *benchmark, const json_t *object, double work)
{
	const json_t *facts = json_object_get(object, "profile"), *functions = json_object_get(object, "functions");
	g_autoptr(StackTable) table = stack_table_new();
	g_autofree char *event = field_text_or_empty(object, "name");
	ResultProfile profile = {
	        .event = event, .engine = engine_of(reading, object), .decides = field_flag(object, "decides")};
	gboolean counted = engine_counts(profile.engine);
	if (json_is_array(functions)) {
		profile.comparison = benchmark_comparison_new(benchmark->name);
		profile.comparison->counted = counted;
		field_replace_text(&profile.comparison->sentence, object, "sentence");
		read_profile_facts(profile.comparison, facts);
		read_functions(reading, profile.comparison, table, functions);
	}
	if (json_is_object(facts)) {
		profile.head = read_named(facts, table, benchmark->name, work);
		profile.base = profile.comparison == NULL ? NULL : read_named(facts, table, benchmark->name, work);
	}
	if (profile.decides && profile.comparison != NULL && benchmark->comparison == NULL)
		report_reading_refuse(reading, "without a comparison the deciding profile", event);
	profile.annotations = annotations_read(json_object_get(object, "annotations"), table, counted);
	result_benchmark_add_profile(benchmark, &profile);
}

/* The functions whose counts did not repeat belong to the comparison of counts: that of the benchmark, or of the
 * profile that decides beside it. */
static void read_all_unstable(const ResultBenchmark *benchmark, StackTable *table, const json_t *array)
{
	if (benchmark->comparison != NULL && benchmark->comparison->counted) {
		read_unstable(benchmark->comparison, table, array);
		return;
	}
	for (guint i = 0; i < benchmark->profiles->len; i++) {
		const ResultProfile *profile = g_ptr_array_index(benchmark->profiles, i);
		const Profile *names = highlights_profile(profile->base, profile->head);
		if (!profile->decides || profile->comparison == NULL || !profile->comparison->counted)
			continue;
		read_unstable(profile->comparison, names != NULL ? names->table : table, array);
		return;
	}
}

/* --- how it was measured --- */

static Contamination read_yardstick(const json_t *object)
{
	return (Contamination){
	        .rounds = field_small_count(object, "rounds"),
	        .change_ratio = field_ratio(object, "change_pct"),
	        .lower_ratio = json_is_number(json_array_get(json_object_get(object, "ci_pct"), 0))
	                               ? 1 + field_end(object, "ci_pct", 0)
	                               : 0,
	        .upper_ratio = json_is_number(json_array_get(json_object_get(object, "ci_pct"), 1))
	                               ? 1 + field_end(object, "ci_pct", 1)
	                               : INFINITY,
	        .contaminated = field_flag(object, "contaminated"),
	};
}

static CampaignFacts read_campaign(const json_t *object)
{
	CampaignFacts campaign = {
	        .layouts = field_small_count(object, "layouts"),
	        .yardstick = read_yardstick(json_object_get(object, "yardstick")),
	};
	fields_read(object, campaign_fields, &campaign, FALSE);
	fields_read(object, campaign_time_fields, &campaign, FALSE);
	return campaign;
}

/* NULL if none is stored. Owned by the caller. */
static CalibrationSummary *read_calibration(const json_t *object)
{
	if (field_count(object, "campaigns") == 0)
		return NULL;
	CalibrationSummary *calibration = g_new0(CalibrationSummary, 1);
	fields_read(object, calibration_fields, calibration, FALSE);
	return calibration;
}

static void read_artifacts(ResultBenchmark *benchmark, json_t *object)
{
	const char *kind;
	json_t *file;
	json_object_foreach(object, kind, file)
	{
		g_ptr_array_add(benchmark->artifacts, g_strdup(kind));
		g_ptr_array_add(benchmark->artifacts, json_is_string(file) ? json_text_decode(file) : g_strdup(""));
	}
}

static void read_measured(
        const CheckResult *result, ResultBenchmark *benchmark, const json_t *object, StackTable *table)
{
	RunsSource source = {
	        .object = object,
	        .facts = json_object_get(object, "profile"),
	        .table = table,
	        .name = benchmark->name,
	        .base_sha = result->base.sha,
	        .head_sha = result->head.sha,
	};
	read_runs(&source, &benchmark->base, &benchmark->head);
	benchmark->campaign = read_campaign(json_object_get(object, "campaign"));
	benchmark->calibration = read_calibration(json_object_get(object, "calibration"));
}

static void read_benchmark(ReportReading *reading, CheckResult *result, const json_t *object)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autofree char *name = field_text_or_empty(object, "name");
	const json_t *profiles = json_object_get(object, "profiles");
	ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
	benchmark->engine = engine_of(reading, object);
	benchmark->base_source = base_source_of(reading, object);
	const char *verdict = json_string_value(json_object_get(object, "verdict"));
	gboolean counted = engine_counts(benchmark->engine);
	read_measured(result, benchmark, object, table);
	if (json_is_string(json_object_get(object, "sentence")))
		benchmark->comparison = read_comparison(reading, object, table, counted);
	else if (verdict != NULL && !g_str_equal(verdict, verdict_name(VERDICT_ERROR)))
		report_reading_refuse(reading, "without a comparison the verdict", verdict);
	benchmark->annotations = annotations_read(json_object_get(object, "annotations"), table, counted);
	benchmark->history = history_read(json_object_get(object, "history"));
	for (gsize i = 0; i < json_array_size(profiles); i++)
		read_profile(reading, benchmark, json_array_get(profiles, i), field_number(object, "work"));
	read_all_unstable(benchmark, table, json_object_get(object, "unstable"));
	read_artifacts(benchmark, json_object_get(object, "artifacts"));
}

/* --- the whole --- */

/* One that is missing is none: 0 is the best of all. */
static int read_exit_code(ReportReading *reading, const json_t *object)
{
	const json_t *value = json_object_get(object, "exit_code");
	json_int_t code = json_integer_value(value);
	if (!json_is_integer(value) || code < 0 || code > 255)
		report_reading_refuse(reading, "exit_code", json_string_value(value));
	return (int)code;
}

/* Which metrics need a field equal is not in the report; nothing that is rendered asks for it. */
static Environment *read_environment(json_t *object)
{
	if (!json_is_object(object))
		return NULL;
	Environment *environment = environment_new();
	const char *name;
	json_t *value;
	json_object_foreach(object, name, value)
	{
		g_autofree char *text = json_text_decode(value);
		environment_set(environment, name, METRIC_REPLICABLE, text != NULL ? text : "");
	}
	return environment;
}

static void read_facts(CheckResult *result, const json_t *root)
{
	const char *seed = json_string_value(json_object_get(root, "seed"));
	double max_time_s = field_number(root, "max_time_s");
	field_replace_text(&result->config_source, root, "config_source");
	if (seed == NULL || !g_ascii_string_to_unsigned(seed, 10, 0, G_MAXUINT64, &result->seed, NULL))
		result->seed = 0;
	result->max_time_s = max_time_s > 0 ? max_time_s : 0;
	result->elapsed_s = field_number(root, "elapsed_s");
	result->shards = shards_read(json_object_get(root, "shards"));
	result->environment = read_environment(json_object_get(root, "environment"));
}

static void read_lists(ReportReading *reading, CheckResult *result, const json_t *root)
{
	const json_t *reasons = json_object_get(root, "reasons"), *findings = json_object_get(root, "findings");
	for (gsize i = 0; i < json_array_size(reasons); i++) {
		const json_t *object = json_array_get(reasons, i);
		g_autofree char *code = field_text_or_empty(object, "code"),
		                *text = field_text_or_empty(object, "text");
		g_autofree char *benchmark = field_text(object, "benchmark");
		check_result_add_reason(result, read_exit_code(reading, object), code, benchmark, "%s", text);
	}
	for (gsize i = 0; i < json_array_size(findings); i++) {
		const json_t *object = json_array_get(findings, i);
		g_autofree char *code = field_text_or_empty(object, "code"),
		                *text = field_text_or_empty(object, "text");
		g_autofree char *benchmark = field_text(object, "benchmark");
		FindingSeverity severity = field_word(reading, object, "severity", nth_severity, FINDING_ERROR + 1);
		finding_add(result->findings, severity, code, benchmark, "%s", text);
	}
}

static CheckResult *read_result(ReportReading *reading, const json_t *root)
{
	CheckResult *result = check_result_new();
	const json_t *benchmarks = json_object_get(root, "benchmarks");
	result->mode = field_new_word(reading, root, "mode", nth_mode, CHECK_SELF_TEST + 1);
	result->verdict = read_verdict(reading, root);
	result->exit_code = read_exit_code(reading, root);
	read_side(&result->base, json_object_get(root, "base"));
	read_side(&result->head, json_object_get(root, "head"));
	read_facts(result, root);
	read_lists(reading, result, root);
	acceptances_read(reading, json_object_get(root, "acceptances"), result->acceptances);
	result->changed = changed_code_read(reading, json_object_get(root, "changed_code"));
	for (gsize i = 0; i < json_array_size(benchmarks); i++)
		read_benchmark(reading, result, json_array_get(benchmarks, i));
	return result;
}

CheckResult *report_read(const char *text, gsize length, const char *what, GError **error)
{
	json_auto_t *root = json_load_text(text, length, what, error);
	if (root == NULL)
		return NULL;
	const char *schema = json_string_value(json_object_get(root, "schema"));
	ReportReading reading = {what, NULL};
	if (g_strcmp0(schema, REPORT_SCHEMA) != 0)
		report_reading_refuse(&reading, "schema", schema);
	g_autoptr(CheckResult) result = reading.error == NULL ? read_result(&reading, root) : NULL;
	g_autofree char *problem = reading.error == NULL ? result_contradiction(result) : NULL;
	if (reading.error != NULL)
		g_propagate_error(error, reading.error);
	else if (problem != NULL)
		firebreak_refuse(error, FIREBREAK_ERROR_STORAGE,
		        "%s: contradicts itself, so it was damaged or changed: %s; run the check again", what, problem);
	else
		return g_steal_pointer(&result);
	return NULL;
}
