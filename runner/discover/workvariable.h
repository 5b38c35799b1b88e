/* SPDX-License-Identifier: Apache-2.0 */
/* The variable of the environment that sets how much a program does, as its own text names it:
 *
 *     getenv("SECP256K1_BENCH_ITERS")   ->   SECP256K1_BENCH_ITERS
 *
 * Only a name says so, so whoever uses it looks whether a run really becomes shorter by it. */
#pragma once

#include <glib.h>

/* The only text of the program that is a name in capital letters with a last part such as ITERS, LOOPS or REPEATS.
 * NULL if there is none or several, and if the file is no program of at most 64 MiB. Owned by the caller. */
char *work_variable_of_file(const char *path);
