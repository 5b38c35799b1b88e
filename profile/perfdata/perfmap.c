/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfmap.h"

#include "profile/perfdata/codemap.h"
#include "profile/perfdata/ownedfile.h"

#include <string.h>

#define MAX_ENTRIES (1u << 20)

enum { FEATURE_HEAD_BYTES = 8 };

struct PerfMap {
	char *text;    /* each name ends with a NUL that was a line break */
	GArray *names; /* of guint32, where a name starts in the text; the numbers of the ranges are rows of it */
	CodeMap *ranges;
};

/* The number of the process in the innermost of its containers, from a line `NStgid: 4711 1`; its own if that cannot be
 * told. */
static gint32 innermost_pid(gint32 pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/status", pid);
	g_autofree char *status = NULL;
	if (!g_file_get_contents(path, &status, NULL, NULL))
		return pid;
	char *line = strstr(status, "\nNStgid:");
	if (line == NULL)
		return pid;
	line++;
	line[strcspn(line, "\n")] = '\0';
	const char *last = strrchr(line, '\t');
	gint64 inner = last != NULL ? g_ascii_strtoll(last + 1, NULL, 10) : 0;
	return inner > 0 && inner <= G_MAXINT32 ? (gint32)inner : pid;
}

GBytes *perf_map_read(gint32 pid, gint64 newest_s)
{
	if (pid <= 0)
		return NULL;
	g_autofree char *root = process_root(pid);
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", innermost_pid(pid));
	const OwnedFile file = {
	        .root = root,
	        .path = path,
	        .pid = pid,
	        .max_bytes = PERF_MAP_MAX_BYTES,
	        .is_text = TRUE,
	        .newest_s = newest_s,
	};
	return owned_file_read(&file, NULL);
}

void perf_maps_append(GByteArray *feature, gint32 pid, GBytes *text)
{
	static const guint8 zeros[8] = {0};
	gsize length = 0;
	const guint8 *bytes = g_bytes_get_data(text, &length);
	length = MIN(length, PERF_MAP_MAX_BYTES);
	const guint32 head[2] = {GUINT32_TO_LE((guint32)pid), GUINT32_TO_LE((guint32)length)};
	g_byte_array_append(feature, (const guint8 *)head, sizeof head);
	g_byte_array_append(feature, bytes, (guint)length);
	g_byte_array_append(feature, zeros, (guint)(-length & 7));
}

gboolean perf_maps_find(const guint8 *feature, gsize feature_bytes, gint32 pid, const guint8 **text, gsize *length)
{
	gboolean is_found = FALSE;
	for (gsize at = 0; feature != NULL && feature_bytes - at >= FEATURE_HEAD_BYTES;) {
		guint32 head[2];
		memcpy(head, feature + at, sizeof head);
		gsize size = GUINT32_FROM_LE(head[1]);
		at += FEATURE_HEAD_BYTES;
		if (size > feature_bytes - at)
			break;
		if ((gint32)GUINT32_FROM_LE(head[0]) == pid) {
			*text = feature + at;
			*length = size;
			is_found = TRUE;
		}
		at += MIN((size + 7) & ~(gsize)7, feature_bytes - at);
	}
	return is_found;
}

/* A hexadecimal number and the one blank after it. */
static gboolean take_number(char **at, guint64 *value)
{
	char *end;
	/* g_ascii_strtoull() would skip blanks and take a sign. */
	if (!g_ascii_isxdigit(**at))
		return FALSE;
	*value = g_ascii_strtoull(*at, &end, 16);
	*at = end + 1;
	return *end == ' ' || *end == '\t';
}

static void add_line(PerfMap *map, char *line)
{
	guint64 start, size;
	char *at = line;
	if (!take_number(&at, &start) || !take_number(&at, &size))
		return;
	at[strcspn(at, "\r")] = '\0';
	if (*at == '\0' || size == 0)
		return;
	guint32 name = (guint32)(at - map->text);
	code_map_set(map->ranges, start, size, map->names->len);
	g_array_append_val(map->names, name);
}

PerfMap *perf_map_parse(const guint8 *text, gsize length)
{
	PerfMap *map = g_new(PerfMap, 1);
	length = MIN(length, PERF_MAP_MAX_BYTES);
	map->text = g_malloc(length + 1);
	memcpy(map->text, text, length);
	map->text[length] = '\0';
	map->names = g_array_new(FALSE, FALSE, sizeof(guint32));
	map->ranges = code_map_new();
	char *end = map->text + length;
	for (char *line = map->text, *next; line < end && map->names->len < MAX_ENTRIES; line = next) {
		char *stop = memchr(line, '\n', (gsize)(end - line));
		next = stop != NULL ? stop + 1 : end;
		if (stop != NULL)
			*stop = '\0';
		add_line(map, line);
	}
	return map;
}

void perf_map_free(PerfMap *map)
{
	if (map == NULL)
		return;
	code_map_free(map->ranges);
	g_array_unref(map->names);
	g_free(map->text);
	g_free(map);
}

const char *perf_map_find(const PerfMap *map, guint64 address)
{
	guint32 row = code_map_find(map->ranges, address);
	return row != CODE_MAP_NOTHING ? map->text + g_array_index(map->names, guint32, row) : NULL;
}
