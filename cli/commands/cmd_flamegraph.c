/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/input/profileinput.h"
#include "cli/options/commandline.h"
#include "cli/options/pictureoptions.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "model/numbers/number.h"
#include "report/flame/flamesvg.h"
#include "report/text/profiletotal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MIN_SAMPLES 100

typedef struct {
	ProfileInputOptions input;
	PictureOptions picture;
	char *out, *colors;
	double factor, total;
	gboolean by_letters, reversed;
} Options;

static char *name_of_files(char **files)
{
	g_autofree char *first =
	        g_str_equal(files[0], "-") ? g_strdup("standard input") : g_path_get_basename(files[0]);
	guint n = g_strv_length(files);
	return n == 1 ? g_steal_pointer(&first) : g_strdup_printf("%s and %u more", first, n - 1);
}

/* From texts to the options of the picture */

static gboolean parse_colors(const Options *options, FlameOptions *picture, GError **error)
{
	picture->by_letters = options->by_letters;
	if (options->colors == NULL) {
		picture->colors = options->by_letters ? FLAME_COLORS_HASH : FLAME_COLORS_MODULE;
		return TRUE;
	}
	picture->colors = (FlameColors)option_choice(flame_colors_names, options->colors);
	return !options->by_letters || picture->colors >= FLAME_COLORS_HASH ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	               "--hash colours by the names of functions, --colors=%s does not", options->colors);
}

/* Fills `picture`, whose texts belong to `options`. */
static gboolean read_options(Options *options, FlameOptions *picture, GError **error)
{
	*picture = (FlameOptions){
	        .reversed = options->reversed,
	        .factor = options->factor,
	        .total = options->total,
	};
	return picture_options_parse(&options->picture, picture, error) && parse_colors(options, picture, error);
}

/* Drawing */

static void warn_of_total(const FlameOptions *picture, const Profile *profile)
{
	double sum = (double)profile_run_total(profile, 0).weight / (double)profile->scale *
	             (picture->factor > 0 ? picture->factor : 1);
	g_autofree char *wanted = number_plain(picture->total), *there = number_plain(sum);
	if (picture->total > 0 && picture->total < sum)
		fprintf(stderr, "firebreak: --total %s is ignored: it is less than what was measured, %s\n", wanted,
		        there);
}

/* Below that, chance decides which narrow frames there are. */
static void warn_of_few_samples(const ProfileInput *input)
{
	guint64 samples = profile_run_total(input->profile, 0).samples;
	/* folded stacks do not say whether they count samples, unless they have fractions of them */
	gboolean unsaid = strcmp(input->profile->unit, "counts") == 0 && input->profile->scale == 1;
	gboolean counted = input->counted && !unsaid;
	if (!counted && samples < MIN_SAMPLES)
		fprintf(stderr,
		        "firebreak: only %" G_GUINT64_FORMAT " %s: record longer or at a higher frequency before "
		        "believing the widths\n",
		        samples, samples == 1 ? "sample" : "samples");
}

static char *picture_of(const Options *options, const FlameOptions *picture, const ProfileInput *input, char **files)
{
	const char *count_name = options->picture.count_name;
	double factor = picture->factor > 0 ? picture->factor : 1;
	g_autofree char *total = count_name != NULL ? profile_total_named(input->profile, count_name, factor)
	                                            : profile_total_text(input->profile, input->counted, factor);
	g_autofree char *name = name_of_files(files);
	g_autofree char *times = number_plain(factor);
	g_autofree char *scale =
	        picture->factor > 0 ? g_strconcat(total, ", with factor ", times, NULL) : g_strdup(total);
	const char *title = options->picture.inverted ? "Icicle graph" : "Flame graph";
	FlameGraph graph = {
	        .profile = input->profile,
	        .benchmark = options->picture.title != NULL ? options->picture.title : title,
	        .title = options->picture.subtitle != NULL ? options->picture.subtitle : name,
	        .sentence = scale,
	        .counted = input->counted,
	        .options = picture,
	};
	return flame_svg(&graph, NULL);
}

static int draw(const Command *command, Options *options, char **files)
{
	g_autoptr(GError) error = NULL;
	FlameOptions picture;
	if (!read_options(options, &picture, &error))
		return command_usage(command, "%s", error->message);
	if (options->out == NULL && isatty(STDOUT_FILENO) == 1)
		return command_usage(command, "a picture is not for a terminal; name a file with -o");
	if (!output_is_no_input(options->out, files, &error))
		return profile_input_failed(command, error);
	g_autoptr(ProfileInput) input = profile_input_read(&options->input, files, &error);
	if (input == NULL)
		return profile_input_failed(command, error);
	g_autofree char *text = picture_of(options, &picture, input, files);
	profile_input_print_findings(input, &options->input);
	if (!options->input.quiet) {
		picture_options_note(&options->picture);
		warn_of_total(&picture, input->profile);
		warn_of_few_samples(input);
	}
	return output_write(options->out, text, &error) ? 0 : command_failed(error);
}

