/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a check: `--max-time` shared out over its benchmarks.
 *
 *     start ── builds ──┬── benchmark 1 ──┬── benchmark 2 ──┬─ outputs ─ end
 *                       │ campaign │ after│
 *
 * A benchmark gets the part of what is left that its weight is of the weights still to come, so what one does not need
 * is there for the others. Of that part its campaign gets what folding, comparing and storing leave, which is learnt
 * from the benchmarks before. Times are CLOCK_MONOTONIC in ns; 0 = no limit. */
#pragma once

#include <glib.h>

typedef struct {
	gint64 (*now_ns)(void);  /* the clock */
	gint64 start_ns, end_ns; /* end_ns 0 = not limited */
	GArray *weights;         /* of double: expected cost of each benchmark, in any unit; NULL = all alike */
	guint n_benchmarks;
	gboolean learnt;
	double after_ratio; /* time after a campaign / time of the campaign; the largest seen, a guess before */
} GateBudget;

/* The time that one benchmark has. */
typedef struct {
	gint64 begin_ns;
	gint64 campaign_end_ns; /* 0 = not limited */
	gint64 end_ns;          /* likewise, with what comes after campaigns */
	double share;           /* of what was left of the check */
} BudgetShare;

/* Starts with the moment that the clock says. `max_time_s` 0 = not limited. */
void gate_budget_start(GateBudget *budget, gint64 (*now_ns)(void), double max_time_s);
void gate_budget_clear(GateBudget *budget);
/* Says how many benchmarks there are and what each is expected to cost; `weights` (of double) is taken, NULL = not
 * known. */
void gate_budget_plan(GateBudget *budget, guint n_benchmarks, GArray *weights);

/* TRUE if the check has a limit of time. */
gboolean gate_budget_limited(const GateBudget *budget);
/* Seconds until `end_ns`; INFINITY for 0, never negative. */
double gate_seconds_until(const GateBudget *budget, gint64 end_ns);
/* TRUE if the check has a limit of time, and it is reached. */
gboolean gate_budget_is_over(const GateBudget *budget);
/* Seconds since a moment. */
double gate_seconds_since(const GateBudget *budget, gint64 begin_ns);

/* The moment at which only writing the outputs is left; 0 = no limit. */
gint64 gate_budget_outputs_ns(const GateBudget *budget);
/* The time of benchmark `index`, from now on. */
BudgetShare gate_budget_share(const GateBudget *budget, guint index);
/* Learns from a campaign what comes after one. */
void gate_budget_learn(GateBudget *budget, double campaign_s, double after_s);
/* Seconds that a campaign of so many seconds takes with what comes after it. */
double gate_budget_whole_s(const GateBudget *budget, double campaign_s);
/* The `--max-time` in seconds with which a benchmark's campaign could have taken `campaign_s`: an estimate. */
double gate_budget_needed_s(const GateBudget *budget, const BudgetShare *share, double campaign_s);
