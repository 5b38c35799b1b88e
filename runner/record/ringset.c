/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/ringset.h"

#include "core/clock.h"
#include "core/error.h"
#include "runner/record/recordlayout.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define KIB ((gsize)1024)
#define USUAL_RING_BYTES (512 * KIB)
/* Where samples bring a piece of stack, and taking them out may wait for a module's call frame information: what comes
 * in some 10 ms. */
#define REPAIR_RING_BYTES (16 * 1024 * KIB)
#define DWARF_RING_BYTES (32 * 1024 * KIB)
/* The same of a clock that is read that often at most, some 30 MB a second: what comes in 100 ms. Mapping takes the
 * kernel a millisecond for every few MiB. */
#define CALM_RING_BYTES (4 * 1024 * KIB)
#define CALM_HZ 10000
#define MIN_RING_BYTES (32 * KIB)
/* The limit is on all buffers together; it tells on machines with many CPUs or little memory. */
#define TOTAL_RING_BYTES (256 * 1024 * KIB)
#define MEMORY_PART 16
#define WAITING_NS 1000000
/* While a batch is worked on, the buffers are looked at after so many records, or where one record may take long, by a
 * thread after such a time; what they hold is taken out before they are full, up to so many bytes. */
#define RECORDS_BETWEEN_LOOKS 32
#define KEEPER_US 500
#define MAX_INCOMING_BYTES (256 * 1024 * KIB)

typedef struct {
	int fd;
	struct perf_event_mmap_page *page; /* NULL = not mapped */
	gsize bytes;
	guint64 head; /* of the batch that is taken out */
} Ring;

/* A record of the batch. */
typedef struct {
	guint64 time_ns;
	gsize at;
} BatchRow;

struct RingSet {
	GArray *rings;     /* of Ring */
	GByteArray *batch; /* records as they came, whole */
	GArray *rows;      /* of BatchRow */
	gboolean is_limited;
	gsize max_incoming_bytes;
	GThread *keeper; /* NULL = what is done with records never takes long */
	GMutex lock;     /* of all below, and of the tails of the rings */
	GCond changed;
	GByteArray *incoming; /* records of the next batch that are here already */
	gboolean is_visiting, is_over;
};

/* --- mapping --- */

static gsize page_bytes(void)
{
	return (gsize)sysconf(_SC_PAGESIZE);
}

/* On a small machine, the limit is a part of its memory. */
static gsize at_most(gsize bytes)
{
	return MIN(bytes, (gsize)MAX(sysconf(_SC_PHYS_PAGES), 0) * page_bytes() / MEMORY_PART);
}

/* TRUE if samples come evenly and not often: events that are counted may come all at once. */
static gboolean is_calm(const EventSet *events)
{
	guint64 sum_hz = 0;
	for (guint i = 0; i < events->events->len; i++) {
		const OpenEvent *event = event_set_get(events, i);
		const struct perf_event_attr *attr = &event->attr;
		gboolean is_clock =
		        attr->type == PERF_TYPE_SOFTWARE &&
		        (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK);
		if (event->always_on)
			continue;
		if (!is_clock || !attr->freq)
			return FALSE;
		sum_hz += attr->sample_freq;
	}
	return sum_hz <= CALM_HZ;
}

static gsize usual_bytes(const EventSet *events)
{
	if (events->stacks == RECORDER_DWARF)
		return DWARF_RING_BYTES;
	if (events->stacks != RECORDER_LEAF_REPAIR)
		return USUAL_RING_BYTES;
	return is_calm(events) ? CALM_RING_BYTES : REPAIR_RING_BYTES;
}

gsize ring_size_least(gsize page_bytes)
{
	return MAX(MIN_RING_BYTES, page_bytes);
}

RingSize ring_size_choose(const RingRoom *room)
{
	gsize least = ring_size_least(room->page_bytes), bytes = MAX(room->usual_bytes, least);
	while (bytes > least && bytes > room->total_bytes / MAX(room->n_cpus, 1))
		bytes /= 2;
	RingSize size = {.wished_bytes = bytes};
	while (bytes > least && bytes > room->allowed_bytes)
		bytes /= 2;
	size.first_bytes = bytes;
	return size;
}

