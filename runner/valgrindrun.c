#include "runner/valgrindrun.h"

#include "core/child.h"
#include "core/error.h"
#include "runner/runfolder.h"
#include "runner/runjudge.h"
#include "runner/valgrindcommand.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <sched.h>
#include <sys/statvfs.h>

#define MOST_DUMP_BYTES (512 * 1024 * 1024)
#define LOOK_AT_DUMPS_NS 1000000000
#define LEAST_FREE_BYTES (1024 * 1024)
/* Processes that outlive the main process are as slow as it was. */
#define GRACE_MS 5000

typedef struct {
	Executor interface;
	const Valgrind *valgrind;
	FindingList *findings;
	GArray *cpus; /* of int: those that runs are pinned to */
} ValgrindExecutor;

/* One process tree while it runs. */
typedef struct {
	const RunRequest *request;
	const char *kind; /* VALGRIND_CALLGRIND or VALGRIND_DHAT */
	char *recording;  /* absolute */
	char *dir;        /* its own folder */
	Child *child;
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
	for (guint i = 0; i < files->len; i++)
		g_ptr_array_add(paths, g_strdup(((const ValgrindFile *)files->pdata[i])->path));
	if (paths->len > 0)
		return g_steal_pointer(&paths);
	firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s holds no dump of %s", recording, kind);
	return NULL;
}

static void live_run_clear(LiveRun *run)
{
	g_clear_pointer(&run->child, child_free);
	run_folder_free(run->dir);
	g_free(run->recording);
}

/* With one CPU of its own a run cannot be disturbed by threads that really run at once, and programs that make as many
 * threads as there are CPUs make one. */
static gboolean prepare_run(const ValgrindExecutor *self, LiveRun *run, guint index, GError **error)
{
	const ConfigBenchmark *benchmark = run->request->benchmark;
	g_autofree char *cwd = run_folder_cwd(run->request);
	run->dir = run_folder_new(run->request, error);
	if (run->dir == NULL)
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
	        .cpus = &g_array_index(self->cpus, int, index % self->cpus->len),
	        .n_cpus = 1,
	        .fixed_addresses = TRUE,
	        .timeout_ms = benchmark->timeout_ms * VALGRIND_SLOWDOWN,
	        .grace_ms = GRACE_MS,
	};
	run->child = child_prepare(&spec, error);
	if (run->child == NULL)
		g_prefix_error(error, "benchmark %s: ", benchmark->name);
	return run->child != NULL;
}

static gboolean check_size(const LiveRun *run, GError **error)
{
	const ConfigBenchmark *benchmark = run->request->benchmark;
	if (valgrind_files_bytes(run->recording) <= MOST_DUMP_BYTES)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "benchmark %s: the dumps of one run exceed %d MiB; set a lower `call_depth` (now %u)", benchmark->name,
	        MOST_DUMP_BYTES / (1024 * 1024), benchmark->call_depth);
}

