/* The options of flamegraph.pl that every command that draws has, under the names that they have there: one table, and
 * one way from their texts to what the pictures take. Names may be cut as there: `--color` is `--colors`.
 *
 * Calling order: picture_options_entries() and picture_options_complete() before the command line is parsed,
 * picture_options_parse() after it, picture_options_clear() at the end. */
#pragma once

#include "report/flame/flamesvg.h"

typedef struct {
	char *title, *subtitle, *min_width, *font, *count_name, *name_type, *background, *notes, *encoding;
	double width, height, font_size, font_width;
	gboolean inverted, palette;
	char background_color[FLAME_COLOR_HEX_BYTES];
} PictureOptions;

/* `own` and then the shared entries, which point into `options`; both end with G_OPTION_ENTRY_NULL. Owned by the
 * caller. */
GOptionEntry *picture_options_entries(PictureOptions *options, const GOptionEntry *own);
/* Adds them to `picture`, which borrows from `options` what it points to. FIREBREAK_ERROR_USAGE names the option. */
gboolean picture_options_parse(PictureOptions *options, FlameOptions *picture, GError **error);
/* Says on standard error which options were taken but change nothing. */
void picture_options_note(const PictureOptions *options);
/* The arguments with names of long options, of which the beginning is enough if one name alone has it, in full. What
 * stands behind `--` stays. Owned by the caller. */
char **picture_options_complete(const GOptionEntry *entries, char *const *argv);
/* The value of a number that was not given; picture_options_entries() sets the shared ones to it. */
#define PICTURE_OPTION_NOT_GIVEN (-G_MAXDOUBLE)
/* A number above 0 and at most `largest`; one that was not given becomes 0. */
gboolean picture_options_check(const char *option, double *value, double largest, GError **error);
void picture_options_clear(PictureOptions *options);
