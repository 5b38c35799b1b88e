/* The command line of a command: from its words to the struct of its options, and what is said of mistakes.
 *
 *     Options options = {.rows = 20};
 *     g_auto(GStrv) rest = command_parse(command, &options, argv, &code);
 *     ...
 *     command_clear(command, &options);
 */
#pragma once

#include "cli/options/command.h"

/* Parses the options of `argv` into `options`, the struct of the command's rows, and checks choices and bounds; what is
 * left (argv[0] and the arguments) is returned and owned by the caller. On --help the help is printed, on an error the
 * message with a pointer to --help; then NULL is returned and *exit_code is set. An option that is not given leaves its
 * member as it is. */
char **command_parse(const Command *command, void *options, char **argv, int *exit_code);

/* The value of an option that names a file or folder, in a command line that need not be understood as a whole; NULL if
 * it is not given. Owned by the caller. */
char *command_file_given(const Command *command, const char *name, char **argv);

/* Prints "firebreak: <message>" for an error and returns its exit code. */
int command_failed(const GError *error);

/* Usage error: prints the message and the pointer to --help; returns 2. */
int command_usage(const Command *command, const char *format, ...) G_GNUC_PRINTF(2, 3);
