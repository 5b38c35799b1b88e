#include "runner/recorder.h"

#include "core/error.h"
#include "profile/leafhints.h"
#include "runner/samplefilter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define USUAL_RING_PAGES 128
#define LEAST_RING_PAGES 8

/* Kernel >= 6.0; older headers do not have it. */
#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

typedef struct {
	int fd;
	guint64 id;
	struct perf_event_mmap_page *page; /* NULL = not mapped */
	gsize ring_bytes;
} Ring;

struct Recorder {
	struct perf_event_attr attr;
	const PerfEventKind *event;
	gboolean kernel;
	GArray *rings; /* of Ring */
	SampleFilter *filter;
	GByteArray *drained, *passed; /* one stretch of a ring: contiguous, and as it goes to the file */
	FILE *file;
	char *path;
	RecorderCounts counts;
};

static struct perf_event_attr make_attr(const RecorderPlan *plan)
{
	return (struct perf_event_attr){
	        .type = plan->event->type,
	        .config = plan->event->config,
	        .size = sizeof(struct perf_event_attr),
	        .freq = plan->frequency_hz > 0,
	        .sample_freq = plan->frequency_hz > 0 ? plan->frequency_hz : plan->period,
	        .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
	                       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
	        .read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
	        .disabled = 1,
	        .enable_on_exec = 1,
	        .inherit = 1,
	        .exclude_kernel = !plan->kernel,
	        .exclude_callchain_kernel = !plan->kernel,
	        .exclude_hv = 1,
	        .mmap = 1,
	        .mmap2 = 1,
	        .build_id = 1,
	        .comm = 1,
	        .comm_exec = 1,
	        .task = 1,
	        .sample_id_all = 1,
	        .watermark = 1,
	        .wakeup_watermark = 32 * 1024,
	};
}

/* Opens on one CPU; settings that a kernel does not know are dropped one after the other. */
static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = perf_event_open_fd(attr, pid, cpu, -1);
	if (fd < 0 && (errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS) &&
	        (attr->sample_type & PERF_SAMPLE_STACK_USER)) {
		sample_filter_reduce(attr);
		fd = perf_event_open_fd(attr, pid, cpu, -1);
	}
	if (fd < 0 && errno == EINVAL && (attr->read_format & PERF_FORMAT_LOST)) {
		attr->read_format &= ~(guint64)PERF_FORMAT_LOST;
		fd = perf_event_open_fd(attr, pid, cpu, -1);
	}
	if (fd < 0 && errno == EINVAL && attr->build_id) {
		attr->build_id = 0;
		fd = perf_event_open_fd(attr, pid, cpu, -1);
	}
	return fd;
}

static gboolean map_ring(Ring *ring, gsize *pages, FindingList *findings, GError **error)
{
	gsize page_bytes = (gsize)sysconf(_SC_PAGESIZE);
	for (; *pages >= LEAST_RING_PAGES; *pages /= 2) {
		void *at = mmap(NULL, (1 + *pages) * page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
		if (at != MAP_FAILED) {
			ring->page = at;
			ring->ring_bytes = *pages * page_bytes;
			return TRUE;
		}
		if (errno != EPERM && errno != ENOMEM)
			break;
		finding_add(findings, FINDING_INFO, "small_ring_buffers", NULL,
		        "the locked-memory limit allows only small sample buffers; raise kernel.perf_event_mlock_kb");
	}
	return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno,
	        "cannot map a sample buffer (kernel.perf_event_mlock_kb, ulimit -l)");
}

static gboolean write_bytes(Recorder *recorder, const void *data, gsize length, GError **error)
{
	if (fwrite(data, 1, length, recorder->file) == length)
		return TRUE;
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot write %s", recorder->path);
}

typedef struct {
	guint64 offset, size;
} FileSection;

typedef struct {
	char magic[8];
	guint64 size, attr_size;
	FileSection attrs, data, event_types;
	guint64 features[4];
} FileHeader;

#define FEATURE_EVENT_DESC 12

static void set_feature(FileHeader *header, guint feature)
{
	header->features[feature / 64] |= 1ull << feature % 64;
}

static FileHeader make_header(const Recorder *recorder)
{
	guint64 ids_bytes = recorder->rings->len * sizeof(guint64);
	FileHeader header = {
	        .size = sizeof header,
	        .attr_size = sizeof(struct perf_event_attr) + sizeof(FileSection),
	        .attrs = {.offset = sizeof header + ids_bytes},
	};
	memcpy(header.magic, "PERFILE2", sizeof header.magic);
	set_feature(&header, FEATURE_EVENT_DESC);
	set_feature(&header, LEAF_HINTS_FEATURE);
	header.attrs.size = header.attr_size;
	header.data.offset = header.attrs.offset + header.attrs.size;
	header.data.size = recorder->counts.bytes;
	return header;
}

