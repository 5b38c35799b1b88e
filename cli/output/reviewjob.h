/* SPDX-License-Identifier: Apache-2.0 */
/* The review that a text is for, by the environment of a CI job: the pull request of GitHub Actions, the merge request
 * of GitLab CI, or only the repository where a job has neither. */
#pragma once

#include "report/text/reviewlinks.h"

/* Reads a variable of the environment: g_getenv(), or that of a test. */
typedef const char *(*ReviewVariable)(const char *name);

/* Sets forge, repository and number, as far as the job says them. */
void review_job_read(ReviewLinks *links, ReviewVariable variable);
