/* SPDX-License-Identifier: Apache-2.0 */
/* The folded text reader, on foreign text and on what the writer makes of it. */
#include "profile/folded/folded.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Profile *read_text(const char *text, gsize length)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "samples");
	profile_add_run(profile);
	if (!folded_read(text, length, "fuzz", NULL, profile, 0, NULL, NULL))
		return NULL;
	return g_steal_pointer(&profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(Profile) first = read_text((const char *)data, size);
	if (first == NULL)
		return 0;
	g_autofree char *text = folded_write(first, FOLDED_ALL_RUNS, FOLDED_WEIGHT);
	Profile *second = read_text(text, strlen(text));
	g_clear_pointer(&second, profile_free);
	return 0;
}
