/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/relations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/knowncode.h"
#include "tests/compare/synthetic.h"

/* main calls parse and sort; sort calls back into compare through the library's qsort; head also has a new helper. */
static const SyntheticFunction tree[] = {
        {"main", 50, 50, "main.c", 10},
        {"main;parse", 100, 100, "parse.c", 10},
        {"main;parse;lex", 100, 100, "parse.c", 60},
        {"main;sort;qsort", 100, 100, NULL, 0},
        {"main;sort;qsort;compare", 100, 100, "sort.c", 40},
        {"main;parse;fresh", 0, 50, "parse.c", 90},
        {"main;parse;stale", 50, 0, "parse.c", 95},
        {NULL, 0, 0, NULL, 0},
};

static const KnownCode whole[] = {
        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
        {.name = "parse", .file = "parse.c", .first = 10, .last = 50, .hash = {2, 2}},
        {.name = "lex", .file = "parse.c", .first = 60, .last = 80, .hash = {3, 3}},
        {.name = "sort", .file = "sort.c", .first = 10, .last = 20, .hash = {4, 4}},
        {.name = "qsort", .identity = CODE_SAME},
        {.name = "compare", .file = "sort.c", .first = 40, .last = 50, .hash = {5, 5}},
        {.name = "fresh", .file = "parse.c", .first = 90, .last = 94, .hash = {0, 6}, .absent = {TRUE, FALSE}},
        {.name = "stale", .file = "parse.c", .first = 95, .last = 99, .hash = {7, 0}, .absent = {FALSE, TRUE}},
        {.name = NULL},
};

typedef struct {
	Synthetic *synthetic;
	CostTable *costs;
	CodeFacts *code;
	LineChanges *change;
	RelationInput input;
	ChangeRelation *relations;
	FrameId *through; /* per frame */
} Case;

static void case_open(Case *c, const SyntheticFunction *functions, const KnownCode *known, LineChanges *change)
{
	SyntheticPlan plan = {.functions = functions, .rounds = 2};
	c->synthetic = synthetic_new(&plan);
	c->costs = cost_table_new(c->synthetic->base, c->synthetic->head, 2);
	c->code = known != NULL ? known_code(c->synthetic->table, known) : NULL;
	c->change = change;
	c->input = (RelationInput){.costs = c->costs, .code = c->code, .change = change};
	c->through = g_new0(FrameId, c->costs->n_frames);
	c->relations = relations_find(&c->input, c->through);
}

static void case_close(Case *c)
{
	g_free(c->relations);
	g_free(c->through);
	line_changes_free(c->change);
	code_facts_free(c->code);
	cost_table_free(c->costs);
	synthetic_free(c->synthetic);
}

static FrameId frame_named(const Case *c, const char *name)
{
	for (guint f = 0; f < c->costs->n_frames; f++)
		if (g_str_equal(stack_table_frame_name(c->synthetic->table, (FrameId){f}), name))
			return (FrameId){f};
	fail_msg("no frame %s", name);
	return (FrameId){0};
}

static void assert_relation(const Case *c, const char *name, ChangeRelation wanted)
{
	assert_string_equal(
	        change_relation_name(c->relations[frame_named(c, name).index]), change_relation_name(wanted));
}

static void a_function_whose_lines_are_edited_is_touched_and_its_callers_call_it(void **state)
{
	Case c;
	(void)state;
	case_open(&c, tree, whole, edit_lines("parse.c", 70, 71));
	assert_relation(&c, "lex", CHANGE_TOUCHED);
	assert_relation(&c, "parse", CHANGE_CALLS_TOUCHED);
	assert_relation(&c, "main", CHANGE_CALLS_TOUCHED);
	assert_relation(&c, "sort", CHANGE_UNTOUCHED);
	assert_relation(&c, "compare", CHANGE_UNTOUCHED);
	assert_relation(&c, "qsort", CHANGE_UNTOUCHED);
	assert_relation(&c, "fresh", CHANGE_UNTOUCHED);
	case_close(&c);
}

