/* SPDX-License-Identifier: Apache-2.0 */
#include "core/durable.h"
#include "core/error.h"
#include "runner/ownmetrics.h"

#include <glib/gstdio.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static OwnMetrics *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	OwnMetrics *metrics = own_metrics_parse(text, strlen(text), &error);
	if (error != NULL)
		fail_msg("%s", error->message);
	return metrics;
}

static void assert_refused(const char *text, gsize length, const char *message)
{
	g_autoptr(GError) error = NULL;
	assert_null(own_metrics_parse(text, length, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	if (strstr(error->message, message) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", message, error->message);
}

static void names_values_units_and_directions_are_read(void **state)
{
	(void)state;
	g_autoptr(OwnMetrics) metrics =
	        parse("latency-p99 812.5 us lower\nthroughput 4.8e4 req/s higher\nwork 20000\n");
	const OwnMetric *latency = own_metrics_find(metrics, "latency-p99");
	const OwnMetric *throughput = own_metrics_find(metrics, "throughput");
	assert_int_equal(metrics->metrics->len, 2);
	assert_true(latency->value == 812.5 && !latency->higher_is_better);
	assert_string_equal(latency->unit, "us");
	assert_true(throughput->value == 48000 && throughput->higher_is_better);
	assert_true(metrics->work == 20000);
	assert_null(own_metrics_find(metrics, "latency"));
}

static void nothing_said_is_nothing_reported(void **state)
{
	(void)state;
	g_autoptr(OwnMetrics) metrics = parse("");
	assert_int_equal(metrics->metrics->len, 0);
	assert_true(isnan(metrics->work));
}

static void a_malformed_line_is_refused_with_its_number(void **state)
{
	(void)state;
	static const char *const lines[] = {"latency 1 us", "latency 1 us lower x", "latency  1 us lower",
	        " a 1 us lower", "a 1 us lower ", "a 1 us better", "a 1 us Lower", "A 1 us lower", "a_b 1 us lower",
	        "a nan us lower", "a inf us lower", "a 1e999 us lower", "a 0x10 us lower", "a 1,5 us lower",
	        "a 1.5x us lower", "a - us lower", "a 1 \303\274s lower", "a 1 seventeen-letters lower",
	        "a 1\tus\tlower", "", "work", "work x", "work 0", "work -1", "work 1e19", "work 1 2", "a 1 us lower\r",
	        "wall 1 ns lower", "task-clock 1 ns lower", "functions 1 x lower", "work 1 x lower"};
	for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *text = g_strdup_printf("good 1 us lower\n%s\n", lines[i]);
		assert_refused(text, strlen(text), "line 2 of its metrics: ");
	}
}

static void a_name_has_at_most_64_characters(void **state)
{
	(void)state;
	g_autofree char *longest = g_strnfill(64, 'n'), *good = g_strconcat(longest, " 1 us lower\n", NULL);
	g_autofree char *bad = g_strconcat("n", good, NULL);
	g_autoptr(OwnMetrics) metrics = parse(good);
	assert_non_null(own_metrics_find(metrics, longest));
	assert_refused(bad, strlen(bad), "line 1");
}

static void what_is_said_twice_is_refused(void **state)
{
	(void)state;
	static const char metric[] = "a 1 us lower\na 2 us lower\n", work[] = "work 1\na 1 us lower\nwork 1\n";
	assert_refused(metric, strlen(metric), "line 2 of its metrics: the metric was reported before");
	assert_refused(work, strlen(work), "line 3 of its metrics: the units of work were reported before");
}

static void a_line_without_its_end_was_not_written_whole(void **state)
{
	(void)state;
	static const char text[] = "a 1 us lower\nb 1 us low";
	assert_refused(text, strlen(text), "line 2 of its metrics: it does not end with a newline");
}

static void a_nul_is_no_text(void **state)
{
	(void)state;
	static const char text[] = "a 1 us lower\0b\n";
	assert_refused(text, sizeof text - 1, "line 1 of its metrics: it has a NUL");
}

static void sixty_four_metrics_are_the_most(void **state)
{
	(void)state;
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < OWN_METRICS_MAX; i++)
		g_string_append_printf(text, "m%u 1 us lower\n", i);
	g_autoptr(OwnMetrics) metrics = parse(text->str);
	assert_int_equal(metrics->metrics->len, OWN_METRICS_MAX);
	g_string_append(text, "one-more 1 us lower\n");
	assert_refused(text->str, text->len, "line 65 of its metrics: there are more than 64");
}

static void an_endless_file_is_not_read(void **state)
{
	(void)state;
	g_autofree char *text = g_strnfill(100000, '\n');
	assert_refused(text, 100000, "more than 16384 bytes");
}

static void what_is_no_regular_file_is_refused(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autofree char *dir = g_dir_make_tmp("firebreak-metrics-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "metrics", NULL), *link = g_build_filename(dir, "link", NULL);
	g_autoptr(OwnMetrics) none = own_metrics_read(path, &error);
	assert_non_null(none);
	assert_int_equal(none->metrics->len, 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(own_metrics_read(path, &error));
	assert_non_null(strstr(error->message, "not a regular file"));
	g_clear_error(&error);
	assert_int_equal(g_unlink(path), 0);
	assert_true(g_file_set_contents(path, "a 1 us lower\n", -1, NULL));
	g_autoptr(OwnMetrics) one = own_metrics_read(path, &error);
	assert_int_equal(one->metrics->len, 1);
	assert_int_equal(symlink(path, link), 0);
	assert_null(own_metrics_read(link, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	durable_remove_tree(dir, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names_values_units_and_directions_are_read),
	        cmocka_unit_test(nothing_said_is_nothing_reported),
	        cmocka_unit_test(a_malformed_line_is_refused_with_its_number),
	        cmocka_unit_test(a_name_has_at_most_64_characters),
	        cmocka_unit_test(what_is_said_twice_is_refused),
	        cmocka_unit_test(a_line_without_its_end_was_not_written_whole),
	        cmocka_unit_test(a_nul_is_no_text),
	        cmocka_unit_test(sixty_four_metrics_are_the_most),
	        cmocka_unit_test(an_endless_file_is_not_read),
	        cmocka_unit_test(what_is_no_regular_file_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
