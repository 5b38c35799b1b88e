/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of profiles for tests of differential pictures: from folded text, and random ones that are the same every time.
 */
#pragma once

#include "profile/folded/folded.h"

#include <cmocka.h>
#include <string.h>

typedef struct {
	StackTable *table;
	Profile *base, *head; /* one run each */
} ProfilePair;

static inline Profile *pair_read(StackTable *table, const char *text)
{
	static const FoldedOptions options = {.columns = 1, .plain_root = TRUE};
	Profile *profile = profile_new(table, "", "counts");
	profile_add_run(profile);
	if (*text != '\0')
		assert_true(folded_read(text, strlen(text), "test", &options, profile, 0, NULL, NULL));
	return profile;
}

/* Folded text with one column; "" = nothing. */
static inline ProfilePair pair_new(const char *base, const char *head)
{
	StackTable *table = stack_table_new();
	return (ProfilePair){table, pair_read(table, base), pair_read(table, head)};
}

static inline void pair_clear(ProfilePair *pair)
{
	profile_free(pair->base);
	profile_free(pair->head);
	stack_table_unref(pair->table);
}

/* The pair in which functions vanish, appear, grow with a new callee, recur, and double. */
#define PAIR_BASE "main;foo 1\nmain;gone 40\nmain;keep 100\nmain;rec;rec 10\n"
#define PAIR_HEAD "main;foo 2\nmain;keep 100\nmain;keep;child 60\nmain;new 5\nmain;rec;rec 10\n"

/* Stacks of up to 9 functions out of 12, so that paths are shared and functions recur; some on one side only. */
static inline ProfilePair pair_random(guint32 seed)
{
	ProfilePair pair = pair_new("", "");
	GRand *random = g_rand_new_with_seed(seed);
	for (guint i = 0; i < 300; i++) {
		StackId stack = STACK_ROOT;
		for (guint depth = (guint)g_rand_int_range(random, 1, 10); depth > 0; depth--) {
			g_autofree char *name = g_strdup_printf("f%d", g_rand_int_range(random, 0, 12));
			stack = stack_table_push(
			        pair.table, stack, stack_table_frame_named(pair.table, name, NULL, FRAME_USER));
		}
		guint64 base = (guint64)g_rand_int_range(random, 0, 1000),
		        head = (guint64)g_rand_int_range(random, 0, 1000);
		if (i % 3 != 0)
			profile_add(pair.base, 0, stack, (ProfileCell){base, base});
		if (i % 3 != 1)
			profile_add(pair.head, 0, stack, (ProfileCell){head, head});
	}
	g_rand_free(random);
	return pair;
}

/* The same costs times k. */
static inline Profile *pair_scaled(const Profile *profile, guint64 k)
{
	Profile *scaled = profile_new(profile->table, profile->event, profile->unit);
	profile_add_run(scaled);
	for (guint i = 0; i < stack_table_n_stacks(profile->table); i++) {
		ProfileCell cell = profile_cell(profile, 0, (StackId){i});
		profile_add(scaled, 0, (StackId){i}, (ProfileCell){cell.samples * k, cell.weight * k});
	}
	return scaled;
}
