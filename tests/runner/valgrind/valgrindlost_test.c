/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/runner/valgrindfixture.h"

#define UNSEEN_FORK_PROGRAM                                                                                            \
	WORK "#include <signal.h>\n#include <sys/syscall.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"             \
	     "int main(void){size_t s=work(100);if(syscall(SYS_clone,SIGCHLD,0,0,0,0)==0)_exit(0);wait(0);"            \
	     "return s==0;}\n"

static void a_copy_that_could_not_be_seen_is_lost_data(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], UNSEEN_FORK_PROGRAM);
	g_autofree char *failure = failure_of_base(bench, "data_lost");
	assert_non_null(strstr(failure, "would count twice"));
	bench_free(bench);
}

#define UNSEEN_EXEC_PROGRAM                                                                                            \
	WORK "#include <sys/syscall.h>\n#include <unistd.h>\nextern char**environ;\n"                                  \
	     "int main(void){char*a[]={\"true\",0};work(100);syscall(SYS_execve,\"/bin/true\",a,environ);return 1;}\n"

static void a_program_that_gives_up_its_place_unseen_is_lost_data(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], UNSEEN_EXEC_PROGRAM);
	g_autofree char *failure = failure_of_base(bench, "data_lost");
	assert_non_null(strstr(failure, "another program in its place"));
	bench_free(bench);
}

#define WORKING_COPY_PROGRAM                                                                                           \
	WORK "#include <sys/syscall.h>\n#include <sys/wait.h>\n#include <unistd.h>\nextern char**environ;\n"           \
	     "int main(int c,char**v){char*a[]={\"true\",0};size_t s=work(50);if(fork()==0){"                          \
	     "if(c>1)for(volatile long i=0;i<60000000;i++);"                                                           \
	     "syscall(SYS_execve,\"/bin/true\",a,environ);_exit(1);}wait(0);return s==0;}\n"

/* As Go's programs start others; but what such a copy does for long would be lost. */
static void a_copy_that_works_before_it_gives_up_its_place_unseen_is_lost_data(void **state)
{
	(void)state;
	Bench *at_once = bench_new("", "    command: [./prog]\n");
	compile(&at_once->sides[0], WORKING_COPY_PROGRAM);
	assert_true(total_of_base(at_once) > 0);
	bench_free(at_once);
	Bench *working = bench_new("", "    command: [./prog, work]\n");
	compile(&working->sides[0], WORKING_COPY_PROGRAM);
	g_autofree char *failure = failure_of_base(working, "data_lost");
	assert_non_null(strstr(failure, "a copy of a process ran another program in its place"));
	bench_free(working);
}

/* Does most of its work while callgrind is told not to count it. */
#define REQUEST_PROGRAM                                                                                                \
	WORK "#include <unistd.h>\n#include <valgrind/callgrind.h>\n#include <valgrind/memcheck.h>\n"                  \
	     "static void request(const char*what,int end){"                                                           \
	     "if(!strcmp(what,\"stop\")){if(end)CALLGRIND_START_INSTRUMENTATION;else CALLGRIND_STOP_INSTRUMENTATION;}" \
	     "if(!strcmp(what,\"toggle\"))CALLGRIND_TOGGLE_COLLECT;"                                                   \
	     "if(!strcmp(what,\"zero\")&&end)CALLGRIND_ZERO_STATS;"                                                    \
	     "if(!strcmp(what,\"monitor\"))VALGRIND_MONITOR_COMMAND(end?\"instrumentation on\":\"instrumentation "     \
	     "off\");"                                                                                                 \
	     "if(!strcmp(what,\"monitor-zero\")&&end)VALGRIND_MONITOR_COMMAND(\"zero\");"                              \
	     "if(!strcmp(what,\"option\"))VALGRIND_CLO_CHANGE(\"--trace-children=no\");"                               \
	     "if(!strcmp(what,\"harmless\")){CALLGRIND_START_INSTRUMENTATION;CALLGRIND_DUMP_STATS;"                    \
	     "VALGRIND_MAKE_MEM_DEFINED(what,1);}}\n"                                                                  \
	     "int main(int c,char**v){size_t s=work(20);request(v[1],0);s+=work(100);request(v[1],1);"                 \
	     "if(c>2)execl(\"/bin/true\",\"true\",(char*)0);return s==0;}\n"

