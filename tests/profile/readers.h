/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of readers: what they read, as folded stacks, and the shared fixtures. */
#pragma once

#include "profile/folded/folded.h"
#include "tests/profile/sharedfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A profile with one run on a table of its own. */
static inline Profile *empty_profile(void)
{
	g_autoptr(StackTable) table = stack_table_new();
	Profile *profile = profile_new(table, "", "");
	profile_add_run(profile);
	return profile;
}

static inline char *folded_weights(const Profile *profile)
{
	return folded_write(profile, 0, FOLDED_WEIGHT);
}

/* The frame of that name; the test fails if there is none. */
static inline const Frame *frame_named(const Profile *profile, const char *name)
{
	for (guint i = 0; i < stack_table_n_frames(profile->table); i++)
		if (g_str_equal(stack_table_frame_name(profile->table, (FrameId){i}), name))
			return stack_table_get_frame(profile->table, (FrameId){i});
	fail_msg("no frame %s", name);
	return NULL;
}

static inline guint count_lines(const char *text)
{
	guint n = 0;
	for (; *text != '\0'; text++)
		n += *text == '\n' ? 1 : 0;
	return n;
}
