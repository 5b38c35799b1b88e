/* SPDX-License-Identifier: Apache-2.0 */
/* The next steps of a reviewer (report/words/nextsteps.h) in a summary: the commands that reproduce it, and the lines
 * that accept it, to be copied as they stand. */
#pragma once

#include "report/text/summaryblocks.h"

/* Adds both, folded; nothing of what does not apply. */
void summary_steps_add(TextBlocks *blocks, const Summary *summary);
