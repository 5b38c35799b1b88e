/* SPDX-License-Identifier: Apache-2.0 */
#include "model/engine.h"
#include "report/history/historyset.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/history/historycsv.h"
#include "report/history/historypage.h"
#include "report/history/historytext.h"
#include "report/json/historyjson.h"
#include "report/words/wording.h"

#define SUBJECT "=1+1 <script>alert(\"x\")</script>\x1b[31m"

typedef struct {
	GPtrArray *histories;
	FindingList *findings;
	HistorySet set;
} World;

static MetricHistory *add(World *world, const char *metric, const Engine *engine, const char *function)
{
	MetricHistory *history = metric_history_new(metric, engine, "count");
	g_free(history->benchmark);
	g_free(history->function);
	history->benchmark = g_strdup("parse");
	history->function = g_strdup(function);
	history->counted = engine_counts(engine);
	g_ptr_array_add(world->histories, history);
	return history;
}

static void add_point(MetricHistory *history, guint index, double value, gboolean same)
{
	g_autofree char *sha = g_strdup_printf("%07x%033x", index + 0xa000000, index);
	metric_history_add(history, &(HistoryPoint){.sha = sha,
	                                    .subject = (char *)SUBJECT,
	                                    .time_s = 1700000000,
	                                    .same_environment = same,
	                                    .median = value,
	                                    .lower = value,
	                                    .upper = value + 1,
	                                    .runs = 2,
	                                    .fingerprint = (char *)"0123456789abcdef",
	                                    .unmeasured = index == 4 ? 2 : 0});
}

/* Another environment at the third point, a change at the fifth. */
static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->histories = g_ptr_array_new_with_free_func((GDestroyNotify)metric_history_free);
	world->findings = finding_list_new();
	finding_add(world->findings, FINDING_WARNING, "baseline_corrupt", NULL, "one is <broken>");
	MetricHistory *history = add(world, "instructions", &engine_callgrind, "");
	for (guint i = 0; i < 6; i++)
		add_point(history, i, i < 2 ? 500 : i < 4 ? 1000 : 1200, i != 0 && i != 2);
	HistoryChange change = {.point = 4,
	        .before = 1000,
	        .after = 1200,
	        .change = .2,
	        .p_value = NAN,
	        .worse = TRUE,
	        .candidates = 3,
	        .earliest = 4,
	        .latest = 4};
	g_array_append_val(history->changes, change);
	add_point(add(world, "system-calls", &engine_callgrind, ""), 0, 3, FALSE);
	world->set = (HistorySet){
	        "main<", "0123456789012345678901234567890123456789", 6, world->histories, world->findings, FALSE};
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	g_ptr_array_unref(world->histories);
	finding_list_free(world->findings);
	g_free(world);
	return 0;
}

static void the_text_says_where_the_level_changed(void **state)
{
	const World *world = *state;
	g_autofree char *text = history_text(&world->set, &(HistoryTextOptions){.utf8 = TRUE});
	assert_string_equal(text,
	        "parse: instructions (callgrind), 6 commits\n"
	        "  ▁▁╎▆▆██  1,000 → 1,200, +20.00 % since a000002\n"
	        "  +20.00 %  worse  a000004  2023-11-14  =1+1 <script>alert(\"x\")</script>\\x1b[31m (or one of the 2 "
	        "before it, not measured)\n"
	        "  another environment from a000002 on\n"
	        "1 more with --all\n");
}

/* A line of `n` commits, the first of which are of another environment, and what is said of it. */
static char *said_of(World *world, guint n, guint other)
{
	MetricHistory *history = add(world, "task-clock", &engine_perf, "");
	for (guint i = 0; i < n; i++)
		add_point(history, i, 1000, i != 0 && i != other);
	return history_too_few(history);
}

