/* SPDX-License-Identifier: Apache-2.0 */
/* One benchmark on its way through a check: what both engines share. Internal to the gate. */
#pragma once

#include "gate/steps/gatebase.h"
#include "gate/steps/gatestate.h"

/* The delay that a self-test plants, in margins: enough to be found for certain, little enough to show that the gate is
 * not deaf. */
#define PLANTED_MARGINS 3

typedef struct {
	Gate *gate;
	guint index;
	const ConfigBenchmark *benchmark;
	gboolean timed, counted; /* by which engines it is measured: one, or both */
	GateBase *base;
	ResultBenchmark *row; /* of the result; borrowed */
} GateWork;

/* TRUE if the campaign of a benchmark that has this share of the time may not begin, or go on. */
gboolean gate_time_is_over(const Gate *gate, const BudgetShare *share);
/* TRUE if a run was ended by its timeout, which a deadline shortens. */
gboolean gate_is_timeout(const GError *error);
/* The time to ask for instead: a clause. `campaign_s` is what the campaign would have needed, 0 = not known. Owned by
 * the caller. */
char *gate_time_needed(const Gate *gate, const BudgetShare *share, double campaign_s);
/* A benchmark that never got to its rounds: a reason. `why` may be "". */
void gate_report_no_time(const GateWork *work, const BudgetShare *share, double campaign_s, const char *why);

/* Settles a benchmark that has no comparison because the time was over, if it has two sides
 * (ending_settle_not_measured()). */
void gate_settle_no_time(const Gate *gate, ResultBenchmark *row);

/* Sides that did different amounts of work are worth a word. Either may be NULL. */
void gate_work_finding(const GateWork *work, const Measurement *base, const Measurement *head);
