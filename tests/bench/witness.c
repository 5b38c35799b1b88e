/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how far two witnesses of CPU time part in runs of which everything is counted: task-clock, and what wait4(2)
 * tells. Runs each program beside itself and alone, as a campaign does, and prints the rows of a Markdown table. Built
 * and run by witness.sh:
 *
 *     witness ROUNDS FOLDER NAME COMMAND [NAME COMMAND...]
 *
 * COMMAND is a shell text that runs in FOLDER. */
#include "core/error.h"
#include "runner/perf/perfexecutor.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	PerfAbilities abilities;
	FindingList *findings;
	Side sides[2];
	guint rounds;
} Bench;

typedef struct {
	GArray *cpu_ms, *apart_ms, *apart_pct, *switches, *processes, *faults, *peak_mb; /* of double, one per run */
	guint failed;
	char *failure;
} Differences;

static void die(const GError *error)
{
	fprintf(stderr, "witness: %s\n", error->message);
	exit(2);
}

static void add(GArray *values, double value)
{
	g_array_append_val(values, value);
}

static gint by_value(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static double at(GArray *values, double share)
{
	g_array_sort(values, by_value);
	return g_array_index(values, double, (guint)(share * (values->len - 1) + .5));
}

static void note(Differences *differences, const RunOutcome *outcome)
{
	const RunCpuTime *cpu_time = &outcome->cpu_time;
	double apart_ns = cpu_time->used_ns - cpu_time->counted_ns;
	if (outcome->failure_code != NULL && !g_str_equal(outcome->failure_code, "steal")) {
		differences->failed++;
		if (differences->failure == NULL)
			differences->failure = g_strdup_printf("%s: %s", outcome->failure_code, outcome->failure);
	}
	add(differences->cpu_ms, cpu_time->used_ns / 1e6);
	add(differences->apart_ms, apart_ns / 1e6);
	add(differences->apart_pct, 100 * apart_ns / cpu_time->used_ns);
	add(differences->switches, cpu_time->switches);
	add(differences->processes, cpu_time->processes);
	add(differences->faults, cpu_time->faults);
	add(differences->peak_mb, cpu_time->peak_bytes / 1e6);
}

static void print_row(const char *name, const char *how, Differences *d)
{
	printf("| %s | %s | %u | %.1f | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %u |\n",
	        name, how, d->cpu_ms->len, at(d->cpu_ms, .5), at(d->processes, .5), at(d->switches, .5),
	        at(d->faults, .5), at(d->peak_mb, .5), at(d->apart_ms, 0), at(d->apart_ms, .5), at(d->apart_ms, 1),
	        at(d->apart_pct, 0), at(d->apart_pct, .5), at(d->apart_pct, 1), d->failed);
	if (d->failure != NULL)
		fprintf(stderr, "witness: %s: %s\n", name, d->failure);
	fflush(stdout);
	GArray *const all[] = {d->cpu_ms, d->apart_ms, d->apart_pct, d->switches, d->processes, d->faults, d->peak_mb};
	for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
		g_array_unref(all[i]);
	g_free(d->failure);
}

static Differences differences_new(void)
{
	return (Differences){
	        .cpu_ms = g_array_new(FALSE, FALSE, sizeof(double)),
	        .apart_ms = g_array_new(FALSE, FALSE, sizeof(double)),
	        .apart_pct = g_array_new(FALSE, FALSE, sizeof(double)),
	        .switches = g_array_new(FALSE, FALSE, sizeof(double)),
	        .processes = g_array_new(FALSE, FALSE, sizeof(double)),
	        .faults = g_array_new(FALSE, FALSE, sizeof(double)),
	        .peak_mb = g_array_new(FALSE, FALSE, sizeof(double)),
	};
}

static void measure(Bench *bench, Executor *executor, const ConfigBenchmark *benchmark, guint together)
{
	g_autoptr(GError) error = NULL;
	Differences differences = differences_new();
	for (guint i = 0; i < bench->rounds; i++) {
		RunOutcome outcomes[2] = {0};
		RunRequest requests[2];
		g_autofree char *recordings[2] = {NULL, NULL};
		for (guint s = 0; s < 2; s++) {
			recordings[s] = g_strdup_printf("%s/%u.data", bench->sides[s].scratch_dir, s);
			requests[s] = (RunRequest){
			        .benchmark = benchmark, .side = &bench->sides[s], .recording = recordings[s]};
		}
		if (!executor->execute(executor, requests, together, outcomes, &error))
			die(error);
		for (guint s = 0; s < together; s++)
			note(&differences, &outcomes[s]);
		run_outcome_clear(&outcomes[0]);
		run_outcome_clear(&outcomes[1]);
		g_free(recordings[1]);
		recordings[1] = NULL;
	}
	print_row(benchmark->name, together == 2 ? "beside itself" : "alone", &differences);
}

static void measure_program(Bench *bench, const char *name, const char *command)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = g_strdup_printf("version: 1\nbenchmarks:\n  - name: b\n    command: [./b]\n");
	g_autoptr(Config) config = config_parse(text, strlen(text), "firebreak.yml", &error);
	if (config == NULL)
		die(error);
	ConfigBenchmark *benchmark = config->benchmarks->pdata[0];
	g_free(benchmark->name);
	benchmark->name = g_strdup(name);
	g_strfreev(benchmark->command);
	benchmark->command = g_strdupv((char *[]){(char *)"/bin/sh", (char *)"-c", (char *)command, NULL});
	g_autoptr(CpuPlan) cpus = cpu_plan_new(1, bench->findings, &error);
	if (cpus == NULL)
		die(error);
	const SampledEventsPlan plan = {
	        .benchmark = benchmark,
	        .abilities = &bench->abilities,
	        .cpus = cpus,
	        .scratch_dir = bench->sides[0].scratch_dir,
	        .findings = bench->findings,
	};
	SampledEvents *events = sampled_events_new(&plan, &error);
	if (events == NULL)
		die(error);
	g_autoptr(Executor) executor = perf_executor_new(&bench->abilities, cpus, events, bench->findings);
	measure(bench, executor, benchmark, 2);
	measure(bench, executor, benchmark, 1);
	sampled_events_free(events);
}

int main(int argc, char **argv)
{
	Bench bench = {.rounds = (guint)atoi(argv[1]), .findings = finding_list_new()};
	g_autoptr(GError) error = NULL;
	if (!perf_probe(&bench.abilities, bench.findings, &error))
		die(error);
	for (int s = 0; s < 2; s++) {
		bench.sides[s] = (Side){.name = s == 0 ? "base" : "head", .tree_dir = g_strdup(argv[2])};
		bench.sides[s].scratch_dir = g_strdup_printf("%s/tmp%c", argv[2], s == 0 ? 'b' : 'h');
		g_mkdir(bench.sides[s].scratch_dir, 0700);
	}
	for (int i = 3; i + 1 < argc; i += 2)
		measure_program(&bench, argv[i], argv[i + 1]);
	return 0;
}
