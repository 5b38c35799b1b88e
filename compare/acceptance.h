/* SPDX-License-Identifier: Apache-2.0 */
/* Accepting a regression: a person says that it is meant, in head's firebreak.yml or in a commit of the change, and the
 * benchmark passes with the regression listed as accepted.
 *
 *     accept: [{benchmark: parse, function: hash_word, reason: ...}]     what hash_word itself costs more
 *     accept: [{benchmark: parse, reason: ...}]                          whatever regressed in that benchmark
 *     Perf-Accepted: parse: ...                                          the same
 *     Perf-Accepted: *: ...                                              whatever regressed in any benchmark
 *     Perf-Accepted: ...                                                 the same, where there is a single benchmark
 *
 * A trailer that names no benchmark where there are several accepts nothing, nor does one that looks like a name that
 * is written wrongly: a slip must not accept everything.
 *
 * Only regressions are accepted. Errors and what could not be told stay what they are, and so does a verdict that a
 * regression had hidden: a metric that is inconclusive beside it, a contaminated campaign, a head that prints an error
 * and costs less.
 *
 * An entry that names a function covers its self cost and nothing else:
 *  - the function does not gate any more, by that name, in whatever module;
 *  - a failed metric of CPU time or of counted instructions is accepted if the rest of it passes without what the
 *    functions that are named and rose cost more (compare/acceptedrest.h). It stays a regression if the rest fails, and
 *    is inconclusive if that cannot be told. Any other failed metric stays a regression;
 *  - every other function that gates still does, and one that was excused as the consequence of an accepted one gates.
 * So a second regression is never hidden behind the first one, in a metric or in a function.
 *
 * An entry counts once: for the change that adds it. Where base has it too, what it was for is part of base, and it
 * accepts nothing; unless it says `until`: it then counts for every change up to that day, by the committer time of
 * head, so that the same commits have the same verdict at any time. */
#pragma once

#include "compare/counted/counted.h"
#include "compare/timed/verdict.h"
#include "core/finding.h"

#define ACCEPTANCE_TRAILER "Perf-Accepted"

typedef enum { ACCEPTANCE_BY_CONFIG, ACCEPTANCE_BY_TRAILER } AcceptanceSource;
/* The name that report.json has for it. */
const char *acceptance_source_name(AcceptanceSource source); /* "config", "trailer" */

typedef enum {
	ACCEPTANCE_UNUSED, /* in force, but nothing that it covers regressed */
	ACCEPTANCE_USED,
	ACCEPTANCE_FORBIDDEN,         /* the policy does not allow its source */
	ACCEPTANCE_UNKNOWN_BENCHMARK, /* it names a benchmark that there is not */
	ACCEPTANCE_NO_REASON,
	ACCEPTANCE_UNNAMED, /* a trailer that does not say which benchmark it is for */
	ACCEPTANCE_EXPIRED,
	ACCEPTANCE_SPENT, /* base has it, too */
} AcceptanceState;
/* The name that report.json has for it. */
const char *acceptance_state_name(AcceptanceState state); /* "unused", "used", "forbidden", ... */

typedef struct {
	AcceptanceSource source;
	char *where;     /* "firebreak.yml:12", or "commit 0123456789ab" */
	char *sha;       /* of the commit in full; NULL without one */
	char *benchmark; /* NULL = any */
	char *function;  /* NULL = whatever regressed */
	char *until;     /* the last day that counts, "2026-12-31"; NULL = not said */
	char *reason;    /* one line; foreign text, like the names */
	AcceptanceState state;
	gboolean is_new;     /* base has not got it: the change brings it */
	gboolean is_unnamed; /* a trailer without a name or the star before its reason; not yet examined, or refused */
} Acceptance;

void acceptance_free(Acceptance *acceptance);
/* "parse, function hash_word, until 2026-12-31", as far as it says so. Owned by the caller. */
char *acceptance_scope(const Acceptance *acceptance);

/* The same, with all that it says, as one of its own. Owned by the caller. */
Acceptance *acceptance_copy(const Acceptance *acceptance);
/* Adds the finding `acceptance_unused`. One shard of a check cannot tell: what it did not use, another one may. */
void acceptance_note_unused(const Acceptance *acceptance, FindingList *findings);

/* Reads a trailer: a word of the characters of benchmark names with ": " after it is the name of a benchmark, a star in
 * its place means all of them, the rest is the reason. Is new and unused; owned by the caller. */
Acceptance *acceptance_of_trailer(const char *sha, const char *value);

/* The facts that decide whether an acceptance is in force. */
typedef struct {
	gboolean allowed;           /* its source, by the policy */
	gboolean knows_benchmark;   /* there is a benchmark of that name, or it names none */
	const char *only_benchmark; /* the name of the only one that there is; NULL = there are several */
	gint64 until_end_s;         /* the first second after `until`; if that is said */
	gint64 head_time_s;         /* committer time of head */
} AcceptanceFacts;

/* Sets the state of an acceptance that has not been applied yet, and the benchmark of an unnamed one that is for the
 * only benchmark. */
void acceptance_examine(Acceptance *acceptance, const AcceptanceFacts *facts);

/* Those in force that may accept a regression of the benchmark: the rest of the functions below take only `acceptances`
 * (of Acceptance) and pick by themselves. */
gboolean acceptances_concern(const GPtrArray *acceptances, const char *benchmark);

/* The one in force that accepts whatever regressed in a benchmark, or NULL; borrowed. */
Acceptance *acceptances_whole(const GPtrArray *acceptances, const char *benchmark);

/* Accepts what is covered of a comparison that is a regression: marks metrics and functions, fills `accepted`, renews
 * verdict, reason and sentence, and sets the state of the acceptances that were used. `comparison` is what
 * compare_benchmark() makes of `input`, and may have been confirmed since. Where nothing is covered, nothing is
 * accepted. A pass has the reason code "accepted". Of what is no regression any more, accepted or refuted, it is asked
 * again if head leaves out work (compare/comparison/complaints.h). */
void acceptance_apply(const GPtrArray *acceptances, const CompareInput *input, BenchmarkComparison *comparison);
/* The same of what compare_counted() made of `input`. */
void acceptance_apply_counted(const GPtrArray *acceptances, const CountedInput *input, BenchmarkComparison *comparison);
