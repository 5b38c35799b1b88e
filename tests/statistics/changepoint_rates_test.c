/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates how often a history of an unchanged benchmark is said to have changed, how often a change is found, and how
 * near to the commit that made it. A point is the median of one campaign; campaigns of different days have noise of
 * their own, and some machines are slower for days. */
#include "compare/statistics/changepoints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/statistics/ratetable.h"
#include "tests/statistics/scenarios.h"

#define NULL_SERIES SIMULATED(2000)
#define STEP_SERIES SIMULATED(200)

enum { MAX_POINTS = 100 };

typedef struct {
	const char *name;
	double noise;         /* standard deviation of a point, logarithmic */
	double kept;          /* correlation from point to point */
	gboolean heavy;       /* Student's t with 3 degrees of freedom */
	double spikes, spike; /* share of points with a neighbour, and its mean cost */
	double mode;          /* cost of a second mode that half of the points are in */
} Noise;

static const Noise normal = {.name = "normal, 2 %", .noise = .02};
static const Noise heavy = {.name = "heavy tails, 2 %", .noise = .02, .heavy = TRUE};
static const Noise spiky = {.name = "spikes of 20 % in 5 % of the points", .noise = .01, .spikes = .05, .spike = .2};
static const Noise bimodal = {.name = "two modes 4 % apart", .noise = .005, .mode = .04};
static const Noise drifting = {.name = "correlation .3 from point to point", .noise = .02, .kept = .3};
static const Noise wandering = {.name = "correlation .6 from point to point", .noise = .02, .kept = .6};

static void draw_series(const Noise *noise, Draws *draws, double *values, guint n)
{
	double now = draw_normal(draws);
	for (guint i = 0; i < n; i++) {
		double fresh = noise->heavy ? draw_heavy(draws, 3) : draw_normal(draws);
		now = i == 0 ? fresh : noise->kept * now + sqrt(1 - noise->kept * noise->kept) * fresh;
		double y = noise->noise * now;
		y += draw_chance(draws, noise->spikes) ? draw_exponential(draws, noise->spike) : 0;
		y += noise->mode > 0 && draw_chance(draws, .5) ? noise->mode : 0;
		values[i] = exp(y);
	}
}

/* Share of unchanged series with a change. */
static double false_alarms(const Noise *noise, guint n, guint64 seed)
{
	Draws draws = {seed};
	double values[MAX_POINTS];
	guint alarms = 0;
	for (guint s = 0; s < NULL_SERIES; s++) {
		draw_series(noise, &draws, values, n);
		g_autoptr(GArray) points = change_points_sampled(&(ChangeSeries){.values = values, .n = n});
		alarms += points->len > 0;
	}
	return (double)alarms / NULL_SERIES;
}

static void an_unchanged_history_has_few_changes(void **state)
{
	static const Noise *const noises[] = {&normal, &heavy, &spiky, &bimodal};
	static const guint lengths[] = {20, 50, 100};
	RateTable table = {0};
	(void)state;
	printf("| unchanged, %u series | commits | with a change | limit | held |\n|---|---|---|---|---|\n",
	        (guint)NULL_SERIES);
	for (guint i = 0; i < G_N_ELEMENTS(noises); i++)
		for (guint l = 0; l < G_N_ELEMENTS(lengths); l++) {
			g_autoptr(GString) limits = g_string_new(NULL);
			double rate = false_alarms(noises[i], lengths[l], 1000 * i + l);
			printf("| %s | %u | %.2f %% |", noises[i]->name, lengths[l], 100 * rate);
			end_row(&table, limits,
			        keeps_most(limits, "rate", rate, most_at_level(CHANGE_ALPHA, NULL_SERIES)));
		}
	assert_true(all_held(&table));
}

/* A series that is not exchangeable is outside of the promise: the table says how far. The penalty grows with the
 * memory; without that it would be a multiple. */
static void a_machine_with_a_memory_makes_some_more(void **state)
{
	static const Noise *const noises[] = {&drifting, &wandering};
	static const double most[] = {.02, .06};
	RateTable table = {0};
	(void)state;
	printf("| unchanged, %u series | commits | with a change | limit | held |\n|---|---|---|---|---|\n",
	        (guint)NULL_SERIES);
	for (guint i = 0; i < G_N_ELEMENTS(noises); i++) {
		g_autoptr(GString) limits = g_string_new(NULL);
		double rate = false_alarms(noises[i], 50, 7000 + i);
		printf("| %s | 50 | %.2f %% |", noises[i]->name, 100 * rate);
		end_row(&table, limits, keeps_most(limits, "rate", rate, most_at_level(most[i], NULL_SERIES)));
	}
	assert_true(all_held(&table));
}

typedef struct {
	guint n, at;
	double step;
	double least; /* share found within one commit of the place */
} Step;

typedef struct {
	guint found, counted, near;
} Hits;

static Hits find_steps(const Noise *noise, const Step *step, guint64 seed)
{
	Draws draws = {seed};
	double values[MAX_POINTS];
	Hits hits = {0};
	for (guint s = 0; s < STEP_SERIES; s++) {
		gint nearest = MAX_POINTS;
		draw_series(noise, &draws, values, step->n);
		for (guint i = step->at; i < step->n; i++)
			values[i] *= 1 + step->step;
		g_autoptr(GArray) points = change_points_sampled(&(ChangeSeries){.values = values, .n = step->n});
		for (guint i = 0; i < points->len; i++)
			nearest = MIN(nearest, abs((gint)g_array_index(points, ChangePoint, i).index - (gint)step->at));
		hits.found += points->len > 0;
		hits.counted += nearest == 0;
		hits.near += nearest <= 1;
	}
	return hits;
}

static double share(guint count)
{
	return (double)count / STEP_SERIES;
}

static void a_change_is_found_near_its_commit(void **state)
{
	static const Step steps[] = {{50, 25, .05, .80}, {50, 25, .10, .97}, {50, 45, .10, .90}, {50, 47, .10, .60},
	        {100, 90, .05, .80}, {20, 12, .10, .85}};
	RateTable table = {0};
	(void)state;
	printf("| step in noise of 2 %%, %u series | commits | at | found | at its commit | within one | limit | held "
	       "|\n"
	       "|---|---|---|---|---|---|---|---|\n",
	        (guint)STEP_SERIES);
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
		g_autoptr(GString) limits = g_string_new(NULL);
		Hits hits = find_steps(&normal, &steps[i], 9000 + i);
		printf("| %.0f %% | %u | %u | %.1f %% | %.1f %% | %.1f %% |", 100 * steps[i].step, steps[i].n,
		        steps[i].at + 1, 100 * share(hits.found), 100 * share(hits.counted), 100 * share(hits.near));
		end_row(&table, limits,
		        keeps_least(
		                limits, "within one", share(hits.near), least_at_level(steps[i].least, STEP_SERIES)));
	}
	assert_true(all_held(&table));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_unchanged_history_has_few_changes),
	        cmocka_unit_test(a_machine_with_a_memory_makes_some_more),
	        cmocka_unit_test(a_change_is_found_near_its_commit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
