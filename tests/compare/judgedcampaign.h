/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of a verdict share this campaign of a made-up program, and what its comparison must say. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/programs.h"

static inline Synthetic *campaign(const SyntheticFunction *tree, guint rounds)
{
	SyntheticPlan plan = {.functions = tree, .rounds = rounds, .seed = 5, .noise = .4, .time_noise = .003};
	return synthetic_new(&plan);
}

static inline void assert_verdict(const Synthetic *s, Verdict verdict, const char *code)
{
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_string_equal(verdict_name(c->verdict), verdict_name(verdict));
	assert_string_equal(c->reason_code, code);
	assert_true(strlen(c->reason) > 0);
	assert_true(strlen(c->sentence) > 0);
}
