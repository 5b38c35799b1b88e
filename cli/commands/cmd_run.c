#include "cli/options/command.h"
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

/* What was measured, by every engine. */
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

static int run(const Command *command, char **argv)
{
	int rounds = ROUNDS_AS_CONFIGURED, code = 0;
	gboolean quiet = FALSE, verbose = FALSE;
	g_auto(GStrv) benchmarks = NULL;
	g_autofree char *config = NULL;
	const GOptionEntry entries[] = {
	        {"config", 0, 0, G_OPTION_ARG_FILENAME, &config,
	                "read policy and build from this file, not from firebreak.yml of the commit", "FILE"},
	        {"benchmark", 'b', 0, G_OPTION_ARG_STRING_ARRAY, &benchmarks, "only this benchmark (repeatable)",
	                "NAME"},
	        {"rounds", 0, 0, G_OPTION_ARG_INT, &rounds,
	                "this many timed runs (default 8); what is counted is counted twice", "N"},
	        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "no progress", NULL},
	        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose, "every run", NULL},
	        G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) rest = command_parse(command, entries, argv, &code);
	if (rest == NULL)
		return code;
	if (rest[1] != NULL && rest[2] != NULL)
		return command_usage(command, "unexpected argument \"%s\"", rest[2]);
	if (!rounds_valid(rounds))
		return command_usage(command, "--rounds is a number from 1 to 62");
	Talk talk;
	talk_on_stderr(&talk, quiet ? TALK_QUIET : verbose ? TALK_VERBOSE : TALK_NORMAL);
	GateRequest request = {.repo_path = ".",
	        .head = rest[1],
	        .config_file = config,
	        .benchmarks = benchmarks,
	        .rounds = (guint)MAX(rounds, 0),
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
	g_autofree char *text = describe(result);
	return print_result(text) ? result->exit_code : FIREBREAK_ERROR_STORAGE;
}

const Command run_command = {
        .name = "run",
        .arguments = "[REV]",
        .summary = "measure one commit and store it as a baseline",
        .run = run,
};
