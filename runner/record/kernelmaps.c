/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/kernelmaps.h"

#include "runner/record/recordlayout.h"

#include <inttypes.h>
#include <stdio.h>

#define MAX_MODULES 4096

typedef struct {
	guint64 start, length, page_offset;
	const char *name;
} KernelMap;

static void append_map(GByteArray *records, guint64 event_id, const KernelMap *map)
{
	static const guint8 zeros[8] = {0};
	gsize name_bytes = strlen(map->name) + 1;
	const guint64 place[] = {map->start, map->length, map->page_offset};
	const guint32 pid_tid[] = {G_MAXUINT32, 0};
	const RecordTrailer trailer = {.pid = G_MAXUINT32, .id = event_id};
	struct perf_event_header header = {.type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_KERNEL};
	gsize size = sizeof header + sizeof pid_tid + sizeof place + (name_bytes + 7) / 8 * 8 + sizeof trailer;
	header.size = (guint16)size;
	g_byte_array_append(records, (const guint8 *)&header, sizeof header);
	g_byte_array_append(records, (const guint8 *)pid_tid, sizeof pid_tid);
	g_byte_array_append(records, (const guint8 *)place, sizeof place);
	g_byte_array_append(records, (const guint8 *)map->name, (guint)name_bytes);
	g_byte_array_append(records, zeros, (guint)(-name_bytes & 7));
	g_byte_array_append(records, (const guint8 *)&trailer, sizeof trailer);
}

/* The map goes from the symbol _text, or _stext, to _etext. Its name tells the symbol that was looked at, and its page
 * offset where that lies, so that a reader can see how far another start of the same kernel was moved. */
static gboolean find_kernel(FILE *kallsyms, KernelMap *kernel)
{
	char line[512], name[256];
	guint64 address, end = 0;
	while (end == 0 && fgets(line, sizeof line, kallsyms) != NULL) {
		if (sscanf(line, "%" SCNx64 " %*c %255s", &address, name) != 2)
			continue;
		gboolean is_text = g_str_equal(name, "_text");
		if (address != 0 && (is_text || (kernel->name == NULL && g_str_equal(name, "_stext")))) {
			kernel->start = kernel->page_offset = address;
			kernel->name = is_text ? "[kernel.kallsyms]_text" : "[kernel.kallsyms]_stext";
		} else if (g_str_equal(name, "_etext")) {
			end = address;
		}
	}
	kernel->length = end - kernel->start;
	return kernel->name != NULL && end > kernel->start;
}

/* Lines such as `xfs 1234567 1 - Live 0xffffffffc0a00000`. */
static void append_modules(GByteArray *records, guint64 event_id, FILE *modules)
{
	char line[4096], name[128];
	guint64 length, address;
	for (guint n = 0; n < MAX_MODULES && fgets(line, sizeof line, modules) != NULL; n++) {
		if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &length, &address) != 3 ||
		        address == 0)
			continue;
		g_autofree char *bracketed = g_strdup_printf("[%s]", name);
		append_map(records, event_id, &(KernelMap){.start = address, .length = length, .name = bracketed});
	}
}

void kernel_maps_append_from(GByteArray *records, guint64 event_id, const char *kallsyms, const char *modules)
{
	KernelMap kernel = {0};
	FILE *symbols = fopen(kallsyms, "re");
	gboolean found = symbols != NULL && find_kernel(symbols, &kernel);
	if (symbols != NULL)
		fclose(symbols);
	if (!found)
		return;
	append_map(records, event_id, &kernel);
	FILE *list = fopen(modules, "re");
	if (list == NULL)
		return;
	append_modules(records, event_id, list);
	fclose(list);
}

void kernel_maps_append(GByteArray *records, guint64 event_id)
{
	kernel_maps_append_from(records, event_id, "/proc/kallsyms", "/proc/modules");
}
