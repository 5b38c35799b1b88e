/* SPDX-License-Identifier: Apache-2.0 */
/* Says why a program could not be started, and what to write instead: where a file of its name lies in the tree, which
 * programs there are, what a script lacks. */
#pragma once

#include <glib.h>

/* The place that a command was started in. */
typedef struct {
	const char *tree; /* the checkout */
	const char *cwd;  /* below it; "." = its root */
} StartPlace;

/* A clause such as "did you mean build/bin/parse?"; NULL if nothing is known. `program` is as the command has it,
 * `error` the errno of starting it (ENOENT for "command not found"). Owned by the caller. */
char *start_hint(const StartPlace *place, const char *program, int error);
