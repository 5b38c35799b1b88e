/* The formats of `firebreak report`: one table gives their names, file names, help and functions. */
#pragma once

#include "cli/output/color.h"
#include "compare/result.h"
#include "gate/talk.h"

/* The result that is rendered, and the settings. */
typedef struct {
	CheckResult *result;   /* read from its report; rendering may add profiles to it */
	const char *dir;       /* the output folder that it was read from */
	const char *json;      /* its report.json, byte for byte */
	const char *benchmark; /* whose picture; NULL = the only one there is */
	gsize max_bytes;       /* of Markdown; 0 = that of a step summary */
	ColorChoice color;
	int fd; /* where a text goes; negative = to a file */
} ReportSource;

typedef struct {
	const char *name;    /* as written after --format */
	const char *file;    /* its name in a folder */
	const char *summary; /* for --help */
	/* Owned by the caller. Errors: FIREBREAK_ERROR_USAGE, FIREBREAK_ERROR_STORAGE. */
	char *(*render)(const ReportSource *source, GError **error);
} ReportFormat;

/* Reads "junit,html" into an array of const ReportFormat *. Errors: FIREBREAK_ERROR_USAGE, naming those there are. */
GPtrArray *report_formats_parse(const char *list, GError **error);
/* FALSE if the file at `path` is a page that has more than `text`, which would take its place. What cannot be read is
 * for the writer to complain about. Errors: FIREBREAK_ERROR_USAGE. */
gboolean report_format_may_replace(const ReportFormat *format, const char *path, const char *text, GError **error);
/* The names of all formats, NULL-terminated. */
extern const char *const report_format_names[];
/* Lines for --help. Owned by the caller. */
char *report_formats_help(void);
