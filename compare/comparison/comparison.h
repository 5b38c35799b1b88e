/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a comparison of one benchmark: its input and its findings. Data only: the statistics are in totals.h and
 * functions.h, the decision in verdict.h. The words are those of docs/STATISTICS.md.
 *
 * Ratios: `change_ratio` 1.0 = equal, margins .02 = 2 %. Contributions are shares of the base total, .01 = one
 * percentage point. NaN = not known; it never passes a gate. */
#pragma once

#include "compare/comparison/waitingchange.h"
#include "model/codefacts.h"
#include "model/engine.h"
#include "model/measurement.h"

typedef enum { VERDICT_PASS, VERDICT_REGRESSION, VERDICT_INCONCLUSIVE, VERDICT_ERROR } Verdict;
/* The name that report.json has for it. */
const char *verdict_name(Verdict verdict); /* "pass", "regression", "inconclusive", "error" */
/* Its rank among others: 0 pass, 1 inconclusive, 2 regression, 3 error. */
guint verdict_gravity(Verdict verdict);

typedef enum {
	FUNCTION_UNCHANGED,
	FUNCTION_REGRESSION,
	FUNCTION_IMPROVEMENT,
	FUNCTION_NEW,
	FUNCTION_REMOVED,
	FUNCTION_RENAMED,
	FUNCTION_COST_SHIFT,
	FUNCTION_LAYOUT_SUSPECT,
} FunctionClass;
/* The name that report.json has for it. */
const char *function_class_name(FunctionClass klass); /* "unchanged", "cost_shift", ... */

/* The relation of a function to the lines that the change edits. */
typedef enum {
	CHANGE_UNKNOWN,       /* no debug information, or the change is not known */
	CHANGE_TOUCHED,       /* lines of the function itself, or of one that is inlined into it */
	CHANGE_CALLS_TOUCHED, /* of a function that runs below it on some stack */
	CHANGE_UNTOUCHED,
	CHANGE_CALLED_BY_TOUCHED, /* untouched, but dearer where a touched function is above it on the stack */
} ChangeRelation;
/* "unknown", "touched", "calls_touched", "untouched", "called_by_touched" */
const char *change_relation_name(ChangeRelation relation);

/* Tells why a function that passes the test of the gate does not fail the check. It is told all the same
 * (BenchmarkComparison.slower). */
typedef enum {
	FUNCTION_NOT_HELD,      /* it gates, or would not anyway */
	FUNCTION_HELD_BY_TOTAL, /* the total is shown to be below its margin, and the policy is not strict; of a cost
	                           shift: no total fails */
	FUNCTION_HELD_BY_CODE,  /* its machine code is the same on both sides, and no total fails */
	FUNCTION_HELD_BY_LEVEL, /* the change touches it, and it rose, but not so surely or by so much that it would
	                           fail a check; no total fails */
	FUNCTION_HOLDS,
} FunctionHold;
/* NULL, "total", "same_code", "level" */
const char *function_hold_name(FunctionHold hold);

/* The outcome of measuring a regression once more. */
typedef enum {
	CONFIRMATION_NOT_NEEDED, /* no regression */
	CONFIRMATION_NOT_RUN,    /* there was no valid second measurement: the regression stands */
	CONFIRMATION_CONFIRMED,
	CONFIRMATION_NOT_CONFIRMED, /* shown to be absent: inconclusive */
	CONFIRMATION_UNCLEAR,       /* the second measurement could not tell: inconclusive */
	CONFIRMATION_PARTLY,        /* of what regressed, one engine confirmed its part, the other did not run again */
} Confirmation;
#define N_CONFIRMATIONS (CONFIRMATION_PARTLY + 1)
/* "not_needed", "not_run", "confirmed", "not_confirmed", "unclear", "partly_confirmed" */
const char *confirmation_name(Confirmation confirmation);

/* The policy for one metric. */
typedef struct {
	char *metric;
	const Engine *engine; /* NULL = any */
	double margin;        /* FAIL when the bound on the better side is beyond it */
	double pass_margin;   /* PASS when the bound on the worse side is below it */
	double abs_floor;     /* both medians below: negligible; in the unit of the metric; 0 = none */
	gboolean gates;
} MetricPolicy;

/* Frees a policy and its name; for arrays that own theirs. */
void metric_policy_free(gpointer policy);

/* The policy for functions. */
typedef struct {
	gboolean gates;
	double floor_contribution; /* .003, hosted machines .005: smallest share of the base total that gates */
	double floor_relative;     /* .05: smallest own change that gates */
	double report_alpha;       /* .05 */
	double gate_alpha;         /* .01 / number of benchmarks of the check */
	gboolean strict;           /* a function fails the check where the total is shown to be below its margin, too */
	gboolean strict_floor; /* test for more than the floors, not for any change: fewer false reports, half the power
	                        */
} FunctionPolicy;

