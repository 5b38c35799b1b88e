/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/machine.h"

#include "core/error.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The use of CPUs is looked at for this long before some are picked: ten ticks of the usual clock. */
#define BUSY_LOOK_US 100000

/* The whole of a file below `root`; NULL if it is not there. */
static char *read_file(const char *root, const char *path)
{
	char *text = NULL;
	g_autofree char *name = g_strconcat(root, path, NULL);
	return g_file_get_contents(name, &text, NULL, NULL) ? text : NULL;
}

static char *read_line(const char *root, const char *path)
{
	char *text = read_file(root, path);
	if (text == NULL)
		return g_strdup("");
	text[strcspn(text, "\n")] = '\0';
	return g_strstrip(text);
}

/* The value of the first line `key : value` of /proc/cpuinfo. */
static char *cpuinfo_field(const char *cpuinfo, const char *key)
{
	for (const char *line = cpuinfo; line != NULL && *line != '\0';
	        line = strchr(line, '\n'), line += line != NULL) {
		gsize length = strlen(key);
		if (strncmp(line, key, length) != 0)
			continue;
		const char *at = line + length;
		at += strspn(at, " \t");
		if (*at != ':')
			continue;
		at += 1 + strspn(at + 1, " ");
		return g_strndup(at, strcspn(at, "\n"));
	}
	return g_strdup("");
}

char *machine_cpu_features_at(const char *root)
{
	g_autofree char *cpuinfo = read_file(root, "/proc/cpuinfo");
	if (cpuinfo == NULL)
		return g_strdup("");
	g_autofree char *flags = cpuinfo_field(cpuinfo, "flags");
	return *flags != '\0' ? g_steal_pointer(&flags) : cpuinfo_field(cpuinfo, "Features");
}

char *machine_cpu_features(void)
{
	return machine_cpu_features_at("");
}

static void set_cpu_fields(Environment *environment, const char *root)
{
	static const struct {
		const char *key, *field;
	} fields[] = {{"vendor_id", "cpu_vendor"}, {"model name", "cpu_model"}, {"cpu family", "cpu_family"},
	        {"model", "cpu_model_number"}, {"stepping", "cpu_stepping"}, {"microcode", "cpu_microcode"}};
	g_autofree char *cpuinfo = read_file(root, "/proc/cpuinfo");
	for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_autofree char *value = cpuinfo_field(cpuinfo != NULL ? cpuinfo : "", fields[i].key);
		environment_set(environment, fields[i].field, METRIC_REPLICABLE, value);
	}
	g_autofree char *flags = machine_cpu_features_at(root);
	g_auto(GStrv) words = g_strsplit(flags, " ", -1);
	environment_set(environment, "hypervisor", METRIC_REPLICABLE,
	        g_strv_contains((const char *const *)words, "hypervisor") ? "yes" : "no");
}

static void set_file_fields(Environment *environment, const char *root)
{
	static const struct {
		const char *path, *field;
		MetricClass needed_by;
	} fields[] = {
	        {"/sys/devices/system/cpu/smt/active", "smt", METRIC_SAME_CAMPAIGN},
	        {"/sys/devices/system/cpu/cpu0/cache/index3/size", "l3_size", METRIC_REPLICABLE},
	        {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "governor", METRIC_SAME_CAMPAIGN},
	        {"/sys/devices/system/cpu/intel_pstate/no_turbo", "no_turbo", METRIC_SAME_CAMPAIGN},
	        {"/sys/devices/system/cpu/cpufreq/boost", "boost", METRIC_SAME_CAMPAIGN},
	        {"/sys/devices/system/cpu/isolated", "isolated_cpus", METRIC_SAME_CAMPAIGN},
	        {"/sys/kernel/mm/transparent_hugepage/enabled", "transparent_hugepages", METRIC_REPLICABLE},
	        {"/proc/sys/kernel/perf_event_paranoid", "perf_event_paranoid", METRIC_SAME_CAMPAIGN},
	        {"/proc/sys/kernel/random/boot_id", "boot_id", METRIC_SAME_CAMPAIGN},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_autofree char *value = read_line(root, fields[i].path);
		environment_set(environment, fields[i].field, fields[i].needed_by, value);
	}
}

