/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of what `perf script` prints, ours and the one by the rules of stackcollapse-perf.pl. */
#include "profile/folded/folded.h"
#include "profile/perfscript/stackcollapse.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses options. */
static PerfScriptOptions options_of(uint8_t bits)
{
	static const char *const names[] = {"main", NULL};
	return (PerfScriptOptions){
	        .event = (bits & 1) != 0 ? "cycles" : NULL,
	        .no_inline = (bits & 2) != 0,
	        .root_pid = (bits & 4) != 0,
	        .root_tid = (bits & 8) != 0,
	        .addresses = (bits & 16) != 0,
	        .annotate_kernel = (bits & 32) != 0,
	        .annotate_jit = (bits & 64) != 0,
	        .skip_after = (bits & 128) != 0 ? names : NULL,
	};
}

static Profile *new_profile(void)
{
	g_autoptr(StackTable) table = stack_table_new();
	Profile *profile = profile_new(table, "", "");
	profile_add_run(profile);
	return profile;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	const char *text = (const char *)data + 1;
	PerfScriptOptions options = options_of(data[0]);
	PerfScriptSummary summary = {0};
	g_autoptr(Profile) ours = new_profile(), theirs = new_profile();
	g_autofree char *event = NULL;
	perf_script_detect(text, size - 1);
	if (perf_script_read(text, size - 1, "fuzz", &options, ours, 0, &summary, NULL))
		g_free(folded_write(ours, 0, FOLDED_WEIGHT));
	perf_script_summary_clear(&summary);
	if (stackcollapse_read(text, size - 1, "fuzz", &options, theirs, 0, &event, NULL))
		g_free(folded_write(theirs, 0, FOLDED_AS_IS));
	return 0;
}
