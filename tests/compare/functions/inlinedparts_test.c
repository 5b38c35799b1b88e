/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/inlinedshown.h"
#include "compare/functions/inlinedparts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MAX_PARTS 5

/* A function with these parts, which end with 0. */
static void fill(FunctionComparison *function, double contribution, const double parts[])
{
	*function = (FunctionComparison){
	        .contribution = contribution, .inlined = parts[0] != 0 ? g_ptr_array_new_with_free_func(g_free) : NULL};
	for (guint i = 0; parts[i] != 0; i++) {
		InlinedPart *part = g_new0(InlinedPart, 1);
		part->contribution = parts[i];
		g_ptr_array_add(function->inlined, part);
	}
}

static void parts_are_shown_that_explain_the_function(void **state)
{
	static const struct {
		double contribution, parts[MAX_PARTS];
		guint n;
		double rest;
	} rows[] = {
	        {.031, {.05, -.019}, 2, 0},          /* rises and falls alike; nothing is left */
	        {.05, {0}, 0, 0},                    /* there is none */
	        {.10, {.009}, 0, 0},                 /* too small to explain anything */
	        {.10, {.02, .009}, 1, .08},          /* so is what stands beside a large one */
	        {0, {.05, -.05}, 2, 0},              /* cost moved within a function that costs the same */
	        {0, {.05}, 1, -.05},                 /* out of its own code */
	        {.10, {.04, .03, .02, .01}, 3, .01}, /* no more than are asked for */
	        {.10, {.04, .03, .02, .005, .004}, 3, .01},
	        {-.05, {-.05, .001}, 1, 0},
	        {NAN, {.05}, 1, 0}, /* of a report that was written by another hand */
	        {.05, {NAN, .05}, 0, 0},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		FunctionComparison function;
		fill(&function, rows[i].contribution, rows[i].parts);
		InlinedShown shown = inlined_parts_shown(&function, INLINED_SHOWN);
		assert_int_equal(shown.n, rows[i].n);
		assert_float_equal(shown.rest, rows[i].rest, 1e-12);
		g_clear_pointer(&function.inlined, g_ptr_array_unref);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(parts_are_shown_that_explain_the_function),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
