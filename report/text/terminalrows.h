/* SPDX-License-Identifier: Apache-2.0 */
/* The short form of a result in a text for the terminal: a row for each benchmark that needs a look, and what to do
 * next. */
#pragma once

#include "report/text/terminalscreen.h"

/* Appends the rows of the first few benchmarks that need a look, and how many more there are. */
void terminal_rows_write(const Screen *screen, const GArray *rows, guint n_look);
/* Appends the next steps: the command that reproduces the result, the lines that accept it, what to open, and where
 * everything else stands. `rows` is of StandingRow. */
void terminal_steps_write(const Screen *screen, const GArray *rows);
