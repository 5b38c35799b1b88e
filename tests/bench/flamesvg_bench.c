/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmark: layout and picture of the flame graph of a profile of 20000 stacks. */
#include "bench/workload.h"
#include "profile/folded/folded.h"
#include "report/flame/flamesvg.h"

#include <stdio.h>
#include <string.h>

#define STACKS 20000

static Profile *make_profile(void)
{
	g_autoptr(StackTable) table = stack_table_new();
	Profile *profile = profile_new(table, "cpu-clock:u", "samples");
	guint run = profile_add_run(profile);
	GString *text = workload_folded(STACKS, STACKS);
	workload_expect(folded_read(text->str, text->len, "workload", NULL, profile, run, NULL, NULL), "reading fails");
	g_string_free(text, TRUE);
	return profile;
}

int main(int argc, char **argv)
{
	guint repetitions = workload_repetitions(argc, argv);
	g_autoptr(Profile) profile = make_profile();
	FlameGraph graph = {.profile = profile, .work = 1, .benchmark = "flamesvg", .title = "head", .sentence = NULL};
	gsize length = 0;
	for (guint i = 0; i < repetitions; i++) {
		g_autofree char *svg = flame_svg(&graph, &length);
		workload_expect(g_str_has_suffix(svg, "</svg>\n"), "the end of the picture");
	}
	printf("%u times %u stacks, %zu bytes\n", repetitions, STACKS, length);
	return 0;
}
