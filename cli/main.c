/* firebreak: a CI performance-regression gate for native code. */
#include "cli/command.h"
#include "core/cancel.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const Command *const commands[] = {
        &check_command,
        &run_command,
        &report_command,
        &baseline_command,
        &init_command,
        &doctor_command,
};

static int print_help(void)
{
	g_autoptr(GString) text =
	        g_string_new("usage: firebreak [-C DIR] COMMAND [OPTION...]\n\n"
	                     "Decides whether a change makes native code slower, and which function is why.\n\n");
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
		g_string_append_printf(text, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
	g_string_append(text, "\n  -C DIR       work as if started in DIR\n"
	                      "  --version    print the version\n"
	                      "  --help       print this help; `firebreak COMMAND --help` explains a command\n\n"
	                      "Exit codes of check: 0 pass, 1 regression, 2 usage or configuration, 3 inconclusive,\n"
	                      "4 measurement invalid, 5 build failed, 6 no usable baseline, 7 storage or output,\n"
	                      "8 environment unsupported, 9 policy violation, 128+n ended by signal n.\n");
	return print_result(text->str) ? 0 : FIREBREAK_ERROR_STORAGE;
}

static int unknown_command(const char *name)
{
	fprintf(stderr, "firebreak: unknown command \"%s\"; the commands are:", name);
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
		fprintf(stderr, " %s", commands[i]->name);
	fprintf(stderr, "\n");
	return FIREBREAK_ERROR_USAGE;
}

/* A program that is started with closed standard descriptors must not take a file of its own for one of them. */
static void open_standard_descriptors(void)
{
	int fd;
	while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
		;
	if (fd >= 0)
		close(fd);
}

static int enter(const char *folder)
{
	if (folder != NULL && chdir(folder) == 0)
		return 0;
	if (folder == NULL)
		fprintf(stderr, "firebreak: -C needs a folder\n");
	else
		fprintf(stderr, "firebreak: cannot enter %s: %s\n", folder, g_strerror(errno));
	return FIREBREAK_ERROR_USAGE;
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
	if (argv[at] == NULL || g_str_equal(argv[at], "--help") || g_str_equal(argv[at], "-h") ||
	        g_str_equal(argv[at], "help"))
		return print_help();
	if (g_str_equal(argv[at], "--version"))
		return print_result("firebreak " FIREBREAK_VERSION "\n") ? 0 : FIREBREAK_ERROR_STORAGE;
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
		if (g_str_equal(commands[i]->name, argv[at]))
			return commands[i]->run(commands[i], argv + at);
	return unknown_command(argv[at]);
}
