/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a benchmark says about its run itself: metrics of its own, and how much work it did.
 *
 * It appends lines to a file that is named in its environment:
 *
 *     latency-p99 812.5 us lower      name, value, unit, which direction is better
 *     throughput 48211 req/s higher
 *     work 20000                      units of work of this run
 *
 * Words are separated by one blank, each line ends with a newline. A name is said once, with 1 to 64 of a-z, 0-9 and
 * `-`; a value is a finite decimal number; a unit has 1 to 16 printable ASCII characters. Anything else makes the whole
 * file wrong: a run whose figures cannot be trusted does not count. */
#pragma once

#include <glib.h>

#define OWN_METRICS_MAX 64

typedef struct {
	char *name, *unit;
	double value;
	gboolean higher_is_better;
} OwnMetric;

typedef struct {
	GPtrArray *metrics; /* of OwnMetric, in the order of the file */
	double work;        /* units of work of the run, NaN = not said */
} OwnMetrics;

/* Errors: FIREBREAK_ERROR_INVALID with the number of the line. Owned by the caller. */
OwnMetrics *own_metrics_parse(const char *text, gsize length, GError **error);
/* Reads the file; none at all says nothing. What is no regular file, or too long, is wrong, too. */
OwnMetrics *own_metrics_read(const char *path, GError **error);
void own_metrics_free(OwnMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OwnMetrics, own_metrics_free)

/* The metric of that name, or NULL; borrowed. */
const OwnMetric *own_metrics_find(const OwnMetrics *metrics, const char *name);
