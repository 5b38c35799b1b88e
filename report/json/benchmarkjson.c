/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/benchmarkjson.h"

#include "compare/counted/enginepair.h"
#include "core/json/fieldtable.h"
#include "model/engine.h"
#include "report/json/acceptancejson.h"
#include "report/json/annotationjson.h"
#include "report/json/campaignjson.h"
#include "report/json/functionjson.h"
#include "report/json/historyjson.h"
#include "report/json/metricjson.h"
#include "report/json/profilejson.h"
#include "report/json/runsjson.h"
#include "report/json/toolchainjson.h"
#include "report/words/benchmarkline.h"
#include "report/words/highlights.h"

static const Field comparison_fields[] = {
        FIELD_WORD("verdict", BenchmarkComparison, verdict, verdict_name, VERDICT_ERROR + 1),
        FIELD("reason_code", WORDS, BenchmarkComparison, reason_code),
        FIELD("reason", WORDS, BenchmarkComparison, reason),
        FIELD("sentence", WORDS, BenchmarkComparison, sentence),
        FIELD_NEW_WORD("confirmation", BenchmarkComparison, confirmation, confirmation_name, N_CONFIRMATIONS),
        FIELD_NEW("confirmation_text", TEXT, BenchmarkComparison, confirmation_text),
};

static const Field pair_fields[] = {
        FIELD_NEW_WORD("pair", BenchmarkComparison, pair, engine_pair_name, PAIR_OPPOSED + 1),
        FIELD_NEW("slower", TEXT, BenchmarkComparison, slower),
        FIELD_NEW("pair_text", TEXT, BenchmarkComparison, pair_text),
};

/* --- writing --- */

static json_t *artifacts_json(const GPtrArray *artifacts)
{
	json_t *object = json_object();
	for (guint i = 0; artifacts != NULL && i + 1 < artifacts->len; i += 2)
		json_set(object, g_ptr_array_index(artifacts, i), json_text(g_ptr_array_index(artifacts, i + 1)));
	return object;
}

/* Sets what was found, and what a second campaign made of it. */
static void set_comparison(json_t *object, const BenchmarkComparison *comparison)
{
	static const BenchmarkComparison none = {
	        .verdict = VERDICT_ERROR,
	        .reason_code = (char *)"not_compared",
	        .reason = (char *)BENCHMARK_NOT_COMPARED,
	};
	fields_write(object, FIELD_TABLE(comparison_fields), comparison != NULL ? comparison : &none, FALSE);
	if (comparison == NULL)
		json_set(object, "confirmation", json_null());
}

/* Sets what two engines say together; null where there is one only. */
static void set_pair(json_t *object, const BenchmarkComparison *comparison)
{
	static const BenchmarkComparison none = {.pair = PAIR_UNKNOWN};
	fields_write(object, FIELD_TABLE(pair_fields), comparison != NULL ? comparison : &none, FALSE);
	if (comparison != NULL && comparison->pair != PAIR_UNKNOWN)
		return;
	json_set(object, "pair", json_null());
	json_set(object, "pair_text", json_null());
}

json_t *benchmark_json(const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	const Measurement *side = benchmark->head != NULL ? benchmark->head : benchmark->base;
	json_t *object = json_object();
	json_set(object, "name", json_text(benchmark->name));
	set_comparison(object, comparison);
	json_set(object, "engine", json_text(benchmark->engine->name));
	json_set(object, "base_source", json_text(base_source_name(benchmark->base_source)));
	set_pair(object, comparison);
	json_set(object, "report_alpha",
	        comparison != NULL && comparison->report_alpha > 0 ? json_number(comparison->report_alpha)
	                                                           : json_null());
	json_set(object, "schedule", json_text(side == NULL ? NULL : side->schedule));
	json_set(object, "work", side == NULL ? json_null() : json_number(side->work));
	if (benchmark->base_program != NULL || benchmark->head_program != NULL)
		json_set(object, "programs", programs_json(benchmark->base_program, benchmark->head_program));
	json_set(object, "campaign", campaign_json(&benchmark->campaign, side == NULL ? NULL : side->schedule));
	json_set(object, "calibration", calibration_json(benchmark->calibration));
	json_set(object, "metrics", comparison != NULL ? metrics_json(comparison->metrics) : json_array());
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

/* --- reading --- */

/* Those that a report says nothing about are of the first, which is what there was before there were two. */
static const char *nth_engine(guint index)
{
	return engine_choices[index];
}

static const Engine *engine_of(FieldReading *reading, const json_t *object)
{
	return engine_row(field_new_word(reading, object, "engine", nth_engine, ENGINE_CHOICES));
}

static BenchmarkComparison *read_comparison(
        FieldReading *reading, const json_t *object, StackTable *table, gboolean counted)
{
	g_autofree char *name = field_text_or_empty(object, "name");
	BenchmarkComparison *comparison = benchmark_comparison_new(name);
	comparison->counted = counted;
	fields_read(reading, object, FIELD_TABLE(comparison_fields), comparison, FALSE);
	fields_read(reading, object, FIELD_TABLE(pair_fields), comparison, FALSE);
	double alpha = field_number(object, "report_alpha");
	comparison->report_alpha = alpha > 0 && alpha < 1 ? alpha : 0;
	accepted_read(reading, json_object_get(object, "accepted"), comparison);
	metrics_read(reading, json_object_get(object, "metrics"), comparison->metrics);
	profile_facts_read(comparison, json_object_get(object, "profile"));
	functions_read(reading, comparison, table, json_object_get(object, "functions"));
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
static void read_profile(FieldReading *reading, ResultBenchmark *benchmark, const json_t *object, double work)
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
		profile_facts_read(profile.comparison, facts);
		functions_read(reading, profile.comparison, table, functions);
	}
	if (json_is_object(facts)) {
		profile.head = read_named(facts, table, benchmark->name, work);
		profile.base = profile.comparison == NULL ? NULL : read_named(facts, table, benchmark->name, work);
	}
	if (profile.decides && profile.comparison != NULL && benchmark->comparison == NULL)
		field_refuse(reading, "without a comparison the deciding profile", event);
	profile.annotations = annotations_read(json_object_get(object, "annotations"), table, counted);
	result_benchmark_add_profile(benchmark, &profile);
}

