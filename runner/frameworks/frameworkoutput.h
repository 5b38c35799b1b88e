/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a framework says of a run: which cases ran, how many iterations of each were done, and how long one took.
 *
 * It comes from the program that is measured, so it is as trustworthy as `work: reported`: SECURITY.md. Whatever is not
 * understood makes the output wrong as a whole. */
#pragma once

#include "runner/config/configdata.h"

#define FRAMEWORK_MAX_CASES 10000
/* The most that is believed: some ten days for an iteration, and iterations that a double counts one by one. */
#define FRAMEWORK_MAX_NS 1e15
#define FRAMEWORK_MAX_ITERATIONS 1e15
/* Of longer output the beginning is lost, and with it cases. */
#define FRAMEWORK_KEEP_BYTES ((gsize)1024 * 1024)

/* One case, all its repetitions together. */
typedef struct {
	char *name;
	guint hash;        /* of the name */
	double iterations; /* that were done in all, those of its calibration included; NaN = not said */
	double reported;   /* by a repetition, of what can be asked for: iterations; NaN = not said */
	guint repetitions;
	gboolean logged;    /* `iterations` has what its log says, all batches */
	double ns;          /* per iteration, the mean over the repetitions */
	double items_per_s; /* NaN = not said; likewise below */
	double bytes_per_s;
	double allocated_bytes; /* per iteration */
	double allocations;     /* per iteration */
} FrameworkCase;

/* Lists of cases, in the order in which they ran. Owned by the caller; NULL with FIREBREAK_ERROR_INVALID if the output
 * is none of that framework, or says that a case failed. A list may be empty. */
GPtrArray *google_output_parse(const char *json, gsize length, const char *log, GError **error);
/* Of `go test -bench`. */
GPtrArray *go_output_parse(const char *text, GError **error);
/* Of Catch2, as its XML reporter writes it. `times` (ns, of double) are those of the samples of each result, which are
 * taken in place of what it says; NULL = what it says. */
GPtrArray *catch2_output_parse(const char *xml, const GArray *times, GError **error);
/* Of `cargo bench`. */
GPtrArray *libtest_output_parse(const char *text, GError **error);
/* Of nanobench. */
GPtrArray *nanobench_output_parse(const char *text, GError **error);
/* `folder` is where criterion writes, CRITERION_HOME. */
GPtrArray *criterion_output_read(const char *folder, GError **error);

/* The parts of which those are made. */
GPtrArray *framework_cases_new(void);
/* The case of that name, made if there is none yet; NULL if there are too many. Borrowed. */
FrameworkCase *framework_cases_get(GPtrArray *cases, const char *name);
/* Adds a repetition to a case. `iterations` may be NaN. FALSE if one of the numbers cannot be. */
gboolean framework_case_add(FrameworkCase *one, double iterations, double ns);
/* The time of an iteration of each of the cases, all together. */
double framework_cases_ns(const GPtrArray *cases);
/* A number with commas between its thousands, as people read it; NaN if it is none. */
double framework_number(const char *text);
/* A number that a framework says beside the time, or NaN if it cannot be: below 0, or above 1e18. */
double framework_figure(double value);
/* FALSE with FIREBREAK_ERROR_INVALID, which quotes the line. */
gboolean framework_refuse_line(const char *line, GError **error);
/* The content of a regular file below a folder of the program's own, or NULL if it is none or too large. Owned by the
 * caller. */
GString *framework_file(const char *path);
