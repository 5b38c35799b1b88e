/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of confirmation share these two campaigns of a made-up program, of which the first accused somebody. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/programs.h"

static inline Synthetic *campaign(const SyntheticFunction *tree, guint rounds, guint64 seed)
{
	SyntheticPlan plan = {.functions = tree, .rounds = rounds, .seed = seed, .noise = .2, .time_noise = .001};
	Synthetic *s = synthetic_new(&plan);
	s->input.functions.strict = TRUE; /* so that functions gate although the total holds */
	return s;
}

/* A first campaign that ended in a regression, and the second one, which was told of it. */
typedef struct {
	Synthetic *first, *second;
	BenchmarkComparison *suspected;
} Twice;

static inline Twice measure_twice(const SyntheticFunction *tree, const SyntheticFunction *again, guint rounds)
{
	Twice twice = {.first = campaign(tree, 8, 5), .second = campaign(again, rounds, 6)};
	twice.suspected = compare_benchmark(&twice.first->input);
	assert_int_equal(twice.suspected->verdict, VERDICT_REGRESSION);
	twice.second->input.suspected = twice.suspected;
	return twice;
}

static inline void twice_clear(Twice *twice)
{
	benchmark_comparison_free(twice->suspected);
	synthetic_free(twice->first);
	synthetic_free(twice->second);
}

static inline FunctionComparison *suspect(const Twice *twice, const char *name)
{
	return synthetic_find(twice->first, twice->suspected, name);
}

static inline void acquit_functions(BenchmarkComparison *suspected)
{
	for (guint i = 0; i < suspected->functions->len; i++)
		((FunctionComparison *)suspected->functions->pdata[i])->gates = FALSE;
}
