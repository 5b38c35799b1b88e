/* SPDX-License-Identifier: Apache-2.0 */
/* This machine: what it is (the environment of a measurement), which CPUs to measure on, and how quiet it is.
 *
 * What the kernel tells is read from /proc and /sys. The functions with `_at` read it below `root` instead of "/", so
 * that a test can make up a machine; what system calls tell (kernel, architecture, load) is that of this one. */
#pragma once

#include "core/finding.h"
#include "model/measurement.h"

/* Reads the environment: CPU, kernel, libc, governor, turbo, ... Unknown fields are "". `compiler` is the version line
 * of the compiler that builds the sides. Owned by the caller. */
Environment *machine_environment(const char *compiler);
/* The same, below `root`. */
Environment *machine_environment_at(const char *root, const char *compiler);

/* The features of the CPU, as the kernel says them: the words of `flags` (x86) or `Features` (aarch64) in
 * /proc/cpuinfo, "" if they are not known. Owned by the caller. */
char *machine_cpu_features(void);
/* The same, below `root`. */
char *machine_cpu_features_at(const char *root);

typedef struct {
	GArray *measured; /* of int: the CPUs that benchmarks run on */
	GArray *own;      /* of int: where this program may run meanwhile; empty = it has to share */
	GArray *allowed;  /* of int: all CPUs of the process */
} CpuPlan;

/* Picks `n` CPUs from the allowed set: isolated ones first, then those without a sibling picked already, of those the
 * ones that others leave idle, high numbers first because interrupts gather on the low ones. It looks for .1 s at which
 * CPUs are in use: jobs that run on one machine at the same time would all take the highest otherwise. Fewer than `n`
 * is a finding. */
CpuPlan *cpu_plan_new(guint n, FindingList *findings, GError **error);
/* The same of some CPUs, the last of which is taken first, below `root`. */
CpuPlan *cpu_plan_new_at(const char *root, const int *allowed, guint n_allowed, guint n, FindingList *findings);
void cpu_plan_free(CpuPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CpuPlan, cpu_plan_free)
/* Moves the calling process off the measured CPUs, and back to all of them. */
gboolean cpu_plan_apply(const CpuPlan *plan, GError **error);
/* Gives firebreak the CPUs back that it had before. */
gboolean cpu_plan_undo(const CpuPlan *plan, GError **error);

/* Time of some CPUs by state, from /proc/stat, in ticks. */
typedef struct {
	guint64 total, steal, idle;
} CpuTimes;
/* The times of these CPUs so far, added up. */
CpuTimes machine_cpu_times(const int *cpus, guint n);
/* The same, below `root`. */
CpuTimes machine_cpu_times_at(const char *root, const int *cpus, guint n);
/* The same from the text of /proc/stat. */
CpuTimes cpu_times_parse(const char *stat_text, const int *cpus, guint n);
/* Moves the CPUs that were in use for more than half of the time between two readings of /proc/stat to the front; the
 * order is the same otherwise. */
void cpus_sort_busy_first(int *cpus, guint n, const char *before, const char *after);
/* Share of the time between two readings that the hypervisor gave to others, 0..1; 0 if no time passed. */
double steal_share(CpuTimes before, CpuTimes after);

/* Findings about noise: other load when the environment was read, a governor that is not `performance`, one CPU only,
 * addresses that are not randomised. */
void machine_noise_findings(const Environment *environment, const CpuPlan *plan, FindingList *findings);
