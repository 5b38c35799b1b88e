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
