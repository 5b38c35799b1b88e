/* docs/COMMANDS.md: what all commands say of themselves, as Markdown. */
#pragma once

#include "cli/options/command.h"

/* Owned by the caller. */
char *command_reference(const Command *program, const Command *const *commands);
