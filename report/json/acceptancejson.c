#include "report/json/acceptancejson.h"

#include "report/json/fieldtable.h"

static const Field acceptance_fields[] = {
        FIELD("where", WORDS, Acceptance, where),
        FIELD("sha", TEXT, Acceptance, sha),
        FIELD("benchmark", TEXT, Acceptance, benchmark),
        FIELD("function", TEXT, Acceptance, function),
        FIELD("until", TEXT, Acceptance, until),
        FIELD("reason", WORDS, Acceptance, reason),
};

static const Field accepted_fields[] = {
        FIELD("name", WORDS, AcceptedRegression, name),
        FIELD("engine", WORDS, AcceptedRegression, engine),
        FIELD("text", WORDS, AcceptedRegression, text),
        FIELD("reason", WORDS, AcceptedRegression, reason),
        FIELD("where", WORDS, AcceptedRegression, where),
};

static json_t *acceptance_json(const Acceptance *acceptance)
{
	json_t *object = json_object();
	json_set(object, "source", json_string(acceptance_source_name(acceptance->source)));
	fields_write(object, FIELD_TABLE(acceptance_fields), acceptance, FALSE);
	json_set(object, "state", json_string(acceptance_state_name(acceptance->state)));
	json_set(object, "is_new", json_boolean(acceptance->is_new));
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
		fields_read(object, FIELD_TABLE(acceptance_fields), acceptance, FALSE);
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
		json_set(object, "kind", json_string(regression->is_function ? "function" : "metric"));
		fields_write(object, FIELD_TABLE(accepted_fields), regression, FALSE);
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
		fields_read(object, FIELD_TABLE(accepted_fields), regression, FALSE);
		benchmark_comparison_add_accepted(comparison, regression);
	}
}
