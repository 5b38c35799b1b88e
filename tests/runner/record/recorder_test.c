/* SPDX-License-Identifier: Apache-2.0 */
/* Real perf events on real processes; skipped, saying why, where they cannot be opened. */
#include "runner/record/recorder.h"

#include "core/error.h"
#include "profile/perfdata/perfdata.h"
#include "profile/perfdata/perfmap.h"
#include "runner/events/counters.h"
#include "runner/events/eventparse.h"
#include "runner/events/perfopen.h"
#include "tests/profile/compiled.h"

#include <glib/gstdio.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MAX_EVENTS 4
#define SECRET "seventeen-blue-horses"

typedef struct {
	FindingList *findings;
	PerfAbilities abilities;
	gboolean usable;
	char *folder, *path;
	/* how to record */
	RecorderPlan plan;
	RecorderEvent events[MAX_EVENTS];
	GArray *specs;
	gboolean no_ticks, no_watches; /* as if they never came */
	guint drain_every;             /* ticks, 0 = at each */
	guint enable_at, disable_at;   /* ticks, 0 = never */
	/* what came of it */
	RecorderCounts counts;
	double task_clock_ns, page_faults;
	gint64 wall_ns;
	PerfDataSummary summary;
	guint maps, unordered;
	guint64 last_ns;
	char *jit_text;
	gint32 jit_pid;
} Fixture;

static void clear_spec(gpointer spec)
{
	perf_event_spec_clear(spec);
}

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	g_autoptr(GError) error = NULL;
	f->findings = finding_list_new();
	f->folder = g_dir_make_tmp("firebreak-recorder-XXXXXX", NULL);
	f->path = g_build_filename(f->folder, "perf.data", NULL);
	f->specs = g_array_new(FALSE, FALSE, sizeof(PerfEventSpec));
	g_array_set_clear_func(f->specs, clear_spec);
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
	g_array_unref(f->specs);
	if (f->summary.events != NULL)
		perfdata_summary_clear(&f->summary);
	g_free(f->jit_text);
	g_free(f->folder);
	g_free(f->path);
	g_free(f);
	return 0;
}

/* --- recording --- */

/* Plans to sample these events, at a frequency or with a period. */
static void plan_events(Fixture *f, const char *text, guint64 hz, guint64 period)
{
	g_autoptr(GError) error = NULL;
	if (!perf_events_parse(text, f->specs, &error))
		print_message("%s\n", error->message);
	assert_null(error);
	f->plan.events = f->events;
	f->plan.n_events = f->specs->len;
	for (guint i = 0; i < f->specs->len; i++)
		f->events[i] = (RecorderEvent){
		        .spec = g_array_index(f->specs, PerfEventSpec, i), .frequency_hz = hz, .period = period};
}

typedef struct {
	Fixture *fixture;
	Recorder *recorder;
	guint ticks;
} Duty;

static gboolean tick(gpointer data, GError **error)
{
	Duty *duty = data;
	const Fixture *f = duty->fixture;
	duty->ticks++;
	if (duty->ticks == f->enable_at || duty->ticks == f->disable_at)
		return recorder_enable(duty->recorder, duty->ticks == f->enable_at, error);
	if (f->no_ticks || (f->drain_every > 0 && duty->ticks % f->drain_every != 0))
		return TRUE;
	return recorder_drain(duty->recorder, error);
}

static void take_counters(Fixture *f, Counters *counters)
{
	g_autoptr(GArray) values = counters_read(counters, NULL);
	assert_non_null(values);
	for (guint i = 0; i < values->len; i++) {
		const CounterValue *value = &g_array_index(values, CounterValue, i);
		if (g_str_equal(value->name, "task-clock"))
			f->task_clock_ns = value->value;
		else if (g_str_equal(value->name, "page-faults"))
			f->page_faults = value->value;
	}
}

