/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/eventset.h"

#include "core/error.h"
#include "runner/events/eventtables.h"
#include "runner/record/recordlayout.h"
#include "runner/record/samplefilter.h"
#include "runner/record/stackpiece.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Kernel >= 6.0; older headers do not have it. */
#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

#define FALLBACK_HZ 1999
/* A sample with its stack takes the kernel and the recorder some ten microseconds. */
#define SENSIBLE_HZ 20000

/* Features that can be left out for an older kernel, newest first; each step includes those before it. */
typedef enum { WITHOUT_NOTHING, WITHOUT_LOST_COUNT, WITHOUT_BUILD_IDS, WITHOUT_STACK } Omission;

/* One try to open everything. */
typedef struct {
	const RecorderPlan *plan;
	guint64 max_hz; /* of a frequency */
	Omission omission;
	gboolean clock_instead; /* for events with `or_clock` */
} Attempt;

/* --- periods --- */

/* TRUE if the kernel would sample each single happening: perf_swevent_event() in kernel/events/core.c does so for a
 * fixed period of what is counted in software, if samples are to tell their period. Clocks are timers. */
static gboolean must_not_tell_period(const RecorderEvent *event)
{
	guint32 type = event->spec.type;
	gboolean is_clock = type == PERF_TYPE_SOFTWARE && (event->spec.config == PERF_COUNT_SW_CPU_CLOCK ||
	                                                          event->spec.config == PERF_COUNT_SW_TASK_CLOCK);
	gboolean in_software = (type == PERF_TYPE_SOFTWARE && !is_clock) || type == PERF_TYPE_TRACEPOINT;
	return !event->off_cpu && in_software && event->frequency_hz == 0 && event->period > 1;
}

static const RecorderEvent *find_untold(const RecorderPlan *plan)
{
	for (guint i = 0; i < plan->n_events; i++)
		if (must_not_tell_period(&plan->events[i]))
			return &plan->events[i];
	return NULL;
}

/* All samples have the same fields, so one event with a period that is not told excludes those that must tell theirs.
 */
static gboolean check_periods(const RecorderPlan *plan, GError **error)
{
	const RecorderEvent *untold = find_untold(plan);
	for (guint i = 0; untold != NULL && i < plan->n_events; i++)
		if (!plan->events[i].off_cpu && plan->events[i].frequency_hz > 0)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s with a fixed period and %s with a frequency do not go into one recording",
			        untold->spec.name, plan->events[i].spec.name);
	return TRUE;
}

/* --- attributes --- */

static guint64 rate_limit_hz(void)
{
	g_autofree char *text = NULL;
	guint64 limit_hz = 0;
	if (g_file_get_contents("/proc/sys/kernel/perf_event_max_sample_rate", &text, NULL, NULL))
		limit_hz = g_ascii_strtoull(text, NULL, 10) * 3 / 4;
	return limit_hz > 0 ? limit_hz : G_MAXUINT64;
}

guint64 event_allowed_hz(guint64 hz, FindingList *findings)
{
	guint64 limit_hz = rate_limit_hz();
	if (hz <= limit_hz)
		return hz;
	finding_add(findings, FINDING_WARNING, "sampling_rate_limited", NULL,
	        "sampled less often than asked: kernel.perf_event_max_sample_rate allows no more now");
	return limit_hz;
}

static RecorderStacks stacks_of(const Attempt *attempt)
{
	return attempt->omission >= WITHOUT_STACK ? RECORDER_FRAME_POINTERS : attempt->plan->stacks;
}

static struct perf_event_attr common_attr(const Attempt *attempt)
{
	const RecorderPlan *plan = attempt->plan;
	struct perf_event_attr attr = {
	        .size = sizeof attr,
	        .sample_type =
	                RECORD_SAMPLE_TYPE | (plan->stacks == RECORDER_NO_STACKS ? 0 : (guint64)PERF_SAMPLE_CALLCHAIN),
	        .read_format =
	                PERF_FORMAT_ID | (attempt->omission < WITHOUT_LOST_COUNT ? (guint64)PERF_FORMAT_LOST : 0),
	        .inherit = 1,
	        .exclude_hv = 1,
	        .sample_id_all = 1,
	        /* The clock is that of clock_now_ns(), so that records can be compared with times that this process
	           reads. */
	        .use_clockid = 1,
	        .clockid = CLOCK_MONOTONIC,
	        .watermark = 1, /* wake up when a buffer is half full */
	};
	if (find_untold(plan) != NULL)
		attr.sample_type &= ~(guint64)PERF_SAMPLE_PERIOD;
	sample_filter_extend(&attr, stacks_of(attempt), plan->weigh_pieces ? STACK_PIECE_MAX : plan->stack_bytes);
	return attr;
}

