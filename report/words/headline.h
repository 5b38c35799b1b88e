/* SPDX-License-Identifier: Apache-2.0 */
/* The line above a whole result. That of each benchmark is report/words/benchmarkline.h. */
#pragma once

#include "compare/result.h"

/* The outcome in one line that names the benchmark and, where there is one, the function to blame: "parse is 12 %
 * slower (11 to 14 %), caused by hash_word", "parse: too noisy: only changes above 12 % are visible", "3 benchmarks
 * passed"; of an error its first reason, after the regression of another benchmark where there is one. Says if a
 * regression was confirmed, and how many more benchmarks ended the same way: of several it names the one that changed
 * most. In a calibration or self-test it says what was done instead. Foreign text, owned by the caller. */
char *headline_text(const CheckResult *result);
/* TRUE if base could run none of the benchmarks, so that nothing was compared: no pass to a reader, although it fails
 * nothing. */
gboolean headline_is_first_run(const CheckResult *result);
/* The word in front of the headline: "First run" of such a result, else that of the verdict ("Pass", ...). Static. */
const char *headline_word(const CheckResult *result);
