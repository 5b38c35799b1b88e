#include "cli/command.h"
#include "cli/output.h"
#include "cli/profileinput.h"
#include "core/error.h"
#include "report/flamesvg.h"
#include "report/profiletotal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_PX 100000
#define FEWEST_SAMPLES 100

typedef struct {
	ProfileInputOptions input;
	char *title, *subtitle, *out;
	char *min_width, *font, *count_name, *name_type, *colors, *background, *notes;
	double width, height, font_size, font_width, factor, total;
	gboolean by_letters, reversed, inverted;
	char background_color[FLAME_COLOR_HEX_BYTES];
} Options;

static char *name_of_files(char **files)
{
	g_autofree char *first =
	        g_str_equal(files[0], "-") ? g_strdup("standard input") : g_path_get_basename(files[0]);
	guint n = g_strv_length(files);
	return n == 1 ? g_steal_pointer(&first) : g_strdup_printf("%s and %u more", first, n - 1);
}

/* From texts to the options of the picture */

static gboolean check_number(const char *option, double value, double largest, GError **error)
{
	return value == 0 || (value > 0 && value <= largest) ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s is a number above 0, at most %g", option, largest);
}

static gboolean check_numbers(const Options *options, GError **error)
{
	return check_number("--width", options->width, LARGEST_PX, error) &&
	       check_number("--height", options->height, 1000, error) &&
	       check_number("--fontsize", options->font_size, 1000, error) &&
	       check_number("--fontwidth", options->font_width, 10, error) &&
	       check_number("--factor", options->factor, 1e18, error) &&
	       check_number("--total", options->total, 1e18, error);
}

/* "0.5" are pixels at the nominal width, "1%" is a share of the picture. */
static gboolean parse_min_width(const char *text, FlameOptions *picture, GError **error)
{
	char *end = NULL;
	if (text == NULL)
		return TRUE;
	double number = g_ascii_strtod(text, &end), whole = flame_canvas_frames_px(&picture->style);
	gboolean is_percent = strcmp(end, "%") == 0;
	double share = is_percent ? number / 100 : number / whole;
	if (end == text || (*end != '\0' && !is_percent) || !(share >= 0 && share <= 1))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "--minwidth is a number of pixels or a percentage such as 0.1%%, not \"%s\"", text);
	picture->min_share = share > 0 ? share : -1;
	return TRUE;
}

static gboolean parse_colors(const Options *options, FlameOptions *picture, GError **error)
{
	picture->by_letters = options->by_letters;
	if (options->colors == NULL) {
		picture->colors = options->by_letters ? FLAME_COLORS_HASH : FLAME_COLORS_MODULE;
		return TRUE;
	}
	for (guint i = 0; i < N_FLAME_COLORS; i++)
		if (strcmp(options->colors, flame_colors_names[i]) == 0) {
			picture->colors = (FlameColors)i;
			return !options->by_letters || i >= FLAME_COLORS_HASH ||
			       firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			               "--hash colours by the names of functions, --colors=%s does not",
			               options->colors);
		}
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < N_FLAME_COLORS; i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", flame_colors_names[i]);
	firebreak_refuse(
	        error, FIREBREAK_ERROR_USAGE, "--colors is one of %s, not \"%s\"", names->str, options->colors);
	g_string_free(names, TRUE);
	return FALSE;
}

static gboolean is_hex_color(const char *text)
{
	return strlen(text) == FLAME_COLOR_HEX_BYTES - 1 && text[0] == '#' &&
	       strspn(text + 1, "0123456789abcdefABCDEF") == FLAME_COLOR_HEX_BYTES - 2;
}

static gboolean parse_background(Options *options, FlameStyle *style, GError **error)
{
	static const struct {
		const char *name, *above, *below;
	} gradients[] = {
	        {"yellow", "#eeeeee", "#eeeeb0"},
	        {"blue", "#eeeeee", "#e0e0ff"},
	        {"green", "#eef2ee", "#e0ffe0"},
	        {"grey", "#f8f8f8", "#e8e8e8"},
	};
	const char *text = options->background;
	if (text == NULL)
		return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(gradients); i++)
		if (strcmp(text, gradients[i].name) == 0) {
			style->background[0] = gradients[i].above;
			style->background[1] = gradients[i].below;
			return TRUE;
		}
	if (!is_hex_color(text))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "--bgcolors is yellow, blue, green, grey or a colour such as #ffffff, not \"%s\"", text);
	g_strlcpy(options->background_color, text, sizeof options->background_color);
	style->background[0] = options->background_color;
	return TRUE;
}

/* A count word with parentheses could not be told from the end of a name. */
static gboolean check_count_name(const char *name, GError **error)
{
	return name == NULL || strpbrk(name, "()\n") == NULL ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "--countname has no parentheses");
}