/* Makes an event the one that tells of maps, names, forks and, where waits are wanted, switches. */
static void make_tracker(const Attempt *attempt, struct perf_event_attr *attr)
{
	attr->mmap = attr->mmap2 = 1;
	attr->build_id = attempt->omission < WITHOUT_BUILD_IDS;
	attr->comm = attr->comm_exec = 1;
	attr->task = 1;
	attr->context_switch = attempt->plan->waits;
	for (guint i = 0; i < attempt->plan->n_events; i++)
		attr->context_switch |= attempt->plan->events[i].off_cpu;
}

/* TRUE if modifiers say which modes are meant. */
static gboolean says_mode(const PerfEventSpec *spec)
{
	return spec->exclude_user || spec->exclude_kernel || spec->exclude_hv;
}

/* Sets the modes of an event. One that happens only in the kernel is recorded with the stack of the user code that
 * caused it. */
static void set_modes(struct perf_event_attr *attr, const PerfEventSpec *spec, gboolean kernel)
{
	gboolean said = says_mode(spec);
	attr->exclude_user = spec->exclude_user;
	attr->exclude_kernel = said ? spec->exclude_kernel : !kernel && !spec->in_kernel_only;
	attr->exclude_callchain_kernel = attr->exclude_kernel || (!said && !kernel);
}

static void set_rate(const Attempt *attempt, const RecorderEvent *event, struct perf_event_attr *attr)
{
	attr->freq = event->frequency_hz > 0;
	if (attr->freq)
		attr->sample_freq = MIN(event->frequency_hz, attempt->max_hz);
	else
		attr->sample_period = MAX(event->period, 1);
}

/* "cycles" becomes "cycles:u" where only user mode is recorded, as perf writes it. */
static char *name_in_file(const PerfEventSpec *spec, const struct perf_event_attr *attr)
{
	if (!attr->exclude_kernel || says_mode(spec))
		return g_strdup(spec->name);
	return g_strconcat(spec->name, g_str_has_suffix(spec->name, "/") ? "u" : ":u", NULL);
}

static OpenEvent make_off_cpu(const Attempt *attempt)
{
	OpenEvent event = {.name = g_strdup("offcpu-time"), .off_cpu = TRUE, .attr = common_attr(attempt)};
	event.attr.type = PERF_TYPE_SOFTWARE;
	event.attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	event.attr.sample_period = 1;
	event.attr.exclude_callchain_kernel = 1;
	return event;
}

static OpenEvent make_clock(const Attempt *attempt, const RecorderEvent *asked)
{
	OpenEvent event = {.attr = common_attr(attempt)};
	const PerfEventSpec clock = {.name = (char *)"cpu-clock", .exclude_kernel = asked->spec.exclude_kernel};
	RecorderEvent rate = {.frequency_hz = asked->frequency_hz > 0 ? asked->frequency_hz : FALLBACK_HZ};
	event.attr.type = PERF_TYPE_SOFTWARE;
	event.attr.config = PERF_COUNT_SW_CPU_CLOCK;
	set_modes(&event.attr, &clock, attempt->plan->kernel);
	set_rate(attempt, &rate, &event.attr);
	event.name = name_in_file(&clock, &event.attr);
	return event;
}

static OpenEvent make_event(const Attempt *attempt, const RecorderEvent *asked)
{
	if (asked->off_cpu)
		return make_off_cpu(attempt);
	if (asked->or_clock && attempt->clock_instead)
		return make_clock(attempt, asked);
	OpenEvent event = {.attr = common_attr(attempt)};
	event.attr.type = asked->spec.type;
	event.attr.config = asked->spec.config;
	event.attr.config1 = asked->spec.config1;
	event.attr.config2 = asked->spec.config2;
	event.attr.precise_ip = asked->spec.precise & 3;
	set_modes(&event.attr, &asked->spec, attempt->plan->kernel);
	set_rate(attempt, asked, &event.attr);
	event.name = name_in_file(&asked->spec, &event.attr);
	return event;
}

static OpenEvent make_always_on(const Attempt *attempt)
{
	OpenEvent event = {.name = g_strdup("dummy:u"), .always_on = TRUE, .attr = common_attr(attempt)};
	event.attr.type = PERF_TYPE_SOFTWARE;
	event.attr.config = PERF_COUNT_SW_DUMMY;
	event.attr.sample_period = 1;
	event.attr.exclude_kernel = event.attr.exclude_callchain_kernel = 1;
	return event;
}

