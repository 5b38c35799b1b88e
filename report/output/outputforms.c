/* SPDX-License-Identifier: Apache-2.0 */
#include "report/output/outputforms.h"

#include "report/ci/benchinterchange.h"
#include "report/ci/codequality.h"
#include "report/ci/dotenv.h"
#include "report/ci/githubcommands.h"
#include "report/ci/junit.h"
#include "report/ci/openmetrics.h"
#include "report/html/htmlreport.h"
#include "report/json/reportjson.h"

static char *json(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return report_json(result, length);
}

static char *page(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return report_html(&(HtmlReport){.result = (CheckResult *)result}, length);
}

static char *junit(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return junit_xml(result, 0, length);
}

static char *codequality(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return codequality_json(result, length);
}

static char *github(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return github_commands_text(result, length);
}

static char *dotenv(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return dotenv_text(result, length);
}

static char *openmetrics(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return openmetrics_text(result, length);
}

static char *bmf(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return bench_bmf_json(result, length);
}

static char *smaller(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	(void)options;
	return bench_smaller_json(result, length);
}

/* Name, file, summary, escaper, whether check writes it, whether it is the page, renderer. */
/* clang-format off */
#define FORMS(FORM) \
	FORM("text", "report.txt", "what check prints (default)", escape_terminal, FALSE, FALSE, NULL) \
	FORM("markdown", "summary.md", "review for the summary page of a job", escape_markdown_text, TRUE, FALSE, summary_markdown) \
	FORM("comment", "comment.md", "the same for a comment on GitHub or GitLab", escape_markdown_text, FALSE, FALSE, summary_comment) \
	FORM("json", "report.json", "everything, as it was written", NULL, TRUE, FALSE, json) \
	FORM("html", "report.html", "one page to open in a browser", escape_xml, TRUE, TRUE, page) \
	FORM("svg", "diff.svg", "differential flame graph of a benchmark, as it was drawn", escape_xml, FALSE, FALSE, NULL) \
	FORM("junit", "junit.xml", "tests for GitLab, Jenkins and others", escape_xml, TRUE, FALSE, junit) \
	FORM("codequality", "codequality.json", "flagged functions for GitLab's code quality report", NULL, FALSE, FALSE, codequality) \
	FORM("github", "annotations.txt", "workflow commands that annotate a GitHub change", escape_github_data, FALSE, FALSE, github) \
	FORM("dotenv", "verdict.env", "verdict and headline as variables, for GitLab's dotenv report", escape_dotenv, FALSE, FALSE, dotenv) \
	FORM("openmetrics", "metrics.txt", "for Prometheus and GitLab's metrics report", NULL, FALSE, FALSE, openmetrics) \
	FORM("bmf", "bmf.json", "head's metrics for Bencher", NULL, FALSE, FALSE, bmf) \
	FORM("smaller", "smaller.json", "the same for github-action-benchmark (customSmallerIsBetter)", NULL, FALSE, FALSE, smaller)
/* clang-format on */
#define ROW(...) {__VA_ARGS__},
#define NAME(form_name, ...) form_name,

static const OutputForm forms[] = {FORMS(ROW)};
const char *const output_form_names[] = {FORMS(NAME) NULL};

const OutputForm *output_forms(guint *n)
{
	*n = G_N_ELEMENTS(forms);
	return forms;
}

const OutputForm *output_form(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(forms); i++)
		if (g_str_equal(forms[i].name, name))
			return &forms[i];
	return NULL;
}
