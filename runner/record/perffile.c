/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/perffile.h"

#include "core/error.h"
#include "core/wholefile.h"
#include "profile/perfdata/perfdata.h"
#include "profile/perfdata/perfmap.h"
#include "profile/perfdata/recordingorigin.h"
#include "runner/record/recordlayout.h"
#include "runner/record/samplefilter.h"
#include "runner/record/tracingdata.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define WRITE_BUFFER_BYTES ((gsize)256 * 1024)
#define MAX_MODULES 65536

/* Numbers of the features. */
enum {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_GROUP_DESC = 17,
	FEATURE_SAMPLE_TIME = 21,
};

typedef struct {
	guint64 offset, size;
} FileSection;

typedef struct {
	char magic[8];
	guint64 size, attr_size;
	FileSection attrs, data, event_types;
	guint64 features[4];
} FileHeader;

typedef struct {
	guint number;
	GByteArray *body;
} Feature;

struct PerfFile {
	const EventSet *events;
	WholeFile *whole;
	FILE *stream; /* its own */
	char *path;
	guint64 bytes;
	guint64 first_ns, last_ns; /* of samples */
	GHashTable *modules;       /* set of GBytes: {length, build-id, path} */
	GArray *features;          /* of Feature, in ascending order */
};

static void clear_feature(gpointer data)
{
	g_byte_array_unref(((Feature *)data)->body);
}

static gboolean write_bytes(PerfFile *file, const void *data, gsize length, GError **error)
{
	if (length == 0 || fwrite(data, 1, length, file->stream) == length)
		return TRUE;
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot write %s", file->path);
}

/* --- head --- */

/* The attribute that describes the records as they are in the file. */
static struct perf_event_attr file_attr(const OpenEvent *event)
{
	struct perf_event_attr attr = event->attr;
	sample_filter_reduce(&attr);
	return attr;
}

static FileHeader make_header(const PerfFile *file)
{
	guint n_events = file->events->events->len;
	FileHeader header = {
	        .size = sizeof header,
	        .attr_size = sizeof(struct perf_event_attr) + sizeof(FileSection),
	};
	memcpy(header.magic, "PERFILE2", sizeof header.magic);
	header.attrs.offset = sizeof header + n_events * file->events->n_cpus * sizeof(guint64);
	header.attrs.size = n_events * header.attr_size;
	header.data.offset = header.attrs.offset + header.attrs.size;
	header.data.size = file->bytes;
	for (guint i = 0; i < file->features->len; i++) {
		guint number = g_array_index(file->features, Feature, i).number;
		header.features[number / 64] |= 1ull << number % 64;
	}
	return header;
}

/* head, the ids of all events, one attribute for each event that points at its ids; then the records follow */
static gboolean write_head(PerfFile *file, GError **error)
{
	FileHeader header = make_header(file);
	const gsize ids_bytes = file->events->n_cpus * sizeof(guint64);
	if (!write_bytes(file, &header, sizeof header, error))
		return FALSE;
	for (guint i = 0; i < file->events->events->len; i++)
		if (!write_bytes(file, event_set_get(file->events, i)->ids, ids_bytes, error))
			return FALSE;
	for (guint i = 0; i < file->events->events->len; i++) {
		struct perf_event_attr attr = file_attr(event_set_get(file->events, i));
		FileSection ids = {.offset = sizeof header + i * ids_bytes, .size = ids_bytes};
		if (!write_bytes(file, &attr, sizeof attr, error) || !write_bytes(file, &ids, sizeof ids, error))
			return FALSE;
	}
	return TRUE;
}

static guint hash_bytes(gconstpointer bytes)
{
	return g_bytes_hash(bytes);
}

static gboolean equal_bytes(gconstpointer a, gconstpointer b)
{
	return g_bytes_equal(a, b);
}

PerfFile *perf_file_create(const char *path, const EventSet *events, GError **error)
{
	g_autoptr(PerfFile) file = g_new0(PerfFile, 1);
	file->events = events;
	file->path = g_strdup(path);
	file->modules = g_hash_table_new_full(hash_bytes, equal_bytes, (GDestroyNotify)g_bytes_unref, NULL);
	file->features = g_array_new(FALSE, FALSE, sizeof(Feature));
	g_array_set_clear_func(file->features, clear_feature);
	file->whole = whole_file_open(path, error);
	if (file->whole == NULL)
		return NULL;
	file->stream = whole_file_stream(file->whole);
	setvbuf(file->stream, NULL, _IOFBF, WRITE_BUFFER_BYTES);
	return write_head(file, error) ? g_steal_pointer(&file) : NULL;
}

void perf_file_free(PerfFile *file)
{
	if (file == NULL)
		return;
	whole_file_free(file->whole);
	g_hash_table_unref(file->modules);
	g_array_unref(file->features);
	g_free(file->path);
	g_free(file);
}

/* --- records --- */

/* MMAP2: pid, tid, start, length, page offset, length of the build-id, 3 bytes of nothing, build-id, protection, flags,
 * path */
enum { MMAP_ID_LENGTH_AT = 40, MMAP_ID_AT = 44, MAX_ID_BYTES = 20, MMAP_PATH_AT = 72 };

