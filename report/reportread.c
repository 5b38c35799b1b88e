#include "report/reportread.h"

#include "compare/enginepair.h"
#include "core/error.h"
#include "core/jsontext.h"
#include "report/highlights.h"
#include "report/reportjson.h"

#include <math.h>

/* The first thing that is wrong with a report; later ones are not looked for. */
typedef struct {
	const char *what;
	GError *error;
} Reading;

static void refuse(Reading *reading, const char *key, const char *value)
{
	if (reading->error == NULL)
		g_set_error(&reading->error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE,
		        "%s: %s '%s' is not known; made by another version of firebreak?", reading->what, key,
		        value != NULL ? value : "");
}

/* NULL where there is no text. Owned by the caller. */
static char *text_of(const json_t *object, const char *key)
{
	return json_text_decode(json_object_get(object, key));
}

static char *text_or_empty(const json_t *object, const char *key)
{
	char *text = text_of(object, key);
	return text != NULL ? text : g_strdup("");
}

static void replace_text(char **field, const json_t *object, const char *key)
{
	g_free(*field);
	*field = text_or_empty(object, key);
}

/* NaN where there is no number. */
static double number_value(const json_t *value)
{
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static double number_of(const json_t *object, const char *key)
{
	return number_value(json_object_get(object, key));
}

static double share_of(const json_t *object, const char *key)
{
	return number_of(object, key) / 100;
}

static double ratio_of(const json_t *object, const char *key)
{
	return 1 + share_of(object, key);
}

static guint64 count_of(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));
	return value > 0 ? (guint64)value : 0;
}

static gboolean flag_of(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

/* One end of a pair in percent, as a share. */
static double end_of(const json_t *object, const char *key, gsize end)
{
	return number_value(json_array_get(json_object_get(object, key), end)) / 100;
}

/* The index of a text among `n` names; 0 and an error if it is none of them. */
static guint word_of(Reading *reading, const json_t *object, const char *key, const char *(*name)(guint), guint n)
{
	const char *word = json_string_value(json_object_get(object, key));
	for (guint i = 0; i < n; i++) {
		if (g_strcmp0(word, name(i)) == 0)
			return i;
	}
	refuse(reading, key, word);
	return 0;
}

/* The same of a key that reports of earlier versions do not have; 0 there. */
static guint new_word_of(Reading *reading, const json_t *object, const char *key, const char *(*name)(guint), guint n)
{
	return json_is_string(json_object_get(object, key)) ? word_of(reading, object, key, name, n) : 0;
}

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
	static const char *const names[] = {"perf", "callgrind"};
	return names[index];
}

static const char *nth_relation(guint index)
{
	return change_relation_name(index);
}

static const char *nth_confirmation(guint index)
{
	return confirmation_name(index);
}

static const char *nth_verdict(guint index)
{
	return verdict_name(index);
}

static const char *nth_class(guint index)
{
	return function_class_name(index);
}

static const char *nth_severity(guint index)
{
	return finding_severity_name(index);
}

static Verdict verdict_of(Reading *reading, const json_t *object)
{
	return word_of(reading, object, "verdict", nth_verdict, VERDICT_ERROR + 1);
}

static void read_side(ResultSide *side, const json_t *object)
{
	replace_text(&side->sha, object, "sha");
	replace_text(&side->ref, object, "ref");
	replace_text(&side->chosen_by, object, "chosen_by");
	replace_text(&side->subject, object, "subject");
}

static const char *engine_of(Reading *reading, const json_t *object)
{
	return nth_engine(new_word_of(reading, object, "engine", nth_engine, 2));
}

static BaseSource base_source_of(Reading *reading, const json_t *object)
{
	const char *word = json_string_value(json_object_get(object, "base_source"));
	for (guint i = BASE_NONE; i <= BASE_STORED; i++)
		if (g_strcmp0(word, base_source_name(i)) == 0)
			return i;
	refuse(reading, "base_source", word);
	return BASE_NONE;
}

static GArray *read_values(const json_t *array)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	for (gsize i = 0; i < json_array_size(array); i++) {
		double value = number_value(json_array_get(array, i));
		g_array_append_val(values, value);
	}
	return values;
}

/* A bound of a change as a ratio; `open` where there is none. */
static double bound_of(const json_t *object, gsize end, double open)
{
	double share = end_of(object, "ci_pct", end);
	return isnan(share) ? open : 1 + share;
}

