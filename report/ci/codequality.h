/* SPDX-License-Identifier: Apache-2.0 */
/* Code quality for GitLab: a JSON array with one issue per flagged function, shown beside the lines of the change.
 *
 *     {description, check_name, fingerprint, severity, location: {path, lines: {begin}}}
 *
 * The fingerprint is made of benchmark, event, module and function and of nothing that is measured, so an issue stays
 * the same one from push to push; of several functions with one name in a module, the second and all others also of
 * their place among them. GitLab needs a path: a function whose source is not in the checkout stands at the
 * first line of firebreak.yml, where its benchmark is configured. */
#pragma once

#include "compare/result.h"

/* At most so many issues, the gravest ones. */
#define CODEQUALITY_MAX_ISSUES 1000

/* ASCII; sets *length (may be NULL). "[]" if nothing is flagged. Owned by the caller. */
char *codequality_json(const CheckResult *result, gsize *length);
