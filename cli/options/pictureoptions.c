#include "cli/options/pictureoptions.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

#define LARGEST_PX 100000

gboolean picture_options_check(const char *option, double *value, double largest, GError **error)
{
	if (*value == PICTURE_OPTION_NOT_GIVEN) {
		*value = 0;
		return TRUE;
	}
	return (*value > 0 && *value <= largest) ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s is a number above 0, at most %g", option, largest);
}

static gboolean check_numbers(PictureOptions *options, GError **error)
{
	return picture_options_check("--width", &options->width, LARGEST_PX, error) &&
	       picture_options_check("--height", &options->height, 1000, error) &&
	       picture_options_check("--fontsize", &options->font_size, 1000, error) &&
	       picture_options_check("--fontwidth", &options->font_width, 10, error);
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

static gboolean is_hex_color(const char *text)
{
	return strlen(text) == FLAME_COLOR_HEX_BYTES - 1 && text[0] == '#' &&
	       strspn(text + 1, "0123456789abcdefABCDEF") == FLAME_COLOR_HEX_BYTES - 2;
}

static gboolean parse_background(PictureOptions *options, FlameStyle *style, GError **error)
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

gboolean picture_options_parse(PictureOptions *options, FlameOptions *picture, GError **error)
{
	if (!check_numbers(options, error))
		return FALSE;
	picture->style = (FlameStyle){
	        .width_px = options->width,
	        .frame_height = options->height,
	        .font_size = options->font_size,
	        .font_width = options->font_width,
	        .font = options->font,
	        .inverted = options->inverted,
	        .name_type = options->name_type,
	        .notes = options->notes,
	};
	picture->count_name = options->count_name;
	return check_count_name(options->count_name, error) && parse_min_width(options->min_width, picture, error) &&
	       parse_background(options, &picture->style, error);
}

static gboolean is_utf8(const char *name)
{
	return g_ascii_strcasecmp(name, "utf-8") == 0 || g_ascii_strcasecmp(name, "utf8") == 0;
}

void picture_options_note(const PictureOptions *options)
{
	if (options->palette)
		fputs("firebreak: --cp changes nothing: a colour follows from the name, so pictures agree without a "
		      "palette file\n",
		        stderr);
	if (options->encoding != NULL && !is_utf8(options->encoding))
		fputs("firebreak: --encoding changes nothing: pictures are UTF-8, names of other encodings show as "
		      "\\xNN\n",
		        stderr);
}

void picture_options_clear(PictureOptions *options)
{
	char *const texts[] = {options->title, options->subtitle, options->min_width, options->font,
	        options->count_name, options->name_type, options->background, options->notes, options->encoding};
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
}

/* The only option whose name begins so, or has it in full; NULL if there is none, or more than one. */
static const char *full_name(const GOptionEntry *entries, const char *text, gsize length)
{
	const char *found = NULL;
	for (; entries->long_name != NULL; entries++) {
		if (strncmp(entries->long_name, text, length) != 0)
			continue;
		if (entries->long_name[length] == '\0')
			return entries->long_name;
		if (found != NULL)
			return NULL;
		found = entries->long_name;
	}
	return found;
}

char **picture_options_complete(const GOptionEntry *entries, char *const *argv)
{
	GStrvBuilder *all = g_strv_builder_new();
	gboolean options_end = FALSE;
	for (; *argv != NULL; argv++) {
		options_end = options_end || strcmp(*argv, "--") == 0;
		gsize length = strcspn(*argv, "=");
		const char *name = !options_end && length > 3 && g_str_has_prefix(*argv, "--")
		                           ? full_name(entries, *argv + 2, length - 2)
		                           : NULL;
		g_autofree char *full = name != NULL ? g_strconcat("--", name, *argv + length, NULL) : NULL;
		g_strv_builder_add(all, full != NULL ? full : *argv);
	}
	char **completed = g_strv_builder_end(all);
	g_strv_builder_unref(all);
	return completed;
}

GOptionEntry *picture_options_entries(PictureOptions *options, const GOptionEntry *own)
{
	options->width = options->height = options->font_size = options->font_width = PICTURE_OPTION_NOT_GIVEN;
	const GOptionEntry shared[] = {
	        {"title", 0, 0, G_OPTION_ARG_STRING, &options->title, "heading of the picture", "TEXT"},
	        {"subtitle", 0, 0, G_OPTION_ARG_STRING, &options->subtitle,
	                "text beside the heading (default: the files)", "TEXT"},
	        {"inverted", 0, 0, G_OPTION_ARG_NONE, &options->inverted, "icicles: the bottom is above", NULL},
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
	        {"notes", 0, 0, G_OPTION_ARG_STRING, &options->notes, "kept in the file, not shown", "TEXT"},
	        {"cp", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &options->palette, NULL, NULL},
	        {"encoding", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &options->encoding, NULL, NULL},
	        G_OPTION_ENTRY_NULL,
	};
	gsize n = 0;
	while (own[n].long_name != NULL)
		n++;
	GOptionEntry *all = g_new(GOptionEntry, n + G_N_ELEMENTS(shared));
	memcpy(all, own, n * sizeof *all);
	memcpy(all + n, shared, sizeof shared);
	return all;
}
