/* Runs under the valgrind of this machine, of programs that are compiled here. */
#include "runner/valgrind/valgrindrun.h"

#include "core/child.h"
#include "core/durable.h"
#include "core/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define ADDRESS_VARIABLE "FIREBREAK_TEST_TEXT"

/* Two sides and an executor; everything in a temporary folder. */
typedef struct {
	char *dir;
	Arena *arena;
	Valgrind *valgrind;
	Config *config;
	ConfigBenchmark *benchmark;
	FindingList *findings;
	Executor *executor;
	Side sides[2];
	guint n_recordings;
} Bench;

static void make_side(const Bench *bench, Side *side, const char *name)
{
	side->name = name;
	side->tree_dir = g_build_filename(bench->dir, name, NULL);
	side->arena = bench->arena;
	assert_int_equal(g_mkdir(side->tree_dir, 0700), 0);
}

/* A bench in a folder whose name ends with `suffix`, for the benchmark with the keys `keys`; skips the test where there
 * is no valgrind. */
static Bench *bench_new(const char *suffix, const char *keys)
{
	Bench *bench = g_new0(Bench, 1);
	g_autoptr(GError) error = NULL;
	g_autofree char *template = g_strconcat(g_get_tmp_dir(), "/firebreak-valgrind-XXXXXX", NULL);
	g_autofree char *text = g_strdup_printf(
	        "version: 1\nbuild: {command: make}\nbenchmarks:\n  - name: sample\n    engines: [perf, callgrind]\n%s",
	        keys);
	bench->valgrind = valgrind_find(&error);
	if (bench->valgrind == NULL) {
		print_message("%s\n", error->message);
		g_free(bench);
		skip();
	}
	assert_non_null(g_mkdtemp(template));
	bench->dir = g_strconcat(template, suffix, NULL);
	assert_int_equal(g_rename(template, bench->dir), 0);
	bench->config = config_parse(text, strlen(text), CONFIG_FILE, &error);
	if (error != NULL)
		fail_msg("%s", error->message);
	bench->benchmark = bench->config->benchmarks->pdata[0];
	bench->findings = finding_list_new();
	bench->executor = valgrind_executor_new(bench->valgrind, bench->findings);
	bench->arena = arena_new(bench->dir, NULL, &error);
	assert_non_null(bench->arena);
	make_side(bench, &bench->sides[0], "base");
	make_side(bench, &bench->sides[1], "head");
	return bench;
}

static void bench_free(Bench *bench)
{
	executor_free(bench->executor);
	valgrind_free(bench->valgrind);
	config_free(bench->config);
	finding_list_free(bench->findings);
	for (gsize s = 0; s < G_N_ELEMENTS(bench->sides); s++)
		side_clear(&bench->sides[s]);
	arena_free(bench->arena);
	durable_remove_tree(bench->dir, NULL);
	g_free(bench->dir);
	g_free(bench);
}

static void compile(const Side *side, const char *source)
{
	g_autofree char *file = g_build_filename(side->tree_dir, "prog.c", NULL);
	assert_true(g_file_set_contents(file, source, -1, NULL));
	const char *const argv[] = {"cc", "-O1", "-g", "-fno-builtin", "-pthread", "-I", (SOURCE_DIR "/include"),
	        "-ffile-prefix-map=.=.", "prog.c", "-o", "prog", NULL};
	g_auto(GStrv) environment = g_get_environ();
	const ChildSpec spec = {.argv = argv, .envp = (const char *const *)environment, .cwd = side->tree_dir};
	g_autoptr(Child) child = child_run(&spec, NULL);
	assert_non_null(child);
	assert_int_equal(child_result(child)->exit_code, 0);
}

/* Compiles the program `./prog` for both sides. */
static void compile_both(const Bench *bench, const char *source)
{
	compile(&bench->sides[0], source);
	compile(&bench->sides[1], source);
}

/* A request for one more run; its recording is a new name, to be freed. */
static RunRequest new_request(Bench *bench, guint side)
{
	g_autofree char *name = g_strdup_printf("recording%u", bench->n_recordings++);
	return (RunRequest){
	        .benchmark = bench->benchmark,
	        .side = &bench->sides[side],
	        .recording = g_build_filename(bench->dir, name, NULL),
	        .pass_env = bench->config->pass_env,
	};
}