/* What describes the records as they are in the file. */
static struct perf_event_attr file_attr(const Recorder *recorder)
{
	struct perf_event_attr attr = recorder->attr;
	sample_filter_reduce(&attr);
	return attr;
}

/* head, ids, one attribute that points at the ids; then the records follow */
static gboolean write_head(Recorder *recorder, GError **error)
{
	FileHeader header = make_header(recorder);
	FileSection ids = {.offset = sizeof header, .size = recorder->rings->len * sizeof(guint64)};
	if (!write_bytes(recorder, &header, sizeof header, error))
		return FALSE;
	for (guint i = 0; i < recorder->rings->len; i++)
		if (!write_bytes(recorder, &g_array_index(recorder->rings, Ring, i).id, sizeof(guint64), error))
			return FALSE;
	struct perf_event_attr attr = file_attr(recorder);
	return write_bytes(recorder, &attr, sizeof attr, error) && write_bytes(recorder, &ids, sizeof ids, error);
}

/* EVENT_DESC: the event's name with modifiers. */
static GByteArray *event_description(const Recorder *recorder)
{
	GByteArray *body = g_byte_array_new();
	struct perf_event_attr attr = file_attr(recorder);
	g_autofree char *name = g_strconcat(recorder->event->name, recorder->kernel ? "" : ":u", NULL);
	guint32 counts[] = {1, sizeof attr}, n_ids = recorder->rings->len;
	guint32 name_bytes = ((guint32)strlen(name) + 64) / 64 * 64;
	g_autofree char *padded = g_malloc0(name_bytes);
	memcpy(padded, name, strlen(name));
	g_byte_array_append(body, (guint8 *)counts, sizeof counts);
	g_byte_array_append(body, (guint8 *)&attr, sizeof attr);
	g_byte_array_append(body, (guint8 *)&n_ids, sizeof n_ids);
	g_byte_array_append(body, (guint8 *)&name_bytes, sizeof name_bytes);
	g_byte_array_append(body, (guint8 *)padded, name_bytes);
	for (guint i = 0; i < recorder->rings->len; i++)
		g_byte_array_append(body, (guint8 *)&g_array_index(recorder->rings, Ring, i).id, sizeof(guint64));
	return body;
}

/* The table of features and the features, after the records. */
static gboolean write_features(Recorder *recorder, GError **error)
{
	g_autoptr(GByteArray) description = event_description(recorder);
	const GByteArray *hints = sample_filter_hints(recorder->filter);
	FileHeader header = make_header(recorder);
	FileSection sections[2];
	guint64 table = header.data.offset + header.data.size;
	sections[0] = (FileSection){.offset = table + sizeof sections, .size = description->len};
	sections[1] = (FileSection){.offset = sections[0].offset + description->len, .size = hints->len};
	return write_bytes(recorder, sections, sizeof sections, error) &&
	       write_bytes(recorder, description->data, description->len, error) &&
	       write_bytes(recorder, hints->data, hints->len, error);
}

/* As many pages for each ring as fit when the two runs of a round record at once, so that both get the same: a user
 * without privileges may lock kernel.perf_event_mlock_kb for each CPU, the head pages of the rings included. */
static gsize ring_pages(void)
{
	g_autofree char *text = NULL;
	if (geteuid() == 0 || !g_file_get_contents("/proc/sys/kernel/perf_event_mlock_kb", &text, NULL, NULL))
		return USUAL_RING_PAGES;
	gsize budget = g_ascii_strtoull(text, NULL, 10) * 1024 / (gsize)sysconf(_SC_PAGESIZE) / 2,
	      pages = USUAL_RING_PAGES;
	while (pages > LEAST_RING_PAGES && pages + 1 > budget)
		pages /= 2;
	return pages;
}

static gboolean open_rings(
        Recorder *recorder, pid_t pid, const int *cpus, guint n_cpus, FindingList *findings, GError **error)
{
	gsize pages = ring_pages();
	for (guint i = 0; i < n_cpus; i++) {
		Ring ring = {.fd = open_event(&recorder->attr, pid, cpus[i])};
		if (ring.fd < 0)
			return perf_event_refused(error, recorder->event->name, errno);
		gboolean mapped = map_ring(&ring, &pages, findings, error);
		g_array_append_val(recorder->rings, ring);
		if (!mapped)
			return FALSE;
		Ring *kept = &g_array_index(recorder->rings, Ring, i);
		if (ioctl(kept->fd, PERF_EVENT_IOC_ID, &kept->id) != 0)
			return firebreak_set_errno(
			        error, FIREBREAK_ERROR_ENVIRONMENT, errno, "cannot read an event's id");
	}
	return TRUE;
}

