/* SPDX-License-Identifier: Apache-2.0 */
/* The `git` program, for what libgit2 cannot do: talking to remotes with the credentials, proxies and kinds of clone
 * that the user has, and changing thousands of refs in one transaction.
 *
 * It is started without a shell and with nothing foreign in its arguments but what the caller has checked: full
 * refnames, SHAs, names of configured remotes. No hook runs, no question is asked on the terminal, no garbage
 * collection is started, submodules and tags are left alone, and what it writes into the repository is synced to the
 * disk. The user's configuration counts otherwise, and so does the environment, but for the variables that would make
 * git work on another repository. Needs git 2.29. Internal to this folder. */
#pragma once

#include "core/git/repo.h"

typedef struct {
	int exit_code;      /* -1 if a signal ended it */
	char *out;          /* all that it printed */
	char *reason;       /* why it failed, in one line of what it said on stderr, or how it ended */
	gboolean is_denied; /* it failed and spoke of a lack of permission; for this there is nothing but its words */
} GitOutput;

void git_output_clear(GitOutput *output);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GitOutput, git_output_clear)

/* Runs `git ARGS...` in the repository and waits; that it ended with something else than 0 is not an error here.
 * `args` is NULL-terminated. `input` is its standard input, NULL =
 * nothing; it lies in a file meanwhile, so the caller holds the lock of the store (baselines/git/storelock.h). `output`
 * is set on success and to be cleared. Errors: FIREBREAK_ERROR_ENVIRONMENT if there is no git program,
 * FIREBREAK_ERROR_STORAGE if it printed more than GIT_PROGRAM_MAX_BYTES, those of core/cancel.h. */
gboolean git_program_run(Repo *repo, const char *const *args, const char *input, GitOutput *output, GError **error);

#define GIT_PROGRAM_MAX_BYTES ((gsize)256 * 1024 * 1024)