/* What `picture` points to belongs to `options`. */
static gboolean picture_options(Options *options, FlameOptions *picture, GError **error)
{
	*picture = (FlameOptions){
	        .style = {.width_px = options->width,
	                .frame_height = options->height,
	                .font_size = options->font_size,
	                .font_width = options->font_width,
	                .font = options->font,
	                .inverted = options->inverted,
	                .name_type = options->name_type,
	                .notes = options->notes},
	        .reversed = options->reversed,
	        .factor = options->factor,
	        .total = options->total,
	        .count_name = options->count_name,
	};
	return check_numbers(options, error) && check_count_name(options->count_name, error) &&
	       parse_min_width(options->min_width, picture, error) && parse_colors(options, picture, error) &&
	       parse_background(options, &picture->style, error);
}

/* Drawing */

static void warn_of_total(const FlameOptions *picture, const Profile *profile)
{
	double sum = (double)profile_run_total(profile, 0).weight * (picture->factor > 0 ? picture->factor : 1);
	if (picture->total > 0 && picture->total < sum)
		fprintf(stderr, "firebreak: --total %g is less than what is there, %g, and is ignored\n",
		        picture->total, sum);
}

/* Below that, chance decides which narrow frames there are. */
static void warn_of_few_samples(const ProfileInput *input)
{
	guint64 samples = profile_run_total(input->profile, 0).samples;
	gboolean exact = input->exact && strcmp(input->profile->unit, "counts") != 0; /* folded stacks do not say */
	if (!exact && samples < FEWEST_SAMPLES)
		fprintf(stderr,
		        "firebreak: only %" G_GUINT64_FORMAT " %s: record longer or at a higher frequency before "
		        "believing the widths\n",
		        samples, samples == 1 ? "sample" : "samples");
}

static char *picture_of(const Options *options, const FlameOptions *picture, const ProfileInput *input, char **files)
{
	g_autofree char *total = profile_total_text(input->profile, input->exact), *name = name_of_files(files);
	g_autofree char *scale =
	        picture->factor > 0 ? g_strdup_printf("%s, shown × %g", total, picture->factor) : g_strdup(total);
	const char *title = options->inverted ? "Icicle graph" : "Flame graph";
	FlameGraph graph = {
	        .profile = input->profile,
	        .benchmark = options->title != NULL ? options->title : title,
	        .title = options->subtitle != NULL ? options->subtitle : name,
	        .sentence = scale,
	        .counted = input->exact,
	        .options = picture,
	};
	return flame_svg(&graph, NULL);
}

static int draw(const Command *command, Options *options, char **files)
{
	g_autoptr(GError) error = NULL;
	FlameOptions picture;
	if (!picture_options(options, &picture, &error))
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
		warn_of_total(&picture, input->profile);
		warn_of_few_samples(input);
	}
	return output_write(options->out, text, &error) ? 0 : command_failed(error);
}

/* Options of flamegraph.pl that make no sense here: the answer says why. */
static gboolean refuse_option(const char *name, const char *value, gpointer data, GError **error)
{
	static const struct {
		const char *name, *reason;
	} refused[] = {
	        {"--random", "colours are never random: the same input gives the same bytes"},
	        {"--cp", "no palette file is needed: a colour follows from the name, so pictures agree"},
	        {"--negate", "there is one side only; firebreak diff has --negate"},
	        {"--flamechart", "stacks are merged, and have no order in time; use a trace viewer"},
	        {"--nameattr", "frames have no attributes or links of others: a picture refers to nothing outside"},
	        {"--encoding", "pictures are UTF-8; convert the input, names of other encodings show as \\xNN"},
	};
	(void)value;
	(void)data;
	for (gsize i = 0; i < G_N_ELEMENTS(refused); i++)
		if (strcmp(name, refused[i].name) == 0)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s: %s", name, refused[i].reason);
	g_assert_not_reached();
}

#define REFUSED(name, arg)                                                                                             \
	{                                                                                                              \
		name, 0, G_OPTION_FLAG_HIDDEN | (arg), G_OPTION_ARG_CALLBACK, (gpointer)refuse_option, NULL, NULL      \
	}

