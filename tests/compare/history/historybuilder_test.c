/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/historybuilder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/comparison/comparison.h"
#include "tests/compare/near.h"

#define CLOCK_RUNS 3

/* A measurement with one metric in some runs, on a machine with this CPU. */
typedef struct {
	const Engine *engine;
	const char *metric, *cpu, *libraries;
	MetricClass comparable;
	double value;
	guint runs;
} Sample;

static const Sample counts = {&engine_callgrind, "instructions", "one", NULL, METRIC_DETERMINISTIC, 0, 1};
static const Sample clocks = {&engine_perf, "task-clock", "one", NULL, METRIC_SAME_CAMPAIGN, 0, CLOCK_RUNS};

static Measurement *measurement_of(const Sample *sample, double value)
{
	Measurement *measurement = measurement_new("parse", "0123", "tree");
	measurement->work = 1;
	environment_set(measurement->environment, "cpu_model", METRIC_DETERMINISTIC, sample->cpu);
	if (sample->libraries != NULL) {
		environment_set(measurement->environment, "libraries", METRIC_SAME_CAMPAIGN, sample->libraries);
		environment_set(measurement->environment, "tools", METRIC_SAME_CAMPAIGN, "t1");
	}
	for (guint run = 0; run < sample->runs; run++) {
		RunFacts facts = {.round = run + 1};
		g_array_append_val(measurement->runs, facts);
	}
	MetricSeries *series =
	        measurement_add_metric(measurement, sample->engine, sample->metric, "count", sample->comparable);
	for (guint run = 0; run < sample->runs; run++)
		g_array_index(series->values, double, run) = value + run;
	return measurement;
}

static void next_commit(HistoryBuilder *builder, guint position)
{
	g_autofree char *sha = g_strdup_printf("%040x", position);
	history_builder_commit(builder,
	        &(HistoryCommit){.sha = sha, .subject = "subject", .time_s = 100 + position, .position = position});
}

static void add(HistoryBuilder *builder, const Sample *sample, double value)
{
	g_autoptr(Measurement) measurement = measurement_of(sample, value);
	history_builder_add(builder, measurement);
}

/* A commit with one measurement. */
static void add_at(HistoryBuilder *builder, guint position, const Sample *sample, double value)
{
	next_commit(builder, position);
	add(builder, sample, value);
}

static const MetricHistory *history_at(const GPtrArray *histories, guint index)
{
	assert_true(index < histories->len);
	return histories->pdata[index];
}

static const HistoryPoint *point(const MetricHistory *history, guint index)
{
	assert_true(index < history->points->len);
	return &g_array_index(history->points, HistoryPoint, index);
}

static const HistoryChange *change(const MetricHistory *history, guint index)
{
	assert_true(index < history->changes->len);
	return &g_array_index(history->changes, HistoryChange, index);
}

static HistoryBuilder *all_metrics(void)
{
	return history_builder_new(&(HistoryWanted){.metric = NULL});
}

static void a_point_is_the_median_of_its_runs_with_their_range(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	add_at(builder, 0, &clocks, 10);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	const MetricHistory *history = history_at(histories, 0);
	assert_string_equal(history->benchmark, "parse");
	assert_string_equal(history->metric, "task-clock");
	assert_string_equal(history->function, "");
	assert_false(history->counted);
	assert_near(point(history, 0)->median, 11, 0);
	assert_near(point(history, 0)->lower, 10, 0);
	assert_near(point(history, 0)->upper, 12, 0);
	assert_int_equal(point(history, 0)->runs, CLOCK_RUNS);
	assert_int_equal(point(history, 0)->time_s, 100);
	assert_int_equal(strlen(point(history, 0)->fingerprint), 16);
	assert_false(point(history, 0)->same_environment);
}

