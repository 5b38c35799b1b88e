/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/tracingdata.h"

#include "runner/events/tracefs.h"

#include <string.h>
#include <unistd.h>

static void add_bytes(GByteArray *data, const void *bytes, gsize length)
{
	g_byte_array_append(data, bytes, (guint)length);
}

static void add_u32(GByteArray *data, guint32 value)
{
	add_bytes(data, &value, sizeof value);
}

static void add_u64(GByteArray *data, guint64 value)
{
	add_bytes(data, &value, sizeof value);
}

/* The length counts the NUL. */
static void add_text(GByteArray *data, const char *text)
{
	add_bytes(data, text, strlen(text) + 1);
}

/* Length and content of a file below tracefs. */
static void add_file(GByteArray *data, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, "events", name, NULL);
	g_autofree char *content = NULL;
	gsize length = 0;
	if (!g_file_get_contents(path, &content, &length, NULL))
		length = 0;
	add_u64(data, length);
	add_bytes(data, content != NULL ? content : "", length);
}

static void add_head(GByteArray *data)
{
	static const guint8 magic[] = {23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	const guint8 order_and_long[] = {G_BYTE_ORDER == G_BIG_ENDIAN, sizeof(long)};
	add_bytes(data, magic, sizeof magic);
	add_text(data, "0.6");
	add_bytes(data, order_and_long, sizeof order_and_long);
	add_u32(data, (guint32)sysconf(_SC_PAGESIZE));
}

/* Each tracepoint as a system of its own; a system may come more than once. */
static void add_formats(GByteArray *data, const char *folder, const char *const *names, guint n_names)
{
	add_u32(data, n_names);
	for (guint i = 0; i < n_names; i++) {
		g_auto(GStrv) words = g_strsplit(names[i], ":", 3);
		g_autofree char *format = g_build_filename(words[0], words[1] != NULL ? words[1] : "", "format", NULL);
		add_text(data, words[0]);
		add_u32(data, 1);
		add_file(data, folder, format);
	}
}

GByteArray *tracing_data_make(const char *const *names, guint n_names)
{
	g_autofree char *found = tracefs_folder("/");
	const char *folder = found != NULL ? found : "/sys/kernel/tracing";
	GByteArray *data = g_byte_array_new();
	add_head(data);
	add_text(data, "header_page");
	add_file(data, folder, "header_page");
	add_text(data, "header_event");
	add_file(data, folder, "header_event");
	add_u32(data, 0); /* formats of ftrace's own events */
	add_formats(data, folder, names, n_names);
	add_u32(data, 0); /* kernel symbols */
	add_u32(data, 0); /* formats of printk */
	add_u64(data, 0); /* names of processes */
	return data;
}
