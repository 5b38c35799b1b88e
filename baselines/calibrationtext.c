/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/calibrationtext.h"

#include "baselines/seal.h"
#include "core/error.h"
#include "core/json/fieldtable.h"
#include "model/textpiece.h"

#include <string.h>

#define KIND "firebreak-calibration"
#define VERSION 1
#define MAX_METRICS 4096
#define FINGERPRINT_DIGITS 64

static const char *const verdicts[] = {"pass", "regression", "inconclusive", NULL};
static const char *const schedules[] = {"coscheduled", "sequential", NULL};

static const Field metric_fields[] = {
        FIELD("name", WORDS, CalibrationMetric, name),
        FIELD_CHOICE("engine", CalibrationMetric, engine, engine_row, ENGINES),
        FIELD("change_ratio", REAL, CalibrationMetric, change_ratio),
        FIELD("sd_log", REAL, CalibrationMetric, sd_log),
        FIELD("margin", REAL, CalibrationMetric, margin),
        FIELD("mde_ratio", REAL, CalibrationMetric, mde_ratio),
        FIELD("gates", FLAG, CalibrationMetric, gates),
        FIELD("regressed", FLAG, CalibrationMetric, regressed),
        FIELD("passed", FLAG, CalibrationMetric, passed),
};

static const Field fields[] = {
        FIELD("benchmark", WORDS, Calibration, benchmark),
        FIELD("commit", WORDS, Calibration, commit),
        FIELD("fingerprint", WORDS, Calibration, fingerprint),
        FIELD("schedule", WORDS, Calibration, schedule),
        FIELD("time_s", SECONDS, Calibration, time_s),
        FIELD("seed", DIGITS, Calibration, seed),
        FIELD("rounds", COUNT, Calibration, rounds),
        FIELD("verdict", WORDS, Calibration, verdict),
        FIELD("functions", COUNT, Calibration, functions),
        FIELD("false_functions", COUNT, Calibration, false_functions),
        FIELD("smallest_p", REAL, Calibration, smallest_p),
        FIELD_RECORDS("metrics", Calibration, metrics, CalibrationMetric, metric_fields, MAX_METRICS),
};

GString *calibration_text_write(const Calibration *calibration)
{
	json_auto_t *root = fields_json(FIELD_TABLE(fields), calibration, FALSE);
	return seal_object(KIND, VERSION, root);
}

/* --- reading --- */

static void check_texts(FieldReading *reading, const Calibration *calibration)
{
	if (!g_strv_contains(verdicts, calibration->verdict))
		field_is_wrong(reading, "verdict");
	if (!g_strv_contains(schedules, calibration->schedule))
		field_is_wrong(reading, "schedule");
	if (text_hex_digits(calibration->fingerprint) != FINGERPRINT_DIGITS)
		field_is_wrong(reading, "fingerprint");
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
	FieldReading reading = {.strict = TRUE};
	json_auto_t *root = load_root(text, error);
	if (root == NULL)
		return NULL;
	g_autoptr(Calibration) calibration = calibration_new();
	fields_read(&reading, root, FIELD_TABLE(fields), calibration, FALSE);
	check_texts(&reading, calibration);
	if (reading.problem == NULL)
		return g_steal_pointer(&calibration);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
	        "A/A campaign: `%s` is missing or has a wrong value", reading.problem);
	return NULL;
}
