/* SPDX-License-Identifier: Apache-2.0 */
/* A measurement: everything measured of one benchmark at one commit.
 *
 * A measurement has `n_runs` runs. Every metric has one value per run, in the same order; a value that was not measured
 * is NaN, never 0. The profile has the same runs in the same order. In a check, run i of base and run i of head are the
 * two runs of one round. Values are for the whole run; costs per unit of work are value / measurement_run_work().
 *
 * Everything is owned by the measurement, the stack table of the profile is shared. */
#pragma once

#include "model/engine.h"
#include "model/profile.h"

/* The reach of comparisons of a value (docs/STATISTICS.md): within one campaign only, between runs on the same kind of
 * machine, or exactly. */
typedef enum { METRIC_SAME_CAMPAIGN, METRIC_REPLICABLE, METRIC_DETERMINISTIC } MetricClass;

typedef struct {
	char *name; /* "task-clock", "instructions", "peak-rss", ... */
	const Engine *engine;
	char *unit; /* "ns", "bytes", "count" */
	MetricClass comparable;
	gboolean higher_is_better; /* FALSE for every cost; some of what benchmarks report is no cost */
	GArray *values;            /* of double, one per run, NaN = not measured */
} MetricSeries;

/* Facts about one run that decide whether it counts, kept for the report. */
typedef struct {
	guint round;                /* 1-based number of its round in the campaign */
	gboolean started_first;     /* of the two runs of its round */
	guint64 wall_ns;            /* from release to exit of the main process */
	guint64 samples;            /* samples taken, of all events together */
	guint64 lost_samples;       /* lost by the kernel or by us */
	guint64 incomplete_samples; /* samples whose stack could not be followed to its root */
	guint64 throttled;          /* THROTTLE records */
	double steal_share;         /* of the time of its CPUs while it ran, 0..1 */
	double running_share;       /* counter time running / enabled, 0..1 */
	double overlap_share;       /* time both runs of the round ran / time either ran; NaN if sequential */
	guint attempts;             /* how often the round was started until it was valid, 1 = at once */
	double work;                /* units of work that the run reported; 0 = those of the measurement */
} RunFacts;

/* One field of the environment: what the fingerprint is made of. */
typedef struct {
	char *name;  /* "cpu_model", "kernel_release", ... */
	char *value; /* text, "" = unknown */
	MetricClass
	        needed_by; /* the loosest class that needs it equal: a METRIC_DETERMINISTIC field is needed by all */
} EnvironmentField;

typedef struct {
	GPtrArray *fields; /* of EnvironmentField, sorted by name */
} Environment;

Environment *environment_new(void);
/* A deep copy, owned by the caller. */
Environment *environment_copy(const Environment *environment);
void environment_free(Environment *environment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Environment, environment_free)
/* Sets or replaces a field, keeping the order. Strings are copied. */
void environment_set(Environment *environment, const char *name, MetricClass needed_by, const char *value);
/* The value, or NULL; borrowed. */
const char *environment_get(const Environment *environment, const char *name);
/* SHA-256 (64 hex digits) over the fields that metrics of this class need equal. Owned by the caller. */
char *environment_fingerprint(const Environment *environment, MetricClass comparable);

typedef struct {
	char *benchmark;
	char *commit;   /* full SHA, or "worktree" */
	char *tree;     /* full SHA of the tree */
	char *schedule; /* "coscheduled" or "sequential" */
	double work;    /* units of work of one run, 1 if not told; where runs report their own, the mean */
	char *cases;    /* of its framework that each run did (runner/frameworks/frameworkcases.h); "" = not known */
	Environment *environment;
	GPtrArray *metrics; /* of MetricSeries, sorted by engine, then name */
	GArray *runs;       /* of RunFacts */
	Profile *profile;   /* NULL if nothing was sampled */
	/* of char *: lines in which its runs say that something went wrong, though they exit with 0; each once. NULL =
	 * not known, as of what is stored */
	GPtrArray *complaints;
} Measurement;

Measurement *measurement_new(const char *benchmark, const char *commit, const char *tree);
void measurement_free(Measurement *measurement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Measurement, measurement_free)
/* A copy: the runs of the measurement with another profile, which is taken. Owned by the caller. */
Measurement *measurement_with_profile(const Measurement *measurement, Profile *profile);

/* The number of its runs. */
guint measurement_n_runs(const Measurement *measurement);
/* FALSE of NULL, too. */
gboolean measurement_has_runs(const Measurement *side);
/* Of each of its first `rounds` runs, whether it started before that of the other side. Owned by the caller. */
gboolean *measurement_start_order(const Measurement *base, guint rounds);
/* Units of work of run `run`. */
double measurement_run_work(const Measurement *measurement, guint run);
/* The divisor that brings an amount of a whole run to the scale of values per unit of the configured work: the mean of
 * the work that the runs reported, and 1 where they reported none. */
double measurement_reported_work(const Measurement *measurement);
/* Share of the samples of a run that were lost, 0..1; 0 if there were none at all. */
double run_lost_share(const RunFacts *facts);
/* Tells where runs reported their work: takes the present `work` for those that did not, and sets it to the mean. To be
 * called once, when all runs are there. */
void measurement_settle_work(Measurement *measurement);
/* Adds the complaints of a run, of char *, which are copied; those of a run that has none are known from then on, too.
 * `lines` may be NULL. */
void measurement_add_complaints(Measurement *measurement, const GPtrArray *lines);
/* Finds a metric, or NULL; borrowed. `engine` NULL = any. */
MetricSeries *measurement_metric(const Measurement *measurement, const Engine *engine, const char *name);
/* Finds or adds a metric. A new one is a cost, and has NaN for every run that is there already. */
MetricSeries *measurement_add_metric(
        Measurement *measurement, const Engine *engine, const char *name, const char *unit, MetricClass comparable);
/* Value of run `run`, NaN if absent. `series` may be NULL. */
double metric_value(const MetricSeries *series, guint run);
/* Median over the finite values, NaN if there is none. */
double metric_median(const MetricSeries *series);
