/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak-pages FOLDER: writes the man pages, completions and the reference of the commands into the folder. Only the
 * build runs it. */
#include "cli/commands/commands.h"
#include "cli/pages/completion.h"
#include "cli/pages/configpage.h"
#include "cli/pages/manpage.h"
#include "cli/pages/reference.h"

#include <stdio.h>

/* Takes the text. */
static gboolean write_page(const char *folder, const char *name, char *text)
{
	g_autofree char *page = text, *path = g_build_filename(folder, name, NULL);
	g_autofree char *parent = g_path_get_dirname(path);
	g_autoptr(GError) error = NULL;
	if (g_mkdir_with_parents(parent, 0777) == 0 && g_file_set_contents(path, page, -1, &error))
		return TRUE;
	fprintf(stderr, "firebreak-pages: cannot write %s%s%s\n", path, error != NULL ? ": " : "",
	        error != NULL ? error->message : "");
	return FALSE;
}

static gboolean write_man_pages(const char *folder)
{
	gboolean ok =
	        write_page(folder, "man1/firebreak.1", man_overview(&program_command, commands, FIREBREAK_VERSION)) &&
	        write_page(folder, "man5/firebreak.yml.5", man_config(FIREBREAK_VERSION));
	for (guint i = 0; ok && commands[i] != NULL; i++) {
		g_autofree char *name = g_strdup_printf("man1/firebreak-%s.1", commands[i]->name);
		ok = write_page(folder, name, man_page(commands[i], FIREBREAK_VERSION));
	}
	return ok;
}

int main(int argc, char **argv)
{
	const CompletionSource source = {.program = &program_command, .commands = commands};
	if (argc != 2) {
		fputs("usage: firebreak-pages FOLDER\n", stderr);
		return 2;
	}
	gboolean ok = write_man_pages(argv[1]) && write_page(argv[1], "bash/firebreak", completion_bash(&source)) &&
	              write_page(argv[1], "zsh/_firebreak", completion_zsh(&source)) &&
	              write_page(argv[1], "fish/firebreak.fish", completion_fish(&source)) &&
	              write_page(argv[1], "COMMANDS.md", command_reference(&program_command, commands));
	return ok ? 0 : 1;
}