static GOptionEntry *make_entries(Options *options)
{
	const GOptionEntry own[] = {
	        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->out, "write to this file", "FILE"},
	        {"title", 0, 0, G_OPTION_ARG_STRING, &options->title, "heading of the picture", "TEXT"},
	        {"subtitle", 0, 0, G_OPTION_ARG_STRING, &options->subtitle,
	                "text beside the heading (default: the name of the file)", "TEXT"},
	        {"colors", 0, 0, G_OPTION_ARG_STRING, &options->colors,
	                "module (default), kind, hash, or one of flamegraph.pl: hot, mem, io, red, green, blue, "
	                "yellow, "
	                "purple, aqua, orange, java, js, perl, wakeup, chain",
	                "SCHEME"},
	        {"hash", 0, 0, G_OPTION_ARG_NONE, &options->by_letters,
	                "colour by the name of the function; schemes of flamegraph.pl: like names, like colours", NULL},
	        {"inverted", 0, 0, G_OPTION_ARG_NONE, &options->inverted, "icicles: the bottom is above", NULL},
	        {"reverse", 0, 0, G_OPTION_ARG_NONE, &options->reversed,
	                "merge stacks from their leaves: who calls what costs", NULL},
	        {"minwidth", 0, 0, G_OPTION_ARG_STRING, &options->min_width,
	                "leave out frames narrower than this many pixels, or N% (default: 0.02%)", "PX|N%"},
	        {"width", 0, 0, G_OPTION_ARG_DOUBLE, &options->width,
	                "nominal width (default: 1200); the picture fills its window", "PX"},
	        {"height", 0, 0, G_OPTION_ARG_DOUBLE, &options->height, "of a frame (default: 18)", "PX"},
	        {"fonttype", 0, 0, G_OPTION_ARG_STRING, &options->font, "font of all texts", "NAME"},
	        {"fontsize", 0, 0, G_OPTION_ARG_DOUBLE, &options->font_size, "of labels (default: 11)", "PX"},
	        {"fontwidth", 0, 0, G_OPTION_ARG_DOUBLE, &options->font_width,
	                "mean width of a character, relative to its size (default: 0.6)", "RATIO"},
	        {"countname", 0, 0, G_OPTION_ARG_STRING, &options->count_name, "what is counted (default: samples)",
	                "WORD"},
	        {"nametype", 0, 0, G_OPTION_ARG_STRING, &options->name_type,
	                "stands before names in the line under the picture", "TEXT"},
	        {"bgcolors", 0, 0, G_OPTION_ARG_STRING, &options->background,
	                "background: yellow, blue, green, grey or #rrggbb, also in a dark window", "COLOR"},
	        {"factor", 0, 0, G_OPTION_ARG_DOUBLE, &options->factor, "multiply counts by this", "N"},
	        {"total", 0, 0, G_OPTION_ARG_DOUBLE, &options->total,
	                "what the whole width stands for, if it is more than what was measured", "N"},
	        {"notes", 0, 0, G_OPTION_ARG_STRING, &options->notes, "kept in the file, not shown", "TEXT"},
	        REFUSED("random", G_OPTION_FLAG_NO_ARG),
	        REFUSED("cp", G_OPTION_FLAG_NO_ARG),
	        REFUSED("negate", G_OPTION_FLAG_NO_ARG),
	        REFUSED("flamechart", G_OPTION_FLAG_NO_ARG),
	        REFUSED("nameattr", 0),
	        REFUSED("encoding", 0),
	        G_OPTION_ENTRY_NULL,
	};
	return profile_input_entries(&options->input, own);
}

static void options_clear(Options *options)
{
	char *const texts[] = {options->title, options->subtitle, options->out, options->min_width, options->font,
	        options->count_name, options->name_type, options->colors, options->background, options->notes};
	profile_input_options_clear(&options->input);
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
}

static int run(const Command *command, char **argv)
{
	int code = 0;
	Options options = {0};
	profile_input_options_init(&options.input);
	g_autofree GOptionEntry *entries = make_entries(&options);
	g_auto(GStrv) rest = command_parse(command, entries, argv, &code);
	if (rest != NULL)
		code = draw(command, &options, rest + 1);
	options_clear(&options);
	return code;
}

const Command flamegraph_command = {
        .name = "flamegraph",
        .arguments = "FILE...",
        .summary = "draw a flame graph of recordings or of folded stacks",
        .description = "Reads everything that `firebreak fold` reads, folded stacks included, and writes an SVG that "
                       "needs no other file: click to zoom, / to search, ? for all keys. Several files add up.\n\n"
                       "Options of flamegraph.pl have their names: --title --subtitle --width --height --minwidth "
                       "--fonttype --fontsize --fontwidth --countname --nametype --colors --bgcolors --hash "
                       "--reverse --inverted --notes --factor --total. Not: --random, --cp, --negate, --flamechart, "
                       "--nameattr, --encoding; each says why.\n\n"
                       "Examples:\n"
                       "  firebreak flamegraph perf.data -o flame.svg\n"
                       "  firebreak flamegraph --title='parser, large input' parse.folded -o parse.svg\n"
                       "  firebreak flamegraph --reverse --inverted --minwidth=1% perf.data -o callers.svg\n"
                       "  perf script | firebreak flamegraph - >flame.svg\n\n"
                       "Exit codes as of `firebreak fold`.",
        .run = run,
};