Recorder *recorder_open(const RecorderPlan *plan, pid_t pid, const int *cpus, guint n_cpus, const char *path,
        FindingList *findings, GError **error)
{
	g_autoptr(Recorder) recorder = g_new0(Recorder, 1);
	recorder->attr = make_attr(plan);
	recorder->event = plan->event;
	recorder->kernel = plan->kernel;
	recorder->path = g_strdup(path);
	recorder->rings = g_array_new(FALSE, FALSE, sizeof(Ring));
	recorder->drained = g_byte_array_new();
	recorder->passed = g_byte_array_new();
	sample_filter_extend(&recorder->attr);
	if (!open_rings(recorder, pid, cpus, n_cpus, findings, error))
		return NULL;
	recorder->filter = sample_filter_new(&recorder->attr);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	recorder->file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (recorder->file == NULL) {
		firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot write %s", path);
		return NULL;
	}
	if (!write_head(recorder, error))
		return NULL;
	return g_steal_pointer(&recorder);
}

void recorder_free(Recorder *recorder)
{
	if (recorder == NULL)
		return;
	for (guint i = 0; i < recorder->rings->len; i++) {
		Ring *ring = &g_array_index(recorder->rings, Ring, i);
		if (ring->page != NULL)
			munmap(ring->page, ring->ring_bytes + (gsize)sysconf(_SC_PAGESIZE));
		close(ring->fd);
	}
	g_array_unref(recorder->rings);
	g_byte_array_unref(recorder->drained);
	g_byte_array_unref(recorder->passed);
	g_clear_pointer(&recorder->filter, sample_filter_free);
	if (recorder->file != NULL)
		fclose(recorder->file);
	g_free(recorder->path);
	g_free(recorder);
}

static gboolean drain_ring(Recorder *recorder, Ring *ring, GError **error)
{
	const guint8 *data = (const guint8 *)ring->page + ring->page->data_offset;
	gsize mask = ring->ring_bytes - 1;
	guint64 tail = ring->page->data_tail, head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	if (head == tail)
		return TRUE;
	gsize length = head - tail, first = MIN(length, ring->ring_bytes - (tail & mask));
	g_byte_array_set_size(recorder->drained, 0);
	g_byte_array_append(recorder->drained, data + (tail & mask), (guint)first);
	g_byte_array_append(recorder->drained, data, (guint)(length - first));
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
	return sample_filter_pass(
	               recorder->filter, recorder->drained->data, length, recorder->passed, &recorder->counts, error) &&
	       write_bytes(recorder, recorder->passed->data, recorder->passed->len, error);
}

gboolean recorder_drain(Recorder *recorder, GError **error)
{
	for (guint i = 0; i < recorder->rings->len; i++)
		if (!drain_ring(recorder, &g_array_index(recorder->rings, Ring, i), error))
			return FALSE;
	return TRUE;
}

/* The kernel's own count of samples that found no room; records of LOST are written only when there is room again. */
static guint64 read_lost(const Recorder *recorder)
{
	guint64 lost = 0;
	for (guint i = 0; (recorder->attr.read_format & PERF_FORMAT_LOST) && i < recorder->rings->len; i++) {
		guint64 value[3]; /* value, id, lost */
		if (read(g_array_index(recorder->rings, Ring, i).fd, value, sizeof value) == sizeof value)
			lost += value[2];
	}
	return lost;
}

gboolean recorder_finish(Recorder *recorder, RecorderCounts *counts, GError **error)
{
	for (guint i = 0; i < recorder->rings->len; i++)
		ioctl(g_array_index(recorder->rings, Ring, i).fd, PERF_EVENT_IOC_DISABLE, 0);
	if (!recorder_drain(recorder, error) || !write_features(recorder, error))
		return FALSE;
	FileHeader header = make_header(recorder);
	if (fseek(recorder->file, 0, SEEK_SET) != 0 || !write_bytes(recorder, &header, sizeof header, error) ||
	        fflush(recorder->file) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot finish %s", recorder->path);
	recorder->counts.lost = MAX(recorder->counts.lost, read_lost(recorder));
	*counts = recorder->counts;
	return TRUE;
}
