/* SPDX-License-Identifier: Apache-2.0 */
/* A bisection on its way, and in the end: what was asked, every test so far, and what came of it. Data only. The tests
 * in their order are all that is needed to go on after an interruption. */
#pragma once

#include "compare/bisect/bisecttarget.h"

/* Tells where an answer comes from. */
typedef enum {
	BISECT_MEASURED,   /* a check of good against the commit */
	BISECT_STORED,     /* counts of both that are stored */
	BISECT_SAME_FILES, /* a commit with the same tree was answered before */
} BisectSource;
/* The name that the report of a bisection has for it. */
const char *bisect_source_name(BisectSource source); /* "measured", "stored", "same_files" */

typedef struct {
	char *sha;
	char *subject; /* foreign text */
	char *base;    /* what it was compared with, a SHA; NULL = good */
	BisectSource source;
	guint attempt;
	BisectAnswer answer;
} BisectTest;

typedef enum {
	BISECT_RUNNING,
	BISECT_NO_REGRESSION, /* bad is not a regression against good */
	BISECT_CULPRIT,       /* the first bad commit is known */
	BISECT_SUSPECTS,      /* several commits are left that cannot be told apart, or cannot be tested */
} BisectOutcome;
/* The name that the report of a bisection has for it. */
const char *bisect_outcome_name(BisectOutcome outcome); /* "running", "no_regression", "culprit", "suspects" */

typedef struct {
	char *good, *bad, *benchmark; /* full SHAs; the name */
	char *good_subject, *bad_subject;
	char *asked_metric, *asked_function; /* NULL = whatever regressed */
	gboolean first_parent;
	guint n_commits;     /* from good (without) to bad (with) */
	BisectTarget target; /* settled once bad has been tested */
	char *fingerprint;   /* of the counts that this machine makes; NULL = not known */
	GPtrArray *tests;    /* of BisectTest; the first that is told settles bad */
	double elapsed_s;    /* in tests, also of earlier processes */
	BisectOutcome outcome;
	char *why;           /* of no regression; or NULL */
	GPtrArray *suspects; /* of char *: SHAs, oldest first; the last is bad; a single one is the culprit */
	BisectTest *step;    /* the last suspect against what comes before all of them; NULL = not measured */
	char *parent;        /* that: of one suspect its parent; or NULL */
	char *picture;       /* its differential flame graph, a path; or NULL */
} BisectLog;

BisectLog *bisect_log_new(void);
void bisect_log_free(BisectLog *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BisectLog, bisect_log_free)

/* A test whose fields are to be filled; freed with bisect_test_free(). */
BisectTest *bisect_test_new(const char *sha, const char *subject);
void bisect_test_free(BisectTest *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BisectTest, bisect_test_free)
/* The last answer about a commit, or NULL; borrowed. */
const BisectTest *bisect_log_last(const BisectLog *log, const char *sha);
/* The number of tests that have this source. */
guint bisect_log_count(const BisectLog *log, BisectSource source);
/* TRUE if all suspects but the last are untestable. */
gboolean bisect_log_only_broken(const BisectLog *log);
/* TRUE if the culprit alone is a regression against its parent, as its effect against good is. */
gboolean bisect_log_confirmed(const BisectLog *log);
