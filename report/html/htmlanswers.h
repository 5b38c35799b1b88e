/* SPDX-License-Identifier: Apache-2.0 */
/* The questions of a reviewer after the headline, answered below it in report.html for each benchmark that needs a
 * look:
 *
 *     why          discount_of in price.c:3, edited in this change: 162 M cycles instead of 82.7 M in each run, which
 *                  is 33.1 of the 34.3 % that the benchmark changed
 *     how sure     at least +28.0 % (99.98 % sure), at most +36.8 % (98 % sure), from 12 rounds; a second campaign ...
 *     what to do   what helps, the command that reproduces it, the text that accepts it
 *
 * Numbers of the first benchmarks stand there; a page of very many says how many more there are. */
#pragma once

#include "report/words/highlights.h"

#define HTML_MAX_ANSWERED 4 /* benchmarks, so that the answers stay on the first screen */

/* The function that explains what became of a benchmark, and the list that it is of: the one to blame, else one that is
 * slower in a pass, else whom an improvement is owed to. NULL if there is none. Borrowed. */
const FunctionComparison *html_answers_cause(
        const CheckResult *result, const ResultBenchmark *benchmark, FunctionList *list);
/* Appends a <dl>; nothing for a calibration or self-test. */
void html_answers(GString *out, const CheckResult *result);
