/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrindjudge.h"

#include "core/error.h"
#include "runner/frameworks/frameworkrun.h"
#include "runner/hints/runhint.h"
#include "runner/perf/runjudge.h"
#include "runner/runfolder.h"
#include "runner/valgrind/valgrindfiles.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#define MIN_FREE_BYTES (1024 * 1024)
#define QUOTED_COMMAND_BYTES 200
/* The first process of a container has this number. */
#define CONTAINER_PID 1

/* Judges the start by valgrind's logs first: they explain more than what the benchmark wrote to its standard error. */
static void judge_start(const ValgrindRun *run, const GPtrArray *logs, RunOutcome *outcome)
{
	const ChildResult *result = run->result;
	if (result->exec_errno == 0 && result->exit_code > 0 && !result->timed_out && logs->len == 0)
		run_outcome_fail(outcome, "benchmark_failed", FALSE, "%s could not be started under valgrind\n%s",
		        run->request->benchmark->command[0], result->err->str);
}

/* The program that a dump is of, with its arguments; "" if that is not known. Owned by the caller. */
static char *dumped_command(const GPtrArray *dumps, guint64 pid)
{
	for (guint i = dumps->len; i > 0; i--) {
		const ValgrindFile *dump = dumps->pdata[i - 1];
		if (dump->pid != pid || dump->bytes == 0)
			continue;
		g_autoptr(ValgrindHead) head = valgrind_callgrind_head(dump->path);
		if (head != NULL)
			return g_utf8_make_valid(
			        head->command, (gssize)MIN(strlen(head->command), QUOTED_COMMAND_BYTES));
	}
	return g_strdup("");
}

/* A process that ended by its own mistake has not done its work, even if its parent does not care. */
static void judge_crashes(const GPtrArray *logs, const GPtrArray *dumps, RunOutcome *outcome)
{
	for (guint i = 0; i < logs->len && outcome->failure_code == NULL; i++) {
		const ValgrindFile *log = logs->pdata[i];
		int signal = valgrind_log_crash(log->path);
		if (signal == 0)
			continue;
		g_autofree char *command = dumped_command(dumps, log->pid);
		run_outcome_fail(outcome, "benchmark_failed", TRUE,
		        "one of its processes%s%s%s was killed by SIG%s (%s), so that it counted only a part of its "
		        "work",
		        *command != '\0' ? " (" : "", command, *command != '\0' ? ")" : "", sigabbrev_np(signal),
		        g_strsignal(signal));
	}
}

/* The complaint about requests that a process made; NULL if they do not matter. With `measure: region`, it is by such
 * requests that head's code says what is counted. */
static const char *wrong_request(const ValgrindRun *run, LogRequest request)
{
	static const char *const texts[] = {
	        [LOG_STOPS_COUNTING] = "stops callgrind's counting (CALLGRIND_STOP_INSTRUMENTATION)",
	        [LOG_TOGGLES] = "switches callgrind's counting off or on (CALLGRIND_TOGGLE_COLLECT)",
	        [LOG_ZEROES] = "throws away what callgrind has counted (CALLGRIND_ZERO_STATS)",
	        [LOG_CHANGES_OPTIONS] = "changes valgrind's options (VALGRIND_CLO_CHANGE)",
	};
	gboolean region = run->request->benchmark->measure == MEASURE_REGION;
	return region && request != LOG_CHANGES_OPTIONS ? NULL : texts[request];
}

/* Fails the outcome if the program chose what is counted. Only the configuration decides that. */
static void judge_requests(const ValgrindRun *run, const GPtrArray *logs, const GPtrArray *dumps, RunOutcome *outcome)
{
	for (guint i = 0; i < logs->len && outcome->failure_code == NULL; i++) {
		const ValgrindFile *log = logs->pdata[i];
		const char *what = wrong_request(run, valgrind_log_request(log->path));
		if (what == NULL)
			continue;
		g_autofree char *command = dumped_command(dumps, log->pid);
		run_outcome_fail(outcome, "data_lost", FALSE,
		        "one of its processes%s%s%s %s, so that not all of its work was counted; take the request out, "
		        "or mark what is to be counted with firebreak.h and set `measure: region`",
		        *command != '\0' ? " (" : "", command, *command != '\0' ? ")" : "", what);
	}
}

