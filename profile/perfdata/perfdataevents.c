/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdataevents.h"

#include "core/error.h"

enum {
	/* Sizes and places are those of struct perf_event_attr in linux/perf_event.h: 64 is PERF_ATTR_SIZE_VER0. Where
	 * an attribute says no depth of stack, the kernel takes kernel.perf_event_max_stack, which is 127 if nobody
	 * changed it. */
	SMALLEST_ATTR_BYTES = 64,
	FLAGS_AT = 40,
	MAX_STACK_AT = 108,
	DEFAULT_MAX_STACK = 127,
	MAX_EVENTS = 4096,
};

/* Numbers of the attribute's one-bit fields. */
enum {
	FLAG_EXCLUDE_USER = 4,
	FLAG_EXCLUDE_KERNEL = 5,
	FLAG_FREQ = 10,
	FLAG_SAMPLE_ID_ALL = 18,
};

void perf_events_init(PerfDataEvents *events)
{
	*events = (PerfDataEvents){
	        .attrs = g_array_new(FALSE, FALSE, sizeof(PerfDataAttr)),
	        .ids = g_array_new(FALSE, FALSE, sizeof(PerfDataId)),
	};
}

void perf_events_clear(PerfDataEvents *events)
{
	g_clear_pointer(&events->attrs, g_array_unref);
	g_clear_pointer(&events->ids, g_array_unref);
}

/* Bit fields fill their bytes from the lowest bit on little-endian machines and from the highest on the others. */
static gboolean read_flag(PerfBytes attr, guint flag)
{
	gboolean is_big_endian = attr.is_swapped == (G_BYTE_ORDER == G_LITTLE_ENDIAN);
	guint bit = is_big_endian ? 7 - flag % 8 : flag % 8;
	return (attr.bytes[FLAGS_AT + flag / 8] >> bit & 1) != 0;
}

/* As much is read as the attribute says to have; fields of later versions are 0 then. */
static gboolean read_attr(PerfBytes bytes, PerfDataAttr *attr)
{
	guint32 size = 0;
	guint16 max_stack = 0;
	/* the first version had no size */
	if (perf_bytes_u32(bytes, 4, &size) && size == 0)
		size = SMALLEST_ATTR_BYTES;
	if (size < SMALLEST_ATTR_BYTES || !perf_bytes_part(bytes, 0, size, &bytes))
		return FALSE;
	*attr = (PerfDataAttr){
	        .is_frequency = read_flag(bytes, FLAG_FREQ),
	        .id_in_all = read_flag(bytes, FLAG_SAMPLE_ID_ALL),
	        .exclude_user = read_flag(bytes, FLAG_EXCLUDE_USER),
	        .exclude_kernel = read_flag(bytes, FLAG_EXCLUDE_KERNEL),
	};
	perf_bytes_u32(bytes, 0, &attr->type);
	perf_bytes_u64(bytes, 8, &attr->config);
	perf_bytes_u64(bytes, 16, &attr->period_or_frequency);
	perf_bytes_u64(bytes, 24, &attr->sample_type);
	perf_bytes_u64(bytes, 32, &attr->read_format);
	perf_bytes_u64(bytes, 72, &attr->branch_type);
	perf_bytes_u64(bytes, 80, &attr->user_registers);
	perf_bytes_u16(bytes, MAX_STACK_AT, &max_stack);
	attr->max_stack = max_stack != 0 ? max_stack : DEFAULT_MAX_STACK;
	return TRUE;
}

