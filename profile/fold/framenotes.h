/* SPDX-License-Identifier: Apache-2.0 */
/* The notes of frames (model/stacknote.h): their addresses and source lines, when addresses have become frames.
 * Internal to foldperf.c.
 *
 *     address 17     main  line main.c:20  parse  line parse.c:31     pushed onto the stack of the caller
 *
 * An address is the offset in the object file, as perf shows it of what has no name. Code that is in no object file has
 * notes without a text. */
#pragma once

#include "model/stacknote.h"
#include "profile/fold/symbolframes.h"

typedef struct {
	const SymbolFrames *frames; /* resolved, the lines too where they are wanted; borrowed */
	guint wanted;               /* bits 1 << StackNote */
	GArray *first;              /* of guint32, by address: row of `notes` plus 1; 0 = not made yet */
	GArray *notes;              /* of FrameId */
} FrameNotes;

/* `wanted`: bits, of which those of a function count. */
void frame_notes_init(FrameNotes *notes, const SymbolFrames *frames, guint wanted);
void frame_notes_clear(FrameNotes *notes);
/* The stack with the frames of an address and their notes on top. */
StackId frame_notes_push_address(FrameNotes *notes, StackId stack, guint32 address);
/* The stack with a frame that is known without its address, and its notes if it is a function. */
StackId frame_notes_push_frame(const FrameNotes *notes, StackId stack, FrameId frame);