typedef struct {
	guint rounds;
	double lower, upper; /* bounds of the log ratio head / base at this look */
	Verdict verdict;
} MetricLook;

typedef struct {
	char *name, *unit;
	const Engine *engine;
	double base, head;   /* medians per unit of work */
	double change_ratio; /* head / base: exp(Hodges-Lehmann); infinite where only base is 0 */
	double lower_ratio,
	        upper_ratio;         /* FAIL bound below, PASS bound above; the other way round if higher is better */
	double margin, pass_margin;  /* of that change: those of the policy, wider where a floor is near (totals.h) */
	double abs_floor;            /* that of the policy, per unit of work where the values are */
	double mde_ratio;            /* smallest effect beyond the margin found with 80 % power, as ratio - 1; NaN where
	                              * so few rounds can show none */
	guint rounds, rounds_needed; /* needed for an MDE of the pass margin; 0 = cannot be told */
	double alpha_fail, alpha_pass;
	double p_value;
	double sd_log, acf1, slot_effect;
	gboolean higher_is_better; /* a decrease is the regression */
	gboolean gates, negligible, deterministic, improved;
	gboolean accepted;         /* a regression that somebody accepted (compare/acceptance.h): it no longer fails */
	Confirmation confirmation; /* of a gating metric that regressed in the first measurement */
	double rest_ratio; /* head / base without what is accepted of single functions; 0 = nothing is, or not known */
	double base_spread, head_spread; /* counts only: (largest - smallest) / median over the runs of a side;
	                                  * NaN for a single run, and for all others */
	Verdict verdict;
	char *reason;                      /* why it is not a pass: a clause like "too noisy: ...", or NULL; of an
	                                    * error, why it cannot be compared */
	GArray *looks;                     /* of MetricLook */
	GArray *base_values, *head_values; /* of double, per round and unit of work, for plots */
} MetricComparison;

/* The policy of the metric among `policies` (of MetricPolicy), by name and engine; NULL = there is none. */
const MetricPolicy *metric_policy_find(const GPtrArray *policies, const MetricComparison *metric);

/* Tells where a function stands on one side. */
typedef struct {
	NameId file;  /* text of the shared table, relative to the checkout if it is part of it; empty = not known */
	guint32 line; /* its first; 0 = not known */
	SourceOrigin origin; /* of the file */
} FunctionPlace;

/* The contribution of one inlined function to the function around it: its own instructions there, without what it calls
 * or has inlined itself. It explains; it never gates, and its cost is part of that of the function around it. */
typedef struct {
	FrameId frame; /* of kind FRAME_INLINED */
	double base_cost, head_cost;
	double contribution;                           /* share of base's total, as that of a function */
	double contribution_lower, contribution_upper; /* 95 %, pointwise; of counts the range over the runs */
	guint64 base_samples, head_samples;
	ChangeRelation relation; /* of its own lines */
	FunctionPlace place;     /* in head, in base of what head lacks */
} InlinedPart;

typedef struct {
	FrameId frame;               /* in the shared table */
	FrameId renamed_from;        /* with class RENAMED: the base's function; else equal to `frame` */
	double base_cost, head_cost; /* mean self cost per run and unit of work, unit of the event */
	double contribution, contribution_lower, contribution_upper; /* pointwise 95 % */
	double simultaneous_lower, simultaneous_upper;               /* 95 % over all tested functions */
	double change_ratio;                                         /* head / base, NaN if base is 0 */
	guint64 base_samples, head_samples;
	gboolean tested; /* had enough samples to be tested */
	double share_of_change, share_lower,
	        share_upper;                 /* of the total's change, 95 %; NaN if the total hardly changed */
	double p_value, p_value_improvement; /* unadjusted */
	double p_adjusted, p_adjusted_improvement;
	double mde_ratio; /* smallest relative change found with 80 % power */
	FunctionClass klass;
	FunctionPlace place;        /* in head, in base of what head lacks; the file of `frame` may be that of either */
	FunctionPlace base_place;   /* in base */
	FunctionPlace edited_place; /* of the edited function that caused it, if there is one: itself, what is inlined
	                             * into it, or what calls it (`through`). What a diff of the change shows */
	CodeIdentity code;          /* of its machine code, addresses masked */
	ChangeRelation relation;    /* to the lines that the change edits */
	FrameId through;            /* with CHANGE_CALLED_BY_TOUCHED: the touched function that calls it; with
	                             * CHANGE_TOUCHED the one that is inlined into it, if it is touched by that alone */
	gboolean gates;             /* this function alone makes the verdict a regression */
	gboolean repeats;           /* counts only: all runs of either side agree */
	gboolean accepted;          /* would gate, but somebody accepted it (compare/acceptance.h) */
	gboolean excused;           /* would gate, but is the consequence of one that does */
	FunctionHold held;          /* would gate, but does not fail the check for this reason */
	GPtrArray *inlined; /* of InlinedPart, what changed and what the change touches, largest first; NULL = none */
	char *sentence; /* of a flagged function: what it costs more, with interval, and how the change relates to it;
	                 * or NULL */
	char *note;     /* what else is known ("cost moved from render_rows"), or NULL */
} FunctionComparison;