/* One run of base; its recording is owned by the caller. */
static char *run_base(Bench *bench, RunOutcome *outcome)
{
	g_autoptr(GError) error = NULL;
	RunRequest request = new_request(bench, 0);
	assert_true(bench->executor->execute(bench->executor, &request, 1, outcome, &error));
	return (char *)request.recording;
}

/* The first total of all dumps of a run together. */
static guint64 total(const char *recording)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(recording, "callgrind", &error);
	guint64 sum = 0;
	assert_null(error);
	for (guint i = 0; i < dumps->len; i++) {
		g_autofree char *text = NULL;
		assert_true(g_file_get_contents(dumps->pdata[i], &text, NULL, NULL));
		const char *totals = g_strrstr(text, "\ntotals: ");
		assert_non_null(totals);
		sum += g_ascii_strtoull(totals + strlen("\ntotals: "), NULL, 10);
	}
	return sum;
}

static guint n_dumps(const char *recording, const char *kind)
{
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(recording, kind, NULL);
	return dumps != NULL ? dumps->len : 0;
}

#define MAX_TRIES 5

/* Runs base, which must go well; its recording is owned by the caller. What a busy machine made late is tried again, as
 * a check does. */
static char *good_run_of_base(Bench *bench)
{
	RunOutcome outcome = {0};
	char *recording = run_base(bench, &outcome);
	for (guint tries = 1; outcome.failure != NULL && outcome.retry && tries < MAX_TRIES; tries++) {
		run_outcome_clear(&outcome);
		outcome = (RunOutcome){0};
		g_free(recording);
		recording = run_base(bench, &outcome);
	}
	assert_string_equal(outcome.failure != NULL ? outcome.failure : "", "");
	run_outcome_clear(&outcome);
	return recording;
}

/* The total of such a run. */
static guint64 total_of_base(Bench *bench)
{
	g_autofree char *recording = good_run_of_base(bench);
	return total(recording);
}

/* Runs base once, which must fail with that code, and returns the text. Owned by the caller. */
static char *failure_of_base(Bench *bench, const char *code)
{
	RunOutcome outcome = {0};
	G_GNUC_UNUSED g_autofree char *recording = run_base(bench, &outcome);
	assert_non_null(outcome.failure_code);
	assert_string_equal(outcome.failure_code, code);
	char *failure = g_strdup(outcome.failure);
	run_outcome_clear(&outcome);
	return failure;
}

/* The text that a program wrote into a file of its folder. Owned by the caller. */
static char *written(const Bench *bench, const char *name)
{
	g_autofree char *path = g_build_filename(bench->sides[0].tree_dir, name, NULL);
	char *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

/* Uses what libc chooses by processor, and memory. */
#define WORK                                                                                                           \
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"                                               \
	"static size_t work(int n){size_t s=0;for(int i=1;i<n;i++){char*b=malloc(i*7+8);memset(b,'a',i*7);b[i*7]=0;"   \
	"char*c=strdup(b);s+=strlen(c)+(strchr(c,'b')!=0)+strcmp(b,c);free(b);free(c);}return s;}\n"
#define PLAIN_PROGRAM WORK "int main(void){printf(\"%zu\\n\",work(300));}\n"
#define ADDRESS_PROGRAM                                                                                                \
	WORK "int main(void){int local;FILE*f=fopen(\"address\",\"w\");fprintf(f,\"%p\",(void*)&local);fclose(f);"     \
	     "return work(100)==0;}\n"

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
	        cmocka_unit_test(runs_of_one_side_take_turns_with_the_cpus),
	        cmocka_unit_test(limits_that_programs_look_at_are_always_the_same),
	        cmocka_unit_test(heap_memory_of_copies_is_refused),
	        cmocka_unit_test(heap_memory_of_programs_that_a_shell_starts_is_counted),
	        cmocka_unit_test(a_program_that_fails_is_told_with_what_it_said),
	        cmocka_unit_test(what_valgrind_says_of_a_crash_is_told),
	        cmocka_unit_test(a_program_that_is_not_there_is_told_as_such),
	        cmocka_unit_test(a_run_is_ended_after_a_hundred_times_its_time),
	        cmocka_unit_test(a_process_that_was_killed_is_missed),
	        cmocka_unit_test(a_process_left_behind_is_escaped_work),
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
