/* SPDX-License-Identifier: Apache-2.0 */
/* Workflow commands of GitHub Actions, which become annotations of a run and of the lines of a change.
 *
 *     ::error file=src/catalog.c,line=19,title=firebreak%3A catalog::catalog: hash_word +17.6 pp ...
 *
 * GitHub shows ten of a kind per step and drops the rest without a word, so at most GITHUB_COMMANDS_MAX of each are
 * made, the gravest first, which leaves one for the step that fails; the first line is the verdict and says how many
 * more there are. All foreign text is escaped, so that none of it begins a command of its own. */
#pragma once

#include "compare/result.h"

/* Of errors, of warnings and of notices. */
#define GITHUB_COMMANDS_MAX 8
/* Of a message, in bytes as they stand. GitHub cuts at 4096 characters. */
#define GITHUB_COMMAND_MAX_BYTES 1024

/* The lines; sets *length (may be NULL). Owned by the caller. */
char *github_commands_text(const CheckResult *result, gsize *length);
