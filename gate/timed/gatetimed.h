/* SPDX-License-Identifier: Apache-2.0 */
/* The engine perf on one benchmark: a campaign, its verdict, a second one that confirms it. */
#pragma once

#include "gate/steps/gatework.h"

/* Measures and judges within `share`, and fills the row. FALSE if that failed; what was measured before it did is in
 * the row all the same. That the time was over is a reason in the result, and no failure. */
gboolean gate_timed(const GateWork *work, const BudgetShare *share, GError **error);
