/* SPDX-License-Identifier: Apache-2.0 */
/* The noise of machines, made up: what simulated runs of an unchanged program look like on a quiet host, on a virtual
 * machine, beside loud neighbours, and so on. All sizes are natural logarithms: .01 is one percent.
 *
 *     run 1   run 2 | run 3   run 4 | ...        two runs are a round, which side comes first is drawn
 *     y = drift + trend + noise + spike + mode + slot        cost of the run = exp(y)
 *
 * Every draw comes from one generator with a fixed seed, so a simulation gives the same numbers each time. */
#pragma once

#include <glib.h>
#include <math.h>

#define SCENARIO_MAX_ROUNDS 20

typedef struct {
	const char *name;
	double drift, drift_kept;              /* standard deviation of a drift, and its correlation from run to run */
	double trend;                          /* standard deviation of a trend from the first run to the last */
	double noise;                          /* standard deviation of a run, with heavy tails (t, 3 degrees) */
	double spike_start, spike, spike_kept; /* a neighbour: probability per run, mean cost, probability to stay */
	double mode_share, mode;               /* probability and cost of a second mode */
	double slot;                           /* what the first run of a round costs more */
} Scenario;

static const Scenario scenario_quiet = {
        .name = "quiet", .drift = .001, .drift_kept = .9, .trend = .001, .noise = .002, .slot = .001};
static const Scenario scenario_vm = {.name = "virtual machine",
        .drift = .012,
        .drift_kept = .9,
        .trend = .010,
        .noise = .008,
        .spike_start = .03,
        .spike = .06,
        .spike_kept = .5,
        .slot = .003};
static const Scenario scenario_noisy = {.name = "noisy virtual machine",
        .drift = .060,
        .drift_kept = .6,
        .trend = .030,
        .noise = .020,
        .spike_start = .08,
        .spike = .15,
        .spike_kept = .6,
        .mode_share = .15,
        .mode = .03,
        .slot = .005};
static const Scenario scenario_bimodal = {.name = "bimodal",
        .drift = .002,
        .drift_kept = .9,
        .trend = .001,
        .noise = .003,
        .spike_start = .01,
        .spike = .05,
        .spike_kept = .3,
        .mode_share = .5,
        .mode = .04,
        .slot = .001};
/* A machine that gets hot: a tenth slower or faster by the end of the campaign. */
static const Scenario scenario_drift = {
        .name = "drift", .drift = .030, .drift_kept = .98, .trend = .100, .noise = .004, .slot = .003};
/* Counted instructions. */
static const Scenario scenario_counts = {.name = "instructions",
        .noise = .0002,
        .spike_start = .01,
        .spike = .002,
        .spike_kept = .2,
        .mode_share = .1,
        .mode = .001};

/* --- draws --- */

typedef struct {
	guint64 state;
} Draws;

