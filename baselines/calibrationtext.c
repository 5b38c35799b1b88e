#include "baselines/calibrationtext.h"

#include "baselines/seal.h"
#include "baselines/storedjson.h"
#include "core/error.h"
#include "core/jsontext.h"

#include <string.h>

#define KIND "firebreak-calibration"
#define VERSION 1
#define MAX_METRICS 4096
#define MAX_COUNT 1000000000
#define FINGERPRINT_DIGITS 64
#define SEED_MAX_DIGITS 20

static const char *const verdicts[] = {"pass", "regression", "inconclusive"};
static const char *const schedules[] = {"coscheduled", "sequential"};

static json_t *metrics_json(const GPtrArray *metrics)
{
	json_t *array = json_array();
	for (guint i = 0; i < metrics->len; i++) {
		const CalibrationMetric *metric = metrics->pdata[i];
		json_array_append_new(array,
		        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b}", "name", json_text(metric->name),
		                "engine", json_text(metric->engine), "change_ratio", stored_real(metric->change_ratio),
		                "sd_log", stored_real(metric->sd_log), "margin", stored_real(metric->margin),
		                "mde_ratio", stored_real(metric->mde_ratio), "gates", metric->gates, "regressed",
		                metric->regressed, "passed", metric->passed));
	}
	return array;
}

GString *calibration_text_write(const Calibration *calibration)
{
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, calibration->seed);
	json_auto_t *root = json_pack("{s:o, s:o, s:o, s:o, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "benchmark",
	        json_text(calibration->benchmark), "commit", json_text(calibration->commit), "fingerprint",
	        json_text(calibration->fingerprint), "schedule", json_text(calibration->schedule), "time_s",
	        (json_int_t)calibration->time_s, "seed", seed, "rounds", stored_count(calibration->rounds), "verdict",
	        json_text(calibration->verdict), "functions", stored_count(calibration->functions), "false_functions",
	        stored_count(calibration->false_functions), "smallest_p", stored_real(calibration->smallest_p),
	        "metrics", metrics_json(calibration->metrics));
	g_assert(root != NULL);
	char *object = json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
	g_assert(object != NULL);
	GString *text = seal_json(KIND, VERSION, object);
	free(object);
	return text;
}

/* --- reading --- */

static void refuse(StoredReader *reader, const char *key)
{
	if (reader->problem == NULL)
		reader->problem = key;
}

static char *replaced(char *old, char *text)
{
	g_free(old);
	return text;
}

static guint read_small_count(StoredReader *reader, const json_t *object, const char *key)
{
	guint64 value = stored_read_count(reader, object, key);
	if (value > MAX_COUNT)
		refuse(reader, key);
	return (guint)MIN(value, MAX_COUNT);
}

static guint64 read_seed(StoredReader *reader, const json_t *root)
{
	guint64 seed = 0;
	g_autofree char *digits = stored_read_text(reader, root, "seed");
	if (strlen(digits) > SEED_MAX_DIGITS || !g_ascii_string_to_unsigned(digits, 10, 0, G_MAXUINT64, &seed, NULL))
		refuse(reader, "seed");
	return seed;
}

static void read_metric(StoredReader *reader, const json_t *object, Calibration *calibration)
{
	g_autofree char *name = stored_read_text(reader, object, "name");
	g_autofree char *engine = stored_read_text(reader, object, "engine");
	CalibrationMetric *metric = calibration_add_metric(calibration, name, engine);
	metric->change_ratio = stored_read_number(reader, object, "change_ratio");
	metric->sd_log = stored_read_number(reader, object, "sd_log");
	metric->margin = stored_read_number(reader, object, "margin");
	metric->mde_ratio = stored_read_number(reader, object, "mde_ratio");
	metric->gates = stored_read_flag(reader, object, "gates");
	metric->regressed = stored_read_flag(reader, object, "regressed");
	metric->passed = stored_read_flag(reader, object, "passed");
}

static void read_texts(StoredReader *reader, const json_t *root, Calibration *calibration)
{
	guint verdict = stored_read_choice(reader, root, "verdict", verdicts, G_N_ELEMENTS(verdicts));
	guint schedule = stored_read_choice(reader, root, "schedule", schedules, G_N_ELEMENTS(schedules));
	calibration->benchmark = replaced(calibration->benchmark, stored_read_text(reader, root, "benchmark"));
	calibration->commit = replaced(calibration->commit, stored_read_text(reader, root, "commit"));
	calibration->fingerprint = replaced(calibration->fingerprint, stored_read_text(reader, root, "fingerprint"));
	calibration->schedule = replaced(calibration->schedule, g_strdup(schedules[schedule]));
	calibration->verdict = replaced(calibration->verdict, g_strdup(verdicts[verdict]));
	if (strlen(calibration->fingerprint) != FINGERPRINT_DIGITS ||
	        strspn(calibration->fingerprint, "0123456789abcdef") != FINGERPRINT_DIGITS)
		refuse(reader, "fingerprint");
}

static void read_numbers(StoredReader *reader, const json_t *root, Calibration *calibration)
{
	calibration->time_s = (gint64)stored_read_count(reader, root, "time_s");
	calibration->seed = read_seed(reader, root);
	calibration->rounds = read_small_count(reader, root, "rounds");
	calibration->functions = read_small_count(reader, root, "functions");
	calibration->false_functions = read_small_count(reader, root, "false_functions");
	calibration->smallest_p = stored_read_number(reader, root, "smallest_p");
}

static json_t *load_root(const GString *text, GError **error)
{
	g_autoptr(GError) cause = NULL;
	if (!seal_verify(text, KIND, VERSION, error))
		return NULL;
	json_t *root = json_load_text(text->str, text->len, "A/A campaign", &cause);
	if (root == NULL)
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, cause->message);
	return root;
}

Calibration *calibration_text_read(const GString *text, GError **error)
{
	StoredReader reader = {NULL};
	json_auto_t *root = load_root(text, error);
	if (root == NULL)
		return NULL;
	g_autoptr(Calibration) calibration = calibration_new();
	read_texts(&reader, root, calibration);
	read_numbers(&reader, root, calibration);
	const json_t *metrics = stored_read_array(&reader, root, "metrics", MAX_METRICS);
	for (gsize i = 0; reader.problem == NULL && i < json_array_size(metrics); i++)
		read_metric(&reader, json_array_get(metrics, i), calibration);
	if (reader.problem == NULL)
		return g_steal_pointer(&calibration);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
	        "A/A campaign: `%s` is missing or not what it should be", reader.problem);
	return NULL;
}
