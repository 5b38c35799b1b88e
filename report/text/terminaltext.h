/* SPDX-License-Identifier: Apache-2.0 */
/* The text that a person reads at the end of a check. In short, at most twelve lines of 80 columns: the headline, how
 * many benchmarks ended how, a row for each one that needs a look, how to reproduce and to accept it, what to open.
 * With details everything: metrics, functions, findings, pictures.
 *
 * Plain text with two blanks of indent, no tabs; colour is optional and never says anything that the words do not. All
 * foreign text is escaped, so nothing in it moves the cursor. Lines are cut or wrapped to the width of the terminal. */
#pragma once

#include "compare/result.h"
#include "report/text/terminaloptions.h"

/* The text, with a newline at the end. Owned by the caller. */
char *terminal_text(const CheckResult *result, const TerminalOptions *options);