/* Records a command with what was planned. */
static void record_command(Fixture *f, const char *const *argv)
{
	static const char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TOKEN=" SECRET, NULL};
	const int cpus[] = {0, 1};
	const guint n_cpus = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
	g_autoptr(GError) error = NULL;
	ChildSpec spec = {.argv = argv, .envp = environment, .cwd = "/", .cpus = cpus, .n_cpus = n_cpus};
	g_autoptr(Child) child = child_prepare(&spec, &error);
	assert_null(error);
	g_autoptr(Counters) counters = counters_open(child_pid(child), &f->abilities, FALSE, &error);
	assert_null(error);
	f->plan.command = argv;
	g_autoptr(Recorder) recorder =
	        recorder_open(&f->plan, child_pid(child), cpus, n_cpus, f->path, f->findings, &error);
	if (error != NULL)
		print_message("%s\n", error->message);
	assert_null(error);
	g_autoptr(GArray) watches = g_array_new(FALSE, FALSE, sizeof(ChildWatch));
	if (!f->no_watches)
		recorder_watches(recorder, watches);
	Duty duty = {.fixture = f, .recorder = recorder};
	child_release(child);
	assert_true(child_wait_all(&child, 1,
	        &(ChildDuties){.tick = tick,
	                .data = &duty,
	                .watches = (const ChildWatch *)(void *)watches->data,
	                .n_watches = watches->len},
	        &error));
	assert_true(recorder_finish(recorder, &f->counts, &error));
	f->wall_ns = child_result(child)->end_ns - child_result(child)->start_ns;
	take_counters(f, counters);
}

static gboolean keep_jit_text(gpointer data, const PerfDataSummary *summary, GError **error)
{
	Fixture *f = data;
	(void)error;
	if (summary->perf_maps_bytes <= 8)
		return TRUE;
	f->jit_text = g_strndup((const char *)summary->perf_maps + 8, summary->perf_maps_bytes - 8);
	f->jit_pid = *(const gint32 *)(const void *)summary->perf_maps;
	return TRUE;
}

static void count_record(gpointer data, const PerfDataRecord *record)
{
	Fixture *f = data;
	f->maps += record->kind == PERF_DATA_MMAP;
	f->unordered += record->time_ns < f->last_ns;
	f->last_ns = record->time_ns;
}

static void read_recording(Fixture *f)
{
	const PerfDataVisitor visitor = {.begin = keep_jit_text, .record = count_record};
	g_autoptr(GError) error = NULL;
	if (!perfdata_read(f->path, &visitor, f, &f->summary, &error))
		print_message("%s\n", error->message);
	assert_null(error);
	assert_int_equal(f->summary.samples, f->counts.samples);
	assert_int_equal(f->summary.decode_errors, 0);
	assert_int_equal(f->summary.unknown_ids, 0);
}

/* Records a shell script with what was planned, and reads the recording. */
static void record(Fixture *f, const char *script)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	if (!f->usable)
		skip();
	record_command(f, argv);
	read_recording(f);
}

static const PerfDataEvent *event(const Fixture *f, guint index)
{
	assert_true(index < f->summary.events->len);
	return &g_array_index(f->summary.events, PerfDataEvent, index);
}

static void need(gboolean condition, const char *what)
{
	if (condition)
		return;
	print_message("skipped: %s\n", what);
	skip();
}

#define LOOP "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
#define FAULTS "i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done"

/* --- what is recorded --- */

static void samples_arrive_at_the_asked_rate(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 1999, 0);
	record(f, LOOP);
	/* user code only, so a little fewer than the whole time would give */
	double expected = f->task_clock_ns / 1e9 * 1999;
	assert_true((double)f->counts.samples > .5 * expected);
	assert_true((double)f->counts.samples < 1.1 * expected);
	assert_int_equal(f->counts.lost, 0);
}

