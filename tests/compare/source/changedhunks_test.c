/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/changedhunks.h"

#include "compare/source/annotation.h"
#include "core/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A change, the functions that were measured, and the texts of both sides. */
typedef struct {
	LineChanges *change;
	GPtrArray *touched;
	GArray *costs;
	GPtrArray *annotations;
	const char *texts[LINES_SIDES]; /* of every file; NULL = it cannot be read */
	char *made[LINES_SIDES];
	ChangedCode *code;
} Fixture;

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->change = line_changes_new();
	f->touched = touched_functions_new();
	f->costs = g_array_new(FALSE, FALSE, sizeof(ChangedCosts));
	f->annotations = g_ptr_array_new_with_free_func((GDestroyNotify)function_annotation_free);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	line_changes_free(f->change);
	g_ptr_array_unref(f->touched);
	g_array_unref(f->costs);
	g_ptr_array_unref(f->annotations);
	for (guint side = 0; side < LINES_SIDES; side++)
		g_free(f->made[side]);
	changed_code_free(f->code);
	g_free(f);
	return 0;
}

static void add_change(ChangedFile *file, LineChange change)
{
	g_array_append_val(file->changes, change);
}

/* A measured function in the same lines of both sides. */
static void add_function(Fixture *f, const char *path, const char *name, guint32 first, guint32 last, double points)
{
	const ChangedFunction function = {.benchmark = (char *)"bench",
	        .name = (char *)name,
	        .module = (char *)"",
	        .contribution = points,
	        .klass = FUNCTION_REGRESSION};
	TouchedFunction *touched = g_new0(TouchedFunction, 1);
	touched->function = changed_function_copy(&function);
	for (guint side = 0; side < LINES_SIDES; side++) {
		touched->paths[side] = g_strdup(path);
		touched->first[side] = first;
		touched->last[side] = last;
	}
	g_ptr_array_add(f->touched, touched);
}

static gboolean read_text(gpointer data, LinesSide side, const char *path, char **text, gsize *length, GError **error)
{
	const Fixture *f = data;
	if (f->texts[side] == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "%s: no such object", path);
	*text = g_strdup(f->texts[side]);
	*length = strlen(*text);
	return TRUE;
}

static const ChangedCode *find(Fixture *f)
{
	ChangedCodeInput input = {
	        .change = f->change, .touched = f->touched, .costs = f->costs, .read_text = read_text, .data = f};
	f->code = changed_code_find(&input);
	return f->code;
}

static const ChangedHunk *hunk_at(const ChangedCode *code, guint file, guint hunk)
{
	assert_in_range(file, 0, code->files->len - 1);
	const ChangedSource *source = code->files->pdata[file];
	assert_in_range(hunk, 0, source->hunks->len - 1);
	return source->hunks->pdata[hunk];
}

static const ChangedLine *line_at(const ChangedHunk *hunk, guint index)
{
	assert_in_range(index, 0, hunk->lines->len - 1);
	return &g_array_index(hunk->lines, ChangedLine, index);
}

/* The hunk as a diff: " text" for context, "-text", "+text", "@n" for a gap of n lines. Owned by the caller. */
static char *diff_of(const ChangedHunk *hunk)
{
	GString *diff = g_string_new(NULL);
	for (guint i = 0; i < hunk->lines->len; i++) {
		const ChangedLine *line = line_at(hunk, i);
		if (changed_line_is_gap(line))
			g_string_append_printf(diff, "@%u\n", line->n_left_out);
		else
			g_string_append_printf(diff, "%c%s\n", " -+"[line->kind], line -> text);
	}
	return g_string_free(diff, FALSE);
}

/* Lines "1" to "n", with `prefix` in front of those from first to last. */
static const char *numbered(char **made, guint n, const char *prefix, guint first, guint last)
{
	GString *text = g_string_new(NULL);
	for (guint i = 1; i <= n; i++)
		g_string_append_printf(text, "%s%u\n", i >= first && i <= last ? prefix : "", i);
	g_free(*made);
	return *made = g_string_free(text, FALSE);
}

