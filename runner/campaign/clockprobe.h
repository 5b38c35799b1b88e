/* SPDX-License-Identifier: Apache-2.0 */
/* Tells a benchmark that works until its own CPU time has come so far from one that does a fixed amount of work. No
 * name betrays a timer that somebody has written himself, and no comparison of runs does, since each side uses the CPU
 * time that it gives itself.
 *
 * So a run is made in which the clocks of CPU time, and the timers by it that send a signal, go at a quarter of their
 * speed (runner/campaign/slowclock_main.c):
 *
 *     fixed work       the CPU time stays what it was
 *     a timer          four times the CPU time
 *
 * A run that needs one and a half times as much or more is made four times, in turns with usual ones, and all of them
 * have to. Clocks of the wall are left alone: programs wait by them, and work for a fixed time of theirs shows in
 * rounds that share a CPU (runner/campaign/fixedwall.h).
 *
 * Only a program that asks such a clock, by the names in its files, costs the one run more. The clocks of programs that
 * are linked statically, or ask the kernel themselves as Go does, do not change; a run that fails, or for which there
 * is no time, says nothing. */
#pragma once

#include "runner/campaign/campaignround.h"

/* Makes those runs, if the warm-up of a side asked such a clock and nothing says how much the benchmark does: no
 * framework, no `work: reported`. Errors: FIREBREAK_ERROR_CALIBRATES, those of the executor, cancellation. */
gboolean clock_probe(const CampaignState *state, GError **error);