static void note_module(PerfFile *file, const guint8 *record, gsize size)
{
	guint8 module[1 + MAX_ID_BYTES + 4096] = {0};
	const char *path = (const char *)record + MMAP_PATH_AT;
	gsize room = size - MMAP_PATH_AT - sizeof(RecordTrailer), length = strnlen(path, room);
	if (length == room || length > sizeof module - 1 - MAX_ID_BYTES || record[MMAP_ID_LENGTH_AT] > MAX_ID_BYTES ||
	        g_hash_table_size(file->modules) >= MAX_MODULES)
		return;
	module[0] = record[MMAP_ID_LENGTH_AT];
	memcpy(module + 1, record + MMAP_ID_AT, module[0]);
	memcpy(module + 1 + MAX_ID_BYTES, path, length);
	g_autoptr(GBytes) key = g_bytes_new(module, 1 + MAX_ID_BYTES + length);
	if (!g_hash_table_contains(file->modules, key))
		g_hash_table_add(file->modules, g_steal_pointer(&key));
}

static void note_time(PerfFile *file, guint64 time_ns)
{
	file->first_ns = file->first_ns == 0 ? time_ns : MIN(file->first_ns, time_ns);
	file->last_ns = MAX(file->last_ns, time_ns);
}

gboolean perf_file_append(PerfFile *file, const guint8 *record, gsize size, GError **error)
{
	struct perf_event_header header = record_header(record);
	if (header.type == PERF_RECORD_SAMPLE)
		note_time(file, record_u64(record, SAMPLE_TIME_AT));
	else if (header.type == PERF_RECORD_MMAP2 && (header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0 &&
	         size > MMAP_PATH_AT + sizeof(RecordTrailer))
		note_module(file, record, size);
	file->bytes += size;
	return write_bytes(file, record, size, error);
}

guint64 perf_file_bytes(const PerfFile *file)
{
	return file->bytes;
}

/* --- features --- */

static void add_u32(GByteArray *body, guint32 value)
{
	g_byte_array_append(body, (const guint8 *)&value, sizeof value);
}

static void add_u64(GByteArray *body, guint64 value)
{
	g_byte_array_append(body, (const guint8 *)&value, sizeof value);
}

/* Padded with zeros to a multiple of `unit`, of which at least one follows. */
static void add_padded(GByteArray *body, const char *text, gsize unit)
{
	static const guint8 zeros[64] = {0};
	gsize length = strlen(text);
	g_byte_array_append(body, (const guint8 *)text, (guint)length);
	g_byte_array_append(body, zeros, (guint)(unit - length % unit));
}

static void add_string(GByteArray *body, const char *text)
{
	add_u32(body, (guint32)(strlen(text) / 64 + 1) * 64);
	add_padded(body, text, 64);
}

static GByteArray *tracing_body(const EventSet *events)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (guint i = 0; i < events->events->len; i++)
		if (event_set_get(events, i)->attr.type == PERF_TYPE_TRACEPOINT)
			g_ptr_array_add(names, event_set_get(events, i)->name);
	return names->len > 0 ? tracing_data_make((const char *const *)(void *)names->pdata, names->len) : NULL;
}

static gint by_content(gconstpointer a, gconstpointer b)
{
	return g_bytes_compare(a, b);
}

/* One record per module, in the order of their content. The order of a hash table is not that of another run. */
static GByteArray *build_id_body(const PerfFile *file)
{
	GByteArray *body = g_byte_array_new();
	GList *modules = g_list_sort(g_hash_table_get_keys(file->modules), by_content);
	for (GList *at = modules; at != NULL; at = at->next) {
		gsize size;
		const guint8 *module = g_bytes_get_data(at->data, &size);
		g_autofree char *path = g_strndup((const char *)module + 1 + MAX_ID_BYTES, size - 1 - MAX_ID_BYTES);
		/* PERF_RECORD_HEADER_BUILD_ID with PERF_RECORD_MISC_BUILD_ID_SIZE, which says that the length of the id
		 * follows it (tools/perf/util/build-id.c). */
		struct perf_event_header header = {.type = 67, .misc = PERF_RECORD_MISC_USER | 1u << 15};
		header.size = (guint16)(sizeof header + 28 + (strlen(path) / 8 + 1) * 8);
		g_byte_array_append(body, (const guint8 *)&header, sizeof header);
		add_u32(body, (guint32)-1); /* of this machine, not of a guest */
		g_byte_array_append(body, module + 1, MAX_ID_BYTES);
		add_u32(body, module[0]);
		add_padded(body, path, 8);
	}
	g_list_free(modules);
	return body;
}

static GByteArray *string_body(const char *text)
{
	GByteArray *body = g_byte_array_new();
	add_string(body, text);
	return body;
}

static GByteArray *cpus_body(void)
{
	GByteArray *body = g_byte_array_new();
	add_u32(body, (guint32)MAX(sysconf(_SC_NPROCESSORS_CONF), 1));
	add_u32(body, (guint32)MAX(sysconf(_SC_NPROCESSORS_ONLN), 1));
	return body;
}

