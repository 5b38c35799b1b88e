/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/rendering.h"

#include "cli/output/exitwords.h"

#include "cli/output/color.h"
#include "cli/output/output.h"
#include "compare/outcomewords.h"
#include "core/escape.h"
#include "report/json/reportjson.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define MAX_COLUMNS 10000

guint descriptor_width(int fd)
{
	struct winsize size;
	guint64 columns = 0;
	const char *said = g_getenv("COLUMNS");
	if (said != NULL && g_ascii_string_to_unsigned(said, 10, 1, MAX_COLUMNS, &columns, NULL))
		return (guint)columns;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 0;
}

guint terminal_width(void)
{
	return descriptor_width(STDOUT_FILENO);
}

gboolean shows_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *value = g_getenv(names[i]);
		if (value == NULL || *value == '\0')
			continue;
		g_autofree char *lower = g_ascii_strdown(value, -1);
		return g_strrstr(lower, "utf-8") != NULL || g_strrstr(lower, "utf8") != NULL;
	}
	return FALSE;
}

TerminalOptions terminal_options(ColorChoice color, int fd, const char *out_dir)
{
	guint width = fd >= 0 ? terminal_width() : 0;
	gboolean colour = color_wanted(color, fd);
	g_autofree char *page = out_dir == NULL ? NULL : g_build_filename(out_dir, "report.html", NULL);
	return (TerminalOptions){.colour = colour,
	        .links = colour && fd >= 0 && isatty(fd) == 1 && g_strcmp0(g_getenv("TERM"), "linux") != 0,
	        .width = width,
	        .out_dir = out_dir,
	        .page = page != NULL && g_file_test(page, G_FILE_TEST_IS_REGULAR),
	        .bars = width >= TERMINAL_BARS_WIDTH && shows_utf8()};
}

int print_exit_code(const CheckResult *result, InconclusiveChoice choice, PrintForm form)
{
	int exit_code = inconclusive_exit_code(result, choice);
	const char *meaning = exit_code_meaning(exit_code);
	if (exit_code == 3 && choice == INCONCLUSIVE_PASS)
		g_printerr("firebreak: --on-inconclusive=pass does not apply: not everything was measured in enough "
		           "rounds to be judged\n");
	if (form != PRINT_VERDICT && meaning != NULL)
		g_printerr("exit code %d: %s\n", exit_code, meaning);
	return exit_code;
}

gboolean print_check(const CheckResult *result, ColorChoice color, const char *out_dir, PrintForm form)
{
	g_autofree char *text = NULL;
	TerminalOptions options = terminal_options(color, STDOUT_FILENO, out_dir);
	options.details = form == PRINT_DETAILS;
	if (form == PRINT_JSON) {
		text = report_json(result, NULL);
	} else if (form == PRINT_VERDICT) {
		g_autofree char *reason = check_result_reason(result);
		g_autofree char *safe = escape_to_string(escape_terminal, reason);
		text = g_strdup_printf("%s: %s\n", verdict_name(result->verdict), safe);
	} else {
		text = terminal_text(result, &options);
	}
	return print_result(text);
}
