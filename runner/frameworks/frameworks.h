/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark frameworks that firebreak knows: how each is told apart, asked for its cases, and given its work.
 *
 * A benchmark of such a framework calibrates itself: it repeats a case until some time is over, so that a slower
 * program does less work in a run and its cost per run stays what it was. With `framework:` the iterations of a run are
 * fixed where the framework can do that, or else read from its output, and costs are per iteration. */
#pragma once

#include "runner/config/configlookup.h"

/* The means that a framework has to fix the work of a run. */
typedef enum {
	FRAMEWORK_FIXES, /* it does as many iterations as it is told, and says how many it did; of Catch2 and libtest
	                  * both are the doing of a library of ours (runner/frameworks/clocklibrary.h) */
	FRAMEWORK_TIMES, /* it chooses all, and says the time of one iteration */
} FrameworkWork;

typedef struct {
	FrameworkId id;
	FrameworkWork work;
	gboolean median;         /* the time that it says is a median, which other load changes by leaps */
	gboolean own_word;       /* fixed by a library of ours, or else nothing but its word tells of the work */
	gboolean filters_cases;  /* its filter chooses the cases that its results name */
	const char *const *list; /* arguments with which a program prints its cases; NULL = it cannot */
	/* a line of that output names a case if it begins and ends so */
	const char *case_begins, *case_ends;
	const char *filter; /* the meaning of `filter`, for people: "a regular expression" */
} Framework;

/* The row of that framework; NULL for FRAMEWORK_AUTO and FRAMEWORK_NONE. */
const Framework *framework(FrameworkId id);
/* TRUE if the iterations of a run are known, of which so many were asked for (0 = none): where they can be fixed, and
 * google-benchmark says in its log what it chose. `id` has a row. */
gboolean framework_knows_work(FrameworkId id, guint iterations);
/* The framework that the program in this file is written with, by names and texts in it, also where it is stripped or
 * links the framework as shared library; FRAMEWORK_NONE if it is none of them or no ELF file. A test program without
 * any benchmark is none of Catch2, but those of Go and Rust's libtest are such programs, with or without. */
FrameworkId framework_of_file(const char *path);
/* TRUE if the program or library in this file may ask a clock of CPU time, by the names of functions in it. */
gboolean framework_file_asks_cpu_clock(const char *path);
/* TRUE if a program of that framework calibrates itself when it is started with these words of a command: those of Go
 * and Rust run tests unless they are told to measure, and some can be told the iterations. `path` is the program. */
gboolean framework_calibrates(FrameworkId id, const char *path, const char *const *words);
/* The cases that a program names in what it printed with the arguments in `list`: a GPtrArray of char *, empty if
 * there are none. Owned by the caller. */
GPtrArray *framework_cases(FrameworkId id, const char *output);
/* The filter that runs this case alone. Owned by the caller. */
char *framework_filter(FrameworkId id, const char *name);
