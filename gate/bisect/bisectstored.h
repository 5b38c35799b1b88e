/* SPDX-License-Identifier: Apache-2.0 */
/* Commits that need no measurement: counts of good and of another commit that are stored already, made on the
 * same kind of machine, are compared as a check compares them. Good's are those of a check that was made here, so they
 * are known to be what this machine counts. What cannot be told from them is left to a measurement. */
#pragma once

#include "compare/bisect/bisectlog.h"
#include "core/git/repo.h"
#include "runner/config/config.h"

/* The policy that checks of a bisection have: good's, or bad's where good has none. NULL if neither can be read, which
 * a check tells better. Owned by the caller. */
Config *bisect_policy(Repo *repo, const BisectLog *log);

typedef struct BisectStored BisectStored;

/* For the target of `log`, which is settled. NULL without an error if there is nothing to compare with: the target is
 * not exact, or nothing is stored of good. Borrows `log`. */
BisectStored *bisect_stored_new(const char *repo_path, Repo *repo, const BisectLog *log);
void bisect_stored_free(BisectStored *stored);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BisectStored, bisect_stored_free)

/* TRUE with an answer that is good or bad; FALSE if the commit has to be measured. `stored` may be NULL. */
gboolean bisect_stored_answer(BisectStored *stored, const char *commit, BisectAnswer *answer);
