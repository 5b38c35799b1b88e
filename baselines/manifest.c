/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/manifest.h"

#include "baselines/seal.h"
#include "core/error.h"
#include "core/json/fieldtable.h"

#include <math.h>
#include <string.h>

#define KIND "firebreak-baseline"
#define MAX_RUNS 4096

/* A function as it is stored; texts are owned where it is read, and borrowed where it is written. */
typedef struct {
	char *name, *module, *raw_name, *file;
	FrameKind kind;
	guint line;
} StoredFunction;

/* A profile as it is stored, without its functions; likewise. */
typedef struct {
	char *event, *unit, *sha256;
	guint n_runs;
	guint64 size_bytes;
} StoredProfile;

static const char *class_name(guint index)
{
	static const char *const names[] = {
	        [METRIC_SAME_CAMPAIGN] = "same_campaign",
	        [METRIC_REPLICABLE] = "replicable",
	        [METRIC_DETERMINISTIC] = "deterministic",
	};
	return names[index];
}

static const char *kind_name(guint index)
{
	return frame_kind_names[index];
}

static const Field environment_fields[] = {
        FIELD("name", WORDS, EnvironmentField, name),
        FIELD_WORD("needed_by", EnvironmentField, needed_by, class_name, METRIC_DETERMINISTIC + 1),
        FIELD("value", WORDS, EnvironmentField, value),
};

static const Field run_fields[] = {
        FIELD("round", COUNT, RunFacts, round),
        FIELD("started_first", FLAG, RunFacts, started_first),
        FIELD("wall_ns", BIG_COUNT, RunFacts, wall_ns),
        FIELD("samples", BIG_COUNT, RunFacts, samples),
        FIELD("lost_samples", BIG_COUNT, RunFacts, lost_samples),
        FIELD("throttled", BIG_COUNT, RunFacts, throttled),
        FIELD("steal_share", REAL, RunFacts, steal_share),
        FIELD("running_share", REAL, RunFacts, running_share),
        FIELD("overlap_share", REAL, RunFacts, overlap_share),
        FIELD("attempts", COUNT, RunFacts, attempts),
        FIELD_RARE("incomplete_samples", BIG_COUNT, RunFacts, incomplete_samples),
        FIELD_RARE("work", REAL, RunFacts, work),
};

static const Field metric_fields[] = {
        FIELD("name", WORDS, MetricSeries, name),
        FIELD_CHOICE("engine", MetricSeries, engine, engine_row, ENGINES),
        FIELD("unit", WORDS, MetricSeries, unit),
        FIELD_WORD("comparable", MetricSeries, comparable, class_name, METRIC_DETERMINISTIC + 1),
        FIELD_NEW("higher_is_better", FLAG, MetricSeries, higher_is_better),
};

static const Field function_fields[] = {
        FIELD("name", WORDS, StoredFunction, name),
        FIELD("module", WORDS, StoredFunction, module),
        FIELD_WORD("kind", StoredFunction, kind, kind_name, FRAME_KINDS),
        FIELD_RARE("raw_name", TEXT, StoredFunction, raw_name), /* left out if it is the name */
        FIELD_RARE("file", WORDS, StoredFunction, file),
        FIELD_RARE("line", COUNT, StoredFunction, line),
};

static const Field profile_fields[] = {
        FIELD("event", WORDS, StoredProfile, event),
        FIELD("unit", WORDS, StoredProfile, unit),
        FIELD_MOST("runs", COUNT, StoredProfile, n_runs, MAX_RUNS),
        FIELD("stacks_sha256", WORDS, StoredProfile, sha256),
        FIELD("stacks_bytes", BIG_COUNT, StoredProfile, size_bytes),
};

static json_t *fingerprint_json(gconstpointer measurement, gboolean counted)
{
	(void)counted;
	g_autofree char *fingerprint =
	        environment_fingerprint(((const Measurement *)measurement)->environment, METRIC_REPLICABLE);
	return json_string(fingerprint);
}

static json_t *environment_json(gconstpointer measurement, gboolean counted)
{
	const Environment *environment = ((const Measurement *)measurement)->environment;
	return records_json(FIELD_TABLE(environment_fields), environment->fields, counted);
}

static void read_environment(FieldReading *reading, const json_t *array, gpointer measurement, gboolean counted)
{
	if (!json_is_array(array))
		field_is_wrong(reading, "environment");
	for (gsize i = 0; reading->problem == NULL && i < json_array_size(array); i++) {
		EnvironmentField field = {0};
		fields_read(reading, json_array_get(array, i), FIELD_TABLE(environment_fields), &field, counted);
		environment_set(((Measurement *)measurement)->environment, field.name, field.needed_by, field.value);
		g_free(field.name);
		g_free(field.value);
	}
}

