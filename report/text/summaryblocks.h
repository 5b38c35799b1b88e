/* SPDX-License-Identifier: Apache-2.0 */
/* The data that the parts of the summary (summarymd.h) share: the result with its rows and links, and the ranks of
 * blocks, that is what goes first when not everything fits. */
#pragma once

#include "report/text/reviewlinks.h"
#include "report/words/standingrows.h"
#include "report/words/textblocks.h"

#define SUMMARY_FUNCTIONS_SHOWN 12

/* Ranks of blocks (textblocks.h). Rows of functions go by their place in their table, so that every benchmark loses its
 * least important ones before any loses the first. */
enum {
	KEEP,
	DROP_WORST,   /* rows of what regressed or is broken, errors */
	DROP_LOOK,    /* rows of what else needs a look */
	DROP_REASON,  /* reasons but the first, names of the commits, what to open */
	DROP_STEPS,   /* how to reproduce and accept it */
	DROP_WARNING, /* warnings, remarks on what needs a look */
	DROP_METRICS, /* metrics of what needs a look */
	DROP_DETAILS, /* functions of what needs a look, and one more for each further row */
	DROP_PASSED = DROP_DETAILS + SUMMARY_FUNCTIONS_SHOWN, /* rows of benchmarks that passed */
	DROP_INFO,
	DROP_FUNCTIONS, /* functions of benchmarks that passed, as above */
};

/* The kinds of blocks by which those that are left out are counted. */
typedef enum { PART_FRAME, PART_BENCHMARK, PART_METRIC, PART_FUNCTION, PART_REMARK, PARTS } SummaryPart;

typedef struct {
	const CheckResult *result;
	const ReviewLinks *links; /* NULL = none are known */
	GArray *rows;             /* of StandingRow, by standing, the largest change first */
	guint n_look;             /* so many of them, the first ones, need a look */
} Summary;
