/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/request/talk.h"

#include "core/escape.h"
#include "model/numbers/number.h"
#include "report/words/wording.h"
#include "report/words/wordwrap.h"

#include <math.h>

#define ERASE_LINE "\r\033[K"
#define LINE_INDENT 2 /* of what a line is continued in */
#define STEP_INDENT 9 /* the same of one that begins with the time */
#define MIN_WIDTH 20
#define MIN_LEFT_S 1 /* what is less is not worth a word */

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

/* Prints a line that stays, wrapped to the terminal. */
static gboolean print_wrapped(Talk *talk, const char *text, guint indent)
{
	g_autofree char *safe = escape_to_string(escape_terminal, text);
	g_autoptr(GString) lines = g_string_new(talk->open_line ? ERASE_LINE : NULL);
	const WordWrap wrap = {.width = talk->width >= MIN_WIDTH ? talk->width : 0, .indent = indent};
	wrap_words(lines, &wrap, safe);
	talk->open_line = FALSE;
	return talk->print(lines->str);
}

gboolean talk_line(Talk *talk, const char *text)
{
	return talk->level > TALK_QUIET && print_wrapped(talk, text, LINE_INDENT);
}

/* "; about 3 min left" of a step that is replaced by the next one, "" where that is not known. Owned by the caller. */
static char *left_text(const Talk *talk, double now_s)
{
	double left_s = talk->end_s - now_s;
	if (!talk->terminal || !(left_s >= MIN_LEFT_S))
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

/* Prints the line that the next one replaces. What is wider than the terminal would leave a line behind. */
static void print_replaceable(Talk *talk, const char *step)
{
	g_autofree char *shortened = talk->width >= MIN_WIDTH ? wording_shorten(step, talk->width - 1) : g_strdup(step);
	g_autofree char *safe = escape_to_string(escape_terminal, shortened);
	g_autofree char *line = g_strconcat(ERASE_LINE, safe, NULL);
	talk->print(line);
	talk->open_line = TRUE;
}

static void show_step(Talk *talk, const char *text, gboolean detail)
{
	if (talk->level == TALK_QUIET)
		return;
	g_autofree char *step = timed_step(talk, text, detail);
	if (!talk->terminal) {
		if (talk->level == TALK_VERBOSE || !detail)
			talk_line(talk, step);
	} else if (detail) {
		print_replaceable(talk, step);
	} else {
		print_wrapped(talk, step, STEP_INDENT);
	}
}

void talk_progress(gpointer data, const char *text)
{
	show_step(data, text, FALSE);
}

void talk_detail(gpointer data, const char *text)
{
	show_step(data, text, TRUE);
}
