/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions are annotated, and what is said where their lines are not known. */
#include "gate/context/gateannotate.h"

#include "tests/gate/fixture/gatefixture.h"

/* `sort` costs more, and so does `parse`, by less. */
#define BOTH_SLOWER "main 20 1000\nparse 80 20000\nsort 480 96000\n"

/* A check of head with an output folder; its first annotation. */
static const FunctionAnnotation *annotate(GateFixture *f, const char *costs)
{
	g_autofree char *out = g_build_filename(f->root, "out", NULL);
	f->request.out_dir = out;
	gate_fixture_head(f, costs);
	gate_fixture_check(f);
	f->request.out_dir = NULL;
	const GPtrArray *annotations = only_benchmark(f->result)->annotations;
	return annotations != NULL && annotations->len > 0 ? annotations->pdata[0] : NULL;
}

static void the_function_that_gates_comes_first(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	const FunctionAnnotation *first = annotate(f, BOTH_SLOWER);
	const ResultBenchmark *row = only_benchmark(f->result);
	assert_non_null(first);
	assert_true(row->annotations->len > 1);
	assert_string_equal(stack_table_frame_name(row->head->profile->table, first->frame), "sort");
}

static void lines_that_are_not_known_are_told(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	const FunctionAnnotation *first = annotate(f, SLOWER);
	assert_int_equal(first->lines->len, 0);
	assert_says(first->note, "built without debug information");
	assert_non_null(first->instructions_note);
}

static void stored_counts_of_base_have_no_lines(void **state)
{
	GateFixture *f = *state;
	f->request.no_confirm = TRUE;
	gate_fixture_base(f, COUNTED, COSTS);
	assert_null(strstr(annotate(f, SLOWER)->note, "earlier check"));
	assert_says(annotate(f, SLOWER "\n")->note, "base was counted in an earlier check");
}

static void without_a_place_for_outputs_nothing_is_annotated(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_head(f, SLOWER);
	gate_fixture_check(f);
	assert_null(only_benchmark(f->result)->annotations);
}

static void base_against_base_is_not_annotated(void **state)
{
	GateFixture *f = *state;
	f->request.mode = CHECK_CALIBRATE;
	gate_fixture_base(f, COUNTED, COSTS);
	assert_null(annotate(f, SLOWER));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(the_function_that_gates_comes_first),
	        GATE_TEST(lines_that_are_not_known_are_told),
	        GATE_TEST(stored_counts_of_base_have_no_lines),
	        GATE_TEST(without_a_place_for_outputs_nothing_is_annotated),
	        GATE_TEST(base_against_base_is_not_annotated),
	};
	return run_gate_tests(tests);
}
