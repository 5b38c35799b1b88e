#include "report/json/acceptancejson.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *acceptance_json(const Acceptance *acceptance)
{
	json_t *object = json_object();
	set(object, "source", json_string(acceptance_source_name(acceptance->source)));
	set(object, "where", json_text(acceptance->where));
	set(object, "sha", json_text(acceptance->sha));
	set(object, "benchmark", json_text(acceptance->benchmark));
	set(object, "function", json_text(acceptance->function));
	set(object, "until", json_text(acceptance->until));
	set(object, "reason", json_text(acceptance->reason));
	set(object, "state", json_string(acceptance_state_name(acceptance->state)));
	set(object, "is_new", json_boolean(acceptance->is_new));
	return object;
}

json_t *acceptances_json(const GPtrArray *acceptances)
{
	json_t *array = json_array();
	for (guint i = 0; i < acceptances->len; i++)
		json_array_append_new(array, acceptance_json(g_ptr_array_index(acceptances, i)));
	return array;
}

static const char *nth_source(guint source)
{
	return acceptance_source_name((AcceptanceSource)source);
}

static const char *nth_state(guint state)
{
	return acceptance_state_name((AcceptanceState)state);
}

void acceptances_read(ReportReading *reading, const json_t *array, GPtrArray *acceptances)
{
	for (gsize i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		Acceptance *acceptance = g_new0(Acceptance, 1);
		g_ptr_array_add(acceptances, acceptance);
		acceptance->source = field_word(reading, object, "source", nth_source, ACCEPTANCE_BY_TRAILER + 1);
		acceptance->where = field_text_or_empty(object, "where");
		acceptance->sha = field_text(object, "sha");
		acceptance->benchmark = field_text(object, "benchmark");
		acceptance->function = field_text(object, "function");
		acceptance->until = field_text(object, "until");
		acceptance->reason = field_text_or_empty(object, "reason");
		acceptance->state = field_word(reading, object, "state", nth_state, ACCEPTANCE_SPENT + 1);
		acceptance->is_new = field_flag(object, "is_new");
	}
}

json_t *accepted_json(const BenchmarkComparison *comparison)
{
	json_t *array = json_array();
	const GPtrArray *accepted = comparison != NULL ? comparison->accepted : NULL;
	for (guint i = 0; accepted != NULL && i < accepted->len; i++) {
		const AcceptedRegression *regression = g_ptr_array_index(accepted, i);
		json_t *object = json_object();
		set(object, "kind", json_string(regression->is_function ? "function" : "metric"));
		set(object, "name", json_text(regression->name));
		set(object, "engine", json_text(regression->engine));
		set(object, "text", json_text(regression->text));
		set(object, "reason", json_text(regression->reason));
		set(object, "where", json_text(regression->where));
		json_array_append_new(array, object);
	}
	return array;
}

void accepted_read(const json_t *array, BenchmarkComparison *comparison)
{
	for (gsize i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		AcceptedRegression *regression = g_new0(AcceptedRegression, 1);
		regression->is_function =
		        g_strcmp0(json_string_value(json_object_get(object, "kind")), "function") == 0;
		regression->name = field_text_or_empty(object, "name");
		regression->engine = field_text_or_empty(object, "engine");
		regression->text = field_text_or_empty(object, "text");
		regression->reason = field_text_or_empty(object, "reason");
		regression->where = field_text_or_empty(object, "where");
		benchmark_comparison_add_accepted(comparison, regression);
	}
}
