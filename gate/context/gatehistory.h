/* SPDX-License-Identifier: Apache-2.0 */
/* The history of the benchmarks' metrics in the report of a check: what is stored of the commits before head. */
#pragma once

#include "gate/steps/gatestate.h"

/* Commits with baselines that are shown at most. */
#define GATE_HISTORY_COMMITS 50

/* Sets `history` of all benchmarks that were measured, after they were stored: metrics that gate, and those that lead
 * (report/history/historyset.h). What cannot be read is a finding. */
void gate_history(Gate *gate);
