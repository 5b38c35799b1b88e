/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/acceptancejson.h"

#include "core/json/fieldtable.h"

static const char *kind_name(guint is_function)
{
	return is_function ? "function" : "metric";
}

static const Field acceptance_fields[] = {
        FIELD_WORD("source", Acceptance, source, acceptance_source_name, ACCEPTANCE_BY_TRAILER + 1),
        FIELD("where", WORDS, Acceptance, where),
        FIELD("sha", TEXT, Acceptance, sha),
        FIELD("benchmark", TEXT, Acceptance, benchmark),
        FIELD("function", TEXT, Acceptance, function),
        FIELD("until", TEXT, Acceptance, until),
        FIELD("reason", WORDS, Acceptance, reason),
        FIELD_WORD("state", Acceptance, state, acceptance_state_name, ACCEPTANCE_SPENT + 1),
        FIELD("is_new", FLAG, Acceptance, is_new),
};

static const Field accepted_fields[] = {
        FIELD_NEW_WORD("kind", AcceptedRegression, is_function, kind_name, 2),
        FIELD("name", WORDS, AcceptedRegression, name),
        FIELD_CHOICE("engine", AcceptedRegression, engine, engine_row, ENGINES),
        FIELD("text", WORDS, AcceptedRegression, text),
        FIELD("reason", WORDS, AcceptedRegression, reason),
        FIELD("where", WORDS, AcceptedRegression, where),
};

json_t *acceptances_json(const GPtrArray *acceptances)
{
	return records_json(FIELD_TABLE(acceptance_fields), acceptances, FALSE);
}

void acceptances_read(FieldReading *reading, const json_t *array, GPtrArray *acceptances)
{
	records_read(reading, array, ELEMENT_TABLE(acceptance_fields, Acceptance), acceptances, FALSE);
}

json_t *accepted_json(const BenchmarkComparison *comparison)
{
	return records_json(FIELD_TABLE(accepted_fields), comparison != NULL ? comparison->accepted : NULL, FALSE);
}

void accepted_read(FieldReading *reading, const json_t *array, BenchmarkComparison *comparison)
{
	for (gsize i = 0; i < json_array_size(array); i++) {
		AcceptedRegression *regression = g_new0(AcceptedRegression, 1);
		fields_read(reading, json_array_get(array, i), FIELD_TABLE(accepted_fields), regression, FALSE);
		benchmark_comparison_add_accepted(comparison, regression);
	}
}
