#include "baselines/manifest.h"

#include "baselines/seal.h"
#include "baselines/storedjson.h"
#include "core/error.h"
#include "core/jsontext.h"

#include <math.h>
#include <string.h>

#define KIND "firebreak-baseline"
#define MAX_RUNS 4096

static const char *const class_names[] = {
        [METRIC_SAME_CAMPAIGN] = "same_campaign",
        [METRIC_REPLICABLE] = "replicable",
        [METRIC_DETERMINISTIC] = "deterministic",
};

/* --- writing --- */

static json_t *environment_json(const Environment *environment)
{
	json_t *fields = json_array();
	for (guint i = 0; i < environment->fields->len; i++) {
		const EnvironmentField *field = environment->fields->pdata[i];
		json_array_append_new(fields, json_pack("{s:o, s:s, s:o}", "name", json_text(field->name), "needed_by",
		                                      class_names[field->needed_by], "value", json_text(field->value)));
	}
	return fields;
}

static json_t *runs_json(const Measurement *measurement)
{
	json_t *runs = json_array();
	for (guint i = 0; i < measurement->runs->len; i++) {
		const RunFacts *facts = &g_array_index(measurement->runs, RunFacts, i);
		json_t *run = json_pack("{s:o, s:b, s:o, s:o, s:o, s:o}", "round", stored_count(facts->round),
		        "started_first", facts->started_first, "wall_ns", stored_count(facts->wall_ns), "samples",
		        stored_count(facts->samples), "lost_samples", stored_count(facts->lost_samples), "throttled",
		        stored_count(facts->throttled));
		json_object_set_new(run, "steal_share", stored_real(facts->steal_share));
		json_object_set_new(run, "running_share", stored_real(facts->running_share));
		json_object_set_new(run, "overlap_share", stored_real(facts->overlap_share));
		json_object_set_new(run, "attempts", stored_count(facts->attempts));
		if (facts->incomplete_samples > 0)
			json_object_set_new(run, "incomplete_samples", stored_count(facts->incomplete_samples));
		if (facts->work > 0)
			json_object_set_new(run, "work", stored_real(facts->work));
		json_array_append_new(runs, run);
	}
	return runs;
}

static json_t *metrics_json(const Measurement *measurement)
{
	json_t *metrics = json_array();
	for (guint i = 0; i < measurement->metrics->len; i++) {
		const MetricSeries *series = measurement->metrics->pdata[i];
		json_t *values = json_array();
		for (guint run = 0; run < measurement->runs->len; run++)
			json_array_append_new(values, stored_real(metric_value(series, run)));
		json_array_append_new(
		        metrics, json_pack("{s:o, s:o, s:o, s:s, s:b, s:o}", "name", json_text(series->name), "engine",
		                         json_text(series->engine), "unit", json_text(series->unit), "comparable",
		                         class_names[series->comparable], "higher_is_better", series->higher_is_better,
		                         "values", values));
	}
	return metrics;
}

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

/* Leaves out what says nothing: a raw name that is the name, a file that is not known. */
static json_t *function_json(const StackTable *table, FrameId id)
{
	const Frame *frame = stack_table_get_frame(table, id);
	json_t *function = json_pack("{s:o, s:o, s:s}", "name", json_text(stack_table_frame_name(table, id)), "module",
	        json_text(stack_table_frame_module(table, id)), "kind", frame_kind_names[frame->kind]);
	if (frame->raw_name.index != frame->name.index)
		json_object_set_new(function, "raw_name", json_text(stack_table_text(table, frame->raw_name)));
	if (frame->file.index != 0)
		json_object_set_new(function, "file", json_text(stack_table_text(table, frame->file)));
	if (frame->line != 0)
		json_object_set_new(function, "line", json_integer(frame->line));
	return function;
}

static json_t *profile_json(const Profile *profile, const GString *stacks)
{
	g_autoptr(GArray) frames = used_frames(profile);
	g_autofree char *sha256 =
	        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)stacks->str, stacks->len);
	json_t *functions = json_array();
	for (guint i = 0; i < frames->len; i++)
		json_array_append_new(functions, function_json(profile->table, g_array_index(frames, FrameId, i)));
	return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o}", "event", json_text(profile->event), "unit",
	        json_text(profile->unit), "runs", json_integer(profile_n_runs(profile)), "stacks_sha256", sha256,
	        "stacks_bytes", stored_count(stacks->len), "functions", functions);
}

