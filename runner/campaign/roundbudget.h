/* SPDX-License-Identifier: Apache-2.0 */
/* The time that a campaign has, and what its rounds will take of it.
 *
 *     foretell (from the warm-up)  ->  allows?  round  note round  allows?  round  note round ...
 *
 * Two numbers are known of a round. The usual time is the median of all rounds with whatever had to be done again: a
 * round that would end after the deadline at that pace is not started. The least time is that of the fastest round
 * without anything done again: rounds that lead to a look which even at that pace comes too late are not started
 * either, because a look that is never reached cannot use them. So a look that could just fit is tried, and an overrun
 * is never longer than what one round takes beyond the usual. Until there are rounds, both numbers come from the
 * warm-up. All times are nanoseconds. */
#pragma once

#include <glib.h>

typedef struct {
	gint64 (*now_ns)(void);
	gint64 start_ns;
	gint64 deadline_ns; /* 0 = none */
	double usual_foretold_ns, least_foretold_ns;
	double least_ns;   /* of the fastest round; as foretold without rounds */
	GArray *rounds_ns; /* of double */
} RoundBudget;

/* Starts now. `now_ns` NULL = CLOCK_MONOTONIC; the deadline is by the same clock, 0 = none. */
RoundBudget *round_budget_new(gint64 (*now_ns)(void), gint64 deadline_ns);
void round_budget_free(RoundBudget *budget);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RoundBudget, round_budget_free)

/* The time now, by the clock of the campaign. */
gint64 round_budget_now_ns(const RoundBudget *budget);
/* Since round_budget_new(). */
double round_budget_elapsed_ns(const RoundBudget *budget);
/* The time until the deadline, negative after it; infinite without one. */
double round_budget_left_ns(const RoundBudget *budget);

/* Sets the time that a round will take as far as the warm-up shows, and the least that it might take. */
void round_budget_foretell(RoundBudget *budget, double usual_ns, double least_ns);
/* Back to what was foretold: the rounds that follow are of another kind. */
void round_budget_forget_rounds(RoundBudget *budget);
/* A round is over: what it took in all, and its last attempt alone. */
void round_budget_note_round(RoundBudget *budget, double whole_ns, double attempt_ns);
/* The usual time of a round. */
double round_budget_round_ns(const RoundBudget *budget);
/* TRUE if a round may be started now, when so many (it included) lack until the next look. */
gboolean round_budget_allows(const RoundBudget *budget, guint rounds_to_look);
