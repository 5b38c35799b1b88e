/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what perf_fold_code_facts() tells of two sides, each a folder with a program of its own. */
#include "tests/profile/foldexample.h"

#define PROGRAM(before, middle)                                                                                        \
	"volatile unsigned long sink;\n" before                                                                        \
	"__attribute__((noinline)) void leaf(unsigned long n) { sink += n; }\n"                                        \
	"__attribute__((noinline)) void middle(unsigned long n) { leaf(n" middle "); sink++; }\n"                      \
	"int main(int argc, char **argv) { (void)argv; middle(argc); return 0; }\n"

enum { BASE, HEAD };

static const char usual[] = PROGRAM("", "");
static const char changed[] =
        PROGRAM("__attribute__((noinline)) void more(unsigned long n) { sink = n * sink * 7; }\n", " + 8");

/* A side: its folder and program. */
typedef struct {
	char *folder, *program;
} Side;

static Side make_side(const Example *e, const char *name, const char *source)
{
	Side side = {.folder = g_build_filename(e->folder, name, NULL)};
	assert_return_code(g_mkdir(side.folder, 0700), 0);
	side.program = compile(side.folder, "gcc", "-g -O2 -fno-omit-frame-pointer", "example.c", source, "prog");
	return side;
}

static void clear_side(Side *side)
{
	g_free(side->folder);
	g_free(side->program);
}

/* Folds a recording in which the program was in `leaf`, called by the others. */
static void fold_side(Example *e, PerfFold *fold, const Side *side, const PerfFoldOptions *options)
{
	guint64 leaf = MAPPED_AT + find_function(side->program, "leaf").offset;
	guint64 middle = MAPPED_AT + find_function(side->program, "middle").offset;
	guint64 main_function = MAPPED_AT + find_function(side->program, "main").offset;
	PerfWriter usual_writer = e->writer;
	perf_writer_init(&e->writer, 1);
	put_comm(&e->writer, 7, 1, "prog", TRUE);
	put_program(&e->writer, 7, 2, MAPPED_AT, side->program);
	ADD_SAMPLE(e, 10, USER, leaf, middle + 1, main_function + 1);
	assert_true(add_recording(e, fold, options, NULL, NULL));
	perf_writer_clear(&e->writer);
	e->writer = usual_writer;
}

static FrameId frame_named(const Example *e, const char *name)
{
	for (guint i = 0; i < stack_table_n_frames(e->table); i++)
		if (g_str_equal(stack_table_frame_name(e->table, (FrameId){i}), name))
			return (FrameId){i};
	fail_msg("no frame %s", name);
	return (FrameId){0};
}

/* Facts of two sides with these programs; `inside`: their folders are the checkouts. Owned by the caller. */
static CodeFacts *facts_of(Example *e, const char *base_source, const char *head_source, gboolean inside)
{
	Side sides[] = {make_side(e, "base", base_source), make_side(e, "head", head_source)};
	const char *const prefixes[] = {sides[BASE].folder, sides[HEAD].folder, NULL};
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	for (guint i = 0; i < G_N_ELEMENTS(sides); i++)
		fold_side(e, fold, &sides[i],
		        &(PerfFoldOptions){.side = i, .with_code = TRUE, .strip_prefixes = inside ? prefixes : NULL});
	assert_true(perf_fold_finish(fold, NULL, NULL));
	assert_int_equal(perf_fold_has_own_code(fold), inside);
	clear_side(&sides[BASE]);
	clear_side(&sides[HEAD]);
	return perf_fold_code_facts(fold);
}

static void functions_are_the_same_or_changed(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autoptr(CodeFacts) facts = facts_of(e, usual, changed, TRUE);
	assert_int_equal(code_facts_identity(facts, frame_named(e, "leaf")), CODE_SAME);
	assert_int_equal(code_facts_identity(facts, frame_named(e, "main")), CODE_SAME);
	assert_int_equal(code_facts_identity(facts, frame_named(e, "middle")), CODE_CHANGED);
	assert_int_equal(code_facts_identity(facts, frame_named(e, "prog")), CODE_UNKNOWN);
}