static gboolean look_at_dumps(gpointer data, GError **error)
{
	LiveRuns *all = data;
	for (guint i = 0; i < all->n; i++) {
		LiveRun *run = &all->runs[i];
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
	LiveRuns all = {.runs = runs, .n = n};
	for (guint i = 0; i < n; i++)
		children[i] = runs[i].child;
	for (guint i = 0; i < n; i++)
		child_release(children[i]);
	if (!child_wait_all(children, n, &(ChildDuties){.tick = look_at_dumps, .data = &all}, error))
		return FALSE;
	for (guint i = 0; i < n; i++)
		if (!check_size(&runs[i], error))
			return FALSE;
	return TRUE;
}

static GPtrArray *run_logs(const LiveRun *run)
{
	return valgrind_files(run->recording, valgrind_log_kind(run->kind));
}

static gboolean has_pid(const GPtrArray *files, guint64 pid)
{
	for (guint i = 0; i < files->len; i++)
		if (((const ValgrindFile *)files->pdata[i])->pid == pid)
			return TRUE;
	return FALSE;
}

/* What valgrind has to say comes before what the benchmark wrote to its standard error. */
static void judge_start(const LiveRun *run, RunOutcome *outcome)
{
	const ChildResult *result = child_result(run->child);
	g_autoptr(GPtrArray) logs = run_logs(run);
	if (result->exec_errno == 0 && result->exit_code > 0 && !result->timed_out && logs->len == 0)
		run_outcome_fail(outcome, "benchmark_failed", FALSE, "%s could not be started under valgrind\n%s",
		        run->request->benchmark->command[0], result->err->str);
}

static void add_log(const LiveRun *run, RunOutcome *outcome)
{
	g_autofree char *log = valgrind_log_text(run->recording, valgrind_log_kind(run->kind));
	if (outcome->failure_code == NULL || *log == '\0')
		return;
	char *failure = g_strdup_printf("%s\n%s", outcome->failure, log);
	g_free(outcome->failure);
	outcome->failure = failure;
}

static void judge_orphans(const LiveRun *run, RunOutcome *outcome)
{
	const ChildResult *result = child_result(run->child);
	if (result->orphans_killed > 0)
		run_outcome_fail(outcome, "escaped_work", FALSE,
		        "left processes behind (%u) that had to be killed, so that they could not be counted; a "
		        "benchmark waits for all its work",
		        result->orphans_killed);
}

/* Every process has to leave a dump. */
static void judge_processes(const LiveRun *run, RunOutcome *outcome)
{
	g_autoptr(GPtrArray) logs = run_logs(run);
	g_autoptr(GPtrArray) dumps = valgrind_files(run->recording, run->kind);
	guint lost = 0;
	for (guint i = 0; i < logs->len; i++)
		lost += !has_pid(dumps, ((const ValgrindFile *)logs->pdata[i])->pid);
	if (lost > 0)
		run_outcome_fail(outcome, "data_lost", FALSE,
		        "%u of its %u processes left no counts: they were killed, or ran a program that valgrind "
		        "cannot follow, such as one that is setuid",
		        lost, logs->len);
	else if (dumps->len == 0)
		run_outcome_fail(outcome, "data_lost", FALSE, "left no counts");
}

static gboolean disk_is_full(const char *folder)
{
	struct statvfs status;
	return statvfs(folder, &status) == 0 && status.f_bavail * status.f_frsize < LEAST_FREE_BYTES;
}

/* Looks at the end of every dump. *instructions is the sum over those of callgrind. */
static gboolean judge_dumps(const LiveRun *run, RunOutcome *outcome, guint64 *instructions, GError **error)
{
	g_autoptr(GPtrArray) dumps = valgrind_files(run->recording, run->kind);
	gboolean callgrind = g_str_equal(run->kind, VALGRIND_CALLGRIND);
	for (guint i = 0; i < dumps->len; i++) {
		const char *path = ((const ValgrindFile *)dumps->pdata[i])->path;
		guint64 here = 0;
		if (callgrind ? valgrind_callgrind_end(path, &here) : valgrind_dhat_is_whole(path)) {
			*instructions += here;
			continue;
		}
		if (disk_is_full(run->recording))
			return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, ENOSPC, "cannot write %s", path);
		run_outcome_fail(outcome, "data_lost", FALSE, "the dump of a process is cut off");
	}
	return TRUE;
}

static void judge_marks(const LiveRun *run, guint64 instructions, RunOutcome *outcome)
{
	if (run->request->benchmark->measure == MEASURE_REGION && instructions == 0)
		run_outcome_fail(outcome, "region_missing", FALSE,
		        "counted nothing: `measure: region` needs a benchmark that calls firebreak_enable() of "
		        "firebreak.h, compiled where valgrind/callgrind.h is installed");
}

static gboolean judge_run(const ValgrindExecutor *self, const LiveRun *run, RunOutcome *outcome, GError **error)
{
	const ConfigBenchmark *benchmark = run->request->benchmark;
	guint64 instructions = 0;
	judge_start(run, outcome);
	judge_process(benchmark, child_result(run->child), self->findings, outcome);
	add_log(run, outcome);
	judge_orphans(run, outcome);
	judge_processes(run, outcome);
	if (!judge_dumps(run, outcome, &instructions, error))
		return FALSE;
	if (g_str_equal(run->kind, VALGRIND_CALLGRIND))
		judge_marks(run, instructions, outcome);
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
		if (!prepare_run(self, &runs[i], i, error))
			return FALSE;
	if (!run_children(runs, n, error))
		return FALSE;
	for (guint i = 0; i < n; i++) {
		note_facts(self, &runs[i], outcomes[i]);
		if (!judge_run(self, &runs[i], outcomes[i], error))
			return FALSE;
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
	return &self->interface;
}
