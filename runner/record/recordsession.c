/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/recordsession.h"

#include "core/cancel.h"
#include "core/durable.h"
#include "core/error.h"
#include "runner/events/counters.h"
#include "runner/record/stackpiece.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ONLINE_CPUS "/sys/devices/system/cpu/online"
#define MAX_LOST_SHARE 0.01
/* Above this share of stacks without a root, callers are guesswork. */
#define MAX_INCOMPLETE_SHARE 0.05
#define MAX_THROTTLED_SHARE 0.01
#define MAX_THROTTLED 5
/* With so many periods of CPU time, there would be samples. */
#define CERTAIN_PERIODS 100
/* Of the CPU time that the kernel says a command took, so much is counted at least. What comes before exec is not, and
 * may be most of a time shorter than this. */
#define MIN_COUNTED_SHARE 0.5
#define MIN_JUDGED_NS 20000000

typedef struct {
	const RecordRequest *request;
	char *dir; /* of the control's pipes */
	Control *control;
	Child *child;
	Counters *counters;
	Recorder *recorder;
} Session;

static void session_clear(Session *session)
{
	g_clear_pointer(&session->control, control_free);
	g_clear_pointer(&session->recorder, recorder_free);
	g_clear_pointer(&session->counters, counters_free);
	g_clear_pointer(&session->child, child_free);
	if (session->dir != NULL)
		durable_remove_tree(session->dir, NULL);
	g_free(session->dir);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Session, session_clear)

void record_outcome_clear(RecordOutcome *outcome)
{
	g_clear_pointer(&outcome->failure, g_free);
	g_clear_pointer(&outcome->counters, g_array_unref);
}

gboolean cpu_list_parse(const char *text, GArray *cpus)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	for (guint i = 0; parts[i] != NULL; i++) {
		char *end = NULL;
		guint64 first = g_ascii_strtoull(parts[i], &end, 10), last = first;
		gboolean ok = g_ascii_isdigit(parts[i][0]);
		if (ok && *end == '-') {
			ok = g_ascii_isdigit(end[1]);
			last = g_ascii_strtoull(end + 1, &end, 10);
		}
		if (!ok || *end != '\0' || first > last || last >= CPU_SETSIZE)
			return FALSE;
		for (int cpu = (int)first; cpu <= (int)last; cpu++)
			g_array_append_val(cpus, cpu);
	}
	return parts[0] != NULL;
}

/* --- start --- */

/* All CPUs that are online, because a command may move itself to others than it starts on; where that cannot be read,
 * those it starts on. */
static GArray *online_cpus(GError **error)
{
	g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(int));
	g_autofree char *text = NULL;
	if (g_file_get_contents(ONLINE_CPUS, &text, NULL, NULL) && cpu_list_parse(g_strchomp(text), cpus))
		return g_steal_pointer(&cpus);
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0) {
		firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno, "cannot read the allowed CPUs");
		return NULL;
	}
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			g_array_append_val(cpus, cpu);
	return g_steal_pointer(&cpus);
}

gboolean cpu_list_check(const GArray *cpus, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GArray) online = g_array_new(FALSE, FALSE, sizeof(int));
	if (!g_file_get_contents(ONLINE_CPUS, &text, NULL, NULL) || !cpu_list_parse(g_strchomp(text), online))
		return TRUE;
	for (guint i = 0; i < cpus->len; i++) {
		gboolean found = FALSE;
		int cpu = g_array_index(cpus, int, i);
		for (guint j = 0; j < online->len; j++)
			found |= g_array_index(online, int, j) == cpu;
		if (!found)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "CPU %d is not among %s", cpu, text);
	}
	return TRUE;
}

/* The counters decide, so they are switched on last and off first: theirs is the shorter time of the two. */
static gboolean turn_measuring(gpointer data, gboolean on, GError **error)
{
	Session *session = data;
	if (on && !recorder_enable(session->recorder, TRUE, error))
		return FALSE;
	if (!counters_enable(session->counters, on, error))
		return FALSE;
	return on || recorder_enable(session->recorder, FALSE, error);
}