/* A user without privileges may lock kernel.perf_event_mlock_kb for each CPU, and RLIMIT_MEMLOCK in all. Two recordings
 * at once are to get buffers of the same size, the head page of each included. */
static gsize allowed_bytes(const EventSet *events)
{
	struct rlimit limit;
	g_autofree char *text = NULL;
	if (geteuid() == 0 || getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	        !g_file_get_contents("/proc/sys/kernel/perf_event_mlock_kb", &text, NULL, NULL))
		return G_MAXSIZE;
	gsize per_cpu = g_ascii_strtoull(text, NULL, 10) * KIB + limit.rlim_cur / MAX(events->n_cpus, 1);
	gsize share = events->alone ? per_cpu : per_cpu / 2;
	return share > page_bytes() ? share - page_bytes() : 0;
}

static void unmap_all(RingSet *rings)
{
	for (guint i = 0; i < rings->rings->len; i++) {
		Ring *ring = &g_array_index(rings->rings, Ring, i);
		if (ring->page != NULL)
			munmap(ring->page, ring->bytes + page_bytes());
		ring->page = NULL;
	}
}

/* Returns 0 or errno. */
static int map_all(RingSet *rings, gsize bytes)
{
	for (guint i = 0; i < rings->rings->len; i++) {
		Ring *ring = &g_array_index(rings->rings, Ring, i);
		/* The first page holds the positions (struct perf_event_mmap_page); the data follow. */
		void *at = mmap(NULL, bytes + page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
		if (at == MAP_FAILED)
			return errno;
		ring->page = at;
		ring->bytes = bytes;
	}
	return 0;
}

static gboolean map_what_is_allowed(RingSet *rings, const EventSet *events, FindingList *findings, GError **error)
{
	const RingRoom room = {
	        .usual_bytes = usual_bytes(events),
	        .total_bytes = at_most(TOTAL_RING_BYTES),
	        .n_cpus = events->n_cpus,
	        .allowed_bytes = allowed_bytes(events),
	        .page_bytes = page_bytes(),
	};
	const RingSize size = ring_size_choose(&room);
	gsize bytes = size.first_bytes, wished = size.wished_bytes;
	int failed = map_all(rings, bytes);
	/* Other programs of the user may have locked memory of the same allowance, which is seen only when it is
	 * refused. */
	while ((failed == EPERM || failed == ENOMEM) && bytes / 2 >= ring_size_least(room.page_bytes)) {
		unmap_all(rings);
		bytes /= 2;
		failed = map_all(rings, bytes);
	}
	if (failed != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, failed,
		        "cannot map a sample buffer; raise kernel.perf_event_mlock_kb or `ulimit -l`");
	rings->is_limited = bytes < wished;
	if (rings->is_limited)
		finding_add(findings, FINDING_INFO, "small_ring_buffers", NULL,
		        "the limit of locked memory allows sample buffers of %zu KiB per CPU instead of %zu; raise "
		        "kernel.perf_event_mlock_kb or `ulimit -l` if samples are lost",
		        bytes / KIB, wished / KIB);
	return TRUE;
}

/* The first event has the buffer, all others write into it. */
static gboolean join_events(const EventSet *events, GError **error)
{
	const OpenEvent *first = event_set_get(events, 0);
	for (guint i = 1; i < events->events->len; i++) {
		const OpenEvent *event = event_set_get(events, i);
		for (guint c = 0; c < events->n_cpus; c++)
			if (ioctl(event->fds[c], PERF_EVENT_IOC_SET_OUTPUT, first->fds[c]) != 0)
				return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno,
				        "cannot record %s into the same buffer as %s", event->name, first->name);
	}
	return TRUE;
}

gsize ring_set_bytes(const RingSet *rings)
{
	return g_array_index(rings->rings, Ring, 0).bytes;
}

gboolean ring_set_is_limited(const RingSet *rings)
{
	return rings->is_limited;
}

static void end_keeper(RingSet *rings)
{
	g_mutex_lock(&rings->lock);
	rings->is_over = TRUE;
	g_cond_signal(&rings->changed);
	g_mutex_unlock(&rings->lock);
	g_clear_pointer(&rings->keeper, g_thread_join);
}

