/* SPDX-License-Identifier: Apache-2.0 */
/* `firebreak report`: the forms of report/output/outputforms.h, of a result that was read. */
#pragma once

#include "cli/output/color.h"
#include "compare/result.h"
#include "gate/request/talk.h"
#include "report/output/outputforms.h"

/* The result that is rendered, and the settings. */
typedef struct {
	CheckResult *result;    /* read from its report; rendering may add profiles to it */
	const char *dir;        /* the output folder that it was read from */
	const char *json;       /* its report.json, byte for byte */
	const char *benchmark;  /* whose picture; NULL = the only one there is */
	SummaryOptions summary; /* of Markdown */
	ColorChoice color;
	int fd; /* where a text goes; negative = to a file */
} ReportSource;

/* The text of a form, owned by the caller. Errors: FIREBREAK_ERROR_USAGE, FIREBREAK_ERROR_STORAGE. */
char *report_format_render(const OutputForm *form, const ReportSource *source, GError **error);
/* Reads "junit,html" into an array of const OutputForm *. Errors: FIREBREAK_ERROR_USAGE, naming those there are. */
GPtrArray *report_formats_parse(const char *list, GError **error);
/* FALSE if the file at `path` is a page that has more than `text`, which would take its place. What cannot be read is
 * for the writer to complain about. Errors: FIREBREAK_ERROR_USAGE. */
gboolean report_format_may_replace(const OutputForm *form, const char *path, const char *text, GError **error);
/* Lines for --help. Owned by the caller. */
char *report_formats_help(void);
