/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a perf map, and the feature of a recording that holds such texts. */
#include "profile/perfdata/perfmap.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const guint8 *text;
	gsize length;
	g_autoptr(PerfMap) map = perf_map_parse(data, size);
	perf_map_find(map, 0);
	perf_map_find(map, 0x1000);
	perf_map_find(map, G_MAXUINT64);
	if (perf_maps_find(data, size, 7, &text, &length)) {
		g_autoptr(PerfMap) inner = perf_map_parse(text, length);
		perf_map_find(inner, 0x1000);
	}
	return 0;
}
