/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/doctor/doctor.h"

#include "runner/events/tracefs.h"
#include "runner/record/samplefilter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Kernel >= 6.0; older headers do not have it. */
#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

#define CAP_PERFMON_BIT 38
#define CAP_SYS_ADMIN_BIT 21
/* The kernel's own setting: 512 KiB and a page (sysctl_perf_event_mlock in kernel/events/core.c). */
#define ENOUGH_MLOCK_KB 516
#define ENOUGH_SAMPLE_RATE 10000

#define MORE_PERMISSION                                                                                                \
	"run as root or with CAP_PERFMON, or as root: sysctl kernel.perf_event_paranoid=1 (in a container, its "       \
	"seccomp "                                                                                                     \
	"profile must allow perf_event_open)"

static void check_clear(gpointer data)
{
	DoctorCheck *check = data;
	g_free(check->name);
	g_free(check->text);
	g_free(check->remedy);
}

GArray *doctor_checks_new(void)
{
	GArray *checks = g_array_new(FALSE, FALSE, sizeof(DoctorCheck));
	g_array_set_clear_func(checks, check_clear);
	return checks;
}

void doctor_add(GArray *checks, const char *name, DoctorState state, const char *remedy, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	DoctorCheck check = {.name = g_strdup(name),
	        .state = state,
	        .text = g_strdup_vprintf(format, args),
	        .remedy = g_strdup(remedy)};
	va_end(args);
	g_array_append_val(checks, check);
}

/* A number from a file below /proc/sys/kernel, `otherwise` if it cannot be read. */
static gint64 kernel_setting(const char *name, gint64 otherwise)
{
	g_autofree char *path = g_build_filename("/proc/sys/kernel", name, NULL);
	g_autofree char *text = NULL;
	return g_file_get_contents(path, &text, NULL, NULL) ? g_ascii_strtoll(text, NULL, 10) : otherwise;
}

