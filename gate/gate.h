/* SPDX-License-Identifier: Apache-2.0 */
/* The gate: from two revisions to a result. The one place that knows the whole way
 *
 *     choose commits -> policy -> build -> rounds -> profiles -> verdict -> store
 *
 * A result comes out of every ending; what went wrong is a reason in it. */
#pragma once

#include "gate/request/gaterequest.h"

/* Runs the whole gate. Owned by the caller. */
CheckResult *gate_check(const GateRequest *request);

/* Measures one commit (`head`) alone and stores it: `firebreak run`. Reasons and benchmarks as for a check, without
 * comparisons; the verdict is pass if everything was measured. */
CheckResult *gate_measure(const GateRequest *request);