void ring_set_free(RingSet *rings)
{
	if (rings == NULL)
		return;
	end_keeper(rings);
	g_mutex_clear(&rings->lock);
	g_cond_clear(&rings->changed);
	unmap_all(rings);
	g_array_unref(rings->rings);
	g_byte_array_unref(rings->batch);
	g_byte_array_unref(rings->incoming);
	g_array_unref(rings->rows);
	g_free(rings);
}

void ring_set_watches(const RingSet *rings, ChildTick ready, gpointer data, GArray *watches)
{
	for (guint i = 0; i < rings->rings->len; i++) {
		ChildWatch watch = {.fd = g_array_index(rings->rings, Ring, i).fd, .ready = ready, .data = data};
		g_array_append_val(watches, watch);
	}
}

/* --- draining --- */

/* Appends what lies between tail and head, and gives the room back. */
/* Sizes are powers of two, as the kernel demands, so a mask tells the place of a position that only grows. data_tail is
 * stored after the data were copied: from then on the kernel may write over them (linux/perf_event.h, data_head). */
static void take_out(GByteArray *batch, Ring *ring)
{
	const guint8 *data = (const guint8 *)ring->page + ring->page->data_offset;
	guint64 tail = ring->page->data_tail, mask = ring->bytes - 1;
	gsize length = ring->head - tail, first = MIN(length, ring->bytes - (tail & mask));
	g_byte_array_append(batch, data + (tail & mask), (guint)first);
	g_byte_array_append(batch, data, (guint)(length - first));
	__atomic_store_n(&ring->page->data_tail, ring->head, __ATOMIC_RELEASE);
}

/* The heads of all buffers are read before any data, so that the batch ends at about the same time on all CPUs. */
static void take_out_all(RingSet *rings, GByteArray *batch)
{
	for (guint i = 0; i < rings->rings->len; i++) {
		Ring *ring = &g_array_index(rings->rings, Ring, i);
		ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	}
	for (guint i = 0; i < rings->rings->len; i++)
		take_out(batch, &g_array_index(rings->rings, Ring, i));
}

static gboolean is_any_filling(const RingSet *rings)
{
	for (guint i = 0; i < rings->rings->len; i++) {
		const Ring *ring = &g_array_index(rings->rings, Ring, i);
		guint64 head = __atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED);
		if (head - ring->page->data_tail > ring->bytes / 4)
			return TRUE;
	}
	return FALSE;
}

/* Takes out what is there, so that no buffer overflows meanwhile. */
static void keep_incoming(RingSet *rings)
{
	if (rings->incoming->len < rings->max_incoming_bytes && is_any_filling(rings))
		take_out_all(rings, rings->incoming);
}

/* Keeps what comes while a record is handled, which may take longer than a buffer takes to fill: the first one from a
 * module waits for its call frame information. */
static gpointer keep(gpointer data)
{
	RingSet *rings = data;
	g_mutex_lock(&rings->lock);
	while (!rings->is_over) {
		if (!rings->is_visiting) {
			g_cond_wait(&rings->changed, &rings->lock);
			continue;
		}
		g_cond_wait_until(&rings->changed, &rings->lock, g_get_monotonic_time() + KEEPER_US);
		if (rings->is_visiting)
			keep_incoming(rings);
	}
	g_mutex_unlock(&rings->lock);
	return NULL;
}

/* Signals are for the thread that waits for the command. */
static void start_keeper(RingSet *rings)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rings->keeper = g_thread_new("rings", keep, rings);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

RingSet *ring_set_map(const EventSet *events, FindingList *findings, GError **error)
{
	g_autoptr(RingSet) rings = g_new0(RingSet, 1);
	rings->rings = g_array_new(FALSE, TRUE, sizeof(Ring));
	rings->batch = g_byte_array_new();
	rings->incoming = g_byte_array_new();
	rings->max_incoming_bytes = at_most(MAX_INCOMING_BYTES);
	g_mutex_init(&rings->lock);
	g_cond_init(&rings->changed);
	rings->rows = g_array_new(FALSE, FALSE, sizeof(BatchRow));
	for (guint c = 0; c < events->n_cpus; c++) {
		Ring ring = {.fd = event_set_get(events, 0)->fds[c]};
		g_array_append_val(rings->rings, ring);
	}
	if (!map_what_is_allowed(rings, events, findings, error) || !join_events(events, error))
		return NULL;
	if (events->stacks == RECORDER_LEAF_REPAIR || events->stacks == RECORDER_DWARF)
		start_keeper(rings);
	return g_steal_pointer(&rings);
}