/* f.c of 30 lines, of which line 10 became another one. */
static ChangedFile *edit_line_10(Fixture *f)
{
	ChangedFile *file = line_changes_add_file(f->change, "f.c", "f.c");
	add_change(file, (LineChange){10, 1, 10, 1});
	f->texts[LINES_OF_BASE] = numbered(&f->made[LINES_OF_BASE], 30, "", 0, 0);
	f->texts[LINES_OF_HEAD] = numbered(&f->made[LINES_OF_HEAD], 30, "new ", 10, 10);
	return file;
}

static void a_hunk_has_its_lines_with_three_around_them(void **state)
{
	Fixture *f = *state;
	edit_line_10(f);
	add_function(f, "f.c", "f", 5, 20, .1);
	const ChangedHunk *hunk = hunk_at(find(f), 0, 0);
	g_autofree char *diff = diff_of(hunk);
	assert_string_equal(diff, " 7\n 8\n 9\n-10\n+new 10\n 11\n 12\n 13\n");
	assert_true(hunk->place.base_first == 7 && hunk->place.base_lines == 7 && hunk->place.head_lines == 7);
	assert_true(line_at(hunk, 3)->base_line == 10 && line_at(hunk, 3)->head_line == 0);
	assert_true(line_at(hunk, 4)->base_line == 0 && line_at(hunk, 4)->head_line == 10);
	assert_true(line_at(hunk, 7)->base_line == 13 && line_at(hunk, 7)->head_line == 13);
	assert_true(isnan(line_at(hunk, 0)->base_self) && hunk->costs_benchmark == NULL);
}

static void lines_around_end_with_the_file(void **state)
{
	Fixture *f = *state;
	ChangedFile *file = line_changes_add_file(f->change, "f.c", "f.c");
	add_change(file, (LineChange){2, 0, 2, 1});
	add_function(f, "f.c", "f", 1, 3, .1);
	f->texts[LINES_OF_BASE] = "a\nc";
	f->texts[LINES_OF_HEAD] = "a\nb\r\nc";
	g_autofree char *diff = diff_of(hunk_at(find(f), 0, 0));
	assert_string_equal(diff, " a\n+b\n c\n");
}

static void hunks_outside_of_measured_functions_are_counted_only(void **state)
{
	Fixture *f = *state;
	ChangedFile *file = edit_line_10(f);
	add_change(file, (LineChange){25, 1, 25, 1});
	add_change(line_changes_add_file(f->change, "other.c", "other.c"), (LineChange){1, 1, 1, 1});
	add_function(f, "f.c", "f", 5, 20, .1);
	const ChangedCode *code = find(f);
	const ChangedSource *source = code->files->pdata[0];
	assert_int_equal(code->files->len, 1);
	assert_true(code->n_files == 2 && code->n_measured_files == 1 && code->n_measured_hunks == 1);
	assert_int_equal(source->hunks->len, 1);
	assert_int_equal(source->n_hunks, 2);
}

static void changes_close_to_each_other_are_one_hunk(void **state)
{
	Fixture *f = *state;
	ChangedFile *file = edit_line_10(f);
	add_change(file, (LineChange){17, 1, 17, 0}); /* six lines between them */
	add_change(file, (LineChange){25, 1, 24, 1}); /* seven */
	add_function(f, "f.c", "f", 17, 17, .1);
	f->texts[LINES_OF_HEAD] = "1\n2\n3\n4\n5\n6\n7\n8\n9\nnew 10\n11\n12\n13\n14\n15\n16\n18\n19\n20\n21\n22\n";
	const ChangedCode *code = find(f);
	g_autofree char *diff = diff_of(hunk_at(code, 0, 0));
	assert_int_equal(((const ChangedSource *)code->files->pdata[0])->n_hunks, 2);
	assert_string_equal(diff, " 7\n 8\n 9\n-10\n+new 10\n 11\n 12\n 13\n 14\n 15\n 16\n-17\n 18\n 19\n 20\n");
}