static const Option option_rows[] = {
        {"output", 'o', OPTION_FILE, "FILE", "write to this file", offsetof(Options, out), .section = SECTION_OUTPUT},
        {"colors", 0, OPTION_TEXT, "SCHEME",
                "module (default), kind, hash, or one of flamegraph.pl: hot, mem, io, red, green, blue, yellow, "
                "purple, aqua, orange, java, js, perl, wakeup, chain",
                offsetof(Options, colors), .section = SECTION_PICTURE, .choices = flame_colors_names},
        {"hash", 0, OPTION_FLAG, NULL,
                "colour by the name of the function; schemes of flamegraph.pl: like names, like colours",
                offsetof(Options, by_letters), .section = SECTION_PICTURE},
        {"reverse", 0, OPTION_FLAG, NULL, "merge stacks from their leaves: who calls what costs",
                offsetof(Options, reversed), .section = SECTION_PICTURE},
        {"factor", 0, OPTION_NUMBER, "N", "multiply counts by this", offsetof(Options, factor),
                .section = SECTION_PICTURE, .min = G_MINDOUBLE, .max = 1e18},
        {"total", 0, OPTION_NUMBER, "N", "what the whole width stands for, if it is more than what was measured",
                offsetof(Options, total), .section = SECTION_PICTURE, .min = G_MINDOUBLE, .max = 1e18},
        {"random", 0, OPTION_REFUSED, NULL, "colours are never random: the same input gives the same bytes", 0,
                .section = SECTION_HIDDEN},
        {"negate", 0, OPTION_REFUSED, NULL, "there is one side only; firebreak diff has --negate", 0,
                .section = SECTION_HIDDEN},
        {"flamechart", 0, OPTION_REFUSED, NULL, "stacks are merged, and have no order in time; use a trace viewer", 0,
                .section = SECTION_HIDDEN},
        {"nameattr", 0, OPTION_REFUSED, "FILE",
                "frames have no attributes or links: a picture refers to nothing outside itself", 0,
                .section = SECTION_HIDDEN},
};

static int run(const Command *command, char **argv)
{
	int code = 0;
	char stdin_name[] = "-", *const standard_input[] = {stdin_name, NULL};
	Options options = {.input.as_recorded = TRUE};
	g_auto(GStrv) rest = command_parse(command, &options, argv, &code);
	gboolean piped = rest != NULL && rest[1] == NULL && isatty(STDIN_FILENO) != 1;
	if (rest != NULL)
		code = draw(command, &options, piped ? (char **)standard_input : rest + 1);
	command_clear(command, &options);
	return code;
}

const Command flamegraph_command = {
        .name = "flamegraph",
        .arguments = "[FILE...]",
        .summary = "draw a flame graph of recordings or of folded stacks",
        .description =
                "Reads everything that `firebreak fold` reads, folded stacks included, and writes an SVG that "
                "needs no other file: click to zoom, / to search, ? for all keys. Several files add up.\n"
                "\n"
                "Without a FILE, what comes through a pipe is read.\n"
                "\n"
                "Options of flamegraph.pl have their names, which may be cut as there: --title --subtitle "
                "--width --height --minwidth --fonttype --fontsize --fontwidth --countname --nametype --colors "
                "--bgcolors --hash --reverse --inverted --notes --factor --total. --cp and --encoding are accepted and "
                "change nothing. Not supported: --random, --negate, --flamechart, --nameattr; each says why.",
        .examples = "  firebreak flamegraph perf.data -o flame.svg\n"
                    "  firebreak flamegraph --title='parser, large input' parse.folded -o parse.svg\n"
                    "  firebreak flamegraph --reverse --inverted --minwidth=1% perf.data -o callers.svg\n"
                    "  perf script | firebreak flamegraph >flame.svg",
        .exit_codes = "as of `firebreak fold`.",
        .options = {OPTION_GROUP(option_rows, 0), OPTION_GROUP(picture_options, offsetof(Options, picture)),
                OPTION_GROUP(profile_weight_option, offsetof(Options, input)),
                OPTION_GROUP(profile_input_options, offsetof(Options, input))},
        .abbreviates = TRUE,
        .offer = OFFER_FILES,
        .run = run,
};
