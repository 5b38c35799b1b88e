/* SPDX-License-Identifier: Apache-2.0 */
/* The options of flamegraph.pl that every command that draws has, under the names that they have there: one table, and
 * one way from their texts to what the pictures take. Names may be cut as there: `--color` is `--colors`; a command
 * says so with `.abbreviates`. */
#pragma once

#include "cli/options/option.h"
#include "report/flame/flamesvg.h"

typedef struct {
	char *title, *subtitle, *min_width, *font, *count_name, *name_type, *background, *notes, *encoding;
	double width, height, font_size, font_width;
	gboolean inverted, palette;
	char background_color[FLAME_COLOR_HEX_BYTES];
} PictureOptions;

/* Rows of PictureOptions. */
#define N_PICTURE_OPTIONS 16
extern const Option picture_options[N_PICTURE_OPTIONS];

/* Adds them to `picture`, which borrows from `options` what it points to. FIREBREAK_ERROR_USAGE names the option. */
gboolean picture_options_parse(PictureOptions *options, FlameOptions *picture, GError **error);
/* Says on standard error which options were taken but change nothing. */
void picture_options_note(const PictureOptions *options);
