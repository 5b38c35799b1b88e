/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of runs under the valgrind of this machine share two sides of a benchmark, whose programs they compile. */
#pragma once

#include "runner/valgrind/valgrindrun.h"

#include "core/durable.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

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

static inline void make_side(const Bench *bench, Side *side, const char *name)
{
	side->name = name;
	side->tree_dir = g_build_filename(bench->dir, name, NULL);
	side->arena = bench->arena;
	assert_int_equal(g_mkdir(side->tree_dir, 0700), 0);
}

/* A bench in a folder whose name ends with `suffix`, for the benchmark with the keys `keys`; skips the test where there
 * is no valgrind. */
static inline Bench *bench_new(const char *suffix, const char *keys)
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

static inline void bench_free(Bench *bench)
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

static inline void compile(const Side *side, const char *source)
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

/* A request for one more run; its recording is a new name, to be freed. */
static inline RunRequest new_request(Bench *bench, guint side)
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
static inline char *run_base(Bench *bench, RunOutcome *outcome)
{
	g_autoptr(GError) error = NULL;
	RunRequest request = new_request(bench, 0);
	assert_true(bench->executor->execute(bench->executor, &request, 1, outcome, &error));
	return (char *)request.recording;
}

/* The first total of all dumps of a run together. */
static inline guint64 total(const char *recording)
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

#define MAX_TRIES 5

/* Runs base, which must go well; its recording is owned by the caller. What a busy machine made late is tried again, as
 * a check does. */
static inline char *good_run_of_base(Bench *bench)
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
static inline guint64 total_of_base(Bench *bench)
{
	g_autofree char *recording = good_run_of_base(bench);
	return total(recording);
}

/* Runs base once, which must fail with that code, and returns the text. Owned by the caller. */
static inline char *failure_of_base(Bench *bench, const char *code)
{
	RunOutcome outcome = {0};
	G_GNUC_UNUSED g_autofree char *recording = run_base(bench, &outcome);
	assert_non_null(outcome.failure_code);
	assert_string_equal(outcome.failure_code, code);
	char *failure = g_strdup(outcome.failure);
	run_outcome_clear(&outcome);
	return failure;
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
