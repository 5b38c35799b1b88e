/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a bisection that git leads (`git bisect run`): the commit that is checked out against the good one, with
 * the answer as an exit code.
 *
 *     0      good
 *     1      bad
 *     125    cannot be told: inconclusive also with more rounds, does not build, the benchmark fails, or the commit has
 *            no configuration that can be read
 *     192+n  n is the exit code of a check that other commits would end with, too: git stops
 *     128+n  ended by signal n: git stops */
#pragma once

#include "gate/bisect/bisectmeasure.h"

#define BISECT_STEP_ABORT 192

/* `metric` and `function` may be NULL: then the verdict on the whole benchmark counts. Sets *test, whose answer is also
 * one of what went wrong; owned by the caller. */
int bisect_step(
        const BisectMeasure *measure, const char *good, const char *metric, const char *function, BisectTest **test);
