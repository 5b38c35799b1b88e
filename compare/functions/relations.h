/* SPDX-License-Identifier: Apache-2.0 */
/* Relates functions to the lines that a change edits.
 *
 *     a diff (core/git/linechanges.h)  x  where functions stand (model/codefacts.h)  x  who calls whom (stacks)
 *
 * Only functions that a profile has seen are known here, so an edit outside all of them may be in code that no sample
 * hit, in a macro, in a table of data or in a header. What became of it in machine code is for CodeFacts to say. */
#pragma once

#include "compare/comparison/comparison.h"
#include "compare/functions/costs.h"
#include "core/git/linechanges.h"

typedef struct {
	const CostTable *costs;
	const CodeFacts *code;     /* NULL = not known */
	const LineChanges *change; /* NULL = not known */
} RelationInput;

/* Per frame of the table. A function is touched if the change edits one of its lines on a side that has it, or one of a
 * function that was seen inlined into it; calls code that is touched if such a function is below it on any stack;
 * untouched if its lines are known on every side that has it and none is edited, or if its file is not part of the
 * change. Lines of a file that the build made are not known: what it is made from may be edited. Where only its first
 * line is known, in a file that the change edits, it is touched if it is on one side only, and not known otherwise.
 * Without lines it is untouched if its machine code is the same, as that of a library is, or if it is the kernel's or a
 * stub of the linker's ("memcpy@plt"). Nothing is known without code facts or without a change; nothing is touched by
 * an empty change. A function that would be untouched is called by touched code if it costs more in head and at least
 * half of that is on stacks with a touched function above it: a library's function that the change calls, or calls more
 * often.
 *
 * `through`, unless it is NULL, has room for a FrameId per frame. It gets the function that a frame is related to the
 * change by: the touched one above it, of the stack with the largest rise the nearest; the touched one that is inlined
 * into it, where none of its own lines is edited; else the frame itself. Owned by the caller. */
ChangeRelation *relations_find(const RelationInput *input, FrameId *through);

/* The relation of one function that has two names. */
ChangeRelation relation_join(ChangeRelation base, ChangeRelation head);

/* The source file of a frame if the change edits it, relative to the checkout; else NULL. Borrowed. */
const char *relation_edited_file(const RelationInput *input, FrameId frame);

/* The first line of a function in head that the change edits; 0 = none is known. */
guint32 relation_edited_line(const RelationInput *input, FrameId frame);

/* TRUE if nothing that the change may have altered was seen to run: every function of either profile has the same
 * machine code on both sides and is known to stand in no file that the change edits, or is a library's outside of the
 * checkouts; those of which samples were found on one side only are judged by their file alone. What has no function
 * may cost at most `floor_share` of base's total. */
gboolean relations_same_program(const RelationInput *input, double floor_share);

/* TRUE if the code that the benchmark's cost is made of is the same on both sides, though other lines of its files may
 * be edited. Functions whose machine code is not known to be the same, or that the change touches, what has no
 * function, and what the kernel and cost without samples rose by: these together make up at most `floor_share` of
 * base's total, on either side. Data that the change edits is not looked at. */
gboolean relations_same_code_ran(const RelationInput *input, double floor_share);
