/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak: a CI performance-regression gate for native code. */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/helptext.h"
#include "cli/output/output.h"
#include "core/cancel.h"
#include "core/error.h"
#include "core/nearestword.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int usage_error(const char *format, ...) G_GNUC_PRINTF(1, 2);
static int usage_error(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	fprintf(stderr, "firebreak: %s\ntry `firebreak --help`\n", text);
	return FIREBREAK_ERROR_USAGE;
}

static int unknown_command(const char *name)
{
	if (name[0] == '-')
		return usage_error("unknown option %s", name);
	g_autoptr(GString) names = g_string_new(NULL);
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	for (gsize i = 0; commands[i] != NULL; i++) {
		g_string_append_printf(names, " %s", commands[i]->name);
		g_ptr_array_add(known, (gpointer)commands[i]->name);
	}
	g_ptr_array_add(known, NULL);
	const char *meant = nearest_word(name, (const char *const *)known->pdata);
	if (meant != NULL)
		return usage_error("unknown command \"%s\"; did you mean \"%s\"?", name, meant);
	return usage_error("unknown command \"%s\"; the commands are:%s", name, names->str);
}

static int print_help(const char *name)
{
	const Command *command = name != NULL ? command_named(name) : NULL;
	if (name != NULL && command == NULL)
		return unknown_command(name);
	g_autofree char *text = command != NULL ? help_text(command) : help_overview(&program_command, commands);
	return print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
}

static int print_version(void)
{
	return print_result("firebreak " FIREBREAK_VERSION "\n") ? 0 : FIREBREAK_ERROR_STORAGE;
}

/* A program that is started with closed standard descriptors must not take a file of its own for one of them. Nothing
 * can be written to what stands in for stdout, so that a lost result is an error. open() returns the lowest free one.
 */
static void open_standard_descriptors(void)
{
	static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
			_exit(FIREBREAK_ERROR_ENVIRONMENT);
}

static int enter(const char *folder)
{
	if (folder != NULL && chdir(folder) == 0)
		return 0;
	if (folder == NULL)
		return usage_error("-C needs a folder");
	return usage_error("cannot enter %s: %s", folder, g_strerror(errno));
}

/* `help [COMMAND]` and `version`. */
static int run_page(char **argv)
{
	gboolean help = g_str_equal(argv[0], "help");
	if (argv[1] != NULL && (!help || argv[2] != NULL))
		return usage_error("unexpected argument \"%s\"", argv[help ? 2 : 1]);
	return help ? print_help(argv[1]) : print_version();
}

int main(int argc, char **argv)
{
	int at = 1;
	(void)argc;
	open_standard_descriptors();
	setlocale(LC_CTYPE, "C.UTF-8");
	signal(SIGPIPE, SIG_IGN);
	cancel_install();
	while (argv[at] != NULL && g_str_equal(argv[at], "-C")) {
		int failed = enter(argv[at + 1]);
		if (failed != 0)
			return failed;
		at += 2;
	}
	if (argv[at] == NULL)
		return usage_error("name a command");
	const char *name = argv[at];
	if (g_str_equal(name, "--help") || g_str_equal(name, "-h"))
		return print_help(NULL);
	if (g_str_equal(name, "--version"))
		return print_version();
	if (g_str_equal(name, "help") || g_str_equal(name, "version"))
		return run_page(argv + at);
	const Command *command = command_named(name);
	return command != NULL ? command->run(command, argv + at) : unknown_command(name);
}
