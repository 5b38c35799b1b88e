#include "cli/command.h"
#include "cli/rendering.h"
#include "core/error.h"
#include "report/reportread.h"
#include "report/summarymd.h"

#include <string.h>

static int render(const CheckResult *result, const char *format, const char *dir, ColorChoice color, const char *json)
{
	gboolean ok;
	if (g_str_equal(format, "json")) {
		ok = print_result(json);
	} else if (g_str_equal(format, "markdown")) {
		g_autofree char *text = summary_markdown(result, 0, NULL);
		ok = print_result(text);
	} else {
		ok = print_check(result, color, dir, FALSE, FALSE);
	}
	return ok ? 0 : FIREBREAK_ERROR_STORAGE;
}

static int run(const Command *command, char **argv)
{
	static const char *const formats[] = {"text", "markdown", "json", NULL};
	g_autofree char *format = NULL, *color_text = NULL, *text = NULL;
	gsize length = 0;
	int code = 0;
	ColorChoice color;
	const GOptionEntry entries[] = {
	        {"format", 'f', 0, G_OPTION_ARG_STRING, &format, "text (default), markdown or json", "FORMAT"},
	        {"color", 0, 0, G_OPTION_ARG_STRING, &color_text, "auto, always or never", "WHEN"},
	        G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) rest = command_parse(command, entries, argv, &code);
	if (rest == NULL)
		return code;
	if (rest[1] != NULL && rest[2] != NULL)
		return command_usage(command, "unexpected argument \"%s\"", rest[2]);
	if (format != NULL && !g_strv_contains(formats, format))
		return command_usage(command, "--format is text, markdown or json");
	if (!color_parse(color_text, &color))
		return command_usage(command, "--color is auto, always or never");
	const char *dir = rest[1] != NULL ? rest[1] : "firebreak-out";
	g_autofree char *path = g_build_filename(dir, "report.json", NULL);
	g_autoptr(GError) error = NULL;
	if (!g_file_get_contents(path, &text, &length, &error))
		return command_failed(error);
	g_autoptr(CheckResult) result = report_read(text, length, path, &error);
	if (result == NULL)
		return command_failed(error);
	return render(result, format != NULL ? format : "text", dir, color, text);
}

const Command report_command = {
        .name = "report",
        .arguments = "[DIR]",
        .summary = "render an earlier result again, from DIR/report.json (default firebreak-out)",
        .run = run,
};
