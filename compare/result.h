/* The result of one check: what `report.json` says and every other output is rendered from. Data only.
 *
 * A result exists for every ending, errors included; then benchmarks may be missing and `reasons` says why. */
#pragma once

#include "compare/comparison.h"
#include "core/finding.h"

typedef struct {
	char *sha;       /* full SHA, "worktree", or "" if it could not be resolved */
	char *ref;       /* what the user or CI named, "" if nothing */
	char *chosen_by; /* "--base", "merge-commit", "CI_MERGE_REQUEST_DIFF_BASE_SHA", "merge-base", "previous-commit"
	                  */
	char *subject;   /* first line of the commit message (foreign text) */
} ResultSide;

/* One reason for a verdict. */
typedef struct {
	int exit_code;
	char *code;      /* stable identifier: "regression", "benchmark_failed", "timeout", ... */
	char *benchmark; /* or NULL */
	char *text;      /* one line */
	gboolean said;   /* the user has read it already, while the check went on; not part of report.json */
} ResultReason;

/* A second profile of the same runs, of another event. It decides nothing and is not stored. */
typedef struct {
	char *event;                     /* as configured: "off-cpu", "page-faults", ... */
	Measurement *base, *head;        /* runs and profile without metrics; base may be NULL */
	BenchmarkComparison *comparison; /* of its functions (compare_shown_profiles()); NULL without a base */
} ResultProfile;

typedef struct {
	char *name;
	BenchmarkComparison *comparison; /* NULL if it could not be compared */
	Measurement *base, *head;        /* NULL if not measured */
	GPtrArray *profiles;             /* of ResultProfile, in the order of the configuration */
	GPtrArray *artifacts;            /* of char *: kind, file, kind, file, ...; set by report/outdir */
} ResultBenchmark;

typedef struct {
	Verdict verdict;
	int exit_code;
	ResultSide base, head;
	Environment *environment; /* NULL if not read yet */
	FindingList *findings;
	GPtrArray *reasons;    /* of ResultReason, most important first; empty only for pass */
	GPtrArray *benchmarks; /* of ResultBenchmark, in the order of the configuration */
	char *config_source;   /* "base" or "head": where the policy was read */
	guint64 seed;          /* of the order of rounds */
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
/* Appends a benchmark; takes ownership of nothing yet, fields start NULL. Borrowed. */
ResultBenchmark *check_result_add_benchmark(CheckResult *result, const char *name);

/* Appends an extra profile. Takes what it points to; the event is copied. */
void result_benchmark_add_profile(ResultBenchmark *benchmark, const ResultProfile *profile);

/* Decides: takes the benchmarks' verdicts and the reasons so far, sets verdict and exit_code and sorts the reasons.
 * Precedence of exit codes: 9, 2, 8, 7, 5, 4, 6, 1, 3, 0 (128+n before all). Zero benchmarks, or a benchmark without a
 * comparison and without a reason, is an error with exit code 4: nothing measured never passes. */
void check_result_decide(CheckResult *result);
/* One line that says the outcome: the first reason, or "N benchmarks passed". Owned by the caller. */
char *check_result_reason(const CheckResult *result);