static const char *plain_event_name(const PerfDataAttr *attr)
{
	static const char *const hardware[] = {"cycles", "instructions", "cache-references", "cache-misses", "branches",
	        "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
	static const char *const software[] = {"cpu-clock", "task-clock", "page-faults", "context-switches",
	        "cpu-migrations", "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
	        "bpf-output", "cgroup-switches"};
	/* the upper half of a hardware event's config names the PMU of a hybrid processor */
	guint64 config = attr->type == 0 ? attr->config & G_MAXUINT32 : attr->config;
	if (attr->type == 0 && config < G_N_ELEMENTS(hardware))
		return hardware[config];
	if (attr->type == 1 && config < G_N_ELEMENTS(software))
		return software[config];
	return NULL;
}

static char *event_name(const PerfDataAttr *attr)
{
	enum { TYPE_RAW = 4 };
	const char *plain = plain_event_name(attr);
	g_autofree char *number =
	        attr->type == TYPE_RAW ? g_strdup_printf("r%" G_GINT64_MODIFIER "x", attr->config)
	                               : g_strdup_printf("event-%u-%" G_GINT64_MODIFIER "x", attr->type, attr->config);
	const char *modifier = attr->exclude_kernel ? ":u" : attr->exclude_user ? ":k" : "";
	return g_strconcat(plain != NULL ? plain : number, modifier, NULL);
}

/* Clocks count nanoseconds, and so do waits, which are recorded under perf's name for them, "offcpu-time"; everything
 * else counts itself. */
static char *event_unit(const PerfDataAttr *attr, const char *name)
{
	const char *plain = plain_event_name(attr);
	if ((attr->type == 1 && attr->config <= 1) || g_str_has_prefix(name, "offcpu-time"))
		return g_strdup("ns");
	if (plain != NULL)
		return g_strdup(plain);
	const char *colon = strrchr(name, ':');
	/* `cycles:u` counts cycles, while `sched:sched_switch` has a colon of its own. */
	gboolean is_modifier = colon != NULL && strspn(colon + 1, "ukhGHIpPSDWeb") == strlen(colon + 1);
	return g_strndup(name, is_modifier ? (gsize)(colon - name) : strlen(name));
}

gboolean perf_events_add(
        PerfDataEvents *events, PerfBytes attr_bytes, PerfBytes ids, PerfDataSummary *summary, GError **error)
{
	PerfDataAttr attr;
	gboolean is_full = events->attrs->len == MAX_EVENTS;
	if (is_full || !read_attr(attr_bytes, &attr)) {
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        is_full ? "corrupt: too many events" : "corrupt: an event's attributes are broken");
		return FALSE;
	}
	PerfDataEvent event = {.type = attr.type, .config = attr.config, .name = event_name(&attr)};
	*(attr.is_frequency ? &event.frequency_hz : &event.period) = attr.period_or_frequency;
	event.unit = event_unit(&attr, event.name);
	g_array_append_val(summary->events, event);
	perf_events_add_ids(events, ids, events->attrs->len);
	g_array_append_val(events->attrs, attr);
	return TRUE;
}

void perf_events_add_ids(PerfDataEvents *events, PerfBytes ids, guint event)
{
	PerfDataId entry = {.event = event};
	for (gsize at = 0; perf_bytes_u64(ids, at, &entry.id); at += sizeof entry.id)
		g_array_append_val(events->ids, entry);
	events->is_sorted = FALSE;
}

static gint compare_ids(gconstpointer a, gconstpointer b)
{
	guint64 x = ((const PerfDataId *)a)->id, y = ((const PerfDataId *)b)->id;
	return (x > y) - (x < y);
}

/* The sort keeps the order of equal ids. Of an id that two events claim, the first one has it. */
static void sort_ids(PerfDataEvents *events)
{
	guint n_kept = 0;
	g_array_sort(events->ids, compare_ids);
	for (guint i = 0; i < events->ids->len; i++) {
		PerfDataId entry = g_array_index(events->ids, PerfDataId, i);
		if (n_kept == 0 || g_array_index(events->ids, PerfDataId, n_kept - 1).id != entry.id)
			g_array_index(events->ids, PerfDataId, n_kept++) = entry;
	}
	g_array_set_size(events->ids, n_kept);
	events->is_sorted = TRUE;
}

gboolean perf_events_find(PerfDataEvents *events, guint64 id, guint *event)
{
	guint found;
	if (!events->is_sorted)
		sort_ids(events);
	if (!g_array_binary_search(events->ids, &(PerfDataId){.id = id}, compare_ids, &found))
		return FALSE;
	*event = g_array_index(events->ids, PerfDataId, found).event;
	return TRUE;
}

void perf_events_rename(const PerfDataEvents *events, guint event_index, const char *name, PerfDataSummary *summary)
{
	PerfDataEvent *event = &g_array_index(summary->events, PerfDataEvent, event_index);
	if (*name == '\0')
		return;
	g_free(event->unit);
	g_free(event->name);
	event->unit = event_unit(perf_events_attr(events, event_index), name);
	event->name = g_strdup(name);
}
