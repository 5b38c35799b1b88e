/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/eventtables.h"

#include <linux/perf_event.h>

/* These events are newer than the oldest headers that we compile with. */
#define SW_CGROUP_SWITCHES 11

#define HARDWARE(name, unit, event)                                                                                    \
	{                                                                                                              \
		name, unit, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event, FALSE                                           \
	}
#define SOFTWARE(name, unit, event)                                                                                    \
	{                                                                                                              \
		name, unit, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event, FALSE                                           \
	}
#define IN_KERNEL(name, event)                                                                                         \
	{                                                                                                              \
		name, "count", PERF_TYPE_SOFTWARE, event, TRUE                                                         \
	}
#define CACHE(name, cache, op, result)                                                                                 \
	{                                                                                                              \
		name, "count", PERF_TYPE_HW_CACHE,                                                                     \
		        PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |                               \
		                PERF_COUNT_HW_CACHE_RESULT_##result << 16,                                             \
		        FALSE                                                                                          \
	}
#define READS(prefix, cache)                                                                                           \
	CACHE(prefix "-loads", cache, READ, ACCESS), CACHE(prefix "-load-misses", cache, READ, MISS)
#define WRITES(prefix, cache)                                                                                          \
	CACHE(prefix "-stores", cache, WRITE, ACCESS), CACHE(prefix "-store-misses", cache, WRITE, MISS)
#define PREFETCHES(prefix, cache)                                                                                      \
	CACHE(prefix "-prefetches", cache, PREFETCH, ACCESS), CACHE(prefix "-prefetch-misses", cache, PREFETCH, MISS)

/* A name that comes first is the usual one, those after it with the same meaning are aliases. */
static const KnownEvent events[] = {
        HARDWARE("cycles", "cycles", CPU_CYCLES),
        HARDWARE("cpu-cycles", "cycles", CPU_CYCLES),
        HARDWARE("instructions", "instructions", INSTRUCTIONS),
        HARDWARE("cache-references", "count", CACHE_REFERENCES),
        HARDWARE("cache-misses", "count", CACHE_MISSES),
        HARDWARE("branches", "count", BRANCH_INSTRUCTIONS),
        HARDWARE("branch-instructions", "count", BRANCH_INSTRUCTIONS),
        HARDWARE("branch-misses", "count", BRANCH_MISSES),
        HARDWARE("bus-cycles", "cycles", BUS_CYCLES),
        HARDWARE("stalled-cycles-frontend", "cycles", STALLED_CYCLES_FRONTEND),
        HARDWARE("idle-cycles-frontend", "cycles", STALLED_CYCLES_FRONTEND),
        HARDWARE("stalled-cycles-backend", "cycles", STALLED_CYCLES_BACKEND),
        HARDWARE("idle-cycles-backend", "cycles", STALLED_CYCLES_BACKEND),
        HARDWARE("ref-cycles", "cycles", REF_CPU_CYCLES),
        SOFTWARE("cpu-clock", "ns", CPU_CLOCK),
        SOFTWARE("task-clock", "ns", TASK_CLOCK),
        SOFTWARE("page-faults", "count", PAGE_FAULTS),
        SOFTWARE("faults", "count", PAGE_FAULTS),
        SOFTWARE("minor-faults", "count", PAGE_FAULTS_MIN),
        SOFTWARE("major-faults", "count", PAGE_FAULTS_MAJ),
        SOFTWARE("alignment-faults", "count", ALIGNMENT_FAULTS),
        SOFTWARE("emulation-faults", "count", EMULATION_FAULTS),
        SOFTWARE("dummy", "count", DUMMY),
        IN_KERNEL("context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES),
        IN_KERNEL("cs", PERF_COUNT_SW_CONTEXT_SWITCHES),
        IN_KERNEL("cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS),
        IN_KERNEL("migrations", PERF_COUNT_SW_CPU_MIGRATIONS),
        IN_KERNEL("cgroup-switches", SW_CGROUP_SWITCHES),
        READS("L1-dcache", L1D),
        WRITES("L1-dcache", L1D),
        PREFETCHES("L1-dcache", L1D),
        READS("L1-icache", L1I),
        PREFETCHES("L1-icache", L1I),
        READS("LLC", LL),
        WRITES("LLC", LL),
        PREFETCHES("LLC", LL),
        READS("dTLB", DTLB),
        WRITES("dTLB", DTLB),
        PREFETCHES("dTLB", DTLB),
        READS("iTLB", ITLB),
        READS("branch", BPU),
        READS("node", NODE),
        WRITES("node", NODE),
        PREFETCHES("node", NODE),
};

const KnownEvent *known_event(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++)
		if (g_str_equal(events[i].name, name))
			return &events[i];
	return NULL;
}

const char *const *known_event_names(void)
{
	static const char *names[G_N_ELEMENTS(events) + 1];
	static gsize made = 0;
	if (g_once_init_enter(&made)) {
		for (gsize i = 0; i < G_N_ELEMENTS(events); i++)
			names[i] = events[i].name;
		g_once_init_leave(&made, 1);
	}
	return names;
}
