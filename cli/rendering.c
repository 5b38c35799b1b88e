#include "cli/rendering.h"

#include "cli/command.h"
#include "core/escape.h"
#include "report/reportjson.h"
#include "report/terminaltext.h"

#include <sys/ioctl.h>
#include <unistd.h>

guint terminal_width(void)
{
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 0;
}

gboolean print_check(
        const CheckResult *result, ColorChoice color, const char *out_dir, gboolean json, gboolean verdict_only)
{
	g_autofree char *text = NULL;
	TerminalOptions options = {
	        .colour = color_wanted(color, STDOUT_FILENO), .width = terminal_width(), .out_dir = out_dir};
	if (json) {
		text = report_json(result, NULL);
	} else if (verdict_only) {
		g_autofree char *reason = check_result_reason(result);
		g_autofree char *safe = escape_to_string(escape_terminal, reason);
		text = g_strdup_printf("%s: %s\n", verdict_name(result->verdict), safe);
	} else {
		text = terminal_text(result, &options);
	}
	return print_result(text);
}
