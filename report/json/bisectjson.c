/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/bisectjson.h"

#include "core/error.h"
#include "core/json/fieldtable.h"

#include <math.h>

#define SCHEMA "firebreak-bisect/1"
#define MAX_TESTS 200000

static const Field test_fields[] = {
        FIELD("sha", SHA, BisectTest, sha),
        FIELD("subject", TEXT, BisectTest, subject),
        FIELD_NEW("base", TEXT, BisectTest, base),
        FIELD_WORD("verdict", BisectTest, answer.verdict, bisect_verdict_name, BISECT_UNTESTABLE + 1),
        FIELD_WORD("source", BisectTest, source, bisect_source_name, BISECT_SAME_FILES + 1),
        FIELD_MOST("attempt", COUNT, BisectTest, attempt, BISECT_ATTEMPTS),
        FIELD("change_pct", CHANGE, BisectTest, answer.change_ratio),
        FIELD("contribution_pp", SHARE, BisectTest, answer.contribution),
        FIELD("text", TEXT, BisectTest, answer.text),
};

static const Field good_fields[] = {
        FIELD("sha", SHA, BisectLog, good),
        FIELD("subject", TEXT, BisectLog, good_subject),
};

static const Field bad_fields[] = {
        FIELD("sha", SHA, BisectLog, bad),
        FIELD("subject", TEXT, BisectLog, bad_subject),
};

static const Field asked_fields[] = {
        FIELD("metric", TEXT, BisectLog, asked_metric),
        FIELD("function", TEXT, BisectLog, asked_function),
        FIELD("first_parent", FLAG, BisectLog, first_parent),
};

/* A target that is not settled has no engine. */
static json_t *engine_json(gconstpointer target, gboolean counted)
{
	const Engine *engine = ((const BisectTarget *)target)->engine;
	(void)counted;
	return json_text(engine != NULL ? engine->name : NULL);
}

static void read_engine(FieldReading *reading, const json_t *value, gpointer target, gboolean counted)
{
	const Engine *engine = ((BisectTarget *)target)->engine = engine_find(json_string_value(value));
	(void)counted;
	if (engine == NULL && !json_is_null(value))
		field_is_wrong(reading, "engine");
}

static const Field target_fields[] = {
        FIELD("metric", TEXT, BisectTarget, metric),
        FIELD_MADE("engine", engine_json, read_engine),
        FIELD("function", TEXT, BisectTarget, function),
        FIELD("contribution_pp", SHARE, BisectTarget, contribution),
};

static json_t *schema_json(gconstpointer log, gboolean counted)
{
	(void)log, (void)counted;
	return json_string(SCHEMA);
}

static void read_schema(FieldReading *reading, const json_t *value, gpointer log, gboolean counted)
{
	(void)log, (void)counted;
	if (g_strcmp0(json_string_value(value), SCHEMA) != 0)
		field_is_wrong(reading, "schema");
}

static json_t *measured_json(gconstpointer log, gboolean counted)
{
	(void)counted;
	gboolean step = ((const BisectLog *)log)->step != NULL;
	return json_integer(bisect_log_count(log, BISECT_MEASURED) + (guint)step);
}

static json_t *confirmed_json(gconstpointer log, gboolean counted)
{
	(void)counted;
	return json_boolean(bisect_log_confirmed(log));
}

static json_t *step_json(gconstpointer log, gboolean counted)
{
	const BisectTest *step = ((const BisectLog *)log)->step;
	return step != NULL ? fields_json(FIELD_TABLE(test_fields), step, counted) : json_null();
}

static void read_step(FieldReading *reading, const json_t *value, gpointer log, gboolean counted)
{
	if (json_is_null(value))
		return;
	BisectTest *step = ((BisectLog *)log)->step = bisect_test_new(NULL, NULL);
	fields_read(reading, value, FIELD_TABLE(test_fields), step, counted);
}

static const Field fields[] = {
        FIELD_MADE("schema", schema_json, read_schema),
        FIELD_WORD("outcome", BisectLog, outcome, bisect_outcome_name, BISECT_SUSPECTS + 1),
        FIELD("why", TEXT, BisectLog, why),
        FIELD("benchmark", WORDS, BisectLog, benchmark),
        FIELD_PART("good", good_fields),
        FIELD_PART("bad", bad_fields),
        FIELD("commits", COUNT, BisectLog, n_commits),
        FIELD_PART("asked", asked_fields),
        FIELD_STRUCT("target", BisectLog, target, target_fields),
        FIELD("fingerprint", TEXT, BisectLog, fingerprint),
        FIELD_RECORDS("tests", BisectLog, tests, BisectTest, test_fields, MAX_TESTS),
        FIELD_MADE("measured", measured_json, NULL),
        FIELD("elapsed_s", NUMBER, BisectLog, elapsed_s),
        FIELD("suspects", TEXTS, BisectLog, suspects),
        FIELD_MADE("confirmed", confirmed_json, NULL),
        FIELD("parent", TEXT, BisectLog, parent),
        FIELD("diff_svg", TEXT, BisectLog, picture),
        FIELD_MADE("step", step_json, read_step),
};

char *bisect_json(const BisectLog *log, gsize *length)
{
	json_auto_t *root = fields_json(FIELD_TABLE(fields), log, FALSE);
	return json_dump_text(root, length);
}

static double number_or_0(double number)
{
	return isnan(number) ? 0 : number;
}

BisectLog *bisect_json_read(const char *text, gsize length, const char *what, GError **error)
{
	FieldReading reading = {.strict = TRUE};
	json_auto_t *root = json_load_text(text, length, what, error);
	if (root == NULL)
		return NULL;
	g_autoptr(BisectLog) log = bisect_log_new();
	fields_read(&reading, root, FIELD_TABLE(fields), log, FALSE);
	log->elapsed_s = number_or_0(log->elapsed_s);
	log->target.contribution = number_or_0(log->target.contribution);
	if (reading.problem == NULL)
		return g_steal_pointer(&log);
	firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "%s is not a bisection of this version (" SCHEMA ")", what);
	return NULL;
}
