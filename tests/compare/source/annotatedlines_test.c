/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/annotatedlines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The function `f` in rows of `file` on both sides; costs are sums over two runs. */
#define F ((FrameId){7})
#define FILE_NAME ((NameId){1})
#define OTHER_FILE ((NameId){2})

typedef struct {
	const char *base, *head; /* whole files; NULL = not known */
	guint32 base_first, base_last, head_first, head_last;
	gboolean base_unmeasured;
	LineCosts *costs;
} Case;

static void add_cost(LineCosts *costs, guint side, NameId file, guint32 line, double self, double total)
{
	LineCost cost = {.frame = F,
	        .side = side,
	        .file = file,
	        .line = line,
	        .self = self,
	        .total = total,
	        .self_samples = (guint64)self};
	g_array_append_val(costs->lines, cost);
}

static AnnotatedSide side_of(const char *source, guint32 first, guint32 last)
{
	return (AnnotatedSide){
	        .frame = F,
	        .file = FILE_NAME,
	        .path = "f.c",
	        .source = source,
	        .length = source != NULL ? strlen(source) : 0,
	        .first_line = first,
	        .last_line = last,
	        .per_weight = .5,
	};
}

static FunctionAnnotation *annotate(const Case *c)
{
	AnnotatedSide sides[N_SIDES] = {
	        side_of(c->base, c->base_first, c->base_last), side_of(c->head, c->head_first, c->head_last)};
	if (c->base_unmeasured)
		sides[0].per_weight = NAN;
	AnnotatedLinesInput input = {.sides = sides, .costs = c->costs};
	FunctionAnnotation *annotation = function_annotation_new(F);
	g_autoptr(GError) error = NULL;
	if (!annotation_add_lines(annotation, &input, &error))
		fail_msg("%s", error->message);
	return annotation;
}

/* Rows as "base:head base cost>head cost", with "!" where edited, gaps as "..n". */
static char *rows_text(const FunctionAnnotation *annotation)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < annotation->lines->len; i++) {
		const AnnotatedLine *line = &g_array_index(annotation->lines, AnnotatedLine, i);
		if (annotated_line_is_gap(line))
			g_string_append_printf(text, "..%u\n", line->n_left_out);
		else
			g_string_append_printf(text, "%u:%u %g>%g%s\n", line->base_line, line->head_line,
			        line->base_self, line->head_self, line->edited ? " !" : "");
	}
	return g_string_free(text, FALSE);
}

static void check(const Case *c, const char *expected)
{
	g_autoptr(FunctionAnnotation) annotation = annotate(c);
	g_autofree char *rows = rows_text(annotation);
	assert_string_equal(rows, expected);
}

static void lines_that_moved_stay_one_row_with_both_costs(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 0, FILE_NAME, 2, 10, 10);
	add_cost(costs, 1, FILE_NAME, 4, 12, 12);
	Case c = {.base = "f()\n  a;\n}\n",
	        .head = "new\n\nf()\n  a;\n}\n",
	        .base_first = 1,
	        .base_last = 3,
	        .head_first = 3,
	        .head_last = 5,
	        .costs = costs};
	check(&c, "1:3 0>0\n2:4 5>6\n3:5 0>0\n");
}

static void an_inserted_line_has_no_cost_in_base(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, FILE_NAME, 2, 8, 8);
	Case c = {.base = "f()\n}\n",
	        .head = "f()\n  slow();\n}\n",
	        .base_first = 1,
	        .base_last = 2,
	        .head_first = 1,
	        .head_last = 3,
	        .costs = costs};
	check(&c, "1:1 0>0\n0:2 nan>4 !\n2:3 0>0\n");
}

static void an_edited_line_keeps_the_text_of_base_beside_it(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	Case c = {.base = "f()\n  total += sizes[i];\n}\n",
	        .head = "f()\n  total += weights[i];\n}\n",
	        .base_first = 1,
	        .base_last = 3,
	        .head_first = 1,
	        .head_last = 3,
	        .costs = costs};
	g_autoptr(FunctionAnnotation) annotation = annotate(&c);
	const AnnotatedLine *line = &g_array_index(annotation->lines, AnnotatedLine, 1);
	assert_string_equal(line->text, "  total += weights[i];");
	assert_string_equal(line->base_text, "  total += sizes[i];");
	assert_true(line->edited);
	assert_null(g_array_index(annotation->lines, AnnotatedLine, 0).base_text);
}