/* upper() is a library's that the edited hash() calls now; copy() is called from everywhere as before, a little more
 * from hash(), and much more from other(). */
static const SyntheticFunction calls[] = {
        {"main;hash", 100, 110, "hash.c", 10},
        {"main;hash;wrap;upper", 0, 200, NULL, 0},
        {"main;hash;copy", 100, 110, NULL, 0},
        {"main;other;copy", 100, 150, NULL, 0},
        {"main;hash;cheaper", 100, 50, NULL, 0},
        {"main;other", 10, 10, "other.c", 10},
        {NULL, 0, 0, NULL, 0},
};

static void what_touched_code_calls_more_is_called_by_it(void **state)
{
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 50, .hash = {2, 3}},
	        {.name = "other", .file = "other.c", .first = 10, .last = 50, .hash = {4, 4}},
	        {.name = "wrap", .identity = CODE_SAME},
	        {.name = "upper", .identity = CODE_SAME},
	        {.name = "copy", .identity = CODE_SAME},
	        {.name = "cheaper", .identity = CODE_SAME},
	        {.name = NULL},
	};
	Case c;
	(void)state;
	case_open(&c, calls, known, edit_lines("hash.c", 20, 21));
	assert_relation(&c, "hash", CHANGE_TOUCHED);
	assert_relation(&c, "upper", CHANGE_CALLED_BY_TOUCHED);
	assert_int_equal(c.through[frame_named(&c, "upper").index].index, frame_named(&c, "hash").index);
	assert_relation(&c, "copy", CHANGE_UNTOUCHED);
	assert_relation(&c, "cheaper", CHANGE_UNTOUCHED);
	assert_relation(&c, "other", CHANGE_UNTOUCHED);
	case_close(&c);
}

