/* SPDX-License-Identifier: Apache-2.0 */
/* The fixtures that the tests of the store share: measurements with everything awkward in them, and throw-away git
 * repositories. */
#pragma once

#include "core/durable.h"
#include "core/error.h"
#include "model/measurement.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <glib/gstdio.h>

#define assert_no_error(error)                                                                                         \
	do {                                                                                                           \
		if ((error) != NULL)                                                                                   \
			fail_msg("%s", (error)->message);                                                              \
	} while (0)

#define assert_error_code(error, wanted)                                                                               \
	do {                                                                                                           \
		assert_non_null(error);                                                                                \
		if (!g_error_matches(error, FIREBREAK_ERROR, wanted))                                                  \
			fail_msg("code %d, wanted %d: %s", (error)->code, wanted, (error)->message);                   \
	} while (0)

/* --- measurements --- */

static const char *const awkward_names[] = {"main", "parse(char const*, int)", "a;b", "100%", "tick`tick", "tab\there",
        "new\nline", "latin\xe9", "\xff\xfe", "π → ∞", "%3B", "", "operator new(unsigned long)", " 12:34"};

static G_GNUC_UNUSED void add_awkward_runs(Measurement *measurement, guint n_runs)
{
	static const double values[] = {0.1, 1e300, 5e-324, -0.0, 1.0 / 3, 9007199254740993.0, 12345678};
	for (guint run = 0; run < n_runs; run++) {
		RunFacts facts = {.round = run + 1,
		        .started_first = run % 2,
		        .wall_ns = 1000000007u + run,
		        .samples = 40 + run,
		        .lost_samples = run,
		        .throttled = 1,
		        .steal_share = 0.1 * run,
		        .running_share = 1,
		        .overlap_share = run == 0 ? NAN : 1.0 / 7,
		        .attempts = 1 + run};
		g_array_append_val(measurement->runs, facts);
	}
	MetricSeries *clock =
	        measurement_add_metric(measurement, &engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN);
	MetricSeries *ir =
	        measurement_add_metric(measurement, &engine_callgrind, "instructions", "count", METRIC_DETERMINISTIC);
	ir->higher_is_better = TRUE;
	for (guint run = 0; run < n_runs; run++) {
		g_array_index(clock->values, double, run) = values[run % G_N_ELEMENTS(values)];
		if (run != 1)
			g_array_index(ir->values, double, run) = 1e9 + run;
	}
}

/* Stacks of the awkward names, one of them deep, with costs that reach the end of 64 bits. */
static G_GNUC_UNUSED void add_awkward_profile(Measurement *measurement, StackTable *table, guint n_runs)
{
	measurement->profile = profile_new(table, "cpu-clock:u", "ns");
	for (guint run = 0; run < n_runs; run++)
		profile_add_run(measurement->profile);
	StackId stack = STACK_ROOT;
	profile_add(measurement->profile, 0, stack, (ProfileCell){1, 7});
	for (guint i = 0; i < G_N_ELEMENTS(awkward_names); i++) {
		Frame frame = {.name = stack_table_name(table, awkward_names[i], -1),
		        .module = stack_table_name(table, i % 3 == 0 ? "" : "lib;x.so", -1),
		        .kind = (FrameKind)(i % 6)};
		frame.raw_name = i % 2 == 0 ? frame.name : stack_table_name(table, "_Z5parsePKci", -1);
		if (i % 4 == 1) {
			frame.file = stack_table_name(table, "src/\xffile.c", -1);
			frame.line = 12 + i;
		}
		stack = stack_table_push(table, stack, stack_table_frame(table, &frame));
		for (guint run = 0; run < n_runs; run++)
			profile_add(measurement->profile, run, stack,
			        (ProfileCell){i + run, i == 3 ? G_MAXUINT64 : 500000u * i});
	}
	(void)stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, "never seen", NULL, FRAME_USER));
}

