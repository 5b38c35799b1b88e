/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/bisectjson.h"

#include "core/error.h"
#include "tests/report/bisectexample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static BisectLog *read_back(const char *text, GError **error)
{
	return bisect_json_read(text, strlen(text), "kept.json", error);
}

/* For tests/report/bisectschema_test.sh. */
static void leave_for_the_schema(const BisectLog *log, const char *name)
{
	g_autofree char *text = bisect_json(log, NULL);
	g_autofree char *path = g_strdup_printf(BUILD_DIR "/bisect-%s.json", name);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void what_is_read_back_is_written_again_byte_for_byte(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(BisectLog) log = bisect_example();
	(void)state;
	((BisectTest *)log->tests->pdata[1])->base = g_strdup(GOOD_SHA);
	leave_for_the_schema(log, "found");
	g_autofree char *text = bisect_json(log, NULL);
	g_autoptr(BisectLog) read = read_back(text, &error);
	if (read == NULL)
		fail_msg("%s", error->message);
	g_autofree char *again = bisect_json(read, NULL);
	assert_string_equal(again, text);
	assert_string_equal(read->bad_subject, log->bad_subject); /* bytes that are not UTF-8 */
}

static void a_bisection_that_goes_on_is_read_back(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(BisectLog) log = bisect_example();
	(void)state;
	log->outcome = BISECT_RUNNING;
	g_ptr_array_set_size(log->suspects, 0);
	g_clear_pointer(&log->step, bisect_test_free);
	g_clear_pointer(&log->target.metric, g_free);
	log->target.function = g_strdup("hash");
	log->target.contribution = .0625;
	leave_for_the_schema(log, "running");
	g_autofree char *text = bisect_json(log, NULL);
	g_autoptr(BisectLog) read = read_back(text, &error);
	assert_non_null(read);
	assert_null(read->step);
	assert_null(read->target.metric);
	assert_true(read->target.contribution == .0625);
	assert_int_equal(read->tests->len, 3);
	assert_int_equal(((BisectTest *)read->tests->pdata[2])->source, BISECT_STORED);
}

static void a_part_of_a_file_is_refused_at_every_length(void **state)
{
	g_autoptr(BisectLog) log = bisect_example();
	gsize length;
	(void)state;
	g_autofree char *text = bisect_json(log, &length);
	for (gsize n = 0; n < length - 2; n++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(BisectLog) read = bisect_json_read(text, n, "kept.json", &error);
		assert_null(read);
		assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
	}
}

static void members_of_a_wrong_kind_are_refused(void **state)
{
	static const char *const wrong[][2] = {
	        {"firebreak-bisect/1", "firebreak-bisect/2"},
	        {"\"outcome\": \"culprit\"", "\"outcome\": \"guilty\""},
	        {"\"benchmark\": \"words\"", "\"benchmark\": 5"},
	        {"\"commits\": 12", "\"commits\": -1"},
	        {"\"verdict\": \"untestable\"", "\"verdict\": \"ugly\""},
	        {"\"source\": \"stored\"", "\"source\": \"invented\""},
	        {"\"attempt\": 0", "\"attempt\": 99"},
	        {GOOD_SHA, "main"},
	};
	g_autoptr(BisectLog) log = bisect_example();
	(void)state;
	g_autofree char *text = bisect_json(log, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;
		g_auto(GStrv) parts = g_strsplit(text, wrong[i][0], 2);
		assert_non_null(parts[1]);
		g_autofree char *changed = g_strconcat(parts[0], wrong[i][1], parts[1], NULL);
		g_autoptr(BisectLog) read = read_back(changed, &error);
		if (read != NULL)
			fail_msg("%s was accepted", wrong[i][1]);
		assert_non_null(strstr(error->message, "kept.json"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_read_back_is_written_again_byte_for_byte),
	        cmocka_unit_test(a_bisection_that_goes_on_is_read_back),
	        cmocka_unit_test(a_part_of_a_file_is_refused_at_every_length),
	        cmocka_unit_test(members_of_a_wrong_kind_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
