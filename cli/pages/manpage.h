/* SPDX-License-Identifier: Apache-2.0 */
/* Man pages in the language of man(7), from the rows and texts of the commands. */
#pragma once

#include "cli/options/command.h"

/* firebreak-<command>.1; `version` stands at its foot. Owned by the caller. */
char *man_page(const Command *command, const char *version);
/* firebreak.1: the program and what its commands do. Owned by the caller. */
char *man_overview(const Command *program, const Command *const *commands, const char *version);

/* Appends text for a page: dashes stay dashes, and no line is taken for a request. `like this` becomes bold. */
void man_append(GString *page, const char *text);
/* Appends a block of text as paragraphs, and lines that begin with a blank as they are. */
void man_append_blocks(GString *page, const char *text);
