/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/perfevent.h"

#include "core/error.h"
#include "runner/events/countercost.h"
#include "runner/events/cyclerate.h"
#include "runner/events/eventtables.h"

#include <errno.h>
#include <unistd.h>

/* Two runs that share a CPU are switched every 4 ms or so: a hundredth of that. */
#define MAX_COUNTER_SWITCH_NS 40000

void perf_event_spec_clear(PerfEventSpec *spec)
{
	g_clear_pointer(&spec->name, g_free);
	g_clear_pointer(&spec->unit, g_free);
}

gboolean perf_event_spec_equal(const PerfEventSpec *a, const PerfEventSpec *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 && a->config2 == b->config2 &&
	       a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_hv == b->exclude_hv && a->precise == b->precise;
}

int perf_paranoid_level(void)
{
	g_autofree char *text = NULL;
	if (!g_file_get_contents("/proc/sys/kernel/perf_event_paranoid", &text, NULL, NULL))
		return G_MAXINT;
	return (int)g_ascii_strtoll(text, NULL, 10);
}

/* The remedy for a refusal, by what perf_event_paranoid forbids at this level. */
static const char *permission_remedy(int level)
{
	if (level > 2)
		return "needs CAP_PERFMON or kernel.perf_event_paranoid <= 2; in a container also a seccomp profile "
		       "that "
		       "allows perf_event_open";
	if (level == 2)
		return "needs CAP_PERFMON or kernel.perf_event_paranoid <= 1 for kernel mode and -1 for tracepoints; "
		       "in a "
		       "container also a seccomp profile that allows perf_event_open";
	return "needs CAP_PERFMON or kernel.perf_event_paranoid = -1 for tracepoints; in a container also a seccomp "
	       "profile that allows perf_event_open";
}

static const char *remedy(int errno_value, int level)
{
	switch (errno_value) {
	case EPERM:
	case EACCES:
		return permission_remedy(level);
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return "this machine has no such event (virtual machines often have no hardware counters); cpu-clock "
		       "is "
		       "always there";
	case EOPNOTSUPP:
		return "the hardware cannot count or sample this event as asked; leave out modifiers, or take "
		       "cpu-clock";
	case EBUSY:
		return "another tool holds the counters (an NMI watchdog takes one: kernel.nmi_watchdog=0)";
	case EMFILE:
	case ENFILE:
		return "raise `ulimit -n`, or record fewer events or CPUs";
	case ENOSPC:
		return "no counter is left; record fewer events";
	case ENOMEM:
		return "record fewer events or CPUs";
	case ENOSYS:
		return "the kernel or the sandbox does not have perf events";
	case ESRCH:
		return "the process is gone";
	case E2BIG:
	case EINVAL:
		return "the kernel does not know this combination of settings, or the event cannot be sampled or bound "
		       "to a "
		       "process";
	default:
		return "see `man perf_event_open`";
	}
}

gboolean perf_event_refused(GError **error, const char *event, int errno_value)
{
	int level = perf_paranoid_level();
	gboolean forbidden = errno_value == EPERM || errno_value == EACCES;
	g_autofree char *now = !forbidden          ? g_strdup("")
	                       : level == G_MAXINT ? g_strdup(" (perf_event_paranoid cannot be read)")
	                                           : g_strdup_printf(" (kernel.perf_event_paranoid is %d now)", level);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT, "perf_event_open(%s): %s; %s%s", event,
	        g_strerror(errno_value), remedy(errno_value, level), now);
	return FALSE;
}

/* Opens and closes a sampling event on ourselves. Returns 0 or errno. */
static int try_event(const char *name, gboolean kernel)
{
	const KnownEvent *event = known_event(name);
	struct perf_event_attr attr = {
	        .type = event->type,
	        .config = event->config,
	        .freq = 1,
	        .sample_freq = 99,
	        .sample_type = PERF_SAMPLE_IP,
	        .disabled = 1,
	        .exclude_kernel = !kernel,
	        .exclude_hv = 1,
	};
	int fd = perf_event_open_fd(&attr, 0, -1, -1);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Why hardware counters are not used here, for people; NULL where they are. */
static const char *why_no_hardware(void)
{
	switch (try_event("cycles", FALSE)) {
	case 0:
		return counter_switch_ns() <= MAX_COUNTER_SWITCH_NS
		               ? NULL
		               : "this virtual machine needs more than 40 us for them at each switch between "
		                 "processes, which would distort what is "
		                 "measured";
	case EPERM:
	case EACCES:
		return "this process may not use them";
	case EBUSY:
		return "another tool holds them";
	default:
		return "this machine offers none, which is usual for virtual machines";
	}
}

gboolean perf_probe(PerfAbilities *abilities, FindingList *findings, GError **error)
{
	int clock_errno = try_event("cpu-clock", FALSE);
	if (clock_errno != 0)
		return perf_event_refused(error, "cpu-clock", clock_errno);
	const char *no_hardware = why_no_hardware();
	*abilities = (PerfAbilities){
	        .hardware = no_hardware == NULL,
	        .cycles_per_ns = no_hardware == NULL ? cycle_rate_per_ns() : 0,
	        .no_hardware = no_hardware,
	        .kernel_allowed = try_event("cpu-clock", TRUE) == 0,
	        .sampling = no_hardware == NULL ? "cycles" : "cpu-clock",
	};
	if (no_hardware != NULL)
		finding_add(findings, FINDING_INFO, "no_hardware_counters", NULL,
		        "no hardware counters: %s; CPU time is measured and sampled with software clocks",
		        abilities->no_hardware);
	return TRUE;
}