static json_t *metrics_json(gconstpointer record, gboolean counted)
{
	const Measurement *measurement = record;
	json_t *metrics = records_json(FIELD_TABLE(metric_fields), measurement->metrics, counted);
	for (guint i = 0; i < measurement->metrics->len; i++) {
		json_t *values = json_array();
		for (guint run = 0; run < measurement->runs->len; run++) {
			double value = metric_value(measurement->metrics->pdata[i], run);
			json_array_append_new(values, isfinite(value) ? json_real(value) : json_null());
		}
		json_set(json_array_get(metrics, i), "values", values);
	}
	return metrics;
}

static void read_values(FieldReading *reading, const json_t *values, guint n, MetricSeries *series)
{
	if (!json_is_array(values) || json_array_size(values) != n)
		field_is_wrong(reading, "values");
	for (guint i = 0; reading->problem == NULL && i < n; i++) {
		const json_t *value = json_array_get(values, i);
		if (!json_is_number(value) && !json_is_null(value))
			field_is_wrong(reading, "values");
		g_array_index(series->values, double, i) = field_number_value(value);
	}
}

static void read_metric(FieldReading *reading, const json_t *object, Measurement *measurement)
{
	MetricSeries read = {0};
	fields_read(reading, object, FIELD_TABLE(metric_fields), &read, FALSE);
	if (reading->problem == NULL) {
		MetricSeries *series =
		        measurement_add_metric(measurement, read.engine, read.name, read.unit, read.comparable);
		series->higher_is_better = read.higher_is_better;
		read_values(reading, json_object_get(object, "values"), measurement->runs->len, series);
	}
	g_free(read.name);
	g_free(read.unit);
}

/* The runs are there already: each has a value of every metric. */
static void read_metrics(FieldReading *reading, const json_t *array, gpointer measurement, gboolean counted)
{
	(void)counted;
	if (!json_is_array(array))
		field_is_wrong(reading, "metrics");
	for (gsize i = 0; reading->problem == NULL && i < json_array_size(array); i++)
		read_metric(reading, json_array_get(array, i), measurement);
}

static const Field measurement_fields[] = {
        FIELD("benchmark", WORDS, Measurement, benchmark),
        FIELD("commit", WORDS, Measurement, commit),
        FIELD("tree", WORDS, Measurement, tree),
        FIELD_MADE("fingerprint", fingerprint_json, NULL),
        FIELD("schedule", WORDS, Measurement, schedule),
        FIELD("work", REAL, Measurement, work),
        FIELD_RARE("cases", WORDS, Measurement, cases),
        FIELD_MADE("environment", environment_json, read_environment),
        FIELD_ROWS("runs", Measurement, runs, RunFacts, run_fields, MAX_RUNS),
        FIELD_MADE("metrics", metrics_json, read_metrics),
};

/* --- writing --- */

static void mark_stack(const StackTable *table, StackId stack, gboolean *used)
{
	for (; stack.index != STACK_ROOT.index; stack = stack_table_parent(table, stack))
		used[stack_table_leaf(table, stack).index] = TRUE;
}

static gint compare_frames(gconstpointer a, gconstpointer b, gpointer data)
{
	const StackTable *table = data;
	FrameId x = *(const FrameId *)a, y = *(const FrameId *)b;
	int by_module = strcmp(stack_table_frame_module(table, x), stack_table_frame_module(table, y));
	int by_name = strcmp(stack_table_frame_name(table, x), stack_table_frame_name(table, y));
	if (by_module != 0 || by_name != 0)
		return by_module != 0 ? by_module : by_name;
	return (int)stack_table_frame_form(table, x) - (int)stack_table_frame_form(table, y);
}

/* Frames of stacks that have a cost, sorted by module and name. */
static GArray *used_frames(const Profile *profile)
{
	guint n_frames = stack_table_n_frames(profile->table);
	g_autofree gboolean *used = g_new0(gboolean, MAX(1, n_frames));
	for (guint i = 1; i < stack_table_n_stacks(profile->table); i++) {
		ProfileCell total = profile_stack_total(profile, (StackId){i});
		if (total.samples != 0 || total.weight != 0)
			mark_stack(profile->table, (StackId){i}, used);
	}
	GArray *frames = g_array_new(FALSE, FALSE, sizeof(FrameId));
	for (guint i = 0; i < n_frames; i++) {
		FrameId frame = {i};
		if (used[i])
			g_array_append_val(frames, frame);
	}
	g_array_sort_with_data(frames, compare_frames, profile->table);
	return frames;
}

static char *text_of(const StackTable *table, NameId name)
{
	return (char *)stack_table_text(table, name);
}

static json_t *function_json(const StackTable *table, FrameId id)
{
	const Frame *frame = stack_table_get_frame(table, id);
	gboolean is_raw = frame->raw_name.index != frame->name.index;
	const StoredFunction function = {
	        .name = text_of(table, frame->name),
	        .module = text_of(table, frame->module),
	        .kind = frame->kind,
	        .raw_name = is_raw ? text_of(table, frame->raw_name) : NULL,
	        .file = text_of(table, frame->file),
	        .line = frame->line,
	};
	return fields_json(FIELD_TABLE(function_fields), &function, FALSE);
}