static void forked_children_are_counted_and_sampled(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 999, 0);
	record(f, "(" LOOP ") & (" LOOP ") & wait");
	assert_true(f->task_clock_ns > 1e8);
	assert_true((double)f->counts.samples > .5 * f->task_clock_ns / 1e9 * 999);
}

static void a_period_of_one_samples_every_event(void **state)
{
	Fixture *f = *state;
	plan_events(f, "page-faults:u", 0, 1);
	record(f, "true; /bin/true");
	/* faults that the kernel itself has are counted, but not sampled in user mode */
	assert_true((double)f->counts.samples > .5 * f->page_faults);
	assert_true((double)f->counts.samples <= f->page_faults);
}

/* With PERF_SAMPLE_PERIOD the kernel samples every single event that it counts in software. */
static void a_fixed_period_of_software_events_holds(void **state)
{
	static const RecorderStacks ways[] = {RECORDER_FRAME_POINTERS, RECORDER_LEAF_REPAIR, RECORDER_NO_STACKS};
	Fixture *f = *state;
	plan_events(f, "page-faults:u", 0, 20);
	for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
		if (f->summary.events != NULL)
			perfdata_summary_clear(&f->summary);
		f->last_ns = 0;
		f->counts = (RecorderCounts){0};
		f->plan.stacks = ways[i];
		record(f, FAULTS);
		assert_true(f->counts.samples > 0);
		assert_true((double)f->counts.samples * 20 <= f->page_faults);
		assert_int_equal(f->summary.period_sum, f->counts.samples * 20);
		assert_int_equal(event(f, 0)->period, 20);
	}
}

static void a_fixed_period_holds_beside_waits(void **state)
{
	Fixture *f = *state;
	need(f->abilities.kernel_allowed, "context switches happen in the kernel, which may not be recorded here");
	plan_events(f, "page-faults:u", 0, 20);
	f->events[f->plan.n_events++] = (RecorderEvent){.off_cpu = TRUE};
	record(f, FAULTS "; sleep 0.1");
	assert_true(event(f, 0)->samples > 0);
	assert_true((double)event(f, 0)->samples * 20 <= f->page_faults);
	assert_true(f->summary.period_sum - event(f, 0)->samples * 20 >= 100 * 1000000ull);
}

static void a_fixed_period_that_cannot_be_told_excludes_frequencies(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	const int cpu = 0;
	need(f->usable, "no perf events");
	plan_events(f, "page-faults,cpu-clock", 0, 20);
	f->events[1] = (RecorderEvent){.spec = f->events[1].spec, .frequency_hz = 99};
	assert_null(recorder_open(&f->plan, getpid(), &cpu, 1, f->path, f->findings, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(error->message, "page-faults with a fixed period and cpu-clock with a frequency"));
}

static void a_reader_learns_how_many_stacks_are_incomplete(void **state)
{
	Fixture *f = *state;
	plan_events(f, "page-faults:u", 0, 1);
	f->plan.stacks = RECORDER_LEAF_REPAIR;
	record(f, FAULTS);
	assert_int_equal(f->summary.completed, f->counts.samples);
	assert_int_equal(f->summary.incomplete, f->counts.incomplete);
}

static void several_events_share_one_file(void **state)
{
	Fixture *f = *state;
	need(f->abilities.kernel_allowed, "context switches happen in the kernel, which may not be recorded here");
	plan_events(f, "{cpu-clock,page-faults}:u,context-switches", 0, 1);
	f->events[0].period = 1000000;
	record(f, LOOP "; sleep 0.05; sleep 0.05");
	assert_int_equal(f->summary.events->len, 3);
	assert_string_equal(event(f, 0)->name, "cpu-clock:u");
	assert_string_equal(event(f, 1)->name, "page-faults:u");
	assert_string_equal(event(f, 2)->name, "context-switches");
	for (guint i = 0; i < 3; i++)
		assert_true(event(f, i)->samples > 1);
	assert_int_equal(f->unordered, 0);
}

static void user_mode_shows_in_the_events_name(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 999, 0);
	record(f, "true");
	assert_string_equal(event(f, 0)->name, "cpu-clock:u");
}

