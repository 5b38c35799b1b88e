/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/policy.h"

typedef enum { ON_ANY, ON_COSCHEDULED, ON_HOSTED, ON_DEDICATED } Where;

typedef struct {
	const char *metric;
	Where where;
	double margin, pass_margin, abs_floor;
	gboolean gates;
} DefaultMargin;

/* Counts have one margin: there is no interval to pass or fail by. */
typedef struct {
	const char *metric;
	double margin, abs_floor;
	gboolean gates;
} CountedMargin;

#define KIBIBYTE 1024.0
#define MEBIBYTE 1048576.0
#define MILLISECOND 1e6
#define OWN_MARGIN .05
#define OWN_PASS_MARGIN .15

/* The floor of peak-rss is higher than its noise seems to ask for: Linux >= 6.2 keeps resident pages in per-CPU
 * counters, so the peak of one and the same program wanders by up to some hundred kB from run to run, whatever its
 * size. */

/* First match wins. */
static const DefaultMargin margins[] = {
        {"instructions", ON_ANY, .005, .01, 0, TRUE},
        {"cycles", ON_COSCHEDULED, .02, .04, 0, TRUE},
        {"cycles", ON_HOSTED, .03, .10, 0, TRUE},
        {"cycles", ON_DEDICATED, .02, .05, 0, TRUE},
        {"task-clock", ON_COSCHEDULED, .02, .04, 0, TRUE},
        {"task-clock", ON_HOSTED, .03, .10, 0, TRUE},
        {"task-clock", ON_DEDICATED, .02, .05, 0, TRUE},
        {"page-faults", ON_ANY, .02, .05, 64, TRUE},
        {"peak-rss", ON_ANY, .02, .05, 4 * MEBIBYTE, TRUE},
        {"wall", ON_ANY, .05, .15, 0, FALSE},
        {"wait", ON_ANY, .10, .25, 10 * MILLISECOND, FALSE},
        {"cache-references", ON_ANY, .10, .25, 0, FALSE},
        {"cache-misses", ON_ANY, .10, .25, 0, FALSE},
        {"branches", ON_ANY, .10, .25, 0, FALSE},
        {"branch-misses", ON_ANY, .10, .25, 0, FALSE},
        {"context-switches", ON_ANY, .10, .25, 0, FALSE},
        {"cpu-migrations", ON_ANY, .10, .25, 0, FALSE},
};

/* The simulated misses follow addresses, which a change moves for all functions: hence 10 %. Loading a program takes
 * about 2500 misses of either level and 3300 mispredicted branches; the floors matter where a region is measured. */
static const CountedMargin counted_margins[] = {
        {"instructions", .005, 0, TRUE},
        {"estimated-cycles", .02, 0, FALSE},
        {"l1-misses", .10, 1000, FALSE},
        {"ll-misses", .10, 1000, FALSE},
        {"branch-misses", .10, 1000, FALSE},
        {"allocations", .01, 16, FALSE},
        {"allocated-bytes", .01, 16 * KIBIBYTE, FALSE},
        {"peak-heap", .02, 16 * KIBIBYTE, FALSE},
        {"system-calls", .01, 16, FALSE},
};

static gboolean applies(Where where, gboolean coscheduled, gboolean hosted)
{
	if (where == ON_COSCHEDULED)
		return coscheduled;
	return where != ON_HOSTED || hosted;
}

gboolean default_policy(const char *metric, const char *schedule, gboolean hosted, MetricPolicy *policy)
{
	gboolean coscheduled = g_str_equal(schedule, "coscheduled");
	for (guint i = 0; i < G_N_ELEMENTS(margins); i++) {
		const DefaultMargin *row = &margins[i];
		if (!g_str_equal(row->metric, metric) || !applies(row->where, coscheduled, hosted))
			continue;
		policy->margin = row->margin;
		policy->pass_margin = row->pass_margin;
		policy->abs_floor = row->abs_floor;
		policy->gates = row->gates;
		return TRUE;
	}
	return FALSE;
}

gboolean counted_policy(const char *metric, MetricPolicy *policy)
{
	for (guint i = 0; i < G_N_ELEMENTS(counted_margins); i++) {
		const CountedMargin *row = &counted_margins[i];
		if (!g_str_equal(row->metric, metric))
			continue;
		policy->margin = policy->pass_margin = row->margin;
		policy->abs_floor = row->abs_floor;
		policy->gates = row->gates;
		return TRUE;
	}
	return FALSE;
}

void own_metric_policy(MetricPolicy *policy)
{
	policy->margin = OWN_MARGIN;
	policy->pass_margin = OWN_PASS_MARGIN;
	policy->abs_floor = 0;
	policy->gates = FALSE;
}

FunctionPolicy default_function_policy(gboolean hosted, guint benchmarks)
{
	return (FunctionPolicy){
	        .gates = TRUE,
	        .floor_contribution = hosted ? .005 : .003,
	        .floor_relative = .05,
	        .report_alpha = .05,
	        .gate_alpha = .01 / MAX(benchmarks, 1),
	};
}
