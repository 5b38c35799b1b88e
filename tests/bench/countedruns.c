/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a benchmark through the executor of the callgrind engine again and again, each time in a fresh folder, and says
 * what every run counted, took and wrote. Built and run by counted.sh:
 *
 *     countedruns CONFIG BENCHMARK RUNS TREE FOLDER     TREE is where the command runs, FOLDER gets everything else
 *
 * prints one line per run, and one per function with the fewest and the most instructions of its own in any run:
 *
 *     run         instructions  seconds  dump bytes  contexts  cut contexts  cut instructions  processes  threads
 *     fold        seconds that reading all dumps and naming all addresses took
 *     function    least         most     name        module */
#include "core/durable.h"
#include "core/error.h"
#include "profile/valgrind/callgrindfold.h"
#include "runner/config/config.h"
#include "runner/valgrind/valgrindrun.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct {
	const ConfigBenchmark *benchmark;
	Config *config;
	Side side;
	Executor *executor;
	const char *folder;
	StackTable *table;
	Profile *profile;
	CallgrindFold *fold;
	gint64 fold_us;
} Bench;

static void end_if(GError *error)
{
	if (error == NULL)
		return;
	fprintf(stderr, "countedruns: %s\n", error->message);
	exit(firebreak_error_exit_code(error));
}

static void end_if_failed(const RunOutcome *outcome)
{
	if (outcome->failure_code == NULL)
		return;
	fprintf(stderr, "countedruns: %s: %s\n", outcome->failure_code, outcome->failure);
	exit(FIREBREAK_ERROR_INVALID);
}

static guint64 bytes_of(const GPtrArray *paths)
{
	guint64 bytes = 0;
	struct stat info;
	for (guint i = 0; i < paths->len; i++)
		if (stat(paths->pdata[i], &info) == 0)
			bytes += (guint64)info.st_size;
	return bytes;
}

static void read_dumps(Bench *bench, const GPtrArray *dumps, CallgrindRunSummary *summary)
{
	GError *error = NULL;
	gint64 start_us = g_get_monotonic_time();
	const CallgrindTarget target = {
	        .event = "Ir", .profile = bench->profile, .run = profile_add_run(bench->profile)};
	callgrind_fold_add(bench->fold, dumps, &target, 1, NULL, summary, &error);
	end_if(error);
	bench->fold_us += g_get_monotonic_time() - start_us;
}

static void run_once(Bench *bench, guint i)
{
	GError *error = NULL;
	g_autofree char *recording = g_strdup_printf("%s/run%03u", bench->folder, i);
	const RunRequest request = {.benchmark = bench->benchmark,
	        .side = &bench->side,
	        .recording = recording,
	        .pass_env = bench->config->pass_env};
	RunOutcome outcome = {0};
	gint64 start_us = g_get_monotonic_time();
	bench->executor->execute(bench->executor, &request, 1, &outcome, &error);
	gint64 took_us = g_get_monotonic_time() - start_us;
	end_if(error);
	end_if_failed(&outcome);
	g_autoptr(GPtrArray) dumps = valgrind_run_dumps(recording, "callgrind", &error);
	end_if(error);
	guint64 bytes = bytes_of(dumps);
	CallgrindRunSummary summary = {0};
	read_dumps(bench, dumps, &summary);
	printf("run\t%" G_GUINT64_FORMAT "\t%.3f\t%" G_GUINT64_FORMAT "\t%u\t%u\t%" G_GUINT64_FORMAT "\t%u\t%u\n",
	        callgrind_run_total(&summary, "Ir"), (double)took_us / G_USEC_PER_SEC, bytes, summary.contexts,
	        summary.cut_contexts, summary.cut_cost, summary.processes, summary.threads);
	fflush(stdout);
	callgrind_run_summary_clear(&summary);
	run_outcome_clear(&outcome);
	durable_remove_tree(recording, &error);
	end_if(error);
}

static void print_functions(const Profile *profile)
{
	guint n_frames, n_runs = profile_n_runs(profile);
	g_autofree ProfileCell *costs = profile_self_by_frame(profile, &n_frames);
	for (guint32 f = 0; f < n_frames; f++) {
		guint64 least = G_MAXUINT64, most = 0;
		for (guint r = 0; r < n_runs; r++) {
			least = MIN(least, costs[f * n_runs + r].weight);
			most = MAX(most, costs[f * n_runs + r].weight);
		}
		if (most > 0)
			printf("function\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%s\t%s\n", least, most,
			        stack_table_frame_name(profile->table, (FrameId){f}),
			        stack_table_frame_module(profile->table, (FrameId){f}));
	}
}

static void finish(Bench *bench)
{
	GError *error = NULL;
	gint64 start_us = g_get_monotonic_time();
	callgrind_fold_finish(bench->fold, NULL, &error);
	end_if(error);
	bench->fold_us += g_get_monotonic_time() - start_us;
	printf("fold\t%.3f\n", (double)bench->fold_us / G_USEC_PER_SEC);
	print_functions(bench->profile);
}

static Config *read_config(const char *path)
{
	GError *error = NULL;
	g_autofree char *text = NULL;
	gsize length;
	g_file_get_contents(path, &text, &length, &error);
	end_if(error);
	Config *config = config_parse(text, length, path, &error);
	end_if(error);
	return config;
}

int main(int argc, char **argv)
{
	GError *error = NULL;
	guint runs = argc == 6 ? (guint)strtoul(argv[3], NULL, 10) : 0;
	if (runs == 0) {
		fprintf(stderr, "usage: countedruns CONFIG BENCHMARK RUNS TREE FOLDER\n");
		return FIREBREAK_ERROR_USAGE;
	}
	g_autoptr(Arena) arena = arena_new(argv[5], NULL, &error);
	end_if(error);
	Bench bench = {.config = read_config(argv[1]),
	        .side = {.name = "head", .tree_dir = argv[4], .arena = arena, .lock = -1},
	        .folder = argv[5]};
	bench.benchmark = config_benchmark(bench.config, argv[2]);
	if (bench.benchmark == NULL) {
		fprintf(stderr, "countedruns: no benchmark %s\n", argv[2]);
		return FIREBREAK_ERROR_USAGE;
	}
	g_autoptr(Valgrind) valgrind = valgrind_find(&error);
	end_if(error);
	g_autoptr(FindingList) findings = finding_list_new();
	bench.executor = valgrind_executor_new(valgrind, findings);
	bench.table = stack_table_new();
	bench.profile = profile_new(bench.table, "instructions", "instructions");
	bench.fold = callgrind_fold_new(bench.table);
	for (guint i = 0; i < runs; i++)
		run_once(&bench, i);
	finish(&bench);
	for (guint i = 0; i < finding_count(findings); i++)
		fprintf(stderr, "countedruns: %s\n", finding_get(findings, i)->text);
	callgrind_fold_free(bench.fold);
	profile_free(bench.profile);
	stack_table_unref(bench.table);
	executor_free(bench.executor);
	config_free(bench.config);
	return 0;
}
