/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pages/completion.h"

/* The part that depends on no option. Names of files are offered by bash itself. COMP_WORDBREAKS splits --out=DIR into
 * three words; `value` is what is completed after the =. */
static const char beginning[] =
        "# bash completion for firebreak. Made from the tables of the program; changes go there.\n"
        "\n"
        "_firebreak_offer() { # _firebreak_offer WORD...\n"
        "\tmapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$value\")\n"
        "\t[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
        "}\n"
        "_firebreak_files() { # _firebreak_files -f|-d\n"
        "\tcompopt -o filenames\n"
        "\tmapfile -t COMPREPLY < <(compgen \"$1\" -- \"$value\")\n"
        "}\n"
        "_firebreak_revisions() {\n"
        "\t_firebreak_offer \"$@\" HEAD \"$(git for-each-ref --format='%(refname:short)' 2>/dev/null)\"\n"
        "}\n"
        "_firebreak_remotes() { _firebreak_offer \"$(git remote 2>/dev/null)\"; }\n"
        "\n"
        "_firebreak() {\n"
        "\tlocal value=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' i at=0\n"
        "\tCOMPREPLY=()\n"
        "\tif [ \"$value\" = = ]; then\n"
        "\t\tvalue=''\n"
        "\telif [ \"$before\" = = ]; then\n"
        "\t\tbefore=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "\tfi\n"
        "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
        "\t\tcase ${COMP_WORDS[i]} in\n"
        "\t\t-C) i=$((i + 1)) ;;\n"
        "\t\t-*) ;;\n"
        "\t\t*)\n"
        "\t\t\tcommand=${COMP_WORDS[i]} at=$i\n"
        "\t\t\tbreak\n"
        "\t\t\t;;\n"
        "\t\tesac\n"
        "\tdone\n";

static void append_offer(GString *script, OptionOffer offer, const char *const *words)
{
	static const char *const calls[] = {
	        [OFFER_NOTHING] = "_firebreak_offer",
	        [OFFER_FILES] = "_firebreak_files -f",
	        [OFFER_FOLDERS] = "_firebreak_files -d",
	        [OFFER_REVISIONS] = "_firebreak_revisions",
	        [OFFER_REMOTES] = "_firebreak_remotes",
	        [OFFER_COMMANDS] = "_firebreak_files -f",
	};
	g_string_append(script, calls[offer]);
	for (guint i = 0; words != NULL && words[i] != NULL; i++)
		g_string_append_printf(script, " '%s'", words[i]);
}

/* `-o | --out) _firebreak_files -d ;;` for each option that takes a value. */
static void append_values(GString *script, const Command *command)
{
	COMMAND_FOREACH_OPTION(command, group, option)
	{
		if (!option_takes_value(option) || option->section == SECTION_HIDDEN)
			continue;
		g_string_append(script, "\t\t");
		if (option->letter != 0)
			g_string_append_printf(script, "-%c%s", option->letter, option->name != NULL ? " | " : "");
		if (option->name != NULL)
			g_string_append_printf(script, "--%s", option->name);
		g_string_append(script, ") ");
		append_offer(script, option_offer(option), option->choices);
		g_string_append(script, "; return ;;\n");
	}
}

static void append_names(GString *script, const Command *command)
{
	g_string_append(script, "_firebreak_offer");
	COMMAND_FOREACH_OPTION(command, group, option)
	{
		if (option->section == SECTION_HIDDEN)
			continue;
		if (option->letter != 0)
			g_string_append_printf(script, " -%c", option->letter);
		if (option->name != NULL)
			g_string_append_printf(script, " --%s%s", option->name, option_takes_value(option) ? "=" : "");
	}
	g_string_append(script, " -h --help");
}

static void append_command(GString *script, const Command *command)
{
	g_string_append_printf(script, "\t%s)\n\t\tcase $before in\n", command->name);
	append_values(script, command);
	g_string_append(script, "\t\tesac\n\t\tif [[ $value = -* ]]; then\n\t\t\t");
	append_names(script, command);
	g_string_append(script, "\n");
	if (command->words != NULL) {
		g_string_append(script, "\t\telif ((at + 1 == COMP_CWORD)); then\n\t\t\t");
		append_offer(script, OFFER_NOTHING, command->words);
		g_string_append_c(script, '\n');
	} else if (command->offer != OFFER_NOTHING) {
		g_string_append(script, "\t\telse\n\t\t\t");
		append_offer(script, command->offer, NULL);
		g_string_append_c(script, '\n');
	}
	g_string_append(script, "\t\tfi\n\t\t;;\n");
}

static void append_command_names(GString *script, const CompletionSource *source)
{
	g_string_append(script, "_firebreak_offer");
	for (guint i = 0; source->commands[i] != NULL; i++)
		g_string_append_printf(script, " %s", source->commands[i]->name);
}

char *completion_bash(const CompletionSource *source)
{
	GString *script = g_string_new(beginning);
	g_string_append(script, "\tcase $command in\n\t'')\n\t\tcase $before in\n");
	append_values(script, source->program);
	g_string_append(script, "\t\tesac\n\t\tif [[ $value = -* ]]; then\n\t\t\t");
	append_names(script, source->program);
	g_string_append(script, "\n\t\telse\n\t\t\t");
	append_command_names(script, source);
	g_string_append(script, " help version\n\t\tfi\n\t\t;;\n\thelp)\n\t\t");
	append_command_names(script, source);
	g_string_append(script, "\n\t\t;;\n");
	for (guint i = 0; source->commands[i] != NULL; i++)
		append_command(script, source->commands[i]);
	g_string_append(script, "\tesac\n}\ncomplete -F _firebreak firebreak\n");
	return g_string_free(script, FALSE);
}
