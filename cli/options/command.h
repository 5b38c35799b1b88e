/* SPDX-License-Identifier: Apache-2.0 */
/* A command of the program: a constant in cli/commands/cmd_<name>.c, listed in cli/commands/commands.c.
 *
 * A command has its options parsed into a local struct (options/commandline.h), as its rows say, calls the layers
 * below, prints, and returns the exit code of the process. Results go to stdout, talk to stderr. The rows and the texts
 * here are also its --help, its man page and its completions (pages/). */
#pragma once

#include "cli/options/option.h"

typedef struct Command Command;
struct Command {
	const char *name;
	const char *arguments; /* what follows the options: "[REV]" */
	const char *summary;   /* one line, lower case, for the list of commands */
	/* Texts of the pages; NULL = none. Paragraphs have a blank line between them and are filled; lines that begin
	 * with a blank stay as they are. */
	const char *description, *examples, *exit_codes;
	char *(*more)(void); /* makes lines that follow the description, owned by the caller; NULL = none */
	OptionGroup options[MAX_OPTION_GROUPS];
	gboolean abbreviates;     /* names of options may be cut, as in flamegraph.pl */
	OptionOffer offer;        /* what its arguments are */
	const char *const *words; /* what its first argument is, NULL-terminated; NULL = anything */
	/* `argv` is NULL-terminated and starts with the command's name. */
	int (*run)(const Command *command, char **argv);
};

/* Goes through the rows of a command: `option` is the row, and its struct lies at `group->offset` in the command's. */
#define COMMAND_FOREACH_OPTION(command, group, option)                                                                 \
	for (const OptionGroup *group = (command)->options;                                                            \
	        group < (command)->options + MAX_OPTION_GROUPS && group->rows != NULL; group++)                        \
		for (const Option *option = group->rows; option < group->rows + group->n; option++)

/* The row of --help, which every command has besides its own and which has no member. */
extern const Option command_help_option;

/* The row of an option by its long name, or by its letter where `name` is NULL; NULL if there is none. */
const Option *command_find_option(const Command *command, const char *name, char letter);

/* The first word of `argv` after the command's name that is neither an option nor the value of one; NULL if there is
 * none. Borrowed from `argv`. */
const char *command_first_argument(const Command *command, char **argv);

/* Frees the texts that were parsed into the struct of the command's rows. */
void command_clear(const Command *command, void *options);
