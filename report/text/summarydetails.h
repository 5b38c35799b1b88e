/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the summary that are folded away: what passed, all metrics, the functions of each benchmark, remarks and
 * findings. */
#pragma once

#include "report/text/summaryblocks.h"

/* Adds the metrics of what passed. */
void summary_passed_add(TextBlocks *blocks, const Summary *summary);
/* Adds the metrics of what needs a look. */
void summary_metrics_add(TextBlocks *blocks, const Summary *summary);
/* Adds the tables of functions, a fold for each. */
void summary_functions_add(TextBlocks *blocks, const Summary *summary);
/* Adds what each verdict rests on, how far the gate can be trusted here, and all findings but errors. */
void summary_remarks_add(TextBlocks *blocks, const Summary *summary);
/* Adds the findings that are errors, or all others. */
void summary_findings_add(TextBlocks *blocks, const Summary *summary, gboolean errors);
