/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of single lines and instructions of chosen functions. They come from the recordings or dumps that a fold
 * (profile/fold/foldperf.h, profile/valgrind/callgrindfold.h) still holds after its profiles are finished.
 *
 *     stack of a sample          costs of `parse`, in lines                    of instructions
 *     main      main.c:20
 *     parse     parse.c:31       parse.c:31   total 10
 *     next      parse.c:12
 *     hash      hash.h:7         (asked for `hash`: hash.h:7  self, total 10)  parse +0x24  self 10
 *
 * `next` and `hash` are inlined here: their machine code is that of `parse`. A line is where the code of the address
 * stands within the frame itself, so in `parse` it is the line of the call of `next`. The self costs of all lines of a
 * frame and side add up to the self cost of the frame in the profiles asked about, and the totals of a line count each
 * sample once, however often recursion brings the line into its stack.
 *
 * Costs are sums over all runs of a side, in the unit of the profile's event; divide by `runs` for a mean. What cannot
 * be told is line 0 with the empty file: code without debug information, generated code, the kernel as one frame. A
 * line 0 with a file is code that the compiler attributes to no line of that file.
 *
 * Callgrind does not tell stacks apart by the instruction that a call came from. Where a function calls another one
 * from several lines, what that cost is divided among them as the dump says in sum; that is exact for the function that
 * calls, and as good as calls from there are alike for the ones further out. */
#pragma once

#include "model/codefacts.h"
#include "model/profile.h"

/* A request for costs. A fold may hold the samples of several events, so the profiles say of which ones. */
typedef struct {
	/* that the fold has filled, by side; NULL = nothing of this side */
	const Profile *profiles[N_SIDES];
	const FrameId *frames; /* of these functions, in any order; a command is none and has no lines */
	guint n_frames;
} LineCostQuery;

typedef struct {
	FrameId frame;
	guint side;         /* 0 = base, 1 = head */
	NameId file;        /* relative to the checkout, as in CodePlace; the empty name = not known */
	guint32 line;       /* 0 = not known */
	double self, total; /* cost of its own code, and of that with what was called from there */
	guint64 self_samples, total_samples;
} LineCost;

/* A machine instruction, with the cost of what is inlined there. */
typedef struct {
	FrameId frame; /* the function with code of its own that it belongs to, if that is asked for; an instruction
	                * has no row for what is inlined there */
	guint side;
	guint module;   /* row of `modules` */
	guint64 offset; /* as symbolizer_add_address() takes it */
	double self;
	guint64 samples;
} InstructionCost;

/* An object file that instructions are in. */
typedef struct {
	char *path;
	guint8 *build_id; /* NULL if not recorded */
	guint build_id_length;
	char *failure; /* why its lines are not known, or NULL */
} LineModule;

typedef struct {
	GArray *lines;          /* of LineCost, sorted by frame, side, text of the file, line */
	GArray *instructions;   /* of InstructionCost, sorted by frame, side, module, offset */
	GPtrArray *modules;     /* of LineModule, sorted by path, build-id */
	guint runs[N_SIDES];    /* that the costs are sums over; 0 = nothing of this side was folded */
	gboolean are_addresses; /* offsets are addresses as the file's own headers and symbols have them */
} LineCosts;

LineCosts *line_costs_new(void);
void line_costs_free(LineCosts *costs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LineCosts, line_costs_free)
