/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/color.h"
#include "cli/output/output.h"
#include "cli/output/rendering.h"
#include "compare/history/seriesfile.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/git/repo.h"
#include "gate/context/historydata.h"
#include "model/engine.h"
#include "model/namelist.h"
#include "report/history/historycsv.h"
#include "report/history/historypage.h"
#include "report/history/historytext.h"

#include <stdio.h>
#include <unistd.h>

#define COMMITS_BY_DEFAULT 100
#define COMMITS_MAX 10000
#define FUNCTIONS_BY_DEFAULT 10
#define FUNCTIONS_MAX 1000
#define FUNCTIONS_MISTAKE "--functions takes a number from 1 to 1000"
/* Benchmarks that are named where there is not the one asked for. */
#define NAMES_MAX 10

typedef struct {
	char *revision, *metric, *engine, *function, *format, *out, *prefix, *series;
	int commits, functions;
	gboolean all, json;
	ColorChoice color;
} Options;

/* --- formats --- */

static char *as_text(const HistorySet *set, const Options *options)
{
	int fd = options->out == NULL ? STDOUT_FILENO : -1;
	return history_text(
	        set, &(HistoryTextOptions){
	                     .all = options->all, .colour = color_wanted(options->color, fd), .utf8 = shows_utf8()});
}

static char *as_json(const HistorySet *set, G_GNUC_UNUSED const Options *options)
{
	return history_set_json(set);
}

static char *as_csv(const HistorySet *set, G_GNUC_UNUSED const Options *options)
{
	return history_csv(set);
}

static char *as_svg(const HistorySet *set, const Options *options)
{
	return history_svg(set, options->all);
}

static char *as_html(const HistorySet *set, const Options *options)
{
	return history_page(set, options->all);
}

static const struct {
	const char *name;
	char *(*render)(const HistorySet *set, const Options *options);
} formats[] = {{"text", as_text}, {"json", as_json}, {"csv", as_csv}, {"svg", as_svg}, {"html", as_html}};

static const char *const format_names[] = {"text", "json", "csv", "svg", "html", NULL};

/* The row of the format asked for. */
static gsize find_format(const Options *options)
{
	const char *name = options->json ? "json" : options->format != NULL ? options->format : "text";
	gsize i = 0;
	while (!g_str_equal(formats[i].name, name))
		i++;
	return i;
}

/* --- running --- */

static void say_findings(const FindingList *findings)
{
	for (guint i = 0; i < finding_count(findings); i++) {
		g_autofree char *text = escape_to_string(escape_terminal, finding_get(findings, i)->text);
		fprintf(stderr, "firebreak: %s\n", text);
	}
}

/* Adds a finding if the clone is cut: commits that it lacks would look like the beginning of the history. */
static void note_cut(Repo *repo, const HistorySet *set, guint most, FindingList *findings)
{
	if (set->commits < most && repo_is_shallow(repo))
		finding_add(findings, FINDING_WARNING, "history_cut", NULL,
		        "this clone is shallow, so all that it knows is %u commit%s with baselines; `git fetch "
		        "--unshallow` (fetch-depth: 0 in CI) brings those before",
		        set->commits, set->commits == 1 ? "" : "s");
}

/* Sets the error for a benchmark that is not among `names`; nothing if it is, or there are none. `place`: "is stored".
 */
static void refuse_unknown(const GPtrArray *names, const char *benchmark, const char *place, GError **error)
{
	if (names->len == 0 || g_ptr_array_find_with_equal_func((GPtrArray *)names, benchmark, g_str_equal, NULL))
		return;
	g_autofree char *list = name_list(names, NAMES_MAX);
	firebreak_refuse(error, FIREBREAK_ERROR_BASELINE, "no benchmark \"%s\" %s; there %s: %s", benchmark, place,
	        names->len == 1 ? "is" : "are", list);
}

static gboolean refuse_empty(const HistorySet *set, const char *benchmark, GError **error)
{
	if (set->commits == 0)
		return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
		        "no baseline is stored of %.12s or of a commit before it; `firebreak run` makes one, "
		        "`firebreak "
		        "baseline fetch` takes those of the remote",
		        set->sha);
	return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
	        "none of the %u commits with baselines has what is asked for%s%s", set->commits,
	        benchmark != NULL ? " of " : "", benchmark != NULL ? benchmark : "");
}

