/* SPDX-License-Identifier: Apache-2.0 */
/* Notes: frames that are no code but tell more of the frame before them. A fold adds them only where somebody asks, so
 * that stacks that differ in nothing else stay apart.
 *
 *     lexi            a command, with its notes in the order of StackNote
 *       process 4711
 *       cpu 3
 *     main            a function, with its notes in the same order
 *       line main.c:20
 *
 * A note is a frame of the kind FRAME_NOTE: its module says what it tells, its name what that is, "" where that is not
 * known. */
#pragma once

#include "model/profile.h"

typedef enum { NOTE_PROCESS, NOTE_THREAD, NOTE_CPU, NOTE_ADDRESS, NOTE_LINE, N_STACK_NOTES } StackNote;
/* The notes of a command, and those of a function, as bits 1 << StackNote. */
#define NOTES_OF_COMMAND (1u << NOTE_PROCESS | 1u << NOTE_THREAD | 1u << NOTE_CPU)
#define NOTES_OF_FUNCTION (1u << NOTE_ADDRESS | 1u << NOTE_LINE)

/* The frame of a note. */
FrameId stack_note(StackTable *table, StackNote note, const char *text);
/* TRUE if a frame is a note; *note is what it tells. */
gboolean stack_note_is(const StackTable *table, FrameId frame, StackNote *note);
/* The last frame of a stack that is no note; `stack` is not the root. */
FrameId stack_note_bearer(const StackTable *table, StackId stack);
/* A profile of the same costs and on the same table, whose stacks have no notes. Owned by the caller. */
Profile *stack_notes_left_out(const Profile *profile);
