/* SPDX-License-Identifier: Apache-2.0 */
/* Decides if a regression is measured, or counted, once more before it is believed, and why not. The gate carries that
 * out; compare/timed/confirmation.h says what becomes of the verdict.
 *
 *     timed      base against itself, an exact metric, --no-confirm, no time left    the first campaign stands
 *                else                                                                a second campaign
 *     counted    base against itself, --no-confirm                                   the counts stand
 *                head ran twice, base was counted in this check                      they are confirmed as they are
 *                base is only stored                                                 base is counted
 *                else                                                                head is counted once more
 *
 * All functions are pure. */
#pragma once

#include "compare/result.h"

/* The rounds of a second campaign: as many as the first one had, since fewer would find less, and enough for one look.
 */
guint second_look_rounds(guint first_rounds);

/* The cost of a second campaign, and what was asked for. */
typedef struct {
	CheckMode mode;
	gboolean no_confirm;
	double needed_s; /* seconds that it takes */
	double left_s;   /* seconds that are left for it; infinite without a limit */
} SecondCampaign;

/* TRUE if `comparison` is to be measured once more. If not, *why says the reason, a clause that the caller owns; NULL
 * if it is no regression. */
gboolean second_look_is_due(const BenchmarkComparison *comparison, const SecondCampaign *second, char **why);

typedef enum {
	RECOUNT_NOTHING, /* no regression */
	RECOUNT_REFUSED, /* the counts stand as they are, unconfirmed */
	RECOUNT_DONE,    /* they are confirmed: what they rest on was counted more than once */
	RECOUNT_HEAD,    /* one more run of head */
	RECOUNT_BASE,    /* base is counted, which was only stored */
} Recount;

/* The runs that counts rest on, and what was asked for. */
typedef struct {
	CheckMode mode;
	gboolean no_confirm;
	gboolean base_is_stored;
	guint head_runs;
} CountedOnce;

/* Tells what is to be counted once more. Sets *why, a static clause, if that is refused. */
Recount second_look_recount(const BenchmarkComparison *comparison, const CountedOnce *counted, const char **why);
