/* SPDX-License-Identifier: Apache-2.0 */
/* Names for code that has none, for people to read. Such code is named after its file, as the folded text of perf
 * script has it.
 *
 *     [libz.so.1.2.13]            somewhere in that file
 *     [libz.so.1.2.13 <29d90>]    with the address there
 *     [heap], [vdso]              what has brackets already keeps them
 *     [unknown]                   where nothing is mapped */
#pragma once

#include "model/profile.h"

/* The name; `address` may be NULL. Owned by the caller. */
char *nameless_name(const char *file, const guint64 *address);

/* A copy of the first run of `profile` in which frames `[unknown]` of a known module are called after it, on names of
 * its own; NULL if there are none. Owned by the caller. */
Profile *nameless_frames_named(const Profile *profile);
