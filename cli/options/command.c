#include "cli/options/command.h"

#include "cli/output/output.h"
#include "core/error.h"
#include "core/escape.h"

#include <errno.h>
#include <stdio.h>

static GOptionContext *make_context(const Command *command, const GOptionEntry *entries)
{
	g_autofree char *parameters = g_strdup_printf("%s", command->arguments);
	GOptionContext *context = g_option_context_new(parameters);
	g_autofree char *summary = g_strdup_printf("firebreak %s: %s", command->name, command->summary);
	g_option_context_set_summary(context, summary);
	if (command->description != NULL)
		g_option_context_set_description(context, command->description);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(context, entries, NULL);
	return context;
}

char **command_parse(const Command *command, const GOptionEntry *entries, char **argv, int *exit_code)
{
	gboolean help = FALSE;
	const GOptionEntry help_entry[] = {
	        {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "show this help", NULL},
	        G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = make_context(command, entries);
	g_option_context_add_main_entries(context, help_entry, NULL);
	g_autoptr(GError) error = NULL;
	/* the parser moves pointers about and frees what it takes: give it a copy that owns all strings */
	g_auto(GStrv) rest = g_strdupv(argv);
	g_autofree char *program = g_strdup_printf("firebreak %s", command->name);
	g_set_prgname(program);
	if (!g_option_context_parse_strv(context, &rest, &error)) {
		gboolean folder = g_str_has_suffix(error->message, " -C");
		*exit_code = command_usage(
		        command, "%s%s", error->message, folder ? ": it stands before the command, as in git" : "");
		return NULL;
	}
	if (help) {
		g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
		*exit_code = print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
		return NULL;
	}
	return g_steal_pointer(&rest);
}

int command_failed(const GError *error)
{
	g_autofree char *safe = escape_to_string(escape_terminal, error->message);
	fprintf(stderr, "firebreak: %s\n", safe);
	return firebreak_error_exit_code(error);
}

int command_usage(const Command *command, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *safe = escape_to_string(escape_terminal, text);
	fprintf(stderr, "firebreak %s: %s\ntry `firebreak %s --help`\n", command->name, safe, command->name);
	return FIREBREAK_ERROR_USAGE;
}

gboolean rounds_valid(int rounds)
{
	return rounds == ROUNDS_AS_CONFIGURED || (rounds >= 1 && rounds <= 62);
}

gboolean print_result(const char *text)
{
	if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
		return TRUE;
	int error_number = errno;
	output_end_if_unread(error_number);
	fprintf(stderr, "firebreak: cannot write to standard output: %s\n", g_strerror(error_number));
	return FALSE;
}
