/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamediffspread.h"

#include "compare/statistics/special.h"

#include <math.h>

/* The cost of every subtree in one run. A parent has a smaller id than its children. */
static void sum_run(const Profile *profile, guint run, double *totals, guint n)
{
	for (guint i = 0; i < n; i++)
		totals[i] = (double)profile_cell(profile, run, (StackId){i}).weight;
	for (guint i = n - 1; i > 0; i--)
		totals[stack_table_parent(profile->table, (StackId){i}).index] += totals[i];
}

/* Mean and sum of squares around it are kept up to date run by run (Welford 1962), which loses no digits. */
static void add_run(const double *totals, guint runs_before, double *means, double *squares, guint n)
{
	for (guint i = 0; i < n; i++) {
		double off = totals[i] - means[i];
		means[i] += off / (runs_before + 1);
		squares[i] += off * (totals[i] - means[i]);
	}
}

double *flame_spread_new(const Profile *profile, double work)
{
	guint runs = profile == NULL ? 0 : profile_n_runs(profile);
	if (runs < FLAME_SPREAD_RUNS)
		return NULL;
	guint n = stack_table_n_stacks(profile->table);
	g_autofree double *totals = g_new(double, n), *means = g_new0(double, n);
	double *spread = g_new0(double, n);
	for (guint run = 0; run < runs; run++) {
		sum_run(profile, run, totals, n);
		add_run(totals, run, means, spread, n);
	}
	double factor = student_upper_quantile(.025, runs - 1) / (work > 0 ? work : 1);
	for (guint i = 0; i < n; i++)
		spread[i] = factor * sqrt(spread[i] / (runs - 1) / runs);
	return spread;
}
