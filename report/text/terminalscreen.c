/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/terminalscreen.h"

#include "core/escape.h"
#include "profile/hotspots/hotspots.h"
#include "report/words/wording.h"
#include "report/words/wordwrap.h"

#define NAME_MAX_CHARS 44

const char *screen_styled(const Screen *screen, const char *style)
{
	return screen->options->colour ? style : NULL;
}

char *screen_name(const char *name)
{
	g_autofree char *shortened = hotspots_short_name(name, NAME_MAX_CHARS);
	return escape_to_string(escape_terminal, shortened);
}

void screen_append_styled(const Screen *screen, const char *style, const char *text)
{
	if (screen->options->colour)
		g_string_append_printf(screen->out, "%s%s" STYLE_RESET, style, text);
	else
		g_string_append(screen->out, text);
}

void screen_append_wrapped(const Screen *screen, const char *text, gsize column, guint indent)
{
	const WordWrap wrap = {.width = screen->options->width, .column = (guint)column, .indent = indent};
	wrap_words(screen->out, &wrap, text);
}

const char *screen_verdict_sign(Verdict verdict)
{
	static const char *const signs[] = {
	        [VERDICT_PASS] = "✓",
	        [VERDICT_REGRESSION] = "✗",
	        [VERDICT_INCONCLUSIVE] = "?",
	        [VERDICT_ERROR] = "✗",
	};
	return signs[verdict];
}

const char *screen_verdict_style(Verdict verdict)
{
	static const char *const styles[] = {
	        [VERDICT_PASS] = STYLE_BOLD_GREEN,
	        [VERDICT_REGRESSION] = STYLE_BOLD_RED,
	        [VERDICT_INCONCLUSIVE] = STYLE_BOLD_YELLOW,
	        [VERDICT_ERROR] = STYLE_BOLD_RED,
	};
	return styles[verdict];
}

/* The address of a file for a link (OSC 8), or NULL where no link is wanted. Owned by the caller. */
static char *file_address(const Screen *screen, const char *path)
{
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);
	return screen->options->links ? g_filename_to_uri(absolute, NULL, NULL) : NULL;
}

void screen_append_file(const Screen *screen, const char *label, const char *file)
{
	g_autofree char *path = g_build_filename(screen->options->out_dir, file, NULL);
	g_autofree char *text = wording_clean(path, TERMINAL_TEXT_MAX_CHARS);
	g_autofree char *address = file_address(screen, path);
	g_string_append_printf(screen->out, "  %s: ", label);
	if (address != NULL)
		g_string_append_printf(screen->out, "\033]8;;%s\033\\", address);
	screen_append_styled(screen, STYLE_BOLD, text);
	g_string_append(screen->out, address != NULL ? "\033]8;;\033\\\n" : "\n");
}
