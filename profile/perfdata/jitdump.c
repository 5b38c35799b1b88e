/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/jitdump.h"

#include "profile/perfdata/codemap.h"
#include "profile/perfdata/ownedfile.h"

#include <string.h>

#define JIT_MAGIC 0x4a695444u
#define MAX_DUMP_BYTES ((gsize)256 << 20)
#define MAX_SYMBOLS (1u << 20)
#define MAX_NAME_BYTES 4096

enum {
	JIT_CODE_LOAD = 0,
	JIT_CODE_MOVE = 1,
	JIT_DEBUG_INFO = 2,
	JIT_CLOSE = 3,
	HEADER_BYTES = 40,
	RECORD_HEAD_BYTES = 16,
	/* JITDUMP_FLAGS_ARCH_TIMESTAMP: times are ticks of the TSC, which cannot be compared with a recording's
	 * nanoseconds. */
	FLAG_TSC_TIME = 1 << 0,
};

/* Code that comes to, or leaves, a range. */
typedef struct {
	guint64 time_ns;
	guint64 start, size;
	guint32 symbol; /* row, or CODE_MAP_NOTHING */
} JitEvent;

struct JitDump {
	GStringChunk *text;
	GArray *symbols; /* of JitSymbol; the numbers of the ranges are rows of it */
	GArray *events;  /* of JitEvent, by time */
	guint n_done;    /* events that are in `now` */
	CodeMap *now, *at_end;
	gboolean has_times; /* of a clock that recordings know */
};

typedef struct {
	JitDump *dump;
	const guint8 *bytes;
	gsize length;
	gboolean is_swapped;
	GHashTable *by_index; /* code_index -> row of its symbol + 1 */
	JitSymbol source;     /* file and line of the code at source_address, to come */
	guint64 source_address;
} JitReader;

static guint32 u32_at(const JitReader *reader, const guint8 *bytes)
{
	guint32 value;
	memcpy(&value, bytes, sizeof value);
	return reader->is_swapped ? GUINT32_SWAP_LE_BE(value) : value;
}

static guint64 u64_at(const JitReader *reader, const guint8 *bytes)
{
	guint64 value;
	memcpy(&value, bytes, sizeof value);
	return reader->is_swapped ? GUINT64_SWAP_LE_BE(value) : value;
}

/* Text up to its NUL, which must come before the end of `length` bytes; NULL if it does not. */
static const char *take_text(JitReader *reader, const guint8 *bytes, gsize length)
{
	const guint8 *end = memchr(bytes, '\0', MIN(length, MAX_NAME_BYTES));
	return end != NULL ? g_string_chunk_insert_const(reader->dump->text, (const char *)bytes) : NULL;
}

/* pid, tid, vma, address, size, index, name, code */
static void read_load(JitReader *reader, guint64 time_ns, const guint8 *body, gsize length)
{
	enum { FIXED_BYTES = 40 };
	JitDump *dump = reader->dump;
	if (length <= FIXED_BYTES || dump->symbols->len >= MAX_SYMBOLS)
		return;
	JitSymbol symbol = {.name = take_text(reader, body + FIXED_BYTES, length - FIXED_BYTES)};
	JitEvent event = {time_ns, u64_at(reader, body + 16), u64_at(reader, body + 24), dump->symbols->len};
	guint64 code_index = u64_at(reader, body + 32);
	if (symbol.name == NULL || *symbol.name == '\0')
		return;
	/* The specification has the debug information of a piece of code right before the record that loads it. It is
	 * dropped after any load, so that it never names other code that comes to the same address. */
	if (reader->source.file != NULL && reader->source_address == event.start) {
		symbol.file = reader->source.file;
		symbol.line = reader->source.line;
	}
	reader->source.file = NULL;
	g_array_append_val(dump->symbols, symbol);
	g_array_append_val(dump->events, event);
	g_hash_table_insert(
	        reader->by_index, g_memdup2(&code_index, sizeof code_index), GUINT_TO_POINTER(dump->symbols->len));
}

/* pid, tid, vma, old address, new address, size, index */
static void read_move(JitReader *reader, guint64 time_ns, const guint8 *body, gsize length)
{
	enum { FIXED_BYTES = 48 };
	if (length < FIXED_BYTES || reader->dump->events->len >= 2 * MAX_SYMBOLS)
		return;
	guint64 size = u64_at(reader, body + 32), code_index = u64_at(reader, body + 40);
	guint row = GPOINTER_TO_UINT(g_hash_table_lookup(reader->by_index, &code_index));
	if (row == 0)
		return;
	const JitEvent events[] = {
	        {time_ns, u64_at(reader, body + 16), size, CODE_MAP_NOTHING},
	        {time_ns, u64_at(reader, body + 24), size, row - 1},
	};
	g_array_append_vals(reader->dump->events, events, G_N_ELEMENTS(events));
}

/* address of the code, number of entries; of the first entry: address, line, column, path */
static void read_debug_info(JitReader *reader, const guint8 *body, gsize length)
{
	enum { FIXED_BYTES = 32 };
	if (length <= FIXED_BYTES || u64_at(reader, body + 8) == 0)
		return;
	reader->source_address = u64_at(reader, body);
	reader->source.line = u32_at(reader, body + 24);
	reader->source.file = take_text(reader, body + FIXED_BYTES, length - FIXED_BYTES);
	if (reader->source.file != NULL && *reader->source.file == '\0')
		reader->source.file = NULL;
}

