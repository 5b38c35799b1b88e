#include "cli/output/color.h"

#include <unistd.h>

gboolean color_parse(const char *text, ColorChoice *choice)
{
	static const char *const names[] = {"auto", "always", "never"};
	*choice = COLOR_AUTO;
	for (gsize i = 0; text != NULL && i < G_N_ELEMENTS(names); i++)
		if (g_str_equal(text, names[i])) {
			*choice = (ColorChoice)i;
			return TRUE;
		}
	return text == NULL;
}

gboolean color_wanted(ColorChoice choice, int fd)
{
	if (choice != COLOR_AUTO)
		return choice == COLOR_ALWAYS;
	const char *off = g_getenv("NO_COLOR");
	return (off == NULL || *off == '\0') && g_strcmp0(g_getenv("TERM"), "dumb") != 0 && isatty(fd) == 1;
}