GString *manifest_write(const Measurement *measurement, const GString *stacks)
{
	g_assert((measurement->profile != NULL) == (stacks != NULL));
	g_autofree char *fingerprint = environment_fingerprint(measurement->environment, METRIC_REPLICABLE);
	json_auto_t *root = json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "benchmark",
	        json_text(measurement->benchmark), "commit", json_text(measurement->commit), "tree",
	        json_text(measurement->tree), "fingerprint", fingerprint, "schedule", json_text(measurement->schedule),
	        "work", stored_real(measurement->work), "environment", environment_json(measurement->environment),
	        "runs", runs_json(measurement), "metrics", metrics_json(measurement), "profile",
	        stacks != NULL ? profile_json(measurement->profile, stacks) : json_null());
	g_assert(root != NULL);
	char *object = json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
	g_assert(object != NULL);
	GString *text = seal_json(KIND, MANIFEST_VERSION, object);
	free(object);
	return text;
}

/* --- reading --- */

/* A flag that texts of older versions do not have; FALSE there. */
static gboolean read_new_flag(StoredReader *reader, const json_t *object, const char *key)
{
	return json_object_get(object, key) != NULL && stored_read_flag(reader, object, key);
}

/* Facts about a run that are left out where they say nothing, or were not known to older versions. */
static void read_rare_facts(StoredReader *reader, const json_t *run, RunFacts *facts)
{
	if (json_object_get(run, "incomplete_samples") != NULL)
		facts->incomplete_samples = stored_read_count(reader, run, "incomplete_samples");
	if (json_object_get(run, "work") != NULL)
		facts->work = stored_read_number(reader, run, "work");
}

static MetricClass read_class(StoredReader *reader, const json_t *object, const char *key)
{
	return (MetricClass)stored_read_choice(reader, object, key, class_names, G_N_ELEMENTS(class_names));
}

static void read_environment(StoredReader *reader, const json_t *root, Environment *environment)
{
	const json_t *fields = stored_read_array(reader, root, "environment", G_MAXSIZE);
	for (gsize i = 0; reader->problem == NULL && i < json_array_size(fields); i++) {
		const json_t *field = json_array_get(fields, i);
		g_autofree char *name = stored_read_text(reader, field, "name");
		g_autofree char *value = stored_read_text(reader, field, "value");
		environment_set(environment, name, read_class(reader, field, "needed_by"), value);
	}
}

static void read_runs(StoredReader *reader, const json_t *root, Measurement *measurement)
{
	const json_t *runs = stored_read_array(reader, root, "runs", MAX_RUNS);
	for (gsize i = 0; reader->problem == NULL && i < json_array_size(runs); i++) {
		const json_t *run = json_array_get(runs, i);
		RunFacts facts = {
		        .round = (guint)stored_read_count(reader, run, "round"),
		        .started_first = stored_read_flag(reader, run, "started_first"),
		        .wall_ns = stored_read_count(reader, run, "wall_ns"),
		        .samples = stored_read_count(reader, run, "samples"),
		        .lost_samples = stored_read_count(reader, run, "lost_samples"),
		        .throttled = stored_read_count(reader, run, "throttled"),
		        .steal_share = stored_read_number(reader, run, "steal_share"),
		        .running_share = stored_read_number(reader, run, "running_share"),
		        .overlap_share = stored_read_number(reader, run, "overlap_share"),
		        .attempts = (guint)stored_read_count(reader, run, "attempts"),
		};
		read_rare_facts(reader, run, &facts);
		g_array_append_val(measurement->runs, facts);
	}
}

static void read_metric(StoredReader *reader, const json_t *metric, Measurement *measurement)
{
	g_autofree char *name = stored_read_text(reader, metric, "name");
	g_autofree char *engine = stored_read_text(reader, metric, "engine");
	g_autofree char *unit = stored_read_text(reader, metric, "unit");
	MetricClass comparable = read_class(reader, metric, "comparable");
	const json_t *values = stored_read_array(reader, metric, "values", MAX_RUNS);
	if (json_array_size(values) != measurement->runs->len && reader->problem == NULL)
		reader->problem = "values";
	if (reader->problem != NULL)
		return;
	MetricSeries *series = measurement_add_metric(measurement, engine, name, unit, comparable);
	series->higher_is_better = read_new_flag(reader, metric, "higher_is_better");
	for (guint run = 0; run < measurement->runs->len; run++)
		g_array_index(series->values, double, run) =
		        stored_number_value(reader, json_array_get(values, run), "values");
}

