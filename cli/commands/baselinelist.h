/* SPDX-License-Identifier: Apache-2.0 */
/* `firebreak baseline list`. */
#pragma once

#include "baselines/store.h"
#include "cli/commands/baselineoptions.h"

/* Prints a table with a header, nothing where nothing is stored, or JSON: an array with an object for each. Returns the
 * exit code; on an error 0 with *error set. `arguments` is empty. */
int baseline_list_run(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error);