static void rows_and_other_costs_add_up(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 0, FILE_NAME, 2, 10, 10);
	add_cost(costs, 0, OTHER_FILE, 2, 6, 6);
	add_cost(costs, 1, (NameId){0}, 0, 2, 2);
	add_cost(costs, 1, FILE_NAME, 2, 10, 10);
	add_cost(costs, 1, FILE_NAME, 9, 4, 4); /* after the function */
	Case c = {.base = "f()\n a;\n}\n",
	        .head = "f()\n a;\n}\n\n\n\n\n\n x;\n",
	        .base_first = 1,
	        .base_last = 3,
	        .head_first = 1,
	        .head_last = 3,
	        .costs = costs};
	g_autoptr(FunctionAnnotation) annotation = annotate(&c);
	assert_float_equal(annotation->other_base, 3, 1e-12);
	assert_float_equal(annotation->other_head, 3, 1e-12);
}

static void a_side_that_was_not_measured_has_no_costs_but_its_text(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, FILE_NAME, 2, 8, 8);
	Case c = {.base = "f()\n a;\n}\n",
	        .head = "f()\n a;\n}\n",
	        .head_first = 1,
	        .head_last = 3,
	        .base_unmeasured = TRUE,
	        .costs = costs};
	check(&c, "1:1 nan>0\n2:2 nan>4\n3:3 nan>0\n");
	g_autoptr(FunctionAnnotation) annotation = annotate(&c);
	assert_true(isnan(annotation->other_base));
}

static void a_function_that_did_not_run_in_base_is_found_there(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, FILE_NAME, 3, 8, 8);
	Case c = {.base = "above\nf()\n a;\n}\nbelow\n",
	        .head = "f()\n b;\n a;\n}\nbelow\n",
	        .head_first = 1,
	        .head_last = 4,
	        .costs = costs};
	check(&c, "2:1 0>0\n0:2 nan>0 !\n3:3 0>4\n4:4 0>0\n");
}

static void a_function_of_a_file_that_base_lacks_is_all_new(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, FILE_NAME, 1, 8, 8);
	Case c = {.base = "", .head = "f() { a; }\n", .head_first = 1, .head_last = 1, .costs = costs};
	check(&c, "0:1 nan>4 !\n");
}

static void without_source_the_costly_lines_are_matched_by_number(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 0, FILE_NAME, 20, 8, 8);
	add_cost(costs, 0, FILE_NAME, 22, 2, 2);
	add_cost(costs, 1, FILE_NAME, 20, 10, 10);
	add_cost(costs, 1, FILE_NAME, 21, 4, 4);
	Case c = {.base_first = 19, .base_last = 30, .head_first = 19, .head_last = 30, .costs = costs};
	check(&c, "20:20 4>5\n0:21 nan>2\n22:0 1>nan\n");
}

static void lines_far_from_any_cost_are_left_out(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 1; i <= 30; i++)
		g_string_append_printf(text, "line %u;\n", i);
	add_cost(costs, 0, FILE_NAME, 20, 8, 8);
	add_cost(costs, 1, FILE_NAME, 20, 8, 8);
	Case c = {.base = text->str,
	        .head = text->str,
	        .base_first = 1,
	        .base_last = 30,
	        .head_first = 1,
	        .head_last = 30,
	        .costs = costs};
	check(&c, "1:1 0>0\n2:2 0>0\n3:3 0>0\n4:4 0>0\n..12\n17:17 0>0\n18:18 0>0\n19:19 0>0\n20:20 4>4\n"
	          "21:21 0>0\n22:22 0>0\n23:23 0>0\n..7\n");
}

