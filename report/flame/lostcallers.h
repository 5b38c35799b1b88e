/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that lost their callers, put under a frame that says so in pictures:
 *
 *     shop;main;sort;compare   90          shop;main;sort;compare               90
 *     shop;compare              6    →     shop;[callers unknown];compare        6
 *     shop;msort_with_tmp       4          shop;[callers unknown];msort_with_tmp 4
 *
 * A call chain breaks where a function uses the frame pointer for something else, and then begins in the middle: its
 * first function looks like a root beside `main`. It is taken for one that lost its callers if
 *
 *     - the same function is seen with callers, with at least CALLED_TIMES the cost that it has as a root. Entries of
 *       threads, coroutines and signal handlers are never called by anybody, or as often as they are entered;
 *     - or it is of libc or libm, and none of their functions that threads and programs begin with: everything else in
 *       there is called by somebody.
 *
 * What has neither mark stays where it is: a root that is none is less harm than an entry that is called broken. */
#pragma once

#include "model/profile.h"

#define LOST_CALLERS_NAME "[callers unknown]"

typedef struct {
	Profile *base, *head;          /* copies with the frame; NULL as the profile was, and if nothing was lost */
	double base_share, head_share; /* of the cost, 0 = nothing was lost */
} LostCallers;

/* Looks at both sides together, so that a function has its place on both; either may be NULL. Adds frame and stacks to
 * their table. The caller clears it. */
LostCallers lost_callers_find(const Profile *base, const Profile *head);
/* Frees the copies. */
void lost_callers_clear(LostCallers *lost);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LostCallers, lost_callers_clear)
/* "6 % of base and 4 % of head lost their callers: under [callers unknown]"; NULL if nothing did. Owned by the caller.
 */
char *lost_callers_remark(const LostCallers *lost);
