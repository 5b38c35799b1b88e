#include "runner/counters.h"

#include "core/error.h"

#include <errno.h>
#include <unistd.h>

typedef struct {
	const PerfEventKind *kind;
	int fd;
} Counter;

struct Counters {
	GArray *open; /* of Counter */
};

/* task-clock first: it has to be there. The hardware events follow their leader, cycles. */
static const char *const software_events[] = {"task-clock", "page-faults", "context-switches", "cpu-migrations"};
static const char *const hardware_events[] = {"cycles", "instructions", "branch-misses", "cache-misses"};

/* Events that happen inside the kernel count nothing when the kernel is excluded. */
static gboolean needs_kernel(const PerfEventKind *kind)
{
	return kind->config == PERF_COUNT_SW_CONTEXT_SWITCHES || kind->config == PERF_COUNT_SW_CPU_MIGRATIONS;
}

static int open_counter(const PerfEventKind *kind, pid_t pid, int leader, gboolean exclude_kernel)
{
	struct perf_event_attr attr = {
	        .type = kind->type,
	        .config = kind->config,
	        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	        .disabled = leader < 0,
	        .enable_on_exec = leader < 0,
	        .inherit = 1,
	        .exclude_kernel = exclude_kernel,
	        .exclude_hv = 1,
	};
	return perf_event_open_fd(&attr, pid, -1, leader);
}

static gboolean add_counter(Counters *counters, const char *name, pid_t pid, int leader, gboolean exclude_kernel)
{
	Counter counter = {.kind = perf_event_kind(name)};
	counter.fd = open_counter(counter.kind, pid, leader, exclude_kernel);
	if (counter.fd < 0)
		return FALSE;
	g_array_append_val(counters->open, counter);
	return TRUE;
}

Counters *counters_open(pid_t pid, const PerfAbilities *abilities, GError **error)
{
	g_autoptr(Counters) counters = g_new0(Counters, 1);
	gboolean user_only = !abilities->kernel_allowed;
	counters->open = g_array_new(FALSE, FALSE, sizeof(Counter));
	for (gsize i = 0; i < G_N_ELEMENTS(software_events); i++) {
		if (user_only && needs_kernel(perf_event_kind(software_events[i])))
			continue;
		if (!add_counter(counters, software_events[i], pid, -1, user_only) && i == 0) {
			perf_event_refused(error, software_events[i], errno);
			return NULL;
		}
	}
	int leader = -1;
	for (gsize i = 0; abilities->hardware && i < G_N_ELEMENTS(hardware_events); i++)
		if (add_counter(counters, hardware_events[i], pid, leader, TRUE) && leader < 0)
			leader = g_array_index(counters->open, Counter, counters->open->len - 1).fd;
	return g_steal_pointer(&counters);
}

void counters_free(Counters *counters)
{
	if (counters == NULL)
		return;
	for (guint i = 0; i < counters->open->len; i++)
		close(g_array_index(counters->open, Counter, i).fd);
	g_array_unref(counters->open);
	g_free(counters);
}

gboolean counter_scale(guint64 value, guint64 enabled, guint64 running, guint64 *scaled)
{
	if (enabled == 0 || running == 0)
		return FALSE;
	if (running >= enabled) {
		*scaled = value;
		return TRUE;
	}
	unsigned __int128 product = (unsigned __int128)value * enabled + running / 2;
	unsigned __int128 quotient = product / running;
	*scaled = quotient > G_MAXUINT64 ? G_MAXUINT64 : (guint64)quotient;
	return TRUE;
}

GArray *counters_read(Counters *counters, GError **error)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(CounterValue));
	for (guint i = 0; i < counters->open->len; i++) {
		const Counter *counter = &g_array_index(counters->open, Counter, i);
		guint64 raw[3] = {0}, scaled = 0;
		if (read(counter->fd, raw, sizeof raw) != sizeof raw) {
			firebreak_set_errno(error, FIREBREAK_ERROR_INVALID, errno, "cannot read the counter %s",
			        counter->kind->name);
			return NULL;
		}
		CounterValue value = {.kind = counter->kind};
		value.counted = counter_scale(raw[0], raw[1], raw[2], &scaled);
		value.value = (double)scaled;
		value.running_share = value.counted ? (double)raw[2] / (double)raw[1] : 0;
		g_array_append_val(values, value);
	}
	return g_steal_pointer(&values);
}