static void add_event(EventSet *set, OpenEvent event, gboolean start_disabled)
{
	gboolean leads = event.leader == set->events->len;
	/* A group is switched with its leader; a member that was disabled itself would stay so. */
	event.attr.disabled = leads;
	event.attr.enable_on_exec = leads && (!start_disabled || event.always_on);
	event.fds = g_new(int, set->n_cpus);
	event.ids = g_new0(guint64, set->n_cpus);
	for (guint c = 0; c < set->n_cpus; c++)
		event.fds[c] = -1;
	g_array_append_val(set->events, event);
}

static guint leader_of(const RecorderPlan *plan, guint index)
{
	guint first = 0;
	if (plan->events[index].off_cpu || plan->events[index].spec.group == 0)
		return index;
	while (plan->events[first].off_cpu || plan->events[first].spec.group != plan->events[index].spec.group)
		first++;
	return first;
}

static EventSet *make_set(const Attempt *attempt, guint n_cpus)
{
	const RecorderPlan *plan = attempt->plan;
	EventSet *set = g_new0(EventSet, 1);
	set->events = g_array_new(FALSE, TRUE, sizeof(OpenEvent));
	set->by_id = g_hash_table_new(g_int64_hash, g_int64_equal);
	set->n_cpus = n_cpus;
	set->alone = plan->alone;
	set->stacks = stacks_of(attempt);
	guint shift = plan->start_disabled ? 1 : 0;
	if (shift > 0)
		add_event(set, make_always_on(attempt), TRUE);
	for (guint i = 0; i < plan->n_events; i++) {
		OpenEvent event = make_event(attempt, &plan->events[i]);
		event.leader = leader_of(plan, i) + shift;
		add_event(set, event, plan->start_disabled);
	}
	make_tracker(attempt, &g_array_index(set->events, OpenEvent, 0).attr);
	return set;
}

/* --- opening --- */

/* Returns 0 or errno. */
static int open_on_cpu(EventSet *set, guint index, pid_t pid, guint c, int cpu)
{
	OpenEvent *event = &g_array_index(set->events, OpenEvent, index);
	int leader = event->leader == index ? -1 : event_set_get(set, event->leader)->fds[c];
	event->fds[c] = perf_event_open_fd(&event->attr, pid, cpu, leader);
	return event->fds[c] < 0 || ioctl(event->fds[c], PERF_EVENT_IOC_ID, &event->ids[c]) != 0 ? errno : 0;
}

typedef struct {
	int errno_value; /* 0 = all are open */
	guint event;     /* the one that was refused */
} Refusal;

static Refusal open_all(EventSet *set, pid_t pid, const int *cpus)
{
	for (guint i = 0; i < set->events->len; i++)
		/* The kernel gives no buffer to an event that child processes inherit unless it is bound to a CPU
		 * (perf_mmap() in kernel/events/core.c), so each event is opened once for each CPU. */
		for (guint c = 0; c < set->n_cpus; c++) {
			int failed = open_on_cpu(set, i, pid, c, cpus[c]);
			if (failed != 0)
				return (Refusal){.errno_value = failed, .event = i};
			g_hash_table_insert(set->by_id, &event_set_get(set, i)->ids[c], GUINT_TO_POINTER(i));
		}
	return (Refusal){0};
}

/* A kernel says so when it does not know a setting. DWARF stacks cannot go without registers and stack. */
static gboolean can_omit_more(const Attempt *attempt, int errno_value)
{
	Omission last = attempt->plan->stacks == RECORDER_LEAF_REPAIR ? WITHOUT_STACK : WITHOUT_BUILD_IDS;
	return (errno_value == EINVAL || errno_value == EOPNOTSUPP || errno_value == ENOSYS) &&
	       attempt->omission < last;
}

static gboolean can_take_clock(const Attempt *attempt, const EventSet *set, guint refused)
{
	guint shift = set->events->len - attempt->plan->n_events;
	return refused >= shift && attempt->plan->events[refused - shift].or_clock && !attempt->clock_instead;
}

