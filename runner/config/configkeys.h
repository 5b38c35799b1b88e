/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all keys of firebreak.yml, in the order of docs/CONFIG.md.
 *
 * Parsing, the suggestions for unknown keys, config_weakened(), docs/CONFIG.md, docs/schema/config-1.json and the
 * manual page come from it or are held equal to it by tests. To add a key, add a row, and a field in
 * runner/config/configdata.h that something reads. */
#pragma once

#include "runner/config/configkey.h"

/* Row `index`, or NULL after the last one. */
const ConfigKey *config_key(gsize index);
/* The row of that key; there must be one. */
const ConfigKey *config_key_find(ConfigSection section, const char *name);
/* The set to which a key belongs. */
ConfigKeySet config_key_set(const ConfigKey *key);

/* Tells where it stands, as in "benchmarks[].gate.METRIC.margin". Owned by the caller, as are all texts here. */
char *config_key_path(const ConfigKey *key);
/* The way in which it is written, as docs/CONFIG.md says it: "integer", "`auto` or integer". */
char *config_key_kind(const ConfigKey *key);
/* The default as docs/CONFIG.md shows it: "`60s`", "required", "none". */
char *config_key_default(const ConfigKey *key);
/* "1 to 62", or NULL if there are none. */
char *config_key_bounds(const ConfigKey *key);
/* A sentence without links and without the full stop, with backquotes around what is written so in the file. */
char *config_key_meaning(const ConfigKey *key);
