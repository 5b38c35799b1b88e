/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/pictureoptions.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

#define LARGEST_PX 100000

static const char *const background_names[] = {"yellow", "blue", "green", "grey", NULL};

const Option picture_options[] = {
        {"title", 0, OPTION_TEXT, "TEXT", "heading of the picture", offsetof(PictureOptions, title),
                .section = SECTION_PICTURE},
        {"subtitle", 0, OPTION_TEXT, "TEXT", "text beside the heading (default: the files)",
                offsetof(PictureOptions, subtitle), .section = SECTION_PICTURE},
        {"inverted", 0, OPTION_FLAG, NULL, "icicles: the bottom is above", offsetof(PictureOptions, inverted),
                .section = SECTION_PICTURE},
        {"icicle", 0, OPTION_FLAG, NULL, "the same as --inverted", offsetof(PictureOptions, inverted),
                .section = SECTION_PICTURE},
        {"minwidth", 0, OPTION_TEXT, "PX|N%", "leave out frames narrower than this many pixels, or N% (default: 0.02%)",
                offsetof(PictureOptions, min_width), .section = SECTION_PICTURE},
        {"width", 0, OPTION_NUMBER, "PX", "nominal width (default: 1200); the picture fills its window",
                offsetof(PictureOptions, width), .section = SECTION_PICTURE, .min = G_MINDOUBLE, .max = LARGEST_PX},
        {"height", 0, OPTION_NUMBER, "PX", "height of a frame (default: 18)", offsetof(PictureOptions, height),
                .section = SECTION_PICTURE, .min = G_MINDOUBLE, .max = 1000},
        {"fonttype", 0, OPTION_TEXT, "NAME", "font of all texts", offsetof(PictureOptions, font),
                .section = SECTION_PICTURE},
        {"fontsize", 0, OPTION_NUMBER, "PX", "of labels (default: 11)", offsetof(PictureOptions, font_size),
                .section = SECTION_PICTURE, .min = G_MINDOUBLE, .max = 1000},
        {"fontwidth", 0, OPTION_NUMBER, "RATIO", "mean width of a character, relative to its size (default: 0.6)",
                offsetof(PictureOptions, font_width), .section = SECTION_PICTURE, .min = G_MINDOUBLE, .max = 10},
        {"countname", 0, OPTION_TEXT, "WORD", "what is counted (default: samples)",
                offsetof(PictureOptions, count_name), .section = SECTION_PICTURE},
        {"nametype", 0, OPTION_TEXT, "TEXT", "text before names in the line under the picture",
                offsetof(PictureOptions, name_type), .section = SECTION_PICTURE},
        {"bgcolors", 0, OPTION_HINTED, "COLOR",
                "background: yellow, blue, green, grey or #rrggbb; the same in light and dark windows",
                offsetof(PictureOptions, background), .section = SECTION_PICTURE, .choices = background_names},
        {"notes", 0, OPTION_TEXT, "TEXT", "kept in the file, not shown", offsetof(PictureOptions, notes),
                .section = SECTION_PICTURE},
        {"cp", 0, OPTION_FLAG, NULL, NULL, offsetof(PictureOptions, palette), .section = SECTION_HIDDEN},
        {"encoding", 0, OPTION_TEXT, "NAME", NULL, offsetof(PictureOptions, encoding), .section = SECTION_HIDDEN},
};

_Static_assert(G_N_ELEMENTS(picture_options) == N_PICTURE_OPTIONS, "the header says how many there are");

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
		        "--minwidth takes a number of pixels or a percentage such as 0.1%%, not \"%s\"", text);
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
