/* SPDX-License-Identifier: Apache-2.0 */
/* Tells if head waits more than base: time in which no thread of a run could use a CPU (metric `wait`,
 * runner/record/waits.h).
 *
 * CPU time does not show a sleep, nor work that was moved to a server; both let the wait rise. Per round and unit of
 * work, with cpu = task-clock:
 *
 *     d_i = wait of head - wait of base                         rose: its lower bound is above the floor
 *     s_i = ln(share of head / share of base)                   shifted: rose, and the upper bound of exp(s) is below
 *           share = cpu / (cpu + wait)                          WAITING_SHARE_LEFT
 *
 * Both bounds are the exact signed-rank bounds of signedrank.h at WAITING_ALPHA each; fewer than seven rounds
 * (WAITING_MIN_ROUNDS) have none. The floor is the larger of WAITING_FLOOR_NS in a whole run and WAITING_FLOOR_SHARE
 * of base's cpu + wait: what waking up beside another program takes is below that (docs/STATISTICS.md, "Waiting").
 *
 * A head whose wait is not known in half of its rounds, or in more than base's and so many that no bounds are left,
 * hides it if base's is known: that is `unknown`. Of a run that used no CPU time nothing is known: a program that ran
 * used some. */
#pragma once

#include "compare/comparison/waitingchange.h"
#include "model/measurement.h"

#define WAITING_ALPHA .01
#define WAITING_MIN_ROUNDS 7 /* that have bounds at this level */
#define WAITING_FLOOR_NS 10e6
#define WAITING_FLOOR_SHARE .02
#define WAITING_SHARE_LEFT .8

/* Compares the first `rounds` rounds. Pure; assumes what signedrank.h assumes. */
WaitingChange waiting_compare(const Measurement *base, const Measurement *head, guint rounds);
/* The text of a finding on it: "head waits 612 ms in a run, base 0 ms (+612 ms [+610, +613])"; NULL if nothing did.
 * Owned by the caller. */
char *waiting_text(const WaitingChange *change);
/* Tells why head does not pass for it, with the remedy; NULL if it may. Owned by the caller. */
char *waiting_objection(const WaitingChange *change);
