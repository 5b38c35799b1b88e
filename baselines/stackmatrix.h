/* SPDX-License-Identifier: Apache-2.0 */
/* The stored form of a profile's costs: folded text with one column per run.
 *
 *     bench`main;bench`parse;libc.so.6`memcpy TAB 12:6000000 TAB 11:5500000 NEWLINE
 *
 * One line per stack that has a cost in some run, sorted by bytes. A frame is module`name, or the name alone where
 * there is no module; a function that runs by itself and inlined in others, too, is module``name where it is inlined,
 * and a command that is called like a function without a module is ``name, or ```name if that is taken. A
 * column is samples:weight. In names, control bytes, `%`, `;`, a backquote and bytes that are not
 * UTF-8 are written as %XX, so that every name comes back as it was. A cost on the empty stack has an empty text before
 * its first TAB. */
#pragma once

#include "model/profile.h"

/* The text of all costs; owned by the caller. The same profile gives the same bytes. */
GString *stack_matrix_write(const Profile *profile);

/* Adds the costs of `text` to `profile`, whose number of runs says how many columns to expect. `functions` is of
 * FrameId and says what the names stand for; NULL = nothing. Other names are interned as user functions. Errors:
 * FIREBREAK_ERROR_BASELINE with the line number; the profile is then incomplete and to be thrown away. */
gboolean stack_matrix_read(const GString *text, Profile *profile, const GArray *functions, GError **error);
