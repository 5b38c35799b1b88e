/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pages/completion.h"

#include <string.h>

static const char beginning[] =
        "#compdef firebreak\n"
        "# Made from the tables of the program; changes go there.\n"
        "\n"
        "_firebreak_revisions() {\n"
        "\tlocal -a revisions\n"
        "\trevisions=(\"$@\" HEAD ${(f)\"$(git for-each-ref --format='%(refname:short)' 2>/dev/null)\"})\n"
        "\tcompadd -- $revisions\n"
        "}\n"
        "_firebreak_remotes() { compadd -- ${(f)\"$(git remote 2>/dev/null)\"} }\n"
        "\n";

/* Text of a specification in single quotes; brackets and colons would end a part of it. */
static void append_escaped(GString *script, const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("[]:\\", *text) != NULL)
			g_string_append_c(script, '\\');
		if (*text == '\'')
			g_string_append(script, "'\\''");
		else
			g_string_append_c(script, *text);
	}
}

static void append_words(GString *script, const char *const *words)
{
	for (guint i = 0; words != NULL && words[i] != NULL; i++) {
		g_string_append(script, i > 0 ? " " : "");
		append_escaped(script, words[i]);
	}
}

/* Appends the part of a specification that follows its second colon. */
static void append_action(GString *script, OptionOffer offer, const char *const *words)
{
	static const char *const actions[] = {
	        [OFFER_NOTHING] = "",
	        [OFFER_FILES] = "_files",
	        [OFFER_FOLDERS] = "_files -/",
	        [OFFER_REVISIONS] = "_firebreak_revisions",
	        [OFFER_REMOTES] = "_firebreak_remotes",
	        [OFFER_COMMANDS] = "_command_names -e",
	};
	if (words != NULL && offer == OFFER_NOTHING) {
		g_string_append_c(script, '(');
		append_words(script, words);
		g_string_append_c(script, ')');
		return;
	}
	g_string_append(script, actions[offer]);
	g_string_append(script, words != NULL ? " " : "");
	append_words(script, words);
}

static void append_rest(GString *script, const Option *option)
{
	g_string_append_c(script, '[');
	append_escaped(script, option->help);
	g_string_append_c(script, ']');
	if (option_takes_value(option)) {
		g_string_append_c(script, ':');
		append_escaped(script, option->argument);
		g_string_append_c(script, ':');
		append_action(script, option_offer(option), option->choices);
	}
	g_string_append(script, "' \\\n");
}

/* One specification for each of the option's names: with a value, "--out=" and "-o+". */
static void append_option(GString *script, const Option *option, const char *indent)
{
	gboolean many = option->type == OPTION_TEXTS || option->type == OPTION_FILES;
	gboolean both = option->letter != 0 && option->name != NULL;
	g_autofree char *others =
	        both && !many ? g_strdup_printf("(-%c --%s)", option->letter, option->name) : g_strdup("");
	if (option->name != NULL) {
		g_string_append_printf(script, "%s'%s%s--%s%s", indent, others, many ? "*" : "", option->name,
		        option_takes_value(option) ? "=" : "");
		append_rest(script, option);
	}
	if (option->letter != 0) {
		g_string_append_printf(script, "%s'%s%s-%c%s", indent, others, many ? "*" : "", option->letter,
		        option_takes_value(option) ? "+" : "");
		append_rest(script, option);
	}
}

static void append_command(GString *script, const Command *command)
{
	g_string_append_printf(script, "\t%s)\n\t\t_arguments -s \\\n", command->name);
	COMMAND_FOREACH_OPTION(command, group, option)
	if (option->section != SECTION_HIDDEN)
		append_option(script, option, "\t\t\t");
	append_option(script, &command_help_option, "\t\t\t");
	if (command->words != NULL) {
		g_string_append(script, "\t\t\t'1:action:");
		append_action(script, OFFER_NOTHING, command->words);
		g_string_append(script, "' \\\n");
	}
	g_string_append(script, command->offer == OFFER_NOTHING ? "\t\t\t'*: :'" : "\t\t\t'*: :");
	if (command->offer != OFFER_NOTHING) {
		append_action(script, command->offer, NULL);
		g_string_append_c(script, '\'');
	}
	g_string_append(script, "\n\t\t;;\n");
}

static void append_description(GString *script, const char *name, const char *summary)
{
	g_string_append_printf(script, "\t\t\t'%s:", name);
	append_escaped(script, summary);
	g_string_append(script, "'\n");
}

char *completion_zsh(const CompletionSource *source)
{
	GString *script = g_string_new(beginning);
	g_string_append(script, "_firebreak() {\n\tlocal context state state_descr line\n\ttypeset -A opt_args\n"
	                        "\tlocal -a commands\n\t_arguments -C \\\n");
	COMMAND_FOREACH_OPTION(source->program, group, option)
	append_option(script, option, "\t\t");
	append_option(script, &command_help_option, "\t\t");
	g_string_append(script, "\t\t'1: :->command' '*:: :->arguments' && return\n"
	                        "\tcase $state in\n\tcommand)\n\t\tcommands=(\n");
	for (guint i = 0; source->commands[i] != NULL; i++)
		append_description(script, source->commands[i]->name, source->commands[i]->summary);
	append_description(script, "help", "explain a command");
	append_description(script, "version", "print the version");
	g_string_append(
	        script, "\t\t)\n\t\t_describe command commands\n\t\treturn\n\t\t;;\n\tesac\n\tcase $words[1] in\n");
	for (guint i = 0; source->commands[i] != NULL; i++)
		append_command(script, source->commands[i]);
	g_string_append(script, "\thelp) _arguments '1:command:(");
	for (guint i = 0; source->commands[i] != NULL; i++)
		g_string_append_printf(script, "%s%s", i > 0 ? " " : "", source->commands[i]->name);
	g_string_append(script, ")' ;;\n\tesac\n}\n_firebreak \"$@\"\n");
	return g_string_free(script, FALSE);
}
