/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/helptext.h"

#include "cli/options/pagetext.h"

#define WIDTH 80
#define HELP_COLUMN 28

static void append_text(GString *page, const char *text)
{
	g_autoptr(GArray) blocks = page_blocks(text);
	for (guint i = 0; i < blocks->len; i++) {
		const PageBlock *block = &g_array_index(blocks, PageBlock, i);
		if (i == 0 || block->apart)
			g_string_append_c(page, '\n');
		if (block->verbatim)
			g_string_append_printf(page, "%s\n", block->text);
		else
			page_fill(page, block->text, 0, 0, WIDTH);
	}
}

static void append_option(GString *page, const Option *option)
{
	g_autofree char *usage = option_usage(option);
	/* long names stand below each other, whether there is a letter or not */
	g_autofree char *aligned = option->letter == 0 ? g_strconcat("    ", usage, NULL) : g_strdup(usage);
	guint at = 2 + (guint)g_utf8_strlen(aligned, -1);
	g_string_append_printf(page, "  %s", aligned);
	if (at + 2 > HELP_COLUMN) {
		g_string_append_c(page, '\n');
		at = 0;
	}
	page_fill(page, option->help, at, HELP_COLUMN, WIDTH);
}

static void append_section(GString *page, const Command *command, OptionSection section)
{
	gboolean first = TRUE;
	COMMAND_FOREACH_OPTION(command, group, option)
	{
		if (option->section != section)
			continue;
		if (first)
			g_string_append_printf(page, "\n%s:\n", option_section_title(section));
		first = FALSE;
		append_option(page, option);
	}
}

static void append_options(GString *page, const Command *command)
{
	for (guint s = 0; s < N_OPTION_SECTIONS; s++)
		append_section(page, command, (OptionSection)s);
	g_string_append_c(page, '\n');
	append_option(page, &command_help_option);
}

char *help_text(const Command *command)
{
	GString *page = g_string_new(NULL);
	g_autofree char *summary = g_strdup_printf("firebreak %s: %s", command->name, command->summary);
	page_fill(page, summary, 0, 0, WIDTH);
	g_string_append_printf(page, "\nusage: firebreak %s [OPTION...]%s%s\n", command->name,
	        *command->arguments != '\0' ? " " : "", command->arguments);
	append_text(page, command->description);
	append_options(page, command);
	if (command->more != NULL) {
		g_autofree char *more = command->more();
		append_text(page, more);
	}
	if (command->examples != NULL)
		g_string_append_printf(page, "\nExamples:\n%s\n", command->examples);
	if (command->exit_codes != NULL) {
		g_autofree char *codes = g_strdup_printf("Exit codes: %s", command->exit_codes);
		append_text(page, codes);
	}
	return g_string_free(page, FALSE);
}

char *help_overview(const Command *program, const Command *const *commands)
{
	GString *page = g_string_new("usage: firebreak [-C DIR] COMMAND [OPTION...]\n");
	append_text(page, program->description);
	g_string_append_c(page, '\n');
	for (guint i = 0; commands[i] != NULL; i++)
		g_string_append_printf(page, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
	g_string_append_c(page, '\n');
	COMMAND_FOREACH_OPTION(program, group, option)
	{
		g_autofree char *usage = option_usage(option);
		g_string_append_printf(page, "  %-12s %s\n", usage, option->help);
	}
	g_string_append(page, "  --help       print this help; `firebreak help COMMAND` explains a command\n");
	g_autofree char *codes = g_strdup_printf("Exit codes %s", program->exit_codes);
	append_text(page, codes);
	return g_string_free(page, FALSE);
}
