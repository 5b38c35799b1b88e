/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/stealwatch.h"

#define MAX_IN_ROUND 3
#define MAX_IN_CAMPAIGN 8
#define FIRST_PAUSE_NS G_GINT64_CONSTANT(1000000000)
#define MAX_IN_A_ROW 5 /* the last pause is 16 s */

double steal_of_round(const RunOutcome *outcomes, guint n)
{
	double share = 0;
	for (guint i = 0; i < n; i++)
		share = MAX(share, outcomes[i].stolen_share);
	return share;
}

gboolean steal_is_much(double share)
{
	return share > STEAL_MUCH;
}

gint64 steal_watch_pause_ns(const StealWatch *watch, guint again_in_round)
{
	if (again_in_round >= MAX_IN_ROUND || watch->done_again >= MAX_IN_CAMPAIGN || watch->in_a_row >= MAX_IN_A_ROW)
		return 0;
	return FIRST_PAUSE_NS << watch->in_a_row;
}

void steal_watch_note_again(StealWatch *watch, gint64 pause_ns)
{
	watch->done_again++;
	watch->in_a_row++;
	watch->waited_ns += (double)pause_ns;
}

void steal_watch_keep(StealWatch *watch, double share)
{
	if (!steal_is_much(share)) {
		watch->in_a_row = 0;
		return;
	}
	watch->kept++;
	watch->worst_share = MAX(watch->worst_share, share);
}

void steal_watch_forget(StealWatch *watch)
{
	watch->kept = 0;
	watch->worst_share = 0;
}
