/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak's own fixed program, firebreak-yardstick, as a benchmark: what nobody changed, and what is slower by a
 * known amount.
 *
 *     firebreak-yardstick fixed               a fixed amount of arithmetic and memory work, about 50 ms of CPU time
 *     firebreak-yardstick extend SHARE CMD..  runs CMD, then spends SHARE times its CPU time in the function
 *                                             firebreak_planted_delay; ends as CMD ended
 *     firebreak-yardstick repeat TURNS CMD..  the same with a fixed number of turns instead of a share of time, for
 *                                             runs that are counted and not timed
 *
 * All are compiled into the helper program runner/campaign/yardstick_main.c. */
#pragma once

#include "runner/config/config.h"

/* The name of the function that a planted delay is spent in. */
#define YARDSTICK_DELAY_FUNCTION "firebreak_planted_delay"

/* The yardstick as it runs in every round beside `benchmark`: same CPUs, timeout and schedule. Owned by the caller;
 * config_benchmark_free(). Errors: FIREBREAK_ERROR_ENVIRONMENT if the helper program is missing. */
ConfigBenchmark *yardstick_benchmark(const ConfigBenchmark *benchmark, GError **error);
/* A copy of `benchmark` that costs `share` more (.06 = 6 %). Errors: likewise, and FIREBREAK_ERROR_USAGE for
 * `measure: region`, where the delay would lie outside the region. */
ConfigBenchmark *yardstick_slower_benchmark(const ConfigBenchmark *benchmark, double share, GError **error);

/* About so many instructions are executed in a turn of the delay. */
#define YARDSTICK_TURN_INSTRUCTIONS 10
/* A copy of `benchmark` that executes about so many instructions more, the same number each time. 0 = none, but started
 * in the same way. Errors: those of yardstick_slower_benchmark(). */
ConfigBenchmark *yardstick_longer_benchmark(const ConfigBenchmark *benchmark, double instructions, GError **error);
