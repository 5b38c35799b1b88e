/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/annotation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_new_annotation_claims_nothing(void **state)
{
	(void)state;
	g_autoptr(FunctionAnnotation) annotation = function_annotation_new((FrameId){3});
	assert_int_equal(annotation->frame.index, 3);
	assert_string_equal(annotation->base_file, "");
	assert_string_equal(annotation->head_file, "");
	assert_int_equal(annotation->lines->len + annotation->instructions->len, 0);
	assert_true(isnan(annotation->other_base) && isnan(annotation->other_head));
	assert_null(annotation->note);
	assert_null(annotation->instructions_note);
}

static void clauses_of_a_note_are_set_apart(void **state)
{
	g_autofree char *note = NULL;
	(void)state;
	annotation_add_note(&note, "one");
	assert_string_equal(note, "one");
	annotation_add_note(&note, "two");
	assert_string_equal(note, "one; two");
}

static void a_row_of_neither_side_is_a_gap(void **state)
{
	AnnotatedLine gap = {.n_left_out = 3}, removed = {.base_line = 1}, added = {.head_line = 1};
	AnnotatedInstruction left_out = {.n_left_out = 3}, in_base = {.in_base = TRUE}, in_head = {.in_head = TRUE};
	(void)state;
	assert_true(annotated_line_is_gap(&gap));
	assert_false(annotated_line_is_gap(&removed) || annotated_line_is_gap(&added));
	assert_true(annotated_instruction_is_gap(&left_out));
	assert_false(annotated_instruction_is_gap(&in_base) || annotated_instruction_is_gap(&in_head));
}

static void rows_own_their_texts(void **state)
{
	(void)state;
	FunctionAnnotation *annotation = function_annotation_new((FrameId){0});
	AnnotatedLine line = {.head_line = 1, .text = g_strdup("a"), .base_text = g_strdup("b")};
	AnnotatedInstruction instruction = {.in_head = TRUE, .text = g_strdup("ret"), .base_text = g_strdup("nop")};
	g_array_append_val(annotation->lines, line);
	g_array_append_val(annotation->instructions, instruction);
	assert_string_equal(g_array_index(annotation->lines, AnnotatedLine, 0).text, "a");
	/* a leak or a second free is found by the sanitizers */
	function_annotation_free(annotation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_new_annotation_claims_nothing),
	        cmocka_unit_test(clauses_of_a_note_are_set_apart),
	        cmocka_unit_test(a_row_of_neither_side_is_a_gap),
	        cmocka_unit_test(rows_own_their_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
