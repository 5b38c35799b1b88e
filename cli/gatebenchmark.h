/* One benchmark of a check: measured, judged, confirmed, stored. */
#pragma once

#include "cli/gatestate.h"

/* Benchmark `index` of the policy, on both sides (or, with two_sides unset, on head). What goes wrong is a reason in
 * the result; FALSE ends the check: the machine, not this benchmark, is the trouble. */
gboolean gate_benchmark(Gate *gate, guint index);
