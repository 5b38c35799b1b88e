/* SPDX-License-Identifier: Apache-2.0 */
/* The engine callgrind on one benchmark: counted as often as it takes to know what repeats
 * (gate/counted/gatecountedruns.h), judged, confirmed, stored.
 *
 * A pass against stored counts stands only if head counts as they do; else base is counted again, and what cannot be
 * counted again is inconclusive (compare/counted/countedbase.h). A regression that rests on one run of head is counted
 * once more. Head's counts either are the same again, or do not repeat, and then both sides are counted as often as
 * such counts need. */
#pragma once

#include "gate/steps/gatework.h"

/* Counts and judges within `share`. Fills the row, or, where perf has filled it, joins what it says to that. FALSE if
 * that failed; what was judged before it did is in the row all the same. That the time was over is a reason in the
 * result, and no failure. */
gboolean gate_counted(const GateWork *work, const BudgetShare *share, GError **error);