static gboolean make_control(Session *session, GError **error)
{
	session->dir = g_dir_make_tmp("firebreak-record-XXXXXX", error);
	if (session->dir == NULL)
		return FALSE;
	session->control = control_new(session->dir, turn_measuring, session, error);
	return session->control != NULL;
}

static gboolean start_child(Session *session, GError **error)
{
	const RecordRequest *request = session->request;
	g_auto(GStrv) environment = g_get_environ();
	g_autofree char *folder = g_get_current_dir();
	if (session->control != NULL) {
		environment = g_environ_setenv(
		        environment, "FIREBREAK_CTL_FIFO", control_command_path(session->control), TRUE);
		environment = g_environ_setenv(
		        environment, "FIREBREAK_ACK_FIFO", control_answer_path(session->control), TRUE);
	}
	ChildSpec spec = {
	        .argv = request->command,
	        .envp = (const char *const *)environment,
	        .cwd = folder,
	        .cpus = request->cpus,
	        .n_cpus = request->n_cpus,
	        .timeout_ms = request->timeout_ms,
	        .pass_io = TRUE,
	};
	session->child = child_prepare(&spec, error);
	return session->child != NULL;
}

/* The file that a link leads to; others, and what is not there yet, as it is. The recording is renamed to its path when
 * it is complete, which would replace a link by a file. */
static char *resolve(const char *path)
{
	struct stat status;
	char *real = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? realpath(path, NULL) : NULL;
	char *resolved = g_strdup(real != NULL ? real : path);
	free(real);
	return resolved;
}

static gboolean attach(Session *session, const PerfAbilities *abilities, FindingList *findings, GError **error)
{
	const RecordRequest *request = session->request;
	RecorderPlan plan = request->plan;
	pid_t pid = child_pid(session->child);
	g_autofree char *path = resolve(request->path);
	g_autoptr(GArray) online = online_cpus(error);
	if (online == NULL)
		return FALSE;
	plan.command = request->command;
	plan.alone = TRUE;
	session->counters = counters_open(pid, abilities, plan.start_disabled, error);
	if (session->counters == NULL)
		return FALSE;
	session->recorder =
	        recorder_open(&plan, pid, (const int *)(void *)online->data, online->len, path, findings, error);
	return session->recorder != NULL;
}

/* --- end --- */

static gboolean drain(gpointer data, GError **error)
{
	return recorder_drain(data, error);
}

