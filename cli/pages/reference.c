/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pages/reference.h"

#include "cli/options/pagetext.h"

#include <string.h>

/* A vertical bar would end a cell, an asterisk or an underscore would begin emphasis; what stands between backticks is
 * shown as it is, but for the bar. */
static void append_text(GString *page, const char *text)
{
	gboolean code = FALSE;
	for (; *text != '\0'; text++) {
		code ^= *text == '`';
		if (*text == '|' || (!code && strchr("*_<>[]", *text) != NULL))
			g_string_append_c(page, '\\');
		g_string_append_c(page, *text);
	}
}

static void append_blocks(GString *page, const char *text)
{
	g_autoptr(GArray) blocks = page_blocks(text);
	for (guint i = 0; i < blocks->len; i++) {
		const PageBlock *block = &g_array_index(blocks, PageBlock, i);
		g_string_append_c(page, '\n');
		if (block->verbatim)
			g_string_append_printf(page, "```text\n%s\n```\n", block->text);
		else {
			append_text(page, block->text);
			g_string_append_c(page, '\n');
		}
	}
}

static void append_option(GString *page, const Option *option)
{
	g_autofree char *usage = option_usage(option);
	g_auto(GStrv) names = g_strsplit(usage, ", ", -1);
	g_string_append(page, "| ");
	for (guint i = 0; names[i] != NULL; i++) {
		g_string_append(page, i > 0 ? ", `" : "`");
		for (const char *at = names[i]; *at != '\0'; at++)
			g_string_append_printf(page, "%s%c", *at == '|' ? "\\" : "", *at);
		g_string_append_c(page, '`');
	}
	g_string_append(page, " | ");
	append_text(page, option->help);
	g_string_append(page, " |\n");
}

static void append_options(GString *page, const Command *command)
{
	gboolean any = FALSE;
	for (guint s = 0; s < N_OPTION_SECTIONS; s++) {
		gboolean titled = FALSE;
		COMMAND_FOREACH_OPTION(command, group, option)
		{
			if (option->section != (OptionSection)s)
				continue;
			if (!titled)
				g_string_append_printf(
				        page, "\n| %s | |\n| --- | --- |\n", option_section_title((OptionSection)s));
			titled = any = TRUE;
			append_option(page, option);
		}
	}
	if (!any)
		g_string_append(page, "\nNo options but `--help`.\n");
}

static void append_command(GString *page, const Command *command)
{
	g_autofree char *usage = g_strdup_printf("firebreak %s [OPTION...]%s%s", command->name,
	        *command->arguments != '\0' ? " " : "", command->arguments);
	g_string_append_printf(
	        page, "\n## firebreak %s\n\n`%s`\n\n%c", command->name, usage, g_ascii_toupper(command->summary[0]));
	append_text(page, command->summary + 1);
	g_string_append(page, ".\n");
	append_blocks(page, command->description);
	if (command->more != NULL) {
		g_autofree char *more = command->more();
		append_blocks(page, more);
	}
	append_options(page, command);
	if (command->examples != NULL)
		g_string_append_printf(page, "\n```text\n%s\n```\n", command->examples);
	if (command->exit_codes != NULL) {
		g_autofree char *codes = g_strdup_printf("Exit codes: %s", command->exit_codes);
		append_blocks(page, codes);
	}
}

char *command_reference(const Command *program, const Command *const *commands)
{
	GString *page = g_string_new("# Commands\n\n"
	                             "This page is made from the tables of the program, as `--help`, the man pages and "
	                             "the completions are;\n"
	                             "`BLESS=1 bash tests/cli/pages_test.sh` writes it again.\n"
	                             "Every command also takes `-h` and `--help`.\n"
	                             "[FORMATS.md](FORMATS.md#exit-codes) says more of exit codes, "
	                             "[CONFIG.md](CONFIG.md) of `firebreak.yml`.\n"
	                             "\n## firebreak\n\n`firebreak [-C DIR] COMMAND [OPTION...]`\n");
	append_blocks(page, program->description);
	append_options(page, program);
	g_string_append(page, "\n| Command | |\n| --- | --- |\n");
	for (guint i = 0; commands[i] != NULL; i++) {
		g_string_append_printf(page, "| [`%s`](#firebreak-%s) | ", commands[i]->name, commands[i]->name);
		append_text(page, commands[i]->summary);
		g_string_append(page, " |\n");
	}
	for (guint i = 0; commands[i] != NULL; i++)
		append_command(page, commands[i]);
	return g_string_free(page, FALSE);
}