static void set_visiting(RingSet *rings, gboolean is_visiting)
{
	g_mutex_lock(&rings->lock);
	rings->is_visiting = is_visiting;
	if (is_visiting && rings->keeper != NULL)
		g_cond_signal(&rings->changed);
	g_mutex_unlock(&rings->lock);
}

/* One row per record of the batch. */
static gboolean list_records(RingSet *rings, GError **error)
{
	struct perf_event_header header;
	g_array_set_size(rings->rows, 0);
	for (gsize at = 0; at < rings->batch->len; at += header.size) {
		const guint8 *record = rings->batch->data + at;
		gsize left = rings->batch->len - at;
		header = left >= sizeof header ? record_header(record) : (struct perf_event_header){0};
		if (header.size > left || !record_is_whole(header)) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "a sample buffer holds a record of impossible size");
			return FALSE;
		}
		BatchRow row = {.time_ns = record_time_ns(record, header), .at = at};
		g_array_append_val(rings->rows, row);
	}
	return TRUE;
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const BatchRow *x = a, *y = b;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Keeps the records from this row on for the next batch. */
static void keep_rest(RingSet *rings, guint from)
{
	g_mutex_lock(&rings->lock);
	for (guint i = from; i < rings->rows->len; i++) {
		const guint8 *record = rings->batch->data + g_array_index(rings->rows, BatchRow, i).at;
		g_byte_array_append(rings->incoming, record, record_header(record).size);
	}
	g_mutex_unlock(&rings->lock);
}

static void begin_batch(RingSet *rings)
{
	g_mutex_lock(&rings->lock);
	GByteArray *done = rings->batch;
	rings->batch = rings->incoming;
	rings->incoming = done;
	g_byte_array_set_size(rings->incoming, 0);
	take_out_all(rings, rings->batch);
	g_mutex_unlock(&rings->lock);
}

/* Hands over the records of the batch up to a time; *n is their number. */
static gboolean visit_batch(RingSet *rings, guint64 until, RingVisitor visit, gpointer data, guint *n, GError **error)
{
	for (guint i = 0; i < rings->rows->len; i++) {
		const BatchRow *row = &g_array_index(rings->rows, BatchRow, i);
		const guint8 *record = rings->batch->data + row->at;
		if (row->time_ns > until)
			break;
		if (!visit(data, record, record_header(record), error))
			return FALSE;
		*n = i + 1;
		if (rings->keeper == NULL && i % RECORDS_BETWEEN_LOOKS == 0)
			keep_incoming(rings);
	}
	return TRUE;
}

/* Hands out the records since the last batch, up to a time. */
static gboolean drain_batch(RingSet *rings, guint64 until, RingVisitor visit, gpointer data, GError **error)
{
	guint n = 0;
	begin_batch(rings);
	set_visiting(rings, TRUE);
	gboolean ok = list_records(rings, error);
	if (ok) {
		g_array_sort(rings->rows, by_time);
		ok = visit_batch(rings, until, visit, data, &n, error);
	}
	set_visiting(rings, FALSE);
	if (ok)
		keep_rest(rings, n);
	return ok;
}

gboolean ring_set_drain(RingSet *rings, gboolean all, RingVisitor visit, gpointer data, GError **error)
{
	do {
		/* A record that another CPU is still writing may be older than ones that are here. So the newest ones
		 * wait for the next batch, and records are handed out in order of time. */
		guint64 until = all ? G_MAXUINT64 : (guint64)clock_now_ns() - WAITING_NS;
		if (!drain_batch(rings, until, visit, data, error))
			return FALSE;
	} while (all && rings->incoming->len > 0);
	return TRUE;
}
