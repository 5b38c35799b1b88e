/* SPDX-License-Identifier: Apache-2.0 */
/* Decides if stored counts of base may stand for counting it: what the fingerprint of an environment does not hold
 * shows only in the measurements themselves.
 *
 *     stored  vs  head, counted now    the same libraries and tools?      else base is counted anew
 *     stored  vs  head, judged         is anything different?             else base is counted once more
 *     stored  vs  base, counted now    the same counts?                   else something else has changed
 *
 * Environments of counts hold `libraries` ("name:build-id, ...", all that runs mapped from outside of the
 * checkout) and `tools` (a hash of what produced the object files inside). All functions are pure. */
#pragma once

#include "compare/comparison/comparison.h"

/* The most that functions may differ by, all changes added up without their signs, before stored counts of base are
 * doubted: a share of the smallest gating margin, but no more than COUNTED_FLOOR of the total
 * (compare/counted/counted.h). The dynamic loader alone counts a little differently with every change of a symbol
 * table. */
#define COUNTED_BASE_SAME_MARGINS .1

/* Tells why counts of `stored` and of `head` are not to be compared, a clause that names the libraries that both have
 * but not in the same build; NULL if nothing speaks against it. Owned by the caller. */
char *counted_base_foreign(const Environment *stored, const Environment *head);
/* TRUE if it is known with which libraries and tools something was counted. */
gboolean counted_base_is_described(const Environment *stored);
/* Tells why a stored measurement has nothing to compare with, a clause: a baseline that another version wrote, or that
 * somebody pushed, is read correctly all the same. NULL if it has. Static. */
const char *counted_base_unfit(const Measurement *stored);

/* Tells why a comparison of head with stored counts does not stand before base is counted once more, a clause; NULL if
 * it does. What a program reads from outside of its checkout may have changed since base was counted, and then what
 * head does more can hide in what that made less. So stored counts stand for base only while nothing is different: no
 * gating metric changed beyond its margin, up or down, and functions changed by no more than COUNTED_BASE_SAME_MARGINS
 * allows. Of functions that do not repeat, only what is certain counts: ranges that lie further apart than both are
 * wide. NULL, too, if nothing gates. Owned by the caller. */
char *counted_base_doubt(const BenchmarkComparison *comparison);

/* TRUE if anything was counted in `fresh`, and every metric of counts there has the same values, all equal, in
 * both measurements. */
gboolean counted_base_is_same(const Measurement *stored, const Measurement *fresh);
/* "instructions -0.05 % (14 fewer), ...": the metrics whose `fresh` counts lie apart from the stored ones by more than
 * what runs of either differ by; NULL if there is none. Owned by the caller. */
char *counted_base_outdated(const Measurement *stored, const Measurement *fresh);
