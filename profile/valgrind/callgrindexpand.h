/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks from the contexts of a dump (profile/valgrind/callgrinddump.h): every instruction becomes the functions that
 * are inlined at it, and every caller those that are inlined at the call.
 *
 *     context          call sites of its caller         stack
 *     main             -                                prog;main
 *     parse'main       0x1200: main                     prog;main;parse
 *     hash'parse'main  0x1290: parse > next > fold      prog;main;parse;next        what all call sites agree on
 *                      0x12a4: parse > next
 *     0x1400 in it: hash > mix                          prog;main;parse;next;hash;mix
 *
 * A context without a caller in the forest is expanded by the functions of its name: each by what all calls from it to
 * the next function have in common in the whole dump. What callgrind shows beyond the start of the program is not part
 * of it. A part of a function that the compiler moved away from it is that function, not one that it calls. */
#pragma once

#include "profile/fold/symbolframes.h"
#include "profile/valgrind/callgrinddump.h"

/* The parts of one dump that are needed; all borrowed. */
typedef struct {
	const CallgrindDump *dump;
	StackTable *table;
	const SymbolFrames *frames; /* resolved */
	const guint32 *addresses;   /* by address of the dump: that of the symbolizer */
	const NameId *modules;      /* by object of the dump */
	const gboolean *is_unread; /* by object of the dump: it could not be read, and the names in the dump stand in */
	gboolean with_calls;       /* remember the calls at each site, for callgrind_expander_callers() */
} CallgrindExpandSource;

typedef struct CallgrindExpander CallgrindExpander;

/* `source` is copied; what it points to must outlive the expander. */
CallgrindExpander *callgrind_expander_new(const CallgrindExpandSource *source);
void callgrind_expander_free(CallgrindExpander *expander);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CallgrindExpander, callgrind_expander_free)

/* The stack of a cell. */
StackId callgrind_expander_cell(CallgrindExpander *expander, const CallgrindCell *cell);
/* The stack of a call, with the function that is called as its leaf. */
StackId callgrind_expander_call(CallgrindExpander *expander, const CallgrindCall *call);

/* The parts that these stacks are put together from. */

/* The frames at an instruction or a call, the function with code of its own first. */
typedef struct {
	const FrameId *frames; /* borrowed until the next question */
	guint n;
	gboolean is_start; /* of the program: a stack has only the command before them */
	guint32 address;   /* of the symbolizer, whose first frames these are; CALLGRIND_NONE = the dump named it */
} CallgrindFrames;

/* The frames of one caller, and the calls of the next one from there: those that callgrind_expander_next_call() leads
 * through. */
typedef struct {
	CallgrindFrames frames;
	guint32 calls; /* CALLGRIND_NONE = none is known */
} CallgrindCaller;

/* The frames at an instruction of a context. */
CallgrindFrames callgrind_expander_frames(CallgrindExpander *expander, guint32 context, guint32 address);
/* Appends to `callers` (of CallgrindCaller) what a context has between its caller in the forest, or the command if that
 * is not known, and itself: nothing, or callers from the outermost one in. */
void callgrind_expander_callers(CallgrindExpander *expander, guint32 context, GArray *callers);
/* The number of a call in the dump; *calls then leads to the next one, in the end to CALLGRIND_NONE. */
guint32 callgrind_expander_next_call(const CallgrindExpander *expander, guint32 *calls);
/* The frame of the function that a call leads to, without a line. */
FrameId callgrind_expander_called(CallgrindExpander *expander, const CallgrindCall *call);
/* TRUE if the function of a context is a mere jump to another one, and no part of stacks. */
gboolean callgrind_expander_is_stub(const CallgrindExpander *expander, guint32 context);