static void read_metrics(StoredReader *reader, const json_t *root, Measurement *measurement)
{
	const json_t *metrics = stored_read_array(reader, root, "metrics", G_MAXSIZE);
	for (gsize i = 0; reader->problem == NULL && i < json_array_size(metrics); i++)
		read_metric(reader, json_array_get(metrics, i), measurement);
}

/* A text that may be left out. */
static NameId read_name(const json_t *object, const char *key, StackTable *table, NameId otherwise)
{
	g_autofree char *text = json_text_decode(json_object_get(object, key));
	return text != NULL ? stack_table_name(table, text, -1) : otherwise;
}

static void read_function(StoredReader *reader, const json_t *function, StackTable *table, GArray *functions)
{
	g_autofree char *name = stored_read_text(reader, function, "name");
	g_autofree char *module = stored_read_text(reader, function, "module");
	Frame frame = {.name = stack_table_name(table, name, -1), .module = stack_table_name(table, module, -1)};
	frame.kind = (FrameKind)stored_read_choice(reader, function, "kind", frame_kind_names, FRAME_KINDS);
	frame.raw_name = read_name(function, "raw_name", table, frame.name);
	frame.file = read_name(function, "file", table, (NameId){0});
	if (json_object_get(function, "line") != NULL)
		frame.line = (guint32)stored_read_count(reader, function, "line");
	if (reader->problem != NULL)
		return;
	FrameId id = stack_table_frame(table, &frame);
	g_array_append_val(functions, id);
}

static void read_profile(
        StoredReader *reader, const json_t *root, StackTable *table, Measurement *measurement, ManifestStacks *stacks)
{
	const json_t *object = stored_member(reader, root, "profile");
	if (json_is_null(object) || reader->problem != NULL)
		return;
	g_autofree char *event = stored_read_text(reader, object, "event");
	g_autofree char *unit = stored_read_text(reader, object, "unit");
	g_autofree char *sha256 = stored_read_text(reader, object, "stacks_sha256");
	guint64 n_runs = stored_read_count(reader, object, "runs");
	const json_t *functions = stored_read_array(reader, object, "functions", G_MAXSIZE);
	stacks->size_bytes = stored_read_count(reader, object, "stacks_bytes");
	if (n_runs > MAX_RUNS && reader->problem == NULL)
		reader->problem = "runs";
	if (strlen(sha256) != sizeof stacks->sha256 - 1 && reader->problem == NULL)
		reader->problem = "stacks_sha256";
	g_strlcpy(stacks->sha256, sha256, sizeof stacks->sha256);
	measurement->profile = profile_new(table, event, unit);
	for (guint64 run = 0; reader->problem == NULL && run < n_runs; run++)
		profile_add_run(measurement->profile);
	for (gsize i = 0; reader->problem == NULL && i < json_array_size(functions); i++)
		read_function(reader, json_array_get(functions, i), table, stacks->functions);
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
	StoredReader reader = {NULL};
	g_auto(ManifestStacks) found = {.functions = g_array_new(FALSE, FALSE, sizeof(FrameId))};
	json_auto_t *root = load_root(text, error);
	if (root == NULL)
		return NULL;
	g_autofree char *benchmark = stored_read_text(&reader, root, "benchmark");
	g_autofree char *commit = stored_read_text(&reader, root, "commit");
	g_autofree char *tree = stored_read_text(&reader, root, "tree");
	g_autofree char *environment_hash = stored_read_text(&reader, root, "fingerprint");
	g_autoptr(Measurement) measurement = measurement_new(benchmark, commit, tree);
	g_free(measurement->schedule);
	measurement->schedule = stored_read_text(&reader, root, "schedule");
	measurement->work = stored_read_number(&reader, root, "work");
	read_environment(&reader, root, measurement->environment);
	read_runs(&reader, root, measurement);
	read_metrics(&reader, root, measurement);
	read_profile(&reader, root, table, measurement, &found);
	if (reader.problem != NULL) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
		        "manifest: `%s` is missing or not what it should be", reader.problem);
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
