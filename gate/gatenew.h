/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks that head's configuration has and base's has not: the second stage of a check.
 *
 * Both sides are built as head's configuration says, base with the files of the benchmarks that it lacks
 * (gate/steps/gatefiles.h), and measured with head's entries. Where base cannot be built so, or cannot run a benchmark
 * that head can, head alone is measured, and there is nothing to compare yet. */
#pragma once

#include "gate/steps/gatestate.h"

/* From benchmark `first` of the policy on, all are new. What goes wrong with one of them is a reason in the result.
 * FALSE with *error unset ends the check as gate_benchmark() does. Errors: those of gate_trees_prepare() and
 * gate_files_lay_new(). */
gboolean gate_new_benchmarks(Gate *gate, guint first, GError **error);