static void kernel_mode_is_sampled_if_asked_for(void **state)
{
	Fixture *f = *state;
	need(f->abilities.kernel_allowed, "kernel mode may not be recorded here");
	plan_events(f, "cpu-clock:k", 4999, 0);
	record(f, "dd if=/dev/zero of=/dev/null bs=1M count=1000 2>/dev/null");
	assert_string_equal(event(f, 0)->name, "cpu-clock:k");
	assert_true(f->counts.samples > 10);
}

/* TRUE also where they are too slow to be used. */
static gboolean cycles_open(void)
{
	struct perf_event_attr attr = {
	        .size = sizeof attr, .type = PERF_TYPE_HARDWARE, .exclude_kernel = 1, .disabled = 1};
	int fd = perf_event_open_fd(&attr, 0, -1, -1);
	return fd >= 0 && close(fd) == 0;
}

static void an_event_of_the_ladder_becomes_the_clock(void **state)
{
	Fixture *f = *state;
	need(!cycles_open(), "this machine has hardware counters");
	plan_events(f, "cycles", 999, 0);
	f->events[0].or_clock = TRUE;
	record(f, LOOP);
	assert_string_equal(event(f, 0)->name, "cpu-clock:u");
	assert_true(finding_has(f->findings, "sampled_by_clock"));
	assert_true(f->counts.samples > 0);
}

static void a_named_event_that_is_not_there_is_an_error(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	const int cpu = 0;
	need(f->usable && !cycles_open(), "no perf events, or this machine has hardware counters");
	plan_events(f, "cycles", 999, 0);
	assert_null(recorder_open(&f->plan, getpid(), &cpu, 1, f->path, f->findings, &error));
	assert_non_null(strstr(error->message, "perf_event_open(cycles:u): No such file or directory; "));
	assert_false(g_file_test(f->path, G_FILE_TEST_EXISTS));
}

static void a_rate_above_the_kernels_limit_is_lowered_and_said(void **state)
{
	Fixture *f = *state;
	plan_events(f, "page-faults", 100000000, 0);
	record(f, "true");
	assert_true(finding_has(f->findings, "sampling_rate_limited"));
}

static void a_rate_that_slows_the_program_is_said(void **state)
{
	Fixture *f = *state;
	plan_events(f, "page-faults:u", 19000, 0);
	record(f, "true");
	assert_false(finding_has(f->findings, "sampling_slows"));
	f->events[0].frequency_hz = 50000;
	perfdata_summary_clear(&f->summary);
	f->last_ns = 0;
	record(f, "true");
	assert_true(finding_has(f->findings, "sampling_slows") || finding_has(f->findings, "sampling_rate_limited"));
}

/* --- switched on and off --- */

static void switched_off_it_still_records_maps(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 1999, 0);
	f->plan.start_disabled = TRUE;
	record(f, LOOP);
	assert_int_equal(f->counts.samples, 0);
	assert_true(f->maps >= 2);
}

static void it_records_while_switched_on(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 1999, 0);
	f->plan.start_disabled = TRUE;
	f->enable_at = 2;
	f->disable_at = 6;
	record(f, LOOP ";" LOOP);
	/* four ticks of at most 25 ms and some delay */
	assert_true(f->counts.samples > 20);
	assert_true((double)f->counts.samples < .9 * f->task_clock_ns / 1e9 * 1999);
}

/* --- waits --- */

static void plan_waits(Fixture *f)
{
	f->events[0] = (RecorderEvent){.off_cpu = TRUE};
	f->plan.events = f->events;
	f->plan.n_events = 1;
}

