/* What --help prints of a command. */
#pragma once

#include "cli/options/command.h"

/* Owned by the caller. */
char *help_text(const Command *command);
/* What `firebreak --help` prints: all commands, NULL-terminated, and the options of the program. Owned by the caller.
 */
char *help_overview(const Command *program, const Command *const *commands);
