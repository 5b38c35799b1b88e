/* SPDX-License-Identifier: Apache-2.0 */
/* All commands of the program. */
#pragma once

#include "cli/options/command.h"

/* The meaning of the exit codes of `check`. */
#define CHECK_EXIT_CODES                                                                                               \
	"0 pass, 1 regression, 2 usage or configuration, 3 inconclusive, 4 measurement invalid, 5 build failed, "      \
	"6 no usable baseline, 7 storage or output, 8 environment unsupported, 9 policy violation, 128+n ended by "    \
	"signal n."

extern const Command check_command;
extern const Command run_command;
extern const Command bisect_command;
extern const Command compare_command;
extern const Command merge_command;
extern const Command report_command;
extern const Command baseline_command;
extern const Command history_command;
extern const Command doctor_command;
extern const Command glossary_command;
extern const Command init_command;
extern const Command record_command;
extern const Command fold_command;
extern const Command export_command;
extern const Command flamegraph_command;
extern const Command diff_command;
extern const Command top_command;

/* In the order of --help; ends with NULL. */
extern const Command *const commands[];
/* The program itself: its options stand before the command, and it is never run. */
extern const Command program_command;

/* NULL if there is none of that name. */
const Command *command_named(const char *name);