static inline guint64 draw_bits(Draws *draws)
{
	guint64 z = (draws->state += 0x9e3779b97f4a7c15ULL);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Above 0 and below 1. */
static inline double draw_uniform(Draws *draws)
{
	return ((double)(draw_bits(draws) >> 12) + .5) / 4503599627370496.0;
}

static inline gboolean draw_chance(Draws *draws, double probability)
{
	return draw_uniform(draws) < probability;
}

/* A point in the unit circle: its first coordinate, and the square of its distance from the centre. */
static inline double draw_in_circle(Draws *draws, double *square)
{
	double x, y;
	do {
		x = 2 * draw_uniform(draws) - 1;
		y = 2 * draw_uniform(draws) - 1;
		*square = x * x + y * y;
	} while (*square >= 1 || *square == 0);
	return x;
}

/* Polar method (Marsaglia). */
static inline double draw_normal(Draws *draws)
{
	double square, x = draw_in_circle(draws, &square);
	return x * sqrt(-2 * log(square) / square);
}

/* Polar method for Student's t (Bailey 1994), scaled to a standard deviation of 1; df > 2. */
static inline double draw_heavy(Draws *draws, double df)
{
	double square, x = draw_in_circle(draws, &square);
	return x * sqrt((df - 2) * (pow(square, -2 / df) - 1) / square);
}

static inline double draw_exponential(Draws *draws, double mean)
{
	return -mean * log(draw_uniform(draws));
}

static inline double draw_small_poisson(Draws *draws, double mean)
{
	double product = draw_uniform(draws), limit = exp(-mean);
	guint count = 0;
	while (product > limit) {
		product *= draw_uniform(draws);
		count++;
	}
	return count;
}

/* Transformed rejection (Hoermann 1993), for means of at least 10. */
static inline double draw_large_poisson(Draws *draws, double mean)
{
	double b = .931 + 2.53 * sqrt(mean), a = -.059 + .02483 * b;
	double quick = .9277 - 3.6224 / (b - 2), scale = 1.1239 + 1.1328 / (b - 3.4);
	for (;;) {
		double u = draw_uniform(draws) - .5, v = draw_uniform(draws), edge = .5 - fabs(u);
		double count = floor((2 * a / edge + b) * u + mean + .43);
		if (edge >= .07 && v <= quick)
			return count;
		if (count < 0 || (edge < .013 && v > edge))
			continue;
		if (log(v * scale / (a / (edge * edge) + b)) <= count * log(mean) - mean - lgamma(count + 1))
			return count;
	}
}

static inline double draw_poisson(Draws *draws, double mean)
{
	return mean < 10 ? draw_small_poisson(draws, mean) : draw_large_poisson(draws, mean);
}

/* --- campaigns --- */

/* One value per run of either side. */
typedef struct {
	double base[SCENARIO_MAX_ROUNDS], head[SCENARIO_MAX_ROUNDS];
} DrawnCampaign;

/* Which side starts each round. */
typedef struct {
	guint rounds;
	gboolean head_first[SCENARIO_MAX_ROUNDS];
} RoundOrder;

/* In every step between two looks (after 8, 12 and 20 rounds) half of the rounds start with either side, shuffled, so
 * that the first 8 and the first 12 rounds are balanced, too. The side with the odd round is drawn. */
static inline RoundOrder draw_order(Draws *draws, guint rounds)
{
	static const guint looks[] = {8, 12, SCENARIO_MAX_ROUNDS};
	RoundOrder order = {.rounds = rounds};
	for (guint look = 0, first = 0; first < rounds; first = MIN(looks[look], rounds), look++) {
		guint end = MIN(looks[look], rounds), extra = draw_bits(draws) & 1;
		for (guint i = first; i < end; i++) {
			guint other = first + (guint)(draw_bits(draws) % (i - first + 1));
			order.head_first[i] = order.head_first[other];
			order.head_first[other] = (i - first + extra) % 2 == 0;
		}
	}
	return order;
}

/* Adds what a neighbour costs in each run: it comes, stays a while, and weighs differently on each run. */
static inline void add_spikes(const Scenario *scenario, Draws *draws, double *y, guint runs)
{
	gboolean active = FALSE;
	double size = 0;
	for (guint i = 0; i < runs && scenario->spike_start > 0; i++) {
		active = active && draw_chance(draws, scenario->spike_kept);
		if (!active && draw_chance(draws, scenario->spike_start)) {
			active = TRUE;
			size = draw_exponential(draws, scenario->spike);
		}
		if (active)
			y[i] += size * (.3 + .7 * draw_uniform(draws));
	}
}

/* A value that wanders around 0 with a standard deviation, of which a part is kept from one run to the next. */
typedef struct {
	double sd, kept;
} Wander;

static inline void add_wander(Wander wander, Draws *draws, double *y, guint runs)
{
	double now = wander.sd * draw_normal(draws), fresh = wander.sd * sqrt(1 - wander.kept * wander.kept);
	for (guint i = 0; i < runs && wander.sd > 0; i++) {
		y[i] += now;
		now = wander.kept * now + fresh * draw_normal(draws);
	}
}

/* Deals consecutive values of runs out to the sides of their rounds. */
static inline void deal_runs(const double *y, const RoundOrder *order, DrawnCampaign *campaign)
{
	for (guint i = 0; i < order->rounds; i++) {
		campaign->base[i] = y[2 * i + (order->head_first[i] ? 1 : 0)];
		campaign->head[i] = y[2 * i + (order->head_first[i] ? 0 : 1)];
	}
}

/* The logarithms of the costs of a program that did not change. */
static inline void draw_campaign(
        const Scenario *scenario, Draws *draws, const RoundOrder *order, DrawnCampaign *campaign)
{
	double y[2 * SCENARIO_MAX_ROUNDS] = {0};
	guint runs = 2 * order->rounds;
	*campaign = (DrawnCampaign){0};
	double trend = scenario->trend * draw_normal(draws);
	add_wander((Wander){scenario->drift, scenario->drift_kept}, draws, y, runs);
	add_spikes(scenario, draws, y, runs);
	for (guint i = 0; i < runs; i++) {
		y[i] += trend * ((double)i / runs - .5) + scenario->noise * draw_heavy(draws, 3);
		y[i] += draw_chance(draws, scenario->mode_share) ? scenario->mode : 0;
		y[i] += i % 2 == 0 ? scenario->slot : 0;
	}
	deal_runs(y, order, campaign);
}