static void waits_sum_up_to_the_time_that_passed(void **state)
{
	Fixture *f = *state;
	const char *argv[] = {"/bin/sleep", "0.4", NULL};
	need(f->abilities.kernel_allowed, "context switches happen in the kernel, which may not be recorded here");
	plan_waits(f);
	record_command(f, argv);
	read_recording(f);
	assert_string_equal(event(f, 0)->name, "offcpu-time");
	assert_true(f->summary.period_sum >= 400 * 1000000ull);
	assert_true(f->summary.period_sum <= (guint64)f->wall_ns);
	assert_int_equal(f->counts.lost, 0);
}

static void a_busy_program_does_not_wait(void **state)
{
	Fixture *f = *state;
	need(f->abilities.kernel_allowed, "context switches happen in the kernel, which may not be recorded here");
	plan_waits(f);
	record(f, LOOP);
	/* being preempted is no wait */
	assert_true((double)f->summary.period_sum < .2 * f->task_clock_ns);
}

static void a_wait_counts_up_to_where_measuring_ends(void **state)
{
	Fixture *f = *state;
	const char *argv[] = {"/bin/sleep", "1", NULL};
	need(f->abilities.kernel_allowed, "context switches happen in the kernel, which may not be recorded here");
	plan_waits(f);
	f->disable_at = 8;
	record_command(f, argv);
	read_recording(f);
	assert_true(f->summary.period_sum > 50 * 1000000ull);
	assert_true(f->summary.period_sum < 700 * 1000000ull);
}

/* --- nothing is silent --- */

static void lost_samples_are_counted_and_in_the_file(void **state)
{
	Fixture *f = *state;
	plan_events(f, "page-faults:u", 0, 1);
	f->plan.stacks = RECORDER_DWARF;
	f->plan.stack_bytes = 32768;
	f->no_ticks = f->no_watches = TRUE;
	record(f, FAULTS);
	assert_true(f->counts.lost > 0);
	assert_int_equal(f->summary.lost, f->counts.lost);
	assert_true((double)(f->counts.samples + f->counts.lost) > .5 * f->page_faults);
	/* one event: its share is that of all */
	double share = (double)f->counts.lost / (double)(f->counts.samples + f->counts.lost);
	assert_true(fabs(f->counts.worst_lost_share - share) < 1e-9);
}

static void what_one_event_lost_is_a_share_of_its_own_samples(void **state)
{
	Fixture *f = *state;
	plan_events(f, "page-faults:u,cpu-clock:u", 0, 1);
	f->events[1].period = 4000000; /* ns: few of them, all in the loop, when there is room */
	f->plan.stacks = RECORDER_DWARF;
	f->plan.stack_bytes = 32768;
	f->no_ticks = f->no_watches = TRUE;
	record(f, LOOP "; " FAULTS);
	double share = (double)f->counts.lost / (double)(f->counts.samples + f->counts.lost);
	assert_true(f->counts.lost > 0);
	assert_true(f->counts.worst_lost_share > share);
	assert_true(f->counts.worst_lost_share <= 1);
}

/* Two shells that wait for each other, thousands of times. */
#define PING_PONG                                                                                                      \
	"d=$(mktemp -d); mkfifo $d/a $d/b; (while read x; do echo $x; done <$d/a >$d/b) & "                            \
	"exec 3>$d/a 4<$d/b; i=0; while [ $i -lt 12000 ]; do echo x >&3; read y <&4; i=$((i+1)); done; "               \
	"exec 3>&-; wait; rm -r $d"

/* Mostly switches that found no room; waits whose end was lost, which the kernel does not count as such, are rare. */
static void lost_waits_are_in_the_file(void **state)
{
	Fixture *f = *state;
	need(f->abilities.kernel_allowed, "context switches happen in the kernel, which may not be recorded here");
	f->events[0] = (RecorderEvent){.off_cpu = TRUE};
	f->plan.events = f->events;
	f->plan.n_events = 1;
	f->no_watches = TRUE;
	f->drain_every = 10;
	record(f, PING_PONG);
	if (f->counts.lost == 0)
		print_message("this machine is too slow to lose any\n");
	assert_int_equal(f->summary.lost, f->counts.lost);
}

