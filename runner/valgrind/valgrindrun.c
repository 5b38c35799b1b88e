/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrindrun.h"

#include "core/child.h"
#include "core/error.h"
#include "runner/frameworks/frameworkrun.h"
#include "runner/frameworks/programwatch.h"
#include "runner/runfolder.h"
#include "runner/runstate.h"
#include "runner/valgrind/valgrindcommand.h"
#include "runner/valgrind/valgrindimages.h"
#include "runner/valgrind/valgrindjudge.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <sched.h>

#define MAX_DUMP_BYTES (512 * 1024 * 1024)
#define LOOK_AT_DUMPS_NS 1000000000
/* Processes that outlive the main process are as slow as it was. */
#define GRACE_MS 5000

typedef struct {
	Executor interface;
	const Valgrind *valgrind;
	FindingList *findings;
	GArray *cpus; /* of int: those that runs are pinned to */
	ProgramMemory *memory;
} ValgrindExecutor;

/* One process tree while it runs. */
typedef struct {
	const RunRequest *request;
	const char *kind; /* VALGRIND_CALLGRIND or VALGRIND_DHAT */
	char *recording;  /* absolute */
	char *dir;        /* its own folder */
	Child *child;
	ValgrindImages *images;
	ProgramWatch *programs;
	gint64 looked_ns;
} LiveRun;

typedef struct {
	LiveRun *runs;
	guint n;
} LiveRuns;

GPtrArray *valgrind_run_dumps(const char *recording, const char *kind, GError **error)
{
	g_autoptr(GPtrArray) files = valgrind_files(recording, kind);
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < files->len; i++) {
		const ValgrindFile *file = files->pdata[i];
		if (file->regular)
			g_ptr_array_add(paths, g_strdup(file->path));
	}
	if (paths->len > 0)
		return g_steal_pointer(&paths);
	firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s holds no dump of %s", recording, kind);
	return NULL;
}

static void live_run_clear(LiveRun *run)
{
	g_clear_pointer(&run->child, child_free);
	g_clear_pointer(&run->images, valgrind_images_free);
	g_clear_pointer(&run->programs, program_watch_free);
	run_folder_free(run->request, run->dir);
	g_free(run->recording);
}

/* With one CPU of its own a run cannot be disturbed by threads that really run at once, and programs that make as many
 * threads as there are CPUs make one. */
static gboolean prepare_run(const ValgrindExecutor *self, LiveRun *run, int cpu, GError **error)
{
	const ConfigBenchmark *benchmark = run->request->benchmark;
	g_autofree char *cwd = run_folder_cwd(run->request, error);
	if (cwd == NULL || (run->dir = run_folder_new(run->request, error)) == NULL)
		return FALSE;
	const ValgrindCommand command = {
	        .valgrind = self->valgrind,
	        .request = run->request,
	        .kind = run->kind,
	        .folder = run->recording,
	        .dir = run->dir,
	};
	g_auto(GStrv) environment = valgrind_command_environment(&command);
	g_autoptr(GPtrArray) argv = valgrind_command_argv(&command);
	ChildSpec spec = {
	        .argv = (const char *const *)argv->pdata,
	        .envp = (const char *const *)environment,
	        .cwd = cwd,
	        .cpus = &cpu,
	        .n_cpus = 1,
	        .fixed_addresses = TRUE,
	        .no_new_privileges = !benchmark->privileges,
	        .timeout_ms = benchmark->timeout_ms * VALGRIND_SLOWDOWN,
	        .grace_ms = GRACE_MS,
	        .keep_bytes = framework_keep_bytes(benchmark),
	};
	run->child = child_prepare(&spec, error);
	if (run->child != NULL)
		run->programs = program_watch_new(child_pid(run->child), FALSE, self->memory);
	if (run->child != NULL)
		run->images = valgrind_images_new(run->recording, run->kind, (guint64)child_pid(run->child), error);
	if (run->images == NULL)
		g_prefix_error(error, "benchmark %s: ", benchmark->name);
	return run->images != NULL;
}

