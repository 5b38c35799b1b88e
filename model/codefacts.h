/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the machine code of the frames of a comparison: whether both sides run the same code, and which source
 * lines it was made from on either side.
 *
 * Arrays are indexed by FrameId of the shared stack table; frames beyond `n_frames` are not known. */
#pragma once

#include "model/sides.h"
#include "model/stacktable.h"

typedef enum { CODE_UNKNOWN, CODE_SAME, CODE_CHANGED } CodeIdentity;

/* Tells where a source file comes from. */
typedef enum {
	SOURCE_UNKNOWN,   /* nobody looked */
	SOURCE_COMMITTED, /* it is a file of the side's commit */
	SOURCE_SUBMODULE, /* it belongs to a submodule of it */
	SOURCE_MADE,      /* it lies in the checkout, but not in the commit: the build made it */
	SOURCE_OUTSIDE,   /* it lies outside of the checkout */
} SourceOrigin;

/* The code of one frame on one side. */
typedef struct {
	NameId file;                   /* source file, relative to the checkout, or the empty name */
	SourceOrigin origin;           /* of that file; only a gate knows (gate/steps/gatesources.h) */
	guint32 first_line, last_line; /* of the function in that file, from DWARF; 0 = not known */
	guint64 hash;   /* of its instructions with relocated addresses masked; 0 = not known, and for inlined ones */
	guint64 sketch; /* similar instructions give sketches that differ in few bits (Charikar's simhash); 0 = not
	                   known */
} CodePlace;

typedef struct {
	guint n_frames;
	CodeIdentity
	        *identity; /* CODE_SAME: a file outside the checkouts is one for both sides, or the hashes are equal */
	gboolean *is_outside; /* all its code is of one file outside of the checkouts, such as a library */
	CodePlace *places[N_SIDES];
} CodeFacts;

CodeFacts *code_facts_new(guint n_frames);
void code_facts_free(CodeFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CodeFacts, code_facts_free)

/* CODE_UNKNOWN where `facts` is NULL or the frame lies beyond them. */
CodeIdentity code_facts_identity(const CodeFacts *facts, FrameId frame);
/* FALSE where `facts` is NULL or the frame lies beyond them. */
gboolean code_facts_is_outside(const CodeFacts *facts, FrameId frame);
/* The place of a frame on a side, or NULL if nothing is known; borrowed. */
const CodePlace *code_facts_place(const CodeFacts *facts, guint side, FrameId frame);
/* TRUE if two sketches are known and differ in so few bits that the code is most likely the same, edited. */
gboolean code_sketches_similar(guint64 a, guint64 b);
