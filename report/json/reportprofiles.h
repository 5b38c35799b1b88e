/* SPDX-License-Identifier: Apache-2.0 */
/* The profiles of a check whose report was read (reportjson.h), from the files that the check left beside report.json:
 * the profiles inside a differential flame graph (flamediffdata.h), which have exact costs, and folded stacks, which
 * have samples.
 *
 * A picture holds the costs of each run, or if they are many, as folded stacks do, their sum. Then each side gets a
 * profile with one run, and the work of its measurement becomes that of all its runs together: costs per run and unit
 * of work are what they were, and how they scatter from run to run is not known. Samples are those of all runs in the
 * first. Functions keep the module and the place that the report has; frames that are
 * no function of the report have what the picture knows of them.
 *
 * The picture itself is not taken into a page: its scripts would be named by the policy of the page and run there, and
 * the folder may come from anywhere. */
#pragma once

#include "compare/result.h"

/* Texts of files; NULL where there is none. */
typedef struct {
	const char *picture, *base_folded, *head_folded;
} KeptProfiles;

/* A list of functions of a benchmark that was read, and the measurements that are to get profiles. */
typedef struct {
	Measurement *base, *head; /* with the table of the functions; a side that is NULL gets nothing */
	const BenchmarkComparison *comparison;
	gboolean counted;
} RestoredSides;

/* TRUE if both sides have their profiles now; else nothing changed: there is too little, or it is damaged. */
gboolean report_profiles_restore(const RestoredSides *sides, const KeptProfiles *kept);