static GByteArray *command_body(const char *const *command)
{
	GByteArray *body = g_byte_array_new();
	add_u32(body, g_strv_length((char **)command));
	for (; *command != NULL; command++)
		add_string(body, *command);
	return body;
}

static GByteArray *events_body(const EventSet *events)
{
	GByteArray *body = g_byte_array_new();
	add_u32(body, events->events->len);
	add_u32(body, sizeof(struct perf_event_attr));
	for (guint i = 0; i < events->events->len; i++) {
		const OpenEvent *event = event_set_get(events, i);
		struct perf_event_attr attr = file_attr(event);
		g_byte_array_append(body, (const guint8 *)&attr, sizeof attr);
		add_u32(body, events->n_cpus);
		add_string(body, event->name);
		g_byte_array_append(body, (const guint8 *)event->ids, (guint)(events->n_cpus * sizeof *event->ids));
	}
	return body;
}

static guint count_members(const EventSet *events, guint leader)
{
	guint n = 0;
	for (guint i = 0; i < events->events->len; i++)
		n += event_set_get(events, i)->leader == leader;
	return n;
}

/* NULL if there are no groups. */
static GByteArray *groups_body(const EventSet *events)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	guint32 n_groups = 0;
	add_u32(body, n_groups);
	for (guint i = 0; i < events->events->len; i++) {
		guint members = count_members(events, i);
		if (members < 2)
			continue;
		add_string(body, "{anon_group}");
		add_u32(body, i);
		add_u32(body, members);
		n_groups++;
	}
	memcpy(body->data, &n_groups, sizeof n_groups);
	return n_groups > 0 ? g_steal_pointer(&body) : NULL;
}

static GByteArray *times_body(const PerfFile *file)
{
	GByteArray *body = g_byte_array_new();
	add_u64(body, file->first_ns);
	add_u64(body, file->last_ns);
	return body;
}

/* Takes the body; nothing if it is NULL. */
static void add_feature(PerfFile *file, guint number, GByteArray *body)
{
	Feature feature = {.number = number, .body = body};
	if (body != NULL)
		g_array_append_val(file->features, feature);
}

static GByteArray *stacks_body(const PerfFileTail *tail)
{
	GByteArray *body = g_byte_array_new();
	add_u64(body, tail->stacks);
	add_u64(body, tail->incomplete);
	return body;
}

static void collect_features(PerfFile *file, const PerfFileTail *tail)
{
	struct utsname machine = {0};
	uname(&machine);
	add_feature(file, FEATURE_TRACING_DATA, tracing_body(file->events));
	add_feature(file, FEATURE_BUILD_ID, build_id_body(file));
	add_feature(file, FEATURE_OSRELEASE, string_body(machine.release));
	add_feature(file, FEATURE_VERSION, string_body("firebreak"));
	add_feature(file, FEATURE_ARCH, string_body(machine.machine));
	add_feature(file, FEATURE_NRCPUS, cpus_body());
	if (tail->command != NULL)
		add_feature(file, FEATURE_CMDLINE, command_body(tail->command));
	add_feature(file, FEATURE_EVENT_DESC, events_body(file->events));
	add_feature(file, FEATURE_GROUP_DESC, groups_body(file->events));
	add_feature(file, FEATURE_SAMPLE_TIME, times_body(file));
	add_feature(file, PERF_MAPS_FEATURE,
	        g_byte_array_append(g_byte_array_new(), tail->perf_maps->data, tail->perf_maps->len));
	if (tail->completes_stacks)
		add_feature(file, PERF_DATA_STACKS_FEATURE, stacks_body(tail));
	g_autofree char *mark = recording_origin_mark();
	if (mark != NULL)
		add_feature(file, PERF_DATA_ORIGIN_FEATURE, string_body(mark));
}

/* The table of features and the features, after the records. Nothing in the table says which feature a row is of: the
 * rows are in the order of the bits in the header. */
static gboolean write_features(PerfFile *file, GError **error)
{
	FileHeader header = make_header(file);
	guint64 at = header.data.offset + header.data.size + file->features->len * sizeof(FileSection);
	for (guint i = 0; i < file->features->len; i++) {
		FileSection section = {.offset = at, .size = g_array_index(file->features, Feature, i).body->len};
		if (!write_bytes(file, &section, sizeof section, error))
			return FALSE;
		at += section.size;
	}
	for (guint i = 0; i < file->features->len; i++) {
		const GByteArray *body = g_array_index(file->features, Feature, i).body;
		if (!write_bytes(file, body->data, body->len, error))
			return FALSE;
	}
	return TRUE;
}

gboolean perf_file_complete(PerfFile *file, const PerfFileTail *tail, GError **error)
{
	collect_features(file, tail);
	FileHeader header = make_header(file);
	if (!write_features(file, error))
		return FALSE;
	/* Only now are the size of the records and the list of features known. */
	if (fseek(file->stream, 0, SEEK_SET) == 0 && write_bytes(file, &header, sizeof header, error))
		return whole_file_publish(file->whole, error);
	if (error != NULL && *error == NULL)
		firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot write %s", file->path);
	return FALSE;
}