/* A signal to this process ends the command; that is no error here. */
static gboolean wait_for_end(Session *session, RecordOutcome *outcome, GError **error)
{
	g_autoptr(GArray) watches = g_array_new(FALSE, FALSE, sizeof(ChildWatch));
	g_autoptr(GError) problem = NULL;
	recorder_watches(session->recorder, watches);
	if (session->control != NULL) {
		ChildWatch watch = control_watch(session->control);
		g_array_append_val(watches, watch);
	}
	ChildDuties duties = {
	        .tick = drain,
	        .data = session->recorder,
	        .watches = (const ChildWatch *)(void *)watches->data,
	        .n_watches = watches->len,
	};
	child_release(session->child);
	if (child_wait_all(&session->child, 1, &duties, &problem))
		return TRUE;
	outcome->cancelled = cancel_signal();
	if (outcome->cancelled != 0 && problem->code == 128 + outcome->cancelled)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

static void take_result(const ChildResult *result, RecordOutcome *outcome)
{
	outcome->failure = child_describe_failure(result);
	outcome->timed_out = result->timed_out;
	outcome->exit_code = result->signal != 0 ? 128 + result->signal : result->exit_code;
	outcome->exec_errno = result->exec_errno;
	outcome->wall_ns = (guint64)MAX(result->end_ns - result->start_ns, 0);
	outcome->user_ns = (guint64)MAX(result->user_ns, 0);
	outcome->cpu_ns = outcome->user_ns + (guint64)MAX(result->system_ns, 0);
	outcome->peak_rss_bytes = (guint64)MAX(result->max_rss_bytes, 0);
	outcome->orphans_killed = result->orphans_killed;
}

/* Names only a remedy that helps. */
static void incomplete_finding(const RecordRequest *request, const RecorderCounts *counts, FindingList *findings)
{
	const RecorderPlan *plan = &request->plan;
	guint bytes = plan->stack_bytes > 0 ? plan->stack_bytes : stack_piece_usual(plan->stacks);
	guint larger = bytes < STACK_PIECE_MAX ? STACK_PIECE_MAX : stack_piece_larger(bytes);
	gboolean are_cut = counts->pieces.cut * 2 > counts->incomplete && larger > 0;
	g_autofree char *flag = g_strdup_printf("record more stack with each sample (--call-graph %s,%u)",
	        plan->stacks == RECORDER_DWARF ? "dwarf" : "leaf", larger);
	if ((double)counts->incomplete > MAX_INCOMPLETE_SHARE * (double)counts->samples)
		finding_add(findings, FINDING_WARNING, "incomplete_stacks", NULL,
		        "%.0f %% of the stacks could not be followed to their root, so callers are missing: %s",
		        100.0 * (double)counts->incomplete / (double)counts->samples,
		        are_cut ? flag
		                : "build with frame pointers, or with call frame information "
		                  "(-fasynchronous-unwind-tables)");
}

gboolean record_session(const RecordRequest *request, const PerfAbilities *abilities, RecordOutcome *outcome,
        FindingList *findings, GError **error)
{
	g_auto(Session) session = {.request = request};
	if ((request->plan.start_disabled && !make_control(&session, error)) || !start_child(&session, error) ||
	        !attach(&session, abilities, findings, error) || !wait_for_end(&session, outcome, error))
		return FALSE;
	const ChildResult *result = child_result(session.child);
	take_result(result, outcome);
	if (outcome->exec_errno != 0)
		return TRUE;
	if (session.control != NULL && !control_finish(session.control, result->end_ns, &outcome->region, error))
		return FALSE;
	if (!recorder_finish(session.recorder, &outcome->counts, error))
		return FALSE;
	if (outcome->counts.throttled > 0)
		finding_add(findings, FINDING_WARNING, "sampling_throttled", NULL,
		        "the kernel throttled sampling %" G_GUINT64_FORMAT " time%s, and took no samples for up to a "
		        "tick of its clock each; sample less often",
		        outcome->counts.throttled, outcome->counts.throttled == 1 ? "" : "s");
	incomplete_finding(session.request, &outcome->counts, findings);
	if (outcome->counts.samples == 0)
		finding_add(findings, FINDING_WARNING, "no_samples", NULL,
		        "no samples: in %.3f s of CPU time, what is sampled did not happen often enough",
		        (double)outcome->cpu_ns / 1e9);
	outcome->counters = counters_read(session.counters, error);
	return outcome->counters != NULL;
}

/* --- judgement --- */

/* Samples that so much CPU time in user mode would have given at least one of; 0 if no event tells. */
static guint64 certain_ns(const RecorderPlan *plan)
{
	guint64 least = 0;
	for (guint i = 0; i < plan->n_events; i++) {
		const RecorderEvent *event = &plan->events[i];
		gboolean of_time =
		        !event->off_cpu && !event->spec.exclude_user && event->frequency_hz > 0 &&
		        (g_strcmp0(event->spec.unit, "ns") == 0 || g_strcmp0(event->spec.unit, "cycles") == 0);
		if (of_time)
			least = MAX(least, CERTAIN_PERIODS * (guint64)1000000000 / event->frequency_hz);
	}
	return least;
}

/* Names only remedies that help. */
static char *lost_doubt(const RecordRequest *request, const RecorderCounts *counts)
{
	RecorderStacks stacks = request->plan.stacks;
	gboolean copies_stack = stacks == RECORDER_LEAF_REPAIR || stacks == RECORDER_DWARF;
	return g_strdup_printf("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
	                       " samples %s lost; take fewer samples (lower -F, higher -c)%s%s",
	        counts->lost, counts->samples + counts->lost, counts->lost == 1 ? "was" : "were",
	        copies_stack ? ", or leave out copies of the stack (--call-graph fp)" : "",
	        counts->small_buffers ? ", or raise kernel.perf_event_mlock_kb, which made the buffers small" : "");
}

static char *never_on_doubt(const ControlFacts *region)
{
	const char *wanted = "measuring was never switched on; the command writes \"enable\" to $FIREBREAK_CTL_FIFO";
	if (region->unknown_commands == 0)
		return g_strdup(wanted);
	if (region->first_unknown[0] == '\0')
		return g_strdup_printf("%s, but wrote a line that is not a command", wanted);
	return g_strdup_printf("%s, but wrote \"%s\"", wanted, region->first_unknown);
}

/* Returns the time that the kernel counted itself; -1 if it counted none. */
static double counted_ns(const GArray *counters)
{
	for (guint i = 0; counters != NULL && i < counters->len; i++) {
		const CounterValue *counter = &g_array_index(counters, CounterValue, i);
		if (g_str_equal(counter->name, "task-clock"))
			return counter->counted ? counter->value : 0;
	}
	return -1;
}

/* A command that was ended could not switch measuring off. */
static char *region_doubt(const RecordOutcome *outcome)
{
	const ControlFacts *region = &outcome->region;
	if (region->first_ns == 0)
		return never_on_doubt(region);
	if (region->enabled_ns == 0 || counted_ns(outcome->counters) == 0)
		return g_strdup("nothing ran while measuring was switched on; the command reads \"ack\" from "
		                "$FIREBREAK_ACK_FIFO before it does what is to be measured");
	if (region->left_on && outcome->failure == NULL && outcome->cancelled == 0)
		return g_strdup("measuring was still on when the command ended, so its end was measured, too; the "
		                "command writes \"disable\" to $FIREBREAK_CTL_FIFO");
	return NULL;
}

/* Tells why the kernel takes the events of a process away when it executes this program; NULL if it does not, as far as
 * can be seen. Source: would_dump() and begin_new_exec() in fs/exec.c. */
static const char *why_events_stop(const char *command)
{
	struct stat status;
	g_autofree char *path = g_find_program_in_path(command);
	if (path == NULL || stat(path, &status) != 0)
		return NULL;
	if (access(path, R_OK) != 0)
		return "the kernel stops events for programs that the user may not read, such as this one";
	gboolean changes_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid();
	gboolean changes_group = (status.st_mode & S_ISGID) != 0 && status.st_gid != getegid();
	return changes_user || changes_group
	               ? "the kernel stops events for programs that run as another user or group, such as this one"
	               : NULL;
}

static char *missed_time_doubt(const RecordRequest *request, const RecordOutcome *outcome)
{
	static const char *const usual = "the kernel stops events for programs that the user may not read or that run "
	                                 "as another user";
	double counted = counted_ns(outcome->counters), used = (double)outcome->cpu_ns;
	if (outcome->cancelled != 0 || counted < 0 || counted >= MIN_COUNTED_SHARE * used)
		return NULL;
	const char *why = why_events_stop(request->command[0]);
	if (why == NULL && used < MIN_JUDGED_NS)
		return NULL;
	return g_strdup_printf("only %.6f s of %.6f s of CPU time were counted; %s", counted / 1e9, used / 1e9,
	        why != NULL ? why : usual);
}

char *record_doubt(const RecordRequest *request, const RecordOutcome *outcome)
{
	const RecorderCounts *counts = &outcome->counts;
	double all = (double)(counts->samples + counts->lost);
	guint64 enough_ns = certain_ns(&request->plan);
	if (counts->worst_lost_share > MAX_LOST_SHARE)
		return lost_doubt(request, counts);
	if (counts->throttled > MAX_THROTTLED || (double)counts->throttled > MAX_THROTTLED_SHARE * all)
		return g_strdup_printf("the kernel throttled sampling %" G_GUINT64_FORMAT " time%s; sample less often",
		        counts->throttled, counts->throttled == 1 ? "" : "s");
	char *missed = request->plan.start_disabled ? region_doubt(outcome) : missed_time_doubt(request, outcome);
	if (missed != NULL)
		return missed;
	if (!request->plan.start_disabled && enough_ns > 0 && outcome->user_ns > enough_ns && counts->samples == 0)
		return g_strdup_printf(
		        "nothing was sampled in %.3f s of CPU time in user mode", (double)outcome->user_ns / 1e9);
	return NULL;
}