static void a_function_on_many_stacks_calls_what_is_below_any_of_them(void **state)
{
	static const SyntheticFunction paths[] = {
	        {"main;run;work", 50, 50, "a.c", 10},
	        {"main;run;work;leaf", 50, 50, "a.c", 30},
	        {"main;work", 50, 50, "a.c", 10},
	        {"main;work;leaf", 50, 50, "a.c", 30},
	        {"other;work", 50, 50, "a.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {{.name = "leaf", .file = "a.c", .first = 30, .last = 40},
	        {.name = "other", .file = "b.c", .first = 30, .last = 40}, {.name = NULL}};
	Case c;
	(void)state;
	case_open(&c, paths, known, edit_lines("a.c", 31, 31));
	assert_relation(&c, "work", CHANGE_CALLS_TOUCHED);
	assert_relation(&c, "run", CHANGE_CALLS_TOUCHED);
	assert_relation(&c, "other", CHANGE_UNTOUCHED);
	case_close(&c);
}

static void a_touched_function_does_not_become_one_that_calls(void **state)
{
	Case c;
	(void)state;
	case_open(&c, tree, whole, edit_lines("parse.c", 20, 71));
	assert_relation(&c, "parse", CHANGE_TOUCHED);
	assert_relation(&c, "lex", CHANGE_TOUCHED);
	case_close(&c);
}

static void a_library_calls_touched_code_through_a_callback(void **state)
{
	Case c;
	(void)state;
	case_open(&c, tree, whole, edit_lines("sort.c", 45, 45));
	assert_relation(&c, "qsort", CHANGE_CALLS_TOUCHED);
	assert_relation(&c, "sort", CHANGE_CALLS_TOUCHED);
	assert_relation(&c, "parse", CHANGE_UNTOUCHED);
	case_close(&c);
}

static void a_function_of_one_side_is_looked_up_there(void **state)
{
	Case c;
	(void)state;
	LineChanges *change = line_changes_new();
	LineChange added = {90, 0, 90, 5}, removed = {95, 5, 100, 0};
	ChangedFile *file = line_changes_add_file(change, "parse.c", "parse.c");
	g_array_append_val(file->changes, added);
	g_array_append_val(file->changes, removed);
	case_open(&c, tree, whole, change);
	assert_relation(&c, "fresh", CHANGE_TOUCHED);
	assert_relation(&c, "stale", CHANGE_TOUCHED);
	assert_relation(&c, "parse", CHANGE_CALLS_TOUCHED);
	assert_relation(&c, "lex", CHANGE_UNTOUCHED);
	case_close(&c);
}

/* The lines of base are not edited, those of head are. */
static void lines_that_head_put_in_touch_a_function(void **state)
{
	Case c;
	(void)state;
	LineChanges *change = line_changes_new();
	LineChange added = {70, 0, 70, 3};
	g_array_append_val(line_changes_add_file(change, "parse.c", "parse.c")->changes, added);
	case_open(&c, tree, whole, change);
	assert_relation(&c, "lex", CHANGE_TOUCHED);
	case_close(&c);
}

static const KnownCode declarations[] = {
        {.name = "lex", .file = "parse.c", .first = 60},
        {.name = "parse", .file = "parse.c", .first = 10},
        {.name = "compare", .file = "sort.c", .first = 40},
        {.name = "fresh", .file = "parse.c", .first = 90, .absent = {TRUE, FALSE}},
        {.name = "stale", .file = "parse.c", .absent = {FALSE, TRUE}},
        {.name = "main", .file = "parse.c"},
        {.name = NULL},
};

static void of_a_function_without_last_line_little_is_known(void **state)
{
	Case c;
	(void)state;
	case_open(&c, tree, declarations, edit_lines("parse.c", 10, 10));
	assert_relation(&c, "parse", CHANGE_TOUCHED);     /* at its first line */
	assert_relation(&c, "lex", CHANGE_UNKNOWN);       /* perhaps further down */
	assert_relation(&c, "compare", CHANGE_UNTOUCHED); /* in a file that is not edited */
	assert_relation(&c, "fresh", CHANGE_TOUCHED);     /* it came with the change */
	assert_relation(&c, "stale", CHANGE_TOUCHED);     /* and this went */
	assert_relation(&c, "main", CHANGE_CALLS_TOUCHED);
	case_close(&c);
	case_open(&c, tree, declarations, edit_lines("parse.c", 200, 210));
	assert_relation(&c, "lex", CHANGE_UNKNOWN);
	case_close(&c);
}

static void without_lines_equal_code_is_untouched_and_other_code_is_not_known(void **state)
{
	static const KnownCode hashes[] = {
	        {.name = "lex", .hash = {3, 3}},
	        {.name = "compare", .hash = {5, 6}},
	        {.name = NULL},
	};
	Case c;
	(void)state;
	case_open(&c, tree, hashes, edit_lines("parse.c", 10, 10));
	assert_relation(&c, "lex", CHANGE_UNTOUCHED);
	assert_relation(&c, "compare", CHANGE_UNKNOWN);
	assert_relation(&c, "sort", CHANGE_UNKNOWN);
	case_close(&c);
}

/* Both sides run it, but only one side's lines are known: the other's may be edited. */
static void lines_of_one_side_do_not_speak_for_the_other(void **state)
{
	static const KnownCode half[] = {
	        {.name = "lex", .file = "parse.c", .first = 60, .last = 80, .absent = {FALSE, TRUE}},
	        {.name = NULL},
	};
	Case c;
	(void)state;
	case_open(&c, tree, half, edit_lines("parse.c", 200, 210));
	assert_relation(&c, "lex", CHANGE_UNKNOWN);
	case_close(&c);
	case_open(&c, tree, half, edit_lines("parse.c", 70, 70));
	assert_relation(&c, "lex", CHANGE_TOUCHED);
	case_close(&c);
}

static void nothing_is_known_without_code_or_change(void **state)
{
	Case c;
	(void)state;
	case_open(&c, tree, whole, NULL);
	assert_relation(&c, "lex", CHANGE_UNKNOWN);
	assert_false(relations_same_program(&c.input, 1));
	assert_null(relation_edited_file(&c.input, frame_named(&c, "lex")));
	case_close(&c);
	case_open(&c, tree, NULL, edit_lines("parse.c", 70, 70));
	assert_relation(&c, "lex", CHANGE_UNKNOWN);
	assert_false(relations_same_program(&c.input, 1));
	case_close(&c);
}

static const KnownCode none[] = {{.name = NULL}};
static const SyntheticFunction bucket_tree[] = {
        {"main", 50, 50, "main.c", 10},
        {"main;[unknown]", 50, 50, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};

/* Some other profile in the table has it; nothing is known of it. */
static void a_function_of_neither_side_is_not_known(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	FrameId frame = stack_table_frame_named(s->table, "elsewhere", "prog", FRAME_USER);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
	g_autoptr(CodeFacts) code = known_code(s->table, whole);
	g_autoptr(LineChanges) change = edit_lines("parse.c", 1, 1);
	RelationInput input = {.costs = costs, .code = code, .change = change};
	g_autofree ChangeRelation *relations = relations_find(&input, NULL);
	assert_int_equal(relations[frame.index], CHANGE_UNKNOWN);
}

static void an_empty_change_touches_nothing(void **state)
{
	Case c;
	(void)state;
	case_open(&c, bucket_tree, none, line_changes_new());
	assert_relation(&c, "main", CHANGE_UNTOUCHED);
	assert_relation(&c, "[unknown]", CHANGE_UNKNOWN); /* it is no function */
	case_close(&c);
	case_open(&c, tree, declarations, line_changes_new());
	assert_relation(&c, "lex", CHANGE_UNTOUCHED);
	assert_relation(&c, "sort", CHANGE_UNTOUCHED);
	case_close(&c);
}

static void kernel_code_is_untouched_and_buckets_are_no_functions(void **state)
{
	static const SyntheticFunction mixed[] = {
	        {"main", 50, 50, "main.c", 10},
	        {"main;[unknown]", 50, 50, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {{.name = "main", .file = "main.c", .first = 10, .last = 30}, {.name = NULL}};
	SyntheticPlan plan = {.functions = mixed, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	FrameId kernel = stack_table_frame_named(s->table, "do_page_fault", "[kernel]", FRAME_KERNEL);
	profile_add(s->head->profile, 0, stack_table_push(s->table, STACK_ROOT, kernel), (ProfileCell){1, 1});
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
	g_autoptr(CodeFacts) code = known_code(s->table, known);
	g_autoptr(LineChanges) change = edit_lines("other.c", 1, 1);
	RelationInput input = {.costs = costs, .code = code, .change = change};
	g_autofree ChangeRelation *relations = relations_find(&input, NULL);
	assert_int_equal(relations[kernel.index], CHANGE_UNTOUCHED);
	for (guint f = 0; f < costs->n_frames; f++)
		if (g_str_equal(stack_table_frame_name(s->table, (FrameId){f}), "[unknown]"))
			assert_int_equal(relations[f], CHANGE_UNKNOWN);
}

static void two_names_of_one_function_are_as_touched_as_the_more_touched_one(void **state)
{
	(void)state;
	assert_int_equal(relation_join(CHANGE_UNTOUCHED, CHANGE_TOUCHED), CHANGE_TOUCHED);
	assert_int_equal(relation_join(CHANGE_TOUCHED, CHANGE_UNKNOWN), CHANGE_TOUCHED);
	assert_int_equal(relation_join(CHANGE_CALLS_TOUCHED, CHANGE_UNKNOWN), CHANGE_CALLS_TOUCHED);
	assert_int_equal(relation_join(CHANGE_UNTOUCHED, CHANGE_UNKNOWN), CHANGE_UNKNOWN);
	assert_int_equal(relation_join(CHANGE_UNTOUCHED, CHANGE_CALLED_BY_TOUCHED), CHANGE_CALLED_BY_TOUCHED);
	assert_int_equal(relation_join(CHANGE_UNTOUCHED, CHANGE_UNTOUCHED), CHANGE_UNTOUCHED);
}

static void the_edited_file_of_a_function_is_named(void **state)
{
	Case c;
	(void)state;
	case_open(&c, tree, whole, edit_lines("parse.c", 200, 201));
	assert_string_equal(relation_edited_file(&c.input, frame_named(&c, "lex")), "parse.c");
	assert_string_equal(relation_edited_file(&c.input, frame_named(&c, "fresh")), "parse.c");
	assert_null(relation_edited_file(&c.input, frame_named(&c, "sort")));
	assert_null(relation_edited_file(&c.input, frame_named(&c, "qsort")));
	case_close(&c);
}

/* --- did anything that may have been altered run? --- */

static gboolean same_program(const SyntheticFunction *functions, const KnownCode *known, const char *edited_file)
{
	Case c;
	case_open(&c, functions, known, edit_lines(edited_file, 1, 5));
	gboolean same = relations_same_program(&c.input, .005);
	case_close(&c);
	return same;
}

static const SyntheticFunction two[] = {
        {"main", 500, 500, "main.c", 10},
        {"main;sort", 500, 500, "sort.c", 10},
        {NULL, 0, 0, NULL, 0},
};

static void a_program_of_equal_code_outside_the_change_is_the_same(void **state)
{
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
	        {.name = "sort", .file = "sort.c", .first = 10, .last = 20, .hash = {4, 4}},
	        {.name = NULL},
	};
	(void)state;
	assert_true(same_program(two, known, "README"));
	assert_false(same_program(two, known, "sort.c")); /* it may be data in that file */
}

/* Frames that only another profile in the table has do not count. */
/* The source of a file that the build makes may be edited. */
static void code_that_the_build_made_is_not_known_to_be_untouched(void **state)
{
	static const SyntheticFunction functions[] = {
	        {"main", 50, 50, "main.c", 10},
	        {"main;made", 100, 200, "made.c", 10},
	        {"main;same", 100, 100, "made.c", 60},
	        {"main;theirs", 100, 100, "third/lib.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}, .origin = SOURCE_COMMITTED},
	        {.name = "made", .file = "made.c", .first = 10, .last = 30, .hash = {2, 3}, .origin = SOURCE_MADE},
	        {.name = "same", .file = "made.c", .first = 60, .last = 70, .hash = {4, 4}, .origin = SOURCE_MADE},
	        {.name = "theirs",
	                .file = "third/lib.c",
	                .first = 10,
	                .last = 30,
	                .hash = {5, 6},
	                .origin = SOURCE_SUBMODULE},
	        {.name = NULL},
	};
	Case c;
	(void)state;
	case_open(&c, functions, known, edit_lines("made.c.in", 1, 1));
	assert_relation(&c, "made", CHANGE_UNKNOWN);
	assert_relation(&c, "same", CHANGE_UNTOUCHED);
	assert_relation(&c, "main", CHANGE_UNTOUCHED);
	assert_relation(&c, "theirs", CHANGE_UNTOUCHED);
	case_close(&c);
}

static void a_program_with_code_that_the_build_made_may_be_another_one(void **state)
{
	static const SyntheticFunction functions[] = {
	        {"main", 50, 50, "main.c", 10}, {"main;made", 100, 100, "made.c", 10}, {NULL, 0, 0, NULL, 0}};
	KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}, .origin = SOURCE_COMMITTED},
	        {.name = "made", .file = "made.c", .first = 10, .last = 30, .hash = {2, 2}, .origin = SOURCE_COMMITTED},
	        {.name = NULL},
	};
	(void)state;
	assert_true(same_program(functions, known, "README"));
	known[1].origin = SOURCE_MADE;
	assert_false(same_program(functions, known, "README"));
}

static void what_did_not_run_here_does_not_count(void **state)
{
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
	        {.name = "sort", .file = "sort.c", .first = 10, .last = 20, .hash = {4, 4}},
	        {.name = "elsewhere", .file = "else.c", .first = 1, .last = 2, .hash = {5, 6}},
	        {.name = NULL},
	};
	SyntheticPlan plan = {.functions = two, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	stack_table_frame_named(s->table, "elsewhere", "prog", FRAME_USER);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
	g_autoptr(CodeFacts) code = known_code(s->table, known);
	g_autoptr(LineChanges) change = edit_lines("README", 1, 1);
	RelationInput input = {.costs = costs, .code = code, .change = change};
	assert_true(relations_same_program(&input, .005));
}

static void one_changed_or_unknown_function_makes_another_program(void **state)
{
	static const KnownCode changed[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 2}},
	        {.name = "sort", .file = "sort.c", .first = 10, .last = 20, .hash = {4, 4}},
	        {.name = NULL},
	};
	static const KnownCode unknown[] = {
	        {.name = "sort", .file = "sort.c", .first = 10, .last = 20, .hash = {4, 4}},
	        {.name = NULL},
	};
	(void)state;
	assert_false(same_program(two, changed, "README"));
	assert_false(same_program(two, unknown, "README"));
}

