/* SPDX-License-Identifier: Apache-2.0 */
/* Each test gives up its rights in a process of its own, which says by its exit code what it still could do. */
#include "profile/symbols/sandbox.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define IS_FILTERED (!SANDBOX_IS_SANITIZED)
#else
#define IS_FILTERED 0
#endif

static pid_t parent;

static int run_in_child(int (*function)(void))
{
	int status;
	parent = getpid();
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(function());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void skip_unless_filtered(void)
{
	if (IS_FILTERED)
		return;
	print_message("skipped: system calls are not filtered here\n");
	skip();
}

/* The number of the first thing that is not as it should be; 0 = none. */
static int reach_for_others(void)
{
	struct rlimit limit;
	if (!sandbox_enter(NULL))
		return 1;
	if (syscall(SYS_tgkill, parent, parent, 0) == 0 || errno != EPERM)
		return 2;
	if (syscall(SYS_prlimit64, parent, RLIMIT_CORE, NULL, &limit) == 0 || errno != EPERM)
		return 3;
	if (syscall(SYS_kill, parent, 0) == 0)
		return 4;
	return 0;
}

static void other_processes_are_out_of_reach(void **state)
{
	(void)state;
	skip_unless_filtered();
	assert_int_equal(run_in_child(reach_for_others), 0);
}

static int look_after_itself(void)
{
	struct rlimit limit;
	if (!sandbox_enter(NULL))
		return 1;
	if (syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0) != 0)
		return 2;
	if (syscall(SYS_prlimit64, 0, RLIMIT_CORE, NULL, &limit) != 0 || limit.rlim_cur != 0)
		return 3;
	if (syscall(SYS_prlimit64, getpid(), RLIMIT_CORE, NULL, &limit) != 0)
		return 4;
	return open("/proc/self/maps", O_RDONLY | O_CLOEXEC) >= 0 ? 0 : 5;
}

static void a_confined_process_can_read_files_and_end_itself(void **state)
{
	(void)state;
	skip_unless_filtered();
	assert_int_equal(run_in_child(look_after_itself), 0);
}

#define NOBODY 65534

/* As an ordinary user: root may write to whatever lies in /proc. */
static int volunteer_to_be_killed(void)
{
	char text[8] = "";
	if (geteuid() == 0 && (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0 ||
	                              prctl(PR_SET_DUMPABLE, 1) != 0))
		return 77;
	if (!sandbox_enter(NULL))
		return 1;
	int fd = open("/proc/self/oom_score_adj", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof text - 1) < 0)
		return 2;
	return g_str_equal(text, "1000\n") ? 0 : 3;
}

static void where_memory_is_short_the_confined_process_goes_first(void **state)
{
	(void)state;
	skip_unless_filtered();
	int result = run_in_child(volunteer_to_be_killed);
	if (result == 77) {
		print_message("skipped: this process cannot become an ordinary user\n");
		skip();
	}
	assert_int_equal(result, 0);
}

/* A kernel without filters, as far as this process can see. */
static gboolean forbid_filters(void)
{
	struct sock_filter code[] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = G_N_ELEMENTS(code), .filter = code};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int enter_without_filters(void)
{
	g_autoptr(GError) error = NULL;
	if (!forbid_filters())
		return 77;
	if (sandbox_enter(&error))
		return 1;
	return g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT) ? 0 : 2;
}

static void without_a_filter_of_system_calls_there_is_no_sandbox(void **state)
{
	(void)state;
	skip_unless_filtered();
	int result = run_in_child(enter_without_filters);
	if (result == 77) {
		print_message("skipped: this kernel has no filters of system calls\n");
		skip();
	}
	assert_int_equal(result, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(other_processes_are_out_of_reach),
	        cmocka_unit_test(a_confined_process_can_read_files_and_end_itself),
	        cmocka_unit_test(where_memory_is_short_the_confined_process_goes_first),
	        cmocka_unit_test(without_a_filter_of_system_calls_there_is_no_sandbox),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
