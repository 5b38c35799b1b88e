/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/command.h"

const Option command_help_option = {"help", 'h', OPTION_FLAG, NULL, "show this help", 0, .section = SECTION_OUTPUT};

const Option *command_find_option(const Command *command, const char *name, char letter)
{
	COMMAND_FOREACH_OPTION(command, group, option)
	if (name != NULL ? g_strcmp0(option->name, name) == 0 : letter != 0 && option->letter == letter)
		return option;
	return NULL;
}

/* "-o FILE", "-qo FILE" and "--output FILE" have their value in the next word; "-oFILE" and "--output=FILE" do not. */
static gboolean takes_next(const Command *command, const char *word)
{
	if (g_str_has_prefix(word, "--")) {
		const Option *option = command_find_option(command, word + 2, 0);
		return option != NULL && option_takes_value(option);
	}
	for (word++; *word != '\0'; word++) {
		const Option *option = command_find_option(command, NULL, *word);
		if (option != NULL && option_takes_value(option))
			return word[1] == '\0';
	}
	return FALSE;
}

const char *command_first_argument(const Command *command, char **argv)
{
	for (guint i = 1; argv[i] != NULL; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0')
			return argv[i];
		if (takes_next(command, argv[i]) && argv[i + 1] != NULL)
			i++;
	}
	return NULL;
}

void command_clear(const Command *command, void *options)
{
	COMMAND_FOREACH_OPTION(command, group, option)
	option_clear(option, (char *)options + group->offset);
}
