/* SPDX-License-Identifier: Apache-2.0 */
/* Expects how long each benchmark of a check will take, by the runs that are stored of base and of commits before it:
 * for the parts of a check that is split (gate/steps/gateshard.h) and for the parts of `--max-time`
 * (gate/steps/gatebudget.h).
 *
 *     timed      (a run + what a round takes besides) x rounds
 *     counted    a run x 3: base twice, head once
 *
 * Rounds are those that are asked for, or the usual number, and a run is that of whatever machine has stored one: all
 * machines that share a check must expect the same. */
#pragma once

#include "gate/steps/gatestate.h"

/* First parents of base that are looked at for a split. */
#define GATE_COSTS_ANCESTORS 50

/* Seconds of each benchmark of the policy with all its engines; 0 = not known. What base has no time of is looked for
 * in up to `ancestors` commits before it, first parents only; head is left out, which another shard may have stored by
 * now. Owned by the caller. */
double *gate_costs_s(const Gate *gate, guint ancestors);
