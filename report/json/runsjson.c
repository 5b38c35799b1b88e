/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/runsjson.h"

#include "core/json/fieldtable.h"

#include <math.h>

static json_t *lost_json(gconstpointer run, gboolean counted)
{
	(void)counted;
	return json_number(run_lost_share(run) * 100);
}

static const Field run_fields[] = {
        FIELD("started_first", FLAG, RunFacts, started_first),
        FIELD("wall_ns", BIG_COUNT, RunFacts, wall_ns),
        FIELD("samples", BIG_COUNT, RunFacts, samples),
        FIELD("lost_samples", BIG_COUNT, RunFacts, lost_samples),
        FIELD_MADE("lost_pct", lost_json, NULL),
        FIELD_NEW("incomplete_samples", BIG_COUNT, RunFacts, incomplete_samples),
        FIELD("throttled", BIG_COUNT, RunFacts, throttled),
        FIELD("steal_pct", SHARE, RunFacts, steal_share),
        FIELD("running_pct", SHARE, RunFacts, running_share),
        FIELD("overlap_pct", SHARE, RunFacts, overlap_share),
        FIELD("attempts", COUNT, RunFacts, attempts),
        FIELD_LATER("work"),
};

/* --- writing --- */

static json_t *run_json(const Measurement *measurement, guint index)
{
	if (measurement == NULL || index >= measurement->runs->len)
		return json_null();
	json_t *object =
	        fields_json(FIELD_TABLE(run_fields), &g_array_index(measurement->runs, RunFacts, index), FALSE);
	json_set(object, "work", json_number(measurement_run_work(measurement, index)));
	return object;
}

static guint round_of(const Measurement *measurement, guint index)
{
	if (measurement == NULL || index >= measurement->runs->len)
		return 0;
	return g_array_index(measurement->runs, RunFacts, index).round;
}

json_t *runs_json(const ResultBenchmark *benchmark)
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

/* --- reading --- */

static gboolean has_side(const json_t *runs, const char *side)
{
	for (gsize i = 0; i < json_array_size(runs); i++)
		if (json_is_object(json_object_get(json_array_get(runs, i), side)))
			return TRUE;
	return FALSE;
}

static RunFacts read_run(const json_t *object, guint round)
{
	double work = field_number(object, "work");
	RunFacts facts = {.round = round, .work = work > 0 ? work : 0};
	fields_read(NULL, object, FIELD_TABLE(run_fields), &facts, FALSE);
	return facts;
}

/* Rounds in which the side has no run are at the end. */
static void append_runs(Measurement *measurement, const json_t *runs, const char *side)
{
	for (gsize i = 0; i < json_array_size(runs); i++) {
		const json_t *object = json_array_get(runs, i), *run = json_object_get(object, side);
		if (!json_is_object(run))
			continue;
		RunFacts facts = read_run(run, field_small_count(object, "round"));
		g_array_append_val(measurement->runs, facts);
	}
}

/* The mean of what the runs did, which is the number itself where they all did as much. */
static double work_of(const Measurement *measurement)
{
	double sum = 0;
	gboolean equal = TRUE;
	const RunFacts *runs = (const RunFacts *)(gpointer)measurement->runs->data;
	for (guint i = 0; i < measurement->runs->len; i++) {
		sum += runs[i].work;
		equal = equal && runs[i].work == runs[0].work;
	}
	if (!(sum > 0))
		return 1;
	return equal ? runs[0].work : sum / measurement->runs->len;
}

static Measurement *read_side(const RunsSource *source, const char *side, const char *sha)
{
	Measurement *measurement = measurement_new(source->name, sha, "");
	field_replace_text(&measurement->schedule, source->object, "schedule");
	append_runs(measurement, json_object_get(source->object, "runs"), side);
	measurement->work = work_of(measurement);
	if (json_is_object(source->facts)) {
		g_autofree char *event = field_text_or_empty(source->facts, "event");
		g_autofree char *unit = field_text_or_empty(source->facts, "unit");
		measurement->profile = profile_new(source->table, event, unit);
	}
	return measurement;
}

/* The work that the report tells is that of head, or of base where there is no head. */
void read_runs(const RunsSource *source, Measurement **base, Measurement **head)
{
	const json_t *runs = json_object_get(source->object, "runs");
	gboolean has_base = has_side(runs, "base"), has_head = has_side(runs, "head");
	gboolean measured =
	        json_is_object(source->facts) || json_is_string(json_object_get(source->object, "schedule"));
	if (has_base)
		*base = read_side(source, "base", source->base_sha);
	if (has_head || (!has_base && measured))
		*head = read_side(source, "head", source->head_sha);
	Measurement *told = *head != NULL ? *head : *base;
	double work = field_number(source->object, "work");
	if (told != NULL)
		told->work = work;
}
