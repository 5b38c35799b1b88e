/* firebreak: a CI performance-regression gate for native code. */
#include "cli/options/command.h"
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
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
		g_string_append_printf(names, " %s", commands[i]->name);
	return usage_error("unknown command \"%s\"; the commands are:%s", name, names->str);
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
		return usage_error("say a command");
	if (g_str_equal(argv[at], "--help") || g_str_equal(argv[at], "-h") || g_str_equal(argv[at], "help"))
		return print_help();
	if (g_str_equal(argv[at], "--version"))
		return print_result("firebreak " FIREBREAK_VERSION "\n") ? 0 : FIREBREAK_ERROR_STORAGE;
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
		if (g_str_equal(commands[i]->name, argv[at]))
			return commands[i]->run(commands[i], argv + at);
	return unknown_command(argv[at]);
}
