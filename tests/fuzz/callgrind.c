/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of callgrind's files. */
#include "profile/valgrind/callgrindread.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "");
	CallgrindSummary summary = {0};
	profile_add_run(profile);
	callgrind_detect((const char *)data, size);
	if (callgrind_read((const char *)data, size, "fuzz", NULL, profile, 0, &summary, NULL))
		g_assert(profile_run_total(profile, 0).weight == summary.cost);
	callgrind_summary_clear(&summary);
	return 0;
}
