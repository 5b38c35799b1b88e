/* SPDX-License-Identifier: Apache-2.0 */
/* Tells a benchmark that works for a fixed time from one that does a fixed amount of work.
 *
 * Two runs that share a CPU get half of it each. A fixed amount of work takes the same CPU time there, and twice as
 * long; work for a fixed time takes as long as alone, and half the CPU time. What is between the two has done a fixed
 * amount of work before it began to look at the clock.
 *
 * If the first run, which is alone, was cold and needed about twice the CPU time of later ones, a fixed amount of work
 * looks the same; so it does on a CPU where the same code is sometimes twice as fast (the loop of tests/attacks on a
 * Zen 4: .035 s, and .08 s in one run of five). So the campaign makes up to twelve more runs alone, with pauses, each
 * of which must show it; where it has no time for that, the check ends with no verdict rather than a wrong one. */
#pragma once

#include "runner/campaign/campaignplan.h"

/* TRUE if either side of a co-scheduled campaign that has ended works for a fixed time, and nothing says how much it
 * does: no framework, no `work: reported`. */
gboolean campaign_is_fixed_wall(const Campaign *campaign);

/* After a further run alone of both sides: a side that does not show it now does a fixed amount of work, whatever later
 * runs show. One that works for a fixed time shows it each time. */
void campaign_note_fixed_amount(Campaign *campaign);
