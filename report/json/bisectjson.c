#include "report/json/bisectjson.h"

#include "core/error.h"
#include "core/jsontext.h"

#include <math.h>
#include <string.h>

#define SCHEMA "firebreak-bisect/1"
#define MAX_TESTS 200000

/* --- writing --- */

static json_t *commit_json(const char *sha, const char *subject)
{
	json_t *object = json_object();
	json_set(object, "sha", json_text(sha));
	json_set(object, "subject", json_text(subject));
	return object;
}

static json_t *test_json(const BisectTest *test)
{
	json_t *object = commit_json(test->sha, test->subject);
	json_set(object, "base", json_text(test->base));
	json_set(object, "verdict", json_string(bisect_verdict_name(test->answer.verdict)));
	json_set(object, "source", json_string(bisect_source_name(test->source)));
	json_set(object, "attempt", json_integer(test->attempt));
	json_set(object, "change_pct", json_number(100 * (test->answer.change_ratio - 1)));
	json_set(object, "contribution_pp", json_number(100 * test->answer.contribution));
	json_set(object, "text", json_text(test->answer.text));
	return object;
}

static json_t *target_json(const BisectTarget *target)
{
	json_t *object = json_object();
	json_set(object, "metric", json_text(target->metric));
	json_set(object, "engine", json_text(target->engine));
	json_set(object, "function", json_text(target->function));
	json_set(object, "contribution_pp", json_number(100 * target->contribution));
	return object;
}

static json_t *asked_json(const BisectLog *log)
{
	json_t *object = json_object();
	json_set(object, "metric", json_text(log->asked_metric));
	json_set(object, "function", json_text(log->asked_function));
	json_set(object, "first_parent", json_boolean(log->first_parent));
	return object;
}

static json_t *tests_json(const BisectLog *log)
{
	json_t *array = json_array();
	for (guint i = 0; i < log->tests->len; i++)
		json_array_append_new(array, test_json(log->tests->pdata[i]));
	return array;
}

static json_t *suspects_json(const BisectLog *log)
{
	json_t *array = json_array();
	for (guint i = 0; i < log->suspects->len; i++)
		json_array_append_new(array, json_text(log->suspects->pdata[i]));
	return array;
}

char *bisect_json(const BisectLog *log, gsize *length)
{
	json_auto_t *root = json_object();
	json_set(root, "schema", json_string(SCHEMA));
	json_set(root, "outcome", json_string(bisect_outcome_name(log->outcome)));
	json_set(root, "why", json_text(log->why));
	json_set(root, "benchmark", json_text(log->benchmark));
	json_set(root, "good", commit_json(log->good, log->good_subject));
	json_set(root, "bad", commit_json(log->bad, log->bad_subject));
	json_set(root, "commits", json_integer(log->n_commits));
	json_set(root, "asked", asked_json(log));
	json_set(root, "target", target_json(&log->target));
	json_set(root, "fingerprint", json_text(log->fingerprint));
	json_set(root, "tests", tests_json(log));
	json_set(root, "measured", json_integer(bisect_log_count(log, BISECT_MEASURED) + (log->step != NULL)));
	json_set(root, "elapsed_s", json_number(log->elapsed_s));
	json_set(root, "suspects", suspects_json(log));
	json_set(root, "confirmed", json_boolean(bisect_log_confirmed(log)));
	json_set(root, "parent", json_text(log->parent));
	json_set(root, "diff_svg", json_text(log->picture));
	json_set(root, "step", log->step != NULL ? test_json(log->step) : json_null());
	return json_dump_text(root, length);
}

/* --- reading --- */

static double read_share(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) / 100 : NAN;
}

/* A count of at most `most`; FALSE if it is none. */
static gboolean read_count(const json_t *object, const char *key, guint most, guint *count)
{
	const json_t *value = json_object_get(object, key);
	if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > (json_int_t)most)
		return FALSE;
	*count = (guint)json_integer_value(value);
	return TRUE;
}

static char *read_text(const json_t *object, const char *key)
{
	return json_text_decode(json_object_get(object, key));
}

/* FALSE unless it is a text of 40 digits. */
static gboolean read_sha(const json_t *object, char **sha)
{
	char *text = read_text(object, "sha");
	gboolean right = text != NULL && strlen(text) == 40 && strspn(text, "0123456789abcdef") == 40;
	if (right)
		*sha = text;
	else
		g_free(text);
	return right;
}

