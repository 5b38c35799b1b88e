/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/reportjson.h"

#include "compare/contradiction.h"
#include "compare/measured.h"
#include "compare/outcomewords.h"
#include "core/error.h"
#include "core/json/fieldtable.h"
#include "core/json/findingjson.h"
#include "report/json/acceptancejson.h"
#include "report/json/benchmarkjson.h"
#include "report/json/changedjson.h"
#include "report/json/shardjson.h"
#include "report/json/toolchainjson.h"
#include "report/words/headline.h"

/* The compilers of a side; left out where they are not known. */
static json_t *side_compilers_json(gconstpointer side, gboolean counted)
{
	const GPtrArray *compilers = ((const ResultSide *)side)->compilers;
	(void)counted;
	return compilers != NULL ? compilers_json(compilers) : NULL;
}

static void side_compilers_read(FieldReading *reading, const json_t *value, gpointer side, gboolean counted)
{
	(void)reading;
	(void)counted;
	((ResultSide *)side)->compilers = compilers_read(value);
}

static const Field side_fields[] = {
        FIELD("sha", WORDS, ResultSide, sha),
        FIELD("ref", WORDS, ResultSide, ref),
        FIELD("chosen_by", WORDS, ResultSide, chosen_by),
        FIELD("subject", WORDS, ResultSide, subject),
        FIELD_MADE("compilers", side_compilers_json, side_compilers_read),
};

static const Field reason_fields[] = {
        FIELD_LATER("exit_code"),
        FIELD("code", WORDS, ResultReason, code),
        FIELD("benchmark", TEXT, ResultReason, benchmark),
        FIELD("text", WORDS, ResultReason, text),
};

static const Field finding_fields[] = {
        FIELD_WORD("severity", Finding, severity, finding_severity_name, FINDING_ERROR + 1),
        FIELD("code", WORDS, Finding, code),
        FIELD("benchmark", TEXT, Finding, benchmark),
        FIELD("text", WORDS, Finding, text),
};

static const Field result_fields[] = {
        FIELD_LATER("schema"),
        FIELD_NEW_WORD("mode", CheckResult, mode, check_mode_name, CHECK_SELF_TEST + 1),
        FIELD_WORD("verdict", CheckResult, verdict, verdict_name, VERDICT_ERROR + 1),
        FIELD_LATER("exit_code"),
        FIELD_LATER("measured"),
        FIELD_LATER("headline"),
        FIELD_LATER("reason"),
        FIELD_LATER("reasons"),
        FIELD_STRUCT("base", CheckResult, base, side_fields),
        FIELD_STRUCT("head", CheckResult, head, side_fields),
        FIELD("config_source", WORDS, CheckResult, config_source),
        FIELD("seed", DIGITS, CheckResult, seed),
        FIELD_LATER("max_time_s"),
        FIELD("elapsed_s", NUMBER, CheckResult, elapsed_s),
        FIELD_LATER("shards"),
        FIELD_LATER("environment"),
        FIELD_LATER("findings"),
        FIELD_LATER("acceptances"),
        FIELD_LATER("changed_code"),
        FIELD_LATER("benchmarks"),
};

/* --- writing --- */

static json_t *environment_json(const Environment *environment)
{
	if (environment == NULL)
		return json_null();
	json_t *object = json_object();
	for (guint i = 0; i < environment->fields->len; i++) {
		const EnvironmentField *field = g_ptr_array_index(environment->fields, i);
		json_set(object, field->name, json_text(field->value));
	}
	return object;
}

static json_t *reasons_json(const GPtrArray *reasons)
{
	json_t *array = records_json(FIELD_TABLE(reason_fields), reasons, FALSE);
	for (guint i = 0; i < reasons->len; i++)
		json_set(json_array_get(array, i), "exit_code",
		        json_integer(((const ResultReason *)reasons->pdata[i])->exit_code));
	return array;
}

