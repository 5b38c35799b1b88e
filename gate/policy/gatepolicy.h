/* SPDX-License-Identifier: Apache-2.0 */
/* The policy of a check: which benchmarks are measured and how strictly they are judged, from the configurations of
 * both sides and from the command line. */
#pragma once

#include "gate/steps/gatestate.h"

/* Reads the configurations. The file of `--config` is the policy if there is one. Else base's is the policy where it
 * has one; a head that weakens it becomes a reason in the result unless that is allowed. */
gboolean gate_policy_read(Gate *gate, GError **error);
/* Keeps only the benchmarks named on the command line, and counts what gates. */
gboolean gate_policy_select(Gate *gate, GError **error);
/* The policy of the time metric that gates (cycles, task-clock or wall); where none does, the gating one with the
 * widest margin, else that of task-clock. Of `policies` (MetricPolicy), borrowed; never NULL. */
const MetricPolicy *gate_policy_time(const GPtrArray *policies);
