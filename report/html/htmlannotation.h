/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated source and instructions in report.html: what each line of a function cost, base and head side by side.
 *
 *     base  head    base    head   change            source
 *       12    12                                     for (i = 0; i < n; i++)
 *       13    14   310 ms  311 ms   +1 ms   ▇▇▇      sum += word[i];
 *        -    15      –    290 ms  +290 ms  ▇▇▇  +   sum ^= crc(word);
 *     … 7 lines left out
 *
 * One folded part per function, in the order in which a reader sees the functions. Rows that were edited are marked
 * with a sign (+, −, ~) and not by colour alone. Single lines are not tested, so they say how many samples they rest
 * on. What does not fit is left out, rows of little cost first, and the page says so. */
#pragma once

#include "report/html/htmlevidence.h"

/* Appends those of one list of functions, in at most about `max_bytes`; nothing if there are none. */
void html_annotations(HtmlPage *page, const HtmlEvidence *evidence, gsize max_bytes);
