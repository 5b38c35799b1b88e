#include "report/json/functionjson.h"

#include "core/jsontext.h"
#include "model/engine.h"
#include "report/json/annotationjson.h"
#include "report/json/recordfields.h"
#include "report/words/highlights.h"

#include <math.h>

static json_t *percent(double share)
{
	return json_number(share * 100);
}

json_t *pair_json(json_t *first, json_t *second)
{
	json_t *array = json_array();
	json_array_append_new(array, first);
	json_array_append_new(array, second);
	return array;
}

/* --- functions --- */

static void set_place(json_t *object, const char *side, const StackTable *table, FunctionPlace place)
{
	const char *file = table == NULL ? "" : stack_table_text(table, place.file);
	g_autofree char *file_key = g_strconcat(side, "file", NULL), *line_key = g_strconcat(side, "line", NULL);
	json_set(object, file_key, json_text(*file == '\0' ? NULL : file));
	json_set(object, line_key, *file == '\0' || place.line == 0 ? json_null() : json_integer(place.line));
}

/* TRUE if the file is one that head's commit has; null if nobody looked. */
static json_t *in_commit_json(FunctionPlace place)
{
	return place.origin == SOURCE_UNKNOWN ? json_null() : json_boolean(place.origin == SOURCE_COMMITTED);
}

/* A place that readers may be sent to. */
static FunctionPlace committed(FunctionPlace place)
{
	gboolean may_be = place.origin == SOURCE_UNKNOWN || place.origin == SOURCE_COMMITTED;
	return may_be ? place : (FunctionPlace){0};
}

/* Sets the identity of a function: null where the profile does not say. */
static void set_identity(json_t *object, const StackTable *table, const FunctionComparison *function)
{
	json_set(object, "name", json_text(highlights_name(table, function->frame)));
	const char *module = highlights_module(table, function->frame);
	json_set(object, "module", json_text(*module == '\0' ? NULL : module));
	FunctionPlace place = highlights_function_place(table, function);
	set_place(object, "", table, place);
	json_set(object, "file_in_commit", in_commit_json(place));
	set_place(object, "base_", table, function->base_place);
	set_place(object, "edited_", table, committed(function->edited_place));
}

static json_t *code_changed(CodeIdentity code)
{
	return code == CODE_UNKNOWN ? json_null() : json_boolean(code == CODE_CHANGED);
}

/* Sets the results of the tests of a sampled function; all null where there was none. */
static void set_test(json_t *object, const FunctionComparison *function, gboolean tested)
{
	json_set(object, "p", tested ? json_number(function->p_value) : json_null());
	json_set(object, "p_adjusted", tested ? json_number(function->p_adjusted) : json_null());
	json_set(
	        object, "p_adjusted_improvement", tested ? json_number(function->p_adjusted_improvement) : json_null());
}

static void set_changes(json_t *object, const FunctionComparison *function, gboolean counted)
{
	fields_write(object, function_change_fields, function, counted);
	json_set(object, "repeats", counted ? json_boolean(function->repeats) : json_null());
}