/* Opens an event on this process and closes it. Returns 0 or errno. */
static int try_attr(struct perf_event_attr attr)
{
	int fd = perf_event_open_fd(&attr, 0, -1, -1);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static struct perf_event_attr clock_attr(void)
{
	return (struct perf_event_attr){
	        .type = PERF_TYPE_SOFTWARE,
	        .config = PERF_COUNT_SW_CPU_CLOCK,
	        .freq = 1,
	        .sample_freq = 99,
	        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
	        .disabled = 1,
	        .exclude_kernel = 1,
	        .exclude_callchain_kernel = 1,
	        .exclude_hv = 1,
	        .sample_id_all = 1,
	};
}

/* --- events --- */

static void check_sampling(GArray *checks, const PerfAbilities *abilities)
{
	if (abilities == NULL)
		doctor_add(checks, "sampling", DOCTOR_MISSING, MORE_PERMISSION,
		        "perf events are refused: time cannot be measured, nor samples taken "
		        "(kernel.perf_event_paranoid is %d)",
		        perf_paranoid_level());
	else
		doctor_add(checks, "sampling", DOCTOR_GOOD, NULL, "%s, user code (kernel.perf_event_paranoid is %d)",
		        abilities->sampling, perf_paranoid_level());
}

#define COUNT_WITHOUT "`engines: [callgrind]` counts instructions exactly without them"

static void check_hardware(GArray *checks, const DoctorMachine *machine)
{
	if (machine->abilities == NULL)
		doctor_add(checks, "hardware counters", DOCTOR_LIMITED, MORE_PERMISSION,
		        "not known, as perf events are refused");
	else if (machine->abilities->hardware)
		doctor_add(checks, "hardware counters", DOCTOR_GOOD, NULL,
		        "yes: cycles, instructions, cache and branch misses");
	else
		doctor_add(checks, "hardware counters", DOCTOR_LIMITED,
		        machine->valgrind != NULL ? COUNT_WITHOUT
		                                  : "install valgrind: " COUNT_WITHOUT "; or use another machine",
		        "none: %s; CPU time is measured and sampled with software clocks",
		        machine->abilities->no_hardware);
}

static void check_valgrind(GArray *checks, const DoctorMachine *machine)
{
	g_autofree char *program = g_find_program_in_path("valgrind");
	if (machine->valgrind != NULL)
		doctor_add(checks, "instruction counts", DOCTOR_GOOD, NULL,
		        "valgrind %s: `engines: [callgrind]` gates on them", machine->valgrind->version);
	else
		doctor_add(checks, "instruction counts", DOCTOR_LIMITED,
		        program == NULL ? "apt install valgrind, or the package valgrind of your system"
		                        : "install a newer valgrind",
		        "no: %s", program == NULL ? "no valgrind" : machine->no_valgrind);
}

static void check_kernel(GArray *checks, const PerfAbilities *abilities)
{
	gboolean allowed = abilities != NULL && abilities->kernel_allowed;
	doctor_add(checks, "kernel mode", allowed ? DOCTOR_GOOD : DOCTOR_LIMITED, allowed ? NULL : MORE_PERMISSION,
	        allowed ? "can be sampled (--kernel, :k); context switches and migrations are counted"
	                : "cannot be sampled; context switches and migrations are not counted");
}

int doctor_try_off_cpu(void)
{
	struct perf_event_attr attr = clock_attr();
	attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr.freq = 0;
	attr.sample_period = 1;
	/* A switch happens in kernel mode, so an event without it counts none (perf_exclude_event() in
	 * kernel/events/core.c). */
	attr.exclude_kernel = 0;
	attr.context_switch = 1;
	return try_attr(attr);
}

static void check_off_cpu(GArray *checks)
{
	int failed = doctor_try_off_cpu();
	if (failed == 0)
		doctor_add(checks, "waiting time", DOCTOR_GOOD, NULL, "can be recorded (--off-cpu)");
	else
		doctor_add(checks, "waiting time", DOCTOR_LIMITED, MORE_PERMISSION,
		        "cannot be recorded (--off-cpu): %s", g_strerror(failed));
}

static void check_stacks(GArray *checks)
{
	struct perf_event_attr attr = clock_attr();
	sample_filter_extend(&attr, RECORDER_LEAF_REPAIR, 0);
	if ((attr.sample_type & PERF_SAMPLE_STACK_USER) == 0)
		doctor_add(checks, "stacks", DOCTOR_LIMITED, NULL,
		        "frame pointers only: on this architecture callers of functions without frame are missing");
	else if (try_attr(attr) != 0)
		doctor_add(checks, "stacks", DOCTOR_LIMITED, "use a newer kernel",
		        "frame pointers only: the kernel gives no registers and stack with samples");
	else
		doctor_add(checks, "stacks", DOCTOR_GOOD, NULL, "frame pointers, leaf repair and DWARF");
}

static void check_build_ids(GArray *checks)
{
	struct perf_event_attr attr = clock_attr();
	attr.mmap = attr.mmap2 = attr.build_id = 1;
	if (try_attr(attr) == 0)
		doctor_add(checks, "build-ids", DOCTOR_GOOD, NULL, "recorded with the maps of a process");
	else
		doctor_add(checks, "build-ids", DOCTOR_LIMITED, "use Linux 5.12 or newer",
		        "not recorded: a binary that is rebuilt after the recording gives wrong names");
}

static void check_lost_count(GArray *checks)
{
	struct perf_event_attr attr = clock_attr();
	attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	if (try_attr(attr) == 0)
		doctor_add(checks, "lost samples", DOCTOR_GOOD, NULL, "counted by the kernel");
	else
		doctor_add(checks, "lost samples", DOCTOR_LIMITED, "use Linux 6.0 or newer",
		        "seen in the recording only, which may miss the last ones");
}

/* --- limits and names --- */

static void check_memory(GArray *checks)
{
	struct rlimit limit = {0};
	gint64 mlock_kb = kernel_setting("perf_event_mlock_kb", 0);
	getrlimit(RLIMIT_MEMLOCK, &limit);
	g_autofree char *own = limit.rlim_cur == RLIM_INFINITY
	                               ? g_strdup("unlimited")
	                               : g_strdup_printf("%" G_GUINT64_FORMAT " KiB", (guint64)limit.rlim_cur / 1024);
	gboolean enough = geteuid() == 0 || limit.rlim_cur == RLIM_INFINITY || mlock_kb >= 4 * ENOUGH_MLOCK_KB;
	doctor_add(checks, "sample buffers", enough ? DOCTOR_GOOD : DOCTOR_LIMITED,
	        enough ? NULL : "if samples are lost, as root: sysctl kernel.perf_event_mlock_kb=4096",
	        "%s (kernel.perf_event_mlock_kb is %" G_GINT64_FORMAT " per CPU, ulimit -l is %s)",
	        enough ? "of full size" : "smaller than usual", mlock_kb, own);
}

static void check_rate(GArray *checks)
{
	gint64 rate = kernel_setting("perf_event_max_sample_rate", 0);
	gboolean enough = rate >= ENOUGH_SAMPLE_RATE;
	doctor_add(checks, "sampling rate", enough ? DOCTOR_GOOD : DOCTOR_LIMITED,
	        enough ? NULL
	               : "the kernel lowered it because samples took long; as root: sysctl "
	                 "kernel.perf_event_max_sample_rate=100000",
	        "at most %" G_GINT64_FORMAT " Hz (kernel.perf_event_max_sample_rate)", rate);
}

static gboolean has_capability(guint bit)
{
	g_autofree char *status = NULL;
	if (!g_file_get_contents("/proc/self/status", &status, NULL, NULL))
		return FALSE;
	const char *line = strstr(status, "\nCapEff:");
	return line != NULL && (g_ascii_strtoull(line + strlen("\nCapEff:"), NULL, 16) >> bit & 1) != 0;
}

static void check_capability(GArray *checks)
{
	gboolean perfmon = has_capability(CAP_PERFMON_BIT), admin = has_capability(CAP_SYS_ADMIN_BIT);
	doctor_add(checks, "capability", perfmon || admin ? DOCTOR_GOOD : DOCTOR_LIMITED,
	        perfmon || admin ? NULL
	                         : "needed only for kernel mode, waiting time (--off-cpu) and tracepoints; in a "
	                           "container: --cap-add PERFMON",
	        perfmon ? "CAP_PERFMON: no setting limits perf events"
	        : admin ? "CAP_SYS_ADMIN, which includes CAP_PERFMON"
	                : "no CAP_PERFMON: kernel.perf_event_paranoid decides");
}

static void check_tracepoints(GArray *checks)
{
	g_autofree char *folder = tracefs_folder("/");
	gboolean allowed =
	        has_capability(CAP_PERFMON_BIT) || has_capability(CAP_SYS_ADMIN_BIT) || perf_paranoid_level() < 0;
	if (folder == NULL)
		doctor_add(checks, "tracepoints", DOCTOR_LIMITED, tracefs_remedy("/"),
		        "cannot be looked up: tracefs cannot be read");
	else if (!allowed)
		doctor_add(checks, "tracepoints", DOCTOR_LIMITED, "needs CAP_PERFMON or kernel.perf_event_paranoid=-1",
		        "can be looked up in %s, but not recorded", folder);
	else
		doctor_add(checks, "tracepoints", DOCTOR_GOOD, NULL, "can be recorded (%s)", folder);
}

/* Where addresses are hidden, all are 0. */
static gboolean kernel_names_readable(void)
{
	char line[64] = {0};
	FILE *file = fopen("/proc/kallsyms", "re");
	if (file == NULL)
		return FALSE;
	gboolean got = fgets(line, sizeof line, file) != NULL;
	fclose(file);
	return got && g_ascii_strtoull(line, NULL, 16) != 0;
}

/* The remedy for hidden names: the setting hides them, or, if it is 0, the process lacks the right to profile the
 * kernel. */
static const char *kernel_names_remedy(gint64 restrict_level)
{
	if (restrict_level != 0)
		return "run as root, or as root: sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1";
	return "run as root, or as root: sysctl kernel.perf_event_paranoid=1";
}

static void check_kernel_names(GArray *checks)
{
	gboolean readable = kernel_names_readable();
	gint64 restrict_level = kernel_setting("kptr_restrict", -1);
	doctor_add(checks, "kernel names", readable ? DOCTOR_GOOD : DOCTOR_LIMITED,
	        readable ? NULL : kernel_names_remedy(restrict_level),
	        "%s (kernel.kptr_restrict is %" G_GINT64_FORMAT ")",
	        readable ? "functions of the kernel have names" : "functions of the kernel have no names",
	        restrict_level);
}

static void check_program(GArray *checks, const char *program, const char *use)
{
	g_autofree char *path = g_find_program_in_path(program);
	if (path != NULL)
		doctor_add(checks, program, DOCTOR_GOOD, NULL, "%s", path);
	else
		doctor_add(checks, program, DOCTOR_LIMITED, "install it with the system's package manager",
		        "not found; %s", use);
}

GArray *doctor_examine(const DoctorMachine *machine)
{
	GArray *checks = doctor_checks_new();
	check_sampling(checks, machine->abilities);
	check_hardware(checks, machine);
	check_valgrind(checks, machine);
	check_capability(checks);
	check_kernel(checks, machine->abilities);
	check_off_cpu(checks);
	check_stacks(checks);
	check_build_ids(checks);
	check_lost_count(checks);
	check_memory(checks);
	check_rate(checks);
	check_kernel_names(checks);
	check_tracepoints(checks);
	check_program(checks, "perf", "not needed, but it reads our recordings, too");
	return checks;
}

const char *doctor_state_name(DoctorState state)
{
	static const char *const names[] = {"good", "limited", "missing"};
	return names[state];
}
