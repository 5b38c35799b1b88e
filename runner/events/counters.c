/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/counters.h"

#include "core/error.h"
#include "runner/events/eventtables.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct {
	const KnownEvent *event;
	int fd;
	gboolean leads; /* switched on and off by itself; the others follow their leader */
} Counter;

struct Counters {
	GArray *open; /* of Counter */
	int whole_fd; /* task-clock that is never switched off; -1 = the first counter is that */
};

/* task-clock first: it has to be there. The hardware events follow their leader, cycles. */
static const char *const software_events[] = {"task-clock", "page-faults", "context-switches", "cpu-migrations"};
static const char *const hardware_events[] = {"cycles", "instructions", "branch-misses", "cache-misses"};

/* The settings with which the counters of one recording are opened. */
typedef struct {
	pid_t pid;
	gboolean start_disabled;
	gboolean exclude_kernel;
} CounterMode;

/* Only leaders wait for the exec: a member of a group counts as soon as its leader does, and one that were disabled
 * itself would have to be enabled besides. Time enabled and time running tell what a counter lacks that had to take
 * turns. */
static int open_counter(const KnownEvent *event, CounterMode mode, int leader)
{
	struct perf_event_attr attr = {
	        .type = event->type,
	        .config = event->config,
	        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	        .disabled = leader < 0,
	        .enable_on_exec = leader < 0 && !mode.start_disabled,
	        .inherit = 1,
	        .exclude_kernel = mode.exclude_kernel,
	        .exclude_hv = 1,
	};
	return perf_event_open_fd(&attr, mode.pid, -1, leader);
}

static gboolean add_counter(Counters *counters, const char *name, CounterMode mode, int leader)
{
	Counter counter = {.event = known_event(name), .leads = leader < 0};
	counter.fd = open_counter(counter.event, mode, leader);
	if (counter.fd < 0)
		return FALSE;
	g_array_append_val(counters->open, counter);
	return TRUE;
}

/* The members of a group are counted together or not at all, so that instructions and cycles are of the same time. */
static void add_hardware(Counters *counters, CounterMode mode)
{
	int leader = -1;
	mode.exclude_kernel = TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(hardware_events); i++)
		if (add_counter(counters, hardware_events[i], mode, leader) && leader < 0)
			leader = g_array_index(counters->open, Counter, counters->open->len - 1).fd;
}

/* Where the benchmark itself switches counting on and off, its counters say nothing of the rest of the run, and what
 * the kernel says of the run's CPU time (wait4) could not be compared with them. */
static gboolean open_whole(Counters *counters, CounterMode mode, GError **error)
{
	if (!mode.start_disabled)
		return TRUE;
	mode.start_disabled = FALSE;
	counters->whole_fd = open_counter(known_event(software_events[0]), mode, -1);
	return counters->whole_fd >= 0 || perf_event_refused(error, software_events[0], errno);
}

Counters *counters_open(pid_t pid, const PerfAbilities *abilities, gboolean start_disabled, GError **error)
{
	g_autoptr(Counters) counters = g_new0(Counters, 1);
	const CounterMode mode = {
	        .pid = pid, .start_disabled = start_disabled, .exclude_kernel = !abilities->kernel_allowed};
	counters->open = g_array_new(FALSE, FALSE, sizeof(Counter));
	counters->whole_fd = -1;
	for (gsize i = 0; i < G_N_ELEMENTS(software_events); i++) {
		if (mode.exclude_kernel && known_event(software_events[i])->in_kernel_only)
			continue;
		if (!add_counter(counters, software_events[i], mode, -1) && i == 0) {
			perf_event_refused(error, software_events[i], errno);
			return NULL;
		}
	}
	if (!open_whole(counters, mode, error))
		return NULL;
	if (abilities->hardware)
		add_hardware(counters, mode);
	return g_steal_pointer(&counters);
}

void counters_free(Counters *counters)
{
	if (counters == NULL)
		return;
	if (counters->whole_fd >= 0)
		close(counters->whole_fd);
	for (guint i = 0; i < counters->open->len; i++)
		close(g_array_index(counters->open, Counter, i).fd);
	g_array_unref(counters->open);
	g_free(counters);
}

gboolean counters_enable(Counters *counters, gboolean on, GError **error)
{
	for (guint i = 0; i < counters->open->len; i++) {
		const Counter *counter = &g_array_index(counters->open, Counter, i);
		if (counter->leads && ioctl(counter->fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) != 0)
			return firebreak_set_errno(error, FIREBREAK_ERROR_INVALID, errno,
			        "cannot switch the counter %s %s", counter->event->name, on ? "on" : "off");
	}
	return TRUE;
}

/* Where there are more events than the CPU has counters, the kernel lets them take turns, and tells for how long each
 * was wanted and for how long it ran. The product of both has more than 64 bits. */
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

static gboolean read_raw(const char *name, int fd, guint64 raw[3], GError **error)
{
	return read(fd, raw, 3 * sizeof *raw) == 3 * (gssize)sizeof *raw ||
	       firebreak_set_errno(error, FIREBREAK_ERROR_INVALID, errno, "cannot read the counter %s", name);
}

gboolean counters_whole_ns(const Counters *counters, double *ns, GError **error)
{
	guint64 raw[3] = {0}, scaled = 0;
	int fd = counters->whole_fd >= 0 ? counters->whole_fd : g_array_index(counters->open, Counter, 0).fd;
	if (!read_raw(software_events[0], fd, raw, error))
		return FALSE;
	*ns = counter_scale(raw[0], raw[1], raw[2], &scaled) ? (double)scaled : 0;
	return TRUE;
}

GArray *counters_read(Counters *counters, GError **error)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(CounterValue));
	for (guint i = 0; i < counters->open->len; i++) {
		const Counter *counter = &g_array_index(counters->open, Counter, i);
		guint64 raw[3] = {0}, scaled = 0; /* value, time enabled, time running */
		if (!read_raw(counter->event->name, counter->fd, raw, error))
			return NULL;
		CounterValue value = {.name = counter->event->name, .unit = counter->event->unit};
		value.counted = counter_scale(raw[0], raw[1], raw[2], &scaled);
		value.value = (double)scaled;
		value.running_share = value.counted ? (double)raw[2] / (double)raw[1] : 0;
		g_array_append_val(values, value);
	}
	return g_steal_pointer(&values);
}