static void tell_high_rate(const Attempt *attempt, FindingList *findings)
{
	guint64 highest = 0;
	for (guint i = 0; i < attempt->plan->n_events; i++)
		highest = MAX(highest, attempt->plan->events[i].frequency_hz);
	highest = MIN(highest, attempt->max_hz);
	if (highest > SENSIBLE_HZ)
		finding_add(findings, FINDING_WARNING, "sampling_slows", NULL,
		        "%" G_GUINT64_FORMAT
		        " samples a second: sampling itself slows the program and becomes a part of "
		        "what is measured; 1000 to %d are enough",
		        highest, SENSIBLE_HZ);
}

static void tell(const Attempt *attempt, FindingList *findings)
{
	const RecorderPlan *plan = attempt->plan;
	if (attempt->omission >= WITHOUT_STACK)
		finding_add(findings, FINDING_WARNING, "no_leaf_repair", NULL,
		        "the kernel gives no registers and stack with samples; callers of functions without frame are "
		        "missing");
	for (guint i = 0; i < plan->n_events; i++)
		(void)event_allowed_hz(plan->events[i].frequency_hz, findings);
	tell_high_rate(attempt, findings);
}

static void tell_clock(const char *event, int errno_value, FindingList *findings)
{
	finding_add(findings, FINDING_INFO, "sampled_by_clock", NULL, "%s cannot be sampled (%s); sampled by cpu-clock",
	        event, g_strerror(errno_value));
}

EventSet *event_set_open(
        const RecorderPlan *plan, pid_t pid, const int *cpus, guint n_cpus, FindingList *findings, GError **error)
{
	Attempt attempt = {.plan = plan, .max_hz = rate_limit_hz()};
	if (!check_periods(plan, error))
		return NULL;
	for (;;) {
		g_autoptr(EventSet) set = make_set(&attempt, n_cpus);
		Refusal refusal = open_all(set, pid, cpus);
		if (refusal.errno_value == 0) {
			tell(&attempt, findings);
			return g_steal_pointer(&set);
		}
		const char *name = event_set_get(set, refusal.event)->name;
		if (can_omit_more(&attempt, refusal.errno_value)) {
			attempt.omission++;
		} else if (can_take_clock(&attempt, set, refusal.event)) {
			tell_clock(name, refusal.errno_value, findings);
			attempt.clock_instead = TRUE;
			/* The clock may be allowed with what was left out for the event that was refused. */
			attempt.omission = WITHOUT_NOTHING;
		} else {
			perf_event_refused(error, name, refusal.errno_value);
			return NULL;
		}
	}
}

void event_set_free(EventSet *set)
{
	if (set == NULL)
		return;
	g_hash_table_unref(set->by_id);
	for (guint i = 0; i < set->events->len; i++) {
		OpenEvent *event = &g_array_index(set->events, OpenEvent, i);
		for (guint c = 0; c < set->n_cpus; c++)
			if (event->fds[c] >= 0)
				close(event->fds[c]);
		g_free(event->fds);
		g_free(event->ids);
		g_free(event->name);
	}
	g_array_unref(set->events);
	g_free(set);
}

/* --- use --- */

const OpenEvent *event_set_get(const EventSet *set, guint index)
{
	return &g_array_index(set->events, OpenEvent, index);
}

const OpenEvent *event_set_find(const EventSet *set, guint64 id)
{
	gpointer index = NULL;
	gboolean found = g_hash_table_lookup_extended(set->by_id, &id, NULL, &index);
	return found ? event_set_get(set, GPOINTER_TO_UINT(index)) : NULL;
}

gboolean event_set_enable(EventSet *set, gboolean on, GError **error)
{
	for (guint i = 0; i < set->events->len; i++) {
		const OpenEvent *event = event_set_get(set, i);
		if (event->always_on || event->leader != i)
			continue;
		for (guint c = 0; c < set->n_cpus; c++)
			if (ioctl(event->fds[c], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) != 0)
				return firebreak_set_errno(error, FIREBREAK_ERROR_INVALID, errno,
				        "cannot switch the event %s %s", event->name, on ? "on" : "off");
	}
	return TRUE;
}

gboolean event_set_lost(const EventSet *set, guint index, guint64 *lost, GError **error)
{
	const OpenEvent *event = event_set_get(set, index);
	guint64 sum = 0;
	for (guint c = 0; (event->attr.read_format & PERF_FORMAT_LOST) != 0 && c < set->n_cpus; c++) {
		guint64 value[3]; /* value, id, lost */
		if (read(event->fds[c], value, sizeof value) != sizeof value)
			return firebreak_set_errno(error, FIREBREAK_ERROR_INVALID, errno,
			        "cannot read how many samples of %s were lost", event->name);
		sum += value[2];
	}
	*lost = sum;
	return TRUE;
}
