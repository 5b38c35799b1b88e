/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at runs that did not do what they were to do, and says in their failure, or in a finding, what to change in
 * firebreak.yml. */
#pragma once

#include "core/child.h"
#include "runner/executor.h"

/* Adds to a failure why the program could not be started or which file it misses; a run that exits with 0 and complains
 * has its complaints in the outcome, becomes the finding `prints_error`, and a failure where it did next to nothing
 * besides; nothing of it with `error_output: allow`. `timed`: CPU time is that of
 * the program alone. The tree is as the run left it. */
void run_hint(const RunRequest *request, const ChildResult *result, gboolean timed, FindingList *findings,
        RunOutcome *outcome);
/* The same of a run whose instructions were counted: it fails if it prints its usage, or that it has nothing to run,
 * and did fewer than 50 million of them. */
void run_hint_counted(const RunRequest *request, const ChildResult *result, guint64 instructions, RunOutcome *outcome);
