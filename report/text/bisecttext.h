/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a bisection, as text for a terminal.
 *
 *     4f5e6d7c8b9a is the first slow commit: parse words twice
 *       against its parent 1a2b3c4d5e6f: instructions +5.10 % (448.2 k more)
 *       that is 98 % of the change from good to bad
 *       200 commits in question, 9 told by 8 measurements and 1 stored baseline, 42 s
 *       differential flame graph: firebreak-out/words.diff.svg
 *
 * Lines end with a newline; foreign text is escaped. */
#pragma once

#include "compare/bisect/bisectlog.h"

/* Owned by the caller. */
char *bisect_text(const BisectLog *log);
/* One line about a test, without a newline and not escaped: "good  1a2b3c4d5e6f  instructions +0.00 %  (subject)".
 * Owned by the caller. */
char *bisect_test_text(const BisectTest *test);
/* The share of the change from good to bad that the culprit alone makes, 1 = all; NaN if not known. */
double bisect_step_share(const BisectLog *log);