static void the_largest_contribution_comes_first_be_it_a_fall(void **state)
{
	Fixture *f = *state;
	ChangedFile *file = edit_line_10(f);
	add_change(file, (LineChange){25, 1, 25, 1});
	add_change(line_changes_add_file(f->change, "other.c", "other.c"), (LineChange){3, 1, 3, 1});
	add_function(f, "f.c", "small", 5, 12, .01);
	add_function(f, "f.c", "rise", 24, 26, .1);
	add_function(f, "f.c", "unknown", 5, 12, NAN);
	add_function(f, "other.c", "fall", 1, 9, -.2);
	const ChangedCode *code = find(f);
	const ChangedFunction *first = hunk_at(code, 0, 0)->functions->pdata[0];
	const ChangedHunk *last = hunk_at(code, 1, 1);
	assert_string_equal(first->name, "fall");
	assert_string_equal(((const ChangedFunction *)hunk_at(code, 1, 0)->functions->pdata[0])->name, "rise");
	assert_string_equal(((const ChangedFunction *)last->functions->pdata[0])->name, "small");
	assert_string_equal(((const ChangedFunction *)last->functions->pdata[1])->name, "unknown");
}

static void a_file_that_base_lacks_is_all_added(void **state)
{
	Fixture *f = *state;
	add_change(line_changes_add_file(f->change, NULL, "f.c"), (LineChange){1, 0, 1, 2});
	add_function(f, "f.c", "f", 1, 2, .1);
	f->texts[LINES_OF_HEAD] = "int f(void)\n{}\n";
	const ChangedCode *code = find(f);
	g_autofree char *diff = diff_of(hunk_at(code, 0, 0));
	assert_string_equal(diff, "+int f(void)\n+{}\n");
	assert_null(((const ChangedSource *)code->files->pdata[0])->base_path);
	assert_null(((const ChangedSource *)code->files->pdata[0])->note);
}

static void binary_files_have_no_lines(void **state)
{
	Fixture *f = *state;
	line_changes_add_file(f->change, "f.c", "f.c")->binary = TRUE;
	add_function(f, "f.c", "f", 1, 2, .1);
	const ChangedCode *code = find(f);
	assert_int_equal(code->files->len, 0);
	assert_true(code->n_files == 1 && code->n_measured_files == 0);
}

static void what_cannot_be_read_is_a_note(void **state)
{
	Fixture *f = *state;
	edit_line_10(f);
	add_function(f, "f.c", "f", 5, 20, .1);
	f->texts[LINES_OF_HEAD] = NULL;
	const ChangedCode *code = find(f);
	const ChangedHunk *hunk = hunk_at(code, 0, 0);
	assert_string_equal(((const ChangedSource *)code->files->pdata[0])->note, "head: f.c: no such object");
	assert_int_equal(hunk->lines->len, 0);
	assert_int_equal(hunk->functions->len, 1);
	assert_true(hunk->place.base_first == 7 && hunk->place.base_lines == 4);
}

static void annotate(Fixture *f, guint32 base_line, guint32 head_line, double base, double head)
{
	FunctionAnnotation *annotation = function_annotation_new((FrameId){1});
	AnnotatedLine line = {.base_line = base_line,
	        .head_line = head_line,
	        .text = g_strdup("x"),
	        .base_self = base,
	        .head_self = head};
	g_free(annotation->base_file);
	g_free(annotation->head_file);
	annotation->base_file = g_strdup("f.c");
	annotation->head_file = g_strdup("f.c");
	g_array_append_val(annotation->lines, line);
	g_ptr_array_add(f->annotations, annotation);
}

