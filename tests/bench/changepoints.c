/* SPDX-License-Identifier: Apache-2.0 */
/* The measurements of tests/bench/changepoints.sh: change points in a history.
 *
 *     read       lines "NAME VALUE VALUE ..." from standard input -> "NAME INDEX INDEX ..."
 *     simulate   series of which is known what happened in them -> a table
 *     speed      seconds for 1,000, 10,000 and 100,000 values */
#include "compare/statistics/changepoints.h"
#include "tests/statistics/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 500, NULL_SERIES = 250, STEP_SERIES = 200, LATE_SERIES = 1000 };

static guint earliest_of(const ChangePoint *point)
{
	return point->earliest;
}
static guint latest_of(const ChangePoint *point)
{
	return point->latest;
}
static GArray *sampled(const ChangeSeries *series, guint *drifts)
{
	GArray *points = change_points_sampled(series);
	*drifts = 0;
	for (guint i = 0; i < points->len; i++)
		*drifts += g_array_index(points, ChangePoint, i).drifts;
	return points;
}

/* --- read --- */

/* A drift has two places: where it begins and where it ends. */
static void print_point(const ChangePoint *point, guint n)
{
	if (point->drifts) {
		if (point->earliest > 1)
			printf(" %u:%g", point->earliest, point->change);
		if (point->latest + 1 < n)
			printf(" %u:%g", point->latest, point->change);
		return;
	}
	printf(" %u:%g", point->index, point->change);
}

static void read_line(char *line)
{
	g_auto(GStrv) fields = g_strsplit_set(g_strstrip(line), " \t", -1);
	guint n = g_strv_length(fields) - 1, drifts;
	g_autofree double *values = g_new(double, MAX(n, 1));
	for (guint i = 0; i < n; i++)
		values[i] = g_ascii_strtod(fields[i + 1], NULL);
	g_autoptr(GArray) points = sampled(&(ChangeSeries){.values = values, .n = n}, &drifts);
	printf("%s", fields[0]);
	for (guint i = 0; i < points->len; i++)
		print_point(&g_array_index(points, ChangePoint, i), n);
	printf("\n");
}

static void read_all(void)
{
	g_autofree char *line = NULL;
	size_t size = 0;
	while (getline(&line, &size, stdin) > 0)
		read_line(line);
}

/* --- simulate --- */

typedef enum { NORMAL, HEAVY, SPIKY, BIMODAL } Noise;

static double draw_noise(Noise noise, Draws *draws)
{
	switch (noise) {
	case HEAVY:
		return .02 * draw_heavy(draws, 3);
	case SPIKY:
		return .01 * draw_normal(draws) + (draw_chance(draws, .05) ? draw_exponential(draws, .2) : 0);
	case BIMODAL:
		return .005 * draw_normal(draws) + (draw_chance(draws, .5) ? .04 : 0);
	default:
		return .02 * draw_normal(draws);
	}
}

static void draw_series(Noise noise, Draws *draws, double *values, guint n)
{
	for (guint i = 0; i < n; i++)
		values[i] = exp(draw_noise(noise, draws));
}

static void unchanged(void)
{
	static const guint lengths[] = {20, 50, 100};
	double values[MAX_POINTS];
	guint alarms = 0, series = 0, drifts;
	for (Noise noise = NORMAL; noise <= BIMODAL; noise++)
		for (guint l = 0; l < G_N_ELEMENTS(lengths); l++) {
			Draws draws = {1000 * (guint)noise + l};
			for (guint s = 0; s < NULL_SERIES; s++, series++) {
				draw_series(noise, &draws, values, lengths[l]);
				g_autoptr(GArray) points =
				        sampled(&(ChangeSeries){.values = values, .n = lengths[l]}, &drifts);
				alarms += points->len > 0;
			}
		}
	printf("| unchanged series with a change, 4 kinds of noise, 20, 50 and 100 commits | %u of %u |\n", alarms,
	        series);
}

static gboolean is_near(const GArray *points, guint at, guint most)
{
	for (guint i = 0; i < points->len; i++) {
		gint own = (gint)g_array_index(points, ChangePoint, i).index;
		if (abs(own - (gint)at) <= (gint)most)
			return TRUE;
	}
	return FALSE;
}

static void bump(double size, guint length)
{
	Draws draws = {4000 + length};
	double values[MAX_POINTS];
	guint found = 0, drifts;
	for (guint s = 0; s < STEP_SERIES; s++) {
		draw_series(NORMAL, &draws, values, 100);
		for (guint i = 60; i < 60 + length; i++)
			values[i] *= 1 + size;
		g_autoptr(GArray) points = sampled(&(ChangeSeries){.values = values, .n = 100}, &drifts);
		found += is_near(points, 60, 1) && is_near(points, 60 + length, 1);
	}
	printf("| +%.0f %% for %u of 100 commits, noise 2 %%: both ends found within one | %u of %u |\n", 100 * size,
	        length, found, STEP_SERIES);
}

