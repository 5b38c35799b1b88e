/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/runner/valgrindfixture.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define ADDRESS_VARIABLE "FIREBREAK_TEST_TEXT"

/* Compiles the program `./prog` for both sides. */
static void compile_both(const Bench *bench, const char *source)
{
	compile(&bench->sides[0], source);
	compile(&bench->sides[1], source);
}

static guint n_dumps(const char *recording, const char *kind)
{
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(recording, kind, NULL);
	return dumps != NULL ? dumps->len : 0;
}

/* The text that a program wrote into a file of its folder. Owned by the caller. */
static char *written(const Bench *bench, const char *name)
{
	g_autofree char *path = g_build_filename(bench->sides[0].tree_dir, name, NULL);
	char *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

static void runs_of_both_sides_at_once_count_the_same_every_time(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile_both(bench, PLAIN_PROGRAM);
	guint64 first = 0;
	for (guint round = 0; round < 3; round++) {
		RunRequest requests[2] = {new_request(bench, 0), new_request(bench, 1)};
		RunOutcome outcomes[2] = {0};
		assert_true(bench->executor->execute(bench->executor, requests, 2, outcomes, NULL));
		for (guint s = 0; s < 2; s++) {
			assert_null(outcomes[s].failure);
			assert_int_equal(outcomes[s].metrics->len, 0);
			assert_true(outcomes[s].facts.wall_ns > 0);
			first = first == 0 ? total(requests[s].recording) : first;
			assert_int_equal(total(requests[s].recording), first);
			run_outcome_clear(&outcomes[s]);
			g_free((char *)requests[s].recording);
		}
	}
	assert_true(first > 100000);
	bench_free(bench);
}

static void another_load_makes_no_difference(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile_both(bench, PLAIN_PROGRAM);
	guint64 alone = total_of_base(bench);
	const char *const argv[] = {"sh", "-c", "while :; do :; done", NULL};
	const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
	const ChildSpec spec = {.argv = argv, .envp = environment, .cwd = "/"};
	Child *loads[2];
	for (gsize i = 0; i < G_N_ELEMENTS(loads); i++) {
		loads[i] = child_prepare(&spec, NULL);
		child_release(loads[i]);
	}
	assert_int_equal(total_of_base(bench), alone);
	child_free(loads[0]);
	child_free(loads[1]);
	bench_free(bench);
}

static void more_runs_than_cpus_all_take_place(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	cpu_set_t cpus;
	assert_int_equal(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	guint n = (guint)CPU_COUNT(&cpus) + 1;
	compile_both(bench, PLAIN_PROGRAM);
	g_autofree RunRequest *requests = g_new0(RunRequest, n);
	g_autofree RunOutcome *outcomes = g_new0(RunOutcome, n);
	for (guint i = 0; i < n; i++)
		requests[i] = new_request(bench, i % 2);
	assert_true(bench->executor->execute(bench->executor, requests, n, outcomes, NULL));
	for (guint i = 0; i < n; i++) {
		assert_null(outcomes[i].failure);
		assert_int_equal(total(requests[i].recording), total(requests[0].recording));
	}
	for (guint i = 0; i < n; i++) {
		run_outcome_clear(&outcomes[i]);
		g_free((char *)requests[i].recording);
	}
	bench_free(bench);
}

static void length_of_paths_moves_neither_the_stack_nor_the_count(void **state)
{
	(void)state;
	static const char *const suffixes[] = {"", "-a", "-much-longer-than-that-with-50%-more-letters-0123456789"};
	g_autofree char *address = NULL;
	guint64 instructions = 0;
	for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		Bench *bench = bench_new(suffixes[i], "    command: [./prog]\n");
		compile(&bench->sides[0], ADDRESS_PROGRAM);
		guint64 here = total_of_base(bench);
		g_autofree char *address_here = written(bench, "address");
		if (address == NULL) {
			address = g_strdup(address_here);
			instructions = here;
		}
		assert_string_equal(address_here, address);
		assert_int_equal(here, instructions);
		bench_free(bench);
	}
}

/* A variable more does count: the loader looks at each. */
static void a_longer_environment_moves_neither_the_stack_nor_the_count(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\nenv: [" ADDRESS_VARIABLE "]\n");
	g_setenv(ADDRESS_VARIABLE, "", TRUE);
	compile(&bench->sides[0], ADDRESS_PROGRAM);
	guint64 instructions = total_of_base(bench);
	g_autofree char *address = written(bench, "address");
	for (guint length = 1; length <= 12000; length = length * 7 + 1) {
		g_autofree char *value = g_strnfill(length, 'v');
		g_setenv(ADDRESS_VARIABLE, value, TRUE);
		assert_int_equal(total_of_base(bench), instructions);
		g_autofree char *address_here = written(bench, "address");
		assert_string_equal(address_here, address);
	}
	g_unsetenv(ADDRESS_VARIABLE);
	bench_free(bench);
}

static void libc_takes_its_functions_for_the_plain_instruction_set(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	RunOutcome outcome = {0};
	compile(&bench->sides[0], PLAIN_PROGRAM);
	g_autofree char *recording = run_base(bench, &outcome);
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(recording, "callgrind", NULL);
	g_autofree char *text = NULL;
	assert_int_equal(dumps->len, 1);
	assert_true(g_file_get_contents(dumps->pdata[0], &text, NULL, NULL));
	assert_false(g_regex_match_simple("_(avx|avx2|evex|sse4|sse42|ssse3|erms)['\n]", text, 0, 0));
#if defined(__x86_64__) && defined(__GLIBC__)
	assert_true(g_regex_match_simple("fn=\\([0-9]+\\) __strlen_sse2['\n]", text, 0, 0));
#endif
	run_outcome_clear(&outcome);
	bench_free(bench);
}

static void tunables_of_the_user_come_last(void **state)
{
	(void)state;
	Bench *bench =
	        bench_new("", "    command: [sh, -c, 'echo $GLIBC_TUNABLES >tunables']\nenv: [GLIBC_TUNABLES]\n");
	g_setenv("GLIBC_TUNABLES", "glibc.malloc.arena_max=1", TRUE);
	total_of_base(bench);
	g_unsetenv("GLIBC_TUNABLES");
	g_autofree char *tunables = written(bench, "tunables");
	assert_true(g_str_has_prefix(tunables, bench->valgrind->tunables));
	assert_true(g_str_has_suffix(tunables, ":glibc.malloc.arena_max=1\n"));
	bench_free(bench);
}

static void the_benchmark_sees_nothing_that_a_wrapper_sets(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [sh, -c, 'env | sort >seen']\n");
	total_of_base(bench);
	g_autofree char *seen = written(bench, "seen");
	assert_non_null(strstr(seen, "\nHOME="));
	assert_null(strstr(seen, "GLIBCXX_FORCE_NEW"));
	assert_null(strstr(seen, "LD_LIBRARY_PATH"));
	assert_null(strstr(seen, "FIREBREAK_VALGRIND"));
	bench_free(bench);
}

static void every_process_leaves_its_counts(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [sh, -c, './prog && ./prog; ./prog']\n");
	RunOutcome outcome = {0};
	compile(&bench->sides[0], PLAIN_PROGRAM);
	g_autofree char *recording = run_base(bench, &outcome);
	assert_string_equal(outcome.failure != NULL ? outcome.failure : "", "");
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(recording, "callgrind", NULL);
	guint ends = 0;
	for (guint i = 0; i < dumps->len; i++)
		ends += g_regex_match_simple("/callgrind\\.[0-9]+$", dumps->pdata[i], 0, 0);
	assert_int_equal(ends, 4);
	run_outcome_clear(&outcome);
	guint64 of_all = total(recording);
	assert_int_equal(total_of_base(bench), of_all);
	bench_free(bench);
}

/* Both programs of the process count; only the first one before it was replaced. */
static void a_shell_that_becomes_the_program_counts_too(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [sh, -c, 'exec ./prog']\n");
	Bench *program = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], PLAIN_PROGRAM);
	compile(&program->sides[0], PLAIN_PROGRAM);
	guint64 alone = total_of_base(program), both = total_of_base(bench);
	assert_true(both > alone + 50000);
	assert_true(both < 2 * alone);
	bench_free(bench);
	bench_free(program);
}

