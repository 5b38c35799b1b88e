/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmark: folded text of 200000 lines is read into a profile of 20000 stacks and written again. */
#include "bench/workload.h"
#include "profile/folded/folded.h"

#include <stdio.h>
#include <string.h>

#define STACKS 20000
#define LINES 200000

static char *read_and_write(const GString *text)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "cpu-clock:u", "samples");
	guint run = profile_add_run(profile);
	workload_expect(folded_read(text->str, text->len, "workload", NULL, profile, run, NULL, NULL), "reading fails");
	return folded_write(profile, run, FOLDED_WEIGHT);
}

static guint count_lines(const char *text)
{
	guint lines = 0;
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	return lines;
}

int main(int argc, char **argv)
{
	guint repetitions = workload_repetitions(argc, argv);
	GString *text = workload_folded(STACKS, LINES);
	for (guint i = 0; i < repetitions; i++) {
		g_autofree char *written = read_and_write(text);
		workload_expect(count_lines(written) == STACKS, "the number of stacks written");
	}
	printf("%u times %u lines, %zu bytes\n", repetitions, LINES, text->len);
	g_string_free(text, TRUE);
	return 0;
}
