/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of tables of rates: what a simulation counted, the limit that it has to keep, and whether it did.
 *
 * A nominal level is kept if the count is at most the level plus three standard deviations of the count. A rate that an
 * independent simulation of the design gave, from so many campaigns and rounded to a tenth of a percent, is kept if
 * ours is no worse than it by more than rounding and three standard deviations of the difference of both counts. */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdio.h>

#define ROUNDING .0005 /* of a rate given to a tenth of a percent */

/* The campaigns that are simulated, of those of a full run: all with FIREBREAK_TESTS=all, else a tenth, and limits that
 * are as much wider as the counts are smaller, and by one campaign, because counts so small are not normal. */
static inline gboolean simulates_all(void)
{
	return g_strcmp0(g_getenv("FIREBREAK_TESTS"), "all") == 0;
}
#define SIMULATED(campaigns) ((int)(simulates_all() ? (campaigns) : (campaigns) / 10))
#define SLACK_CAMPAIGNS (simulates_all() ? 0.0 : 1.0)

typedef struct {
	guint rows, missed;
} RateTable;

static inline double spread_of_rate(double rate, guint campaigns)
{
	return sqrt(rate * (1 - rate) / campaigns);
}

/* The smallest rate that a true rate of `level` explains, and the largest. */
static inline double least_at_level(double level, guint campaigns)
{
	return level - 3 * spread_of_rate(level, campaigns) - SLACK_CAMPAIGNS / campaigns;
}

static inline double most_at_level(double level, guint campaigns)
{
	return level + 3 * spread_of_rate(level, campaigns) + SLACK_CAMPAIGNS / campaigns;
}

static inline double spread_of_difference(double rate, guint reference_campaigns, guint campaigns)
{
	double a = spread_of_rate(rate, reference_campaigns), b = spread_of_rate(rate, campaigns);
	return sqrt(a * a + b * b);
}

/* The largest and the smallest rate that are as good as a reference. */
static inline double most_like(double reference, guint reference_campaigns, guint campaigns)
{
	double rate = MIN(reference + ROUNDING, 1);
	return MIN(
	        rate + 3 * spread_of_difference(rate, reference_campaigns, campaigns) + SLACK_CAMPAIGNS / campaigns, 1);
}

static inline double least_like(double reference, guint reference_campaigns, guint campaigns)
{
	double rate = MAX(reference - ROUNDING, 0);
	return MAX(
	        rate - 3 * spread_of_difference(rate, reference_campaigns, campaigns) - SLACK_CAMPAIGNS / campaigns, 0);
}

/* Appends "name <= 1.23 %" and says whether it is so; likewise >=. */
static inline gboolean keeps_most(GString *limits, const char *name, double rate, double most)
{
	g_string_append_printf(limits, "%s%s <= %.2f %%", limits->len > 0 ? ", " : "", name, 100 * most);
	return rate <= most;
}

static inline gboolean keeps_least(GString *limits, const char *name, double rate, double least)
{
	g_string_append_printf(limits, "%s%s >= %.2f %%", limits->len > 0 ? ", " : "", name, 100 * least);
	return rate >= least;
}

/* Ends a row of which the cells before the limits are printed. */
static inline void end_row(RateTable *table, const GString *limits, gboolean held)
{
	printf(" %s | %s |\n", limits->str, held ? "yes" : "**no**");
	table->rows++;
	table->missed += held ? 0 : 1;
}

/* For the end of a test: every row was there and held. */
static inline gboolean all_held(const RateTable *table)
{
	fflush(stdout);
	return table->rows > 0 && table->missed == 0;
}