static gboolean read_header(JitReader *reader, gsize *header_bytes)
{
	if (reader->length < HEADER_BYTES)
		return FALSE;
	guint32 magic = u32_at(reader, reader->bytes);
	reader->is_swapped = magic == GUINT32_SWAP_LE_BE(JIT_MAGIC);
	/* A later version may have a longer header, and says so. */
	*header_bytes = u32_at(reader, reader->bytes + 8);
	reader->dump->has_times = (u64_at(reader, reader->bytes + 32) & FLAG_TSC_TIME) == 0;
	return (magic == JIT_MAGIC || reader->is_swapped) && *header_bytes >= HEADER_BYTES &&
	       *header_bytes <= reader->length;
}

/* Sizes are those of a foreign file: a record that does not fit ends the reading, since where the next one begins is
 * not known then. Records of other kinds, such as unwinding information, are skipped by their size. */
static void read_records(JitReader *reader, gsize at)
{
	while (reader->length - at >= RECORD_HEAD_BYTES) {
		const guint8 *head = reader->bytes + at, *body = head + RECORD_HEAD_BYTES;
		guint32 id = u32_at(reader, head), size = u32_at(reader, head + 4);
		guint64 time_ns = u64_at(reader, head + 8);
		if (size < RECORD_HEAD_BYTES || size > reader->length - at || id == JIT_CLOSE)
			return;
		if (id == JIT_CODE_LOAD)
			read_load(reader, time_ns, body, size - RECORD_HEAD_BYTES);
		else if (id == JIT_CODE_MOVE)
			read_move(reader, time_ns, body, size - RECORD_HEAD_BYTES);
		else if (id == JIT_DEBUG_INFO)
			read_debug_info(reader, body, size - RECORD_HEAD_BYTES);
		at += size;
	}
}

/* Threads of a compiler may write their records a little out of order; those of one time stay as they are.
 * g_qsort_with_data() is stable. */
static gint compare_events(gconstpointer a, gconstpointer b, gpointer data)
{
	const JitEvent *x = a, *y = b;
	(void)data;
	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static void apply(CodeMap *map, const JitEvent *event)
{
	code_map_set(map, event->start, event->size, event->symbol);
}

static JitDump *dump_new(void)
{
	JitDump *dump = g_new0(JitDump, 1);
	dump->text = g_string_chunk_new(1 << 12);
	dump->symbols = g_array_new(FALSE, FALSE, sizeof(JitSymbol));
	dump->events = g_array_new(FALSE, FALSE, sizeof(JitEvent));
	dump->now = code_map_new();
	dump->at_end = code_map_new();
	return dump;
}

JitDump *jit_dump_parse(const guint8 *bytes, gsize length)
{
	gsize header_bytes;
	g_autoptr(JitDump) dump = dump_new();
	JitReader reader = {.dump = dump, .bytes = bytes, .length = length};
	if (!read_header(&reader, &header_bytes))
		return NULL;
	reader.by_index = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	read_records(&reader, header_bytes);
	g_hash_table_unref(reader.by_index);
	if (dump->events->len > 0)
		g_qsort_with_data(dump->events->data, (gint)dump->events->len, sizeof(JitEvent), compare_events, NULL);
	for (guint i = 0; i < dump->events->len; i++)
		apply(dump->at_end, &g_array_index(dump->events, JitEvent, i));
	return g_steal_pointer(&dump);
}

void jit_dump_free(JitDump *dump)
{
	if (dump == NULL)
		return;
	g_string_chunk_free(dump->text);
	g_array_unref(dump->symbols);
	g_array_unref(dump->events);
	code_map_free(dump->now);
	code_map_free(dump->at_end);
	g_free(dump);
}

gboolean jit_dump_is_path(const char *path)
{
	const char *base = strrchr(path, '/');
	base = base != NULL ? base + 1 : path;
	return g_str_has_prefix(base, "jit-") && g_str_has_suffix(base, ".dump");
}

JitDump *jit_dump_read(const char *path, gint32 pid)
{
	gsize length;
	g_autofree char *root = process_root(pid);
	const OwnedFile file = {.root = root, .path = path, .pid = pid, .max_bytes = MAX_DUMP_BYTES};
	g_autoptr(GBytes) content = owned_file_read(&file, NULL);
	const guint8 *bytes = content != NULL ? g_bytes_get_data(content, &length) : NULL;
	return bytes != NULL ? jit_dump_parse(bytes, length) : NULL;
}

guint jit_dump_advance(JitDump *dump, guint64 time_ns)
{
	while (dump->has_times && dump->n_done < dump->events->len) {
		const JitEvent *event = &g_array_index(dump->events, JitEvent, dump->n_done);
		if (event->time_ns > time_ns)
			break;
		apply(dump->now, event);
		dump->n_done++;
	}
	return dump->n_done;
}

gboolean jit_dump_find(const JitDump *dump, guint64 address, JitSymbol *symbol)
{
	guint32 row = code_map_find(dump->now, address);
	if (row == CODE_MAP_NOTHING)
		row = code_map_find(dump->at_end, address);
	if (row != CODE_MAP_NOTHING)
		*symbol = g_array_index(dump->symbols, JitSymbol, row);
	return row != CODE_MAP_NOTHING;
}
