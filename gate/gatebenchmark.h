/* SPDX-License-Identifier: Apache-2.0 */
/* One benchmark of a check, by the engines that it names: perf first, then callgrind, then what both say together. */
#pragma once

#include "gate/steps/gatestate.h"

/* Benchmark `index` of the policy, on both sides (or, with two_sides unset, on head). What goes wrong is a reason in
 * the result; an engine that fails takes nothing away from the other. FALSE ends the check: the machine, not this
 * benchmark, is the trouble. */
gboolean gate_benchmark(Gate *gate, guint index);