static json_t *profile_json(const Profile *profile, const GString *stacks)
{
	g_autoptr(GArray) frames = used_frames(profile);
	g_autofree char *sha256 =
	        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)stacks->str, stacks->len);
	const StoredProfile stored = {
	        .event = profile->event,
	        .unit = profile->unit,
	        .sha256 = sha256,
	        .n_runs = profile_n_runs(profile),
	        .size_bytes = stacks->len,
	};
	json_t *object = fields_json(FIELD_TABLE(profile_fields), &stored, FALSE), *functions = json_array();
	for (guint i = 0; i < frames->len; i++)
		json_array_append_new(functions, function_json(profile->table, g_array_index(frames, FrameId, i)));
	json_set(object, "functions", functions);
	return object;
}

GString *manifest_write(const Measurement *measurement, const GString *stacks)
{
	g_assert((measurement->profile != NULL) == (stacks != NULL));
	json_auto_t *root = fields_json(FIELD_TABLE(measurement_fields), measurement, FALSE);
	json_set(root, "profile", stacks != NULL ? profile_json(measurement->profile, stacks) : json_null());
	return seal_object(KIND, MANIFEST_VERSION, root);
}

/* --- reading --- */

static void read_function(FieldReading *reading, const json_t *object, StackTable *table, GArray *functions)
{
	StoredFunction read = {0};
	fields_read(reading, object, FIELD_TABLE(function_fields), &read, FALSE);
	NameId name = stack_table_name(table, read.name, -1);
	Frame frame = {
	        .name = name,
	        .raw_name = read.raw_name != NULL ? stack_table_name(table, read.raw_name, -1) : name,
	        .module = stack_table_name(table, read.module, -1),
	        .file = stack_table_name(table, read.file, -1),
	        .line = read.line,
	        .kind = read.kind,
	};
	if (reading->problem == NULL) {
		FrameId id = stack_table_frame(table, &frame);
		g_array_append_val(functions, id);
	}
	g_free(read.name);
	g_free(read.raw_name);
	g_free(read.module);
	g_free(read.file);
}

static void read_functions(FieldReading *reading, const json_t *array, StackTable *table, GArray *functions)
{
	if (!json_is_array(array))
		field_is_wrong(reading, "functions");
	for (gsize i = 0; reading->problem == NULL && i < json_array_size(array); i++)
		read_function(reading, json_array_get(array, i), table, functions);
}

static void read_profile(FieldReading *reading, const json_t *object, StackTable *table, Measurement *measurement,
        ManifestStacks *stacks)
{
	StoredProfile read = {0};
	if (json_is_null(object) || reading->problem != NULL)
		return;
	fields_read(reading, object, FIELD_TABLE(profile_fields), &read, FALSE);
	if (strlen(read.sha256) != sizeof stacks->sha256 - 1)
		field_is_wrong(reading, "stacks_sha256");
	g_strlcpy(stacks->sha256, read.sha256, sizeof stacks->sha256);
	stacks->size_bytes = read.size_bytes;
	measurement->profile = profile_new(table, read.event, read.unit);
	for (guint run = 0; reading->problem == NULL && run < read.n_runs; run++)
		profile_add_run(measurement->profile);
	read_functions(reading, json_object_get(object, "functions"), table, stacks->functions);
	g_free(read.event);
	g_free(read.unit);
	g_free(read.sha256);
}

void manifest_stacks_clear(ManifestStacks *stacks)
{
	g_clear_pointer(&stacks->functions, g_array_unref);
}

gboolean manifest_version(const GString *text, guint *version, GError **error)
{
	return seal_version(text, KIND, version, error);
}

static json_t *load_root(const GString *text, GError **error)
{
	g_autoptr(GError) cause = NULL;
	if (!seal_verify(text, KIND, MANIFEST_VERSION, error))
		return NULL;
	json_t *root = json_load_text(text->str, text->len, "manifest", &cause);
	if (root == NULL)
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, cause->message);
	return root;
}

Measurement *manifest_read(
        const GString *text, StackTable *table, ManifestStacks *stacks, char **fingerprint, GError **error)
{
	FieldReading reading = {.strict = TRUE};
	g_auto(ManifestStacks) found = {.functions = g_array_new(FALSE, FALSE, sizeof(FrameId))};
	json_auto_t *root = load_root(text, error);
	if (root == NULL)
		return NULL;
	g_autoptr(Measurement) measurement = measurement_new("", "", "");
	fields_read(&reading, root, FIELD_TABLE(measurement_fields), measurement, FALSE);
	read_profile(&reading, json_object_get(root, "profile"), table, measurement, &found);
	g_autofree char *environment_hash = field_text(root, "fingerprint");
	if (environment_hash == NULL)
		field_is_wrong(&reading, "fingerprint");
	if (reading.problem != NULL) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
		        "manifest: `%s` is missing or has a wrong value", reading.problem);
		return NULL;
	}
	if (stacks != NULL) {
		*stacks = found;
		found.functions = NULL;
	}
	if (fingerprint != NULL)
		*fingerprint = g_steal_pointer(&environment_hash);
	return g_steal_pointer(&measurement);
}
