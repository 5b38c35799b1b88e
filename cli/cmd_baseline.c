#include "baselines/inventory.h"
#include "baselines/transfer.h"
#include "cli/command.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/repo.h"

#include <stdio.h>

/* The commit a user names, as full SHA. */
static char *resolve(const char *revision, GError **error)
{
	char *sha = NULL;
	g_autoptr(Repo) repo = repo_open(".", error);
	if (repo == NULL || !repo_resolve(repo, revision, &sha, error))
		return NULL;
	return sha;
}

static void append_entry(GString *text, const BaselineEntry *entry)
{
	g_autofree char *name = escape_to_string(escape_terminal, entry->benchmark);
	g_autofree char *joined = g_strjoinv(",", entry->engines);
	g_autofree char *engines = escape_to_string(escape_terminal, joined);
	g_autofree char *problem = entry->problem != NULL ? escape_to_string(escape_terminal, entry->problem) : NULL;
	g_string_append_printf(text, "%s  %.16s  %-24s ", entry->commit, entry->fingerprint, name);
	if (entry->campaigns > 0)
		g_string_append_printf(text, "%u A/A campaign%s", entry->campaigns, entry->campaigns == 1 ? "" : "s");
	else
		g_string_append_printf(
		        text, "%-10s %3u runs %8.1f kB", engines, entry->runs, (double)entry->size_bytes / 1000);
	if (problem != NULL)
		g_string_append_printf(text, "  damaged: %s", problem);
	g_string_append_c(text, '\n');
}

static int list(BaselineStore *store, GError **error)
{
	g_autoptr(GPtrArray) entries = baseline_store_list(store, error);
	if (entries == NULL)
		return 0;
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < entries->len; i++)
		append_entry(text, entries->pdata[i]);
	return print_result(text->str) ? 0 : FIREBREAK_ERROR_STORAGE;
}

/* A baseline may come from anywhere, so that all its texts are foreign. What was counted has no schedule. */
static void describe_runs(GString *text, const Measurement *measurement)
{
	guint n = measurement_n_runs(measurement);
	g_autofree char *name = escape_to_string(escape_terminal, measurement->benchmark);
	g_autofree char *schedule = escape_to_string(escape_terminal, measurement->schedule);
	g_string_append_printf(text, "%s at %s: %u run%s%s%s, %g unit%s of work per run\n", name, measurement->commit,
	        n, n == 1 ? "" : "s", *schedule != '\0' ? ", " : "", schedule, measurement->work,
	        measurement->work == 1 ? "" : "s");
}

static void describe(GString *text, const Measurement *measurement)
{
	describe_runs(text, measurement);
	for (guint i = 0; i < measurement->metrics->len; i++) {
		const MetricSeries *series = measurement->metrics->pdata[i];
		g_autofree char *name = escape_to_string(escape_terminal, series->name);
		g_autofree char *unit = escape_to_string(escape_terminal, series->unit);
		g_string_append_printf(text, "  %-18s median %16.0f %s\n", name, metric_median(series), unit);
	}
	for (guint i = 0; i < measurement->environment->fields->len; i++) {
		const EnvironmentField *field = measurement->environment->fields->pdata[i];
		g_autofree char *name = escape_to_string(escape_terminal, field->name);
		g_autofree char *value = escape_to_string(escape_terminal, field->value);
		g_string_append_printf(text, "  %-22s %s\n", name, value);
	}
}

static void describe_campaigns(GString *text, const BaselineEntry *entry)
{
	g_autofree char *name = escape_to_string(escape_terminal, entry->benchmark);
	g_string_append_printf(text, "%s at %s: %u A/A campaign%s on machines of kind %.16s\n", name, entry->commit,
	        entry->campaigns, entry->campaigns == 1 ? "" : "s", entry->fingerprint);
}

