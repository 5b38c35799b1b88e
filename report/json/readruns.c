#include "report/json/readruns.h"

#include "report/json/recordfields.h"

#include <math.h>

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
	fields_read(object, run_sample_fields, &facts, FALSE);
	fields_read(object, run_quality_fields, &facts, FALSE);
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
