/* SPDX-License-Identifier: Apache-2.0 */
/* Talk: what a check says while it works. On a terminal the current step is one line that is replaced; in CI and files
 * every step that matters is a line of its own. Where the text goes is the caller's business. */
#pragma once

#include <glib.h>

typedef enum { TALK_QUIET, TALK_NORMAL, TALK_VERBOSE } TalkLevel;

/* Shows text at once, as it is; FALSE if that failed. */
typedef gboolean (*TalkPrint)(const char *text);

typedef struct {
	TalkLevel level;
	gboolean terminal;  /* a line can be replaced */
	gboolean open_line; /* a replaceable line stands there */
	gboolean timed;     /* steps begin with the time since the start, which on a terminal they always do */
	guint width;        /* columns of the terminal, to which lines are wrapped; 0 = not wrapped */
	TalkPrint print;
	GTimer *timer;
	double end_s; /* of that timer: when all will be done, by what is known; NaN = not known */
} Talk;

/* Makes `talk` ready; nothing is printed yet. */
void talk_init(Talk *talk, TalkLevel level, gboolean terminal, TalkPrint print);
void talk_clear(Talk *talk);
/* Takes a replaceable line away, before something else is printed. */
void talk_end_line(Talk *talk);
/* Says how many seconds are left of all that is to be done; a terminal shows them, counting down, with each step from
 * then on. */
void talk_set_left(Talk *talk, double left_s);
/* Shows the step that goes on; `data` is the Talk. Text is foreign and escaped here. */
void talk_progress(gpointer data, const char *text);
/* The same for a step of many, such as a round: a terminal replaces it by the next one, a file has it where it is asked
 * for. */
void talk_detail(gpointer data, const char *text);
/* A line that stays; FALSE if it was not said, because the talk is quiet. */
gboolean talk_line(Talk *talk, const char *text);
