#include "report/json/readfunctions.h"

#include "compare/comparison/filelabels.h"
#include "model/engine.h"
#include "report/json/recordfields.h"
#include "report/words/highlights.h"

#include <float.h>
#include <math.h>

static const char *nth_relation(guint index)
{
	return change_relation_name(index);
}

static const char *nth_verdict(guint index)
{
	return verdict_name(index);
}

static const char *nth_confirmation(guint index)
{
	return confirmation_name(index);
}

static const char *nth_class(guint index)
{
	return function_class_name(index);
}

Verdict read_verdict(ReportReading *reading, const json_t *object)
{
	return field_word(reading, object, "verdict", nth_verdict, VERDICT_ERROR + 1);
}

/* --- metrics --- */

static GArray *read_values(const json_t *array, gboolean counted)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	for (gsize i = 0; i < json_array_size(array); i++) {
		double value = field_cost_value(json_array_get(array, i), counted);
		g_array_append_val(values, value);
	}
	return values;
}

/* As bound_of(), of a log ratio. */
static double look_bound(const json_t *object, gsize end, double open)
{
	double share = field_end(object, "ci_pct", end);
	return isnan(share) ? open : share > -1 ? log1p(share) : log(DBL_MIN);
}

static GArray *read_looks(ReportReading *reading, const json_t *array)
{
	GArray *looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	for (gsize i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		MetricLook look = {
		        .rounds = field_small_count(object, "rounds"),
		        .lower = look_bound(object, 0, -INFINITY),
		        .upper = look_bound(object, 1, INFINITY),
		        .verdict = read_verdict(reading, object),
		};
		g_array_append_val(looks, look);
	}
	return looks;
}

/* A bound of a change as a ratio; `open` where there is none. A ratio so small that its change reads -100 % is none of
 * those that are not there. */
static double bound_of(const json_t *object, gsize end, double open)
{
	double share = field_end(object, "ci_pct", end);
	return isnan(share) ? open : MAX(1 + share, DBL_MIN);
}

/* Where base is 0 in every run, change and bounds are infinite, which is null in JSON; no bound is the other reason for
 * null, but then a verdict is not possible. */
static void read_change(MetricComparison *metric, const json_t *object)
{
	gboolean is_error = metric->verdict == VERDICT_ERROR, is_open = metric->verdict == VERDICT_INCONCLUSIVE;
	metric->change_ratio = field_ratio(object, "change_pct");
	gboolean from_zero = !is_error && isnan(metric->change_ratio);
	metric->lower_ratio = bound_of(object, 0, is_error ? NAN : from_zero && !is_open ? INFINITY : 0);
	metric->upper_ratio = bound_of(object, 1, is_error ? NAN : INFINITY);
	if (from_zero)
		metric->change_ratio = INFINITY;
}

/* Reads what was measured and judged. */
static void read_judgement(MetricComparison *metric, const json_t *object)
{
	fields_read(object, metric_margin_fields, metric, FALSE);
	fields_read(object, metric_test_fields, metric, FALSE);
	metric->accepted = field_flag(object, "accepted");
	fields_read(object, metric_remark_fields, metric, FALSE);
}

static MetricComparison *read_metric(ReportReading *reading, const json_t *object)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = field_text_or_empty(object, "name");
	metric->engine = field_text_or_empty(object, "engine");
	metric->unit = field_text_or_empty(object, "unit");
	gboolean counted = engine_counts(metric->engine);
	metric->base = field_cost(object, "base", counted);
	metric->head = field_cost(object, "head", counted);
	metric->higher_is_better = field_flag(object, "higher_is_better");
	metric->base_spread = field_share(object, "base_spread_pct");
	metric->head_spread = field_share(object, "head_spread_pct");
	metric->looks = read_looks(reading, json_object_get(object, "looks"));
	metric->base_values = read_values(json_object_get(object, "base_values"), counted);
	metric->head_values = read_values(json_object_get(object, "head_values"), counted);
	metric->verdict = read_verdict(reading, object);
	metric->confirmation = field_new_word(reading, object, "confirmation", nth_confirmation, N_CONFIRMATIONS);
	metric->reason = field_text(object, "reason");
	read_judgement(metric, object);
	read_change(metric, object);
	return metric;
}