static void samples_of_preempted_threads_have_no_incomplete_stacks(void **state)
{
	Fixture *f = *state;
	need(f->abilities.kernel_allowed, "context switches happen in the kernel, which may not be recorded here");
	f->events[0] = (RecorderEvent){.off_cpu = TRUE};
	f->plan.events = f->events;
	f->plan.n_events = 1;
	f->plan.stacks = RECORDER_LEAF_REPAIR;
	record(f, "(" LOOP ") & (" LOOP ") & (" LOOP ") & wait");
	assert_true(f->counts.incomplete <= f->counts.samples);
	assert_int_equal(f->summary.completed, f->counts.samples);
	assert_int_equal(f->summary.incomplete, f->counts.incomplete);
}

static void buffers_that_fill_between_ticks_are_drained(void **state)
{
	Fixture *f = *state;
	plan_events(f, "page-faults:u", 0, 1);
	f->no_ticks = TRUE;
	record(f, FAULTS "; " FAULTS);
	/* more than all buffers hold; on a busy machine the reader may come late, and a few are lost */
	assert_true(f->counts.bytes > 2 * 512 * 1024);
	assert_true(f->counts.lost < f->counts.samples);
}

static void a_full_disk_is_an_error(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	const int cpu = 0;
	need(f->usable, "no perf events");
	plan_events(f, "cpu-clock", 999, 0);
	g_autoptr(Recorder) recorder = recorder_open(&f->plan, getpid(), &cpu, 1, "/dev/full", f->findings, &error);
	assert_non_null(recorder);
	assert_false(recorder_finish(recorder, &f->counts, &error));
	assert_non_null(strstr(error->message, "/dev/full: No space left on device"));
}

static void a_link_in_place_of_the_file_is_not_followed(void **state)
{
	Fixture *f = *state;
	g_autofree char *target = g_build_filename(f->folder, "target", NULL);
	g_autoptr(GError) error = NULL;
	const int cpu = 0;
	need(f->usable, "no perf events");
	plan_events(f, "cpu-clock", 999, 0);
	assert_int_equal(symlink(target, f->path), 0);
	g_autoptr(Recorder) recorder = recorder_open(&f->plan, getpid(), &cpu, 1, f->path, f->findings, &error);
	assert_non_null(recorder);
	assert_true(recorder_finish(recorder, &f->counts, &error));
	assert_false(g_file_test(f->path, G_FILE_TEST_IS_SYMLINK));
	assert_false(g_file_test(target, G_FILE_TEST_EXISTS));
}

static void what_lies_on_the_stack_does_not_reach_the_file(void **state)
{
	Fixture *f = *state;
	static const RecorderStacks stacks[] = {RECORDER_FRAME_POINTERS, RECORDER_LEAF_REPAIR, RECORDER_DWARF};
	for (gsize i = 0; i < G_N_ELEMENTS(stacks); i++) {
		g_autofree char *bytes = NULL;
		gsize length = 0;
		g_array_set_size(f->specs, 0);
		plan_events(f, "page-faults:u", 0, 1);
		f->plan.stacks = stacks[i];
		f->plan.stack_bytes = 32768;
		if (f->summary.events != NULL)
			perfdata_summary_clear(&f->summary);
		record(f, "true");
		assert_true(f->counts.samples > 10);
		assert_true(g_file_get_contents(f->path, &bytes, &length, NULL));
		assert_null(memmem(bytes, length, SECRET, strlen(SECRET)));
	}
}