/* Nothing is stored of what was asked for. */
static gboolean refuse(BaselineStore *store, const HistorySet *set, const HistoryRequest *request, GError **error)
{
	GError *unknown = NULL;
	g_autoptr(GPtrArray) names =
	        request->benchmark != NULL ? history_read_names(store, &request->trend, &unknown) : NULL;
	if (names != NULL)
		refuse_unknown(names, request->benchmark, "is stored", &unknown);
	if (unknown == NULL)
		return refuse_empty(set, request->benchmark, error);
	g_propagate_error(error, unknown);
	return FALSE;
}

static gboolean show(const HistorySet *set, const Options *options, GError **error)
{
	g_autofree char *text = formats[find_format(options)].render(set, options);
	return output_write(options->out, text, error);
}

static HistoryWanted wanted_of(const Options *options)
{
	return (HistoryWanted){.metric = options->metric,
	        .engine = engine_find(options->engine),
	        .functions = options->functions > 0 || options->function != NULL,
	        .function = options->function,
	        .most_functions = options->functions > 0 ? (guint)options->functions : FUNCTIONS_BY_DEFAULT,
	        .no_metrics = options->function != NULL};
}

/* --- what other tools measured --- */

static SeriesFile *read_series(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	g_autoptr(GError) unreadable = NULL;
	if (g_file_get_contents(path, &text, &length, &unreadable))
		return series_file_read(text, length, path, error);
	firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--series: %s", unreadable->message);
	return NULL;
}

static gboolean refuse_series(const SeriesFile *file, const Options *options, const char *benchmark, GError **error)
{
	g_autoptr(GPtrArray) names = series_file_benchmarks(file);
	g_autofree char *place = g_strdup_printf("is in %s", options->series);
	GError *unknown = NULL;
	if (benchmark != NULL)
		refuse_unknown(names, benchmark, place, &unknown);
	if (unknown != NULL) {
		g_propagate_error(error, unknown);
		return FALSE;
	}
	return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE, "%s has no values%s", options->series,
	        names->len > 0 ? " of what is asked for" : "");
}

static gboolean show_series(const Options *options, const char *benchmark, GError **error)
{
	g_autoptr(SeriesFile) file = read_series(options->series, error);
	if (file == NULL)
		return FALSE;
	HistoryWanted wanted = wanted_of(options);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(HistoryBuilder) builder = history_builder_new(&wanted);
	g_autofree char *name = g_path_get_basename(options->series);
	HistorySet set = {.revision = name, .findings = findings, .from_file = TRUE};
	set.commits = series_file_build(file, benchmark, (guint)options->commits, builder, &set.sha);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	set.histories = histories;
	if (file->left_out > 0)
		finding_add(findings, FINDING_WARNING, "history_values_left_out", NULL,
		        "%u value%s of %s left out: no finite number%s", file->left_out, file->left_out == 1 ? "" : "s",
		        name, file->left_out == 1 ? "" : "s");
	say_findings(findings);
	return histories->len > 0 ? show(&set, options, error) : refuse_series(file, options, benchmark, error);
}

/* --- what is stored --- */

static gboolean read_and_show(const Options *options, const char *benchmark, GError **error)
{
	const char *revision = options->revision != NULL ? options->revision : "HEAD";
	g_autofree char *sha = NULL;
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(Repo) repo = repo_open(".", error);
	if (repo == NULL || !repo_resolve(repo, revision, &sha, error))
		return FALSE;
	g_autoptr(BaselineStore) store = baseline_store_open(".", options->prefix, error);
	if (store == NULL)
		return FALSE;
	HistoryRequest request = {
	        .trend = {.head = sha, .most = options->commits > 0 ? (guint)options->commits : COMMITS_BY_DEFAULT},
	        .benchmark = benchmark,
	        .wanted = wanted_of(options),
	};
	HistorySet set = {.revision = revision, .sha = sha, .findings = findings};
	g_autoptr(GPtrArray) histories = history_read_store(store, &request, findings, &set.commits, error);
	if (histories == NULL)
		return FALSE;
	set.histories = histories;
	note_cut(repo, &set, request.trend.most, findings);
	say_findings(findings);
	return histories->len > 0 ? show(&set, options, error) : refuse(store, &set, &request, error);
}

