/* SPDX-License-Identifier: Apache-2.0 */
#include "core/child.h"
#include "core/error.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const plain_environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};

static Child *run_shell(const char *script, gint64 timeout_ms)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	ChildSpec spec = {
	        .argv = argv, .envp = plain_environment, .cwd = "/", .timeout_ms = timeout_ms, .grace_ms = 200};
	GError *error = NULL;
	Child *child = child_run(&spec, &error);
	assert_null(error);
	return child;
}

static void exit_status_is_reported(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_shell("exit 3", 0);
	g_autofree char *text = child_describe_failure(child_result(child));
	assert_int_equal(child_result(child)->exit_code, 3);
	assert_string_equal(text, "exited with 3");
}

static void a_shell_whose_command_was_killed_names_the_signal(void **state)
{
	(void)state;
	g_autoptr(Child) aborted = run_shell("sh -c 'kill -ABRT $$'; exit $?", 0), other = run_shell("exit 200", 0);
	g_autofree char *text = child_describe_failure(child_result(aborted));
	g_autofree char *plain = child_describe_failure(child_result(other));
	assert_string_equal(text, "exited with 134: SIGABRT (128+6)");
	assert_string_equal(plain, "exited with 200");
}

static void a_file_is_its_standard_input(void **state)
{
	(void)state;
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("firebreak-test-XXXXXX", &path, NULL);
	assert_int_equal(write(fd, "given\n", 6), 6);
	close(fd);
	const char *argv[] = {"cat", NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/", .input = path};
	g_autoptr(Child) child = child_run(&spec, NULL);
	assert_non_null(child);
	assert_string_equal(child_result(child)->out->str, "given\n");
	assert_int_equal(unlink(path), 0);
}

static void signal_is_named(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_shell("kill -ABRT $$", 0);
	g_autofree char *text = child_describe_failure(child_result(child));
	assert_int_equal(child_result(child)->signal, SIGABRT);
	assert_non_null(strstr(text, "SIGABRT"));
}

static void success_has_no_failure_text(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_shell("true", 0);
	assert_null(child_describe_failure(child_result(child)));
}

static void missing_program_is_told_apart_from_exit_127(void **state)
{
	(void)state;
	const char *argv[] = {"/no/such/program", NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/"};
	g_autoptr(Child) child = child_run(&spec, NULL);
	assert_int_equal(child_result(child)->exec_errno, ENOENT);
}

static void missing_folder_is_an_error(void **state)
{
	(void)state;
	const char *argv[] = {"true", NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/no/such/folder"};
	g_autoptr(GError) error = NULL;
	assert_null(child_prepare(&spec, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_ENVIRONMENT);
}

static void a_cpu_that_is_not_there_is_an_error(void **state)
{
	(void)state;
	const char *argv[] = {"true", NULL};
	int cpus[] = {1000};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/", .cpus = cpus, .n_cpus = 1};
	g_autoptr(GError) error = NULL;
	assert_null(child_prepare(&spec, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_ENVIRONMENT);
}

static void timeout_ends_a_process_that_ignores_sigterm(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_shell("trap '' TERM; while :; do sleep 0.05; done", 100);
	assert_true(child_result(child)->timed_out);
	assert_int_equal(child_result(child)->signal, SIGKILL);
}

static gboolean is_alive(const char *pid_text)
{
	return kill((pid_t)g_ascii_strtoll(pid_text, NULL, 10), 0) == 0;
}

static void a_daemon_in_its_own_session_is_killed(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_shell("trap 'exit 0' USR1; shell=$$; export shell; "
	                                   "setsid sh -c 'echo $$; kill -USR1 $shell; exec sleep 1000' & wait",
	        0);
	assert_int_equal(child_result(child)->exit_code, 0);
	assert_int_equal(child_result(child)->orphans_killed, 1);
	assert_false(is_alive(child_result(child)->out->str));
}

static void cpu_time_of_orphans_is_counted(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_shell("trap 'exit 0' USR1; (i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done; "
	                                   "kill -USR1 $$; while :; do :; done) & wait",
	        0);
	assert_true(child_result(child)->orphan_cpu_ns > 50 * 1000 * 1000);
}

static void output_is_counted_and_its_end_is_kept(void **state)
{
	(void)state;
	g_autoptr(Child) child = run_shell("head -c 5000000 /dev/zero; echo the end; echo problem >&2", 0);
	const ChildResult *result = child_result(child);
	assert_int_equal(result->out_bytes, 5000000 + 8);
	assert_true(result->out->len <= 64 * 1024);
	assert_memory_equal(result->out->str + result->out->len - 8, "the end\n", 8);
	assert_string_equal(result->err->str, "problem\n");
}

/* Runs `cat /proc/self/personality`. */
static Child *read_personality(gboolean fixed_addresses)
{
	const char *argv[] = {"cat", "/proc/self/personality", NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/", .fixed_addresses = fixed_addresses};
	Child *child = child_run(&spec, NULL);
	assert_non_null(child);
	return child;
}

static gboolean has_fixed_addresses(const Child *child)
{
	return (g_ascii_strtoull(child_result(child)->out->str, NULL, 16) & ADDR_NO_RANDOMIZE) != 0;
}

static void addresses_are_fixed_where_that_is_granted(void **state)
{
	(void)state;
	g_autoptr(Child) fixed = read_personality(TRUE);
	g_autoptr(Child) usual = read_personality(FALSE);
	assert_int_equal(has_fixed_addresses(fixed), child_result(fixed)->fixed_addresses);
	assert_false(child_result(usual)->fixed_addresses);
	if (!child_result(fixed)->fixed_addresses) {
		print_message("personality() is forbidden here\n");
		skip();
	}
}

static void input_is_empty_and_the_environment_is_the_given_one(void **state)
{
	(void)state;
	g_setenv("FIREBREAK_TEST_SECRET", "secret", TRUE);
	g_autoptr(Child) child = run_shell("cat; env", 5000);
	assert_null(strstr(child_result(child)->out->str, "SECRET"));
	assert_non_null(strstr(child_result(child)->out->str, "PATH=/usr/local/bin:/usr/bin:/bin\n"));
}

static void peak_memory_is_that_of_the_child(void **state)
{
	(void)state;
	/* touch more memory than the child will use */
	g_autofree char *big = g_malloc(64 * 1024 * 1024);
	memset(big, 1, 64 * 1024 * 1024);
	g_autoptr(Child) child = run_shell("true", 0);
	assert_true(big[12345] == 1);
	assert_true(child_result(child)->max_rss_bytes > 0);
	assert_true(child_result(child)->max_rss_bytes < 8 * 1024 * 1024);
}

/* Runs a script whose output is that of this process, which is a file meanwhile; returns what came, owned by the
 * caller.
 */
static char *run_with_own_output(const char *script)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/", .pass_io = TRUE};
	g_autofree char *path = NULL;
	char *text = NULL;
	int file = g_file_open_tmp("firebreak-child-XXXXXX", &path, NULL), kept = dup(STDOUT_FILENO);
	dup2(file, STDOUT_FILENO);
	g_autoptr(Child) child = child_run(&spec, NULL);
	dup2(kept, STDOUT_FILENO);
	close(file);
	close(kept);
	assert_non_null(child);
	assert_int_equal(child_result(child)->out_bytes, 0);
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	unlink(path);
	return text;
}

static void with_the_callers_output_it_writes_there(void **state)
{
	(void)state;
	g_autofree char *text = run_with_own_output("echo hello; sleep 0.1 & echo world");
	assert_string_equal(text, "hello\nworld\n");
}

static void with_the_callers_output_it_keeps_the_umask(void **state)
{
	(void)state;
	mode_t before = umask(0077);
	g_autofree char *kept = run_with_own_output("umask");
	g_autoptr(Child) confined = run_shell("umask", 0);
	umask(before);
	assert_string_equal(kept, "0077\n");
	assert_string_equal(child_result(confined)->out->str, "0022\n");
}

typedef struct {
	int fd;
	guint calls;
} Watched;

static gboolean take_byte(gpointer data, GError **error)
{
	Watched *watched = data;
	char byte;
	(void)error;
	watched->calls += read(watched->fd, &byte, 1) == 1;
	return TRUE;
}

static void a_watched_descriptor_is_served_as_it_fills(void **state)
{
	(void)state;
	const char *argv[] = {"sleep", "0.2", NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/"};
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "abc", 3), 3);
	close(ends[1]);
	Watched watched = {.fd = ends[0]};
	const ChildWatch watch = {.fd = ends[0], .ready = take_byte, .data = &watched};
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	child_release(child);
	assert_true(child_wait_all(&child, 1, &(ChildDuties){.watches = &watch, .n_watches = 1}, NULL));
	assert_int_equal(watched.calls, 3);
	close(ends[0]);
}

static void nothing_runs_before_the_release(void **state)
{
	(void)state;
	const char *argv[] = {"sh", "-c", "echo started", NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/"};
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	assert_true(child_pid(child) > 0);
	g_usleep(100 * 1000);
	/* before the exec it is still a copy of the launcher */
	g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int)child_pid(child));
	g_autofree char *program = g_file_read_link(link, NULL);
	assert_true(g_str_has_suffix(program, "/firebreak-spawn"));
	child_release(child);
	assert_true(child_wait_all(&child, 1, NULL, NULL));
	assert_string_equal(child_result(child)->out->str, "started\n");
}

static void freeing_a_child_that_never_ran_leaves_no_process(void **state)
{
	(void)state;
	const char *argv[] = {"sh", "-c", "sleep 1000", NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/"};
	Child *child = child_prepare(&spec, NULL);
	pid_t pid = child_pid(child);
	child_free(child);
	assert_int_equal(kill(pid, 0), -1);
}

/* The first version of struct sched_attr (man sched_setattr(2)). */
typedef struct {
	guint32 size, policy;
	guint64 flags;
	gint32 nice;
	guint32 priority;
	guint64 runtime_ns, deadline_ns, period_ns;
} Schedule;

static Schedule schedule_of(pid_t pid)
{
	Schedule schedule = {.size = sizeof schedule};
	assert_int_equal(syscall(SYS_sched_getattr, pid, &schedule, sizeof schedule, 0), 0);
	return schedule;
}

/* Kernels that let processes choose their slice tell it, too; older ones say 0. */
static void needs_slices(void)
{
	if (schedule_of(0).runtime_ns != 0)
		return;
	print_message("the kernel has no time slices to choose; Linux 6.12 has them\n");
	skip();
}

static const char *const sleeping_child[] = {"sh", "-c", "sleep 1000 & echo $!; wait", NULL};

typedef struct {
	Child *child;
	guint64 main_ns, started_ns; /* slices of the command and of what it started; 0 = not seen yet */
} SeenSlices;

static gboolean look_at_slices_once(gpointer data, GError **error)
{
	SeenSlices *seen = data;
	const char *pid = child_result(seen->child)->out->str;
	if (*pid == '\0' || seen->main_ns != 0)
		return TRUE;
	seen->main_ns = schedule_of(child_pid(seen->child)).runtime_ns;
	seen->started_ns = schedule_of((pid_t)g_ascii_strtoll(pid, NULL, 10)).runtime_ns;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "seen");
	return FALSE;
}

static void the_command_and_what_it_starts_have_the_slice_asked_for(void **state)
{
	(void)state;
	needs_slices();
	ChildSpec spec = {.argv = sleeping_child, .envp = plain_environment, .cwd = "/", .slice_ns = 700000};
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	SeenSlices seen = {.child = child};
	child_release(child);
	assert_false(child_wait_all(&child, 1, &(ChildDuties){.tick = look_at_slices_once, .data = &seen}, NULL));
	assert_int_equal(seen.main_ns, 700000);
	assert_int_equal(seen.started_ns, 700000);
}

static void without_a_slice_it_has_that_of_the_kernel(void **state)
{
	(void)state;
	needs_slices();
	ChildSpec spec = {.argv = sleeping_child, .envp = plain_environment, .cwd = "/"};
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	assert_int_equal(schedule_of(child_pid(child)).runtime_ns, schedule_of(0).runtime_ns);
}

static void a_slice_changes_neither_nice_value_nor_policy(void **state)
{
	(void)state;
	needs_slices();
	const struct sched_param no_priority = {0};
	int nice_before = getpriority(PRIO_PROCESS, 0), policy_before = sched_getscheduler(0);
	int nicer = MIN(nice_before + 3, 19);
	ChildSpec spec = {.argv = sleeping_child, .envp = plain_environment, .cwd = "/", .slice_ns = 700000};
	assert_int_equal(sched_setscheduler(0, SCHED_BATCH, &no_priority), 0);
	assert_int_equal(setpriority(PRIO_PROCESS, 0, nicer), 0);
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	setpriority(PRIO_PROCESS, 0, nice_before);
	sched_setscheduler(0, policy_before, &no_priority);
	assert_int_equal(schedule_of(child_pid(child)).policy, SCHED_BATCH);
	assert_int_equal(schedule_of(child_pid(child)).nice, nicer);
	assert_int_equal(schedule_of(child_pid(child)).runtime_ns, 700000);
}

static void a_slice_that_the_kernel_refuses_is_no_error(void **state)
{
	(void)state;
	ChildSpec spec = {.argv = sleeping_child, .envp = plain_environment, .cwd = "/", .slice_ns = G_MAXINT64};
	g_autoptr(Child) child = child_prepare(&spec, NULL);
	assert_non_null(child);
}

/* As long as an ended process may take to be gone: then a child that was done long ago looked like one that stays. */
static void a_child_may_end_long_before_the_other(void **state)
{
	(void)state;
	const char *short_argv[] = {"true", NULL}, *long_argv[] = {"sleep", "11", NULL};
	ChildSpec spec = {.argv = short_argv, .envp = plain_environment, .cwd = "/", .grace_ms = 1};
	g_autoptr(Child) first = child_prepare(&spec, NULL);
	spec.argv = long_argv;
	g_autoptr(Child) second = child_prepare(&spec, NULL);
	Child *children[] = {first, second};
	child_release(first);
	child_release(second);
	g_autoptr(GError) error = NULL;
	assert_true(child_wait_all(children, 2, NULL, &error));
	assert_int_equal(child_result(first)->exit_code, 0);
	assert_int_equal(child_result(second)->exit_code, 0);
}

static gboolean failing_tick(gpointer data, GError **error)
{
	(void)data;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "disk full");
	return FALSE;
}

static void an_error_of_the_tick_ends_all_children(void **state)
{
	(void)state;
	const char *argv[] = {"sleep", "1000", NULL};
	ChildSpec spec = {.argv = argv, .envp = plain_environment, .cwd = "/"};
	g_autoptr(GError) error = NULL;
	Child *children[] = {child_prepare(&spec, NULL), child_prepare(&spec, NULL)};
	child_release(children[0]);
	child_release(children[1]);
	assert_false(child_wait_all(children, 2, &(ChildDuties){.tick = failing_tick}, &error));
	assert_string_equal(error->message, "disk full");
	assert_int_equal(kill(child_pid(children[0]), 0), -1);
	assert_int_equal(kill(child_pid(children[1]), 0), -1);
	child_free(children[0]);
	child_free(children[1]);
}

static Child *run_with(ChildSpec spec, const char *script)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	spec.argv = argv;
	spec.envp = plain_environment;
	spec.cwd = "/";
	Child *child = child_run(&spec, NULL);
	assert_non_null(child);
	return child;
}

static void nothing_gains_privileges_where_that_is_asked_for(void **state)
{
	(void)state;
	g_autoptr(Child) without =
	        run_with((ChildSpec){.no_new_privileges = TRUE}, "grep NoNewPrivs /proc/self/status");
	assert_string_equal(child_result(without)->out->str, "NoNewPrivs:\t1\n");
	g_autofree char *status = NULL;
	assert_true(g_file_get_contents("/proc/self/status", &status, NULL, NULL));
	if (strstr(status, "NoNewPrivs:\t0") == NULL)
		skip();
	g_autoptr(Child) with = run_with((ChildSpec){0}, "grep NoNewPrivs /proc/self/status");
	assert_string_equal(child_result(with)->out->str, "NoNewPrivs:\t0\n");
}

static void how_it_is_scheduled_at_its_end_is_told(void **state)
{
	(void)state;
	g_autoptr(Child) calm = run_with((ChildSpec){0}, ":");
	const ChildResult *result = child_result(calm);
	assert_int_equal(result->began.nice, getpriority(PRIO_PROCESS, 0));
	assert_int_equal(result->began.policy, sched_getscheduler(0));
	assert_memory_equal(&result->began, &result->ended, sizeof result->began);
	if (result->began.nice > 15 || result->began.policy != SCHED_OTHER)
		skip();
	g_autoptr(Child) niced = run_with((ChildSpec){0}, "exec nice -n 3 true");
	assert_int_equal(child_result(niced)->ended.nice, result->began.nice + 3);
	g_autoptr(Child) batch = run_with((ChildSpec){0}, "exec chrt -b 0 true");
	assert_int_equal(child_result(batch)->ended.policy, SCHED_BATCH);
	assert_int_equal(child_result(batch)->began.policy, SCHED_OTHER);
}

static void that_it_has_left_its_cpus_is_told(void **state)
{
	(void)state;
	cpu_set_t set;
	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	if (CPU_COUNT(&set) < 2)
		skip();
	int cpus[2], n = 0;
	for (int cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[n++] = cpu;
	g_autofree char *out = g_strdup_printf("exec taskset -c %d true", cpus[1]);
	g_autofree char *within = g_strdup_printf("exec taskset -c %d true", cpus[0]);
	g_autoptr(Child) left = run_with((ChildSpec){.cpus = cpus, .n_cpus = 1}, out);
	assert_false(child_result(left)->ended.on_cpus);
	g_autoptr(Child) stayed = run_with((ChildSpec){.cpus = cpus, .n_cpus = 2}, within);
	assert_true(child_result(stayed)->ended.on_cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(exit_status_is_reported),
	        cmocka_unit_test(a_shell_whose_command_was_killed_names_the_signal),
	        cmocka_unit_test(a_child_may_end_long_before_the_other),
	        cmocka_unit_test(a_file_is_its_standard_input),
	        cmocka_unit_test(signal_is_named),
	        cmocka_unit_test(success_has_no_failure_text),
	        cmocka_unit_test(missing_program_is_told_apart_from_exit_127),
	        cmocka_unit_test(missing_folder_is_an_error),
	        cmocka_unit_test(a_cpu_that_is_not_there_is_an_error),
	        cmocka_unit_test(timeout_ends_a_process_that_ignores_sigterm),
	        cmocka_unit_test(a_daemon_in_its_own_session_is_killed),
	        cmocka_unit_test(cpu_time_of_orphans_is_counted),
	        cmocka_unit_test(output_is_counted_and_its_end_is_kept),
	        cmocka_unit_test(addresses_are_fixed_where_that_is_granted),
	        cmocka_unit_test(input_is_empty_and_the_environment_is_the_given_one),
	        cmocka_unit_test(peak_memory_is_that_of_the_child),
	        cmocka_unit_test(with_the_callers_output_it_writes_there),
	        cmocka_unit_test(with_the_callers_output_it_keeps_the_umask),
	        cmocka_unit_test(a_watched_descriptor_is_served_as_it_fills),
	        cmocka_unit_test(nothing_runs_before_the_release),
	        cmocka_unit_test(freeing_a_child_that_never_ran_leaves_no_process),
	        cmocka_unit_test(the_command_and_what_it_starts_have_the_slice_asked_for),
	        cmocka_unit_test(without_a_slice_it_has_that_of_the_kernel),
	        cmocka_unit_test(a_slice_changes_neither_nice_value_nor_policy),
	        cmocka_unit_test(a_slice_that_the_kernel_refuses_is_no_error),
	        cmocka_unit_test(an_error_of_the_tick_ends_all_children),
	        cmocka_unit_test(nothing_gains_privileges_where_that_is_asked_for),
	        cmocka_unit_test(how_it_is_scheduled_at_its_end_is_told),
	        cmocka_unit_test(that_it_has_left_its_cpus_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
