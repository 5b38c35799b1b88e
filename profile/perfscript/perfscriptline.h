/* SPDX-License-Identifier: Apache-2.0 */
/* One line of the output of `perf script`, taken apart. Everything is a piece of the line. Internal to the reader. */
#pragma once

#include "model/textpiece.h"

typedef struct {
	TextPiece comm;
	TextPiece pid; /* empty if the line has a thread id only */
	TextPiece tid;
	gboolean has_time;
	guint64 period;  /* 0 if there is none */
	TextPiece event; /* full name without the colon; empty if there is none */
	TextPiece rest;  /* the text after the event */
} ScriptEvent;

typedef struct {
	TextPiece address;
	TextPiece symbol; /* without offset; empty if there is none */
	TextPiece file;   /* what is in the parentheses at the end; empty if there are none */
} ScriptFrame;

/* An event line: a command, its thread, and then a time or at least a word that ends in a colon. */
gboolean script_parse_event(TextPiece line, ScriptEvent *event);

/* The address of a frame line and the text after it. FALSE if the line is not like that. */
gboolean script_split_frame(TextPiece line, TextPiece *address, TextPiece *name);
/* The parts of the text after an address. */
ScriptFrame script_parse_frame(TextPiece address, TextPiece name);
/* TRUE if the line is a frame whatever is around it: the second word is no thread id, and a file is at the end. */
gboolean script_is_frame(TextPiece line);
/* The frame at the end of an event line of a recording without call chains. */
gboolean script_parse_event_frame(TextPiece rest, TextPiece *address, TextPiece *name);