#define FORK_PROGRAM                                                                                                   \
	WORK "#include <sys/wait.h>\n#include <unistd.h>\n"                                                            \
	     "int main(int c,char**v){size_t s=work(1000);for(int i=1;i<c;i++){if(fork()==0)return 0;wait(0);}"        \
	     "return s==0;}\n"

static void what_was_counted_before_a_fork_counts_once(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	Bench *forks = bench_new("", "    command: [./prog, one, two, three]\n");
	compile(&bench->sides[0], FORK_PROGRAM);
	compile(&forks->sides[0], FORK_PROGRAM);
	guint64 one = total_of_base(bench), four = total_of_base(forks);
	assert_true(four > one);
	assert_true(four < one + one / 4);
	bench_free(bench);
	bench_free(forks);
}

/* Does most of its work, then forks, then begins anew with another argument and the same part numbers. */
#define BEGIN_ANEW_PROGRAM                                                                                             \
	WORK "#include <sys/wait.h>\n#include <unistd.h>\n"                                                            \
	     "int main(int c,char**v){size_t s=work(c>1?10:1000);if(fork()==0)return 0;wait(0);"                       \
	     "if(c==1)execl(\"./prog\",\"prog\",\"again\",(char*)0);return s==0;}\n"

static void dumps_of_a_program_are_not_overwritten_by_the_next_one_in_its_process(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	Bench *forks = bench_new("", "    command: [./prog, one]\n");
	compile(&bench->sides[0], BEGIN_ANEW_PROGRAM);
	compile(&forks->sides[0], FORK_PROGRAM);
	guint64 anew = total_of_base(bench), once = total_of_base(forks);
	assert_true(anew > once);
	assert_true(anew < once + once / 3);
	bench_free(bench);
	bench_free(forks);
}

