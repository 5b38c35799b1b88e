/* SPDX-License-Identifier: Apache-2.0 */
/* docs/COMMANDS.md: the texts and options of all commands as Markdown. */
#pragma once

#include "cli/options/command.h"

/* The whole page. Owned by the caller. */
char *command_reference(const Command *program, const Command *const *commands);
