/* SPDX-License-Identifier: Apache-2.0 */
#include "model/namelist.h"

char *name_list(const GPtrArray *names, guint shown)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < MIN(names->len, shown); i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (const char *)names->pdata[i]);
	if (names->len > shown)
		g_string_append_printf(text, " and %u more", names->len - shown);
	return g_string_free(text, FALSE);
}
