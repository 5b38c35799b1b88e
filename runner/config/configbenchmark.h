/* SPDX-License-Identifier: Apache-2.0 */
/* `benchmarks` and `defaults` of firebreak.yml, read into the benchmarks of a Config. */
#pragma once

#include "core/yamltree.h"
#include "runner/config/configdata.h"

/* Reads both keys of the root. Errors: FIREBREAK_ERROR_USAGE with file:line:column. */
gboolean config_benchmarks_read(const YamlNode *root, Config *config, GError **error);
