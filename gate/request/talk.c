/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/request/talk.h"

#include "core/escape.h"
#include "model/numbers/number.h"

#include <math.h>

#define ERASE_LINE "\r\033[K"
#define LEAST_LEFT_S 1 /* what is less is not worth a word */

void talk_init(Talk *talk, TalkLevel level, gboolean terminal, TalkPrint print)
{
	*talk = (Talk){.level = level, .terminal = terminal, .print = print, .timer = g_timer_new(), .end_s = NAN};
}

void talk_set_left(Talk *talk, double left_s)
{
	talk->end_s = g_timer_elapsed(talk->timer, NULL) + left_s;
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

/* "; about 3 min left" of a step that is replaced by the next one, "" where that is not known. Owned by the caller. */
static char *left_text(const Talk *talk, double now_s)
{
	double left_s = talk->end_s - now_s;
	if (!talk->terminal || !(left_s >= LEAST_LEFT_S))
		return g_strdup("");
	g_autofree char *left = number_duration(ceil(left_s));
	return g_strdup_printf("; about %s left", left);
}

/* The step with the time since the start before it, where it has one. Owned by the caller. */
static char *timed_step(const Talk *talk, const char *text, gboolean detail)
{
	if (!talk->terminal && !talk->timed)
		return g_strdup(text);
	double now_s = g_timer_elapsed(talk->timer, NULL);
	g_autofree char *left = detail ? left_text(talk, now_s) : g_strdup("");
	return g_strdup_printf("%5.0f s  %s%s", now_s, text, left);
}

static void show_step(Talk *talk, const char *text, gboolean detail)
{
	if (talk->level == TALK_QUIET)
		return;
	g_autofree char *step = timed_step(talk, text, detail);
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

void talk_progress(gpointer data, const char *text)
{
	show_step(data, text, FALSE);
}

void talk_detail(gpointer data, const char *text)
{
	show_step(data, text, TRUE);
}
