/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/annotatedcode.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define F ((FrameId){7})
#define STEP 4 /* bytes of an instruction */

/* A listing from "text@line|text|...": the key is the text with digits as "#", so that numbers do not tell code apart.
 */
static FunctionListing list(const char *rows, guint64 offset)
{
	FunctionListing listing = {
	        .text = g_string_chunk_new(64),
	        .instructions = g_array_new(FALSE, FALSE, sizeof(ListedInstruction)),
	        .name = "f",
	};
	g_auto(GStrv) texts = g_strsplit(rows, "|", -1);
	for (guint i = 0; texts[i] != NULL; i++) {
		g_auto(GStrv) parts = g_strsplit(texts[i], "@", 2);
		g_autofree char *key = g_strdup(parts[0]);
		ListedInstruction row = {
		        .address = 0x1000 + offset + STEP * i, .offset = offset + STEP * i, .size = STEP};
		row.text = g_string_chunk_insert(listing.text, parts[0]);
		row.key = g_string_chunk_insert(listing.text, g_strcanon(key, "abcdefghijklmnopqrstuvwxyz ", '#'));
		if (parts[1] != NULL) {
			row.line = (guint32)g_ascii_strtoull(parts[1], NULL, 10);
			row.file = "/build/base/src/f.c";
		}
		g_array_append_val(listing.instructions, row);
	}
	return listing;
}

static void add_cost(LineCosts *costs, guint side, guint module, guint64 offset, double self)
{
	InstructionCost cost = {
	        .frame = F, .side = side, .module = module, .offset = offset, .self = self, .samples = (guint64)self};
	g_array_append_val(costs->instructions, cost);
}

/* Lists of builds by side; base is module 0 and up, head 10 and up. */
typedef struct {
	const char *builds[N_SIDES][2]; /* NULL = none */
	const char *path;
	LineCosts *costs;
} Case;

static FunctionAnnotation *annotate(const Case *c)
{
	static const char *const prefixes[] = {"/build/head", "/build/base", NULL};
	FunctionListing listings[N_SIDES][2];
	ListedCode code[N_SIDES][2];
	AnnotatedCodeSide sides[N_SIDES];
	for (guint s = 0; s < N_SIDES; s++) {
		guint n = 0;
		for (; n < 2 && c->builds[s][n] != NULL; n++) {
			listings[s][n] = list(c->builds[s][n], 100 * n);
			code[s][n] = (ListedCode){10 * s + n, &listings[s][n]};
		}
		sides[s] = (AnnotatedCodeSide){F, code[s], n, c->path, .5};
	}
	AnnotatedCodeInput input = {.sides = sides, .costs = c->costs, .strip_prefixes = prefixes};
	FunctionAnnotation *annotation = function_annotation_new(F);
	g_autoptr(GError) error = NULL;
	gboolean ok = annotation_add_code(annotation, &input, &error);
	for (guint s = 0; s < N_SIDES; s++)
		for (guint i = 0; i < sides[s].n_code; i++)
			function_listing_clear(&listings[s][i]);
	if (!ok)
		fail_msg("%s", error->message);
	return annotation;
}

/* Rows as "base offset:head offset text base cost>head cost"; "-" = not on that side. */
static char *rows_text(const FunctionAnnotation *annotation)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < annotation->instructions->len; i++) {
		const AnnotatedInstruction *row = &g_array_index(annotation->instructions, AnnotatedInstruction, i);
		g_autofree char *base = g_strdup_printf("%" G_GUINT64_FORMAT, row->base_offset),
		                *head = g_strdup_printf("%" G_GUINT64_FORMAT, row->head_offset);
		if (annotated_instruction_is_gap(row))
			g_string_append_printf(text, "..%u\n", row->n_left_out);
		else
			g_string_append_printf(text, "%s:%s %s%s%s %g>%g\n", row->in_base ? base : "-",
			        row->in_head ? head : "-", row->text, row->base_text != NULL ? " was " : "",
			        row->base_text != NULL ? row->base_text : "", row->base_self, row->head_self);
	}
	return g_string_free(text, FALSE);
}

static void check(const Case *c, const char *expected)
{
	g_autoptr(FunctionAnnotation) annotation = annotate(c);
	g_autofree char *rows = rows_text(annotation);
	assert_string_equal(rows, expected);
}

static void instructions_are_aligned_by_their_keys(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 0, 0, 4, 10);
	add_cost(costs, 1, 10, 8, 12);
	Case c = {.builds = {{"push|jump 4|ret"}, {"push|xor a|jump 8|ret"}}, .path = "", .costs = costs};
	check(&c, "0:0 push 0>0\n-:4 xor a nan>0\n4:8 jump 8 5>6\n8:12 ret 0>0\n");
}

