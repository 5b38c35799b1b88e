/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of firebreak.yml, read into structs and compared by the rows of runner/config/configkeys.c. */
#pragma once

#include "runner/config/configkeys.h"

/* Fails if `map` is no mapping, or at the first key that the section does not have in one of the sets (ConfigKeySet
 * flags); suggests the nearest one. Errors: FIREBREAK_ERROR_USAGE with file:line:column, here and below. */
gboolean config_keys_check(ConfigSection section, guint sets, const YamlNode *map, GError **error);
/* Sets the fields of a new struct of the section to the defaults. */
void config_keys_init(ConfigSection section, gpointer target);
/* Reads the keys of these sets from `map`, in the order of the rows, into the struct of the section. What a key is not
 * said stays as it is; a required one that is not there is an error. NULL is a mapping without keys of which none is
 * required. Sections have to be read on their own. */
gboolean config_keys_read(ConfigSection section, guint sets, const YamlNode *map, gpointer target, GError **error);

/* Appends a sentence (char *) for each key of the section by which head weakens the gate; the same sentence once. What
 * only one engine knows counts where both benchmarks use it. */
void config_keys_compare(ConfigSection section, gconstpointer base, gconstpointer head, GPtrArray *sentences);
