/* SPDX-License-Identifier: Apache-2.0 */
/* The first thing in report.html: the verdict with the number of benchmarks of each standing, the headline, both
 * commits, the reasons that no benchmark tells, and what to do next.
 *
 *     ✕ Regression  1 slower, 2 faster, 7 unchanged
 *     parse is 12 % slower (11 to 14 %), caused by hash_word in words.c:27, edited in this change; confirmed
 *     base 1a2b3c4 main  →  head 5d6e7f8 topic
 *     reproduce   firebreak check -b parse --base 1a2b3c4 --head 5d6e7f8 */
#pragma once

#include "compare/result.h"

/* Appends the <header> of the page. */
void html_verdict_card(GString *out, const CheckResult *result);
