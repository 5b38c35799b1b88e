/* SPDX-License-Identifier: Apache-2.0 */
/* Slow drift in a check: head against the anchor that the configuration names (`baselines.anchor`), by counts
 * that are stored of it. A drift is a finding `drift`; with `gate_drift`, and if head costs more than base, also a
 * reason for a regression, unless what it adds is accepted. */
#pragma once

#include "gate/steps/gatestate.h"

/* Looks at all benchmarks that were counted and judged. What cannot be read is a finding. None where
 * only what is measured decides. */
void gate_drift(Gate *gate);