/* The functions that are inlined into a function and changed: parts of its contribution. */
static json_t *inlined_json(const StackTable *table, const FunctionComparison *function, gboolean counted)
{
	json_t *array = json_array();
	for (guint i = 0; function->inlined != NULL && i < function->inlined->len; i++) {
		const InlinedPart *part = function->inlined->pdata[i];
		json_t *object = json_object();
		json_set(object, "name", json_text(highlights_name(table, part->frame)));
		set_place(object, "", table, part->place);
		fields_write(object, inlined_change_fields, part, counted);
		json_set(object, "relation", json_string(change_relation_name(part->relation)));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *function_json(const StackTable *table, const FunctionComparison *function, gboolean counted)
{
	json_t *object = json_object();
	gboolean called = function->relation == CHANGE_CALLED_BY_TOUCHED;
	gboolean renamed = function->renamed_from.index != function->frame.index;
	set_identity(object, table, function);
	set_changes(object, function, counted);
	json_set(object, "tested", json_boolean(function->tested));
	set_test(object, function, function->tested && !counted);
	json_set(object, "mde_pct", percent(function->mde_ratio));
	json_set(object, "class", json_string(function_class_name(function->klass)));
	json_set(object, "code_changed", code_changed(function->code));
	json_set(object, "relation", json_string(change_relation_name(function->relation)));
	json_set(object, "called_through", json_text(called ? highlights_name(table, function->through) : NULL));
	json_set(object, "gates", json_boolean(function->gates));
	json_set(object, "held_by", json_text(function_hold_name(function->held)));
	json_set(object, "inlined", inlined_json(table, function, counted));
	if (function->accepted)
		json_set(object, "accepted", json_true());
	json_set(object, "sentence", json_text(function->sentence));
	json_set(object, "note", json_text(function->note));
	json_set(object, "renamed_from", json_text(renamed ? highlights_name(table, function->renamed_from) : NULL));
	return object;
}

json_t *functions_json(const StackTable *table, const BenchmarkComparison *comparison)
{
	json_t *array = json_array();
	for (guint i = 0; comparison != NULL && i < comparison->functions->len; i++)
		json_array_append_new(
		        array, function_json(table, g_ptr_array_index(comparison->functions, i), comparison->counted));
	return array;
}

json_t *unstable_json(const ResultBenchmark *benchmark)
{
	FunctionList lists[FUNCTION_LISTS];
	const FunctionList *list = highlights_unstable(lists, highlights_function_lists(benchmark, lists));
	json_t *array = json_array();
	for (guint i = 0; list != NULL && i < list->comparison->unstable->len; i++) {
		const UnstableFunction *function = &g_array_index(list->comparison->unstable, UnstableFunction, i);
		const char *module = highlights_module(list->table, function->frame);
		json_t *object = json_object();
		json_set(object, "name", json_text(highlights_name(list->table, function->frame)));
		json_set(object, "module", json_text(*module == '\0' ? NULL : module));
		json_set(object, "side", json_string(function->side == 0 ? "base" : "head"));
		json_set(object, "lowest", json_cost(function->lowest, TRUE));
		json_set(object, "highest", json_cost(function->highest, TRUE));
		json_array_append_new(array, object);
	}
	return array;
}

/* --- profiles --- */

static void set_facts(json_t *object, const Profile *profile, const BenchmarkComparison *comparison)
{
	gboolean tested = comparison != NULL && !comparison->counted;
	json_set(object, "event", json_text(profile->event));
	json_set(object, "unit", json_text(profile->unit));
	json_set(object, "total_change_pct", comparison == NULL ? json_null() : percent(comparison->total_change));
	json_set(object, "other_pp", comparison == NULL ? json_null() : percent(comparison->other_contribution));
	json_set(object, "unknown_pp", comparison == NULL ? json_null() : percent(comparison->unknown_contribution));
	json_set(object, "tested_functions", json_integer(tested ? comparison->tested_functions : 0));
	json_set(object, "flips", json_integer(tested ? comparison->flips : 0));
	json_set(object, "phi", tested ? json_number(comparison->phi) : json_null());
	json_set(object, "d0", tested ? json_number(comparison->d0) : json_null());
}

json_t *profile_facts_json(const Measurement *base, const Measurement *head, const BenchmarkComparison *comparison)
{
	const Profile *profile = highlights_profile(base, head);
	if (profile == NULL)
		return json_null();
	json_t *object = json_object();
	set_facts(object, profile, comparison);
	return object;
}

static json_t *profile_json(const ResultProfile *extra)
{
	const Profile *profile = highlights_profile(extra->base, extra->head);
	const StackTable *table = profile == NULL ? NULL : profile->table;
	json_t *object = json_object();
	json_set(object, "name", json_text(extra->event));
	json_set(object, "engine", json_text(extra->engine));
	json_set(object, "decides", json_boolean(extra->decides));
	json_set(object, "sentence",
	        json_text(extra->comparison != NULL && extra->decides ? extra->comparison->sentence : NULL));
	json_set(object, "profile", profile_facts_json(extra->base, extra->head, extra->comparison));
	json_set(object, "functions",
	        extra->comparison == NULL ? json_null() : functions_json(table, extra->comparison));
	json_set(object, "annotations", annotations_json(extra->annotations, table, engine_counts(extra->engine)));
	return object;
}

json_t *profiles_json(const GPtrArray *profiles)
{
	json_t *array = json_array();
	for (guint i = 0; i < profiles->len; i++)
		json_array_append_new(array, profile_json(g_ptr_array_index(profiles, i)));
	return array;
}
