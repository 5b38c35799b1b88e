/* SPDX-License-Identifier: Apache-2.0 */
/* `firebreak baseline show REV`. */
#pragma once

#include "baselines/store.h"
#include "cli/commands/baselineoptions.h"

/* Prints what is stored for a commit: of every benchmark its metrics with median, least and most of its runs, its
 * profile, and the environment it was measured in. Returns the exit code; on an error 0 with *error set. `arguments`
 * has the revision. */
int baseline_show_run(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error);
