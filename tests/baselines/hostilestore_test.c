/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines whose every text is hostile (tests/report/corpus.h): they come back as they were. The bundle that
 * this leaves in the build folder is what `baseline list` and `baseline show` are tried on
 * (tests/report/sinks_test.sh). */
#include "baselines/measurementtext.h"
#include "baselines/transfer.h"

#include "tests/baselines/fixture.h"
#include "tests/report/corpus.h"

#define NAMED 40 /* baselines with a hostile name of their own */

static Measurement *hostile_measurement(StackTable *table, const char *commit, const char *name, const GPtrArray *texts)
{
	Measurement *measurement = measurement_new(name, commit, "");
	RunFacts facts = {.round = 1, .running_share = 1, .overlap_share = NAN, .attempts = 1};
	StackId stack = STACK_ROOT;
	measurement->profile = profile_new(table, name, name);
	profile_add_run(measurement->profile);
	g_array_append_val(measurement->runs, facts);
	for (guint i = 0; i < texts->len; i++) {
		const char *text = g_ptr_array_index(texts, i);
		MetricSeries *series = measurement_add_metric(measurement, &engine_perf, text, text, METRIC_REPLICABLE);
		g_array_index(series->values, double, 0) = i;
		environment_set(measurement->environment, text, METRIC_REPLICABLE, text);
		stack = stack_table_push(table, i % 50 == 0 ? STACK_ROOT : stack,
		        stack_table_frame_named(table, text, text, FRAME_USER));
		profile_add(measurement->profile, 0, stack, (ProfileCell){1, i});
	}
	return measurement;
}

static void hostile_texts_come_back_from_the_stored_form(void **state)
{
	(void)state;
	static const char commit[] = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) texts = corpus_new();
	g_autoptr(StackTable) table = stack_table_new(), other = stack_table_new();
	g_autoptr(Measurement) measurement = hostile_measurement(table, commit, "x;\n\033[2J", texts);
	g_autoptr(MeasurementText) stored = measurement_text_new(measurement);
	g_autoptr(Measurement) back = measurement_text_read(stored, other, NULL, &error);
	assert_no_error(error);
	assert_same_measurement(measurement, back);
}

static void keep(const char *folder, const char *name, const char *target)
{
	g_autofree char *path = g_build_filename(folder, name, NULL), *bytes = NULL;
	gsize length;
	assert_true(g_file_get_contents(path, &bytes, &length, NULL));
	assert_true(g_file_set_contents(target, bytes, (gssize)length, NULL));
}

static void a_store_of_them_can_be_exported_and_read(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) texts = corpus_new(), none = g_ptr_array_new();
	g_autoptr(StackTable) table = stack_table_new(), other = stack_table_new();
	g_autofree char *commit = NULL;
	g_autofree char *repo = new_repository(&commit), *file = g_build_filename(repo, "export.json", NULL);
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, &error);
	g_autoptr(Measurement) full = hostile_measurement(table, commit, "full", texts);
	assert_true(baseline_store_put(store, full, &error));
	for (guint i = 0; i < NAMED; i++) {
		const char *name = g_ptr_array_index(texts, i * (texts->len / NAMED));
		g_autoptr(Measurement) named = hostile_measurement(table, commit, name, none);
		assert_true(baseline_store_put(store, named, &error));
	}
	assert_true(baseline_export(store, commit, file, &error));
	g_autoptr(GPtrArray) back = baseline_export_read(file, other, NULL, &error);
	assert_no_error(error);
	assert_int_equal(back->len, NAMED + 1);
	do_in(repo, "git bundle create -q hostile.bundle --all");
	keep(repo, "hostile.bundle", BUILD_DIR "/hostile-store.bundle");
	remove_folder(g_steal_pointer(&repo));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(hostile_texts_come_back_from_the_stored_form),
	        cmocka_unit_test(a_store_of_them_can_be_exported_and_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