char *report_json(const CheckResult *result, gsize *length)
{
	json_auto_t *object = fields_json(FIELD_TABLE(result_fields), result, FALSE);
	json_t *benchmarks = json_array();
	g_autofree char *reason = check_result_reason(result), *headline = headline_text(result);
	for (guint i = 0; i < result->benchmarks->len; i++)
		json_array_append_new(benchmarks, benchmark_json(g_ptr_array_index(result->benchmarks, i)));
	json_set(object, "schema", json_string(REPORT_SCHEMA));
	json_set(object, "exit_code", json_integer(result->exit_code));
	json_set(object, "measured", json_boolean(result_is_measured(result)));
	json_set(object, "headline", json_text(headline));
	json_set(object, "reason", json_text(reason));
	json_set(object, "reasons", reasons_json(result->reasons));
	if (result->max_time_s > 0)
		json_set(object, "max_time_s", json_number(result->max_time_s));
	json_set(object, "shards", shards_json(result->shards));
	json_set(object, "environment", environment_json(result->environment));
	json_set(object, "findings", finding_list_json(result->findings, TRUE));
	json_set(object, "acceptances", acceptances_json(result->acceptances));
	json_set(object, "changed_code", changed_code_json(result->changed));
	json_set(object, "benchmarks", benchmarks);
	return json_dump_text(object, length);
}

/* --- reading --- */

/* One that is missing is none: 0 is the best of all. */
static int read_exit_code(FieldReading *reading, const json_t *object)
{
	const json_t *value = json_object_get(object, "exit_code");
	json_int_t code = json_integer_value(value);
	if (!json_is_integer(value) || code < 0 || code > 255)
		field_refuse(reading, "exit_code", json_string_value(value));
	return (int)code;
}

/* Which metrics need a field equal is not in the report; nothing that is rendered asks for it. */
static Environment *read_environment(json_t *object)
{
	if (!json_is_object(object))
		return NULL;
	Environment *environment = environment_new();
	const char *name;
	json_t *value;
	json_object_foreach(object, name, value)
	{
		g_autofree char *text = json_text_decode(value);
		environment_set(environment, name, METRIC_REPLICABLE, text != NULL ? text : "");
	}
	return environment;
}

static void read_reason(FieldReading *reading, CheckResult *result, const json_t *object)
{
	ResultReason read = {0};
	fields_read(reading, object, FIELD_TABLE(reason_fields), &read, FALSE);
	check_result_add_reason(result, read_exit_code(reading, object), read.code, read.benchmark, "%s", read.text);
	g_free(read.code);
	g_free(read.benchmark);
	g_free(read.text);
}

static void read_finding(FieldReading *reading, CheckResult *result, const json_t *object)
{
	Finding read = {0};
	fields_read(reading, object, FIELD_TABLE(finding_fields), &read, FALSE);
	finding_add(result->findings, read.severity, read.code, read.benchmark, "%s", read.text);
	g_free(read.code);
	g_free(read.benchmark);
	g_free(read.text);
}

static void read_each(FieldReading *reading, CheckResult *result, const json_t *array,
        void (*read)(FieldReading *, CheckResult *, const json_t *))
{
	for (gsize i = 0; i < json_array_size(array); i++)
		read(reading, result, json_array_get(array, i));
}

static CheckResult *read_result(FieldReading *reading, const json_t *root)
{
	CheckResult *result = check_result_new();
	double max_time_s = field_number(root, "max_time_s");
	fields_read(reading, root, FIELD_TABLE(result_fields), result, FALSE);
	result->exit_code = read_exit_code(reading, root);
	result->max_time_s = max_time_s > 0 ? max_time_s : 0;
	result->shards = shards_read(json_object_get(root, "shards"));
	result->environment = read_environment(json_object_get(root, "environment"));
	read_each(reading, result, json_object_get(root, "reasons"), read_reason);
	read_each(reading, result, json_object_get(root, "findings"), read_finding);
	acceptances_read(reading, json_object_get(root, "acceptances"), result->acceptances);
	result->changed = changed_code_read(reading, json_object_get(root, "changed_code"));
	read_each(reading, result, json_object_get(root, "benchmarks"), benchmark_read);
	return result;
}

CheckResult *report_read(const char *text, gsize length, const char *what, GError **error)
{
	json_auto_t *root = json_load_text(text, length, what, error);
	if (root == NULL)
		return NULL;
	const char *schema = json_string_value(json_object_get(root, "schema"));
	FieldReading reading = {.what = what};
	if (g_strcmp0(schema, REPORT_SCHEMA) != 0)
		field_refuse(&reading, "schema", schema);
	g_autoptr(CheckResult) result = reading.error == NULL ? read_result(&reading, root) : NULL;
	g_autofree char *problem = reading.error == NULL ? result_contradiction(result) : NULL;
	if (reading.error != NULL)
		g_propagate_error(error, reading.error);
	else if (problem != NULL)
		firebreak_refuse(error, FIREBREAK_ERROR_STORAGE,
		        "%s: contradicts itself, so it was damaged or changed: %s; run the check again", what, problem);
	else
		return g_steal_pointer(&result);
	return NULL;
}
