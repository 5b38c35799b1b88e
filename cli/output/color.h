/* Whether what a command prints has colours: the option --color. */
#pragma once

#include <glib.h>

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;
/* Reads auto, always or never; NULL = auto. FALSE if it is none of them. */
gboolean color_parse(const char *text, ColorChoice *choice);
/* Whether to colour what goes to the descriptor: NO_COLOR and TERM=dumb switch `auto` off. */
gboolean color_wanted(ColorChoice choice, int fd);