static BisectTest *read_test(const json_t *object)
{
	BisectTest *test = bisect_test_new(NULL, NULL);
	g_autofree char *verdict = read_text(object, "verdict"), *source = read_text(object, "source");
	if (read_sha(object, &test->sha) && verdict != NULL && source != NULL &&
	        bisect_verdict_parse(verdict, &test->answer.verdict) && bisect_source_parse(source, &test->source) &&
	        read_count(object, "attempt", BISECT_ATTEMPTS, &test->attempt)) {
		test->subject = read_text(object, "subject");
		test->base = read_text(object, "base");
		test->answer.change_ratio = 1 + read_share(object, "change_pct");
		test->answer.contribution = read_share(object, "contribution_pp");
		test->answer.text = read_text(object, "text");
		return test;
	}
	bisect_test_free(test);
	return NULL;
}

static gboolean read_tests(const json_t *array, BisectLog *log)
{
	if (!json_is_array(array) || json_array_size(array) > MAX_TESTS)
		return FALSE;
	for (gsize i = 0; i < json_array_size(array); i++) {
		BisectTest *test = read_test(json_array_get(array, i));
		if (test == NULL)
			return FALSE;
		g_ptr_array_add(log->tests, test);
	}
	return TRUE;
}

static gboolean read_suspects(const json_t *array, BisectLog *log)
{
	if (!json_is_array(array))
		return FALSE;
	for (gsize i = 0; i < json_array_size(array); i++) {
		char *sha = json_text_decode(json_array_get(array, i));
		if (sha == NULL)
			return FALSE;
		g_ptr_array_add(log->suspects, sha);
	}
	return TRUE;
}

static void read_target(const json_t *object, BisectTarget *target)
{
	double contribution = read_share(object, "contribution_pp");
	target->metric = read_text(object, "metric");
	target->engine = read_text(object, "engine");
	target->function = read_text(object, "function");
	target->contribution = isnan(contribution) ? 0 : contribution;
}

static void read_asked(const json_t *object, BisectLog *log)
{
	log->asked_metric = read_text(object, "metric");
	log->asked_function = read_text(object, "function");
	log->first_parent = json_is_true(json_object_get(object, "first_parent"));
}

static gboolean read_step(const json_t *root, BisectLog *log)
{
	const json_t *step = json_object_get(root, "step");
	log->parent = read_text(root, "parent");
	log->picture = read_text(root, "diff_svg");
	if (!json_is_object(step))
		return TRUE;
	log->step = read_test(step);
	return log->step != NULL;
}

static gboolean read_log(const json_t *root, BisectLog *log)
{
	g_autofree char *schema = read_text(root, "schema"), *outcome = read_text(root, "outcome");
	const json_t *good = json_object_get(root, "good"), *bad = json_object_get(root, "bad");
	if (g_strcmp0(schema, SCHEMA) != 0 || outcome == NULL || !bisect_outcome_parse(outcome, &log->outcome))
		return FALSE;
	log->why = read_text(root, "why");
	log->benchmark = read_text(root, "benchmark");
	log->good_subject = read_text(good, "subject");
	log->bad_subject = read_text(bad, "subject");
	log->fingerprint = read_text(root, "fingerprint");
	log->elapsed_s = json_number_value(json_object_get(root, "elapsed_s"));
	read_asked(json_object_get(root, "asked"), log);
	read_target(json_object_get(root, "target"), &log->target);
	return log->benchmark != NULL && read_sha(good, &log->good) && read_sha(bad, &log->bad) &&
	       read_count(root, "commits", G_MAXUINT, &log->n_commits) &&
	       read_tests(json_object_get(root, "tests"), log) &&
	       read_suspects(json_object_get(root, "suspects"), log) && read_step(root, log);
}

BisectLog *bisect_json_read(const char *text, gsize length, const char *what, GError **error)
{
	json_auto_t *root = json_load_text(text, length, what, error);
	if (root == NULL)
		return NULL;
	g_autoptr(BisectLog) log = bisect_log_new();
	if (read_log(root, log))
		return g_steal_pointer(&log);
	firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "%s is no bisection of this version (" SCHEMA ")", what);
	return NULL;
}