/* `salt` makes measurements differ. */
static G_GNUC_UNUSED Measurement *awkward_measurement(
        const char *benchmark, const char *commit, const char *salt, StackTable *table)
{
	Measurement *measurement = measurement_new(benchmark, commit, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
	g_free(measurement->schedule);
	measurement->schedule = g_strdup("coscheduled");
	measurement->work = 2.5;
	environment_set(measurement->environment, "cpu_model", METRIC_REPLICABLE, "Some CPU @ 2 GHz \xb5");
	environment_set(measurement->environment, "compiler", METRIC_DETERMINISTIC, "gcc 12; \"-O2\"");
	environment_set(measurement->environment, "boot_id", METRIC_SAME_CAMPAIGN, salt);
	add_awkward_runs(measurement, 3);
	add_awkward_profile(measurement, table, 3);
	return measurement;
}

static G_GNUC_UNUSED void assert_same_double(double a, double b)
{
	if (isnan(a) && isnan(b))
		return;
	assert_memory_equal(&a, &b, sizeof a);
}

static G_GNUC_UNUSED void assert_same_runs(const Measurement *a, const Measurement *b)
{
	assert_int_equal(a->runs->len, b->runs->len);
	for (guint i = 0; i < a->runs->len; i++) {
		const RunFacts *x = &g_array_index(a->runs, RunFacts, i), *y = &g_array_index(b->runs, RunFacts, i);
		assert_int_equal(x->round, y->round);
		assert_int_equal(x->started_first, y->started_first);
		assert_int_equal(x->wall_ns, y->wall_ns);
		assert_int_equal(x->samples, y->samples);
		assert_int_equal(x->lost_samples, y->lost_samples);
		assert_int_equal(x->throttled, y->throttled);
		assert_same_double(x->steal_share, y->steal_share);
		assert_same_double(x->running_share, y->running_share);
		assert_same_double(x->overlap_share, y->overlap_share);
		assert_int_equal(x->attempts, y->attempts);
		assert_int_equal(x->incomplete_samples, y->incomplete_samples);
		assert_same_double(x->work, y->work);
	}
}

static G_GNUC_UNUSED void assert_same_metrics(const Measurement *a, const Measurement *b)
{
	assert_int_equal(a->metrics->len, b->metrics->len);
	for (guint i = 0; i < a->metrics->len; i++) {
		const MetricSeries *x = a->metrics->pdata[i], *y = b->metrics->pdata[i];
		assert_string_equal(x->name, y->name);
		assert_string_equal(x->engine, y->engine);
		assert_string_equal(x->unit, y->unit);
		assert_int_equal(x->comparable, y->comparable);
		assert_int_equal(x->higher_is_better, y->higher_is_better);
		for (guint run = 0; run < a->runs->len; run++)
			assert_same_double(metric_value(x, run), metric_value(y, run));
	}
}

static G_GNUC_UNUSED void assert_same_frame(const StackTable *a, FrameId x, const StackTable *b, FrameId y)
{
	const Frame *f = stack_table_get_frame(a, x), *g = stack_table_get_frame(b, y);
	assert_string_equal(stack_table_frame_name(a, x), stack_table_frame_name(b, y));
	assert_string_equal(stack_table_frame_module(a, x), stack_table_frame_module(b, y));
	assert_string_equal(stack_table_text(a, f->raw_name), stack_table_text(b, g->raw_name));
	assert_string_equal(stack_table_text(a, f->file), stack_table_text(b, g->file));
	assert_int_equal(f->line, g->line);
	assert_int_equal(f->kind, g->kind);
}

/* The stack of `b` with the same frames as `stack` of `a`, or the root. */
static G_GNUC_UNUSED StackId same_stack(const StackTable *a, StackId stack, const StackTable *b)
{
	for (guint i = 1; i < stack_table_n_stacks(b); i++) {
		StackId x = stack, y = {i};
		if (stack_table_depth(a, x) != stack_table_depth(b, y))
			continue;
		while (x.index != 0 && g_str_equal(stack_table_frame_name(a, stack_table_leaf(a, x)),
		                               stack_table_frame_name(b, stack_table_leaf(b, y)))) {
			x = stack_table_parent(a, x);
			y = stack_table_parent(b, y);
		}
		if (x.index == 0)
			return (StackId){i};
	}
	return STACK_ROOT;
}

static G_GNUC_UNUSED void assert_same_profile(const Profile *a, const Profile *b)
{
	assert_string_equal(a->event, b->event);
	assert_string_equal(a->unit, b->unit);
	assert_int_equal(profile_n_runs(a), profile_n_runs(b));
	for (guint i = 0; i < stack_table_n_stacks(a->table); i++) {
		StackId x = {i}, y = same_stack(a->table, x, b->table);
		if (profile_stack_total(a, x).samples == 0)
			continue;
		if (i != 0)
			assert_same_frame(
			        a->table, stack_table_leaf(a->table, x), b->table, stack_table_leaf(b->table, y));
		for (guint run = 0; run < profile_n_runs(a); run++) {
			assert_int_equal(profile_cell(a, run, x).samples, profile_cell(b, run, y).samples);
			assert_int_equal(profile_cell(a, run, x).weight, profile_cell(b, run, y).weight);
		}
	}
	for (guint run = 0; run < profile_n_runs(a); run++)
		assert_int_equal(profile_run_total(a, run).samples, profile_run_total(b, run).samples);
}

static G_GNUC_UNUSED void assert_same_measurement(const Measurement *a, const Measurement *b)
{
	g_autofree char *x = environment_fingerprint(a->environment, METRIC_SAME_CAMPAIGN);
	g_autofree char *y = environment_fingerprint(b->environment, METRIC_SAME_CAMPAIGN);
	assert_string_equal(a->benchmark, b->benchmark);
	assert_string_equal(a->commit, b->commit);
	assert_string_equal(a->tree, b->tree);
	assert_string_equal(a->schedule, b->schedule);
	assert_same_double(a->work, b->work);
	assert_string_equal(x, y);
	assert_same_runs(a, b);
	assert_same_metrics(a, b);
	assert_int_equal(a->profile == NULL, b->profile == NULL);
	if (a->profile != NULL)
		assert_same_profile(a->profile, b->profile);
}

/* --- repositories --- */

/* Runs a program in `dir`, its words separated by blanks; returns what it printed. Its success is asserted. */
static G_GNUC_UNUSED char *run_in(const char *dir, const char *command)
{
	g_auto(GStrv) argv = g_strsplit(command, " ", -1);
	g_auto(GStrv) env = g_get_environ();
	static const char *const settings[] = {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
	        "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@t", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@t"};
	g_autofree char *out = NULL, *err = NULL;
	g_autoptr(GError) error = NULL;
	int status;
	for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
		g_auto(GStrv) pair = g_strsplit(settings[i], "=", 2);
		env = g_environ_setenv(env, pair[0], pair[1], TRUE);
	}
	(void)g_spawn_sync(dir, argv, env, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, &error);
	assert_no_error(error);
	if (status != 0)
		fail_msg("%s: status %d: %s", command, status, err);
	return g_strchomp(g_steal_pointer(&out));
}

/* The same with nothing wanted of it. */
static G_GNUC_UNUSED void do_in(const char *dir, const char *command)
{
	G_GNUC_UNUSED g_autofree char *out = run_in(dir, command);
}

/* A new folder; remove it with remove_folder(). */
static G_GNUC_UNUSED char *new_folder(void)
{
	g_autoptr(GError) error = NULL;
	char *path = g_dir_make_tmp("firebreak-test-XXXXXX", &error);
	assert_no_error(error);
	return path;
}

static G_GNUC_UNUSED void remove_folder(char *path)
{
	g_autoptr(GError) error = NULL;
	(void)durable_remove_tree(path, &error);
	g_free(path);
	assert_no_error(error);
}

/* A repository with one empty commit at a fixed time; *commit is its SHA. */
static G_GNUC_UNUSED char *new_repository(char **commit)
{
	char *path = new_folder();
	do_in(path, "git init -q -b main");
	do_in(path, "git commit -q --allow-empty --date=@1600000000 -m first");
	*commit = run_in(path, "git rev-parse HEAD");
	return path;
}
