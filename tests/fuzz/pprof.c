/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of pprof profiles, compressed or not, and what tells the formats apart. */
#include "profile/exchange/pprofread.h"
#include "profile/read/profileformat.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "");
	PprofSummary summary = {0};
	ProfileFormat format;
	profile_add_run(profile);
	profile_format_detect(data, size, "fuzz", &format, NULL);
	if (pprof_read(data, size, "fuzz", NULL, profile, 0, &summary, NULL))
		g_assert(profile_run_total(profile, 0).weight == summary.weight);
	pprof_summary_clear(&summary);
	return 0;
}
