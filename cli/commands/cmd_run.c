/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/commands/measurementjson.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/output.h"
#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "core/escape.h"
#include "gate/gate.h"
#include "report/words/wording.h"

#include <stdio.h>

/* One line per metric; `measurement` may be NULL. */
static void append_metrics(GString *text, const CheckResult *result, const Measurement *measurement)
{
	guint n = measurement == NULL ? 0 : measurement_n_runs(measurement);
	for (guint m = 0; measurement != NULL && m < measurement->metrics->len; m++) {
		const MetricSeries *series = measurement->metrics->pdata[m];
		g_autofree char *value = wording_metric_value(series, metric_median(series));
		g_string_append_printf(text, "%s  %.12s  %-18s %14s (%s%u run%s)\n", measurement->benchmark,
		        result->head.sha, series->name, value, n == 1 ? "" : "median of ", n, n == 1 ? "" : "s");
	}
}

/* Describes what was measured, by every engine. */
static char *describe(const CheckResult *result)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		append_metrics(text, result, benchmark->head);
		for (guint p = 0; p < benchmark->profiles->len; p++) {
			const ResultProfile *profile = benchmark->profiles->pdata[p];
			if (profile->decides)
				append_metrics(text, result, profile->head);
		}
	}
	return g_string_free(text, FALSE);
}

static void add_rows(GPtrArray *rows, const Measurement *measurement)
{
	if (measurement != NULL)
		measurement_rows_add(rows, measurement, NULL);
}

/* The same as JSON. */
static char *describe_json(const CheckResult *result)
{
	g_autoptr(GPtrArray) rows = measurement_rows_new();
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		add_rows(rows, benchmark->head);
		for (guint p = 0; p < benchmark->profiles->len; p++) {
			const ResultProfile *profile = benchmark->profiles->pdata[p];
			if (profile->decides)
				add_rows(rows, profile->head);
		}
	}
	return measurement_list_json(&(MeasurementList){.sha = result->head.sha,
	        .code = result->exit_code,
	        .rows = rows,
	        .reasons = result->reasons,
	        .findings = result->findings});
}

/* Why it failed, where the user has not read that yet. */
static void say_reasons(const CheckResult *result)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		g_autofree char *safe = escape_to_string(escape_terminal, reason->text);
		if (!reason->said)
			fprintf(stderr, "firebreak: %s\n", safe);
	}
}

typedef struct {
	char *config;
	char **benchmarks;
	int rounds; /* 0 = as configured */
	gboolean json, quiet, verbose;
} Options;

static const Option option_rows[] = {
        {"config", 0, OPTION_FILE, "FILE", "read policy and build from this file, not from firebreak.yml of the commit",
                offsetof(Options, config), .section = SECTION_GENERAL},
        BENCHMARKS_OPTION(Options, benchmarks),
        ROUNDS_OPTION(Options, rounds, "this many timed runs (default 8); counted benchmarks always run twice"),
        {"json", 0, OPTION_FLAG, NULL, "print what was measured as JSON (docs/schema/measurements-1.json)",
                offsetof(Options, json), .section = SECTION_OUTPUT},
        {"quiet", 'q', OPTION_FLAG, NULL, "no progress", offsetof(Options, quiet), .section = SECTION_OUTPUT},
        {"verbose", 'v', OPTION_FLAG, NULL, "every run", offsetof(Options, verbose), .section = SECTION_OUTPUT},
};

static int measure(const Command *command, void *options, char **revisions)
{
	const Options *o = options;
	(void)command;
	Talk talk;
	talk_on_stderr(&talk, o->quiet ? TALK_QUIET : o->verbose ? TALK_VERBOSE : TALK_NORMAL);
	GateRequest request = {.repo_path = ".",
	        .head = revisions[0],
	        .config_file = o->config,
	        .benchmarks = o->benchmarks,
	        .rounds = (guint)o->rounds,
	        .store = TRUE,
	        .talk = &talk};
	g_autoptr(CheckResult) result = gate_measure(&request);
	for (guint i = 0; i < finding_count(result->findings); i++) {
		const Finding *finding = finding_get(result->findings, i);
		g_autofree char *line = g_strdup_printf("%s: %s%s%s", finding_severity_name(finding->severity),
		        finding->benchmark != NULL ? finding->benchmark : "", finding->benchmark != NULL ? " " : "",
		        finding->text);
		talk_line(&talk, line);
	}
	talk_clear(&talk);
	say_reasons(result);
	g_autofree char *text = o->json ? describe_json(result) : describe(result);
	return print_result(text) ? result->exit_code : FIREBREAK_ERROR_STORAGE;
}

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){0}, argv, 1, measure);
}

const Command run_command = {
        .name = "run",
        .arguments = "[REV]",
        .summary = "measure one commit and store it as a baseline",
        .options = {OPTION_GROUP(option_rows, 0)},
        .offer = OFFER_REVISIONS,
        .run = run,
};
