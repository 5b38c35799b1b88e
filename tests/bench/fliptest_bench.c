/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmark: the sign-flip max-T test over 300 functions and 12 rounds, of which three functions became slower. */
#include "bench/workload.h"
#include "compare/statistics/fliptest.h"

#include <stdio.h>

#define FUNCTIONS 300
#define ROUNDS 12
#define SLOWER 3

typedef struct {
	double base[FUNCTIONS * ROUNDS], head[FUNCTIONS * ROUNDS];
} Costs;

/* About `mean` sample equivalents, with a spread like that of counted samples. */
static double noisy(guint64 *state, guint mean)
{
	double sum = 0;
	for (guint i = 0; i < mean; i++)
		sum += workload_random(state, 3);
	return sum;
}

static void fill(Costs *costs)
{
	guint64 state = 12;
	for (guint f = 0; f < FUNCTIONS; f++) {
		guint mean = 10 + 2000 / (f + 1);
		for (guint r = 0; r < ROUNDS; r++) {
			costs->base[f * ROUNDS + r] = noisy(&state, mean);
			costs->head[f * ROUNDS + r] = noisy(&state, f < SLOWER ? mean * 3 / 2 : mean);
		}
	}
}

static guint slower_functions(const FlipInput *input)
{
	g_autoptr(FlipTest) test = flip_test_new(input);
	guint slower = 0;
	for (guint f = 0; f < test->functions; f++)
		slower += test->p_adjusted[f] < .01 ? 1 : 0;
	return slower;
}

int main(int argc, char **argv)
{
	static Costs costs;
	guint repetitions = workload_repetitions(argc, argv);
	fill(&costs);
	FlipInput input = {.functions = FUNCTIONS, .rounds = ROUNDS, .base = costs.base, .head = costs.head};
	for (guint i = 0; i < repetitions; i++) {
		input.phi = flip_dispersion(&input);
		workload_expect(slower_functions(&input) == SLOWER, "the number of slower functions");
	}
	printf("%u times %u functions, %u rounds, dispersion %.3f\n", repetitions, FUNCTIONS, ROUNDS, input.phi);
	return 0;
}