static void the_hosts_name_is_not_in_the_file(void **state)
{
	Fixture *f = *state;
	char host[256] = {0};
	g_autofree char *bytes = NULL;
	gsize length = 0;
	gethostname(host, sizeof host - 1);
	need(strlen(host) > 3, "this host has no name worth looking for");
	plan_events(f, "cpu-clock", 999, 0);
	record(f, "true");
	assert_true(g_file_get_contents(f->path, &bytes, &length, NULL));
	assert_null(memmem(bytes, length, host, strlen(host)));
}

/* --- generated code --- */

static void the_perf_map_of_a_process_is_kept(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 999, 0);
	record(f, "echo 400000 10 generated > /tmp/perf-$$.map; exec sleep 0.1");
	assert_non_null(f->jit_text);
	assert_memory_equal(f->jit_text, "400000 10 generated\n", 20);
	g_autofree char *map = g_strdup_printf("/tmp/perf-%d.map", f->jit_pid);
	assert_int_equal(g_remove(map), 0);
}

static void the_perf_map_of_a_process_that_was_only_forked_is_kept(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 999, 0);
	record(f, "(read -r pid rest </proc/self/stat; echo 400000 10 forked > /tmp/perf-$pid.map; echo) | cat");
	assert_non_null(f->jit_text);
	assert_memory_equal(f->jit_text, "400000 10 forked\n", 17);
	g_autofree char *map = g_strdup_printf("/tmp/perf-%d.map", f->jit_pid);
	assert_int_equal(g_remove(map), 0);
}

static void a_perf_map_inside_a_container_is_kept(void **state)
{
	Fixture *f = *state;
	const char *try_it[] = {"unshare", "--mount", "--pid", "--fork", "true", NULL};
	need(run_command(try_it, NULL), "namespaces cannot be made here");
	plan_events(f, "cpu-clock", 999, 0);
	record(f, "unshare --mount --pid --fork sh -c 'mount -t tmpfs none /tmp; "
	          "echo 500000 20 contained > /tmp/perf-1.map; exec sleep 0.2'");
	assert_non_null(f->jit_text);
	assert_memory_equal(f->jit_text, "500000 20 contained\n", 20);
}

/* --- what perf says --- */

/* Output of a perf command on the recording; skips where perf is not installed. */
static char *perf(const Fixture *f, const char *command, const char *option, const char *value)
{
	const char *argv[] = {"perf", command, "-i", f->path, option, value, NULL};
	char *output = NULL;
	need(have_program("perf"), "perf is not installed");
	assert_true(run_command(argv, &output));
	return output;
}

static guint count_lines(const char *text, const char *part)
{
	guint n = 0;
	for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
		n++;
	return n;
}

static void perf_script_sees_the_same_samples(void **state)
{
	Fixture *f = *state;
	static const RecorderStacks stacks[] = {
	        RECORDER_FRAME_POINTERS, RECORDER_LEAF_REPAIR, RECORDER_DWARF, RECORDER_NO_STACKS};
	for (gsize i = 0; i < G_N_ELEMENTS(stacks); i++) {
		g_array_set_size(f->specs, 0);
		plan_events(f, "cpu-clock,page-faults", 999, 0);
		f->plan.stacks = stacks[i];
		if (f->summary.events != NULL)
			perfdata_summary_clear(&f->summary);
		record(f, LOOP);
		g_autofree char *output = perf(f, "script", "-F", "comm,event,ip");
		assert_int_equal(count_lines(output, "cpu-clock:u:"), event(f, 0)->samples);
		assert_int_equal(count_lines(output, "page-faults:u:"), event(f, 1)->samples);
	}
}

