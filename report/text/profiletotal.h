/* SPDX-License-Identifier: Apache-2.0 */
/* The size of a profile in words: "12,345 samples of cpu-clock", "6.17 s of cpu-clock in 12,345 samples", "1.2 G
 * instructions". */
#pragma once

#include "model/profile.h"

/* Of all runs together. `counted`: the costs are counted, not sampled. They are multiplied by `factor`, the number of
 * samples is not. Has foreign text in it; owned by the caller. */
char *profile_total_text(const Profile *profile, gboolean counted, double factor);

/* The same of costs that have another name, as the tooltips of a picture say it: "2,516 ticks of cpu-clock:u". */
char *profile_total_named(const Profile *profile, const char *name, double factor);
