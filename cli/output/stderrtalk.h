/* The talk of a command (gate/request/talk.h) on stderr. */
#pragma once

#include "gate/request/talk.h"

/* A line is replaced if stderr is a terminal. To be cleared with talk_clear(). */
void talk_on_stderr(Talk *talk, TalkLevel level);