static void each_side_has_its_place(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autoptr(CodeFacts) facts = facts_of(e, usual, changed, TRUE);
	const CodePlace *base = code_facts_place(facts, BASE, frame_named(e, "middle"));
	const CodePlace *head = code_facts_place(facts, HEAD, frame_named(e, "middle"));
	assert_string_equal(stack_table_text(e->table, base->file), "example.c");
	assert_int_equal(base->file.index, head->file.index);
	assert_int_equal(base->first_line, 3);
	assert_int_equal(base->last_line, 3);
	assert_int_equal(head->first_line, 4);
	assert_int_equal(head->last_line, 4);
	assert_true(base->hash != 0 && head->hash != 0 && base->hash != head->hash);
	assert_null(code_facts_place(facts, BASE, frame_named(e, "prog")));
}

/* Programs in two folders that are no checkouts are two files all the same. */
static void two_files_outside_the_checkouts_are_compared(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autoptr(CodeFacts) facts = facts_of(e, usual, changed, FALSE);
	assert_int_equal(code_facts_identity(facts, frame_named(e, "leaf")), CODE_SAME);
	assert_int_equal(code_facts_identity(facts, frame_named(e, "middle")), CODE_CHANGED);
}

static void one_file_outside_the_checkouts_is_the_same_for_both(void **state)
{
	Example *e = *state;
	need_program(e);
	Side side = make_side(e, "system", usual);
	const char *const prefixes[] = {"/nowhere/base", "/nowhere/head", NULL};
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	fold_side(e, fold, &side, &(PerfFoldOptions){.side = HEAD, .with_code = TRUE, .strip_prefixes = prefixes});
	assert_true(perf_fold_finish(fold, NULL, NULL));
	g_autoptr(CodeFacts) facts = perf_fold_code_facts(fold);
	assert_int_equal(code_facts_identity(facts, frame_named(e, "leaf")), CODE_SAME);
	assert_null(code_facts_place(facts, BASE, frame_named(e, "leaf")));
	assert_non_null(code_facts_place(facts, HEAD, frame_named(e, "leaf")));
	clear_side(&side);
}

/* The second layout has its functions in another order. */
static void a_side_may_run_several_layouts(void **state)
{
	Example *e = *state;
	need_program(e);
	Side sides[] = {make_side(e, "base", usual), make_side(e, "head", usual), make_side(e, "headagain", usual)};
	const char *const prefixes[] = {sides[0].folder, sides[1].folder, sides[2].folder, NULL};
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	g_free(sides[2].program);
	sides[2].program = compile(sides[2].folder, "gcc",
	        "-g -O2 -fno-omit-frame-pointer -ffunction-sections -Wl,--section-start=.text.leaf=0x1800", "example.c",
	        usual, "prog");
	assert_non_null(sides[2].program);
	for (guint i = 0; i < G_N_ELEMENTS(sides); i++)
		fold_side(e, fold, &sides[i],
		        &(PerfFoldOptions){.side = MIN(i, HEAD), .with_code = TRUE, .strip_prefixes = prefixes});
	assert_true(perf_fold_finish(fold, NULL, NULL));
	g_autoptr(CodeFacts) facts = perf_fold_code_facts(fold);
	static const char *const names[] = {"leaf", "middle", "main"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		assert_int_equal(code_facts_identity(facts, frame_named(e, names[i])), CODE_SAME);
	for (guint i = 0; i < G_N_ELEMENTS(sides); i++)
		clear_side(&sides[i]);
}

static void without_being_asked_nothing_is_known(void **state)
{
	Example *e = *state;
	need_program(e);
	g_autoptr(PerfFold) fold = perf_fold_new(e->table);
	Side side = make_side(e, "base", usual);
	fold_side(e, fold, &side, NULL);
	assert_true(perf_fold_finish(fold, NULL, NULL));
	g_autoptr(CodeFacts) facts = perf_fold_code_facts(fold);
	assert_int_equal(code_facts_identity(facts, frame_named(e, "leaf")), CODE_UNKNOWN);
	assert_null(code_facts_place(facts, BASE, frame_named(e, "leaf")));
	clear_side(&side);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(functions_are_the_same_or_changed, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(each_side_has_its_place, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(two_files_outside_the_checkouts_are_compared, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(one_file_outside_the_checkouts_is_the_same_for_both, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_side_may_run_several_layouts, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(without_being_asked_nothing_is_known, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