/* An innocent commit is named where a range of one commit is not the guilty one, or a range lacks it. */
static void late(double size, guint at, guint series)
{
	Draws draws = {5000 + at};
	double values[MAX_POINTS];
	guint innocent = 0, found = 0, wide = 0, drifts;
	for (guint s = 0; s < series; s++) {
		gboolean named = FALSE;
		draw_series(NORMAL, &draws, values, 100);
		for (guint i = at; i < 100; i++)
			values[i] *= 1 + size;
		g_autoptr(GArray) points = sampled(&(ChangeSeries){.values = values, .n = 100}, &drifts);
		for (guint i = 0; i < points->len; i++) {
			const ChangePoint *point = &g_array_index(points, ChangePoint, i);
			gboolean holds = earliest_of(point) <= at && at <= latest_of(point);
			named |= !holds;
			found += holds;
			wide += holds && latest_of(point) > earliest_of(point);
		}
		innocent += named;
	}
	printf("| step of %.0f %% at commit %u of 100: innocent commits named; found, of them with a range | %u; %u, "
	       "%u of %u |\n",
	        100 * size, at + 1, innocent, found, wide, series);
}

static void outliers(void)
{
	Draws draws = {6000};
	double values[MAX_POINTS];
	guint found = 0, drifts;
	for (guint s = 0; s < STEP_SERIES; s++) {
		draw_series(NORMAL, &draws, values, 100);
		for (guint i = 50; i < 100; i++)
			values[i] *= 1.1;
		values[20 + draw_bits(&draws) % 10] *= 4;
		values[70 + draw_bits(&draws) % 10] *= 4;
		g_autoptr(GArray) points = sampled(&(ChangeSeries){.values = values, .n = 100}, &drifts);
		found += is_near(points, 50, 1);
	}
	printf("| step of 10 %% beside two outliers of four times the value: found within one | %u of %u |\n", found,
	        STEP_SERIES);
}

static void drift(double total)
{
	Draws draws = {7000};
	double values[MAX_POINTS];
	guint stairs = 0, told = 0;
	for (guint s = 0; s < STEP_SERIES; s++) {
		guint drifts;
		draw_series(NORMAL, &draws, values, 100);
		for (guint i = 0; i < 100; i++)
			values[i] *= 1 + total * i / 99;
		g_autoptr(GArray) points = sampled(&(ChangeSeries){.values = values, .n = 100}, &drifts);
		stairs += points->len > drifts;
		told += drifts > 0 && points->len == drifts;
	}
	printf("| drift of %.0f %% over 100 commits, noise 2 %%: told as steps; as drift alone | %u; %u of %u |\n",
	        100 * total, stairs, told, STEP_SERIES);
}

static void counted(double noise)
{
	Draws draws = {8000};
	double values[MAX_POINTS];
	guint alarms = 0;
	for (guint s = 0; s < STEP_SERIES; s++) {
		for (guint i = 0; i < MAX_POINTS; i++)
			values[i] = 1e6 * exp(noise * draw_normal(&draws));
		g_autoptr(GArray) points = change_points_counted(&(ChangeSeries){.values = values, .n = MAX_POINTS});
		alarms += points->len;
	}
	printf("| counted, one run each, noise %g %%: changes for 1,000 unchanged commits | %.2f |\n", 100 * noise,
	        1000. * alarms / (STEP_SERIES * MAX_POINTS));
}

static void simulate(void)
{
	printf("| what | |\n|---|---|\n");
	unchanged();
	bump(1, 5);
	bump(.2, 5);
	bump(.1, 5);
	bump(.1, 10);
	late(.1, 98, LATE_SERIES);
	late(1, 98, LATE_SERIES);
	late(.1, 97, STEP_SERIES);
	late(.1, 50, STEP_SERIES);
	late(.05, 50, STEP_SERIES);
	outliers();
	drift(.2);
	drift(.5);
	counted(.005);
	counted(.0005);
}

/* --- speed --- */

static void speed(guint n)
{
	Draws draws = {9000};
	g_autofree double *values = g_new(double, n);
	for (guint i = 0; i < n; i++)
		values[i] = exp(.02 * draw_normal(&draws)) * (1 + .1 * ((i / 250) % 3));
	guint drifts;
	gint64 start = g_get_monotonic_time();
	g_autoptr(GArray) points = sampled(&(ChangeSeries){.values = values, .n = n}, &drifts);
	printf("| %u values, a step every 250 commits | %.2f s, %u changes |\n", n,
	        (double)(g_get_monotonic_time() - start) / 1e6, points->len);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (g_str_equal(what, "read"))
		read_all();
	else if (g_str_equal(what, "simulate"))
		simulate();
	else if (g_str_equal(what, "speed"))
		for (guint n = 1000; n <= 100000; n *= 10)
			speed(n);
	else
		return 2;
	return 0;
}
