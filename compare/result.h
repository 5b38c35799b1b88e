/* SPDX-License-Identifier: Apache-2.0 */
/* The result of one check: what `report.json` says and every other output is rendered from. Data only:
 * compare/outcome.h decides, compare/outcomewords.h says the outcome in a line.
 *
 * A result exists for every ending, errors included; then benchmarks may be missing and `reasons` says why. */
#pragma once

#include "compare/acceptance.h"
#include "compare/comparison/comparison.h"
#include "compare/history/history.h"
#include "compare/shards.h"
#include "compare/source/annotation.h"
#include "compare/source/changedcode.h"
#include "compare/timed/calibrationsummary.h"
#include "compare/timed/contamination.h"
#include "core/finding.h"
#include "model/toolchain.h"

typedef struct {
	char *sha;            /* full SHA, "worktree", or "" if it could not be resolved */
	char *ref;            /* what the user or CI named, "" if nothing */
	char *chosen_by;      /* the rule, as runner/trees/basechoice.h names it: "--base", "merge-commit", ... */
	char *subject;        /* first line of the commit message (foreign text) */
	GPtrArray *compilers; /* of UsedCompiler: that its build called; NULL = not known */
} ResultSide;

/* One reason for a verdict. */
typedef struct {
	int exit_code;
	char *code;      /* stable identifier: "regression", "benchmark_failed", "timeout", ... */
	char *benchmark; /* or NULL */
	char *text;      /* one line */
	gboolean said;   /* the user has read it already, while the check went on; not part of report.json */
} ResultReason;

/* A second profile: of the same runs and another event, or of the same benchmark under another engine. One of another
 * event decides nothing and is not stored; one of another engine is judged in its own right, and the benchmark's
 * comparison holds copies of its metrics (compare/counted/enginepair.h). */
typedef struct {
	char *event;                     /* as configured: "off-cpu", "page-faults", ... */
	Measurement *base, *head;        /* runs and profile without metrics; base may be NULL */
	BenchmarkComparison *comparison; /* of its functions (compare_shown_profiles()); NULL without a base */
	GPtrArray *annotations;          /* as in ResultBenchmark, of that comparison */
	const Engine *engine;            /* engine_perf or engine_callgrind */
	gboolean decides;
} ResultProfile;

/* Tells where the measurement of base comes from. */
typedef enum {
	BASE_NONE,     /* not measured, or one side only */
	BASE_MEASURED, /* in this check */
	BASE_STORED,   /* a baseline with the same fingerprint */
} BaseSource;
/* The name that report.json has for it. */
const char *base_source_name(BaseSource source); /* NULL, "measured", "stored" */

/* The campaign of a benchmark; zeroes and NaN for what does not apply. */
typedef struct {
	guint rounds, retries;
	guint stack_bytes;            /* piece of stack of each sample, 0 = none */
	guint layouts;                /* links of each side that took turns, 1 = as built */
	double overlap_share;         /* median over the rounds of time both ran / time either ran; NaN if sequential */
	double interference_ratio;    /* CPU time beside its twin / alone; NaN if not known */
	double estimate_s, elapsed_s; /* of the campaign: foretold after the warm-up for all looks, and needed */
	gboolean out_of_time;         /* stopped before the last look for --max-time */
	Contamination yardstick;
} CampaignFacts;

typedef struct {
	char *name;
	CampaignFacts campaign;
	CalibrationSummary *calibration; /* of earlier A/A campaigns on this kind of machine; NULL = none are stored */
	const Engine *engine;            /* that of comparison, base and head; engine_perf where both were used */
	BaseSource base_source;          /* of the counts where there are any, else of everything */
	BenchmarkComparison *comparison; /* NULL if it could not be compared */
	GPtrArray *annotations;   /* of FunctionAnnotation: of functions of that comparison, in the order in which
	                           * a reader sees them; NULL = none */
	Measurement *base, *head; /* NULL if not measured */
	ProgramFacts *base_program, *head_program; /* that it runs; NULL = not known */
	GPtrArray *profiles;                       /* of ResultProfile, in the order of the configuration */
	GPtrArray *history;   /* of MetricHistory: metrics at earlier commits; NULL = not looked up, or none */
	GPtrArray *artifacts; /* of char *: kind, file, kind, file, ...; set by report/output/outdir */
} ResultBenchmark;

/* The purpose of a check. */
typedef enum {
	CHECK_GATE,      /* base against head */
	CHECK_CALIBRATE, /* base against base: how often does it cry wolf? */
	CHECK_SELF_TEST, /* base against base with a planted delay: can it fire? */
} CheckMode;
/* The name that report.json has for it. */
const char *check_mode_name(CheckMode mode); /* "gate", "calibrate", "self_test" */

/* The function that a self-test's delay is spent in, and the code of the reason if it was not found. */
#define CHECK_PLANTED_FUNCTION "firebreak_planted_delay"
#define SELF_TEST_MISSED "self_test_missed"
/* The code of the reason of a benchmark that had no round at all. */
#define NOT_MEASURED "not_measured"
/* The code of the reason of a benchmark that is new in head and that base cannot run. */
#define NOTHING_TO_COMPARE "nothing_to_compare"

typedef struct {
	Verdict verdict;
	int exit_code;
	ResultSide base, head;
	Environment *environment; /* NULL if not read yet */
	FindingList *findings;
	GPtrArray *reasons;     /* of ResultReason, most important first; of a pass only those with exit code 0 */
	GPtrArray *benchmarks;  /* of ResultBenchmark, in the order of the configuration */
	GPtrArray *acceptances; /* of Acceptance: all that head says, whether in force or not; in the order of the file,
	                         * then trailers of the newest commit first */
	ChangedCode *changed;   /* what head edits where measured code stands; NULL = not known, or base against base */
	ShardSet *shards;       /* the part of a check that this is, or what it was joined from; NULL = all of it */
	char *config_source;    /* "base", "head" or the file of --config: where the policy was read */
	CheckMode mode;
	double max_time_s; /* 0 = not limited */
	guint64 seed;      /* of the order of rounds */
	double elapsed_s;
} CheckResult;

CheckResult *check_result_new(void);
void check_result_free(CheckResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CheckResult, check_result_free)

/* Replaces a side; strings copied, NULL = "". */
void result_side_set(ResultSide *side, const char *sha, const char *ref, const char *chosen_by, const char *subject);
/* An empty list of reasons, which owns them; of ResultReason. */
GPtrArray *result_reasons_new(void);
/* Adds a reason; borrowed. */
ResultReason *check_result_add_reason(CheckResult *result, int exit_code, const char *code, const char *benchmark,
        const char *format, ...) G_GNUC_PRINTF(5, 6);
/* Appends a benchmark; takes ownership of nothing yet, fields start NULL and numbers that may be unknown NaN. What is
 * set in it belongs to it; `calibration` is freed with g_free(). Borrowed. */
ResultBenchmark *check_result_add_benchmark(CheckResult *result, const char *name);

/* The verdict on a benchmark: that of its comparison, error if it could not be compared. */
Verdict result_benchmark_verdict(const ResultBenchmark *benchmark);
/* TRUE for a benchmark that is new in head and that base cannot run (NOTHING_TO_COMPARE). */
gboolean result_benchmark_is_uncompared(const ResultBenchmark *benchmark);
/* Appends an extra profile. Takes what it points to; the event is copied. */
void result_benchmark_add_profile(ResultBenchmark *benchmark, const ResultProfile *profile);