static gboolean know_engine(const Options *options, GError **error)
{
	if (options->engine == NULL || engine_find(options->engine) != NULL)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "no engine \"%s\"; there are perf, callgrind and benchmark", options->engine);
}

/* A file has neither functions nor other revisions. */
static gboolean know_source(const Options *options, GError **error)
{
	const char *other = options->revision != NULL   ? "--revision"
	                    : options->function != NULL ? "--function"
	                    : options->functions > 0    ? "--functions"
	                    : options->prefix != NULL   ? "--prefix"
	                                                : NULL;
	return options->series == NULL || other == NULL ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	               "%s is about stored baselines, --series about a file: leave one of them out", other);
}

static int check_and_run(const Command *command, void *options, char **arguments)
{
	g_autoptr(GError) error = NULL;
	(void)command;
	const Options *given = options;
	gboolean ok = know_engine(given, &error) && know_source(given, &error) &&
	              (given->series != NULL ? show_series : read_and_show)(given, arguments[0], &error);
	return ok ? 0 : command_failed(error);
}

static const Option option_rows[] = {
        {"revision", 'r', OPTION_TEXT, "REV", "the newest commit (HEAD)", offsetof(Options, revision),
                .section = SECTION_GENERAL},
        {"commits", 'n', OPTION_INT, "N", "at most this many commits with baselines (100; of --series all)",
                offsetof(Options, commits), .min = 1, .max = COMMITS_MAX},
        {"metric", 'm', OPTION_TEXT, "NAME", "only this metric", offsetof(Options, metric), .section = SECTION_GENERAL},
        {"engine", 0, OPTION_TEXT, "NAME", "only this engine: perf, callgrind or benchmark", offsetof(Options, engine),
                .section = SECTION_GENERAL},
        {"functions", 0, OPTION_INT, "N", "also the self cost of the N functions that changed most",
                offsetof(Options, functions), .max = FUNCTIONS_MAX, .mistake = FUNCTIONS_MISTAKE},
        {"function", 0, OPTION_TEXT, "TEXT", "the self cost of functions with this in their name, and nothing else",
                offsetof(Options, function), .section = SECTION_GENERAL},
        {"series", 0, OPTION_FILE, "FILE",
                "not what is stored, but what another tool measured: CSV, or data.js of github-action-benchmark",
                offsetof(Options, series), .section = SECTION_GENERAL},
        {"all", 'a', OPTION_FLAG, NULL, "text, SVG, HTML: every metric, not only the leading ones",
                offsetof(Options, all), .section = SECTION_GENERAL},
        {"format", 'f', OPTION_TEXT, "FORMAT", "text (default), json, csv, svg or html", offsetof(Options, format),
                .section = SECTION_OUTPUT, .choices = format_names},
        {"json", 0, OPTION_FLAG, NULL, "the same as --format json", offsetof(Options, json), .section = SECTION_OUTPUT},
        {"output", 'o', OPTION_FILE, "FILE", "write to this file (default: standard output)", offsetof(Options, out),
                .section = SECTION_OUTPUT},
        COLOR_OPTION(Options, color),
        {"prefix", 0, OPTION_TEXT, "PREFIX",
                "where the refs are (git config firebreak.prefix, or " BASELINE_STORE_PREFIX ")",
                offsetof(Options, prefix), .section = SECTION_ADVANCED},
};

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){0}, argv, 1, check_and_run);
}

const Command history_command = {
        .name = "history",
        .arguments = "[BENCHMARK]",
        .summary = "how benchmarks and functions developed over commits, and which commits changed them",
        .description =
                "Reads what is stored of a commit and its first parents; measures nothing. Values of different "
                "environments are never compared: a line is broken there. What was counted changes where a value "
                "stands out from the one before it, what was sampled where one level is followed by another. With "
                "--series the values come from a file, and no repository is needed.",
        .options = {OPTION_GROUP(option_rows, 0)},
        .run = run,
};
