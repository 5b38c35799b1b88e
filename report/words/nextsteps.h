/* SPDX-License-Identifier: Apache-2.0 */
/* The next steps of a reviewer: the command that reproduces a result, what would decide an open one, and what can be
 * accepted of it. Names that a configuration cannot have are not written, since somebody would paste them into a shell.
 */
#pragma once

#include "report/words/standingrows.h"

/* The first names of benchmarks for which something can be done, of `rows` (of StandingRow); `regressed`: only those
 * that regressed. `more` tells if there are others. The array is the caller's, its elements are borrowed. */
GPtrArray *next_steps_names(const GArray *rows, gboolean regressed, gboolean *more);
/* TRUE for a SHA, whole or shortened, which stands in an address or a command as it is. */
gboolean next_steps_is_commit(const char *sha);
/* "firebreak check -b parse --base 1a2b3c4 --head 5d6e7f8", with so many digits of either commit at most, 0 = all; NULL
 * where there is nothing to reproduce, or a side is no commit. Safe to paste; owned by the caller. */
char *next_steps_command(const CheckResult *result, const GArray *rows, guint sha_digits);
/* The answer to whether one may merge on an inconclusive result, in one sentence with what exit code 3 does to a job;
 * NULL for any other one. Static. */
const char *next_steps_merge(const CheckResult *result);
/* The step that would decide a benchmark that is inconclusive, with numbers where there are any: "set `rounds: 34` (now
 * 20), let a run do 1.7 times the work, or count instructions, which have no noise: `engines: [callgrind]`". NULL for
 * any other benchmark, and where nothing is known to help. Own words between backticks and numbers alone; owned by the
 * caller. */
char *next_steps_decide(const StandingRow *row);
