/* SPDX-License-Identifier: Apache-2.0 */
/* The next steps of a reviewer (report/words/nextsteps.h) in a summary: what would decide it, the commands that
 * reproduce it, and the lines that accept it, to be copied as they stand. */
#pragma once

#include "report/text/summaryblocks.h"

/* Adds what would decide the benchmarks that are unclear, and that nothing is to be done for those that are new. */
void summary_decide_add(TextBlocks *blocks, const Summary *summary);
/* Adds both, folded; nothing of what does not apply. */
void summary_steps_add(TextBlocks *blocks, const Summary *summary);
