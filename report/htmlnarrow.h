/* Profiles without their narrow stacks, for pictures that must not grow with the program.
 *
 *     main;parse;read 900        main;parse;read 900
 *     main;parse;skip   1   ->   main;parse        1
 *
 * A stack whose inclusive cost is below a share of the total on both sides is taken as a part of its caller's. Totals
 * and the inclusive costs of all stacks that stay are what they were. */
#pragma once

#include "profile/profile.h"

typedef struct {
	Profile *base, *head; /* owned; with the table of the profiles they were made from */
	double least_share;   /* what is below it is gone; 0 = everything is there */
} NarrowedProfiles;

/* Keeps at most `max_stacks` of the stacks of two profiles with one table: those with the largest share of the cost on
 * either side, and all that are as large as the last of them or none of these. */
NarrowedProfiles *narrowed_profiles_new(const Profile *base, const Profile *head, guint max_stacks);
void narrowed_profiles_free(NarrowedProfiles *narrowed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NarrowedProfiles, narrowed_profiles_free)