static void add_log(const ValgrindRun *run, RunOutcome *outcome)
{
	g_autofree char *log = valgrind_log_text(run->recording, valgrind_log_kind(run->kind));
	if (outcome->failure_code == NULL || *log == '\0')
		return;
	char *failure = g_strdup_printf("%s\n%s", outcome->failure, log);
	g_free(outcome->failure);
	outcome->failure = failure;
}

static void judge_orphans(const ValgrindRun *run, RunOutcome *outcome)
{
	if (run->result->orphans_killed > 0)
		run_outcome_fail(outcome, "escaped_work", FALSE,
		        "left processes behind (%u) that had to be killed, so that they could not be counted; a "
		        "benchmark waits for all its work",
		        run->result->orphans_killed);
}

/* Numbers of processes in a container begin anew, and files are named after them. */
static void judge_containers(const GPtrArray *logs, RunOutcome *outcome)
{
	if (logs->len > 0 && ((const ValgrindFile *)logs->pdata[0])->pid == CONTAINER_PID)
		run_outcome_fail(outcome, "data_lost", FALSE,
		        "starts a container (a PID namespace), in which processes have the numbers of others, so that "
		        "their counts overwrite each other; run the program itself, without `unshare`, `bwrap` or the "
		        "like");
}

static void judge_images(const ValgrindRun *run, RunOutcome *outcome)
{
	ImagesLoss loss = valgrind_images_loss(run->images);
	if (loss == IMAGES_UNDUMPED)
		run_outcome_fail(outcome, "data_lost", FALSE,
		        "a process ran another program in its place by a system call of its own, so that what it had "
		        "counted is lost; use exec() of libc, and link it dynamically or do not strip it");
	else if (loss == IMAGES_UNSEEN)
		run_outcome_fail(outcome, "data_lost", TRUE,
		        "a copy of a process ran another program in its place by a system call of its own, after %d ms "
		        "or more of CPU time, so that what it had counted is lost; use exec() of libc, and link it "
		        "dynamically or do not strip it",
		        IMAGES_UNSEEN_CPU_MS);
	else if (loss == IMAGES_TOUCHED)
		run_outcome_fail(outcome, "data_lost", FALSE,
		        "somebody removed, moved or opened files that valgrind wrote, so that its counts cannot be "
		        "believed; a benchmark leaves the folder of its counts alone");
	else if (loss == IMAGES_LATE)
		run_outcome_fail(outcome, "data_lost", TRUE,
		        "processes with the same number followed each other too fast to keep the counts of all");
}

/* The processes make files there, too, if they want. */
static void judge_kinds(const GPtrArray *dumps, RunOutcome *outcome)
{
	for (guint i = 0; i < dumps->len; i++) {
		const ValgrindFile *dump = dumps->pdata[i];
		if (!dump->regular)
			run_outcome_fail(
			        outcome, "data_lost", FALSE, "%s is in the place of a dump but no file", dump->path);
	}
}

static GHashTable *dumped_pids(const GPtrArray *dumps)
{
	GHashTable *pids = g_hash_table_new(g_direct_hash, g_direct_equal);
	for (guint i = 0; i < dumps->len; i++) {
		const ValgrindFile *dump = dumps->pdata[i];
		/* empty ones are made before the first dump, and get their content at the end */
		if (dump->bytes > 0 && dump->part == G_MAXUINT64)
			g_hash_table_add(pids, GSIZE_TO_POINTER(dump->pid));
	}
	return pids;
}

/* Whoever counts has a log from its beginning on. */
static void judge_strangers(const GPtrArray *dumps, GHashTable *logged, RunOutcome *outcome)
{
	for (guint i = 0; i < dumps->len; i++)
		if (!g_hash_table_contains(logged, GSIZE_TO_POINTER(((const ValgrindFile *)dumps->pdata[i])->pid)))
			run_outcome_fail(outcome, "data_lost", FALSE,
			        "the log of a process that counted is gone, so that its counts cannot be believed");
}

