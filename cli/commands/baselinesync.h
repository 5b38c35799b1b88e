/* SPDX-License-Identifier: Apache-2.0 */
/* `firebreak baseline fetch`, `push` and `prune`: what is shared with a remote, and what is dropped.
 *
 * Each prints one line of counts, or JSON, and remarks to stderr. Returns the exit code; on an error 0 with *error set.
 * `arguments` are those after the action's name, NULL-terminated. */
#pragma once

#include "baselines/store.h"
#include "cli/commands/baselineoptions.h"
#include "core/finding.h"

/* [REMOTE] [REV...]; a full SHA need not be in the clone. */
int baseline_fetch_run(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error);
/* [REMOTE]. A remote that takes nothing is a warning; with --strict the exit code is 7 then. */
int baseline_push_run(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error);
/* No arguments. */
int baseline_prune_run(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error);