static gboolean has_valgrind_header(void)
{
	return g_file_test("/usr/include/valgrind/callgrind.h", G_FILE_TEST_EXISTS) ||
	       g_file_test("/usr/local/include/valgrind/callgrind.h", G_FILE_TEST_EXISTS);
}

static void set_arguments(Bench *bench, const char *first, const char *second)
{
	g_strfreev(bench->benchmark->command);
	bench->benchmark->command = g_strdupv((char *[]){(char *)"./prog", (char *)first, (char *)second, NULL});
}

static void requests_that_hide_work_are_lost_data(void **state)
{
	static const char *const requests[][2] = {
	        {"stop", "CALLGRIND_STOP_INSTRUMENTATION"},
	        {"toggle", "CALLGRIND_TOGGLE_COLLECT"},
	        {"zero", "CALLGRIND_ZERO_STATS"},
	        {"monitor", "CALLGRIND_STOP_INSTRUMENTATION"},
	        {"monitor-zero", "CALLGRIND_ZERO_STATS"},
	        {"option", "VALGRIND_CLO_CHANGE"},
	};
	(void)state;
	if (!has_valgrind_header()) {
		print_message("valgrind/callgrind.h is not installed\n");
		skip();
	}
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], REQUEST_PROGRAM);
	for (gsize i = 0; i < G_N_ELEMENTS(requests); i++) {
		set_arguments(bench, requests[i][0], NULL);
		g_autofree char *failure = failure_of_base(bench, "data_lost");
		assert_non_null(strstr(failure, requests[i][1]));
	}
	/* also by a program that makes way for another */
	set_arguments(bench, "toggle", "exec");
	g_autofree char *failure = failure_of_base(bench, "data_lost");
	assert_non_null(strstr(failure, "CALLGRIND_TOGGLE_COLLECT"));
	bench_free(bench);
}

static void other_requests_do_no_harm(void **state)
{
	(void)state;
	if (!has_valgrind_header()) {
		print_message("valgrind/callgrind.h is not installed\n");
		skip();
	}
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], REQUEST_PROGRAM);
	set_arguments(bench, "none", NULL);
	guint64 without = total_of_base(bench);
	set_arguments(bench, "harmless", NULL);
	guint64 with = total_of_base(bench);
	assert_true(with > without && with < without + without / 100);
	bench_free(bench);
}

#define DYING_CHILD_PROGRAM                                                                                            \
	"#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"                                            \
	"int main(int c,char**v){if(fork()==0){raise(c>1?SIGTERM:SIGABRT);}wait(0);return 0;}\n"

static void a_process_that_crashes_is_told_even_if_its_parent_does_not_care(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], DYING_CHILD_PROGRAM);
	g_autofree char *failure = failure_of_base(bench, "benchmark_failed");
	assert_non_null(strstr(failure, "(./prog) was killed by SIGABRT"));
	assert_non_null(strstr(failure, "main (prog.c:"));
	bench_free(bench);
}

static void a_process_that_is_ended_on_purpose_is_no_failure(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog, terminate]\n");
	compile(&bench->sides[0], DYING_CHILD_PROGRAM);
	assert_true(total_of_base(bench) > 0);
	bench_free(bench);
}

#define CONTAINER_PROGRAM                                                                                              \
	"#define _GNU_SOURCE\n#include <sched.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"                        \
	"int main(void){if(unshare(CLONE_NEWPID))return 9;if(fork()==0)return 0;wait(0);return 0;}\n"

static void numbers_of_processes_in_a_container_are_not_trusted(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	RunOutcome outcome = {0};
	compile(&bench->sides[0], CONTAINER_PROGRAM);
	g_free(run_base(bench, &outcome));
	gboolean refused = g_strcmp0(outcome.failure, "./prog exited with 9") == 0;
	if (!refused) {
		assert_string_equal(outcome.failure_code, "data_lost");
		assert_non_null(strstr(outcome.failure, "container"));
	}
	run_outcome_clear(&outcome);
	bench_free(bench);
	if (refused) {
		print_message("containers cannot be made here\n");
		skip();
	}
}

