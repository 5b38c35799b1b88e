/* SPDX-License-Identifier: Apache-2.0 */
/* Completions for shells: a script for each that offers commands, their options, and what options and arguments take,
 * as the rows of the commands say. */
#pragma once

#include "cli/options/command.h"

typedef struct {
	const Command *program;         /* its options stand before the command */
	const Command *const *commands; /* NULL-terminated */
} CompletionSource;

/* The scripts; owned by the caller. */
char *completion_bash(const CompletionSource *source);
/* The completion of zsh; owned by the caller. */
char *completion_zsh(const CompletionSource *source);
/* The completion of fish; owned by the caller. */
char *completion_fish(const CompletionSource *source);
