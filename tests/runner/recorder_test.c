/* Real perf events on real processes; skipped, saying why, where they cannot be opened. */
#include "core/child.h"
#include "profile/perfdata.h"
#include "runner/counters.h"
#include "runner/recorder.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	FindingList *findings;
	PerfAbilities abilities;
	gboolean usable;
	char *folder, *path;
	RecorderCounts counts;
	double task_clock_ns;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	g_autoptr(GError) error = NULL;
	f->findings = finding_list_new();
	f->folder = g_dir_make_tmp("firebreak-recorder-XXXXXX", NULL);
	f->path = g_build_filename(f->folder, "perf.data", NULL);
	f->usable = perf_probe(&f->abilities, f->findings, &error);
	if (!f->usable)
		print_message("skipped: %s\n", error->message);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	g_remove(f->path);
	g_rmdir(f->folder);
	finding_list_free(f->findings);
	g_free(f->folder);
	g_free(f->path);
	g_free(f);
	return 0;
}

static gboolean drain(gpointer data, GError **error)
{
	return recorder_drain(data, error);
}

/* Records a shell script on CPU `cpu`. */
static void record(Fixture *f, const char *script, guint64 hz)
{
	static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	int cpu = 0;
	g_autoptr(GError) error = NULL;
	ChildSpec spec = {.argv = argv, .envp = environment, .cwd = "/", .cpus = &cpu, .n_cpus = 1};
	if (!f->usable)
		skip();
	g_autoptr(Child) child = child_prepare(&spec, &error);
	assert_null(error);
	RecorderPlan plan = {.event = f->abilities.sampling, .frequency_hz = hz};
	g_autoptr(Counters) counters = counters_open(child_pid(child), &f->abilities, &error);
	assert_null(error);
	g_autoptr(Recorder) recorder = recorder_open(&plan, child_pid(child), &cpu, 1, f->path, f->findings, &error);
	assert_null(error);
	child_release(child);
	assert_true(child_wait_all(&child, 1, drain, recorder, &error));
	assert_true(recorder_finish(recorder, &f->counts, &error));
	g_autoptr(GArray) values = counters_read(counters, &error);
	assert_non_null(values);
	f->task_clock_ns = g_array_index(values, CounterValue, 0).value;
}

#define LOOP "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"

static void samples_arrive_at_the_asked_rate(void **state)
{
	Fixture *f = *state;
	record(f, LOOP, 1999);
	/* user code only, so a little fewer than the whole time would give */
	double expected = f->task_clock_ns / 1e9 * 1999;
	assert_true((double)f->counts.samples > .5 * expected);
	assert_true((double)f->counts.samples < 1.1 * expected);
	assert_int_equal(f->counts.lost, 0);
}

static void the_file_is_readable_and_has_all_samples(void **state)
{
	Fixture *f = *state;
	record(f, LOOP, 999);
	PerfDataSummary summary = {0};
	PerfDataVisitor visitor = {0};
	g_autoptr(GError) error = NULL;
	assert_true(perfdata_read(f->path, &visitor, NULL, &summary, &error));
	assert_int_equal(summary.samples, f->counts.samples);
	assert_int_equal(summary.decode_errors, 0);
	perfdata_summary_clear(&summary);
}

static void perf_reads_the_file(void **state)
{
	Fixture *f = *state;
	g_autofree char *perf = g_find_program_in_path("perf"), *out = NULL;
	int status = -1;
	record(f, LOOP, 999);
	if (perf == NULL) {
		print_message("skipped: perf is not installed\n");
		skip();
	}
	char *argv[] = {perf, (char *)"script", (char *)"-i", f->path, (char *)"-F", (char *)"comm,event,ip", NULL};
	assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, &status, NULL));
	assert_int_equal(status, 0);
	guint samples = 0;
	for (const char *at = out; (at = strstr(at, "sh ")) != NULL; at++)
		samples++;
	assert_int_equal(samples, f->counts.samples);
}

static void forked_children_are_counted_and_sampled(void **state)
{
	Fixture *f = *state;
	record(f, "(" LOOP ") & (" LOOP ") & wait", 999);
	double expected = f->task_clock_ns / 1e9 * 999;
	assert_true(f->task_clock_ns > 1e8);
	assert_true((double)f->counts.samples > .5 * expected);
}

static void a_refusal_names_event_reason_and_remedy(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	assert_false(perf_event_refused(&error, "cycles", 13));
	assert_non_null(strstr(error->message, "perf_event_open(cycles): Permission denied; needs CAP_PERFMON"));
	assert_non_null(strstr(error->message, "perf_event_paranoid"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(samples_arrive_at_the_asked_rate, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_file_is_readable_and_has_all_samples, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(perf_reads_the_file, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(forked_children_are_counted_and_sampled, set_up, tear_down),
	        cmocka_unit_test(a_refusal_names_event_reason_and_remedy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