/* Every process has to leave a dump of its end. */
static void judge_processes(const GPtrArray *logs, const GPtrArray *dumps, RunOutcome *outcome)
{
	g_autoptr(GHashTable) dumped = dumped_pids(dumps), seen = g_hash_table_new(g_direct_hash, g_direct_equal);
	guint lost = 0;
	for (guint i = 0; i < logs->len; i++) {
		gpointer pid = GSIZE_TO_POINTER(((const ValgrindFile *)logs->pdata[i])->pid);
		lost += g_hash_table_add(seen, pid) && !g_hash_table_contains(dumped, pid);
	}
	judge_strangers(dumps, seen, outcome);
	if (lost > 0)
		run_outcome_fail(outcome, "data_lost", FALSE,
		        "%u of its %u processes left no counts: they were killed, gave up the privileges that it takes "
		        "to write them (another user, a sandbox, a limit on files), or ran a program that valgrind "
		        "cannot follow, such as one that is setuid",
		        lost, g_hash_table_size(seen));
	else if (dumps->len == 0)
		run_outcome_fail(outcome, "data_lost", FALSE, "left no counts");
}

/* Fails the outcome if a log is not whole: only a whole log tells what a program asked valgrind for. The log of the
 * last program of a process has the summary. */
static void judge_logs(const ValgrindRun *run, const GPtrArray *logs, RunOutcome *outcome)
{
	for (guint i = 0; i < logs->len; i++) {
		const ValgrindFile *log = logs->pdata[i], *next = i + 1 < logs->len ? logs->pdata[i + 1] : NULL;
		gboolean ended = next == NULL || next->pid != log->pid;
		if (!valgrind_log_is_whole(log->path, run->kind, ended))
			run_outcome_fail(outcome, "data_lost", FALSE,
			        "valgrind's log of a process is incomplete, so it is not known what the process asked "
			        "valgrind for; a benchmark leaves the folder of its counts alone");
	}
}

/* The parts of a program are numbered from 1, and its end has the next number. */
static void judge_parts(const GPtrArray *dumps, RunOutcome *outcome)
{
	guint64 expected = 1;
	for (guint i = 0; i < dumps->len; i++) {
		const ValgrindFile *dump = dumps->pdata[i], *before = i > 0 ? dumps->pdata[i - 1] : NULL;
		if (before == NULL || before->pid != dump->pid || before->image != dump->image)
			expected = 1;
		g_autoptr(ValgrindHead) head = dump->bytes > 0 ? valgrind_callgrind_head(dump->path) : NULL;
		gboolean numbered = dump->part == G_MAXUINT64 || dump->part == expected;
		if (!numbered || (head != NULL && head->part != 0 && head->part != expected))
			run_outcome_fail(outcome, "data_lost", FALSE,
			        "a part of what a process counted is gone: part %" G_GUINT64_FORMAT " is missing",
			        expected);
		expected++;
	}
}

static gboolean disk_is_full(const char *folder)
{
	struct statvfs status;
	return statvfs(folder, &status) == 0 && status.f_bavail * status.f_frsize < MIN_FREE_BYTES;
}

/* Looks at the end of every dump. *instructions is the sum over those of callgrind. */
static gboolean judge_ends(
        const ValgrindRun *run, const GPtrArray *dumps, RunOutcome *outcome, guint64 *instructions, GError **error)
{
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

/* TRUE if a dump is that of a copy of another process, which fork() made. */
static gboolean is_of_copy(const ValgrindRun *run, const ValgrindFile *dump)
{
	gboolean first = dump->image == 1 || valgrind_images_count(run->images, dump->pid) <= 1;
	return first && dump->pid != run->main_pid;
}

/* For every command that was dumped before a fork the process that did, or NULL for several: they may all be copies
 * of each other. */
static GHashTable *forking_commands(const GPtrArray *dumps)
{
	GHashTable *commands = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < dumps->len; i++) {
		const ValgrindFile *dump = dumps->pdata[i];
		gpointer first = NULL;
		g_autoptr(ValgrindHead) head = dump->part != G_MAXUINT64 ? valgrind_callgrind_head(dump->path) : NULL;
		if (head == NULL || !head->before_fork)
			continue;
		gboolean known = g_hash_table_lookup_extended(commands, head->command, NULL, &first);
		gboolean other = known && first != GSIZE_TO_POINTER(dump->pid);
		g_hash_table_replace(
		        commands, g_steal_pointer(&head->command), other ? NULL : GSIZE_TO_POINTER(dump->pid));
	}
	return commands;
}

