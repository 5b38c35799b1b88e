/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/firefoxwrite.h"

#include "core/jsontext.h"
#include "tests/profile/exportexample.h"

#include <math.h>

static json_t *written(const ExportedProfile *exported)
{
	g_autoptr(GError) error = NULL;
	GString *text = firefox_write(exported);
	json_t *root = json_load_text(text->str, text->len, "test", &error);
	if (root == NULL)
		fail_msg("%s", error->message);
	g_string_free(text, TRUE);
	return root;
}

static const json_t *shared_table(const json_t *root, const char *name)
{
	const json_t *table = json_object_get(json_object_get(root, "shared"), name);
	assert_non_null(table);
	return table;
}

static const json_t *samples_of(const json_t *root, guint thread)
{
	const json_t *samples = json_object_get(json_array_get(json_object_get(root, "threads"), thread), "samples");
	assert_non_null(samples);
	return samples;
}

static double sum_of(const json_t *samples, const char *column)
{
	size_t i;
	json_t *number;
	double sum = 0;
	json_array_foreach(json_object_get(samples, column), i, number) sum += json_number_value(number);
	return sum;
}

/* Every column of a table has as many rows as it says. */
static void assert_even(const json_t *table)
{
	const char *name;
	json_t *column;
	json_int_t length = json_integer_value(json_object_get(table, "length"));
	json_object_foreach((json_t *)table, name,
	        column) if (json_is_array(column) && (json_int_t)json_array_size(column) != length)
	        fail_msg("%s has %zu rows of %lld", name, json_array_size(column), (long long)length);
}

static void columns_are_as_long_as_their_table(void **state)
{
	ExportExample *e = *state;
	static const char *const tables[] = {
	        "stackTable", "frameTable", "funcTable", "resourceTable", "sources", "nativeSymbols"};
	json_auto_t *root = written(&e->both);
	for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
		assert_even(shared_table(root, tables[i]));
	for (guint i = 0; i < 3; i++)
		assert_even(samples_of(root, i));
}

/* Numbers of a column are rows of a table with `n` rows; null and -1 are none. */
static void assert_rows_of(const json_t *table, const char *column, size_t n)
{
	size_t i;
	json_t *row;
	json_array_foreach(
	        json_object_get(table, column), i, row) if (!json_is_null(row) && json_integer_value(row) != -1)
	        assert_true(json_integer_value(row) >= 0 && (size_t)json_integer_value(row) < n);
}

static size_t length_of(const json_t *table)
{
	return (size_t)json_integer_value(json_object_get(table, "length"));
}

static void rows_name_rows_that_are_there(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->both);
	const json_t *stacks = shared_table(root, "stackTable"), *frames = shared_table(root, "frameTable");
	const json_t *functions = shared_table(root, "funcTable"), *resources = shared_table(root, "resourceTable");
	const json_t *sources = shared_table(root, "sources");
	size_t n_texts = json_array_size(shared_table(root, "stringArray"));
	assert_rows_of(stacks, "prefix", length_of(stacks));
	assert_rows_of(stacks, "frame", length_of(frames));
	assert_rows_of(frames, "func", length_of(functions));
	assert_rows_of(
	        frames, "category", json_array_size(json_object_get(json_object_get(root, "meta"), "categories")));
	assert_rows_of(functions, "name", n_texts);
	assert_rows_of(functions, "resource", length_of(resources));
	assert_rows_of(functions, "source", length_of(sources));
	assert_rows_of(resources, "name", n_texts);
	assert_rows_of(sources, "filename", n_texts);
	for (guint i = 0; i < 3; i++)
		assert_rows_of(samples_of(root, i), "stack", length_of(stacks));
}

static void prefixes_come_before_what_they_lead_to(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->both);
	size_t i;
	json_t *prefix;
	json_array_foreach(json_object_get(shared_table(root, "stackTable"), "prefix"), i, prefix)
	        assert_true(json_is_null(prefix) || (size_t)json_integer_value(prefix) < i);
}

static void time_is_in_exact_milliseconds(void **state)
{
	ExportExample *e = *state;
	GString *text = firefox_write(&e->both);
	assert_non_null(strstr(text->str, "\"weight\":[2.5,10,0.7]"));
	assert_non_null(strstr(text->str, "\"weight\":[2,3,-0.7,0.000001]"));
	assert_non_null(strstr(text->str, "\"timeDeltas\":[0,2,3,0.7]"));
	assert_non_null(strstr(text->str, "\"weightType\":\"tracing-ms\""));
	g_string_free(text, TRUE);
}

static void weights_of_threads_are_the_totals_of_sides(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->both);
	static const double totals[] = {13.2, 17.500001, 4.300001};
	for (guint i = 0; i < G_N_ELEMENTS(totals); i++)
		assert_true(fabs(sum_of(samples_of(root, i), "weight") - totals[i]) < 1e-9);
}

static void a_profile_is_one_thread(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->one);
	const json_t *threads = json_object_get(root, "threads");
	assert_int_equal(json_array_size(threads), 1);
	assert_string_equal(json_string_value(json_object_get(json_array_get(threads, 0), "name")), "parse");
}

static void counts_are_samples(void **state)
{
	ExportExample *e = *state;
	g_autoptr(Profile) counts = example_counts(e->head);
	json_auto_t *root = written(&(ExportedProfile){.head = counts, .name = "counts", .exporter = "test"});
	const json_t *samples = samples_of(root, 0);
	assert_string_equal(json_string_value(json_object_get(samples, "weightType")), "samples");
	assert_true(sum_of(samples, "weight") == 18);
}

static gboolean has_text(const json_t *root, const char *text)
{
	size_t i;
	json_t *value;
	json_array_foreach((json_t *)shared_table(root, "stringArray"), i,
	        value) if (strcmp(json_string_value(value), text) == 0) return TRUE;
	return FALSE;
}

static void hostile_names_come_back(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->one);
	assert_true(has_text(root, HOSTILE_VISIBLE));
	assert_true(has_text(root, "libc.so.6"));
}

static void the_version_is_that_of_the_layout(void **state)
{
	ExportExample *e = *state;
	json_auto_t *root = written(&e->one);
	const json_t *meta = json_object_get(root, "meta");
	assert_int_equal(json_integer_value(json_object_get(meta, "preprocessedProfileVersion")), 60);
	assert_int_equal(json_integer_value(json_object_get(meta, "version")), 24);
}

static void the_same_profile_gives_the_same_bytes(void **state)
{
	ExportExample *e = *state;
	GString *first = firefox_write(&e->both), *second = firefox_write(&e->both);
	assert_true(g_string_equal(first, second));
	g_string_free(first, TRUE);
	g_string_free(second, TRUE);
}

#define WITH_EXAMPLE(test) cmocka_unit_test_setup_teardown(test, example_of_time, example_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_EXAMPLE(columns_are_as_long_as_their_table),
	        WITH_EXAMPLE(rows_name_rows_that_are_there),
	        WITH_EXAMPLE(prefixes_come_before_what_they_lead_to),
	        WITH_EXAMPLE(time_is_in_exact_milliseconds),
	        WITH_EXAMPLE(weights_of_threads_are_the_totals_of_sides),
	        WITH_EXAMPLE(a_profile_is_one_thread),
	        WITH_EXAMPLE(counts_are_samples),
	        WITH_EXAMPLE(hostile_names_come_back),
	        WITH_EXAMPLE(the_version_is_that_of_the_layout),
	        WITH_EXAMPLE(the_same_profile_gives_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
