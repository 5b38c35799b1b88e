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
/* The time to ask for instead: a clause. `campaign_s` is what the campaign would have needed, 0 = not known. Owned by
 * the caller. */
char *gate_time_needed(const Gate *gate, const BudgetShare *share, double campaign_s);
/* A benchmark that never got to its rounds: a reason. `why` may be "". */
void gate_report_no_time(const GateWork *work, const BudgetShare *share, double campaign_s, const char *why);

/* TRUE if a measurement of a side may be stored as that of its commit: a gate that stores, no working tree, no file of
 * the other side laid over it, and no part of head's cases, which is what it ran if base has fewer. */
gboolean gate_may_store(const GateWork *work, int side, const Measurement *measurement);

/* Settles a benchmark that has no comparison because the time was over, if it has two sides
 * (ending_settle_not_measured()). */
void gate_settle_no_time(const Gate *gate, ResultBenchmark *row);

/* An empty measurement of a benchmark on a side: with the environment, its work, and the cases of its framework. Owned
 * by the caller. */
Measurement *gate_measurement_new(
        const Choice *choice, const ConfigBenchmark *benchmark, const GPtrArray *cases, const Environment *environment);
/* A copy of a benchmark whose timeout is at most so long, and 1 ms at least; never longer than the configuration has
 * it. Owned by the caller; NULL for NULL. */
ConfigBenchmark *gate_limit_timeout(const ConfigBenchmark *benchmark, double left_ms);

/* Nothing that ran was built from the checkout: a check of two equal programs would pass for ever, whatever the change
 * does. */
void gate_outside_finding(FindingList *findings, const char *benchmark);
/* Sides that did different amounts of work are worth a word. Either may be NULL. */
void gate_work_finding(const GateWork *work, const Measurement *base, const Measurement *head);
