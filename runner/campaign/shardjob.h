/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which shard a job is, for `--shard auto`, by the environment variables that its service sets.
 *
 *     GitLab, the third of four:     CI_NODE_INDEX=3 CI_NODE_TOTAL=4            3/4
 *     Slurm, --array=10-40:10:       SLURM_ARRAY_TASK_ID=30 ... _COUNT=4        3/4
 *
 * The one table of services is in shardjob.c. FIREBREAK_SHARD_INDEX (from 0) and FIREBREAK_SHARD_TOTAL go before all of
 * them: for services that have no variables of their own, such as GitHub Actions, and to correct those that have. */
#pragma once

#include "runner/campaign/shardsplit.h"
#include "runner/trees/basechoice.h"

/* Reads the shard of this job. A variable with an empty value counts as not set. A job that its service runs only once
 * is 1/1. Errors, with *shard untouched:
 * FIREBREAK_ERROR_USAGE if no service says anything, if it says half of it or something impossible, and if two services
 * say different things. */
gboolean shard_of_job(EnvironmentLookup variable, Shard *shard, GError **error);