static void costs_are_per_unit_of_work_and_peaks_are_not(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	g_autoptr(Measurement) measurement = measurement_of(&counts, 1000);
	MetricSeries *peak = measurement_add_metric(measurement, &engine_perf, "peak-rss", "bytes", METRIC_REPLICABLE);
	g_array_index(peak->values, double, 0) = 500;
	measurement->work = 4;
	next_commit(builder, 0);
	history_builder_add(builder, measurement);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_near(point(history_at(histories, 0), 0)->median, 250, 0);
	assert_string_equal(history_at(histories, 1)->metric, "peak-rss");
	assert_near(point(history_at(histories, 1), 0)->median, 500, 0);
}

static void a_value_that_was_not_measured_is_no_point(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	add_at(builder, 0, &counts, NAN);
	add_at(builder, 1, &counts, 5);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 1);
	assert_int_equal(history_at(histories, 0)->points->len, 1);
}

static void a_change_names_the_commits_that_may_have_made_it(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	add_at(builder, 0, &counts, 1000);
	add_at(builder, 1, &counts, 1000);
	add_at(builder, 5, &counts, 1100);
	add_at(builder, 6, &counts, 1050);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	const MetricHistory *history = history_at(histories, 0);
	assert_true(history->counted);
	assert_int_equal(history->changes->len, 2);
	assert_int_equal(change(history, 0)->point, 2);
	assert_int_equal(change(history, 0)->candidates, 4);
	assert_int_equal(point(history, 2)->unmeasured, 3);
	assert_near(change(history, 0)->change, .1, 1e-12);
	assert_true(change(history, 0)->worse);
	assert_int_equal(change(history, 1)->candidates, 1);
	assert_false(change(history, 1)->worse);
}

static void environments_that_follow_each_other_are_one_line_with_a_gap(void **state)
{
	(void)state;
	Sample later = counts;
	later.cpu = "two";
	g_autoptr(HistoryBuilder) builder = all_metrics();
	for (guint i = 0; i < 8; i++)
		add_at(builder, i, i < 4 ? &counts : &later, i < 4 ? 1000 : 2000);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 1);
	const MetricHistory *history = history_at(histories, 0);
	assert_int_equal(history->points->len, 8);
	for (guint i = 0; i < 8; i++)
		assert_int_equal(point(history, i)->same_environment, i != 0 && i != 4);
	/* the step is between environments */
	assert_int_equal(history->changes->len, 0);
}

static void environments_that_alternate_have_a_line_each(void **state)
{
	(void)state;
	Sample other = counts;
	other.cpu = "two";
	g_autoptr(HistoryBuilder) builder = all_metrics();
	for (guint i = 0; i < 7; i++)
		add_at(builder, i, i % 2 == 0 ? &counts : &other, (i % 2 == 0 ? 1000 : 3000) * (i < 4 ? 1 : 1.1));
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 2);
	/* the one with the newest point first */
	assert_near(point(history_at(histories, 0), 0)->median, 1000, 0);
	assert_int_equal(history_at(histories, 0)->points->len, 4);
	assert_int_equal(history_at(histories, 1)->points->len, 3);
	for (guint i = 0; i < 2; i++) {
		assert_int_equal(history_at(histories, i)->changes->len, 1);
		assert_near(change(history_at(histories, i), 0)->change, .1, 1e-9);
	}
	assert_int_equal(change(history_at(histories, 0), 0)->candidates, 2);
}

static void two_environments_at_one_commit_are_two_lines(void **state)
{
	(void)state;
	Sample other = counts;
	other.cpu = "two";
	g_autoptr(HistoryBuilder) builder = all_metrics();
	for (guint i = 0; i < 3; i++) {
		add_at(builder, i, &counts, 1000);
		add(builder, &other, 2000);
	}
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 2);
	for (guint i = 0; i < 2; i++)
		for (guint p = 1; p < 3; p++)
			assert_true(point(history_at(histories, i), p)->same_environment);
}

