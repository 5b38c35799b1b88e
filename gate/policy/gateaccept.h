/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what head says is accepted, and reports what became of it: entries of `accept` in its firebreak.yml, and
 * trailers of the commits that base has not got (compare/acceptance.h). */
#pragma once

#include "gate/steps/gatestate.h"

/* Fills the acceptances of the result, after the policy was read and before benchmarks are left out. None where base is
 * compared with itself, or where only what is measured decides. What cannot be read accepts nothing, and that is a
 * finding. */
void gate_accept_read(Gate *gate);

/* Adds findings: what was accepted, what was not although somebody said so, and what could not be read while there is a
 * regression. */
void gate_accept_report(Gate *gate);