#define FAILING_START_PROGRAM                                                                                          \
	WORK "#include <spawn.h>\n#include <sys/wait.h>\n#include <unistd.h>\nextern char**environ;\n"                 \
	     "int main(int c,char**v){size_t s=work(1000);char*a[]={\"x\",0};pid_t p;if(c>1)switch(*v[1]){"            \
	     "case 'f':if(fork()==0){execv(\"/no/x\",a);_exit(1);}break;"                                              \
	     "case 'v':if(vfork()==0){execv(\"/no/x\",a);_exit(1);}break;"                                             \
	     "case 'p':posix_spawn(&p,\"/no/x\",0,0,a,environ);}while(wait(0)>0);return s==0;}\n"

static void a_program_that_cannot_be_started_does_not_count_its_parent_twice(void **state)
{
	(void)state;
	static const char *const ways[] = {"fork", "vfork", "posix_spawn"};
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], FAILING_START_PROGRAM);
	guint64 without = total_of_base(bench);
	for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_strfreev(bench->benchmark->command);
		bench->benchmark->command = g_strdupv((char *[]){(char *)"./prog", (char *)ways[i], NULL});
		guint64 with = total_of_base(bench);
		assert_true(with > without);
		assert_true(with < without + without / 4);
	}
	bench_free(bench);
}

static char *cpus_of_run(Bench *bench, guint number)
{
	RunRequest request = new_request(bench, 0);
	RunOutcome outcome = {0};
	request.number = number;
	assert_true(bench->executor->execute(bench->executor, &request, 1, &outcome, NULL));
	assert_string_equal(outcome.failure != NULL ? outcome.failure : "", "");
	run_outcome_clear(&outcome);
	g_free((char *)request.recording);
	return written(bench, "cpus");
}

static void runs_of_one_side_take_turns_with_the_cpus(void **state)
{
	(void)state;
	cpu_set_t cpus;
	assert_int_equal(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	guint n = (guint)CPU_COUNT(&cpus);
	if (n < 2) {
		print_message("there is only one CPU\n");
		skip();
	}
	Bench *bench = bench_new("", "    command: [sh, -c, 'grep Cpus_allowed_list /proc/self/status >cpus']\n");
	g_autofree char *first = cpus_of_run(bench, 0), *second = cpus_of_run(bench, 1), *round = cpus_of_run(bench, n);
	assert_string_not_equal(first, second);
	assert_string_equal(first, round);
	bench_free(bench);
}

static void limits_that_programs_look_at_are_always_the_same(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [sh, -c, 'ulimit -S -n >limits; ulimit -S -s >>limits']\n");
	struct rlimit before, lower;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	lower = (struct rlimit){900, before.rlim_max};
	total_of_base(bench);
	g_autofree char *usual = written(bench, "limits");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &lower), 0);
	total_of_base(bench);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	g_autofree char *then = written(bench, "limits");
	assert_string_equal(usual, then);
	bench_free(bench);
}

