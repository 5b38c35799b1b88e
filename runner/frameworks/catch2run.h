/* SPDX-License-Identifier: Apache-2.0 */
/* A run of Catch2 with a fixed amount of work. Catch2 takes as many samples of a BENCHMARK as it is told, but chooses
 * how many iterations each has by the time of the first ones: 1, 2, 4, ... until they take 1000 times as long as its
 * clock is fine. So a library (runner/frameworks/catch2clock_main.c) answers the readings of that clock, and 2^d
 * iterations are enough:
 *
 *     iterations of a BENCHMARK = 1 + 2 + ... + 2^d, and then n samples of 2^d
 *
 * n is 16,384 to 32,767, as samples of Catch2's own choice are short, too; where instructions are `counted`, which
 * takes far fewer iterations, 64 to 127. It is less only where fewer iterations are asked for.
 *
 * That is so in 2.13 and 3.7, which were tried; the constants are those of all versions since 2.9. The library counts
 * the readings, and Catch2 prints the samples and the iterations of each: a BENCHMARK where they differ reads the clock
 * itself, prints, or is of another Catch2, and its work is not known; nor is it where the program is linked statically.
 *
 * References: Catch2, src/catch2/benchmark/detail/catch_estimate_clock.hpp and catch_execution_plan.hpp. */
#pragma once

#include "core/error.h"

/* The readings of the clock before the samples: Catch2 warms up so. */
#define CATCH2_WARM_READINGS 10002

/* Adds the library, and what it is to do, to an environment, which is taken (clock_library_load()). Owned by the
 * caller.
 */
char **catch2_environment(const char *dir, guint iterations, gboolean counted, char **environment);
/* FALSE with FIREBREAK_ERROR_ENVIRONMENT if the library is missing. */
gboolean catch2_can_fix(GError **error);
/* The samples of a BENCHMARK of which so many iterations are asked for. */
guint catch2_samples(guint iterations, gboolean counted);
/* The iterations that it does then, those before the samples included. */
double catch2_iterations(guint asked, gboolean counted);
/* The number to ask for that makes so many iterations. */
guint catch2_asked(double iterations);
/* The time by the wall (ns, of double) that the samples of each BENCHMARK took, in the order in which they ran, by the
 * log of a run of which so many iterations were asked for; those that read the clock at other times are not among them.
 * Owned by the caller. */
GArray *catch2_sample_times(const char *dir, guint asked, gboolean counted);
/* Gives the cases (FrameworkCase) of such a run, which have their samples as `reported` and the iterations of these,
 * what was asked for as `reported` and all their iterations. `reported` and the time are NaN where they did
 * something else, and of all cases if the log has not the times of so many BENCHMARKs. */
void catch2_settle(const GPtrArray *cases, guint asked, gboolean counted, guint n_times);
