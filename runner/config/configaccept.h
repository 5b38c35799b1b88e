/* `accept` and `accept_from` of firebreak.yml: which regressions are accepted, and where that may be said.
 *
 * `accept` is read from head, as text of whoever proposes the change; `accept_from` is policy, which base sets. What an
 * entry covers is said in compare/acceptance.h. */
#pragma once

#include "core/yamltree.h"
#include "runner/config/config.h"

#define CONFIG_MAX_ACCEPT 200         /* entries */
#define CONFIG_ACCEPT_REASON_MAX 1000 /* characters */

void config_accept_free(ConfigAccept *accept);

/* Reads both keys of the root into `config`, whose benchmarks have been read: an entry names one of them. Absent keys
 * leave no entry, and every source allowed. Errors: FIREBREAK_ERROR_USAGE with file:line:column. */
gboolean config_accept_read(const YamlNode *root, Config *config, GError **error);

/* TRUE if `config` has an entry that says the same as `entry`, word for word. */
gboolean config_accepts_already(const Config *config, const ConfigAccept *entry);

/* A sentence on what `head` allows that `base` does not, or NULL. Owned by the caller. */
char *config_accept_weakened(const Config *base, const Config *head);