/* Where base is 0 in every run, change and bounds are infinite, which is null in JSON; no bound is the other reason for
 * null, but then a verdict is not possible. */
static void read_change(MetricComparison *metric, const json_t *object)
{
	gboolean is_error = metric->verdict == VERDICT_ERROR, is_open = metric->verdict == VERDICT_INCONCLUSIVE;
	metric->change_ratio = ratio_of(object, "change_pct");
	gboolean from_zero = !is_error && isnan(metric->change_ratio);
	metric->lower_ratio = bound_of(object, 0, is_error ? NAN : from_zero && !is_open ? INFINITY : 0);
	metric->upper_ratio = bound_of(object, 1, is_error ? NAN : INFINITY);
	if (from_zero)
		metric->change_ratio = INFINITY;
}

static MetricComparison *read_metric(Reading *reading, const json_t *object)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = text_or_empty(object, "name");
	metric->engine = text_or_empty(object, "engine");
	metric->unit = text_or_empty(object, "unit");
	metric->base = number_of(object, "base");
	metric->head = number_of(object, "head");
	metric->higher_is_better = flag_of(object, "higher_is_better");
	metric->margin = share_of(object, "margin_pct");
	metric->pass_margin = share_of(object, "pass_margin_pct");
	metric->mde_ratio = share_of(object, "mde_pct");
	metric->rounds = (guint)count_of(object, "rounds");
	metric->rounds_needed = (guint)count_of(object, "rounds_needed");
	metric->base_spread = share_of(object, "base_spread_pct");
	metric->head_spread = share_of(object, "head_spread_pct");
	metric->base_values = read_values(json_object_get(object, "base_values"));
	metric->head_values = read_values(json_object_get(object, "head_values"));
	metric->gates = flag_of(object, "gates");
	metric->verdict = verdict_of(reading, object);
	read_change(metric, object);
	metric->reason = text_of(object, "reason");
	return metric;
}

static FrameId read_frame(StackTable *table, const json_t *object)
{
	g_autofree char *name = text_or_empty(object, "name"), *module = text_or_empty(object, "module");
	g_autofree char *file = text_or_empty(object, "file");
	NameId name_id = stack_table_name(table, name, -1);
	Frame frame = {
	        .name = name_id,
	        .raw_name = name_id,
	        .module = stack_table_name(table, module, -1),
	        .file = stack_table_name(table, file, -1),
	        .line = (guint32)count_of(object, "line"),
	        .kind = FRAME_USER,
	};
	return stack_table_frame(table, &frame);
}

static CodeIdentity code_of(const json_t *object)
{
	const json_t *changed = json_object_get(object, "code_changed");
	return !json_is_boolean(changed) ? CODE_UNKNOWN : json_is_true(changed) ? CODE_CHANGED : CODE_SAME;
}

static FunctionComparison *read_function(Reading *reading, StackTable *table, const json_t *object)
{
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	g_autofree char *renamed_from = text_of(object, "renamed_from"), *module = text_of(object, "module");
	function->frame = function->renamed_from = read_frame(table, object);
	if (renamed_from != NULL)
		function->renamed_from = stack_table_frame_named(table, renamed_from, module, FRAME_USER);
	function->contribution = share_of(object, "contribution_pp");
	function->contribution_lower = end_of(object, "ci_pp", 0);
	function->contribution_upper = end_of(object, "ci_pp", 1);
	function->change_ratio = ratio_of(object, "change_pct");
	function->base_cost = number_of(object, "base_cost");
	function->head_cost = number_of(object, "head_cost");
	function->repeats = flag_of(object, "repeats");
	function->base_samples = count_of(object, "base_samples");
	function->head_samples = count_of(object, "head_samples");
	function->tested = flag_of(object, "tested");
	function->p_adjusted = number_of(object, "p_adjusted");
	function->p_adjusted_improvement = number_of(object, "p_adjusted_improvement");
	function->mde_ratio = share_of(object, "mde_pct");
	function->klass = word_of(reading, object, "class", nth_class, FUNCTION_LAYOUT_SUSPECT + 1);
	function->code = code_of(object);
	function->relation = new_word_of(reading, object, "relation", nth_relation, CHANGE_UNTOUCHED + 1);
	function->gates = flag_of(object, "gates");
	function->sentence = text_of(object, "sentence");
	function->note = text_of(object, "note");
	return function;
}