static void too_few_sampled_commits_are_named(void **state)
{
	World *world = *state;
	g_autofree char *few = said_of(world, 4, 0), *one = said_of(world, 1, 0), *enough = said_of(world, 10, 0);
	g_autofree char *parted = said_of(world, 12, 5), *counted = history_too_few(world->histories->pdata[0]);
	g_autofree char *text = history_text(&world->set, &(HistoryTextOptions){.utf8 = TRUE});
	g_autofree char *page = history_page(&world->set, FALSE);
	assert_string_equal(few, "4 commits: too few to say where the level changed; at least 10 are needed");
	assert_true(g_str_has_prefix(one, "1 commit: too few"));
	assert_true(g_str_has_prefix(parted, "7 commits in one environment: too few"));
	assert_null(enough);
	assert_null(counted);
	assert_non_null(
	        strstr(text, "\n  4 commits: too few to say where the level changed; at least 10 are needed\n"));
	assert_non_null(strstr(page, "<p>4 commits: too few"));
}

static void ascii_stands_for_blocks(void **state)
{
	const World *world = *state;
	g_autofree char *spark = history_spark(world->histories->pdata[0], FALSE);
	assert_string_equal(spark, "__|++##");
}

static void a_flat_line_stays_low(void **state)
{
	(void)state;
	g_autoptr(MetricHistory) history = metric_history_new("task-clock", &engine_perf, "ns");
	add_point(history, 0, 1000, FALSE);
	add_point(history, 1, 1001, TRUE);
	g_autofree char *spark = history_spark(history, FALSE);
	assert_string_equal(spark, "__");
}

static void what_does_not_lead_is_shown_if_asked_for(void **state)
{
	const World *world = *state;
	g_autoptr(GPtrArray) some = history_set_shown(&world->set, FALSE), all = history_set_shown(&world->set, TRUE);
	assert_int_equal(some->len, 1);
	assert_int_equal(all->len, 2);
}

static void what_nothing_leads_is_shown_whole(void **state)
{
	World *world = *state;
	g_ptr_array_remove_index(world->histories, 0);
	g_autoptr(GPtrArray) some = history_set_shown(&world->set, FALSE);
	assert_int_equal(some->len, 1);
}

static void colour_says_which_direction(void **state)
{
	const World *world = *state;
	g_autofree char *text = history_text(&world->set, &(HistoryTextOptions){.colour = TRUE});
	assert_non_null(strstr(text, "\033[31m+20.00 %"));
}

static void json_comes_back_as_it_was(void **state)
{
	const World *world = *state;
	json_auto_t *array = history_json(world->histories);
	FieldReading reading = {.what = "history"};
	g_autoptr(GPtrArray) back = history_read(&reading, array);
	json_auto_t *again = history_json(back);
	g_autofree char *first = json_dump_text(array, NULL), *second = json_dump_text(again, NULL);
	assert_string_equal(first, second);
	const MetricHistory *history = back->pdata[0];
	const HistoryChange *change = &g_array_index(history->changes, HistoryChange, 0);
	assert_int_equal(change->candidates, 3);
	assert_true(isnan(change->p_value));
	assert_string_equal(history->benchmark, "parse");
	assert_string_equal(g_array_index(history->points, HistoryPoint, 0).fingerprint, "0123456789abcdef");
}

static void a_change_from_zero_comes_back(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)metric_history_free);
	MetricHistory *history = metric_history_new("allocations", &engine_callgrind, "count");
	add_point(history, 0, 0, FALSE);
	add_point(history, 1, 4, TRUE);
	HistoryChange change = {.point = 1,
	        .after = 4,
	        .change = INFINITY,
	        .p_value = NAN,
	        .worse = TRUE,
	        .candidates = 1,
	        .earliest = 1,
	        .latest = 1};
	g_array_append_val(history->changes, change);
	g_ptr_array_add(all, history);
	json_auto_t *array = history_json(all);
	FieldReading reading = {.what = "history"};
	g_autoptr(GPtrArray) back = history_read(&reading, array);
	const MetricHistory *read = back->pdata[0];
	assert_true(g_array_index(read->changes, HistoryChange, 0).change > G_MAXDOUBLE);
}

