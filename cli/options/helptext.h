/* SPDX-License-Identifier: Apache-2.0 */
/* The text that --help prints. */
#pragma once

#include "cli/options/command.h"

/* The text of `firebreak COMMAND --help`. Owned by the caller. */
char *help_text(const Command *command);
/* The text of `firebreak --help`: all commands, NULL-terminated, and the options of the program. Owned by the caller.
 */
char *help_overview(const Command *program, const Command *const *commands);
