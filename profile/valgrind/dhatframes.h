/* SPDX-License-Identifier: Apache-2.0 */
/* From the texts with which DHAT describes frames to rows of a stack table. Internal to the reader.
 *
 *     0x109292: main (b.cc:8)                    0x109292: Box (b.cc:7)      inlined into main: the same address
 *     0x48417B4: malloc (in /usr/libexec/...)    0x4A2B: ???
 *
 * A text names either the object file or the source line. Where it is the line, the object file is that of a function
 * which the table has already. Names of inlined functions come without what they are members of (`Box`); the table may
 * know the whole name (`geo::Box<double>::Box`). */
#pragma once

#include "model/stacktable.h"
#include "model/textpiece.h"

/* A text taken apart; all pieces are borrowed from it. */
typedef struct {
	TextPiece address; /* "0x109292", or nothing */
	TextPiece name;    /* nothing if it is not known */
	TextPiece object;  /* path, or nothing */
	TextPiece file;    /* of the source line, or nothing */
} DhatFrameText;

/* The parts of a frame's text; they point into `text`. */
DhatFrameText dhat_frame_parse(const char *text);
/* TRUE if it is a function of the library by which valgrind replaces allocating functions. */
gboolean dhat_frame_is_replacement(const DhatFrameText *frame);

typedef struct DhatFrames DhatFrames;

/* Learns from the frames that the table has now; `table` is borrowed. One pass over its frames. */
DhatFrames *dhat_frames_new(StackTable *table);
void dhat_frames_free(DhatFrames *frames);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DhatFrames, dhat_frames_free)

/* The frame of a function with code of its own. */
FrameId dhat_frames_function(DhatFrames *frames, const DhatFrameText *text);
/* The frame of a function that was inlined into `host`. */
FrameId dhat_frames_inlined(DhatFrames *frames, const DhatFrameText *text, FrameId host);
