/* SPDX-License-Identifier: Apache-2.0 */
/* The seam between deciding what to run and running it: an executor performs the runs of one round.
 *
 * perf_executor_new() (runner/perf/perfexecutor.h) runs real processes under perf events; tests hand in one that makes
 * up times, counters and samples, so that schedules, retries and verdicts are tested without a clock. */
#pragma once

#include "core/error.h"
#include "model/measurement.h"
#include "runner/config/config.h"
#include "runner/ownmetrics.h"
#include "runner/record/recorder.h"
#include "runner/trees/side.h"

typedef struct {
	const ConfigBenchmark *benchmark;
	const Side *side;
	const char *recording; /* where the samples go (perf.data); NULL = count only */
	guint stack_bytes;     /* piece of stack of each sample; 0 = what suits */
	gboolean weigh_pieces; /* a large one instead, to learn what smaller ones lack */
	char *const *pass_env;
	guint padding;     /* bytes of environment padding */
	guint sampling_hz; /* of the event that costs are made of; 0 = as the benchmark has it */
	/* it runs a program of firebreak, which neither reads nor leaves state in its tree (the yardstick) */
	gboolean trusted;
	gboolean slow_clocks;  /* those of CPU time go at 1/SLOW_CLOCKS of their speed (runner/campaign/clockprobe.h) */
	gboolean look_closely; /* every few milliseconds at the programs that it executes, and not now and then */
	guint number;          /* runs under valgrind with successive numbers are pinned to successive CPUs */
} RunRequest;

#define SLOW_CLOCKS 4

/* The failure of a run that executed a program that calibrates itself. */
#define CALIBRATES_FAILURE "calibrates_itself"

/* The failure of a run that was ended by its timeout. */
#define TIMEOUT_FAILURE "timeout"

/* CPU time of a run, from its exec to its end, by two witnesses. */
typedef struct {
	double counted_ns; /* by task-clock; what drops out of the counters is missing */
	double used_ns;    /* by wait4(2); a descendant that nobody waits for is missing. 0 = not known */
	double switches;   /* how often it was switched away from a CPU */
	double processes;  /* how many there were, with those that they started; 0 = not known */
	double faults;     /* how often a page was mapped because it was touched */
	double peak_bytes; /* of the largest process */
} RunCpuTime;

/* One total of a run. */
typedef struct {
	const Engine *engine;
	const char *name, *unit; /* static text, or that of the outcome's `own` */
	MetricClass comparable;
	gboolean higher_is_better;
	double value;
} RunMetric;

typedef struct {
	/* NULL = the run is good; "benchmark_failed", "escaped_work", "data_lost", "region_missing",
	 * TIMEOUT_FAILURE, CALIBRATES_FAILURE, ... */
	char *failure_code;
	char *failure;   /* one line for people, with the end of standard error below it where there is some */
	gboolean retry;  /* another try may help: noise or lost data, not a timeout */
	GArray *metrics; /* of RunMetric */
	OwnMetrics *own; /* what the benchmark reported; NULL = nothing was read */
	/* of char *: lines in which it says that something went wrong, though it exits with 0; NULL = none */
	GPtrArray *complaints;
	RunCpuTime cpu_time;
	gboolean asks_cpu_clock; /* a program of it, outside the system's folders, asks a clock of CPU time */
	StackPieceCounts pieces; /* of the recording */
	RunFacts facts;          /* without round, started_first, attempts */
	/* The share that the hypervisor took of the time of its CPUs; 0 where that is too little to be told (the facts
	 * have what was read). */
	double stolen_share;
	gint64 start_ns,
	        end_ns; /* of what was measured: the whole run, or the region from its first to its last moment */
} RunOutcome;

void run_outcome_clear(RunOutcome *outcome);
/* Makes the outcome a failure with this code and text. The first thing that is wrong stays: what comes after it is most
 * likely its consequence. `retry`: another try may help. */
void run_outcome_fail(RunOutcome *outcome, const char *code, gboolean retry, const char *format, ...)
        G_GNUC_PRINTF(4, 5);
/* The class of the error that a failed run becomes. */
FirebreakError run_outcome_error(const RunOutcome *outcome);
/* The value of one metric of a run, NaN if it has none. */
double outcome_metric(const RunOutcome *outcome, const Engine *engine, const char *name);

typedef struct Executor Executor;
struct Executor {
	/* Performs `n` runs: one alone, or two together on the same CPUs, released in the order given. Outcomes are
	 * zeroed by the caller and cleared by it. An error is one of the machine, not of the benchmark. */
	gboolean (*execute)(
	        Executor *executor, const RunRequest *requests, guint n, RunOutcome *outcomes, GError **error);
	void (*destroy)(Executor *executor);
};

void executor_free(Executor *executor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Executor, executor_free)