static void a_function_that_few_samples_hit_on_one_side_is_judged_by_its_file(void **state)
{
	static const SyntheticFunction rare[] = {
	        {"main", 500, 500, "main.c", 10},
	        {"main;rare", 0, 1, "rare.c", 10},
	        {"main;seldom", 1, 0, "rare.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
	        {.name = "rare", .file = "rare.c", .first = 10, .last = 30, .hash = {0, 1}, .absent = {TRUE, FALSE}},
	        {.name = "seldom", .file = "rare.c", .first = 50, .last = 60, .hash = {2, 0}, .absent = {FALSE, TRUE}},
	        {.name = NULL},
	};
	(void)state;
	assert_true(same_program(rare, known, "README"));
	assert_false(same_program(rare, known, "rare.c"));
}

/* Where a function stands is not known, so it may be in a file that the change edits; a library stands nowhere. */
static void only_a_library_needs_no_known_file(void **state)
{
	static const KnownCode library[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
	        {.name = "sort", .identity = CODE_SAME},
	        {.name = NULL},
	};
	static const KnownCode nowhere[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
	        {.name = "sort", .hash = {4, 4}},
	        {.name = NULL},
	};
	static const KnownCode on_one_side[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
	        {.name = "sort", .file = "sort.c", .hash = {4, 4}, .absent = {FALSE, TRUE}},
	        {.name = NULL},
	};
	(void)state;
	assert_true(same_program(two, library, "README"));
	assert_false(same_program(two, nowhere, "README"));
	assert_false(same_program(two, on_one_side, "README"));
}

static void an_inlined_function_has_no_code_of_its_own(void **state)
{
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}},
	        {.name = "sort", .file = "sort.c", .first = 10, .last = 20, .hash = {4, 4}},
	        {.name = "less", .file = "sort.h", .first = 3, .last = 5},
	        {.name = NULL},
	};
	SyntheticPlan plan = {.functions = two, .rounds = 2};
	(void)state;
	for (guint kind = FRAME_USER; kind <= FRAME_KERNEL; kind++) {
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		FrameId frame = stack_table_frame_named(s->table, "less", "prog", kind);
		StackId stack = stack_table_push(s->table, STACK_ROOT, frame);
		profile_add(s->base->profile, 0, stack, (ProfileCell){1, 1});
		profile_add(s->head->profile, 0, stack, (ProfileCell){1, 1});
		g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
		g_autoptr(CodeFacts) code = known_code(s->table, known);
		g_autoptr(LineChanges) change = edit_lines("README", 1, 1);
		RelationInput input = {.costs = costs, .code = code, .change = change};
		assert_int_equal(relations_same_program(&input, .005), kind != FRAME_USER);
	}
}

