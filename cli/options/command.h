/* Commands of the program: one constant per command in cli/commands/cmd_<name>.c, listed in cli/main.c.
 *
 * A command parses its arguments into a local struct with a GOptionEntry table (parsing and --help come from it), calls
 * the layers below, prints, and returns the exit code of the process. Results go to stdout, talk to stderr. */
#pragma once

#include <glib.h>

typedef struct Command Command;
struct Command {
	const char *name;
	const char *arguments;   /* what follows the options: "[REV]" */
	const char *summary;     /* one line, lower case, for the list of commands */
	const char *description; /* shown below the options by --help; NULL = none */
	/* `argv` is NULL-terminated and starts with the command's name. */
	int (*run)(const Command *command, char **argv);
};

extern const Command check_command;
extern const Command run_command;
extern const Command bisect_command;
extern const Command compare_command;
extern const Command merge_command;
extern const Command report_command;
extern const Command baseline_command;
extern const Command history_command;
extern const Command doctor_command;
extern const Command init_command;
extern const Command record_command;
extern const Command fold_command;
extern const Command export_command;
extern const Command flamegraph_command;
extern const Command diff_command;
extern const Command top_command;

/* Parses the options of `argv` in place; what is left (argv[0] and the arguments) is returned and owned by the caller.
 * On --help the help is printed, on an error the message with a pointer to --help; then NULL is returned and *exit_code
 * is set. */
char **command_parse(const Command *command, const GOptionEntry *entries, char **argv, int *exit_code);

/* Prints "firebreak: <message>" for an error and returns its exit code. */
int command_failed(const GError *error);

/* Usage error: prints the message and the pointer to --help; returns 2. */
int command_usage(const Command *command, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The value of a --rounds that was not given, and whether one that may have been given is a number from 1 to 62. */
#define ROUNDS_AS_CONFIGURED G_MININT
gboolean rounds_valid(int rounds);

/* Prints a result to stdout and flushes it. FALSE with a message on stderr when it could not be written. Ends the
 * process by SIGPIPE if nobody reads it. */
gboolean print_result(const char *text);
