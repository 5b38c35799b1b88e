/* SPDX-License-Identifier: Apache-2.0 */
/* `accept` of firebreak.yml: regressions that are meant.
 *
 * It is read from head, as text of whoever proposes the change. What an entry covers is said in compare/acceptance.h.
 */
#pragma once

#include "core/yamltree.h"
#include "runner/config/configdata.h"

/* Reads the key of the root into `config`, whose benchmarks have been read: an entry names one of them. Errors:
 * FIREBREAK_ERROR_USAGE with file:line:column. */
gboolean config_accept_read(const YamlNode *root, Config *config, GError **error);

/* TRUE if `config` has an entry that says the same as `entry`, word for word. */
gboolean config_accepts_already(const Config *config, const ConfigAccept *entry);
