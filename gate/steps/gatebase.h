/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of base that are stored already. A count is the same whenever and wherever it is made, as long as the
 * environment that it depends on is; so what an earlier check or `firebreak run` counted of base's commit stands for
 * counting it again, and base need not even be built.
 *
 *     gate_bases_find   before anything is built
 *     gate_base_put     when something was counted */
#pragma once

#include "gate/steps/gatestate.h"

/* The stored counts that are known of one benchmark before it is measured. */
typedef struct {
	StackTable *table;                  /* of all its profiles */
	Environment *environments[N_SIDES]; /* that decide about its counts; NULL unless it is counted */
	Measurement *stored;                /* base's; NULL = base has to be counted */
} GateBase;

void gate_base_free(GateBase *base);

/* Makes one for each benchmark, and looks for stored counts where they may be used: in a gate, unless the request is
 * to measure base, and of a base that is a commit. What is damaged or not fit for use is a finding. */
void gate_bases_find(Gate *gate);
/* The stored counts of base for benchmark `index`; borrowed. */
GateBase *gate_base(const Gate *gate, guint index);
/* TRUE if all that is needed of base is stored, so that it is neither checked out nor built. */
gboolean gate_bases_suffice(const Gate *gate);

/* Keeps counts that may be stored (gate_may_store()) as a baseline, unless, but for `replace`, a baseline that is fit
 * for use and has more runs is there. A damaged baseline is left alone with a finding. Errors: those of
 * baseline_store_put(). */
gboolean gate_base_put(Gate *gate, const Measurement *measurement, gboolean replace, GError **error);
