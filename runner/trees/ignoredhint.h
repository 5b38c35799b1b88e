/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the file that a build lacks because git ignores it: a line `bench` in .gitignore also hides cmd/bench, which
 * then is there for whoever works on the project, and in no checkout. */
#pragma once

#include "core/git/repo.h"

/* The hint for a build in the folder `tree` that failed with that output: it names the first path that the output
 * misses, that is in the user's working tree, and that git ignores. NULL if there is none. Owned by the caller. */
char *ignored_hint(Repo *repo, const char *tree, const char *output);