static void set_number(Environment *environment, const char *name, MetricClass needed_by, long value)
{
	g_autofree char *text = g_strdup_printf("%ld", value);
	environment_set(environment, name, needed_by, text);
}

/* "no" if programs that this process starts always lie at the same addresses, "" if that is not known. */
static const char *addresses_random(const char *root)
{
	g_autofree char *setting = read_line(root, "/proc/sys/kernel/randomize_va_space");
	int flags = personality(0xffffffff); /* only asks */
	if (g_str_equal(setting, "0") || (flags != -1 && (flags & ADDR_NO_RANDOMIZE) != 0))
		return "no";
	return *setting != '\0' ? "yes" : "";
}

Environment *machine_environment(const char *compiler)
{
	return machine_environment_at("", compiler);
}

Environment *machine_environment_at(const char *root, const char *compiler)
{
	Environment *environment = environment_new();
	struct utsname name;
	set_cpu_fields(environment, root);
	set_file_fields(environment, root);
	if (uname(&name) == 0) {
		environment_set(environment, "kernel_release", METRIC_REPLICABLE, name.release);
		environment_set(environment, "architecture", METRIC_DETERMINISTIC, name.machine);
	}
	environment_set(environment, "random_addresses", METRIC_SAME_CAMPAIGN, addresses_random(root));
	set_number(environment, "cpu_count", METRIC_SAME_CAMPAIGN, sysconf(_SC_NPROCESSORS_ONLN));
	double load[1];
	if (getloadavg(load, 1) == 1) {
		g_autofree char *text = g_strdup_printf("%.2f", load[0]);
		environment_set(environment, "load_average", METRIC_SAME_CAMPAIGN, text);
	}
	set_number(environment, "page_size", METRIC_REPLICABLE, sysconf(_SC_PAGESIZE));
	environment_set(environment, "libc", METRIC_DETERMINISTIC, gnu_get_libc_version());
	environment_set(environment, "compiler", METRIC_DETERMINISTIC, compiler);
	return environment;
}

/* Parses a list as in sysfs: "0-3,8". Appends to `cpus`. */
static void parse_cpu_list(const char *text, GArray *cpus)
{
	while (g_ascii_isdigit(*text)) {
		char *end;
		long first = strtol(text, &end, 10), last = first;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (long cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++) {
			int number = (int)cpu;
			g_array_append_val(cpus, number);
		}
		text = *end == ',' ? end + 1 : end;
	}
}

static gboolean has_cpu(const GArray *cpus, int cpu)
{
	for (guint i = 0; i < cpus->len; i++)
		if (g_array_index(cpus, int, i) == cpu)
			return TRUE;
	return FALSE;
}

static GArray *read_cpu_list(const char *root, const char *path)
{
	GArray *cpus = g_array_new(FALSE, FALSE, sizeof(int));
	g_autofree char *text = read_line(root, path);
	parse_cpu_list(text, cpus);
	return cpus;
}

static gboolean has_picked_sibling(const char *root, const GArray *picked, int cpu)
{
	g_autofree char *path = g_strdup_printf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	g_autoptr(GArray) siblings = read_cpu_list(root, path);
	for (guint i = 0; i < siblings->len; i++) {
		int sibling = g_array_index(siblings, int, i);
		if (sibling != cpu && has_cpu(picked, sibling))
			return TRUE;
	}
	return FALSE;
}

/* Goes over the allowed CPUs once, the last one first. */
static void pick(const char *root, const int *allowed, guint n_allowed, const GArray *isolated, gboolean with_siblings,
        GArray *picked, guint wanted)
{
	for (guint i = n_allowed; i > 0 && picked->len < wanted; i--) {
		int cpu = allowed[i - 1];
		if (has_cpu(picked, cpu) || (isolated != NULL && !has_cpu(isolated, cpu)) ||
		        (!with_siblings && has_picked_sibling(root, picked, cpu)))
			continue;
		g_array_append_val(picked, cpu);
	}
}

