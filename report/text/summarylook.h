/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the summary that a reviewer reads: a row for each benchmark that needs a look, with what changed,
 * by how much, and which function is the cause, where the diff has it. */
#pragma once

#include "report/text/summaryblocks.h"

/* Adds the table; nothing if all passed. */
void summary_look_add(TextBlocks *blocks, const Summary *summary);
/* Appends the name of a file of the output folder, with a link if there is one. */
void summary_append_file(GString *out, const Summary *summary, const char *file);