#define REGION_PROGRAM                                                                                                 \
	"#include <firebreak.h>\n" WORK                                                                                \
	"int main(int c,char**v){size_t s=work(500);if(c>1)firebreak_enable();s+=work(20);"                            \
	"if(c>1)firebreak_disable();return s+work(500)==0;}\n"

static void only_the_region_is_counted(void **state)
{
	(void)state;
	if (!g_file_test("/usr/include/valgrind/callgrind.h", G_FILE_TEST_EXISTS)) {
		print_message("valgrind/callgrind.h is not installed\n");
		skip();
	}
	Bench *region = bench_new("", "    command: [./prog, x]\n    measure: region\n");
	Bench *whole = bench_new("", "    command: [./prog, x]\n");
	compile(&region->sides[0], REGION_PROGRAM);
	compile(&whole->sides[0], REGION_PROGRAM);
	guint64 inside = total_of_base(region);
	assert_true(inside > 1000);
	assert_true(inside < total_of_base(whole) / 20);
	bench_free(region);
	bench_free(whole);
}

static void a_region_without_marks_is_missing(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n    measure: region\n");
	compile(&bench->sides[0], REGION_PROGRAM);
	g_autofree char *failure = failure_of_base(bench, "region_missing");
	assert_non_null(strstr(failure, "firebreak_enable()"));
	bench_free(bench);
}

static void heap_memory_is_counted_in_a_second_run(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n    heap: true\n");
	RunOutcome outcome = {0};
	compile(&bench->sides[0], PLAIN_PROGRAM);
	g_autofree char *recording = run_base(bench, &outcome);
	assert_string_equal(outcome.failure != NULL ? outcome.failure : "", "");
	assert_int_equal(n_dumps(recording, "callgrind"), 1);
	assert_int_equal(n_dumps(recording, "dhat"), 1);
	run_outcome_clear(&outcome);
	bench_free(bench);
}

static void heap_memory_of_copies_is_refused(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog, one]\n    heap: true\n");
	compile(&bench->sides[0], FORK_PROGRAM);
	g_autofree char *failure = failure_of_base(bench, "data_lost");
	assert_non_null(strstr(failure, "`heap` cannot be measured"));
	bench_free(bench);
}

static void heap_memory_of_programs_that_a_shell_starts_is_counted(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [sh, -c, './prog; ./prog']\n    heap: true\n");
	compile(&bench->sides[0], PLAIN_PROGRAM);
	g_autofree char *recording = good_run_of_base(bench);
	assert_int_equal(n_dumps(recording, "dhat"), 3);
	bench_free(bench);
}

static void without_heap_there_is_no_second_run(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	RunOutcome outcome = {0};
	g_autoptr(GError) error = NULL;
	compile(&bench->sides[0], PLAIN_PROGRAM);
	g_autofree char *recording = run_base(bench, &outcome);
	assert_null(valgrind_run_dumps(recording, "dhat", &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_INVALID);
	run_outcome_clear(&outcome);
	bench_free(bench);
}

static void caches_are_simulated_where_asked_for(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n    cache: true\n");
	RunOutcome outcome = {0};
	compile(&bench->sides[0], PLAIN_PROGRAM);
	g_autofree char *recording = run_base(bench, &outcome);
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(recording, "callgrind", NULL);
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents(dumps->pdata[0], &text, NULL, NULL));
	assert_non_null(strstr(text, "desc: LL cache: 8388608 B, 64 B, 16-way associative"));
	assert_true(g_regex_match_simple("\nevents: Ir Dr Dw .* Bcm Bi Bim sysCount", text, 0, 0));
	run_outcome_clear(&outcome);
	bench_free(bench);
}

/* Such a file is part of the checkout, and options in it would decide what is counted. */
static void a_valgrindrc_of_the_checkout_is_not_read(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile_both(bench, PLAIN_PROGRAM);
	guint64 without = total_of_base(bench);
	g_autofree char *file = g_build_filename(bench->sides[0].tree_dir, ".valgrindrc", NULL);
	assert_true(g_file_set_contents(file, "--callgrind:toggle-collect=work\n", -1, NULL));
	assert_int_equal(total_of_base(bench), without);
	bench_free(bench);
}

