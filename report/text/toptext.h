/* SPDX-License-Identifier: Apache-2.0 */
/* The hotspot report for a terminal: a table of functions, or one function with its callers and callees, and what there
 * is to say about the profile.
 *
 * Plain text without tabs; colour is optional and never says anything that the words do not. All foreign text is cut
 * and escaped, so nothing in it moves the cursor. On a narrow terminal names are cut first, then columns at the right
 * are left out. */
#pragma once

#include "report/json/topjson.h"

typedef struct {
	gboolean colour;
	gboolean quiet;     /* no hints and findings */
	gboolean addresses; /* functions without a name are told apart by address already */
	gboolean wide;      /* do not cut names that are longer than usual where there is no terminal */
	guint width;        /* columns of the terminal; 0 = do not wrap anything, and cut names to 100 characters */
} TopTextOptions;

/* The text, with a newline at the end. Owned by the caller. */
char *top_text(const TopReport *top, const TopTextOptions *options);
