/* Settles what a benchmark's framework does before it is measured: a program that calibrates itself is refused, and
 * with `framework:` base shows how much a run is to do. */
#pragma once

#include "gate/steps/gatework.h"

/* FALSE with a reason in the result if the program of either side calibrates itself though no `framework:` is named. */
gboolean gate_framework_accepts(const GateWork *work);
/* Sets the iterations of the benchmark in the policy, by runs of base (of the only side, where there is one): the same
 * for both sides and for all that is measured of it in this check. Errors: FIREBREAK_ERROR_INVALID. */
gboolean gate_framework_calibrate(const GateWork *work, GError **error);