static int compare_ints(gconstpointer a, gconstpointer b)
{
	return *(const int *)a - *(const int *)b;
}

/* The CPUs for ourselves: those not measured, and not siblings of those unless there are no others. */
static void collect_own(CpuPlan *plan, const char *root, gboolean with_siblings)
{
	for (guint i = 0; i < plan->allowed->len; i++) {
		int cpu = g_array_index(plan->allowed, int, i);
		if (!has_cpu(plan->measured, cpu) && (with_siblings || !has_picked_sibling(root, plan->measured, cpu)))
			g_array_append_val(plan->own, cpu);
	}
}

CpuPlan *cpu_plan_new_at(const char *root, const int *allowed, guint n_allowed, guint n, FindingList *findings)
{
	CpuPlan *plan = g_new0(CpuPlan, 1);
	plan->measured = g_array_new(FALSE, FALSE, sizeof(int));
	plan->own = g_array_new(FALSE, FALSE, sizeof(int));
	plan->allowed = g_array_new(FALSE, FALSE, sizeof(int));
	g_array_append_vals(plan->allowed, allowed, n_allowed);
	g_autoptr(GArray) isolated = read_cpu_list(root, "/sys/devices/system/cpu/isolated");
	/* this program keeps one CPU for itself while there is more than one */
	guint wanted = MIN(n, n_allowed > 1 ? n_allowed - 1 : 1);
	pick(root, allowed, n_allowed, isolated, FALSE, plan->measured, wanted);
	pick(root, allowed, n_allowed, NULL, FALSE, plan->measured, wanted);
	pick(root, allowed, n_allowed, NULL, TRUE, plan->measured, wanted);
	g_array_sort(plan->measured, compare_ints);
	collect_own(plan, root, FALSE);
	if (plan->own->len == 0)
		collect_own(plan, root, TRUE);
	if (plan->measured->len < n)
		finding_add(findings, FINDING_WARNING, "too_few_cpus", NULL,
		        "%u CPUs are asked for, and %u are available besides the one that firebreak itself runs on", n,
		        plan->measured->len);
	return plan;
}

static void look_for_busy_cpus(int *cpus, guint n)
{
	if (n < 2)
		return;
	g_autofree char *before = read_file("", "/proc/stat");
	g_usleep(BUSY_LOOK_US);
	g_autofree char *after = read_file("", "/proc/stat");
	if (before != NULL && after != NULL)
		cpus_sort_busy_first(cpus, n, before, after);
}

CpuPlan *cpu_plan_new(guint n, FindingList *findings, GError **error)
{
	cpu_set_t set;
	int allowed[CPU_SETSIZE];
	guint n_allowed = 0;
	if (sched_getaffinity(0, sizeof set, &set) != 0) {
		firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno, "cannot read the allowed CPUs");
		return NULL;
	}
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			allowed[n_allowed++] = cpu;
	look_for_busy_cpus(allowed, n_allowed);
	return cpu_plan_new_at("", allowed, n_allowed, n, findings);
}

void cpu_plan_free(CpuPlan *plan)
{
	if (plan == NULL)
		return;
	g_array_unref(plan->measured);
	g_array_unref(plan->own);
	g_array_unref(plan->allowed);
	g_free(plan);
}

static gboolean set_affinity(const GArray *cpus, GError **error)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	for (guint i = 0; i < cpus->len; i++)
		CPU_SET(g_array_index(cpus, int, i), &set);
	if (sched_setaffinity(0, sizeof set, &set) == 0)
		return TRUE;
	return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno, "cannot move to other CPUs");
}

gboolean cpu_plan_apply(const CpuPlan *plan, GError **error)
{
	return set_affinity(plan->own->len > 0 ? plan->own : plan->allowed, error);
}

