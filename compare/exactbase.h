/* Whether counts of base that are stored may stand for counting it: what the fingerprint of an environment does not
 * hold shows only in the measurements themselves.
 *
 *     stored  vs  head, counted now    the same libraries and tools?      else base is counted anew
 *     stored  vs  base, counted now    the same counts?                   else something else has changed
 *
 * Environments of exact counts hold `libraries` ("name:build-id, ...", all that runs mapped from outside of the
 * checkout) and `tools` (a hash of what produced the object files inside). All functions are pure. */
#pragma once

#include "profile/measurement.h"

/* Why counts of `stored` and of `head` are not to be compared, a clause that names the libraries that both have but not
 * in the same build; NULL if nothing speaks against it. Owned by the caller. */
char *exact_base_foreign(const Environment *stored, const Environment *head);
/* TRUE if it is known with which libraries and tools something was counted. */
gboolean exact_base_is_described(const Environment *stored);

/* TRUE if every metric of exact counts has the same values, all equal, in both measurements. */
gboolean exact_base_is_same(const Measurement *stored, const Measurement *fresh);
/* "instructions -0.05 % (14 fewer), ...": the metrics whose `fresh` counts lie apart from the stored ones by more than
 * what runs of either differ by; NULL if there is none. Owned by the caller. */
char *exact_base_outdated(const Measurement *stored, const Measurement *fresh);