static void a_change_from_zero_is_one_in_words(void **state)
{
	(void)state;
	for (guint counted = 0; counted < 2; counted++) {
		const MetricHistory history = {.function = (char *)"", .counted = counted != 0};
		g_autofree char *up = wording_history_change(&history, INFINITY);
		g_autofree char *down = wording_history_change(&history, -INFINITY);
		assert_string_equal(up, "from 0");
		assert_string_equal(down, "from 0");
	}
}

static void a_change_of_a_point_that_is_not_there_is_none(void **state)
{
	const World *world = *state;
	MetricHistory *history = world->histories->pdata[0];
	g_array_index(history->changes, HistoryChange, 0).point = 4;
	json_auto_t *array = history_json(world->histories);
	json_object_set_new(
	        json_array_get(json_object_get(json_array_get(array, 0), "changes"), 0), "point", json_integer(6));
	FieldReading reading = {.what = "history"};
	g_autoptr(GPtrArray) back = history_read(&reading, array);
	assert_int_equal(((const MetricHistory *)back->pdata[0])->changes->len, 0);
}

static void csv_has_a_line_for_each_point_and_no_formula(void **state)
{
	const World *world = *state;
	g_autofree char *text = history_csv(&world->set);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	assert_int_equal(g_strv_length(lines), 1 + 6 + 1 + 1);
	assert_true(
	        g_str_has_prefix(lines[5], "\"parse\",\"\",\"\",\"callgrind\",\"instructions\",\"count\",\"a000004"));
	assert_non_null(strstr(lines[5], ",\"'=1+1 <script>alert(\"\"x\"\")</script>\\x1b[31m\","));
	assert_true(g_str_has_suffix(lines[5], "true,2,1200,1200,1201,2,1.2"));
	assert_true(g_str_has_suffix(lines[6], ",2,"));
}

static void pictures_escape_what_is_foreign(void **state)
{
	const World *world = *state;
	g_autofree char *svg = history_svg(&world->set, TRUE), *page = history_page(&world->set, TRUE);
	assert_null(strstr(svg, "<script"));
	assert_null(strstr(page, "<script>alert"));
	assert_non_null(strstr(page, "History of main&lt;"));
	assert_non_null(strstr(page, "one is &lt;broken&gt;"));
	assert_non_null(strstr(svg, "+20.00 %"));
	assert_non_null(strstr(page, "or one of the 2 commits before it, which nobody measured"));
}

static void a_single_commit_that_nobody_measured_is_not_one_of_several(void **state)
{
	const World *world = *state;
	const MetricHistory *history = world->histories->pdata[0];
	g_array_index(history->changes, HistoryChange, 0).candidates = 2;
	g_autofree char *page = history_page(&world->set, TRUE);
	assert_non_null(strstr(page, "(or the commit before it, which nobody measured)"));
}

/* No commit is named where several may have done it. */
static void a_change_with_several_places_names_the_range(void **state)
{
	const World *world = *state;
	HistoryChange *change =
	        &g_array_index(((MetricHistory *)world->histories->pdata[0])->changes, HistoryChange, 0);
	change->earliest = 3;
	change->candidates = 4;
	g_autofree char *text = history_text(&world->set, &(HistoryTextOptions){.all = TRUE});
	g_autofree char *page = history_page(&world->set, TRUE);
	assert_non_null(strstr(text, "a000002..a000004"));
	assert_non_null(strstr(text, "one of 4 commits"));
	assert_non_null(strstr(page, "worse at one of 4 commits, <code>a000002..a000004</code>"));
	change->drifts = TRUE;
	g_autofree char *drift = history_text(&world->set, &(HistoryTextOptions){.all = TRUE});
	g_autofree char *drift_page = history_page(&world->set, TRUE);
	assert_non_null(strstr(drift, "little by little, over 4 commits"));
	assert_non_null(strstr(drift_page, "worse little by little, over 4 commits"));
}

