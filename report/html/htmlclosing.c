/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlclosing.h"

#include "model/numbers/number.h"
#include "report/html/htmlglossary.h"
#include "report/html/htmltext.h"
#include "report/words/highlights.h"
#include "report/words/toolchainwords.h"

#include <math.h>
#include <string.h>

#define MAX_FINDINGS 300

static void append_finding(GString *out, const Finding *finding)
{
	static const char *const signs[] = {[FINDING_INFO] = "i", [FINDING_WARNING] = "⚠", [FINDING_ERROR] = "!"};
	const char *severity = finding_severity_name(finding->severity);
	g_string_append_printf(out, "<li class=\"%s\"><span class=\"chip %s\">%s %s</span> ", severity, severity,
	        signs[finding->severity], severity);
	if (finding->benchmark != NULL) {
		html_element(out, "b", NULL, finding->benchmark);
		g_string_append(out, ": ");
	}
	html_text(out, finding->text);
	g_string_append(out, " ");
	html_code(out, finding->code);
	g_string_append(out, "</li>\n");
}

/* Puts the gravest first. */
static void append_findings(GString *out, const CheckResult *result)
{
	const char *advice = highlights_advice(result);
	if (finding_count(result->findings) == 0 && advice == NULL)
		return;
	guint shown = 0, n = finding_count(result->findings);
	g_string_append(out, "<section id=\"findings\">\n<h2>Findings</h2>\n<ul class=\"findings\">\n");
	for (int severity = FINDING_ERROR; severity >= FINDING_INFO; severity--) {
		for (guint i = 0; i < n && shown < MAX_FINDINGS; i++) {
			if ((int)finding_get(result->findings, i)->severity != severity)
				continue;
			append_finding(out, finding_get(result->findings, i));
			shown++;
		}
	}
	if (shown < n)
		g_string_append_printf(out, "<li class=\"note\">%u more are in report.json</li>\n", n - shown);
	if (advice != NULL) {
		g_string_append(out, "<li class=\"info\"><span class=\"chip info\">i info</span> ");
		html_text(out, advice);
		g_string_append(out, "</li>\n");
	}
	g_string_append(out, "</ul>\n</section>\n");
}

static void append_option(GString *command, const char *option, const char *value)
{
	g_autofree char *quoted = value[strspn(value, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._-/+:=@")] == '\0'
	                                  ? g_strdup(value)
	                                  : g_shell_quote(value);
	g_string_append_printf(command, " %s %s", option, quoted);
}

/* The command line that does the same again. The seed of what was read from an old report is not known. */
static char *command_of(const CheckResult *result)
{
	GString *command = g_string_new("firebreak check");
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, result->seed);
	g_autofree char *seconds = g_strdup_printf("%.0fs", ceil(result->max_time_s));
	if (result->mode == CHECK_CALIBRATE)
		g_string_append(command, " --calibrate");
	if (result->mode == CHECK_SELF_TEST)
		g_string_append(command, " --self-test");
	append_option(command, "--base", result->base.sha);
	if (result->mode == CHECK_GATE)
		append_option(command, "--head", result->head.sha);
	if (result->seed != 0)
		append_option(command, "--seed", seed);
	if (result->max_time_s > 0)
		append_option(command, "--max-time", seconds);
	for (guint i = 0; i < result->benchmarks->len; i++)
		append_option(
		        command, "--benchmark", ((ResultBenchmark *)g_ptr_array_index(result->benchmarks, i))->name);
	return g_string_free(command, FALSE);
}

static void append_repeat(GString *out, const CheckResult *result)
{
	gboolean known = *result->base.sha != '\0' && (*result->head.sha != '\0' || result->mode != CHECK_GATE);
	g_string_append(out, "<section id=\"repeat\">\n<h2>Repeat it</h2>\n");
	if (known) {
		g_autofree char *command = command_of(result);
		html_element(out, "pre", "command", command);
	}
	g_string_append(out, "<dl>\n");
	if (*result->base.chosen_by != '\0') {
		g_string_append(out, "<dt>base chosen by</dt><dd>");
		html_code(out, result->base.chosen_by);
		g_string_append(out, "</dd>\n");
	}
	if (result->config_source != NULL && *result->config_source != '\0') {
		g_string_append(out, "<dt>policy read from</dt><dd>");
		html_text(out, result->config_source);
		g_string_append(out, "</dd>\n");
	}
	g_autofree char *needed = number_value(result->elapsed_s * 1e9, "ns");
	if (result->elapsed_s > 0)
		g_string_append_printf(out, "<dt>time needed</dt><dd>%s</dd>\n", needed);
	g_string_append_printf(out, "<dt>exit code</dt><dd>%d</dd>\n</dl>\n", result->exit_code);
	g_string_append(
	        out, "<p class=\"note\">Everything shown here, and all values, is in report.json.</p>\n</section>\n");
}

/* Takes the texts; where both are NULL there is no row. */
static void append_build_row(GString *rows, const char *what, char *base, char *head)
{
	g_autofree char *of_base = base, *of_head = head;
	if (base == NULL && head == NULL)
		return;
	g_string_append(rows, "<tr><th scope=\"row\">");
	html_text(rows, what);
	g_string_append(rows, "</th>");
	html_element(rows, "td", NULL, base != NULL ? base : "not known");
	html_element(rows, "td", NULL, head != NULL ? head : "not known");
	g_string_append(rows, "</tr>\n");
}

/* Compilers that the builds called, and what the programs say of theirs. */
static void append_builds(GString *out, const CheckResult *result)
{
	g_autoptr(GString) rows = g_string_new(NULL);
	append_build_row(rows, "compilers called", toolchain_compilers(result->base.compilers),
	        toolchain_compilers(result->head.compilers));
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		append_build_row(rows, benchmark->name, toolchain_program(benchmark->base_program),
		        toolchain_program(benchmark->head_program));
	}
	if (rows->len == 0)
		return;
	g_string_append(out,
	        "<section id=\"builds\">\n<details class=\"facts\"><summary><h2>Builds</h2></summary>\n"
	        "<table class=\"environment\"><thead><tr><th scope=\"col\">program of</th><th scope=\"col\">base</th>"
	        "<th scope=\"col\">head</th></tr></thead><tbody>\n");
	g_string_append(out, rows->str);
	g_string_append(out, "</tbody></table></details>\n</section>\n");
}

static void append_environment(GString *out, const CheckResult *result)
{
	if (result->environment == NULL || result->environment->fields->len == 0)
		return;
	g_string_append(out,
	        "<section id=\"environment\">\n<details class=\"facts\"><summary><h2>Environment</h2></summary>\n"
	        "<table class=\"environment\"><thead><tr><th scope=\"col\">field</th><th scope=\"col\">value"
	        "</th></tr></thead><tbody>\n");
	for (guint i = 0; i < result->environment->fields->len; i++) {
		const EnvironmentField *field = g_ptr_array_index(result->environment->fields, i);
		g_string_append(out, "<tr><th scope=\"row\">");
		html_text(out, field->name);
		g_string_append(out, "</th>");
		html_element(out, "td", NULL, *field->value != '\0' ? field->value : "not known");
		g_string_append(out, "</tr>\n");
	}
	g_string_append(out, "</tbody></table></details>\n</section>\n");
}

char *html_closing(const CheckResult *result)
{
	GString *out = g_string_new(NULL);
	append_findings(out, result);
	append_repeat(out, result);
	append_builds(out, result);
	append_environment(out, result);
	html_terms(out);
	return g_string_free(out, FALSE);
}
