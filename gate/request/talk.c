/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/request/talk.h"

#include "core/escape.h"

#include <string.h>

#define ERASE_LINE "\r\033[K"

void talk_init(Talk *talk, TalkLevel level, gboolean terminal, TalkPrint print)
{
	*talk = (Talk){.level = level, .terminal = terminal, .print = print, .timer = g_timer_new()};
}

void talk_end_line(Talk *talk)
{
	if (talk->open_line)
		talk->print(ERASE_LINE);
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
	g_autofree char *line = g_strconcat(safe, "\n", NULL);
	talk_end_line(talk);
	return talk->level > TALK_QUIET && talk->print(line);
}

/* Round by round only where the line is replaced, or when asked for. */
static gboolean is_detail(const char *text)
{
	return strstr(text, ": round ") != NULL && strstr(text, "again") == NULL;
}

/* The step with the time since the start before it, where it has one. Owned by the caller. */
static char *timed_step(const Talk *talk, const char *text)
{
	if (!talk->terminal && !talk->timed)
		return g_strdup(text);
	return g_strdup_printf("%5.0f s  %s", g_timer_elapsed(talk->timer, NULL), text);
}

void talk_progress(gpointer data, const char *text)
{
	Talk *talk = data;
	gboolean detail = is_detail(text);
	if (talk->level == TALK_QUIET)
		return;
	g_autofree char *step = timed_step(talk, text);
	if (!talk->terminal) {
		if (talk->level == TALK_VERBOSE || !detail)
			talk_line(talk, step);
		return;
	}
	g_autofree char *safe = escape_to_string(escape_terminal, step);
	g_autofree char *line = g_strconcat(ERASE_LINE, safe, detail ? "" : "\n", NULL);
	talk->print(line);
	talk->open_line = detail;
}