/* Runs of one side take turns with the CPUs, so that a program whose counts depend on the number of its CPU does not
 * repeat. No two of the runs that are made at once have the same. */
static gboolean prepare_runs(const ValgrindExecutor *self, LiveRun *runs, guint n, GError **error)
{
	g_autofree gboolean *taken = g_new0(gboolean, self->cpus->len);
	for (guint i = 0; i < n; i++) {
		guint turn = runs[i].request->number % self->cpus->len;
		while (taken[turn])
			turn = (turn + 1) % self->cpus->len;
		taken[turn] = TRUE;
		if (!prepare_run(self, &runs[i], g_array_index(self->cpus, int, turn), error))
			return FALSE;
	}
	return TRUE;
}

static gboolean check_size(const LiveRun *run, GError **error)
{
	const ConfigBenchmark *benchmark = run->request->benchmark;
	if (valgrind_files_bytes(run->recording) <= MAX_DUMP_BYTES)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "benchmark %s: the dumps of one run exceed %d MiB; set a lower `call_depth` (now %u)", benchmark->name,
	        MAX_DUMP_BYTES / (1024 * 1024), benchmark->call_depth);
}

static gboolean look_at_dumps(gpointer data, GError **error)
{
	LiveRuns *all = data;
	for (guint i = 0; i < all->n; i++) {
		LiveRun *run = &all->runs[i];
		program_watch_look(run->programs);
		gint64 now_ns = g_get_monotonic_time() * 1000;
		if (now_ns - run->looked_ns < LOOK_AT_DUMPS_NS)
			continue;
		run->looked_ns = now_ns;
		if (!check_size(run, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean run_children(LiveRun *runs, guint n, GError **error)
{
	g_autofree Child **children = g_new(Child *, n);
	g_autofree ChildWatch *watches = g_new(ChildWatch, n);
	LiveRuns all = {.runs = runs, .n = n};
	for (guint i = 0; i < n; i++) {
		children[i] = runs[i].child;
		watches[i] = (ChildWatch){valgrind_images_fd(runs[i].images), valgrind_images_update, runs[i].images};
	}
	for (guint i = 0; i < n; i++)
		child_release(children[i]);
	const ChildDuties duties = {.tick = look_at_dumps, .data = &all, .watches = watches, .n_watches = n};
	if (!child_wait_all(children, n, &duties, error))
		return FALSE;
	for (guint i = 0; i < n; i++)
		if (!valgrind_images_update(runs[i].images, error) || !check_size(&runs[i], error))
			return FALSE;
	return TRUE;
}

static void note_facts(const ValgrindExecutor *self, const LiveRun *run, RunOutcome *outcome)
{
	const ChildResult *result = child_result(run->child);
	if (!result->fixed_addresses && !finding_has(self->findings, "random_addresses_stay"))
		finding_add(self->findings, FINDING_INFO, "random_addresses_stay", NULL,
		        "addresses cannot be fixed here (personality() is forbidden, as in many containers); counts of "
		        "programs that hash addresses may differ from run to run");
	if (g_str_equal(run->kind, VALGRIND_DHAT))
		return;
	outcome->metrics = g_array_new(FALSE, FALSE, sizeof(RunMetric));
	outcome->start_ns = result->start_ns;
	outcome->end_ns = result->end_ns;
	outcome->facts.wall_ns = (guint64)MAX(result->end_ns - result->start_ns, 0);
	outcome->facts.overlap_share = NAN;
	outcome->facts.running_share = 1;
}

static gboolean run_together(
        const ValgrindExecutor *self, LiveRun *runs, guint n, RunOutcome **outcomes, GError **error)
{
	for (guint i = 0; i < n; i++)
		if (!run_state_restore(runs[i].request, 1, self->findings, error))
			return FALSE;
	if (!prepare_runs(self, runs, n, error) || !run_children(runs, n, error))
		return FALSE;
	for (guint i = 0; i < n; i++) {
		const ValgrindRun ended = {
		        .request = runs[i].request,
		        .kind = runs[i].kind,
		        .recording = runs[i].recording,
		        .dir = runs[i].dir,
		        .result = child_result(runs[i].child),
		        .main_pid = (guint64)child_pid(runs[i].child),
		        .images = runs[i].images,
		        .findings = self->findings,
		};
		note_facts(self, &runs[i], outcomes[i]);
		if (!valgrind_judge(&ended, outcomes[i], error))
			return FALSE;
		program_watch_judge(runs[i].programs, runs[i].request, outcomes[i]);
	}
	return TRUE;
}

/* Runs those of the requests that are to have a dump of this kind, as many at once as there are CPUs. */
static gboolean run_batches(
        const ValgrindExecutor *self, const char *kind, GPtrArray *requests, GPtrArray *outcomes, GError **error)
{
	gboolean ok = TRUE;
	for (guint first = 0; ok && first < requests->len; first += self->cpus->len) {
		guint n = MIN(self->cpus->len, requests->len - first);
		g_autofree LiveRun *runs = g_new0(LiveRun, n);
		for (guint i = 0; i < n; i++) {
			runs[i].request = requests->pdata[first + i];
			runs[i].kind = kind;
			runs[i].recording = g_canonicalize_filename(runs[i].request->recording, NULL);
		}
		ok = run_together(self, runs, n, (RunOutcome **)&outcomes->pdata[first], error);
		for (guint i = 0; i < n; i++)
			live_run_clear(&runs[i]);
	}
	return ok;
}

static gboolean make_recordings(const RunRequest *requests, guint n, GError **error)
{
	for (guint i = 0; i < n; i++) {
		g_assert(requests[i].recording != NULL);
		if (g_mkdir(requests[i].recording, 0700) != 0)
			return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make the folder %s",
			        requests[i].recording);
	}
	return TRUE;
}

static gboolean execute(Executor *executor, const RunRequest *requests, guint n, RunOutcome *outcomes, GError **error)
{
	const ValgrindExecutor *self = (ValgrindExecutor *)executor;
	static const char *const kinds[] = {VALGRIND_CALLGRIND, VALGRIND_DHAT};
	if (!make_recordings(requests, n, error))
		return FALSE;
	for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
		g_autoptr(GPtrArray) wanted = g_ptr_array_new(), filled = g_ptr_array_new();
		for (guint i = 0; i < n; i++) {
			gboolean heap_too = requests[i].benchmark->heap && outcomes[i].failure_code == NULL;
			if (k > 0 && !heap_too)
				continue;
			g_ptr_array_add(wanted, (gpointer)&requests[i]);
			g_ptr_array_add(filled, &outcomes[i]);
		}
		if (!run_batches(self, kinds[k], wanted, filled, error))
			return FALSE;
	}
	return TRUE;
}

static void destroy(Executor *executor)
{
	ValgrindExecutor *self = (ValgrindExecutor *)executor;
	g_array_unref(self->cpus);
	program_memory_free(self->memory);
	g_free(self);
}

/* The CPUs that this process may run on now; the first one where they cannot be asked for. */
static GArray *allowed_cpus(void)
{
	GArray *cpus = g_array_new(FALSE, FALSE, sizeof(int));
	cpu_set_t set;
	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		CPU_SET(0, &set);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			g_array_append_val(cpus, cpu);
	return cpus;
}

Executor *valgrind_executor_new(const Valgrind *valgrind, FindingList *findings)
{
	ValgrindExecutor *self = g_new0(ValgrindExecutor, 1);
	self->interface = (Executor){.execute = execute, .destroy = destroy};
	self->valgrind = valgrind;
	self->findings = findings;
	self->cpus = allowed_cpus();
	self->memory = program_memory_new();
	return &self->interface;
}
