/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/profilejson.h"

#include "core/json/fieldtable.h"
#include "model/engine.h"
#include "report/json/annotationjson.h"
#include "report/json/functionjson.h"
#include "report/words/highlights.h"

#include <math.h>

static const char *side_name(guint side)
{
	return side == 0 ? "base" : "head";
}

static const Field unstable_fields[] = {
        FIELD_LATER("name"),
        FIELD_LATER("module"),
        FIELD_NEW_WORD("side", UnstableFunction, side, side_name, 2),
        FIELD("lowest", COST, UnstableFunction, lowest),
        FIELD("highest", COST, UnstableFunction, highest),
};

static const Field facts_fields[] = {
        FIELD_LATER("event"),
        FIELD_LATER("unit"),
        FIELD("total_change_pct", SHARE, BenchmarkComparison, total_change),
        FIELD("other_pp", SHARE, BenchmarkComparison, other_contribution),
        FIELD("unknown_pp", SHARE, BenchmarkComparison, unknown_contribution),
        FIELD("tested_functions", COUNT, BenchmarkComparison, tested_functions),
        FIELD("flips", COUNT, BenchmarkComparison, flips),
        FIELD("phi", NUMBER, BenchmarkComparison, phi),
        FIELD("d0", NUMBER, BenchmarkComparison, d0),
};

/* --- writing --- */

json_t *unstable_json(const ResultBenchmark *benchmark)
{
	FunctionList lists[FUNCTION_LISTS];
	const FunctionList *list = highlights_unstable(lists, highlights_function_lists(benchmark, lists));
	json_t *array = json_array();
	for (guint i = 0; list != NULL && i < list->comparison->unstable->len; i++) {
		const UnstableFunction *function = &g_array_index(list->comparison->unstable, UnstableFunction, i);
		json_t *object = fields_json(FIELD_TABLE(unstable_fields), function, TRUE);
		function_set_frame(object, list->table, function->frame);
		json_array_append_new(array, object);
	}
	return array;
}

json_t *profile_facts_json(const Measurement *base, const Measurement *head, const BenchmarkComparison *comparison)
{
	static const BenchmarkComparison none = {
	        .total_change = NAN, .other_contribution = NAN, .unknown_contribution = NAN};
	const Profile *profile = highlights_profile(base, head);
	if (profile == NULL)
		return json_null();
	BenchmarkComparison shown = comparison != NULL ? *comparison : none;
	if (comparison == NULL || comparison->counted) { /* not tested */
		shown.tested_functions = shown.flips = 0;
		shown.phi = shown.d0 = NAN;
	}
	json_t *object = fields_json(FIELD_TABLE(facts_fields), &shown, FALSE);
	json_set(object, "event", json_text(profile->event));
	json_set(object, "unit", json_text(profile->unit));
	return object;
}

static json_t *profile_json(const ResultProfile *extra)
{
	const Profile *profile = highlights_profile(extra->base, extra->head);
	const StackTable *table = profile == NULL ? NULL : profile->table;
	json_t *object = json_object();
	json_set(object, "name", json_text(extra->event));
	json_set(object, "engine", json_text(extra->engine->name));
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

/* --- reading --- */

void profile_facts_read(BenchmarkComparison *comparison, const json_t *object)
{
	fields_read(NULL, object, FIELD_TABLE(facts_fields), comparison, FALSE);
}

void unstable_read(FieldReading *reading, BenchmarkComparison *comparison, StackTable *table, const json_t *array)
{
	comparison->unstable = g_array_new(FALSE, TRUE, sizeof(UnstableFunction));
	rows_read(reading, array, ELEMENT_TABLE(unstable_fields, UnstableFunction), comparison->unstable, TRUE);
	for (guint i = 0; i < comparison->unstable->len; i++)
		g_array_index(comparison->unstable, UnstableFunction, i).frame =
		        function_read_frame(table, json_array_get(array, i));
}
