/* SPDX-License-Identifier: Apache-2.0 */
/* The compilers of a side and the program of a benchmark in report.json. */
#pragma once

#include "core/jsontext.h"
#include "model/toolchain.h"

/* An array of `name`, `program` and `calls`. `compilers` is of UsedCompiler; owned by the caller. */
json_t *compilers_json(const GPtrArray *compilers);
/* The way back: NULL where there is no array. Owned by the caller. */
GPtrArray *compilers_read(const json_t *array);

/* An object with `base` and `head`, null where a program is not known. Owned by the caller. */
json_t *programs_json(const ProgramFacts *base, const ProgramFacts *head);
/* The way back, for one side of that object: NULL where it is null. Owned by the caller. */
ProgramFacts *program_read(const json_t *programs, const char *side);
