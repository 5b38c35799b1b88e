/* SPDX-License-Identifier: Apache-2.0 */
/* The endings of a check, or of a part of it, that are not the judgement of two measurements: failures, lack of time,
 * rules that head weakens, baselines that are missing, drift, results that were never written. Whoever finds out passes
 * the facts and the words; code, exit code and verdict are decided here. Adds to the reasons of a result
 * (compare/result.h); texts are copied. */
#pragma once

#include "compare/history/drift.h"
#include "compare/result.h"

/* Adds the reason that the error gives: its exit code, and the code that belongs to that. `text` is what a reader sees.
 * `rules_read` says that the rules were read before, so that what is refused is not a change of them. Borrowed. */
ResultReason *ending_add_failure(
        CheckResult *result, const char *benchmark, const GError *error, gboolean rules_read, const char *text);
/* Adds the reason of a benchmark that calibrates itself, so that its cost per run says nothing: what to write instead.
 */
void ending_add_calibrating(
        CheckResult *result, const char *benchmark, const char *program, const char *side, const char *framework);
/* The same of one whose runs took as long where they shared a CPU as alone. */
void ending_add_fixed_time(CheckResult *result, const char *benchmark);
/* Adds the reason of a benchmark that was never measured, because there was no time. `why` is a clause. */
void ending_add_not_measured(CheckResult *result, const char *benchmark, const char *why);
/* Settles a benchmark that has no comparison because of ending_add_not_measured(). It is inconclusive, and no error:
 * gives the row a comparison of nothing that says so. Nothing if another reason is graver, or if this is no gate. */
void ending_settle_not_measured(const CheckResult *result, ResultBenchmark *row);
/* Settles a benchmark that is new in head, where head alone was measured, because base cannot run it: `why` is a
 * clause. That is no fault of the change, and passes if all else does; unless benchmarks of base were left out
 * (`incomplete`), for then nobody knows what the change does to those: the exit code is 3. */
void ending_nothing_to_compare(CheckResult *result, ResultBenchmark *row, const char *why, gboolean incomplete);
/* Decides a comparison whose campaign had no time for all rounds: too few of them are too little evidence, and no
 * error. What is decided all the same stays, and so does a side without samples in rounds that were enough for a look.
 * `max_rounds` were planned; `needed` is the clause that says what to ask for. FALSE if nothing changed. */
gboolean ending_lacks_rounds(
        BenchmarkComparison *comparison, const CampaignFacts *facts, guint max_rounds, const char *needed);

/* Head weakens the rules of the gate, as `weakened` says: a warning where that is allowed, else the reason `refusal`.
 */
void ending_weakened_rules(CheckResult *result, const char *weakened, gboolean allowed, const char *refusal);
/* Head removes the rules of the gate, so nothing is judged by them any more. */
void ending_removed_rules(CheckResult *result, const char *text);
/* The two sides are stored, but cannot be compared. */
void ending_not_comparable(CheckResult *result, const char *benchmark, const char *why);
/* Nothing that can be used is stored of a side. */
void ending_no_baseline(CheckResult *result, const char *benchmark, const char *why);
/* The stored measurement of a side cannot be read. */
void ending_unread_baseline(CheckResult *result, const char *benchmark, const GError *error);

/* A metric drifted since an anchor, as `text` says: a warning, and a regression where drift gates, this change adds to
 * it, and nobody accepted that. `accepted` is the clause that says who did, or NULL. */
void ending_drift(CheckResult *result, const char *benchmark, const Drift *drift, gboolean gates, const char *text,
        const char *accepted);

/* The results could not be written, which `exit_code` tells. Decides the result anew. */
void ending_not_written(CheckResult *result, int exit_code, const char *why);
/* Results that stand in a folder until those of the command replace them: it began, and has not ended. */
void ending_not_ended(CheckResult *result, const char *command);
/* The same of a command that did not even begin, since its words were not understood. */
void ending_not_started(CheckResult *result, const char *command);
