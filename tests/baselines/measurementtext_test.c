/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/measurementtext.h"

#include "baselines/seal.h"
#include "tests/baselines/fixture.h"

#include <locale.h>

#define COMMIT "0123456789abcdef0123456789abcdef01234567"

static MeasurementText *sample_text(void)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("parse-large", COMMIT, "s", table);
	return measurement_text_new(measurement);
}

static gboolean is_readable(const MeasurementText *text)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(Measurement) back = measurement_text_read(text, table, NULL, &error);
	if (back == NULL)
		assert_error_code(error, FIREBREAK_ERROR_BASELINE);
	return back != NULL;
}

static void everything_comes_back_exactly(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StackTable) other = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("parse-large", COMMIT, "s", table);
	g_autoptr(MeasurementText) text = measurement_text_new(measurement);
	g_autofree char *fingerprint = NULL;
	g_autoptr(Measurement) back = measurement_text_read(text, other, &fingerprint, &error);
	assert_no_error(error);
	assert_same_measurement(measurement, back);
	g_autofree char *wanted = environment_fingerprint(measurement->environment, METRIC_REPLICABLE);
	assert_string_equal(fingerprint, wanted);
	g_autoptr(MeasurementText) again = measurement_text_new(back);
	assert_string_equal(text->manifest->str, again->manifest->str);
	assert_string_equal(text->stacks->str, again->stacks->str);
}

static void a_measurement_without_profile_has_no_stacks(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = measurement_new("b", COMMIT, COMMIT);
	add_awkward_runs(measurement, 8);
	g_autoptr(MeasurementText) text = measurement_text_new(measurement);
	assert_null(text->stacks);
	g_autoptr(Measurement) back = measurement_text_read(text, table, NULL, &error);
	assert_no_error(error);
	assert_same_measurement(measurement, back);
}

static void two_measurements_share_one_table(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(MeasurementText) text = sample_text();
	g_autoptr(Measurement) a = measurement_text_read(text, table, NULL, NULL);
	guint n_stacks = stack_table_n_stacks(table), n_frames = stack_table_n_frames(table);
	g_autoptr(Measurement) b = measurement_text_read(text, table, NULL, NULL);
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(stack_table_n_stacks(table), n_stacks);
	assert_int_equal(stack_table_n_frames(table), n_frames);
}

static void a_locale_with_commas_changes_nothing(void **state)
{
	(void)state;
	static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8"};
	g_autoptr(MeasurementText) text = sample_text();
	for (guint i = 0; i < G_N_ELEMENTS(locales); i++) {
		if (setlocale(LC_ALL, locales[i]) == NULL) {
			print_message("locale %s is not installed\n", locales[i]);
			continue;
		}
		g_autoptr(MeasurementText) other = sample_text();
		assert_string_equal(text->manifest->str, other->manifest->str);
		assert_true(is_readable(other));
		setlocale(LC_ALL, "C");
	}
	assert_true(is_readable(text));
}

/* Flips one bit of each byte (all eight would only repeat what the hash does) and one whole byte. */
static void flip_everywhere(MeasurementText *text, GString *part)
{
	for (gsize i = 0; i < part->len; i++) {
		char byte = part->str[i];
		part->str[i] = (char)(byte ^ (1 << i % 8));
		assert_false(is_readable(text));
		part->str[i] = (char)~byte;
		assert_false(is_readable(text));
		part->str[i] = byte;
	}
}

static void every_flipped_byte_is_detected(void **state)
{
	(void)state;
	g_autoptr(MeasurementText) text = sample_text();
	assert_true(is_readable(text));
	flip_everywhere(text, text->manifest);
	flip_everywhere(text, text->stacks);
	assert_true(is_readable(text));
}

static void truncate_everywhere(MeasurementText *text, GString **part)
{
	GString *whole = *part;
	for (gsize length = 0; length < whole->len; length++) {
		*part = g_string_new_len(whole->str, (gssize)length);
		assert_false(is_readable(text));
		g_string_free(*part, TRUE);
	}
	*part = whole;
}

static void every_truncation_is_detected(void **state)
{
	(void)state;
	g_autoptr(MeasurementText) text = sample_text();
	truncate_everywhere(text, &text->manifest);
	truncate_everywhere(text, &text->stacks);
	assert_true(is_readable(text));
}

static void missing_and_foreign_stacks_are_detected(void **state)
{
	(void)state;
	g_autoptr(MeasurementText) text = sample_text();
	GString *stacks = text->stacks;
	text->stacks = NULL;
	assert_false(is_readable(text));
	text->stacks = g_string_new("main\t1:2\t1:2\t1:2\n");
	assert_false(is_readable(text));
	g_string_free(text->stacks, TRUE);
	text->stacks = stacks;
	assert_true(is_readable(text));
}

static void a_newer_schema_is_named_and_not_read(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(MeasurementText) text = g_new0(MeasurementText, 1);
	text->manifest = seal_json("firebreak-baseline", 2, "{\n \"anything\": 1\n}");
	assert_null(measurement_text_read(text, table, NULL, &error));
	assert_error_code(error, FIREBREAK_ERROR_BASELINE);
	assert_non_null(strstr(error->message, "firebreak-baseline/2 is newer than this firebreak"));
}