gboolean cpu_plan_undo(const CpuPlan *plan, GError **error)
{
	return set_affinity(plan->allowed, error);
}

CpuTimes cpu_times_parse(const char *stat_text, const int *cpus, guint n)
{
	CpuTimes times = {0};
	g_auto(GStrv) lines = g_strsplit(stat_text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		/* cpuN user nice system idle iowait irq softirq steal guest guest_nice */
		int cpu;
		guint64 v[8];
		if (sscanf(*line, "cpu%d %lu %lu %lu %lu %lu %lu %lu %lu", &cpu, &v[0], &v[1], &v[2], &v[3], &v[4],
		            &v[5], &v[6], &v[7]) != 9)
			continue;
		for (guint i = 0; i < n; i++)
			for (gsize f = 0; cpus[i] == cpu && f < G_N_ELEMENTS(v); f++) {
				times.total += v[f];
				times.steal += f == 7 ? v[f] : 0;
				times.idle += f == 3 || f == 4 ? v[f] : 0;
			}
	}
	return times;
}

CpuTimes machine_cpu_times_at(const char *root, const int *cpus, guint n)
{
	g_autofree char *text = read_file(root, "/proc/stat");
	return text != NULL ? cpu_times_parse(text, cpus, n) : (CpuTimes){0};
}

CpuTimes machine_cpu_times(const int *cpus, guint n)
{
	return machine_cpu_times_at("", cpus, n);
}

static gboolean is_busy(int cpu, const char *before, const char *after)
{
	CpuTimes first = cpu_times_parse(before, &cpu, 1), last = cpu_times_parse(after, &cpu, 1);
	/* the kernel may take some of the time back in which a CPU waited for input */
	guint64 idle = last.idle > first.idle ? last.idle - first.idle : 0;
	return last.total > first.total && 2 * idle < last.total - first.total;
}

void cpus_sort_busy_first(int *cpus, guint n, const char *before, const char *after)
{
	g_autofree int *idle = g_new(int, n);
	guint n_busy = 0, n_idle = 0;
	for (guint i = 0; i < n; i++)
		if (is_busy(cpus[i], before, after))
			cpus[n_busy++] = cpus[i];
		else
			idle[n_idle++] = cpus[i];
	for (guint i = 0; i < n_idle; i++)
		cpus[n_busy + i] = idle[i];
}

double steal_share(CpuTimes before, CpuTimes after)
{
	if (after.total <= before.total || after.steal < before.steal)
		return 0;
	return (double)(after.steal - before.steal) / (double)(after.total - before.total);
}

void machine_noise_findings(const Environment *environment, const CpuPlan *plan, FindingList *findings)
{
	const char *governor = environment_get(environment, "governor"),
	           *load = environment_get(environment, "load_average");
	if (plan->own->len == 0)
		finding_add(findings, FINDING_WARNING, "shared_cpu", NULL,
		        "only one CPU is allowed: firebreak itself runs beside the benchmarks");
	/* the load of when the environment was read: builds and rounds raise it themselves */
	double load_average = load != NULL ? g_ascii_strtod(load, NULL) : 0;
	if (load_average > 0.5 * plan->allowed->len)
		finding_add(findings, FINDING_WARNING, "busy_machine", NULL,
		        "the machine was busy when firebreak started (load %.1f on %u CPUs)", load_average,
		        plan->allowed->len);
	if (g_strcmp0(environment_get(environment, "random_addresses"), "no") == 0)
		finding_add(findings, FINDING_WARNING, "no_aslr", NULL,
		        "addresses are not randomised, so all runs of a side have one placement of stack and heap, "
		        "fast or slow; set kernel.randomize_va_space to 2, and do not start firebreak through `setarch "
		        "-R`");
	if (governor != NULL && *governor != '\0' && !g_str_equal(governor, "performance"))
		finding_add(findings, FINDING_INFO, "governor", NULL,
		        "the frequency governor is %s; `performance` measures with less noise", governor);
}