static void an_instruction_that_was_replaced_keeps_the_text_of_base(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	Case c = {.builds = {{"push|add rax rbx|ret"}, {"push|add rax rcx|ret"}}, .path = "", .costs = costs};
	check(&c, "0:0 push 0>0\n4:4 add rax rcx was add rax rbx 0>0\n8:8 ret 0>0\n");
}

static void instructions_that_do_something_else_are_not_paired(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	Case c = {.builds = {{"push|xor eax edx|ret"}, {"push|xor edx edx|ret"}}, .path = "", .costs = costs};
	check(&c, "0:0 push 0>0\n4:- xor eax edx 0>nan\n-:4 xor edx edx nan>0\n8:8 ret 0>0\n");
}

static void registers_that_swapped_their_roles_are_one_row(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	Case c = {.builds = {{"push|mov ebx eax ebx|ret"}, {"push|mov eax ebx eax|ret"}}, .path = "", .costs = costs};
	check(&c, "0:0 push 0>0\n4:4 mov eax ebx eax was mov ebx eax ebx 0>0\n8:8 ret 0>0\n");
}

static void builds_with_the_same_code_are_summed_up(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, 10, 4, 10);
	add_cost(costs, 1, 11, 104, 6);
	Case c = {.builds = {{NULL}, {"push|jump 1|ret", "push|jump 2|ret"}}, .path = "", .costs = costs};
	check(&c, "-:0 push nan>0\n-:4 jump 1 nan>8\n-:8 ret nan>0\n");
}

static void cost_in_code_that_is_not_listed_is_a_note(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, 10, 4, 6);
	add_cost(costs, 1, 11, 104, 4);
	Case c = {.builds = {{NULL}, {"push|ret", "quite|other|code"}}, .path = "", .costs = costs};
	g_autoptr(FunctionAnnotation) annotation = annotate(&c);
	assert_string_equal(annotation->instructions_note, "40 % of its cost in head is in other code of that name");
}

static void lines_are_told_of_the_functions_own_file_only(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, 10, 4, 6);
	Case own = {.builds = {{NULL}, {"push@12|ret"}}, .path = "src/f.c", .costs = costs};
	Case other = {.builds = {{NULL}, {"push@12|ret"}}, .path = "f.c", .costs = costs};
	g_autoptr(FunctionAnnotation) in_own = annotate(&own);
	g_autoptr(FunctionAnnotation) in_other = annotate(&other);
	assert_int_equal(g_array_index(in_own->instructions, AnnotatedInstruction, 0).head_line, 12);
	assert_int_equal(g_array_index(in_own->instructions, AnnotatedInstruction, 1).head_line, 0);
	assert_int_equal(g_array_index(in_other->instructions, AnnotatedInstruction, 0).head_line, 0);
}

static void without_any_listing_there_are_no_rows(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	Case c = {.builds = {{NULL}, {NULL}}, .path = "", .costs = costs};
	check(&c, "");
}

static void the_build_with_the_largest_cost_comes_first_at_its_costliest_instruction(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, 3, 8, 5);
	add_cost(costs, 1, 4, 16, 3);
	add_cost(costs, 1, 4, 20, 4);
	add_cost(costs, 0, 5, 24, 99);
	g_autoptr(GArray) positions = annotation_code_positions(costs, F, 1);
	assert_int_equal(positions->len, 2);
	const CodePosition *first = &g_array_index(positions, CodePosition, 0);
	assert_int_equal(first->module, 4);
	assert_int_equal(first->offset, 20);
	assert_float_equal(first->self, 7, 1e-12);
	assert_int_equal(g_array_index(positions, CodePosition, 1).module, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(instructions_are_aligned_by_their_keys),
	        cmocka_unit_test(an_instruction_that_was_replaced_keeps_the_text_of_base),
	        cmocka_unit_test(instructions_that_do_something_else_are_not_paired),
	        cmocka_unit_test(registers_that_swapped_their_roles_are_one_row),
	        cmocka_unit_test(builds_with_the_same_code_are_summed_up),
	        cmocka_unit_test(cost_in_code_that_is_not_listed_is_a_note),
	        cmocka_unit_test(lines_are_told_of_the_functions_own_file_only),
	        cmocka_unit_test(without_any_listing_there_are_no_rows),
	        cmocka_unit_test(the_build_with_the_largest_cost_comes_first_at_its_costliest_instruction),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