static int show(BaselineStore *store, const char *revision, GError **error)
{
	g_autofree char *sha = resolve(revision, error);
	g_autoptr(GPtrArray) entries = sha != NULL ? baseline_store_list(store, error) : NULL;
	if (entries == NULL)
		return 0;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < entries->len; i++) {
		const BaselineEntry *entry = entries->pdata[i];
		if (!g_str_equal(entry->commit, sha))
			continue;
		if (entry->campaigns > 0) {
			describe_campaigns(text, entry);
			continue;
		}
		g_autoptr(Measurement) measurement =
		        baseline_store_get(store, sha, entry->fingerprint, entry->benchmark, table, error);
		if (measurement == NULL)
			return 0;
		describe(text, measurement);
	}
	if (text->len == 0) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
		        "no baseline is stored for %.12s; `firebreak run %.12s` makes one", sha, sha);
		return 0;
	}
	return print_result(text->str) ? 0 : FIREBREAK_ERROR_STORAGE;
}

static int export_commit(BaselineStore *store, const char *revision, const char *path, GError **error)
{
	g_autofree char *sha = resolve(revision, error);
	if (sha != NULL)
		baseline_export(store, sha, path, error);
	return 0;
}

static int import_file(BaselineStore *store, const char *path, GError **error)
{
	g_autofree char *sha = baseline_import(store, path, NULL, error);
	if (sha == NULL)
		return 0;
	g_autofree char *text = g_strdup_printf("%s\n", sha);
	return print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
}

static int verify(BaselineStore *store, GError **error)
{
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean ok = FALSE;
	if (!baseline_store_verify(store, findings, &ok, error))
		return 0;
	for (guint i = 0; i < finding_count(findings); i++) {
		g_autofree char *safe = escape_to_string(escape_terminal, finding_get(findings, i)->text);
		g_string_append_printf(text, "%s\n", safe);
	}
	g_string_append(text, ok ? "all baselines are sound\n" : "some baselines are damaged\n");
	if (!print_result(text->str))
		return FIREBREAK_ERROR_STORAGE;
	return ok ? 0 : FIREBREAK_ERROR_BASELINE;
}

typedef struct {
	const char *name, *arguments;
	guint n_arguments;
} Action;

static const Action actions[] = {
        {"list", "", 0}, {"show", " REV", 1}, {"export", " REV FILE", 2}, {"import", " FILE", 1}, {"verify", "", 0}};

static int run_action(const Action *action, char **arguments, GError **error)
{
	g_autoptr(BaselineStore) store = baseline_store_open(".", BASELINE_STORE_PREFIX, error);
	if (store == NULL)
		return 0;
	if (g_str_equal(action->name, "list"))
		return list(store, error);
	if (g_str_equal(action->name, "show"))
		return show(store, arguments[0], error);
	if (g_str_equal(action->name, "export"))
		return export_commit(store, arguments[0], arguments[1], error);
	if (g_str_equal(action->name, "import"))
		return import_file(store, arguments[0], error);
	return verify(store, error);
}

static int run(const Command *command, char **argv)
{
	int code = 0;
	const GOptionEntry none[] = {G_OPTION_ENTRY_NULL};
	g_auto(GStrv) rest = command_parse(command, none, argv, &code);
	if (rest == NULL)
		return code;
	for (gsize i = 0; rest[1] != NULL && i < G_N_ELEMENTS(actions); i++) {
		g_autoptr(GError) error = NULL;
		if (!g_str_equal(actions[i].name, rest[1]))
			continue;
		if (g_strv_length(rest) != 2 + actions[i].n_arguments)
			return command_usage(
			        command, "usage: firebreak baseline %s%s", actions[i].name, actions[i].arguments);
		code = run_action(&actions[i], rest + 2, &error);
		return error != NULL ? command_failed(error) : code;
	}
	return command_usage(command, "say one of list, show, export, import, verify");
}

const Command baseline_command = {
        .name = "baseline",
        .arguments = "ACTION [ARGUMENT...]",
        .summary = "list, show, export, import and verify stored baselines",
        .description = "Actions:\n"
                       "  list               all baselines: commit, fingerprint, benchmark, engines, runs, size; and\n"
                       "                     how many A/A campaigns there are\n"
                       "  show REV           metrics and environment of what is stored for a commit\n"
                       "  export REV FILE    everything stored of a commit, in one file\n"
                       "  import FILE        store what `export` wrote; prints the commit\n"
                       "  verify             read every baseline back, with all hashes\n",
        .run = run,
};
