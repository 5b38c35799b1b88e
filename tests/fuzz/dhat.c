/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of DHAT's files. */
#include "profile/valgrind/dhatread.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "");
	const DhatTarget target = {DHAT_BYTES, profile, 0};
	DhatSummary summary = {0};
	profile_add_run(profile);
	if (dhat_read((const char *)data, size, "fuzz", TRUE, &target, 1, &summary, NULL))
		g_assert(profile_run_total(profile, 0).weight == summary.bytes);
	dhat_summary_clear(&summary);
	return 0;
}