static void of_a_huge_function_the_costliest_lines_are_kept_and_the_rest_is_other_cost(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	g_autoptr(GString) text = g_string_new(NULL);
	double sum = 0;
	for (guint i = 1; i <= 3000; i++) {
		g_string_append_printf(text, "line %u;\n", i);
		add_cost(costs, 1, FILE_NAME, i, i == 1500 ? 1000 : 2, i == 1500 ? 1000 : 2);
		sum += i == 1500 ? 500 : 1;
	}
	Case c = {.base = "", .head = text->str, .head_first = 1, .head_last = 3000, .costs = costs};
	g_autoptr(FunctionAnnotation) annotation = annotate(&c);
	double shown = 0;
	gboolean has_costliest = FALSE;
	for (guint i = 0; i < annotation->lines->len; i++) {
		const AnnotatedLine *line = &g_array_index(annotation->lines, AnnotatedLine, i);
		shown += annotated_line_is_gap(line) ? 0 : line->head_self;
		has_costliest = has_costliest || line->head_line == 1500;
	}
	assert_true(annotation->lines->len > 300 && annotation->lines->len <= ANNOTATION_MAX_ROWS);
	assert_true(has_costliest);
	assert_float_equal(shown + annotation->other_head, sum, 1e-6);
}

static void long_lines_are_cut_between_characters(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < 1000; i++)
		g_string_append(text, "ä");
	Case c = {.base = "", .head = text->str, .head_first = 1, .head_last = 1, .costs = costs};
	g_autoptr(FunctionAnnotation) annotation = annotate(&c);
	const char *line = g_array_index(annotation->lines, AnnotatedLine, 0).text;
	assert_int_equal(g_utf8_strlen(line, -1), ANNOTATION_MAX_TEXT);
	assert_true(g_utf8_validate(line, -1, NULL));
}

static void bytes_that_are_no_text_are_kept_and_limited(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	g_autofree char *bytes = g_strnfill(9000, '\x80');
	g_autofree char *text = g_strconcat("\xff\x01\r\n", bytes, NULL);
	Case c = {.base = "", .head = text, .head_first = 1, .head_last = 2, .costs = costs};
	g_autoptr(FunctionAnnotation) annotation = annotate(&c);
	assert_string_equal(g_array_index(annotation->lines, AnnotatedLine, 0).text, "\xff\x01");
	assert_int_equal(strlen(g_array_index(annotation->lines, AnnotatedLine, 1).text), 4 * ANNOTATION_MAX_TEXT);
}

static void a_range_beyond_the_end_of_the_file_shows_what_is_there(void **state)
{
	(void)state;
	g_autoptr(LineCosts) costs = line_costs_new();
	add_cost(costs, 1, FILE_NAME, 4000000000u, 8, 8);
	Case c = {.base = "", .head = "a\nb\n", .head_first = 2, .head_last = G_MAXUINT32, .costs = costs};
	g_autoptr(FunctionAnnotation) annotation = annotate(&c);
	assert_int_equal(annotation->lines->len, 1);
	assert_float_equal(annotation->other_head, 4, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lines_that_moved_stay_one_row_with_both_costs),
	        cmocka_unit_test(an_inserted_line_has_no_cost_in_base),
	        cmocka_unit_test(an_edited_line_keeps_the_text_of_base_beside_it),
	        cmocka_unit_test(rows_and_other_costs_add_up),
	        cmocka_unit_test(a_side_that_was_not_measured_has_no_costs_but_its_text),
	        cmocka_unit_test(a_function_that_did_not_run_in_base_is_found_there),
	        cmocka_unit_test(a_function_of_a_file_that_base_lacks_is_all_new),
	        cmocka_unit_test(without_source_the_costly_lines_are_matched_by_number),
	        cmocka_unit_test(lines_far_from_any_cost_are_left_out),
	        cmocka_unit_test(of_a_huge_function_the_costliest_lines_are_kept_and_the_rest_is_other_cost),
	        cmocka_unit_test(long_lines_are_cut_between_characters),
	        cmocka_unit_test(bytes_that_are_no_text_are_kept_and_limited),
	        cmocka_unit_test(a_range_beyond_the_end_of_the_file_shows_what_is_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
