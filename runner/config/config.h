/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak.yml, read and checked, and compared with that of another commit. The keys are described in docs/CONFIG.md;
 * what is read is in runner/config/configdata.h, what can be asked of it in runner/config/configlookup.h. */
#pragma once

#include "runner/config/configlookup.h"

/* Parses and checks; `file` is the name in messages. Errors: FIREBREAK_ERROR_USAGE with file:line:column. */
Config *config_parse(const char *text, gsize length, const char *file, GError **error);

/* The ways in which `head` weakens the gate compared with `base`, margins and gates of metrics aside: benchmarks that
 * are removed, and keys whose row in runner/config/configkeys.c says that their value is weaker. A GPtrArray of
 * sentences (char *), empty if nothing. Owned by the caller. */
GPtrArray *config_weakened(const Config *base, const Config *head);
