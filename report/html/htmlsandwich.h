/* SPDX-License-Identifier: Apache-2.0 */
/* Tells who calls a function and what it calls, in base and in head, for the functions that matter most ("sandwich").
 *
 *     callers              the function             callees
 *     main   9 % → 9 %     parse  10 % → 15 %       read   3 % →  3 %
 *     eval   1 % → 6 %       itself 2 % → 7 %       eval   5 % →  5 %
 *
 * Costs are per run and unit of work, in percent of the total of base, so that both sides compare. A stack counts once:
 * for the caller of the outermost occurrence of the function on it, and the callee of the innermost one
 * (profile/hotspots/hotspots.h). The function with the largest contribution is in the text of the page; the others are
 * data for its script, which shows the one that a reader chooses. */
#pragma once

#include "report/html/htmlevidence.h"

/* Sets how many of the functions shown have callers and callees: at most 50, as many as fit into about `max_bytes`, and
 * none without profiles. To be called before html_functions(). */
void html_sandwich_prepare(HtmlEvidence *evidence, gsize max_bytes);
/* Appends the section and its data; nothing if no function has callers and callees. */
void html_sandwich(HtmlPage *page, const HtmlEvidence *evidence);
