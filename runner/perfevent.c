#include "runner/perfevent.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const PerfEventKind kinds[] = {
        {"cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, TRUE},
        {"instructions", "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, TRUE},
        {"branch-misses", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, TRUE},
        {"cache-misses", "count", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, TRUE},
        {"cpu-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, FALSE},
        {"task-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, FALSE},
        {"page-faults", "count", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, FALSE},
        {"context-switches", "count", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, FALSE},
        {"cpu-migrations", "count", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, FALSE},
};

const PerfEventKind *perf_event_kind(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_str_equal(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

int perf_event_open_fd(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd)
{
	attr->size = sizeof *attr;
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
}

int perf_paranoid_level(void)
{
	g_autofree char *text = NULL;
	if (!g_file_get_contents("/proc/sys/kernel/perf_event_paranoid", &text, NULL, NULL))
		return G_MAXINT;
	return (int)g_ascii_strtoll(text, NULL, 10);
}

static const char *remedy(int errno_value)
{
	switch (errno_value) {
	case EPERM:
	case EACCES:
		return "needs CAP_PERFMON or kernel.perf_event_paranoid <= 2; in a container also a seccomp profile "
		       "that "
		       "allows perf_event_open";
	case ENOENT:
	case ENODEV:
		return "this machine has no such event (virtual machines often have no hardware counters)";
	case EOPNOTSUPP:
		return "the hardware cannot count or sample this event as asked";
	case EBUSY:
		return "another tool holds the counters (an NMI watchdog takes one: kernel.nmi_watchdog=0)";
	case EMFILE:
	case ENFILE:
		return "too many open files; raise `ulimit -n`";
	case ENOSPC:
		return "no counter is left; record fewer events";
	case ENOSYS:
		return "the kernel or the sandbox does not have perf events";
	case EINVAL:
		return "the kernel does not know this combination of settings";
	default:
		return "see `man perf_event_open`";
	}
}

gboolean perf_event_refused(GError **error, const char *event, int errno_value)
{
	int level = perf_paranoid_level();
	g_autofree char *now = level == G_MAXINT ? g_strdup("perf_event_paranoid cannot be read")
	                                         : g_strdup_printf("kernel.perf_event_paranoid is %d now", level);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT, "perf_event_open(%s): %s; %s (%s)", event,
	        g_strerror(errno_value), remedy(errno_value), now);
	return FALSE;
}

/* Opens and closes a sampling event on ourselves. Returns 0 or errno. */
static int try_event(const PerfEventKind *kind, gboolean kernel)
{
	struct perf_event_attr attr = {
	        .type = kind->type,
	        .config = kind->config,
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

gboolean perf_probe(PerfAbilities *abilities, FindingList *findings, GError **error)
{
	const PerfEventKind *cycles = perf_event_kind("cycles"), *clock = perf_event_kind("cpu-clock");
	int clock_errno = try_event(clock, FALSE);
	if (clock_errno != 0)
		return perf_event_refused(error, clock->name, clock_errno);
	int cycles_errno = try_event(cycles, FALSE);
	*abilities = (PerfAbilities){
	        .hardware = cycles_errno == 0,
	        .kernel_allowed = try_event(clock, TRUE) == 0,
	        .sampling = cycles_errno == 0 ? cycles : clock,
	};
	if (cycles_errno != 0)
		finding_add(findings, FINDING_INFO, "no_hardware_counters", NULL,
		        "no hardware counters here (cycles: %s); CPU time is measured and sampled with software clocks",
		        g_strerror(cycles_errno));
	return TRUE;
}
