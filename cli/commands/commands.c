/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"

const Command *const commands[] = {
        &check_command,
        &run_command,
        &bisect_command,
        &compare_command,
        &merge_command,
        &report_command,
        &baseline_command,
        &history_command,
        &record_command,
        &fold_command,
        &flamegraph_command,
        &diff_command,
        &top_command,
        &export_command,
        &init_command,
        &doctor_command,
        &glossary_command,
        NULL,
};

/* main() reads them itself: they may stand only before the command. */
static const Option option_rows[] = {
        {NULL, 'C', OPTION_FOLDER, "DIR", "work as if started in DIR", 0, .section = SECTION_GENERAL},
        {"version", 0, OPTION_FLAG, NULL, "print the version", 0, .section = SECTION_GENERAL},
};

const Command program_command = {
        .name = "firebreak",
        .arguments = "COMMAND [OPTION...]",
        .summary = "a CI performance-regression gate for native code",
        .description = "Decides whether a change makes native code slower, and which function is why.",
        .exit_codes = "of `check`: " CHECK_EXIT_CODES,
        .options = {OPTION_GROUP(option_rows, 0)},
};

const Command *command_named(const char *name)
{
	for (guint i = 0; commands[i] != NULL; i++)
		if (g_str_equal(commands[i]->name, name))
			return commands[i];
	return NULL;
}
