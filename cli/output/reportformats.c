/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/reportformats.h"

#include "cli/output/rendering.h"
#include "core/error.h"
#include "report/html/htmlreport.h"
#include "report/json/keptprofiles.h"
#include "report/words/highlights.h"

#include <string.h>

static char *render_text(const ReportSource *source, GError **error)
{
	(void)error;
	TerminalOptions options = terminal_options(source->color, source->fd, source->dir);
	options.details = TRUE;
	return terminal_text(source->result, &options);
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
		firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "%s/report.json: \"%s\" is not a file of that folder",
		        source->dir, file);
		return NULL;
	}
	char *text = NULL;
	g_autofree char *path = g_build_filename(source->dir, file, NULL);
	return g_file_get_contents(path, &text, NULL, error) ? text : NULL;
}

/* Formats that are made of more than a result. */
static const struct {
	const char *name;
	char *(*render)(const ReportSource *source, GError **error);
} special[] = {{"text", render_text}, {"json", render_json}, {"html", render_html}, {"svg", render_svg}};

char *report_format_render(const OutputForm *form, const ReportSource *source, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(special); i++)
		if (g_str_equal(special[i].name, form->name))
			return special[i].render(source, error);
	return form->render(source->result, &source->summary, NULL);
}

gboolean report_format_may_replace(const OutputForm *form, const char *path, const char *text, GError **error)
{
	g_autofree char *old = NULL;
	if (!form->is_page || !g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
	        !g_file_get_contents(path, &old, NULL, NULL))
		return TRUE;
	if (strcmp(old, text) == 0 || html_report_is_whole(text) || !html_report_is_whole(old))
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "%s: this is the page that check wrote, which has more than a page that is rendered again; write to "
	        "another file or folder, or remove it",
	        path);
}

GPtrArray *report_formats_parse(const char *list, GError **error)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	g_auto(GStrv) names = g_strsplit(list, ",", -1);
	for (guint i = 0; names[i] != NULL; i++) {
		const OutputForm *form = output_form(g_strstrip(names[i]));
		if (form == NULL) {
			g_autofree char *known = g_strjoinv(", ", (char **)output_form_names);
			firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--format: \"%s\" is not known; there are %s",
			        names[i], known);
			return NULL;
		}
		if (!g_ptr_array_find(found, form, NULL))
			g_ptr_array_add(found, (gpointer)form);
	}
	if (found->len > 0)
		return g_steal_pointer(&found);
	firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--format needs the name of a format");
	return NULL;
}

char *report_formats_help(void)
{
	GString *help = g_string_new("Formats, and the files that they become in a folder:\n");
	guint n;
	const OutputForm *forms = output_forms(&n);
	for (guint i = 0; i < n; i++)
		g_string_append_printf(help, "  %-12s %-17s %s\n", forms[i].name, forms[i].file, forms[i].summary);
	return g_string_free(help, FALSE);
}
