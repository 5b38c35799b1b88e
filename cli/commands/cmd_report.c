/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/color.h"
#include "cli/output/output.h"
#include "cli/output/reportformats.h"
#include "cli/output/reviewjob.h"
#include "core/durable.h"
#include "core/error.h"
#include "report/json/reportjson.h"

#include <string.h>
#include <unistd.h>

typedef struct {
	char *formats, *output, *benchmark, *review, *artifact, *id;
	gint64 limit;
	ColorChoice color;
} Options;

static gboolean is_stdout(const char *output)
{
	return output == NULL || g_str_equal(output, "-");
}

static gboolean write_one(const ReportSource *source, const OutputForm *format, const char *path, GError **error)
{
	g_autofree char *text = report_format_render(format, source, error);
	return text != NULL && (is_stdout(path) || report_format_may_replace(format, path, text, error)) &&
	       output_write(path, text, error);
}

/* A single format goes where -o says; several become files of a folder. */
static gboolean write_all(ReportSource *source, const GPtrArray *formats, const char *output, GError **error)
{
	gboolean to_dir = formats->len > 1 || (!is_stdout(output) && g_file_test(output, G_FILE_TEST_IS_DIR));
	source->fd = is_stdout(output) ? STDOUT_FILENO : -1;
	if (!to_dir)
		return write_one(source, g_ptr_array_index(formats, 0), output, error);
	if (!durable_make_dir(output, error))
		return FALSE;
	for (guint i = 0; i < formats->len; i++) {
		const OutputForm *format = g_ptr_array_index(formats, i);
		g_autofree char *path = g_build_filename(output, format->file, NULL);
		if (!write_one(source, format, path, error))
			return FALSE;
	}
	return TRUE;
}

static int render(ReportSource *source, const GPtrArray *formats, const char *output)
{
	g_autofree char *text = NULL;
	g_autofree char *path = g_build_filename(source->dir, "report.json", NULL);
	gsize length = 0;
	g_autoptr(GError) error = NULL;
	if (!g_file_get_contents(path, &text, &length, &error)) {
		if (!g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
			return command_failed(error);
		g_autoptr(GError) missing = g_error_new(FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE,
		        "there is no %s; run `firebreak check`, or name its output folder", path);
		return command_failed(missing);
	}
	g_autoptr(CheckResult) result = report_read(text, length, path, &error);
	if (result == NULL)
		return command_failed(error);
	source->result = result;
	source->json = text;
	return write_all(source, formats, output, &error) ? 0 : command_failed(error);
}

/* Reads the options of Markdown. Returns the mistake in them, owned by the caller; NULL if there is none. */
static char *read_summary(const Options *o, SummaryOptions *summary)
{
	*summary = (SummaryOptions){.max_bytes = (gsize)o->limit, .id = o->id};
	if (o->id != NULL && !summary_id_is_valid(o->id))
		return g_strdup_printf("--id takes 1 to %d characters: letters, digits, dots, dashes and underscores",
		        SUMMARY_ID_MAX_BYTES);
	if (o->review == NULL)
		review_job_read(&summary->links, g_getenv);
	else if (!review_links_set_review(&summary->links, o->review))
		return g_strdup("--review takes the address of a pull request, https://HOST/OWNER/REPO/pull/N, or of a "
		                "merge request, https://HOST/PROJECT/-/merge_requests/N");
	if (o->artifact != NULL && !review_links_set_artifact(&summary->links, o->artifact))
		return g_strdup("--artifact takes an address that begins with https:// or http://");
	return NULL;
}

static int parse_and_render(const Command *command, void *options, char **dirs)
{
	const Options *o = options;
	ReportSource source = {
	        .dir = dirs[0] != NULL ? dirs[0] : "firebreak-out", .benchmark = o->benchmark, .color = o->color};
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) formats = report_formats_parse(o->formats != NULL ? o->formats : "text", &error);
	if (formats == NULL)
		return command_usage(command, "%s", error->message);
	if (formats->len > 1 && is_stdout(o->output))
		return command_usage(command, "several formats become files: name a folder with -o");
	g_autofree char *mistake = read_summary(o, &source.summary);
	int code = mistake != NULL ? command_usage(command, "%s", mistake) : render(&source, formats, o->output);
	review_links_clear(&source.summary.links);
	return code;
}

static const Option option_rows[] = {
        {"format", 'f', OPTION_HINTED, "FORMAT", "one of those below, or several separated by commas",
                offsetof(Options, formats), .section = SECTION_OUTPUT, .choices = output_form_names},
        {"output", 'o', OPTION_FILE, "PATH", "write to this file or folder (default: standard output)",
                offsetof(Options, output), .section = SECTION_OUTPUT},
        {"benchmark", 'b', OPTION_TEXT, "NAME", "whose flame graph (default: the only one there is)",
                offsetof(Options, benchmark), .section = SECTION_OUTPUT},
        {"review", 0, OPTION_TEXT, "URL",
                "markdown, comment: the pull or merge request whose diff is linked to (default: that of the CI job)",
                offsetof(Options, review), .section = SECTION_OUTPUT},
        {"artifact", 0, OPTION_TEXT, "URL",
                "markdown, comment: address of the stored output folder if it ends with /, else of its page or archive",
                offsetof(Options, artifact), .section = SECTION_OUTPUT},
        {"id", 0, OPTION_TEXT, "NAME", "comment: an id, where several jobs comment on one change (default: firebreak)",
                offsetof(Options, id), .section = SECTION_OUTPUT},
        {"limit", 0, OPTION_INT64, "BYTES",
                "markdown, comment: at most so many bytes, from 8192 on (default: 921,600 and 64,000)",
                offsetof(Options, limit), .section = SECTION_OUTPUT, .min = SUMMARY_MIN_BYTES, .max = G_MAXINT32},
        COLOR_OPTION(Options, color),
};

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){0}, argv, 1, parse_and_render);
}

const Command report_command = {
        .name = "report",
        .arguments = "[DIR]",
        .summary = "render an earlier result again, from DIR/report.json (default firebreak-out)",
        .more = report_formats_help,
        .options = {OPTION_GROUP(option_rows, 0)},
        .offer = OFFER_FOLDERS,
        .run = run,
};
