/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrindcommand.h"

#include "runner/frameworks/frameworkrun.h"
#include "runner/runfolder.h"

#include <string.h>

#define STACK_START_BYTES 16384
/* As large as any usual limit, so that programs that run without valgrind run here, too; in bytes. */
#define MAIN_STACK "--main-stacksize=16777216"

/* Of the vector that the kernel hands to every program; newer kernels have more entries. */
static gsize auxiliary_bytes(void)
{
	g_autofree char *vector = NULL;
	gsize length = 0;
	return g_file_get_contents("/proc/self/auxv", &vector, &length, NULL) ? length : 0;
}

/* Adds up the bytes of the texts and of a pointer to each. */
static gsize texts_bytes(char *const *texts)
{
	gsize bytes = 0;
	for (; *texts != NULL; texts++)
		bytes += strlen(*texts) + 1 + sizeof(char *);
	return bytes;
}

/* The name of the program is there twice. What valgrind itself adds is the same for all. */
static gsize stack_start_bytes(char *const *argv, char *const *environment)
{
	return texts_bytes(argv) + strlen(argv[0]) + 1 + texts_bytes(environment) + auxiliary_bytes();
}

static char **add_tunables(char **environment, const char *tunables)
{
	const char *own = g_environ_getenv(environment, "GLIBC_TUNABLES");
	g_autofree char *all = own != NULL && *own != '\0' ? g_strconcat(tunables, ":", own, NULL) : g_strdup(tunables);
	return g_environ_setenv(environment, "GLIBC_TUNABLES", all, TRUE);
}

static FrameworkRun run_of(const ValgrindCommand *command)
{
	return framework_run(command->request->benchmark, command->dir, &engine_callgrind);
}

static char **environment_with(const ValgrindCommand *command, gsize padding)
{
	char **environment = run_environment(command->request, command->dir, (guint)padding);
	const FrameworkRun framework = run_of(command);
	environment = framework_environment(&framework, environment);
	environment = add_tunables(environment, command->valgrind->tunables);
	/* in a run that is counted as a whole, marks would switch counting off */
	if (command->request->benchmark->measure == MEASURE_REGION)
		environment = g_environ_setenv(environment, "FIREBREAK_VALGRIND", "1", TRUE);
	return environment;
}

char **valgrind_command_environment(const ValgrindCommand *command)
{
	const FrameworkRun framework = run_of(command);
	g_auto(GStrv) bare = environment_with(command, 0), words = framework_command(&framework);
	gsize bytes = stack_start_bytes(words, bare);
	gsize whole = (bytes + STACK_START_BYTES - 1) / STACK_START_BYTES * STACK_START_BYTES;
	return environment_with(command, whole - bytes);
}

static void add_options(GPtrArray *argv, const char *const *options)
{
	for (; *options != NULL; options++)
		g_ptr_array_add(argv, g_strdup(*options));
}

/* An option that names a file per process. valgrind puts the number for %p; other percents are doubled. */
static void add_file_option(GPtrArray *argv, const char *option, const ValgrindCommand *command, const char *kind)
{
	g_auto(GStrv) pieces = g_strsplit(command->folder, "%", -1);
	g_autofree char *folder = g_strjoinv("%%", pieces);
	g_ptr_array_add(argv, g_strdup_printf("%s=%s/%s.%%p", option, folder, kind));
}

/* `--command-line-only` shuts out a .valgrindrc of the checkout, `--vgdb=no` files in TMPDIR. Without `-q`, since with
 * it a process that ends itself by abort() leaves no word in the log. With `-v -v` the log tells of every client
 * request that a program makes (valgrind_log_request()).
 *
 * With `--fair-sched`, threads take turns in the order in which they asked, so that one that spins on a variable does
 * not starve the one it waits for: under `chrt --rr 1`, which makes threads with locks repeat exactly, such a program
 * does not end without it. It does not make counts of spinning threads repeat: they spread by tens of percent either
 * way. `try`: where it is not supported, nothing happens. */
static void add_common_options(GPtrArray *argv, const ValgrindCommand *command)
{
	static const char *const options[] = {"--command-line-only=yes", "--trace-children=yes", "--vgdb=no",
	        "--fair-sched=try", MAIN_STACK, "-v", "-v", NULL};
	add_options(argv, options);
	add_file_option(argv, "--log-file", command, valgrind_log_kind(command->kind));
}

/* A copy of a process that fork() makes has the costs of its parent so far, too, and a program that takes the place of
 * another by exec begins at 0: what was counted is dumped, and set to 0, just before. One call goes through several of
 * these, and then some dumps hold next to nothing; the names are whole ones, as a pattern would also match functions of
 * programs that are called a million times. */
static void add_dumps(GPtrArray *argv)
{
	static const char *const functions[] = {VALGRIND_FORK_FUNCTIONS, VALGRIND_EXEC_FUNCTIONS};
	for (gsize i = 0; i < G_N_ELEMENTS(functions); i++)
		g_ptr_array_add(argv, g_strconcat("--dump-before=", functions[i], NULL));
}

/* `yes` is what all versions take for times of system calls. */
static void add_callgrind_options(GPtrArray *argv, const ValgrindCommand *command)
{
	static const char *const options[] = {"--tool=callgrind", "--dump-instr=yes", "--collect-systime=yes", NULL};
	static const char *const cache[] = {"--cache-sim=yes", "--branch-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64",
	        "--LL=8388608,16,64", NULL};
	static const char *const region[] = {"--collect-atstart=no", NULL};
	const ConfigBenchmark *benchmark = command->request->benchmark;
	add_options(argv, options);
	add_dumps(argv);
	g_ptr_array_add(argv, g_strdup_printf("--separate-callers=%u", benchmark->call_depth));
	add_file_option(argv, "--callgrind-out-file", command, VALGRIND_CALLGRIND);
	if (benchmark->cache)
		add_options(argv, cache);
	if (benchmark->measure == MEASURE_REGION)
		add_options(argv, region);
}

/* Heap mode is the default, and has an option of its own only since 3.17. By default, stacks end after 12 callers and
 * at main(). */
static void add_dhat_options(GPtrArray *argv, const ValgrindCommand *command)
{
	static const char *const options[] = {"--tool=dhat", "--num-callers=500", "--demangle=no",
	        "--read-inline-info=yes", "--show-below-main=yes", NULL};
	add_options(argv, options);
	add_file_option(argv, "--dhat-out-file", command, VALGRIND_DHAT);
}

GPtrArray *valgrind_command_argv(const ValgrindCommand *command)
{
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(argv, g_strdup(command->valgrind->program));
	if (g_str_equal(command->kind, VALGRIND_CALLGRIND))
		add_callgrind_options(argv, command);
	else
		add_dhat_options(argv, command);
	add_common_options(argv, command);
	g_ptr_array_add(argv, g_strdup("--"));
	const FrameworkRun framework = run_of(command);
	g_auto(GStrv) words = framework_command(&framework);
	add_options(argv, (const char *const *)words);
	g_ptr_array_add(argv, NULL);
	return argv;
}
