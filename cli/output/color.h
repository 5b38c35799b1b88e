/* SPDX-License-Identifier: Apache-2.0 */
/* Decides if the output of a command has colours: the option --color. */
#pragma once

#include <glib.h>

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;
/* Their names in this order, NULL-terminated. */
extern const char *const color_names[];
/* TRUE if text for the descriptor is coloured: NO_COLOR and TERM=dumb switch `auto` off. */
gboolean color_wanted(ColorChoice choice, int fd);