static void a_process_that_gives_up_its_privileges_is_missed(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("only root can give up privileges\n");
		skip();
	}
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], "#include <sys/wait.h>\n#include <unistd.h>\n"
	                          "int main(void){if(fork()==0)return setuid(65534);wait(0);return 0;}\n");
	g_autofree char *failure = failure_of_base(bench, "data_lost");
	assert_non_null(strstr(failure, "gave up the privileges"));
	bench_free(bench);
}

static void what_is_no_file_in_the_place_of_a_dump_is_lost_data(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [mkfifo, ../recording0/callgrind.999999999]\n");
	g_autofree char *failure = failure_of_base(bench, "data_lost");
	assert_non_null(strstr(failure, "callgrind.999999999 is in the place of a dump"));
	bench_free(bench);
}

static void a_program_that_fails_is_told_with_what_it_said(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [sh, -c, 'echo no input >&2; exit 3']\n");
	g_autofree char *failure = failure_of_base(bench, "benchmark_failed");
	assert_string_equal(failure, "sh exited with 3\nno input\n");
	bench_free(bench);
}

static void what_valgrind_says_of_a_crash_is_told(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], "int main(void){*(volatile int*)16=1;return 0;}\n");
	g_autofree char *failure = failure_of_base(bench, "benchmark_failed");
	assert_non_null(strstr(failure, "killed by SIGSEGV"));
	assert_non_null(strstr(failure, "prog.c:1"));
	bench_free(bench);
}

static void a_program_that_is_not_there_is_told_as_such(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./missing]\n");
	g_autofree char *failure = failure_of_base(bench, "benchmark_failed");
	assert_true(g_str_has_prefix(failure, "./missing could not be started under valgrind; "));
	assert_non_null(strstr(failure, "No such file"));
	bench_free(bench);
}

static void a_run_is_ended_after_a_hundred_times_its_time(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], "int main(void){for(;;);}\n");
	bench->benchmark->timeout_ms = 10;
	g_autofree char *failure = failure_of_base(bench, "timeout");
	const char *said = strstr(failure, "timed out after ");
	assert_non_null(said);
	assert_true(g_ascii_strtod(said + strlen("timed out after "), NULL) >= 1); /* later on a busy machine */
	bench_free(bench);
}

static void a_process_that_was_killed_is_missed(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0],
	        "#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
	        "int main(void){int p[2];char c;pipe(p);pid_t k=fork();if(k==0){write(p[1],\"x\",1);for(;;)pause();}"
	        "read(p[0],&c,1);kill(k,SIGKILL);waitpid(k,0,0);return 0;}\n");
	g_autofree char *failure = failure_of_base(bench, "data_lost");
	assert_true(g_str_has_prefix(failure, "1 of its 2 processes left no counts"));
	bench_free(bench);
}

static void a_process_left_behind_is_escaped_work(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [sh, -c, 'setsid sleep 1000 & sleep 0.1']\n");
	g_autofree char *failure = failure_of_base(bench, "escaped_work");
	assert_non_null(strstr(failure, "left processes behind"));
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_copy_that_could_not_be_seen_is_lost_data),
	        cmocka_unit_test(a_program_that_gives_up_its_place_unseen_is_lost_data),
	        cmocka_unit_test(a_copy_that_works_before_it_gives_up_its_place_unseen_is_lost_data),
	        cmocka_unit_test(requests_that_hide_work_are_lost_data),
	        cmocka_unit_test(other_requests_do_no_harm),
	        cmocka_unit_test(a_process_that_crashes_is_told_even_if_its_parent_does_not_care),
	        cmocka_unit_test(a_process_that_is_ended_on_purpose_is_no_failure),
	        cmocka_unit_test(numbers_of_processes_in_a_container_are_not_trusted),
	        cmocka_unit_test(a_process_that_gives_up_its_privileges_is_missed),
	        cmocka_unit_test(what_is_no_file_in_the_place_of_a_dump_is_lost_data),
	        cmocka_unit_test(a_program_that_fails_is_told_with_what_it_said),
	        cmocka_unit_test(what_valgrind_says_of_a_crash_is_told),
	        cmocka_unit_test(a_program_that_is_not_there_is_told_as_such),
	        cmocka_unit_test(a_run_is_ended_after_a_hundred_times_its_time),
	        cmocka_unit_test(a_process_that_was_killed_is_missed),
	        cmocka_unit_test(a_process_left_behind_is_escaped_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
