#include "cli/command.h"
#include "cli/output.h"
#include "cli/profileinput.h"
#include "report/flamesvg.h"
#include "report/profiletotal.h"

#include <unistd.h>

typedef struct {
	ProfileInputOptions input;
	char *title, *subtitle, *out;
} Options;

static char *name_of_files(char **files)
{
	g_autofree char *first =
	        g_str_equal(files[0], "-") ? g_strdup("standard input") : g_path_get_basename(files[0]);
	guint n = g_strv_length(files);
	return n == 1 ? g_steal_pointer(&first) : g_strdup_printf("%s and %u more", first, n - 1);
}

static int draw(const Command *command, const Options *options, char **files)
{
	g_autoptr(GError) error = NULL;
	if (options->out == NULL && isatty(STDOUT_FILENO) == 1)
		return command_usage(command, "a picture is not for a terminal; name a file with -o");
	if (!output_is_no_input(options->out, files, &error))
		return profile_input_failed(command, error);
	g_autoptr(ProfileInput) input = profile_input_read(&options->input, files, &error);
	if (input == NULL)
		return profile_input_failed(command, error);
	g_autofree char *scale = profile_total_text(input->profile, input->exact), *name = name_of_files(files);
	FlameGraph graph = {
	        .profile = input->profile,
	        .benchmark = options->title != NULL ? options->title : "Flame graph",
	        .title = options->subtitle != NULL ? options->subtitle : name,
	        .sentence = scale,
	        .counted = input->exact,
	};
	g_autofree char *text = flame_svg(&graph, NULL);
	profile_input_print_findings(input, &options->input);
	return output_write(options->out, text, &error) ? 0 : command_failed(error);
}

static int run(const Command *command, char **argv)
{
	int code = 0;
	Options options = {0};
	profile_input_options_init(&options.input);
	const GOptionEntry own[] = {
	        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.out, "write to this file", "FILE"},
	        {"title", 0, 0, G_OPTION_ARG_STRING, &options.title, "heading of the picture", "TEXT"},
	        {"subtitle", 0, 0, G_OPTION_ARG_STRING, &options.subtitle,
	                "text beside the heading (default: the name of the file)", "TEXT"},
	        G_OPTION_ENTRY_NULL,
	};
	g_autofree GOptionEntry *entries = profile_input_entries(&options.input, own);
	g_auto(GStrv) rest = command_parse(command, entries, argv, &code);
	if (rest != NULL)
		code = draw(command, &options, rest + 1);
	profile_input_options_clear(&options.input);
	g_free(options.title);
	g_free(options.subtitle);
	g_free(options.out);
	return code;
}

const Command flamegraph_command = {
        .name = "flamegraph",
        .arguments = "FILE...",
        .summary = "draw a flame graph of recordings or of folded stacks",
        .description = "Reads everything that `firebreak fold` reads, folded stacks included, and writes an SVG that "
                       "needs no other file: click to zoom, / to search. Several files add up.\n\n"
                       "Examples:\n"
                       "  firebreak flamegraph perf.data -o flame.svg\n"
                       "  firebreak flamegraph --title='parser, large input' parse.folded -o parse.svg\n"
                       "  perf script | firebreak flamegraph - >flame.svg\n\n"
                       "Exit codes as of `firebreak fold`.",
        .run = run,
};
