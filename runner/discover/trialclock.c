/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trialclock.h"

#include "core/helperprogram.h"
#include "runner/fixedtime.h"

#include <sched.h>

#define TRIES 3
#define SLOW_CLOCK_LIBRARY "firebreak-slowclock.so"
/* One that mostly waits takes no CPU from itself. Nobody knows here which part of the rest others had. */
#define MIN_ALONE_SHARE .3

/* The time that a run took; of several beside each other, the mean. */
typedef struct {
	double cpu_ns, wall_ns;
} Cost;

/* The first CPU that this process may use; -1 if that is not known. */
static int first_cpu(void)
{
	cpu_set_t cpus;
	if (sched_getaffinity(0, sizeof cpus, &cpus) != 0)
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			return cpu;
	return -1;
}

static gboolean add_cost(const ChildResult *result, Cost *cost)
{
	g_autofree char *failure = child_describe_failure(result);
	cost->cpu_ns += (double)(result->user_ns + result->system_ns + result->orphan_cpu_ns);
	cost->wall_ns += (double)(result->end_ns - result->start_ns);
	return failure == NULL;
}

/* One run, or two beside each other. FALSE if one fails. */
static gboolean run_beside(const ChildSpec *spec, guint n, Cost *cost)
{
	Child *children[2] = {NULL, NULL};
	gboolean ok = TRUE;
	*cost = (Cost){0};
	for (guint i = 0; i < n && ok; i++)
		ok = (children[i] = child_prepare(spec, NULL)) != NULL;
	for (guint i = 0; i < n && ok; i++)
		child_release(children[i]);
	ok = ok && child_wait_all(children, n, NULL, NULL);
	for (guint i = 0; i < n; i++) {
		ok = ok && add_cost(child_result(children[i]), cost);
		child_free(children[i]);
	}
	cost->cpu_ns /= n;
	cost->wall_ns /= n;
	return ok;
}

static gboolean shows_wall(const ChildSpec *spec)
{
	Cost alone, beside;
	if (!run_beside(spec, 1, &alone) || alone.cpu_ns < MIN_ALONE_SHARE * alone.wall_ns ||
	        !run_beside(spec, 2, &beside))
		return FALSE;
	return fixed_time_of_wall(beside.cpu_ns / alone.cpu_ns, beside.wall_ns / alone.wall_ns);
}

static gboolean shows_slow_clock(const ChildSpec *spec)
{
	Cost usual, slow;
	ChildSpec slower = *spec;
	g_autofree char *library = helper_program_path(SLOW_CLOCK_LIBRARY, NULL);
	if (library == NULL || !run_beside(spec, 1, &usual))
		return FALSE;
	g_auto(GStrv) environment = g_strdupv((char **)spec->envp);
	environment = g_environ_setenv(environment, "LD_PRELOAD", library, TRUE);
	slower.envp = (const char *const *)environment;
	return run_beside(&slower, 1, &slow) && fixed_time_of_cpu(slow.cpu_ns / usual.cpu_ns);
}

typedef gboolean (*Shows)(const ChildSpec *spec);

static gboolean shows_always(Shows shows, const ChildSpec *spec)
{
	for (guint i = 0; i < TRIES; i++)
		if (!shows(spec))
			return FALSE;
	return TRUE;
}

gboolean trial_works_for_a_time(const ChildSpec *spec)
{
	const int cpu = first_cpu();
	ChildSpec pinned = *spec;
	pinned.cpus = &cpu;
	pinned.n_cpus = cpu >= 0 ? 1 : 0;
	return shows_always(shows_wall, &pinned) || shows_always(shows_slow_clock, &pinned);
}