static void counts_with_another_library_do_not_compare(void **state)
{
	(void)state;
	Sample old = counts, new = counts;
	old.libraries = "libc.so.6:aa";
	new.libraries = "libc.so.6:bb";
	g_autoptr(HistoryBuilder) builder = all_metrics();
	add_at(builder, 0, &old, 1000);
	add_at(builder, 1, &old, 1000);
	add_at(builder, 2, &new, 1200);
	add_at(builder, 3, &new, 1200);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	const MetricHistory *history = history_at(histories, 0);
	assert_true(point(history, 1)->same_environment);
	assert_false(point(history, 2)->same_environment);
	assert_true(point(history, 3)->same_environment);
	assert_int_equal(history->changes->len, 0);
}

static void of_two_measurements_the_one_with_more_runs_counts(void **state)
{
	(void)state;
	Sample twice = counts;
	twice.runs = 2;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	add_at(builder, 0, &counts, 1000);
	add(builder, &twice, 2000);
	add(builder, &counts, 3000);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(history_at(histories, 0)->points->len, 1);
	assert_near(point(history_at(histories, 0), 0)->median, 2000.5, 0);
}

static void what_is_sampled_is_tested(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	for (guint i = 0; i < 20; i++)
		add_at(builder, i, &clocks, (i < 12 ? 1000 : 1100) + (i * 7) % 5);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	const MetricHistory *history = history_at(histories, 0);
	assert_int_equal(history->changes->len, 1);
	assert_int_equal(change(history, 0)->point, 12);
	assert_true(change(history, 0)->p_value <= .01);
}

/* As the peak memory of an allocator: each commit has runs from `value` to `value` + 2. */
static const MetricHistory *add_replicable(HistoryBuilder *builder, const double *values, guint n, GPtrArray **all)
{
	Sample peaks = {&engine_perf, "peak-rss", "one", NULL, METRIC_REPLICABLE, 0, CLOCK_RUNS};
	for (guint i = 0; i < n; i++)
		add_at(builder, i, &peaks, values[i]);
	*all = history_builder_finish(builder);
	return history_at(*all, 0);
}

static void what_repeats_is_counted(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	const MetricHistory *history = add_replicable(builder, (double[]){10000, 10001, 10300, 10300}, 4, &all);
	assert_true(history->counted);
	assert_int_equal(history->changes->len, 1);
	assert_int_equal(change(history, 0)->point, 2);
}

static void what_scatters_from_run_to_run_is_sampled(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	const MetricHistory *history = add_replicable(builder, (double[]){100, 101, 100, 98}, 4, &all);
	assert_false(history->counted);
	assert_int_equal(history->changes->len, 0);
}

static void a_step_of_what_scatters_is_found_all_the_same(void **state)
{
	(void)state;
	double values[20];
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		values[i] = (i < 12 ? 100 : 106) + (i * 7) % 3;
	const MetricHistory *history = add_replicable(builder, values, G_N_ELEMENTS(values), &all);
	assert_int_equal(history->changes->len, 1);
	assert_int_equal(change(history, 0)->point, 12);
}

static void where_higher_is_better_a_fall_is_worse(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	for (guint i = 0; i < 3; i++) {
		g_autoptr(Measurement) measurement = measurement_of(&counts, i < 2 ? 1000 : 900);
		measurement_metric(measurement, NULL, "instructions")->higher_is_better = TRUE;
		next_commit(builder, i);
		history_builder_add(builder, measurement);
	}
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_true(change(history_at(histories, 0), 0)->worse);
}

static void only_what_is_asked_for_is_there(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = history_builder_new(&(HistoryWanted){.engine = &engine_perf});
	add_at(builder, 0, &counts, 1000);
	add(builder, &clocks, 1000);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 1);
	assert_ptr_equal(history_at(histories, 0)->engine, &engine_perf);
}

/* --- functions --- */