static void of_what_the_benchmark_reports_itself_the_work_counts(void **state)
{
	(void)state;
	Bench *bench =
	        bench_new("", "    command: [sh, -c, 'printf \"work 20\\nx 1 s lower\\n\" >$FIREBREAK_METRICS']\n"
	                      "    work: reported\n    metrics: [latency]\n");
	RunOutcome outcome = {0};
	G_GNUC_UNUSED g_autofree char *recording = run_base(bench, &outcome);
	assert_string_equal(outcome.failure != NULL ? outcome.failure : "", "");
	assert_null(outcome.own);
	assert_int_equal(outcome.metrics->len, 0);
	assert_true(outcome.facts.work == 20);
	run_outcome_clear(&outcome);
	bench_free(bench);
}

static void a_report_that_is_malformed_fails_the_run(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [sh, -c, 'echo nonsense >$FIREBREAK_METRICS']\n");
	g_autofree char *failure = failure_of_base(bench, "metrics_malformed");
	assert_non_null(strstr(failure, "line 1"));
	bench_free(bench);
}

static void a_recording_that_is_there_already_is_an_error(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [ls]\n");
	RunOutcome outcome = {0};
	g_autoptr(GError) error = NULL;
	RunRequest request = {.benchmark = bench->benchmark, .side = &bench->sides[0], .recording = bench->dir};
	assert_false(bench->executor->execute(bench->executor, &request, 1, &outcome, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	run_outcome_clear(&outcome);
	bench_free(bench);
}

/* Makes personality(ADDR_NO_RANDOMIZE) fail from now on, as the default filter of containers does. */
static void forbid_fixed_addresses(void)
{
	struct sock_filter program[] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 3),
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ADDR_NO_RANDOMIZE, 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = G_N_ELEMENTS(program), .filter = program};
	assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

/* The last test: what it forbids stays forbidden. */
static void that_addresses_stay_random_is_said_once(void **state)
{
	(void)state;
	Bench *bench = bench_new("", "    command: [./prog]\n");
	compile(&bench->sides[0], PLAIN_PROGRAM);
	total_of_base(bench);
	gboolean granted_before = !finding_has(bench->findings, "random_addresses_stay");
	guint before = finding_count(bench->findings);
	forbid_fixed_addresses();
	total_of_base(bench);
	total_of_base(bench);
	assert_true(finding_has(bench->findings, "random_addresses_stay"));
	assert_int_equal(finding_count(bench->findings), before + (granted_before ? 1 : 0));
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(runs_of_both_sides_at_once_count_the_same_every_time),
	        cmocka_unit_test(another_load_makes_no_difference),
	        cmocka_unit_test(more_runs_than_cpus_all_take_place),
	        cmocka_unit_test(length_of_paths_moves_neither_the_stack_nor_the_count),
	        cmocka_unit_test(a_longer_environment_moves_neither_the_stack_nor_the_count),
	        cmocka_unit_test(libc_takes_its_functions_for_the_plain_instruction_set),
	        cmocka_unit_test(tunables_of_the_user_come_last),
	        cmocka_unit_test(the_benchmark_sees_nothing_that_a_wrapper_sets),
	        cmocka_unit_test(every_process_leaves_its_counts),
	        cmocka_unit_test(a_shell_that_becomes_the_program_counts_too),
	        cmocka_unit_test(what_was_counted_before_a_fork_counts_once),
	        cmocka_unit_test(dumps_of_a_program_are_not_overwritten_by_the_next_one_in_its_process),
	        cmocka_unit_test(a_program_that_cannot_be_started_does_not_count_its_parent_twice),
	        cmocka_unit_test(runs_of_one_side_take_turns_with_the_cpus),
	        cmocka_unit_test(limits_that_programs_look_at_are_always_the_same),
	        cmocka_unit_test(heap_memory_of_copies_is_refused),
	        cmocka_unit_test(heap_memory_of_programs_that_a_shell_starts_is_counted),
	        cmocka_unit_test(only_the_region_is_counted),
	        cmocka_unit_test(a_region_without_marks_is_missing),
	        cmocka_unit_test(heap_memory_is_counted_in_a_second_run),
	        cmocka_unit_test(without_heap_there_is_no_second_run),
	        cmocka_unit_test(caches_are_simulated_where_asked_for),
	        cmocka_unit_test(a_valgrindrc_of_the_checkout_is_not_read),
	        cmocka_unit_test(of_what_the_benchmark_reports_itself_the_work_counts),
	        cmocka_unit_test(a_report_that_is_malformed_fails_the_run),
	        cmocka_unit_test(a_recording_that_is_there_already_is_an_error),
	        cmocka_unit_test(that_addresses_stay_random_is_said_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