static void perf_reads_tracepoints_and_waits(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	need(f->abilities.kernel_allowed, "tracepoints may not be recorded here");
	gboolean found = perf_events_parse("sched:sched_switch", f->specs, &error);
	need(found, found ? "" : error->message);
	f->events[0] = (RecorderEvent){.spec = g_array_index(f->specs, PerfEventSpec, 0), .period = 1};
	f->events[1] = (RecorderEvent){.off_cpu = TRUE};
	f->plan.events = f->events;
	f->plan.n_events = 2;
	record(f, "sleep 0.02; sleep 0.02");
	g_autofree char *output = perf(f, "script", "-F", "comm,event,ip");
	assert_int_equal(count_lines(output, "sched:sched_switch:"), event(f, 0)->samples);
	assert_int_equal(count_lines(output, "offcpu-time:"), event(f, 1)->samples);
	assert_true(event(f, 0)->samples >= 2 && event(f, 1)->samples >= 2);
}

static void perf_lists_the_build_ids(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 999, 0);
	record(f, "true");
	const char *program[] = {"file", "-L", "/bin/sh", NULL};
	g_autofree char *described = NULL;
	need(have_program("file") && run_command(program, &described) && strstr(described, "BuildID[sha1]=") != NULL,
	        "the build-id of the shell is not known");
	g_autofree char *id = g_strndup(strstr(described, "BuildID[sha1]=") + strlen("BuildID[sha1]="), 40);
	g_autofree char *output = perf(f, "buildid-list", NULL, NULL);
	assert_non_null(strstr(output, id));
	assert_non_null(strstr(output, "libc.so.6"));
}

static void perf_report_shows_command_and_kernel(void **state)
{
	Fixture *f = *state;
	plan_events(f, "cpu-clock", 999, 0);
	record(f, LOOP);
	g_autofree char *output = perf(f, "report", "--header-only", NULL);
	assert_non_null(strstr(output, "# cmdline : /bin/sh -c "));
	assert_non_null(strstr(output, "# os release : "));
	assert_null(strstr(output, "# hostname"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(samples_arrive_at_the_asked_rate),
	        TEST(forked_children_are_counted_and_sampled),
	        TEST(a_period_of_one_samples_every_event),
	        TEST(a_fixed_period_of_software_events_holds),
	        TEST(a_fixed_period_holds_beside_waits),
	        TEST(a_fixed_period_that_cannot_be_told_excludes_frequencies),
	        TEST(a_reader_learns_how_many_stacks_are_incomplete),
	        TEST(a_rate_that_slows_the_program_is_said),
	        TEST(several_events_share_one_file),
	        TEST(user_mode_shows_in_the_events_name),
	        TEST(kernel_mode_is_sampled_if_asked_for),
	        TEST(an_event_of_the_ladder_becomes_the_clock),
	        TEST(a_named_event_that_is_not_there_is_an_error),
	        TEST(a_rate_above_the_kernels_limit_is_lowered_and_said),
	        TEST(switched_off_it_still_records_maps),
	        TEST(it_records_while_switched_on),
	        TEST(waits_sum_up_to_the_time_that_passed),
	        TEST(a_busy_program_does_not_wait),
	        TEST(a_wait_counts_up_to_where_measuring_ends),
	        TEST(lost_samples_are_counted_and_in_the_file),
	        TEST(what_one_event_lost_is_a_share_of_its_own_samples),
	        TEST(lost_waits_are_in_the_file),
	        TEST(samples_of_preempted_threads_have_no_incomplete_stacks),
	        TEST(buffers_that_fill_between_ticks_are_drained),
	        TEST(a_full_disk_is_an_error),
	        TEST(a_link_in_place_of_the_file_is_not_followed),
	        TEST(what_lies_on_the_stack_does_not_reach_the_file),
	        TEST(the_hosts_name_is_not_in_the_file),
	        TEST(the_perf_map_of_a_process_is_kept),
	        TEST(the_perf_map_of_a_process_that_was_only_forked_is_kept),
	        TEST(a_perf_map_inside_a_container_is_kept),
	        TEST(perf_script_sees_the_same_samples),
	        TEST(perf_reads_tracepoints_and_waits),
	        TEST(perf_lists_the_build_ids),
	        TEST(perf_report_shows_command_and_kernel),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
