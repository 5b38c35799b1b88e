#include "cli/output/reportformats.h"

#include "cli/output/rendering.h"
#include "core/error.h"
#include "report/ci/benchinterchange.h"
#include "report/ci/codequality.h"
#include "report/ci/githubcommands.h"
#include "report/ci/junit.h"
#include "report/ci/openmetrics.h"
#include "report/html/htmlreport.h"
#include "report/json/keptprofiles.h"
#include "report/text/summarymd.h"
#include "report/words/highlights.h"

#include <string.h>

static char *render_text(const ReportSource *source, GError **error)
{
	(void)error;
	TerminalOptions options = terminal_options(source->color, source->fd, source->dir);
	return terminal_text(source->result, &options);
}

static char *render_markdown(const ReportSource *source, GError **error)
{
	(void)error;
	return summary_markdown(source->result, source->max_bytes, NULL);
}

static char *render_json(const ReportSource *source, GError **error)
{
	(void)error;
	return g_strdup(source->json);
}

static char *render_html(const ReportSource *source, GError **error)
{
	(void)error;
	kept_profiles_restore(source->result, source->dir);
	HtmlReport report = {.result = source->result, .again = TRUE};
	return report_html(&report, NULL);
}

static char *render_junit(const ReportSource *source, GError **error)
{
	(void)error;
	return junit_xml(source->result, 0, NULL);
}

static char *render_codequality(const ReportSource *source, GError **error)
{
	(void)error;
	return codequality_json(source->result, NULL);
}

static char *render_github(const ReportSource *source, GError **error)
{
	(void)error;
	return github_commands_text(source->result, NULL);
}

static char *render_openmetrics(const ReportSource *source, GError **error)
{
	(void)error;
	return openmetrics_text(source->result, NULL);
}

static char *render_bmf(const ReportSource *source, GError **error)
{
	(void)error;
	return bench_bmf_json(source->result, NULL);
}

static char *render_smaller(const ReportSource *source, GError **error)
{
	(void)error;
	return bench_smaller_json(source->result, NULL);
}

/* The benchmarks that have a differential flame graph and the wanted name; elements are borrowed. */
static GPtrArray *with_picture(const ReportSource *source)
{
	GPtrArray *found = g_ptr_array_new();
	for (guint i = 0; i < source->result->benchmarks->len; i++) {
		ResultBenchmark *benchmark = g_ptr_array_index(source->result->benchmarks, i);
		gboolean wanted = source->benchmark == NULL || g_str_equal(source->benchmark, benchmark->name);
		if (wanted && highlights_artifact(benchmark, "diff_svg") != NULL)
			g_ptr_array_add(found, benchmark);
	}
	return found;
}

/* Pictures are made of profiles, which a report does not have, so the one that the check drew is handed out. */
static char *render_svg(const ReportSource *source, GError **error)
{
	g_autoptr(GPtrArray) found = with_picture(source);
	if (found->len == 0) {
		firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s: no differential flame graph%s%s", source->dir,
		        source->benchmark != NULL ? " of the benchmark " : "",
		        source->benchmark != NULL ? source->benchmark : "");
		return NULL;
	}
	const ResultBenchmark *benchmark = g_ptr_array_index(found, 0);
	const char *file = highlights_artifact(benchmark, "diff_svg");
	if (found->len > 1) {
		firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s has %u differential flame graphs: choose one with --benchmark %s, or open %s/%s",
		        source->dir, found->len, benchmark->name, source->dir, file);
		return NULL;
	}
	if (!kept_file_is_plain(file)) {
		firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "%s/report.json: \"%s\" is no file of that folder",
		        source->dir, file);
		return NULL;
	}
	char *text = NULL;
	g_autofree char *path = g_build_filename(source->dir, file, NULL);
	return g_file_get_contents(path, &text, NULL, error) ? text : NULL;
}

static const ReportFormat formats[] = {
        {"text", "report.txt", "what check prints (default)", render_text},
        {"markdown", "summary.md", "summary for a step summary or a comment", render_markdown},
        {"json", "report.json", "everything, as it was written", render_json},
        {"html", "report.html", "one page to open in a browser", render_html},
        {"svg", "diff.svg", "differential flame graph of a benchmark, as it was drawn", render_svg},
        {"junit", "junit.xml", "tests for GitLab, Jenkins and others", render_junit},
        {"codequality", "codequality.json", "flagged functions for GitLab's code quality report", render_codequality},
        {"github", "annotations.txt", "workflow commands that annotate a GitHub change", render_github},
        {"openmetrics", "metrics.txt", "for Prometheus and GitLab's metrics report", render_openmetrics},
        {"bmf", "bmf.json", "head's metrics for Bencher", render_bmf},
        {"smaller", "smaller.json", "the same for github-action-benchmark (customSmallerIsBetter)", render_smaller},
};

gboolean report_format_may_replace(const ReportFormat *format, const char *path, const char *text, GError **error)
{
	g_autofree char *old = NULL;
	if (format->render != render_html || !g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
	        !g_file_get_contents(path, &old, NULL, NULL))
		return TRUE;
	if (strcmp(old, text) == 0 || html_report_is_whole(text) || !html_report_is_whole(old))
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "%s: the page that check wrote has more than can be rendered again; write to another file or folder, "
	        "or "
	        "remove it",
	        path);
}

const char *const report_format_names[] = {"text", "markdown", "json", "html", "svg", "junit", "codequality", "github",
        "openmetrics", "bmf", "smaller", NULL};

/* NULL if there is none of that name. */
static const ReportFormat *find_format(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
		if (g_str_equal(formats[i].name, name))
			return &formats[i];
	return NULL;
}

/* "text, markdown, json, ..."; owned by the caller. */
static char *known_names(void)
{
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", formats[i].name);
	return g_string_free(names, FALSE);
}

GPtrArray *report_formats_parse(const char *list, GError **error)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	g_auto(GStrv) names = g_strsplit(list, ",", -1);
	for (guint i = 0; names[i] != NULL; i++) {
		const ReportFormat *format = find_format(g_strstrip(names[i]));
		if (format == NULL) {
			g_autofree char *known = known_names();
			firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--format: \"%s\" is not known; there are %s",
			        names[i], known);
			return NULL;
		}
		if (!g_ptr_array_find(found, format, NULL))
			g_ptr_array_add(found, (gpointer)format);
	}
	if (found->len > 0)
		return g_steal_pointer(&found);
	firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--format needs the name of a format");
	return NULL;
}

char *report_formats_help(void)
{
	GString *help = g_string_new("Formats, and the files that they become in a folder:\n");
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
		g_string_append_printf(
		        help, "  %-12s %-17s %s\n", formats[i].name, formats[i].file, formats[i].summary);
	return g_string_free(help, FALSE);
}
