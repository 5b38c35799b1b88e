/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of attribution share these campaigns of a made-up program, and these questions about its functions. */
#pragma once

#include "compare/functions/attribution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/compare/knowncode.h"
#include "tests/compare/near.h"
#include "tests/compare/synthetic.h"

static inline Synthetic *campaign(const SyntheticFunction *tree, guint64 seed)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = seed, .noise = .5, .time_noise = .003};
	return synthetic_new(&plan);
}

static inline guint gating(const BenchmarkComparison *c)
{
	guint n = 0;
	for (guint i = 0; i < c->functions->len; i++)
		n += ((FunctionComparison *)c->functions->pdata[i])->gates;
	return n;
}

static const SyntheticFunction slow_hash[] = {
        {"main", 50, 50, "a.c", 90},
        {"main;hash", 200, 300, "a.c", 10},
        {"main;sort", 400, 400, "a.c", 30},
        {NULL, 0, 0, NULL, 0},
};

static const KnownCode none_known[] = {{.name = NULL}};
static const KnownCode all_same[] = {
        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {1, 1}},
        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 2}},
        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .hash = {3, 3}},
        {.name = "render", .file = "render.c", .first = 50, .last = 60, .hash = {4, 4}},
        {.name = NULL},
};

static const SyntheticFunction two_slower[] = {
        {"main", 50, 50, "main.c", 90},
        {"main;hash", 200, 300, "hash.c", 10},
        {"main;sort", 400, 500, "sort.c", 30},
        {"main;render", 350, 350, "render.c", 50},
        {NULL, 0, 0, NULL, 0},
};

/* hash costs 12 % more, which is 1 % of the total: it gates alone. */
static const SyntheticFunction slightly_slower[] = {
        {"main", 5000, 5000, "main.c", 90},
        {"main;hash", 900, 1010, "hash.c", 10},
        {"main;sort", 2000, 2000, "sort.c", 30},
        {"main;render", 3000, 3000, "render.c", 50},
        {NULL, 0, 0, NULL, 0},
};

static inline BenchmarkComparison *compare_with(Synthetic *s, const KnownCode *known, const LineChanges *change)
{
	g_autoptr(CodeFacts) code = known_code(s->table, known);
	s->input.code = code;
	s->input.change = change;
	BenchmarkComparison *comparison = compare_benchmark(&s->input);
	s->input.code = NULL;
	s->input.change = NULL;
	return comparison;
}

static inline Synthetic *slight(void)
{
	SyntheticPlan plan = {.functions = slightly_slower, .rounds = 8, .seed = 5, .noise = .2, .time_noise = .001};
	return synthetic_new(&plan);
}

static const SyntheticFunction masked[] = {
        {"main", 2000, 2000, "main.c", 90},
        {"main;input;decode", 2000, 2200, "input.c", 10},
        {"main;output;encode", 3000, 2800, "output.c", 20},
        {"main;sort", 3000, 3000, "sort.c", 40},
        {NULL, 0, 0, NULL, 0},
};

/* In head, decode and skip are only what a test adds. */
static const SyntheticFunction codec[] = {
        {"main", 50, 50, "main.c", 90},
        {"main;input;decode", 200, 200, "codec.c", 10},
        {"main;input;skip", 600, 0, "codec.c", 220},
        {"main;sort", 600, 600, "sort.c", 40},
        {NULL, 0, 0, NULL, 0},
};

/* The number of 30 campaigns that gate a function, and that give the class to the one that is asked for. */
typedef struct {
	guint gating, of_class;
} Outcome;

static inline Outcome outcome(const SyntheticFunction *tree, const char *name, FunctionClass klass)
{
	Outcome sum = {0, 0};
	for (guint64 seed = 1; seed <= 30; seed++) {
		g_autoptr(Synthetic) s = campaign(tree, seed);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		sum.gating += gating(c) > 0;
		sum.of_class += synthetic_find(s, c, name)->klass == klass;
	}
	return sum;
}