/* A side that only names functions: its profile has the table and no runs. */
static Measurement *read_measurement(const json_t *profile, StackTable *table, const char *benchmark, const char *sha)
{
	g_autofree char *event = text_or_empty(profile, "event"), *unit = text_or_empty(profile, "unit");
	Measurement *measurement = measurement_new(benchmark, sha, "");
	measurement->profile = profile_new(table, event, unit);
	return measurement;
}

static void read_functions(
        Reading *reading, BenchmarkComparison *comparison, StackTable *table, const json_t *functions)
{
	for (gsize i = 0; i < json_array_size(functions); i++)
		g_ptr_array_add(comparison->functions, read_function(reading, table, json_array_get(functions, i)));
}

static BenchmarkComparison *read_comparison(Reading *reading, const json_t *object, StackTable *table)
{
	const json_t *metrics = json_object_get(object, "metrics");
	g_autofree char *name = text_or_empty(object, "name");
	BenchmarkComparison *comparison = benchmark_comparison_new(name);
	comparison->verdict = verdict_of(reading, object);
	replace_text(&comparison->reason_code, object, "reason_code");
	replace_text(&comparison->reason, object, "reason");
	replace_text(&comparison->sentence, object, "sentence");
	comparison->confirmation =
	        new_word_of(reading, object, "confirmation", nth_confirmation, CONFIRMATION_NOT_CONFIRMED + 1);
	comparison->confirmation_text = text_of(object, "confirmation_text");
	comparison->pair = (int)new_word_of(reading, object, "pair", nth_pair, PAIR_OPPOSED + 1);
	comparison->pair_text = text_of(object, "pair_text");
	for (gsize i = 0; i < json_array_size(metrics); i++)
		g_ptr_array_add(comparison->metrics, read_metric(reading, json_array_get(metrics, i)));
	read_functions(reading, comparison, table, json_object_get(object, "functions"));
	return comparison;
}

/* Appends an extra profile; without functions it was not compared, as that of one side. */
static void read_profile(Reading *reading, ResultBenchmark *benchmark, StackTable *table, const json_t *object)
{
	const json_t *facts = json_object_get(object, "profile"), *functions = json_object_get(object, "functions");
	g_autofree char *event = text_or_empty(object, "name");
	ResultProfile profile = {
	        .event = event, .engine = engine_of(reading, object), .decides = flag_of(object, "decides")};
	if (json_is_object(facts))
		profile.head = read_measurement(facts, table, benchmark->name, "");
	if (json_is_array(functions)) {
		profile.comparison = benchmark_comparison_new(benchmark->name);
		profile.comparison->exact = highlights_counts(profile.engine);
		replace_text(&profile.comparison->sentence, object, "sentence");
		read_functions(reading, profile.comparison, table, functions);
	}
	result_benchmark_add_profile(benchmark, &profile);
}

/* The comparison of exact counts: that of the benchmark, or of the profile that decides beside it; NULL if none is. */
static BenchmarkComparison *exact_comparison(const ResultBenchmark *benchmark)
{
	if (benchmark->comparison != NULL && benchmark->comparison->exact)
		return benchmark->comparison;
	for (guint i = 0; i < benchmark->profiles->len; i++) {
		const ResultProfile *profile = benchmark->profiles->pdata[i];
		if (profile->decides && profile->comparison != NULL && profile->comparison->exact)
			return profile->comparison;
	}
	return NULL;
}

static void read_unstable(const ResultBenchmark *benchmark, StackTable *table, const json_t *array)
{
	BenchmarkComparison *comparison = exact_comparison(benchmark);
	if (comparison == NULL)
		return;
	comparison->unstable = g_array_new(FALSE, FALSE, sizeof(UnstableFunction));
	for (gsize i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		UnstableFunction function = {
		        .frame = read_frame(table, object),
		        .side = g_strcmp0(json_string_value(json_object_get(object, "side")), "head") == 0,
		        .lowest = number_of(object, "lowest"),
		        .highest = number_of(object, "highest"),
		};
		g_array_append_val(comparison->unstable, function);
	}
}

