/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the benchmarks of the project as they lie in the working tree, the program against itself, and says of each what
 * it can be gated at, or why not and what to do. */
#pragma once

#include "compare/timed/fitness.h"
#include "runner/config/config.h"
#include "runner/doctor/doctor.h"

/* One benchmark, or something that is wrong with all of them. */
typedef struct {
	DoctorCheck check;               /* "benchmark parse" or "build" */
	char *benchmark;                 /* NULL = all */
	char *metric;                    /* that decides; NULL = none was compared */
	gboolean repeats;                /* the metric is counted, or did not scatter at all */
	double spread, visible, round_s; /* shares, seconds; NaN = not known */
	guint rounds;
} DoctorRun;

typedef struct {
	GArray *runs;  /* of DoctorRun, in the order of the configuration; what is wrong with all comes first */
	GError *error; /* the reason why not all can be gated, with its exit code; NULL = all can be measured */
} DoctorRuns;

/* Builds and runs the benchmarks of those names (NULL = all), with progress and its times on standard error unless
 * `quiet`. */
DoctorRuns doctor_runs(const Config *config, char *const *benchmarks, gboolean quiet);
void doctor_runs_clear(DoctorRuns *runs);
