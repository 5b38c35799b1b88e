/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a comparison in report.json, both ways.
 *
 * Numbers of counts are integers as far as they are whole, so that no digit is lost up to 2^53; what was measured
 * has ten digits. */
#pragma once

#include "compare/result.h"
#include "core/json/jsonfields.h"

/* The functions in the order of the comparison, with their names from `table`, NULL = not known. Owned by the caller.
 */
json_t *functions_json(const StackTable *table, const BenchmarkComparison *comparison);
/* Appends functions; their frames become rows of the table, which the comparison then refers to. */
void functions_read(FieldReading *reading, BenchmarkComparison *comparison, StackTable *table, const json_t *array);

/* Sets name and module of a frame, the latter null where it is not known. */
void function_set_frame(json_t *object, const StackTable *table, FrameId frame);
/* The frame that an object names, which becomes a row of the table. */
FrameId function_read_frame(StackTable *table, const json_t *object);