void read_metrics(ReportReading *reading, BenchmarkComparison *comparison, const json_t *array)
{
	for (gsize i = 0; i < json_array_size(array); i++)
		g_ptr_array_add(comparison->metrics, read_metric(reading, json_array_get(array, i)));
}

/* --- functions --- */

static FrameId read_frame(StackTable *table, const json_t *object)
{
	g_autofree char *name = field_text_or_empty(object, "name"), *module = field_text_or_empty(object, "module");
	g_autofree char *file = field_text_or_empty(object, "file");
	NameId name_id = stack_table_name(table, name, -1);
	Frame frame = {
	        .name = name_id,
	        .raw_name = name_id,
	        .module = stack_table_name(table, module, -1),
	        .file = stack_table_name(table, file, -1),
	        .line = field_small_count(object, "line"),
	        .kind = FRAME_USER,
	};
	return stack_table_frame(table, &frame);
}

/* The base's function of a renamed one. Its module is not in the report: it is the same, but where the name is, too. */
static FrameId read_renamed_from(StackTable *table, FrameId frame, const json_t *object)
{
	g_autofree char *name = field_text(object, "renamed_from"), *module = field_text(object, "module");
	if (name == NULL)
		return frame;
	FrameId renamed_from = stack_table_frame_named(table, name, module, FRAME_USER);
	return renamed_from.index != frame.index ? renamed_from
	                                         : stack_table_frame_named(table, name, NULL, FRAME_USER);
}

/* Only its name is in the report. */
static FrameId read_through(StackTable *table, const json_t *object)
{
	g_autofree char *name = field_text(object, "called_through");
	return name == NULL ? (FrameId){0} : stack_table_frame_named(table, name, NULL, FRAME_USER);
}

static FunctionPlace read_place(StackTable *table, const json_t *object, const char *file_key, const char *line_key)
{
	g_autofree char *file = field_text_or_empty(object, file_key);
	return (FunctionPlace){.file = stack_table_name(table, file, -1), .line = field_small_count(object, line_key)};
}

/* Why a file is not part of the commit is not in the report. */
static SourceOrigin read_origin(const json_t *object)
{
	const json_t *in_commit = json_object_get(object, "file_in_commit");
	if (!json_is_boolean(in_commit))
		return SOURCE_UNKNOWN;
	return json_is_true(in_commit) ? SOURCE_COMMITTED : SOURCE_MADE;
}

static CodeIdentity code_of(const json_t *object)
{
	const json_t *changed = json_object_get(object, "code_changed");
	return !json_is_boolean(changed) ? CODE_UNKNOWN : json_is_true(changed) ? CODE_CHANGED : CODE_SAME;
}

/* Costs, and how they changed. */
static void read_changes(FunctionComparison *function, const json_t *object, gboolean counted)
{
	fields_read(object, function_change_fields, function, counted);
	function->repeats = field_flag(object, "repeats");
	function->share_of_change = function->share_lower = function->share_upper = NAN;
}

/* Nothing is held in reports of older versions. */
static FunctionHold read_hold(const json_t *object)
{
	g_autofree char *name = field_text(object, "held_by");
	for (guint i = 0; name != NULL && i < FUNCTION_HOLDS; i++)
		if (g_strcmp0(function_hold_name(i), name) == 0)
			return i;
	return FUNCTION_NOT_HELD;
}