static Verdict graver(Verdict a, Verdict b)
{
	return verdict_gravity(a) > verdict_gravity(b) ? a : b;
}

/* The verdict of a deciding profile by itself: by its metrics and functions. Never graver than that of the
 * benchmark, of which a second campaign may not have shown it again. */
static Verdict verdict_of_part(const BenchmarkComparison *part, Verdict whole)
{
	Verdict verdict = VERDICT_PASS;
	for (guint i = 0; i < part->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(part->metrics, i);
		if (metric->gates && !metric->accepted)
			verdict = graver(verdict, metric->verdict);
	}
	for (guint i = 0; i < part->functions->len; i++)
		if (((const FunctionComparison *)g_ptr_array_index(part->functions, i))->gates)
			verdict = graver(verdict, VERDICT_REGRESSION);
	return verdict_gravity(verdict) > verdict_gravity(whole) ? whole : verdict;
}

/* The benchmark has copies of the metrics of a profile that decides (result.h), and the report has only these. Without
 * them the profile would have nothing to tell, and no function to blame. */
static void restore_metrics(const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *whole = benchmark->comparison;
	for (guint i = 0; whole != NULL && i < benchmark->profiles->len; i++) {
		const ResultProfile *profile = g_ptr_array_index(benchmark->profiles, i);
		BenchmarkComparison *part = profile->decides ? profile->comparison : NULL;
		for (guint j = 0; part != NULL && j < whole->metrics->len; j++) {
			const MetricComparison *metric = g_ptr_array_index(whole->metrics, j);
			if (metric->engine == profile->engine)
				g_ptr_array_add(part->metrics, metric_comparison_copy(metric));
		}
		if (part != NULL)
			part->verdict = verdict_of_part(part, whole->verdict);
	}
}

/* The functions whose counts did not repeat belong to the comparison of counts: that of the benchmark, or of the
 * profile that decides beside it. */
static void read_all_unstable(
        FieldReading *reading, const ResultBenchmark *benchmark, StackTable *table, const json_t *array)
{
	if (benchmark->comparison != NULL && benchmark->comparison->counted) {
		unstable_read(reading, benchmark->comparison, table, array);
		return;
	}
	for (guint i = 0; i < benchmark->profiles->len; i++) {
		const ResultProfile *profile = g_ptr_array_index(benchmark->profiles, i);
		const Profile *names = highlights_profile(profile->base, profile->head);
		if (!profile->decides || profile->comparison == NULL || !profile->comparison->counted)
			continue;
		unstable_read(reading, profile->comparison, names != NULL ? names->table : table, array);
		return;
	}
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
	benchmark->campaign = campaign_read(json_object_get(object, "campaign"));
	benchmark->calibration = calibration_read(json_object_get(object, "calibration"));
	benchmark->base_program = program_read(json_object_get(object, "programs"), "base");
	benchmark->head_program = program_read(json_object_get(object, "programs"), "head");
}

void benchmark_read(FieldReading *reading, CheckResult *result, const json_t *object)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autofree char *name = field_text_or_empty(object, "name");
	const json_t *profiles = json_object_get(object, "profiles");
	ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
	benchmark->engine = engine_of(reading, object);
	benchmark->base_source = field_word(reading, object, "base_source", base_source_name, BASE_STORED + 1);
	const char *verdict = json_string_value(json_object_get(object, "verdict"));
	gboolean counted = engine_counts(benchmark->engine);
	read_measured(result, benchmark, object, table);
	if (json_is_string(json_object_get(object, "sentence")))
		benchmark->comparison = read_comparison(reading, object, table, counted);
	else if (verdict != NULL && !g_str_equal(verdict, verdict_name(VERDICT_ERROR)))
		field_refuse(reading, "without a comparison the verdict", verdict);
	benchmark->annotations = annotations_read(json_object_get(object, "annotations"), table, counted);
	benchmark->history = history_read(reading, json_object_get(object, "history"));
	for (gsize i = 0; i < json_array_size(profiles); i++)
		read_profile(reading, benchmark, json_array_get(profiles, i), field_number(object, "work"));
	restore_metrics(benchmark);
	read_all_unstable(reading, benchmark, table, json_object_get(object, "unstable"));
	read_artifacts(benchmark, json_object_get(object, "artifacts"));
}