static void lines_have_the_costs_of_their_functions_together(void **state)
{
	Fixture *f = *state;
	ChangedCosts costs[] = {{"bench", TRUE, NULL}, {"other", FALSE, NULL}, {"bench", FALSE, f->annotations}};
	edit_line_10(f);
	add_function(f, "f.c", "f", 5, 20, .1);
	annotate(f, 9, 9, 5, 6);
	annotate(f, 10, 10, 100, 300);
	annotate(f, 10, 10, 20, 40);
	annotate(f, 0, 11, NAN, 0);
	g_array_append_vals(f->costs, costs, G_N_ELEMENTS(costs));
	const ChangedHunk *hunk = hunk_at(find(f), 0, 0);
	assert_string_equal(hunk->costs_benchmark, "bench");
	assert_false(hunk->costs_counted);
	assert_true(line_at(hunk, 2)->base_self == 5 && line_at(hunk, 2)->head_self == 6);
	assert_true(line_at(hunk, 3)->base_self == 120 && isnan(line_at(hunk, 3)->head_self));
	assert_true(line_at(hunk, 4)->head_self == 340 && isnan(line_at(hunk, 4)->base_self));
	assert_true(isnan(line_at(hunk, 5)->base_self) && line_at(hunk, 5)->head_self == 0);
	assert_true(isnan(line_at(hunk, 0)->head_self));
}

/* All 1000 lines are new; the function stands far after the first ones, and one line far after that costs much. */
static void of_a_long_hunk_measured_lines_stay(void **state)
{
	Fixture *f = *state;
	ChangedCosts costs = {"bench", FALSE, f->annotations};
	add_change(line_changes_add_file(f->change, "f.c", "f.c"), (LineChange){1, 0, 1, 1000});
	add_function(f, "f.c", "f", 500, 520, .1);
	f->texts[LINES_OF_BASE] = "";
	f->texts[LINES_OF_HEAD] = numbered(&f->made[LINES_OF_HEAD], 1000, "", 0, 0);
	annotate(f, 0, 900, NAN, 5000);
	g_array_append_val(f->costs, costs);
	const ChangedHunk *hunk = hunk_at(find(f), 0, 0);
	guint rows = 0, measured = 0, costly = 0, lines = 0;
	for (guint i = 0; i < hunk->lines->len; i++) {
		const ChangedLine *line = line_at(hunk, i);
		rows++;
		lines += changed_line_is_gap(line) ? line->n_left_out : 1;
		measured += line->head_line >= 500 && line->head_line <= 520;
		costly += line->head_line == 900;
	}
	assert_in_range(rows, CHANGED_MAX_ROWS / 2, CHANGED_MAX_ROWS);
	assert_int_equal(measured, 21);
	assert_int_equal(costly, 1);
	assert_int_equal(lines, 1000);
}

static void a_hunk_beyond_what_is_looked_into_ends_with_a_gap(void **state)
{
	Fixture *f = *state;
	add_change(line_changes_add_file(f->change, NULL, "f.c"), (LineChange){1, 0, 1, 3 * CHANGED_MAX_HUNK_LINES});
	add_function(f, "f.c", "f", 1, 9, .1);
	f->texts[LINES_OF_HEAD] = numbered(&f->made[LINES_OF_HEAD], 3 * CHANGED_MAX_HUNK_LINES, "", 0, 0);
	const ChangedHunk *hunk = hunk_at(find(f), 0, 0);
	const ChangedLine *last = line_at(hunk, hunk->lines->len - 1);
	assert_true(changed_line_is_gap(last) && last->n_left_out > 2 * CHANGED_MAX_HUNK_LINES);
	assert_in_range(hunk->lines->len, 2, CHANGED_MAX_ROWS);
}

