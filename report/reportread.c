#include "report/reportread.h"

#include "core/error.h"
#include "core/jsontext.h"
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
static Measurement *read_measurement(const json_t *object, StackTable *table, const char *sha)
{
	const json_t *profile = json_object_get(object, "profile");
	g_autofree char *name = text_or_empty(object, "name");
	g_autofree char *event = text_or_empty(profile, "event"), *unit = text_or_empty(profile, "unit");
	Measurement *measurement = measurement_new(name, sha, "");
	replace_text(&measurement->schedule, object, "schedule");
	measurement->work = number_of(object, "work");
	measurement->profile = profile_new(table, event, unit);
	return measurement;
}

static BenchmarkComparison *read_comparison(Reading *reading, const json_t *object, StackTable *table)
{
	const json_t *metrics = json_object_get(object, "metrics"), *functions = json_object_get(object, "functions");
	g_autofree char *name = text_or_empty(object, "name");
	BenchmarkComparison *comparison = benchmark_comparison_new(name);
	comparison->verdict = verdict_of(reading, object);
	replace_text(&comparison->reason_code, object, "reason_code");
	replace_text(&comparison->reason, object, "reason");
	replace_text(&comparison->sentence, object, "sentence");
	comparison->confirmation =
	        new_word_of(reading, object, "confirmation", nth_confirmation, CONFIRMATION_NOT_CONFIRMED + 1);
	comparison->confirmation_text = text_of(object, "confirmation_text");
	for (gsize i = 0; i < json_array_size(metrics); i++)
		g_ptr_array_add(comparison->metrics, read_metric(reading, json_array_get(metrics, i)));
	for (gsize i = 0; i < json_array_size(functions); i++)
		g_ptr_array_add(comparison->functions, read_function(reading, table, json_array_get(functions, i)));
	return comparison;
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
	ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
	if (json_is_object(json_object_get(object, "profile")))
		benchmark->head = read_measurement(object, table, result->head.sha);
	if (json_is_string(json_object_get(object, "sentence")))
		benchmark->comparison = read_comparison(reading, object, table);
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