/* A copy whose original did not dump before has the costs of the original once more. */
static gboolean has_original(GHashTable *forking, const ValgrindFile *dump)
{
	gpointer original = NULL;
	g_autoptr(ValgrindHead) head = valgrind_callgrind_head(dump->path);
	return head != NULL && g_hash_table_lookup_extended(forking, head->command, NULL, &original) &&
	       original != GSIZE_TO_POINTER(dump->pid);
}

static void judge_copies(const ValgrindRun *run, const GPtrArray *dumps, RunOutcome *outcome)
{
	g_autoptr(GHashTable) forking = forking_commands(dumps);
	for (guint i = 0; i < dumps->len && outcome->failure_code == NULL; i++) {
		const ValgrindFile *dump = dumps->pdata[i];
		if (is_of_copy(run, dump) && dump->bytes > 0 && !has_original(forking, dump))
			run_outcome_fail(outcome, "data_lost", TRUE,
			        "made a copy of itself unseen, so that what it had counted would count twice; use "
			        "fork() of libc rather than a system call, and link it dynamically or do not strip it");
	}
}

/* DHAT writes nothing before the end of a process, so that a copy repeats all memory of the original. On a busy machine
 * a copy that became another program is taken for one that did not, if its log was seen late: another try may help. */
static void judge_heap_copies(const ValgrindRun *run, const GPtrArray *dumps, RunOutcome *outcome)
{
	for (guint i = 0; i < dumps->len; i++)
		if (is_of_copy(run, dumps->pdata[i]))
			run_outcome_fail(outcome, "data_lost", TRUE,
			        "forks, and the copy would count the memory of the original once more: `heap` cannot "
			        "be measured for programs that fork without running another program; set `heap: "
			        "false`");
}

static void judge_marks(const ValgrindRun *run, guint64 instructions, RunOutcome *outcome)
{
	if (run->request->benchmark->measure == MEASURE_REGION && instructions == 0)
		run_outcome_fail(outcome, "region_missing", FALSE,
		        "counted nothing: `measure: region` needs a benchmark that calls firebreak_enable() of "
		        "firebreak.h, compiled where valgrind/callgrind.h is installed, in an environment that still "
		        "has FIREBREAK_VALGRIND (clearenv(), `env -i`, sudo take it away)");
}

static void judge_counts(const ValgrindRun *run, const GPtrArray *dumps, guint64 instructions, RunOutcome *outcome)
{
	g_autofree char *metrics = run_folder_metrics(run->dir);
	judge_parts(dumps, outcome);
	judge_copies(run, dumps, outcome);
	judge_marks(run, instructions, outcome);
	run_hint_counted(run->request, run->result, instructions, outcome);
	judge_own_work(run->request->benchmark, metrics, outcome);
	const FrameworkRun framework = framework_run(run->request->benchmark, run->dir, &engine_callgrind);
	framework_judge(&framework, run->result, run->findings, outcome);
}

gboolean valgrind_judge(const ValgrindRun *run, RunOutcome *outcome, GError **error)
{
	g_autoptr(GPtrArray) logs = valgrind_files(run->recording, valgrind_log_kind(run->kind));
	g_autoptr(GPtrArray) dumps = valgrind_files(run->recording, run->kind);
	guint64 instructions = 0;
	judge_start(run, logs, outcome);
	judge_process(run->request->benchmark, run->result, run->findings, outcome);
	judge_crashes(logs, dumps, outcome);
	run_hint(run->request, run->result, FALSE, run->findings, outcome);
	add_log(run, outcome);
	judge_orphans(run, outcome);
	judge_requests(run, logs, dumps, outcome);
	judge_containers(logs, outcome);
	judge_images(run, outcome);
	judge_kinds(dumps, outcome);
	judge_processes(logs, dumps, outcome);
	judge_logs(run, logs, outcome);
	if (!judge_ends(run, dumps, outcome, &instructions, error))
		return FALSE;
	if (g_str_equal(run->kind, VALGRIND_CALLGRIND))
		judge_counts(run, dumps, instructions, outcome);
	else
		judge_heap_copies(run, dumps, outcome);
	return TRUE;
}
