/* SPDX-License-Identifier: Apache-2.0 */
/* `env` of firebreak.yml: variables of the environment that code of a pull request may see. */
#pragma once

#include "core/yamltree.h"

/* Refuses names that hold secrets, control the job, lead to agents or change which code is loaded; `field` points to
 * the GStrv of names that was read from `node`. Errors: FIREBREAK_ERROR_USAGE with file:line:column. */
gboolean config_check_env(const YamlNode *node, gpointer field, GError **error);
