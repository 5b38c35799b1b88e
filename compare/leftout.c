#include "compare/leftout.h"

#define NAMES_SHOWN 3

void left_out_add(FindingList *findings, const GPtrArray *names)
{
	if (names->len == 0)
		return;
	if (names->len == 1) {
		finding_add(findings, FINDING_WARNING, "not_measured", names->pdata[0], "was left out by --benchmark");
		return;
	}
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < names->len && i < NAMES_SHOWN; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (const char *)names->pdata[i]);
	if (names->len > NAMES_SHOWN)
		g_string_append_printf(text, " and %u more", names->len - NAMES_SHOWN);
	finding_add(findings, FINDING_WARNING, "not_measured", NULL, "%u benchmarks were left out by --benchmark: %s",
	        names->len, text->str);
}