static void a_drift_comes_back_from_json(void **state)
{
	const World *world = *state;
	MetricHistory *history = world->histories->pdata[0];
	HistoryChange *change = &g_array_index(history->changes, HistoryChange, 0);
	change->earliest = 3;
	change->drifts = TRUE;
	json_auto_t *json = history_json(world->histories);
	FieldReading reading = {.what = "history"};
	g_autoptr(GPtrArray) again = history_read(&reading, json);
	const MetricHistory *read = again->pdata[0];
	const HistoryChange *back = &g_array_index(read->changes, HistoryChange, 0);
	assert_true(back->drifts);
	assert_int_equal(back->earliest, 3);
	assert_int_equal(back->latest, 4);
}

static void ticks_of_a_picture_are_round(void **state)
{
	World *world = *state;
	MetricHistory *history = add(world, "task-clock", &engine_perf, "");
	g_free(history->unit);
	history->unit = g_strdup("ns");
	add_point(history, 0, .88e9, FALSE);
	add_point(history, 1, 1.12e9, TRUE);
	g_autofree char *svg = history_svg(&world->set, TRUE);
	assert_non_null(strstr(svg, ">500<"));
	assert_non_null(strstr(svg, ">1000<"));
	assert_non_null(strstr(svg, ">0.9 s<"));
	assert_non_null(strstr(svg, ">1.0 s<"));
}

static void a_picture_says_what_its_axes_and_signs_are(void **state)
{
	const World *world = *state;
	g_autofree char *svg = history_svg(&world->set, TRUE), *page = history_page(&world->set, TRUE);
	const char *const texts[] = {svg, page};
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		assert_non_null(strstr(texts[i], ">instructions of a run (median)<"));
		assert_non_null(strstr(texts[i], ">commits, oldest on the left<"));
	}
	assert_non_null(strstr(svg, ">dot: median of the runs of a commit; bar: lowest to highest run;"));
	assert_non_null(strstr(page, "from the lowest to the highest run</li>"));
	assert_non_null(
	        strstr(page, "from this commit on, a run costs more (red) or less (green) by the percentage below"));
	assert_non_null(strstr(page, "another machine, compiler or setting: do not compare across it"));
	assert_null(strstr(page, "base of this check</li>"));
}

static void the_same_set_gives_the_same_bytes(void **state)
{
	const World *world = *state;
	g_autofree char *one = history_svg(&world->set, TRUE), *other = history_svg(&world->set, TRUE);
	g_autofree char *first = history_set_json(&world->set), *second = history_set_json(&world->set);
	assert_string_equal(one, other);
	assert_string_equal(first, second);
}

#define WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WORLD_TEST(the_text_says_where_the_level_changed),
	        WORLD_TEST(too_few_sampled_commits_are_named),
	        WORLD_TEST(ascii_stands_for_blocks),
	        cmocka_unit_test(a_flat_line_stays_low),
	        WORLD_TEST(what_does_not_lead_is_shown_if_asked_for),
	        WORLD_TEST(what_nothing_leads_is_shown_whole),
	        WORLD_TEST(colour_says_which_direction),
	        WORLD_TEST(json_comes_back_as_it_was),
	        cmocka_unit_test(a_change_from_zero_comes_back),
	        WORLD_TEST(a_change_from_zero_is_one_in_words),
	        WORLD_TEST(a_change_of_a_point_that_is_not_there_is_none),
	        WORLD_TEST(csv_has_a_line_for_each_point_and_no_formula),
	        WORLD_TEST(pictures_escape_what_is_foreign),
	        WORLD_TEST(a_single_commit_that_nobody_measured_is_not_one_of_several),
	        WORLD_TEST(a_change_with_several_places_names_the_range),
	        WORLD_TEST(a_drift_comes_back_from_json),
	        WORLD_TEST(ticks_of_a_picture_are_round),
	        WORLD_TEST(a_picture_says_what_its_axes_and_signs_are),
	        WORLD_TEST(the_same_set_gives_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