/* A function whose counts differ between runs of one side. */
typedef struct {
	FrameId frame;
	guint side;             /* 0 = base, 1 = head */
	double lowest, highest; /* self cost per unit of work */
} UnstableFunction;

/* A regression that somebody accepted: of a metric, or of a function. Reason and place are foreign text. */
typedef struct {
	gboolean is_function;
	char *name; /* of the metric or function */
	const Engine *engine;
	char *text;   /* "task-clock +12.3 % [+11.0, +13.5]" */
	char *reason; /* as given by whoever accepted it */
	char *where;  /* "firebreak.yml:12", or "commit 0123456789ab" */
} AcceptedRegression;

typedef struct {
	char *benchmark;
	Verdict verdict;
	char *reason_code;    /* "regression", "too_few_rounds", "contaminated", ... or "" */
	char *reason;         /* one sentence */
	GPtrArray *metrics;   /* of MetricComparison, gating ones first, then by engine and name */
	StackTable *table;    /* of the frames of `functions`; referenced, NULL if nobody set it */
	GPtrArray *functions; /* of FunctionComparison, by magnitude of contribution, largest first; ties by name,
	                         module */
	GArray *head_places;  /* of FunctionPlace, by FrameId: every frame in head, compared or not; NULL = not known */
	double total_change;  /* (mean head - mean base) / mean base of the sampled event: what contributions add up to
	                       */
	double other_contribution;     /* untested functions */
	double unknown_contribution;   /* sampled cost without a function */
	double unsampled_contribution; /* counted by the clock but not sampled: time in the kernel, or lost samples */
	guint tested_functions, flips;
	double phi, d0;
	double report_alpha; /* level at which its functions are reported */
	char *sentence;      /* "task-clock +12.3 % [+11.0, +13.5], caused by hash_word (hash.c:21), edited in this
	                      * change: +11.9 pp [+10.8, +13.0]" */
	char *slower; /* one sentence: the functions that are slower though they do not fail the check (`held`), and
	               * which ones that became faster mask them; NULL = none. A reader sees it first */
	Confirmation confirmation;
	gboolean counted; /* made by compare/counted/counted.h: counts instead of samples, ranges over runs instead of
	                   * intervals, no tests */
	GArray *unstable; /* of UnstableFunction, largest spread first; NULL unless counted */
	int pair;         /* an EnginePair (compare/counted/enginepair.h); 0 = one engine only */
	char *pair_text;  /* one sentence: what the engines say together; or NULL */
	char *confirmation_text; /* one clause: what the second campaign showed, or why there was none; or NULL */
	GPtrArray *accepted;     /* of AcceptedRegression, metrics first; NULL = none */
	GHashTable *file_labels; /* of NameId.index -> char *: files that their base name does not tell apart
	                          * (compare/comparison/filelabels.h); NULL = none */
	WaitingChange waiting;   /* rounds 0 = not compared, or read from a report */
	gboolean waits_too_long; /* what became of the wait keeps it from passing */
} BenchmarkComparison;

void metric_comparison_free(MetricComparison *comparison);
/* A deep copy; owned by the caller. */
MetricComparison *metric_comparison_copy(const MetricComparison *comparison);
/* Sorts MetricComparisons: gating ones first, then by engine and name. */
void metric_comparisons_sort(GPtrArray *metrics);
void function_comparison_free(FunctionComparison *comparison);
/* Appends to the note, after "; " if there is one. Takes the text. */
void function_comparison_add_note(FunctionComparison *comparison, char *note);
/* TRUE if the function has one name in base and another in head. */
gboolean function_comparison_is_renamed(const FunctionComparison *comparison);
/* TRUE if the function stands in one file in base and in another in head, as after the file was renamed. */
gboolean function_comparison_is_elsewhere(const FunctionComparison *comparison);
BenchmarkComparison *benchmark_comparison_new(const char *benchmark);
/* Tells where a frame stands in head; all zero where that is not known. `comparison` may be NULL. */
FunctionPlace benchmark_comparison_head_place(const BenchmarkComparison *comparison, FrameId frame);
/* Sets the verdict with its reason, which is taken. */
void benchmark_comparison_decide(
        BenchmarkComparison *comparison, Verdict verdict, const char *reason_code, char *reason);
/* A deep copy, owned by the caller. */
AcceptedRegression *accepted_regression_copy(const AcceptedRegression *accepted);
/* Appends to the list of what is accepted of it, and takes what is appended. */
void benchmark_comparison_add_accepted(BenchmarkComparison *comparison, AcceptedRegression *accepted);
void benchmark_comparison_free(BenchmarkComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MetricComparison, metric_comparison_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BenchmarkComparison, benchmark_comparison_free)
