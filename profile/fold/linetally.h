/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by line and by instruction of chosen frames, while costs are given to them; becomes a LineCosts
 * (model/linecosts.h). What the two folds share. */
#pragma once

#include "model/linecosts.h"
#include "profile/fold/addresslines.h"

/* Part of a cost: of what is called from several lines, each gets its share. */
typedef struct {
	double weight, samples;
} LineShare;

typedef struct LineTally LineTally;

/* `table` and the profiles of `query` are borrowed. */
LineTally *line_tally_new(StackTable *table, const LineCostQuery *query);
void line_tally_free(LineTally *tally);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LineTally, line_tally_free)

/* The frames asked about, for AddressLinesSource. */
const gboolean *line_tally_wanted(const LineTally *tally, guint *n_frames);
/* TRUE if lines of this function are asked for. */
gboolean line_tally_wants(const LineTally *tally, FrameId frame);

/* TRUE if a run that went to `profile` is asked about. If so it is counted, each one of a profile once, and *side is
 * that of the profile. */
gboolean line_tally_takes_run(LineTally *tally, const Profile *profile, guint run, guint *side);

typedef struct {
	FrameId frame; /* one that is wanted */
	guint side;
	LinePlace place;
} LineKey;

/* The row of a line, found or added; its number is less than 2^31. */
guint32 line_tally_row(LineTally *tally, const LineKey *key);
/* Adds to what a line costs by itself. */
void line_tally_add_self(LineTally *tally, guint32 row, LineShare share);
/* Adds to what a line costs with all it calls. */
void line_tally_add_total(LineTally *tally, guint32 row, LineShare share);

typedef struct {
	FrameId frame; /* the function with code of its own there; one that is wanted */
	guint side;
	guint32 address; /* of the fold */
} InstructionKey;

/* Adds to what an instruction costs. */
void line_tally_add_instruction(LineTally *tally, const InstructionKey *key, LineShare share);

/* The sums, with the modules in which wanted frames have addresses. `symbolizer` is that of the fold. Owned by the
 * caller. */
LineCosts *line_tally_finish(const LineTally *tally, const Symbolizer *symbolizer, const AddressLines *lines);
