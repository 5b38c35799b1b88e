/* SPDX-License-Identifier: Apache-2.0 */
/* Everything about each benchmark in a text for the terminal: metrics, functions, findings, pictures. For those who ask
 * for it; all others read the few lines of report/text/terminalrows.h. */
#pragma once

#include "report/text/terminalscreen.h"

/* Appends a block for each benchmark, the findings, the advice, and where the pictures are. */
void terminal_details_write(const Screen *screen);
