/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/color.h"

#include <unistd.h>

const char *const color_names[] = {[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL};

gboolean color_wanted(ColorChoice choice, int fd)
{
	if (choice != COLOR_AUTO)
		return choice == COLOR_ALWAYS;
	const char *off = g_getenv("NO_COLOR");
	return (off == NULL || *off == '\0') && g_strcmp0(g_getenv("TERM"), "dumb") != 0 && isatty(fd) == 1;
}