/* Replaces `from` by `to` in the object of a sealed manifest and seals it anew. */
static MeasurementText *resealed(const char *from, const char *to)
{
	MeasurementText *text = sample_text();
	const char *body = strstr(text->manifest->str, "\n \"benchmark\"");
	g_auto(GStrv) pieces = g_strsplit(body, from, 2);
	assert_non_null(pieces[1]);
	g_autofree char *object = g_strconcat("{", pieces[0], to, pieces[1], NULL);
	g_string_free(text->manifest, TRUE);
	text->manifest = seal_json("firebreak-baseline", 1, g_strchomp(object));
	return text;
}

static Measurement *read_back(const MeasurementText *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	Measurement *measurement = measurement_text_read(text, table, NULL, &error);
	assert_no_error(error);
	return measurement;
}

static void a_metric_without_direction_is_a_cost(void **state)
{
	(void)state;
	g_autoptr(MeasurementText) text = resealed("\"higher_is_better\": true,", "");
	g_autoptr(Measurement) measurement = read_back(text);
	assert_false(measurement_metric(measurement, &engine_callgrind, "instructions")->higher_is_better);
}

static void what_runs_report_of_themselves_comes_back(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("parse-large", COMMIT, "s", table);
	g_array_index(measurement->runs, RunFacts, 1).work = 1.0 / 3;
	g_array_index(measurement->runs, RunFacts, 2).incomplete_samples = 12;
	MetricSeries *rate =
	        measurement_add_metric(measurement, &engine_benchmark, "rate", "req/s", METRIC_SAME_CAMPAIGN);
	rate->higher_is_better = TRUE;
	g_array_index(rate->values, double, 0) = 48211.25;
	g_autoptr(MeasurementText) text = measurement_text_new(measurement);
	g_autoptr(Measurement) back = read_back(text);
	assert_same_measurement(measurement, back);
}

static void unknown_members_are_skipped(void **state)
{
	(void)state;
	g_autoptr(MeasurementText) text = resealed("\"schedule\"", "\"future\": {\"a\": [1]}, \"schedule\"");
	assert_true(is_readable(text));
}

static void sealed_but_senseless_manifests_are_refused(void **state)
{
	(void)state;
	static const char *const changes[][2] = {
	        {"\"commit\"", "\"comit\""},
	        {"\"benchmark\": \"parse-large\"", "\"benchmark\": 5"},
	        {"\"work\": 2.5", "\"work\": \"2.5\""},
	        {"\"round\": 1", "\"round\": -1"},
	        {"\"round\": 1", "\"round\": 1.5"},
	        {"\"started_first\": false", "\"started_first\": 0"},
	        {"\"needed_by\": \"replicable\"", "\"needed_by\": \"other\""},
	        {"\"kind\": \"user\"", "\"kind\": \"other\""},
	        {"1000000000.0", "\"1e9\""},
	        {"1000000000.0", "1000000000.0, 5"},
	        {"\"runs\": 3", "\"runs\": 4000000000"},
	        {"\"runs\": 3", "\"runs\": 2"},
	        {"\"stacks_bytes\": ", "\"stacks_bytes\": 1"},
	        {"\"profile\": {", "\"profile\": null, \"old\": {"},
	        {"\"benchmark\"", "\"commit\": \"x\", \"benchmark\""},
	};
	for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
		g_autoptr(MeasurementText) text = resealed(changes[i][0], changes[i][1]);
		if (is_readable(text))
			fail_msg("%s -> %s was accepted", changes[i][0], changes[i][1]);
	}
}

/* The text of a golden file; with BLESS=1 in the environment, `actual` is written to it first. */
static char *golden(const char *name, const char *actual)
{
	g_autoptr(GError) error = NULL;
	char *text = NULL;
	g_autofree char *path = g_build_filename(SOURCE_DIR, "tests", "baselines", "version1", name, NULL);
	if (g_getenv("BLESS") != NULL)
		g_file_set_contents(path, actual, -1, &error);
	assert_no_error(error);
	g_file_get_contents(path, &text, NULL, &error);
	assert_no_error(error);
	return text;
}

static void version_1_is_written_and_read_as_it_always_was(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StackTable) other = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("parse-large", COMMIT, "s", table);
	g_autoptr(MeasurementText) written = measurement_text_new(measurement);
	g_autofree char *manifest = golden("manifest.json", written->manifest->str);
	g_autofree char *stacks = golden("stacks", written->stacks->str);
	assert_string_equal(written->manifest->str, manifest);
	assert_string_equal(written->stacks->str, stacks);

	g_autoptr(MeasurementText) stored = g_new0(MeasurementText, 1);
	stored->manifest = g_string_new(manifest);
	stored->stacks = g_string_new(stacks);
	g_autoptr(Measurement) back = measurement_text_read(stored, other, NULL, &error);
	assert_no_error(error);
	assert_same_measurement(measurement, back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(everything_comes_back_exactly),
	        cmocka_unit_test(a_measurement_without_profile_has_no_stacks),
	        cmocka_unit_test(two_measurements_share_one_table),
	        cmocka_unit_test(a_locale_with_commas_changes_nothing),
	        cmocka_unit_test(every_flipped_byte_is_detected),
	        cmocka_unit_test(every_truncation_is_detected),
	        cmocka_unit_test(missing_and_foreign_stacks_are_detected),
	        cmocka_unit_test(a_newer_schema_is_named_and_not_read),
	        cmocka_unit_test(a_metric_without_direction_is_a_cost),
	        cmocka_unit_test(what_runs_report_of_themselves_comes_back),
	        cmocka_unit_test(unknown_members_are_skipped),
	        cmocka_unit_test(sealed_but_senseless_manifests_are_refused),
	        cmocka_unit_test(version_1_is_written_and_read_as_it_always_was),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
