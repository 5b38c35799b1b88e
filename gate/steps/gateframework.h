/* SPDX-License-Identifier: Apache-2.0 */
/* Settles what a benchmark's framework does before it is measured: a program that calibrates itself is refused, and
 * with `framework:` base shows how much a run is to do. */
#pragma once

#include "gate/steps/gatework.h"

/* FALSE with a reason in the result if the program of either side calibrates itself though no `framework:` is named. */
gboolean gate_framework_accepts(const GateWork *work);
/* Sets the iterations and the cases of the benchmark in the policy, by runs of base (of the only side, where there is
 * one): the same for both sides and for all that is measured of it in this check. Head is looked at, too: cases that it
 * adds are left out with a finding, where its framework can do that. Runs are ended with the time of the campaign.
 * Errors: FIREBREAK_ERROR_INVALID, also where work was removed on one side alone. */
gboolean gate_framework_calibrate(const GateWork *work, const BudgetShare *share, GError **error);
