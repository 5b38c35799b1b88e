/* SPDX-License-Identifier: Apache-2.0 */
/* The result of one check: what `report.json` says and every other output is rendered from. Data only.
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
/* Adds a reason; borrowed. */
ResultReason *check_result_add_reason(CheckResult *result, int exit_code, const char *code, const char *benchmark,
        const char *format, ...) G_GNUC_PRINTF(5, 6);
/* Appends a benchmark; takes ownership of nothing yet, fields start NULL and numbers that may be unknown NaN. What is
 * set in it belongs to it; `calibration` is freed with g_free(). Borrowed. */
ResultBenchmark *check_result_add_benchmark(CheckResult *result, const char *name);

/* The verdict on a benchmark: that of its comparison, error if it could not be compared. */
Verdict result_benchmark_verdict(const ResultBenchmark *benchmark);
/* Appends an extra profile. Takes what it points to; the event is copied. */
void result_benchmark_add_profile(ResultBenchmark *benchmark, const ResultProfile *profile);

/* Adds what an engine says of a benchmark as a reason, and one for every other metric that regressed, unless it passes,
 * has nothing to judge, or that is one already. In the modes that judge otherwise only an error is one. */
void check_result_add_verdict(CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison);
/* Joins what callgrind says to what perf said of a benchmark (compare/counted/enginepair.h), each with reasons of its
 * own. FALSE if the counts have nothing to judge beside a time that has: then they are shown only, and pass. */
gboolean check_result_join(CheckResult *result, ResultBenchmark *benchmark, BenchmarkComparison *counted);
/* One of a benchmark's two engines judged nothing, for a reason that `result` has; the other filled its comparison. The
 * verdict becomes that of the reason if it is graver, or if the other had nothing to judge. */
void check_result_lacks_engine(CheckResult *result, ResultBenchmark *benchmark, const ResultReason *why);

/* Decides: takes the benchmarks' verdicts and the reasons so far, sets verdict and exit_code and sorts the reasons.
 * Precedence of exit codes: 9, 2, 8, 7, 5, 4, 6, 1, 3, 0 (128+n before all). Zero benchmarks, or a benchmark without a
 * comparison and without a reason, is an error with exit code 4: nothing measured never passes.
 *
 * `mode` decides what the verdict of a benchmark means for the check; one of error is always an error:
 * - CHECK_GATE: what it says. NOTHING_TO_COMPARE is a reason with exit code 0: the check passes if all else does.
 * - CHECK_CALIBRATE: both sides ran the same, so a regression is a false alarm and not a fault of the code. Once
 *   everything was measured the check passes; NOT_MEASURED is inconclusive. False alarms are findings `false_alarm`,
 * what stayed open is a finding `aa_inconclusive`.
 * - CHECK_SELF_TEST: the check passes if every benchmark is a regression and, where it was sampled,
 *   CHECK_PLANTED_FUNCTION is among the functions that gate or rose. If not, the reason is `self_test_missed` with what
 *   was seen instead, and the exit code 3. */
void check_result_decide(CheckResult *result);
/* Decides where one side alone was measured, so that nothing was compared: whatever is a reason is an error, and the
 * exit code is that of the first one that happened. */
void check_result_decide_measured(CheckResult *result);
/* The exit code that check_result_decide() would come to. Changes nothing. */
int check_result_decided(const CheckResult *result);
/* The exit code that a verdict alone comes to: 0 pass, 1 regression, 3 inconclusive, 4 error. */
int verdict_exit_code(Verdict verdict);
/* The verdict that an exit code stands for: 0 pass, 1 regression, 3 inconclusive, error for all others. */
Verdict exit_code_verdict(int exit_code);
/* One line that says the outcome: the first reason, or "N benchmarks passed", with what is accepted; in the other modes
 * it begins with what was done, and that of one of several shards with the number of that. Owned by the caller. */
char *check_result_reason(const CheckResult *result);
