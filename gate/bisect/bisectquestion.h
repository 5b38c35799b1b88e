/* SPDX-License-Identifier: Apache-2.0 */
/* The question of a bisection, in terms of the repository. Internal to gate/bisect/bisectrun.c. */
#pragma once

#include "compare/bisect/bisectlog.h"
#include "core/git/repo.h"
#include "core/git/reporange.h"
#include "gate/bisect/bisectrequest.h"

/* A log without answers, and the commits in question in *range (of RangeCommit); both owned by the caller. Errors:
 * those of core/git/repo.h and repo_range(), FIREBREAK_ERROR_USAGE also if good and bad are one commit, and for a
 * metric that no engine of the benchmark measures. */
BisectLog *bisect_question_new(Repo *repo, const BisectRequest *request, GPtrArray **range, GError **error);
