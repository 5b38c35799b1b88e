/* SPDX-License-Identifier: Apache-2.0 */
/* From frame lines of `perf script` to frames: each different text is looked at once. Internal to the reader. */
#pragma once

#include "model/stacktable.h"
#include "model/textindex.h"
#include "profile/perfscript/perfscriptchoice.h"
#include "profile/perfscript/perfscriptline.h"

typedef struct {
	FrameId id;
	gboolean is_inlined;
	gboolean in_caller;  /* its module is that of the frame that calls it */
	gboolean ends_stack; /* what called it is not wanted */
} ScriptFrameRow;

/* The frames of one line, outermost first: elements first .. first + n - 1 of the rows. */
typedef struct {
	guint32 first, n;
} ScriptFrames;

typedef struct {
	StackTable *table; /* borrowed */
	const PerfScriptOptions *options;
	TextIndex texts[2]; /* of lines under a Java command, of others */
	GArray *lines[2];   /* of ScriptFrames, by row of the index */
	GArray *rows;       /* of ScriptFrameRow */
	GString *name, *mended;
} ScriptFrameTable;

/* An empty table whose frames go to `table`. The caller clears it. */
void script_frames_init(ScriptFrameTable *frames, StackTable *table, const PerfScriptOptions *options);
void script_frames_clear(ScriptFrameTable *frames);
/* The frames of a line, from what script_split_frame() made of it. The text must stay. */
ScriptFrames script_frames_of(ScriptFrameTable *frames, TextPiece address, TextPiece name, gboolean is_java);
/* Interns a frame of a line as called by `caller`, which may be NULL. */
FrameId script_frame_under(const ScriptFrameTable *frames, const ScriptFrameRow *row, const FrameId *caller);
/* A line `file:line` after a frame tells the source file of the innermost function of it. */
void script_frames_note_source(ScriptFrameTable *frames, ScriptFrames line, TextPiece source);
