/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what looking at a tree of real processes shows. */
#include "runner/perf/schedwatch.h"

#include "core/error.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static const char *const plain_environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};

typedef struct {
	Child *child;
	SchedWatch *watch;
} Watched;

/* Ends the child once it says that it is ready and has been looked at. */
static gboolean look_when_ready(gpointer data, GError **error)
{
	Watched *watched = data;
	if (strstr(child_result(watched->child)->out->str, "ready") == NULL)
		return TRUE;
	sched_watch_look(watched->watch);
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "seen");
}

/* The change that is seen of a shell that has said `ready`. */
static SchedChange see(const char *script, const int *cpus, guint n_cpus)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	const ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/", .cpus = cpus, .n_cpus = n_cpus};
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	assert_non_null(child);
	g_autoptr(SchedWatch) watch = sched_watch_new(child_pid(child));
	Watched watched = {.child = child, .watch = watch};
	child_release(child);
	assert_false(child_wait_all(&child, 1, &(ChildDuties){.tick = look_when_ready, .data = &watched}, NULL));
	return *sched_watch_seen(watch);
}

static void a_tree_that_stays_as_it_is_shows_nothing(void **state)
{
	(void)state;
	assert_int_equal(see("sleep 1000 & echo ready; wait", NULL, 0).kind, SCHED_UNCHANGED);
}

static void the_nice_value_of_a_grandchild_is_seen(void **state)
{
	(void)state;
	int nice = getpriority(PRIO_PROCESS, 0);
	if (nice > 15)
		skip();
	SchedChange seen = see("sh -c 'nice -n 4 sh -c \"echo ready; sleep 1000; :\"; :' & wait", NULL, 0);
	assert_int_equal(seen.kind, SCHED_OTHER_NICE);
	assert_int_equal(seen.from, nice);
	assert_int_equal(seen.to, nice + 4);
}

static void the_policy_of_a_child_is_seen_with_its_name(void **state)
{
	(void)state;
	if (sched_getscheduler(0) == SCHED_BATCH)
		skip();
	SchedChange seen = see("chrt -b 0 sh -c 'echo ready; exec sleep 1000' & wait", NULL, 0);
	g_autofree char *text = sched_change_text(&seen);
	assert_int_equal(seen.kind, SCHED_OTHER_POLICY);
	assert_string_equal(text, "changed its scheduling policy from SCHED_OTHER to SCHED_BATCH");
	assert_true(seen.name[0] != '\0');
}

static int two_cpus(int cpus[2])
{
	cpu_set_t set;
	int n = 0;
	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[n++] = cpu;
	return n;
}

static void leaving_the_cpus_is_seen(void **state)
{
	(void)state;
	int cpus[2];
	if (two_cpus(cpus) < 2)
		skip();
	g_autofree char *script = g_strdup_printf("taskset -c %d sh -c 'echo ready; sleep 1000; :' & wait", cpus[1]);
	SchedChange seen = see(script, cpus, 1);
	assert_int_equal(seen.kind, SCHED_LEFT_CPUS);
	assert_int_equal(seen.to, cpus[1]);
}

static void pinning_within_the_cpus_is_fine(void **state)
{
	(void)state;
	int cpus[2];
	if (two_cpus(cpus) < 2)
		skip();
	g_autofree char *script = g_strdup_printf("taskset -c %d sh -c 'echo ready; sleep 1000; :' & wait", cpus[1]);
	assert_int_equal(see(script, cpus, 2).kind, SCHED_UNCHANGED);
}

static void what_is_not_known_is_no_change(void **state)
{
	(void)state;
	const ChildSchedule unknown = {.policy = -1, .on_cpus = TRUE}, known = {.nice = 3, .on_cpus = TRUE};
	assert_int_equal(sched_change_between(known, unknown).kind, SCHED_UNCHANGED);
	assert_int_equal(sched_change_between(known, known).kind, SCHED_UNCHANGED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_tree_that_stays_as_it_is_shows_nothing),
	        cmocka_unit_test(the_nice_value_of_a_grandchild_is_seen),
	        cmocka_unit_test(the_policy_of_a_child_is_seen_with_its_name),
	        cmocka_unit_test(leaving_the_cpus_is_seen),
	        cmocka_unit_test(pinning_within_the_cpus_is_fine),
	        cmocka_unit_test(what_is_not_known_is_no_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
