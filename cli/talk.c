#include "cli/talk.h"

#include "core/escape.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void talk_init(Talk *talk, TalkLevel level)
{
	*talk = (Talk){.level = level, .terminal = isatty(STDERR_FILENO) == 1, .timer = g_timer_new()};
}

void talk_end_line(Talk *talk)
{
	if (talk->open_line)
		fputs("\r\033[K", stderr);
	talk->open_line = FALSE;
}

void talk_clear(Talk *talk)
{
	talk_end_line(talk);
	g_clear_pointer(&talk->timer, g_timer_destroy);
}

gboolean talk_line(Talk *talk, const char *text)
{
	g_autofree char *safe = escape_to_string(escape_terminal, text);
	talk_end_line(talk);
	return talk->level > TALK_QUIET && fprintf(stderr, "%s\n", safe) >= 0;
}

/* Round by round only where the line is replaced, or when asked for. */
static gboolean is_detail(const char *text)
{
	return strstr(text, ": round ") != NULL && strstr(text, "again") == NULL;
}

void talk_progress(gpointer data, const char *text)
{
	Talk *talk = data;
	if (talk->level == TALK_QUIET)
		return;
	if (!talk->terminal) {
		if (talk->level == TALK_VERBOSE || !is_detail(text))
			talk_line(talk, text);
		return;
	}
	g_autofree char *safe = escape_to_string(escape_terminal, text);
	fprintf(stderr, "\r\033[K%5.0f s  %s", g_timer_elapsed(talk->timer, NULL), safe);
	fflush(stderr);
	talk->open_line = TRUE;
	if (!is_detail(text)) {
		fputc('\n', stderr);
		talk->open_line = FALSE;
	}
}

gboolean color_parse(const char *text, ColorChoice *choice)
{
	static const char *const names[] = {"auto", "always", "never"};
	*choice = COLOR_AUTO;
	for (gsize i = 0; text != NULL && i < G_N_ELEMENTS(names); i++)
		if (g_str_equal(text, names[i])) {
			*choice = (ColorChoice)i;
			return TRUE;
		}
	return text == NULL;
}

gboolean color_wanted(ColorChoice choice, int fd)
{
	if (choice != COLOR_AUTO)
		return choice == COLOR_ALWAYS;
	const char *off = g_getenv("NO_COLOR");
	return (off == NULL || *off == '\0') && g_strcmp0(g_getenv("TERM"), "dumb") != 0 && isatty(fd) == 1;
}
