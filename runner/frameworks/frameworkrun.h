/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a benchmark with `framework:`: the arguments and variables that fix its work, and what it did by its own
 * output, which becomes the run's units of work. A run whose output disagrees with what was asked for does not count.
 */
#pragma once

#include "core/child.h"
#include "runner/executor.h"

typedef struct {
	const ConfigBenchmark *benchmark;
	const char *dir;        /* the folder of the run (runner/runfolder.h) */
	gboolean counted;       /* its instructions are counted */
	guint iterations;       /* asked for, of each case; 0 = the framework chooses */
	const GPtrArray *cases; /* of ConfigCase: those that it is to have; NULL = not known */
} FrameworkRun;

/* A run of that benchmark in that folder under that engine. */
FrameworkRun framework_run(const ConfigBenchmark *benchmark, const char *dir, const Engine *engine);
/* The command of a run, with the arguments of its framework; a text for a shell gets them at its end. Owned by the
 * caller. */
char **framework_command(const FrameworkRun *run);
/* Adds the variables of its framework to an environment, which is taken. Owned by the caller. */
char **framework_environment(const FrameworkRun *run, char **environment);

/* The command that makes the program print the names of the cases that its filter chooses; NULL if it cannot. Owned by
 * the caller. */
char **framework_list_command(const ConfigBenchmark *benchmark);

/* The bytes that are kept of each of its outputs, for ChildSpec. */
gsize framework_keep_bytes(const ConfigBenchmark *benchmark);

/* Reads the output of a run that has ended. NULL with FIREBREAK_ERROR_INVALID if it is not understood, was not kept as
 * a whole, or no case ran. The cases are owned by the caller. */
GPtrArray *framework_read(const FrameworkRun *run, const ChildResult *result, GError **error);
/* The time of a run that goes with the times which its framework says. They go by the wall, and so does the run: the
 * cost of an iteration is its part of the CPU time then, however much of the CPU others had meanwhile. But libtest says
 * the median of samples so short that most are not interrupted, which is CPU time. */
double framework_run_ns(const ConfigBenchmark *benchmark, double cpu_ns, double wall_ns);
/* The units of work of a run that did these cases, one unit being an iteration of each. `run_ns` is its time
 * (framework_run_ns()), by which the work is told of a framework that says times alone. Errors: FIREBREAK_ERROR_INVALID
 * if the cases did other work than asked for, or different work each. */
gboolean framework_work(const FrameworkRun *run, const GPtrArray *cases, double run_ns, double *work, GError **error);
/* Lowers the times of cases to what their iterations took of the CPU, as far as a run tells: its units of work (NaN =
 * not known), its CPU time and its time by the wall. Frameworks that measure by the wall say twice as much where two
 * runs share a CPU. */
void framework_correct(const FrameworkRun *run, const GPtrArray *cases, double work, double cpu_ns, double wall_ns);
/* FALSE with FIREBREAK_ERROR_INVALID if an iteration of one case takes less than a CPU cycle, and longer on base; of
 * every case, where nothing is known of base. Compilers remove work whose result nobody uses, and what is left passes
 * whatever the code costs. */
gboolean framework_measures(const FrameworkRun *run, const GPtrArray *cases, GError **error);
/* The fault of a case whose iteration takes so long, and how to mend it; NULL if that is a cycle or more, or cannot be
 * told. Owned by the caller. */
char *framework_removed_text(FrameworkId id, const char *name, double ns);
/* Reads the output into the outcome: its units of work, and the framework's own numbers as metrics. Does nothing
 * without `framework:`, or if the run has failed. A finding tells of runs that hardly measured, and of cases among
 * others whose work was removed. */
void framework_judge(const FrameworkRun *run, const ChildResult *result, FindingList *findings, RunOutcome *outcome);
