/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated functions (compare/source/annotation.h) in report.json, and the way back.
 *
 * One object per function: what it is called, its files, and its rows of source lines and of instructions in their
 * order. A row has its numbers of base and head, null on a side where it is not; a gap has `left_out` alone. Costs are
 * null where they were not measured, counts as far as they are whole are integers, as those of functions. */
#pragma once

#include "compare/source/annotation.h"
#include "core/jsontext.h"

/* An array, empty without annotations (NULL). `table` names the functions, NULL = not known; costs are counts if
 * `counted`. Owned by the caller. */
json_t *annotations_json(const GPtrArray *annotations, const StackTable *table, gboolean counted);
/* NULL if there are none. Functions become frames of the table. Owned by the caller. */
GPtrArray *annotations_read(const json_t *array, StackTable *table, gboolean counted);
