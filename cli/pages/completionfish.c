/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pages/completion.h"

static const char beginning[] =
        "# fish completion for firebreak. Made from the tables of the program; changes go there.\n"
        "\n"
        "# The command of the line, or nothing.\n"
        "function __firebreak_command\n"
        "\tset -l words (commandline -opc)\n"
        "\tset -l skip 0\n"
        "\tfor word in $words[2..-1]\n"
        "\t\tif test $skip = 1\n"
        "\t\t\tset skip 0\n"
        "\t\telse if test \"$word\" = -C\n"
        "\t\t\tset skip 1\n"
        "\t\telse if not string match -q -- '-*' $word\n"
        "\t\t\techo $word\n"
        "\t\t\treturn\n"
        "\t\tend\n"
        "\tend\n"
        "end\n"
        "function __firebreak_is\n"
        "\tset -l command (__firebreak_command)\n"
        "\ttest \"$command\" = $argv[1]\n"
        "end\n"
        "function __firebreak_begins\n"
        "\tset -l command (__firebreak_command)\n"
        "\ttest -z \"$command\"\n"
        "end\n"
        "function __firebreak_revisions\n"
        "\techo HEAD\n"
        "\tgit for-each-ref --format='%(refname:short)' 2>/dev/null\n"
        "end\n"
        "function __firebreak_remotes\n"
        "\tgit remote 2>/dev/null\n"
        "end\n"
        "\n"
        "complete -c firebreak -f\n";

static void append_quoted(GString *script, const char *text)
{
	g_string_append_c(script, '\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\')
			g_string_append_c(script, '\\');
		g_string_append_c(script, *text);
	}
	g_string_append_c(script, '\'');
}

/* ` -a 'words'`, or files; nothing where there is nothing to offer. */
static void append_offer(GString *script, OptionOffer offer, const char *const *words)
{
	static const char *const calls[] = {
	        [OFFER_NOTHING] = "",
	        [OFFER_FILES] = "",
	        [OFFER_FOLDERS] = "(__fish_complete_directories)",
	        [OFFER_REVISIONS] = "(__firebreak_revisions)",
	        [OFFER_REMOTES] = "(__firebreak_remotes)",
	        [OFFER_COMMANDS] = "(__fish_complete_command)",
	};
	g_autoptr(GString) list = g_string_new(calls[offer]);
	for (guint i = 0; words != NULL && words[i] != NULL; i++)
		g_string_append_printf(list, "%s%s", list->len > 0 ? " " : "", words[i]);
	if (offer == OFFER_FILES)
		g_string_append(script, " -F");
	if (list->len > 0) {
		g_string_append(script, " -a ");
		append_quoted(script, list->str);
	}
}

static void append_option(GString *script, const char *condition, const Option *option)
{
	g_string_append(script, "complete -c firebreak -n ");
	append_quoted(script, condition);
	if (option->letter != 0)
		g_string_append_printf(script, " -s %c", option->letter);
	if (option->name != NULL)
		g_string_append_printf(script, " -l %s", option->name);
	if (option_takes_value(option)) {
		g_string_append(script, option_offer(option) == OFFER_FILES ? " -r" : " -x");
		append_offer(script, option_offer(option), option->choices);
	}
	g_string_append(script, " -d ");
	append_quoted(script, option->help);
	g_string_append_c(script, '\n');
}

static void append_command(GString *script, const Command *command)
{
	g_autofree char *condition = g_strdup_printf("__firebreak_is %s", command->name);
	g_string_append_c(script, '\n');
	COMMAND_FOREACH_OPTION(command, group, option)
	if (option->section != SECTION_HIDDEN)
		append_option(script, condition, option);
	append_option(script, condition, &command_help_option);
	if (command->offer == OFFER_NOTHING && command->words == NULL)
		return;
	g_string_append(script, "complete -c firebreak -n ");
	append_quoted(script, condition);
	append_offer(script, command->offer, command->words);
	g_string_append_c(script, '\n');
}

static void append_name(GString *script, const char *name, const char *summary)
{
	g_string_append_printf(script, "complete -c firebreak -n __firebreak_begins -a %s -d ", name);
	append_quoted(script, summary);
	g_string_append_c(script, '\n');
}

char *completion_fish(const CompletionSource *source)
{
	GString *script = g_string_new(beginning);
	g_autoptr(GString) names = g_string_new(NULL);
	COMMAND_FOREACH_OPTION(source->program, group, option)
	append_option(script, "__firebreak_begins", option);
	append_option(script, "__firebreak_begins", &command_help_option);
	for (guint i = 0; source->commands[i] != NULL; i++) {
		append_name(script, source->commands[i]->name, source->commands[i]->summary);
		g_string_append_printf(names, "%s%s", i > 0 ? " " : "", source->commands[i]->name);
	}
	append_name(script, "help", "explain a command");
	append_name(script, "version", "print the version");
	for (guint i = 0; source->commands[i] != NULL; i++)
		append_command(script, source->commands[i]);
	g_string_append(script, "\ncomplete -c firebreak -n '__firebreak_is help' -a ");
	append_quoted(script, names->str);
	g_string_append_c(script, '\n');
	return g_string_free(script, FALSE);
}
