/* SPDX-License-Identifier: Apache-2.0 */
/* The compilers of a build and the programs that it made, in words. All texts may contain foreign ones and are owned by
 * the caller. */
#pragma once

#include "model/toolchain.h"

/* "cc (x86_64-linux-gnu-gcc-12, 14 calls), c++ (...)"; NULL if they are not known (NULL) or none was called. */
char *toolchain_compilers(const GPtrArray *compilers);
/* "bench/parse: 3 units by GNU C17 12.2.0, 1 of them without optimisation"; NULL if nothing is known. */
char *toolchain_program(const ProgramFacts *facts);
/* The compilers of both builds as one line: "both built by ..." or "base built by ...; head by ..."; one that is not
 * known is left out, and NULL if neither is. */
char *toolchain_line(const GPtrArray *base, const GPtrArray *head);
