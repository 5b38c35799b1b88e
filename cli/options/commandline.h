/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of a command: from its words to the struct of its options, and what is said of mistakes.
 *
 *     Options options = {.rows = 20};
 *     return command_run(command, &options, argv, 1, show);
 */
#pragma once

#include "cli/options/command.h"

/* Parses the options of `argv` into `options`, the struct of the command's rows, and checks choices and bounds; what is
 * left (argv[0] and the arguments) is returned and owned by the caller. On --help the help is printed, on an error the
 * message with a pointer to --help; then NULL is returned and *exit_code is set. An option that is not given leaves its
 * member as it is. */
char **command_parse(const Command *command, void *options, char **argv, int *exit_code);

/* Does what a command is for, with its options and its arguments, which end with NULL. Returns the exit code. */
typedef int (*CommandAction)(const Command *command, void *options, char **arguments);

/* Parses the options and does `action`, unless they are wrong, or there are more than `most` arguments. Clears the
 * options then. Returns the exit code. */
int command_run(const Command *command, void *options, char **argv, guint most, CommandAction action);
/* For any number of arguments. */
#define ANY_ARGUMENTS G_MAXUINT

/* The value of an option that names a file or folder, in a command line that need not be understood as a whole; NULL if
 * it is not given. Owned by the caller. */
char *command_file_given(const Command *command, const char *name, char **argv);

/* Prints "firebreak: <message>" for an error and returns its exit code. */
int command_failed(const GError *error);

/* Usage error: prints the message and the pointer to --help; returns 2. */
int command_usage(const Command *command, const char *format, ...) G_GNUC_PRINTF(2, 3);