/* NULL if none is stored. Owned by the caller. */
static CalibrationSummary *read_calibration(const json_t *object)
{
	if (count_of(object, "campaigns") == 0)
		return NULL;
	CalibrationSummary *calibration = g_new0(CalibrationSummary, 1);
	calibration->campaigns = (guint)count_of(object, "campaigns");
	calibration->passes = (guint)count_of(object, "passes");
	calibration->false_alarms = (guint)count_of(object, "false_alarms");
	calibration->function_alarms = (guint)count_of(object, "function_alarms");
	calibration->alarm_rate_upper = share_of(object, "alarm_rate_upper_pct");
	calibration->smallest_visible = share_of(object, "smallest_visible_pct");
	calibration->aa_spread = share_of(object, "aa_spread_pct");
	calibration->suspicious = flag_of(object, "suspicious");
	return calibration;
}

static void read_benchmark(Reading *reading, CheckResult *result, const json_t *object)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autofree char *name = text_or_empty(object, "name");
	const json_t *facts = json_object_get(object, "profile"), *profiles = json_object_get(object, "profiles");
	ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
	benchmark->engine = engine_of(reading, object);
	benchmark->base_source = base_source_of(reading, object);
	if (json_is_object(facts)) {
		benchmark->head = read_measurement(facts, table, name, result->head.sha);
		replace_text(&benchmark->head->schedule, object, "schedule");
		benchmark->head->work = number_of(object, "work");
	}
	if (json_is_string(json_object_get(object, "sentence"))) {
		benchmark->comparison = read_comparison(reading, object, table);
		benchmark->comparison->exact = highlights_counts(benchmark->engine);
	}
	for (gsize i = 0; i < json_array_size(profiles); i++)
		read_profile(reading, benchmark, table, json_array_get(profiles, i));
	read_unstable(benchmark, table, json_object_get(object, "unstable"));
	benchmark->calibration = read_calibration(json_object_get(object, "calibration"));
	const char *kind;
	json_t *file;
	json_object_foreach(json_object_get(object, "artifacts"), kind, file)
	{
		g_ptr_array_add(benchmark->artifacts, g_strdup(kind));
		g_ptr_array_add(benchmark->artifacts, json_is_string(file) ? json_text_decode(file) : g_strdup(""));
	}
}

static void read_lists(Reading *reading, CheckResult *result, const json_t *root)
{
	const json_t *reasons = json_object_get(root, "reasons"), *findings = json_object_get(root, "findings");
	for (gsize i = 0; i < json_array_size(reasons); i++) {
		const json_t *object = json_array_get(reasons, i);
		g_autofree char *code = text_or_empty(object, "code"), *text = text_or_empty(object, "text");
		g_autofree char *benchmark = text_of(object, "benchmark");
		check_result_add_reason(result, (int)json_integer_value(json_object_get(object, "exit_code")), code,
		        benchmark, "%s", text);
	}
	for (gsize i = 0; i < json_array_size(findings); i++) {
		const json_t *object = json_array_get(findings, i);
		g_autofree char *code = text_or_empty(object, "code"), *text = text_or_empty(object, "text");
		g_autofree char *benchmark = text_of(object, "benchmark");
		FindingSeverity severity = word_of(reading, object, "severity", nth_severity, FINDING_ERROR + 1);
		finding_add(result->findings, severity, code, benchmark, "%s", text);
	}
}

static CheckResult *read_result(Reading *reading, const json_t *root)
{
	CheckResult *result = check_result_new();
	const json_t *benchmarks = json_object_get(root, "benchmarks");
	result->mode = new_word_of(reading, root, "mode", nth_mode, CHECK_SELF_TEST + 1);
	result->verdict = verdict_of(reading, root);
	result->exit_code = (int)json_integer_value(json_object_get(root, "exit_code"));
	read_side(&result->base, json_object_get(root, "base"));
	read_side(&result->head, json_object_get(root, "head"));
	read_lists(reading, result, root);
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
	Reading reading = {what, NULL};
	if (g_strcmp0(schema, REPORT_SCHEMA) != 0)
		refuse(&reading, "schema", schema);
	g_autoptr(CheckResult) result = reading.error == NULL ? read_result(&reading, root) : NULL;
	if (reading.error == NULL)
		return g_steal_pointer(&result);
	g_propagate_error(error, reading.error);
	return NULL;
}
