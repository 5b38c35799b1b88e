/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the job of a CI system that gates pull requests, from the templates in ci-templates/. */
#pragma once

#include <glib.h>

/* "github", "gitlab"; NULL-terminated. */
extern const char *const init_ci_names[];

/* Writes the files for the CI system of that name below `root`: .github/workflows/firebreak.yml, or
 * .gitlab/firebreak.gitlab-ci.yml and, if there is none, .gitlab-ci.yml. A file that is there stays. *notes gets lines
 * for people on what was written and what is left to do, owned by the caller. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean init_ci_write(const char *root, const char *name, char **notes, GError **error);
