/* SPDX-License-Identifier: Apache-2.0 */
/* A jitdump, as time goes on. */
#include "profile/perfdata/jitdump.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const guint64 times_ns[] = {0, 10, 1000000, G_MAXUINT64};
	g_autoptr(JitDump) dump = jit_dump_parse(data, size);
	for (guint i = 0; dump != NULL && i < G_N_ELEMENTS(times_ns); i++) {
		JitSymbol symbol;
		jit_dump_advance(dump, times_ns[i]);
		jit_dump_find(dump, 0x1000, &symbol);
		jit_dump_find(dump, G_MAXUINT64, &symbol);
	}
	return 0;
}
