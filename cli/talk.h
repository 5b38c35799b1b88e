/* Talk: what the program says on stderr while it works. On a terminal the current step is one line that is replaced; in
 * CI and files every step that matters is a line of its own. */
#pragma once

#include <glib.h>

typedef enum { TALK_QUIET, TALK_NORMAL, TALK_VERBOSE } TalkLevel;

typedef struct {
	TalkLevel level;
	gboolean terminal;  /* stderr is one */
	gboolean open_line; /* a replaceable line stands there */
	GTimer *timer;
} Talk;

void talk_init(Talk *talk, TalkLevel level);
void talk_clear(Talk *talk);
/* Takes a replaceable line away, before something else is printed. */
void talk_end_line(Talk *talk);
/* Shows the step that goes on; `data` is the Talk. Text is foreign and escaped here. */
void talk_progress(gpointer data, const char *text);
/* A line that stays; FALSE if it was not said, because the talk is quiet. */
gboolean talk_line(Talk *talk, const char *text);

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;
/* Reads auto, always or never; NULL = auto. FALSE if it is none of them. */
gboolean color_parse(const char *text, ColorChoice *choice);
/* Whether to colour what goes to the descriptor: NO_COLOR and TERM=dumb switch `auto` off. */
gboolean color_wanted(ColorChoice choice, int fd);