/* A counted run of `total` instructions, of which some functions have a part. */
static void add_profiled(HistoryBuilder *builder, guint position, guint64 hash, guint64 sort)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = measurement_of(&counts, 0);
	const struct {
		const char *name;
		guint64 cost;
	} functions[] = {{"main", 1000}, {"hash_word", hash}, {"sort", sort}};
	measurement->profile = profile_new(table, "instructions", "instructions");
	profile_add_run(measurement->profile);
	for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
		FrameId frame = stack_table_frame_named(table, functions[i].name, "prog", FRAME_USER);
		profile_add(measurement->profile, 0, stack_table_push(table, STACK_ROOT, frame),
		        (ProfileCell){functions[i].cost, functions[i].cost});
	}
	next_commit(builder, position);
	history_builder_add(builder, measurement);
}

static HistoryBuilder *all_functions(guint most, const char *function)
{
	return history_builder_new(
	        &(HistoryWanted){.functions = TRUE, .function = function, .most_functions = most, .no_metrics = TRUE});
}

static void a_function_changes_by_a_share_of_the_whole(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_functions(10, NULL);
	for (guint i = 0; i < 4; i++)
		add_profiled(builder, i, i < 2 ? 100 : 200, 900);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 3);
	const MetricHistory *hash = history_at(histories, 0);
	assert_string_equal(hash->function, "hash_word");
	assert_string_equal(hash->module, "prog");
	assert_int_equal(hash->changes->len, 1);
	assert_near(change(hash, 0)->change, 100. / 2000, 1e-12);
	/* the others by what they cost */
	assert_string_equal(history_at(histories, 1)->function, "main");
	assert_int_equal(history_at(histories, 1)->changes->len, 0);
}

static void a_function_that_does_not_occur_costs_nothing(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_functions(10, "sort");
	for (guint i = 0; i < 4; i++)
		add_profiled(builder, i, 100, i < 2 ? 0 : 300);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 1);
	const MetricHistory *sort = history_at(histories, 0);
	assert_int_equal(sort->points->len, 4);
	assert_near(point(sort, 0)->median, 0, 0);
	assert_near(point(sort, 3)->median, 300, 0);
	assert_near(change(sort, 0)->change, 300. / 1100, 1e-12);
}

static void no_more_functions_than_asked_for(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_functions(1, NULL);
	for (guint i = 0; i < 4; i++)
		add_profiled(builder, i, 100, i < 3 ? 100 : 400);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 1);
	assert_string_equal(history_at(histories, 0)->function, "sort");
}

static void without_measurements_there_is_no_history(void **state)
{
	(void)state;
	g_autoptr(HistoryBuilder) builder = all_metrics();
	next_commit(builder, 0);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_point_is_the_median_of_its_runs_with_their_range),
	        cmocka_unit_test(costs_are_per_unit_of_work_and_peaks_are_not),
	        cmocka_unit_test(a_value_that_was_not_measured_is_no_point),
	        cmocka_unit_test(a_change_names_the_commits_that_may_have_made_it),
	        cmocka_unit_test(environments_that_follow_each_other_are_one_line_with_a_gap),
	        cmocka_unit_test(environments_that_alternate_have_a_line_each),
	        cmocka_unit_test(two_environments_at_one_commit_are_two_lines),
	        cmocka_unit_test(counts_with_another_library_do_not_compare),
	        cmocka_unit_test(of_two_measurements_the_one_with_more_runs_counts),
	        cmocka_unit_test(what_is_sampled_is_tested),
	        cmocka_unit_test(what_repeats_is_counted),
	        cmocka_unit_test(what_scatters_from_run_to_run_is_sampled),
	        cmocka_unit_test(a_step_of_what_scatters_is_found_all_the_same),
	        cmocka_unit_test(where_higher_is_better_a_fall_is_worse),
	        cmocka_unit_test(only_what_is_asked_for_is_there),
	        cmocka_unit_test(a_function_changes_by_a_share_of_the_whole),
	        cmocka_unit_test(a_function_that_does_not_occur_costs_nothing),
	        cmocka_unit_test(no_more_functions_than_asked_for),
	        cmocka_unit_test(without_measurements_there_is_no_history),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
