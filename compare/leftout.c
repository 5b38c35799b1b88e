/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/leftout.h"

#include "model/namelist.h"

#define NAMES_SHOWN 3

void left_out_add(FindingList *findings, const GPtrArray *names)
{
	if (names->len == 0)
		return;
	if (names->len == 1) {
		finding_add(findings, FINDING_WARNING, "not_measured", names->pdata[0], "was left out by --benchmark");
		return;
	}
	g_autofree char *text = name_list(names, NAMES_SHOWN);
	finding_add(findings, FINDING_WARNING, "not_measured", NULL, "%u benchmarks were left out by --benchmark: %s",
	        names->len, text);
}
