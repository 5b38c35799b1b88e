/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what the engines of a check need of this machine. A machine without perf events is as good as any for
 * benchmarks that are only counted, and one without valgrind for those that are only timed; so each is asked for only
 * where it is used.
 *
 *     gate_engines_probe    before the policy is read: hardware counters decide about default margins
 *     gate_engines_require  when the benchmarks are known */
#pragma once

#include "gate/steps/gatestate.h"

/* Finds out what perf events can do. That they can do nothing is no error yet. */
void gate_engines_probe(Gate *gate);
/* Fails with FIREBREAK_ERROR_ENVIRONMENT if a selected benchmark uses an engine that is not to be had. */
gboolean gate_engines_require(Gate *gate, GError **error);

/* TRUE if any selected benchmark is measured by that engine. */
gboolean gate_uses_engine(const Gate *gate, const Engine *engine);
