/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pages/manpage.h"

#include "cli/options/pagetext.h"

#include <string.h>

/* --- text --- */

static void append_character(GString *page, gunichar character)
{
	if (character == '\\')
		g_string_append(page, "\\e");
	else if (character == '-')
		g_string_append(page, "\\-");
	else if (character == '\'')
		g_string_append(page, "\\(aq");
	else if (character == '^')
		g_string_append(page, "\\(ha");
	else if (character == '~')
		g_string_append(page, "\\(ti");
	else if (character > 127)
		g_string_append_printf(page, "\\[u%04X]", character);
	else
		g_string_append_c(page, (char)character);
}

void man_append(GString *page, const char *text)
{
	gboolean bold = FALSE, begins = TRUE;
	for (; *text != '\0'; text = g_utf8_next_char(text)) {
		gunichar character = g_utf8_get_char(text);
		if (begins && character == '.')
			g_string_append(page, "\\&");
		begins = character == '\n';
		if (character != '`') {
			append_character(page, character);
			continue;
		}
		bold = !bold;
		g_string_append(page, bold ? "\\fB" : "\\fR");
	}
}

void man_append_blocks(GString *page, const char *text)
{
	g_autoptr(GArray) blocks = page_blocks(text);
	for (guint i = 0; i < blocks->len; i++) {
		const PageBlock *block = &g_array_index(blocks, PageBlock, i);
		if (block->apart)
			g_string_append(page, ".PP\n");
		g_string_append(page, block->verbatim ? ".nf\n" : "");
		man_append(page, block->text);
		g_string_append(page, block->verbatim ? "\n.fi\n" : "\n");
	}
}

/* Bold or italic words, without marks of their own. */
static void append_in(GString *page, char font, const char *text)
{
	g_string_append_printf(page, "\\f%c", font);
	man_append(page, text);
	g_string_append(page, "\\fR");
}

/* Words of a synopsis: those in capitals are what to put in. */
static void append_arguments(GString *page, const char *arguments)
{
	g_auto(GStrv) words = g_strsplit(arguments, " ", -1);
	for (guint i = 0; words[i] != NULL; i++) {
		gsize bare = strspn(words[i], "[");
		gsize length = strspn(words[i] + bare, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		g_autofree char *name = g_strndup(words[i] + bare, length);
		g_string_append_printf(page, " %.*s", (int)bare, words[i]);
		append_in(page, 'I', name);
		man_append(page, words[i] + bare + length);
	}
}

/* --- options --- */

static void append_option(GString *page, const Option *option)
{
	char letter[] = {'-', option->letter, '\0'};
	g_autofree char *name = option->name != NULL ? g_strconcat("--", option->name, NULL) : NULL;
	g_string_append(page, ".TP\n");
	if (option->letter != 0)
		append_in(page, 'B', letter);
	if (name != NULL) {
		g_string_append(page, option->letter != 0 ? ", " : "");
		append_in(page, 'B', name);
	}
	if (option_takes_value(option)) {
		g_string_append(page, name != NULL ? "=" : " ");
		append_in(page, 'I', option->argument);
	}
	g_string_append_c(page, '\n');
	man_append(page, option->help);
	g_string_append(page, "\n");
}

static gboolean has_section(const Command *command, OptionSection section)
{
	COMMAND_FOREACH_OPTION(command, group, option)
	if (option->section == section)
		return TRUE;
	return FALSE;
}

static void append_options(GString *page, const Command *command)
{
	g_string_append(page, ".SH OPTIONS\n");
	for (guint s = 0; s < N_OPTION_SECTIONS; s++) {
		if (!has_section(command, (OptionSection)s))
			continue;
		if (s != SECTION_GENERAL)
			g_string_append_printf(page, ".SS %s\n", option_section_title((OptionSection)s));
		COMMAND_FOREACH_OPTION(command, group, option)
		if (option->section == (OptionSection)s)
			append_option(page, option);
	}
	append_option(page, &command_help_option);
}

/* --- pages --- */

static GString *begin_page(const char *name, const char *summary, const char *version)
{
	GString *page = g_string_new(".\\\" Made from the tables of the program. Changes go there.\n");
	g_autofree char *upper = g_ascii_strup(name, -1);
	g_string_append(page, ".TH ");
	man_append(page, upper);
	g_string_append_printf(page, " 1 \"\" \"firebreak %s\" \"User Commands\"\n.SH NAME\n", version);
	man_append(page, name);
	g_string_append(page, " \\- ");
	man_append(page, summary);
	g_string_append(page, "\n.SH SYNOPSIS\n");
	return page;
}

static void append_section(GString *page, const char *title, const char *text)
{
	if (text == NULL)
		return;
	g_string_append_printf(page, ".SH %s\n", title);
	man_append_blocks(page, text);
}

char *man_page(const Command *command, const char *version)
{
	g_autofree char *name = g_strdup_printf("firebreak-%s", command->name);
	GString *page = begin_page(name, command->summary, version);
	g_string_append_printf(page, "\\fBfirebreak %s\\fR [\\fIOPTION\\fR...]", command->name);
	if (*command->arguments != '\0')
		append_arguments(page, command->arguments);
	g_string_append_c(page, '\n');
	append_section(page, "DESCRIPTION", command->description);
	if (command->more != NULL) {
		g_autofree char *more = command->more();
		append_section(page, command->description == NULL ? "DESCRIPTION" : "NOTES", more);
	}
	append_options(page, command);
	append_section(page, "EXAMPLES", command->examples);
	append_section(page, "EXIT STATUS", command->exit_codes);
	g_string_append(page, ".SH SEE ALSO\n\\fBfirebreak\\fR(1), \\fBfirebreak.yml\\fR(5)\n");
	return g_string_free(page, FALSE);
}

char *man_overview(const Command *program, const Command *const *commands, const char *version)
{
	GString *page = begin_page(program->name, program->summary, version);
	g_string_append(page, "\\fBfirebreak\\fR [\\fB\\-C\\fR \\fIDIR\\fR] \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
	                      ".br\n\\fBfirebreak help\\fR [\\fICOMMAND\\fR]\n.br\n\\fBfirebreak version\\fR\n");
	append_section(page, "DESCRIPTION", program->description);
	g_string_append(page, ".SH COMMANDS\n");
	for (guint i = 0; commands[i] != NULL; i++) {
		g_string_append_printf(page, ".TP\n\\fBfirebreak\\-%s\\fR(1)\n", commands[i]->name);
		man_append(page, commands[i]->summary);
		g_string_append_c(page, '\n');
	}
	append_options(page, program);
	append_section(page, "EXIT STATUS", program->exit_codes);
	g_string_append(page, ".SH SEE ALSO\n\\fBfirebreak.yml\\fR(5)\n");
	return g_string_free(page, FALSE);
}