static InlinedPart *read_part(
        ReportReading *reading, StackTable *table, NameId module, const json_t *object, gboolean counted)
{
	g_autofree char *name = field_text_or_empty(object, "name");
	NameId name_id = stack_table_name(table, name, -1);
	const Frame frame = {.name = name_id, .raw_name = name_id, .module = module, .kind = FRAME_INLINED};
	InlinedPart *part = g_new0(InlinedPart, 1);
	part->frame = stack_table_frame(table, &frame);
	part->place = read_place(table, object, "file", "line");
	fields_read(object, inlined_change_fields, part, counted);
	part->relation = field_new_word(reading, object, "relation", nth_relation, CHANGE_CALLED_BY_TOUCHED + 1);
	return part;
}

static void read_inlined(
        ReportReading *reading, FunctionComparison *function, StackTable *table, const json_t *array, gboolean counted)
{
	NameId module = stack_table_get_frame(table, function->frame)->module;
	for (gsize i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		InlinedPart *part = read_part(reading, table, module, object, counted);
		if (function->inlined == NULL)
			function->inlined = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(function->inlined, part);
	}
}

static FunctionComparison *read_function(
        ReportReading *reading, StackTable *table, const json_t *object, gboolean counted)
{
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	function->frame = read_frame(table, object);
	function->renamed_from = read_renamed_from(table, function->frame, object);
	function->place = read_place(table, object, "file", "line");
	function->place.origin = read_origin(object);
	function->base_place = read_place(table, object, "base_file", "base_line");
	function->edited_place = read_place(table, object, "edited_file", "edited_line");
	read_changes(function, object, counted);
	function->tested = field_flag(object, "tested");
	function->p_value = field_number(object, "p");
	function->p_value_improvement = NAN;
	function->p_adjusted = field_number(object, "p_adjusted");
	function->p_adjusted_improvement = field_number(object, "p_adjusted_improvement");
	function->mde_ratio = field_share(object, "mde_pct");
	function->klass = field_word(reading, object, "class", nth_class, FUNCTION_LAYOUT_SUSPECT + 1);
	function->code = code_of(object);
	function->relation = field_new_word(reading, object, "relation", nth_relation, CHANGE_CALLED_BY_TOUCHED + 1);
	function->through = read_through(table, object);
	function->gates = field_flag(object, "gates");
	function->held = read_hold(object);
	read_inlined(reading, function, table, json_object_get(object, "inlined"), counted);
	function->accepted = field_flag(object, "accepted");
	function->sentence = field_text(object, "sentence");
	function->note = field_text(object, "note");
	return function;
}

void read_functions(ReportReading *reading, BenchmarkComparison *comparison, StackTable *table, const json_t *array)
{
	for (gsize i = 0; i < json_array_size(array); i++)
		g_ptr_array_add(comparison->functions,
		        read_function(reading, table, json_array_get(array, i), comparison->counted));
	comparison->table = stack_table_ref(table);
	file_labels_set(comparison, table);
}

void read_profile_facts(BenchmarkComparison *comparison, const json_t *object)
{
	comparison->total_change = field_share(object, "total_change_pct");
	comparison->other_contribution = field_share(object, "other_pp");
	comparison->unknown_contribution = field_share(object, "unknown_pp");
	comparison->tested_functions = field_small_count(object, "tested_functions");
	comparison->flips = field_small_count(object, "flips");
	comparison->phi = field_number(object, "phi");
	comparison->d0 = field_number(object, "d0");
}

void read_unstable(BenchmarkComparison *comparison, StackTable *table, const json_t *array)
{
	comparison->unstable = g_array_new(FALSE, FALSE, sizeof(UnstableFunction));
	for (gsize i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		UnstableFunction function = {
		        .frame = read_frame(table, object),
		        .side = g_strcmp0(json_string_value(json_object_get(object, "side")), "head") == 0,
		        .lowest = field_cost(object, "lowest", TRUE),
		        .highest = field_cost(object, "highest", TRUE),
		};
		g_array_append_val(comparison->unstable, function);
	}
}
