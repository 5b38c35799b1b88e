/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/perf/schedwatch.h"

#include "core/clock.h"
#include "runner/processtree.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 512
#define NAME_CHARACTERS 15
#define BETWEEN_LOOKS_NS 20000000
#define PF_IO_WORKER 0x10 /* linux/sched.h: a thread of io_uring */

/* The first version of struct sched_attr (man sched_setattr(2)). */
typedef struct {
	guint32 size, policy;
	guint64 flags;
	gint32 nice;
	guint32 priority;
	guint64 runtime_ns, deadline_ns, period_ns;
} SchedAttr;

struct SchedWatch {
	pid_t pid;
	gboolean knows_start;
	SchedAttr start;
	cpu_set_t cpus;
	gint64 looked_ns;
	SchedChange seen;
};

static gboolean read_attr(pid_t tid, SchedAttr *attr)
{
	*attr = (SchedAttr){.size = sizeof *attr};
	return syscall(SYS_sched_getattr, tid, attr, sizeof *attr, 0) == 0;
}

SchedWatch *sched_watch_new(pid_t pid)
{
	SchedWatch *watch = g_new0(SchedWatch, 1);
	watch->pid = pid;
	watch->knows_start =
	        read_attr(pid, &watch->start) && sched_getaffinity(pid, sizeof watch->cpus, &watch->cpus) == 0;
	return watch;
}

void sched_watch_free(SchedWatch *watch)
{
	g_free(watch);
}

const SchedChange *sched_watch_seen(const SchedWatch *watch)
{
	return &watch->seen;
}

/* --- one thread --- */

/* A CPU of the thread that is not one of the run's, or -1. */
static int foreign_cpu(pid_t tid, const cpu_set_t *cpus)
{
	cpu_set_t set;
	if (sched_getaffinity(tid, sizeof set, &set) != 0)
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && !CPU_ISSET(cpu, cpus))
			return cpu;
	return -1;
}

/* Name and flags of a thread, from "1234 (name) S 1 ...", whose name may hold anything. */
static gboolean read_stat(pid_t tid, char **name, guint *flags)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)tid), *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return FALSE;
	char *begin = strchr(text, '('), *end = strrchr(text, ')');
	if (begin == NULL || end == NULL || sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %u", flags) != 1)
		return FALSE;
	*end = '\0';
	*name = g_utf8_make_valid(begin + 1, -1);
	return TRUE;
}

static SchedChange change_of(const SchedWatch *watch, pid_t tid)
{
	SchedAttr attr;
	int cpu = foreign_cpu(tid, &watch->cpus);
	if (cpu >= 0)
		return (SchedChange){.kind = SCHED_LEFT_CPUS, .to = cpu};
	if (!read_attr(tid, &attr))
		return (SchedChange){0};
	const SchedAttr *start = &watch->start;
	if (attr.policy != start->policy)
		return (SchedChange){SCHED_OTHER_POLICY, .from = (int)start->policy, .to = (int)attr.policy};
	if (attr.nice != start->nice)
		return (SchedChange){SCHED_OTHER_NICE, .from = start->nice, .to = attr.nice};
	return (SchedChange){0};
}

static void look_at(SchedWatch *watch, pid_t tid)
{
	SchedChange change = change_of(watch, tid);
	g_autofree char *name = NULL;
	guint flags = 0;
	if (change.kind == SCHED_UNCHANGED || !read_stat(tid, &name, &flags) || (flags & PF_IO_WORKER) != 0)
		return;
	g_utf8_strncpy(change.name, name, NAME_CHARACTERS);
	watch->seen = change;
}

/* --- the tree --- */

/* All threads of a process; appends the children of each. Returns how many there are. */
static guint look_at_process(SchedWatch *watch, pid_t pid, GArray *pids, guint most)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task", (int)pid);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	guint n = 0;
	for (const char *tid; dir != NULL && n < most && (tid = g_dir_read_name(dir)) != NULL; n++) {
		if (watch->seen.kind == SCHED_UNCHANGED)
			look_at(watch, (pid_t)g_ascii_strtoll(tid, NULL, 10));
		process_children(pid, tid, MAX_THREADS, pids);
	}
	return n;
}

void sched_watch_look(SchedWatch *watch)
{
	gint64 now = clock_now_ns();
	if (!watch->knows_start || watch->seen.kind != SCHED_UNCHANGED || now - watch->looked_ns < BETWEEN_LOOKS_NS)
		return;
	watch->looked_ns = now;
	g_autoptr(GArray) pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
	g_array_append_val(pids, watch->pid);
	guint threads = 0;
	for (guint i = 0; i < pids->len && threads < MAX_THREADS; i++)
		threads += look_at_process(watch, g_array_index(pids, pid_t, i), pids, MAX_THREADS - threads);
}

/* --- what is said --- */

SchedChange sched_change_between(ChildSchedule began, ChildSchedule ended)
{
	if (!ended.on_cpus && began.on_cpus)
		return (SchedChange){.kind = SCHED_LEFT_CPUS, .to = -1};
	if (began.policy < 0 || ended.policy < 0)
		return (SchedChange){0};
	if (began.policy != ended.policy)
		return (SchedChange){SCHED_OTHER_POLICY, .from = began.policy, .to = ended.policy};
	if (began.nice != ended.nice)
		return (SchedChange){SCHED_OTHER_NICE, .from = began.nice, .to = ended.nice};
	return (SchedChange){0};
}

static const char *policy_name(int policy)
{
	switch (policy) {
	case SCHED_OTHER:
		return "SCHED_OTHER";
	case SCHED_BATCH:
		return "SCHED_BATCH";
	case SCHED_IDLE:
		return "SCHED_IDLE";
	case SCHED_FIFO:
		return "SCHED_FIFO";
	case SCHED_RR:
		return "SCHED_RR";
	default:
		return "another one";
	}
}

char *sched_change_text(const SchedChange *change)
{
	switch (change->kind) {
	case SCHED_LEFT_CPUS:
		return change->to >= 0
		               ? g_strdup_printf("took CPU %d, which is not one that it is measured on", change->to)
		               : g_strdup("took CPUs that it is not measured on");
	case SCHED_OTHER_NICE:
		return g_strdup_printf("changed its nice value from %d to %d", change->from, change->to);
	case SCHED_OTHER_POLICY:
		return g_strdup_printf("changed its scheduling policy from %s to %s", policy_name(change->from),
		        policy_name(change->to));
	case SCHED_UNCHANGED:
	default:
		return NULL;
	}
}
