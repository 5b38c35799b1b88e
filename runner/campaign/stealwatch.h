/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds from which the hypervisor took CPU time: whether to measure them again, and after which pause.
 *
 *     stolen share of a round above 5 %   wait 1 s, measure the round again
 *                          still above    wait 2 s, again; 4 s, again; then keep it
 *                          next round     wait 8 s, again; 16 s, again; then keep it and those that follow
 *     a round at or below 5 %             the next pause is 1 s again; 8 rounds are done again at most in all
 *
 * So what stays costs a campaign five rounds and half a minute, and what comes and goes is mostly left out.
 *
 * Stolen time is part of task-clock: a burst falls on whichever run had the CPU, so ln(head/base) scatters more
 * (docs/STATISTICS.md has the numbers), equally in either direction. So such rounds are worse evidence, but no wrong
 * evidence: the interval gets wider and decides. That is why no measurement ends for it.
 *
 * The stolen share of a round is the larger one of its two runs. It does not change if the two change places, so the
 * rule cannot prefer a side (runner/campaign/disturbance.h explains why that matters). */
#pragma once

#include "runner/executor.h"

/* A larger share is worth another try. */
#define STEAL_MUCH .05

typedef struct {
	guint done_again;   /* rounds, over the whole campaign */
	guint in_a_row;     /* of these since the last round with little steal */
	double waited_ns;   /* before they were done again */
	guint kept;         /* rounds with much steal that count */
	double worst_share; /* of these */
} StealWatch;

/* Of a round of n >= 1 runs. */
double steal_of_round(const RunOutcome *outcomes, guint n);
/* TRUE if the hypervisor took so much that the round is done again. */
gboolean steal_is_much(double share);
/* The pause before a round with much steal is done again, in nanoseconds; 0 = it is kept. `again_in_round`: how often
 * this round has been done again for steal already. */
gint64 steal_watch_pause_ns(const StealWatch *watch, guint again_in_round);
/* Notes that a round is done again after this pause. */
void steal_watch_note_again(StealWatch *watch, gint64 pause_ns);
/* A round counts. */
void steal_watch_keep(StealWatch *watch, double share);
/* Forgets the rounds that were kept: those that follow are of another kind. What was waited stays. */
void steal_watch_forget(StealWatch *watch);
