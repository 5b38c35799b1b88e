/* SPDX-License-Identifier: Apache-2.0 */
/* The word that was probably meant: for "unknown X; did you mean Y?". */
#pragma once

#include <glib.h>

/* The word of the NULL-terminated list `known` that a typing error could have turned into `word` (inserted, deleted,
 * replaced or swapped characters; case and `_` against `-` do not count), or NULL. Borrowed from the list. */
const char *nearest_word(const char *word, const char *const *known);
