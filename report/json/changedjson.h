/* SPDX-License-Identifier: Apache-2.0 */
/* The edits of the change where measured code stands (compare/source/changedcode.h) in report.json, and the way back.
 *
 * One object per file, in it one per hunk with its place, its functions and its lines. A line has its numbers of base
 * and head, null on a side where it is not; a gap has `left_out` alone. Costs are null where they are not known; counts
 * are integers as far as they are whole. */
#pragma once

#include "compare/source/changedcode.h"
#include "core/json/jsonfields.h"

/* null for NULL. Owned by the caller. */
json_t *changed_code_json(const ChangedCode *code);
/* NULL if it is not there. Owned by the caller. */
ChangedCode *changed_code_read(FieldReading *reading, const json_t *object);
