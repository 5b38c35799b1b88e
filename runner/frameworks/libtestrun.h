/* SPDX-License-Identifier: Apache-2.0 */
/* A run of Rust's libtest with a fixed amount of work. libtest chooses the iterations of a benchmark by the time of the
 * very first one, and takes samples until their median stays; it has no option for either, and says nothing of them. So
 * a library (runner/frameworks/libtestclock_main.c) answers two of the 204 readings of the clock that it makes for each
 * case. Then it does one iteration, 50 samples of n and 50 of 5 n, and nothing else:
 *
 *     iterations of a case = 1 + 300 n
 *
 * That is so in all versions since 2014; 1.63, 1.95 and 1.97 were tried. The library counts the readings. A case that
 * has others reads the clock itself, or on its main thread another does, or libtest is another one: its work is not
 * known; nor is it where the program is linked statically (musl), which loads no library. */
#pragma once

#include "core/error.h"

#define LIBTEST_READINGS 204
/* Larger n cannot be had: the first iteration takes 1 ns at least. */
#define LIBTEST_MAX_ITERATIONS 1000000
/* The iterations of a case for each of n. */
#define LIBTEST_PER_ASKED 300

/* Adds the library, and what it is to do, to an environment, which is taken (clock_library_load()). Owned by the
 * caller.
 */
char **libtest_environment(const char *dir, guint iterations, char **environment);
/* FALSE with FIREBREAK_ERROR_ENVIRONMENT if the library is missing. */
gboolean libtest_can_fix(GError **error);
/* The iterations of a case of which so many are asked for. */
double libtest_iterations(guint asked);
/* The number to ask for that makes so many iterations of a case. */
guint libtest_asked(double iterations);
/* Gives the cases (FrameworkCase), in the order in which they ran, the iterations that the log of the run tells of; the
 * cases are left alone if it does not tell that each did what was asked for. */
void libtest_read_log(const char *dir, guint iterations, const GPtrArray *cases);