/* Code without a name may be anything, so there must not be much of it. */
static void stubs_of_the_linker_are_nobodys_code(void **state)
{
	static const SyntheticFunction stubs[] = {
	        {"main", 500, 500, "main.c", 10},
	        {"main;memcpy@plt", 5, 5, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}}, {.name = NULL}};
	Case c;
	(void)state;
	assert_true(same_program(stubs, known, "README"));
	case_open(&c, stubs, known, edit_lines("main.c", 10, 10));
	assert_relation(&c, "memcpy@plt", CHANGE_UNTOUCHED);
	case_close(&c);
}

static void much_unknown_code_makes_another_program(void **state)
{
	static const SyntheticFunction little[] = {
	        {"main", 1000, 1000, "main.c", 10},
	        {"main;[unknown]", 3, 4, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const SyntheticFunction much_before[] = {
	        {"main", 1000, 1000, "main.c", 10},
	        {"main;[unknown]", 20, 3, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const SyntheticFunction much[] = {
	        {"main", 1000, 1000, "main.c", 10},
	        {"main;[unknown]", 3, 20, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 10, .last = 30, .hash = {1, 1}}, {.name = NULL}};
	(void)state;
	assert_true(same_program(little, known, "README"));
	assert_false(same_program(much, known, "README"));
	assert_false(same_program(much_before, known, "README"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_function_whose_lines_are_edited_is_touched_and_its_callers_call_it),
	        cmocka_unit_test(what_touched_code_calls_more_is_called_by_it),
	        cmocka_unit_test(a_function_on_many_stacks_calls_what_is_below_any_of_them),
	        cmocka_unit_test(code_that_the_build_made_is_not_known_to_be_untouched),
	        cmocka_unit_test(a_program_with_code_that_the_build_made_may_be_another_one),
	        cmocka_unit_test(what_did_not_run_here_does_not_count),
	        cmocka_unit_test(a_touched_function_does_not_become_one_that_calls),
	        cmocka_unit_test(a_library_calls_touched_code_through_a_callback),
	        cmocka_unit_test(a_function_of_one_side_is_looked_up_there),
	        cmocka_unit_test(lines_that_head_put_in_touch_a_function),
	        cmocka_unit_test(of_a_function_without_last_line_little_is_known),
	        cmocka_unit_test(without_lines_equal_code_is_untouched_and_other_code_is_not_known),
	        cmocka_unit_test(lines_of_one_side_do_not_speak_for_the_other),
	        cmocka_unit_test(nothing_is_known_without_code_or_change),
	        cmocka_unit_test(a_function_of_neither_side_is_not_known),
	        cmocka_unit_test(an_empty_change_touches_nothing),
	        cmocka_unit_test(kernel_code_is_untouched_and_buckets_are_no_functions),
	        cmocka_unit_test(two_names_of_one_function_are_as_touched_as_the_more_touched_one),
	        cmocka_unit_test(the_edited_file_of_a_function_is_named),
	        cmocka_unit_test(a_program_of_equal_code_outside_the_change_is_the_same),
	        cmocka_unit_test(one_changed_or_unknown_function_makes_another_program),
	        cmocka_unit_test(a_function_that_few_samples_hit_on_one_side_is_judged_by_its_file),
	        cmocka_unit_test(only_a_library_needs_no_known_file),
	        cmocka_unit_test(an_inlined_function_has_no_code_of_its_own),
	        cmocka_unit_test(stubs_of_the_linker_are_nobodys_code),
	        cmocka_unit_test(much_unknown_code_makes_another_program),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
