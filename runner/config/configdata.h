/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of firebreak.yml, as data: the structs that its keys are read into, and how they are freed and copied.
 *
 * Which keys there are, and where in these structs each goes, is the table in runner/config/configkeys.c. Everything is
 * owned by the Config. Durations are milliseconds, margins are shares (.03 = 3 %). */
#pragma once

#include "model/engine.h"
#include "runner/record/recorder.h"

/* The text that `firebreak init` writes in place of a benchmark's program. */
#define CONFIG_EXAMPLE_PROGRAM "./path/to/benchmark"
#define CONFIG_FILE "firebreak.yml"
#define CONFIG_OFF_CPU "off-cpu"        /* the profile of time spent blocked */
#define CONFIG_ANCHOR_RELEASE "release" /* the last release before base (core/git/repotags.h) */
#define CONFIG_ANCHOR_NONE "none"
#define CONFIG_ANCHOR_MAX 10000 /* commits back */

typedef enum { SCHEDULE_AUTO, SCHEDULE_COSCHEDULED, SCHEDULE_SEQUENTIAL } Schedule;

/* The part of a run that is measured: all of it, or the part that the benchmark itself switches on and off
 * (runner/record/control.h). */
typedef enum { MEASURE_WHOLE, MEASURE_REGION } MeasureScope;

/* The framework that a benchmark is written with (runner/frameworks/frameworks.h); AUTO = look, and refuse what
 * calibrates itself. */
typedef enum {
	FRAMEWORK_AUTO,
	FRAMEWORK_NONE,
	FRAMEWORK_GOOGLE_BENCHMARK,
	FRAMEWORK_GO,
	FRAMEWORK_CATCH2,
	FRAMEWORK_CRITERION,
	FRAMEWORK_LIBTEST,
	FRAMEWORK_NANOBENCH,
} FrameworkId;

/* Whose version of a benchmark's files both sides run. */
typedef enum { FILES_FROM_BASE, FILES_FROM_HEAD } FilesFrom;

/* A case of a framework, as it ran on base before the campaign; all runs of both sides are to have the same. */
typedef struct {
	char *name;
	guint repetitions; /* results of it in a run */
	double ns;         /* of an iteration */
} ConfigCase;

/* The settings of one metric in the configuration; NaN = not set. */
typedef struct {
	char *metric;
	double margin, pass_margin;
	gboolean gates;
} ConfigGate;

typedef struct {
	char *name;
	char **command;         /* argument vector; a text became /bin/sh -c */
	char *cwd;              /* folder below the checkout, "." = its root */
	char **files;           /* that make the benchmark: files and folders below the root; NULL = not said */
	FilesFrom files_from;   /* once base has the benchmark */
	double work;            /* units of work of one run; 1 if each run reports its own */
	gboolean work_reported; /* `work: reported`: each run says how many (runner/ownmetrics.h), and has to */
	FrameworkId framework;
	char *filter;             /* which of the framework's cases are run, as it wants that written; NULL = all */
	guint iterations;         /* of each case in one run; 0 = chosen on base, the same for both sides */
	guint counted_iterations; /* the same of a run that is counted; 0 = likewise (gate/steps/gateframework.h) */
	/* of ConfigCase: those of a run that is timed, and of one that is counted; NULL = not known. They may differ:
	 * Go adds the number of CPUs to a name */
	GPtrArray *cases, *counted_cases;
	char *case_filter;    /* runs those alone, instead of `filter`; NULL = `filter` does */
	char **engines;       /* one or both of the names above, each once */
	char **metrics;       /* that the benchmark itself reports (runner/ownmetrics.h); NULL = none */
	gboolean gates_given; /* `gate` names metrics: only those gate */
	GPtrArray *gates;     /* of ConfigGate */
	gint64 timeout_ms;
	guint sampling_hz;
	guint rounds; /* 0 = auto */
	guint cpus;
	Schedule schedule;
	MeasureScope measure;
	RecorderStacks unwind;
	guint stack_bytes; /* piece of stack taken with each sample; 0 = what suits `unwind` */
	char **profiles;   /* events of extra profiles, or "off-cpu"; NULL = none */
	gboolean gate_functions;
	gboolean strict_functions; /* also where the total is shown to be below its margin */
	guint layouts;             /* links of each side with shuffled sections that take turns; 1 = as built */
	gboolean cache;        /* callgrind also simulates caches and branch prediction; FALSE without that engine */
	gboolean heap;         /* a second run under valgrind counts heap memory; FALSE without callgrind */
	guint call_depth;      /* callers that callgrind tells apart */
	gboolean waits;        /* waiting longer is meant, and keeps nothing from passing */
	gboolean yardstick;    /* run the yardstick in every round */
	gboolean privileges;   /* programs of a run may gain privileges (setuid, setgid, file capabilities) */
	gboolean error_output; /* lines that read as errors are meant, and nothing is made of them */
} ConfigBenchmark;

/* Tells where it may be said that a regression is accepted; flags. */
typedef enum { ACCEPT_FROM_CONFIG = 1 << 0, ACCEPT_FROM_TRAILERS = 1 << 1 } AcceptFrom;

/* An entry of `accept`. */
typedef struct {
	char *benchmark;
	char *function;     /* as reports name it; NULL = whatever regressed */
	char *until;        /* the last day that counts, "2026-12-31"; NULL = not said */
	gint64 until_end_s; /* the first second after it in UTC, since 1970 */
	char *reason;
	guint line; /* in the file */
} ConfigAccept;

typedef struct {
	char **build_command; /* NULL = nothing to build */
	gint64 build_timeout_ms;
	gboolean build_privileges; /* programs of the build may gain privileges */
	guint calibrate_every;     /* one check in so many, by its head's SHA, is also calibrated; 0 = none */
	char *anchor;              /* that head is compared with for drift: one of the names above, a number of commits
	                            * before base, or a revision */
	double drift_margin;       /* share of the anchor's counts */
	gboolean gate_drift;       /* a drift that head adds to is a regression */
	char **pass_env;           /* names of variables that builds and benchmarks may see */
	GPtrArray *benchmarks;     /* of ConfigBenchmark, in the order of the file */
	GPtrArray *accept;         /* of ConfigAccept, likewise */
	guint accept_from;         /* AcceptFrom flags */
} Config;

/* A configuration that says nothing yet: empty lists, all else 0. Owned by the caller. */
Config *config_new(void);
void config_free(Config *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Config, config_free)

/* A benchmark that says nothing yet: no gates, all else 0. Owned by the caller. */
ConfigBenchmark *config_benchmark_new(void);
/* A deep copy, owned by the caller. */
ConfigBenchmark *config_benchmark_copy(const ConfigBenchmark *benchmark);
void config_benchmark_free(ConfigBenchmark *benchmark);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ConfigBenchmark, config_benchmark_free)

/* An empty list of ConfigCase. Owned by the caller. */
GPtrArray *config_cases_new(void);
/* Adds a case; the name is copied. */
void config_cases_add(GPtrArray *cases, const char *name, guint repetitions, double ns);

void config_gate_free(ConfigGate *gate);
void config_accept_free(ConfigAccept *accept);
