/* SPDX-License-Identifier: Apache-2.0 */
/* The talk of a command (gate/request/talk.h) on stderr. */
#pragma once

#include "core/finding.h"
#include "gate/request/talk.h"

/* A line is replaced if stderr is a terminal. To be cleared with talk_clear(). */
void talk_on_stderr(Talk *talk, TalkLevel level);
/* Says the severity and text of each finding on stderr, unless the level is TALK_QUIET. */
void talk_findings(const FindingList *findings, TalkLevel level);