static void only_so_many_hunks_and_functions_are_kept(void **state)
{
	Fixture *f = *state;
	ChangedFile *file = line_changes_add_file(f->change, "f.c", "f.c");
	f->texts[LINES_OF_BASE] = f->texts[LINES_OF_HEAD] = numbered(&f->made[LINES_OF_BASE], 2000, "", 0, 0);
	for (guint i = 0; i < CHANGED_MAX_HUNKS + 5; i++)
		add_change(file, (LineChange){10 + 20 * i, 1, 10 + 20 * i, 1});
	add_function(f, "f.c", "all", 1, 2000, .01);
	for (guint i = 0; i < CHANGED_MAX_FUNCTIONS; i++)
		add_function(f, "f.c", "one", 1, 12, .001);
	add_function(f, "f.c", "last", 20 * (CHANGED_MAX_HUNKS + 4), 2000, .5);
	const ChangedCode *code = find(f);
	const ChangedSource *source = code->files->pdata[0];
	assert_int_equal(source->hunks->len, CHANGED_MAX_HUNKS);
	assert_int_equal(code->n_measured_hunks, CHANGED_MAX_HUNKS + 5);
	assert_int_equal(hunk_at(code, 0, 0)->place.base_first, 7 + 20 * (CHANGED_MAX_HUNKS + 4));
	assert_int_equal(hunk_at(code, 0, 1)->place.base_first, 7);
	assert_int_equal(hunk_at(code, 0, 1)->functions->len, CHANGED_MAX_FUNCTIONS);
	assert_int_equal(hunk_at(code, 0, 1)->n_more_functions, 1);
}

static void place(CodeFacts *code, StackTable *table, guint side, FrameId frame, guint32 first, guint32 last)
{
	code->places[side][frame.index] =
	        (CodePlace){.file = stack_table_name(table, "f.c", -1), .first_line = first, .last_line = last};
}

static void touched_functions_are_taken_from_where_they_stand(void **state)
{
	Fixture *f = *state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("bench");
	static const ChangeRelation relations[] = {
	        CHANGE_TOUCHED, CHANGE_UNTOUCHED, CHANGE_CALLS_TOUCHED, CHANGE_TOUCHED, CHANGE_TOUCHED};
	FrameId was = stack_table_frame_named(table, "was", "prog", FRAME_USER), frames[G_N_ELEMENTS(relations)];
	comparison->counted = TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(relations); i++) {
		g_autofree char *name = g_strdup_printf("f%u", i);
		FunctionComparison *function = g_new0(FunctionComparison, 1);
		frames[i] = stack_table_frame_named(table, name, "prog", FRAME_USER);
		function->frame = frames[i];
		function->renamed_from = i == 3 ? was : frames[i];
		function->relation = relations[i];
		function->contribution = .25;
		g_ptr_array_add(comparison->functions, function);
	}
	g_autoptr(CodeFacts) code = code_facts_new(stack_table_n_frames(table));
	for (guint i = 0; i < 4; i++)
		place(code, table, LINES_OF_HEAD, frames[i], 10 * i + 1, 0);
	place(code, table, LINES_OF_BASE, was, 50, 60);
	touched_functions_add(f->touched, &(TouchedQuery){comparison, table, NULL});
	assert_int_equal(f->touched->len, 0);
	touched_functions_add(f->touched, &(TouchedQuery){comparison, table, code});
	assert_int_equal(f->touched->len, 2); /* nobody knows where the last one stands */
	const TouchedFunction *first = f->touched->pdata[0], *renamed = f->touched->pdata[1];
	assert_string_equal(first->function->name, "f0");
	assert_string_equal(first->function->module, "prog");
	assert_true(first->function->counted && first->function->contribution == .25);
	assert_null(first->paths[LINES_OF_BASE]);
	assert_true(first->first[LINES_OF_HEAD] == 1 && first->last[LINES_OF_HEAD] == 1);
	assert_string_equal(renamed->function->name, "f3");
	assert_true(renamed->first[LINES_OF_BASE] == 50 && renamed->last[LINES_OF_BASE] == 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(a_hunk_has_its_lines_with_three_around_them, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(lines_around_end_with_the_file, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                hunks_outside_of_measured_functions_are_counted_only, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(changes_close_to_each_other_are_one_hunk, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_largest_contribution_comes_first_be_it_a_fall, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_file_that_base_lacks_is_all_added, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(binary_files_have_no_lines, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_cannot_be_read_is_a_note, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(lines_have_the_costs_of_their_functions_together, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(of_a_long_hunk_measured_lines_stay, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_hunk_beyond_what_is_looked_into_ends_with_a_gap, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(only_so_many_hunks_and_functions_are_kept, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(touched_functions_are_taken_from_where_they_stand, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
