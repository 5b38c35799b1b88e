/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/codepieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BASE, HEAD, N_FRAMES = 4 };

#define MAX_PIECES 4

/* A function seen under the name of frame 1, in a file of the checkout, if nothing else is said. */
typedef struct {
	guint side;
	guint64 hash;
	const char *symbol; /* NULL = "f" */
	guint module;       /* 0 = one for each side */
	gboolean is_inlined, is_outside;
	const char *file; /* NULL = not known */
} Seen;

static void add(CodePieces *pieces, const Seen *seen)
{
	const CodeFunction function = {"f", seen->symbol != NULL ? seen->symbol : "f", seen->file};
	const CodePiece piece = {
	        .frame = {1},
	        .side = seen->side,
	        .module = seen->module != 0 ? seen->module : seen->side + 1,
	        .is_inside = !seen->is_outside,
	        .is_inlined = seen->is_inlined,
	        .symbol = code_pieces_symbol(pieces, &function),
	        .hash = seen->hash,
	        .place = {.hash = seen->is_inlined ? 0 : seen->hash},
	};
	code_pieces_add(pieces, &piece);
}

static const struct {
	const char *what;
	Seen seen[MAX_PIECES];
	guint n;
	CodeIdentity identity;
} cases[] = {
        {"nothing", {{0}}, 0, CODE_UNKNOWN},
        {"equal hashes", {{.side = BASE, .hash = 7}, {.side = HEAD, .hash = 7}}, 2, CODE_SAME},
        {"different hashes", {{.side = BASE, .hash = 7}, {.side = HEAD, .hash = 8}}, 2, CODE_CHANGED},
        {"one side only", {{.side = BASE, .hash = 7}}, 1, CODE_UNKNOWN},
        {"a hash is not known", {{.side = BASE, .hash = 7}, {.side = HEAD, .hash = 0}}, 2, CODE_UNKNOWN},
        {"no hash is known", {{.side = BASE, .hash = 0}, {.side = HEAD, .hash = 0}}, 2, CODE_UNKNOWN},
        {"one file outside",
                {{.side = BASE, .hash = 0, .module = 5, .is_outside = TRUE},
                        {.side = HEAD, .hash = 0, .module = 5, .is_outside = TRUE}},
                2, CODE_SAME},
        {"one file outside, seen by one side", {{.side = HEAD, .hash = 7, .module = 5, .is_outside = TRUE}}, 1,
                CODE_SAME},
        {"two files outside",
                {{.side = BASE, .hash = 7, .module = 5, .is_outside = TRUE},
                        {.side = HEAD, .hash = 8, .module = 6, .is_outside = TRUE}},
                2, CODE_CHANGED},
        {"one file, and it is inside", {{.side = BASE, .hash = 0, .module = 5}, {.side = HEAD, .hash = 0, .module = 5}},
                2, CODE_UNKNOWN},
        {"a layout of base with shorter instructions",
                {{.side = BASE, .hash = 7}, {.side = HEAD, .hash = 7}, {.side = BASE, .hash = 8, .module = 3}}, 3,
                CODE_SAME},
        {"a layout of head with code that base lacks",
                {{.side = BASE, .hash = 7}, {.side = HEAD, .hash = 7}, {.side = HEAD, .hash = 8, .module = 3}}, 3,
                CODE_CHANGED},
        {"layouts of both sides with nothing in common",
                {{.side = BASE, .hash = 7}, {.side = BASE, .hash = 8, .module = 3}, {.side = HEAD, .hash = 9},
                        {.side = HEAD, .hash = 10, .module = 4}},
                4, CODE_CHANGED},
        {"layouts that differ on both sides",
                {{.side = BASE, .hash = 7}, {.side = BASE, .hash = 8, .module = 3}, {.side = HEAD, .hash = 7},
                        {.side = HEAD, .hash = 9, .module = 4}},
                4, CODE_CHANGED},
        {"a clone of one side only",
                {{.side = BASE, .hash = 7}, {.side = HEAD, .hash = 7},
                        {.side = HEAD, .hash = 8, .symbol = "f.constprop.0"}},
                3, CODE_UNKNOWN},
        {"a clone with another number",
                {{.side = BASE, .hash = 7, .symbol = "f.part.0"}, {.side = HEAD, .hash = 7, .symbol = "f.part.3"}}, 2,
                CODE_SAME},
        {"a changed clone",
                {{.side = BASE, .hash = 7}, {.side = HEAD, .hash = 7}, {.side = BASE, .hash = 8, .symbol = "f.part.0"},
                        {.side = HEAD, .hash = 9, .symbol = "f.part.0"}},
                4, CODE_CHANGED},
        {"functions of one name in two files, one changed",
                {{.side = BASE, .hash = 7, .file = "a.c"}, {.side = HEAD, .hash = 7, .file = "a.c"},
                        {.side = BASE, .hash = 8, .file = "b.c"}, {.side = HEAD, .hash = 9, .file = "b.c"}},
                4, CODE_CHANGED},
        {"functions of one name in two files, one seen by one side",
                {{.side = BASE, .hash = 7, .file = "a.c"}, {.side = HEAD, .hash = 7, .file = "a.c"},
                        {.side = HEAD, .hash = 9, .file = "b.c"}},
                3, CODE_UNKNOWN},
        {"inlined into a function that is the same",
                {{.side = BASE, .hash = 7, .symbol = "g", .is_inlined = TRUE},
                        {.side = HEAD, .hash = 7, .symbol = "g", .is_inlined = TRUE}},
                2, CODE_SAME},
        {"inlined into a function that has changed",
                {{.side = BASE, .hash = 7, .symbol = "g", .is_inlined = TRUE},
                        {.side = HEAD, .hash = 8, .symbol = "g", .is_inlined = TRUE}},
                2, CODE_UNKNOWN},
        {"changed, and inlined into one that is the same",
                {{.side = BASE, .hash = 7}, {.side = HEAD, .hash = 8},
                        {.side = BASE, .hash = 9, .symbol = "g", .is_inlined = TRUE},
                        {.side = HEAD, .hash = 9, .symbol = "g", .is_inlined = TRUE}},
                4, CODE_CHANGED},
};

static void the_code_is_judged_by_its_pieces(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(CodePieces) pieces = code_pieces_new();
		for (guint k = 0; k < cases[i].n; k++)
			add(pieces, &cases[i].seen[k]);
		g_autoptr(CodeFacts) facts = code_pieces_facts(pieces, N_FRAMES);
		CodeIdentity identity = code_facts_identity(facts, (FrameId){1});
		if (identity != cases[i].identity)
			print_error("%s: %d\n", cases[i].what, (int)identity);
		assert_int_equal(identity, cases[i].identity);
		assert_int_equal(code_facts_identity(facts, (FrameId){0}), CODE_UNKNOWN);
		assert_int_equal(code_facts_identity(facts, (FrameId){2}), CODE_UNKNOWN);
	}
}

/* More code in base than in head is the same, but not the other way round. */
static CodeIdentity swapped(CodeIdentity identity, guint i)
{
	if (g_str_equal(cases[i].what, "a layout of base with shorter instructions"))
		return CODE_CHANGED;
	return g_str_equal(cases[i].what, "a layout of head with code that base lacks") ? CODE_SAME : identity;
}

static void only_code_that_head_alone_has_tells_the_sides_apart(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(CodePieces) pieces = code_pieces_new();
		for (guint k = cases[i].n; k-- > 0;) {
			Seen seen = cases[i].seen[k];
			seen.side = HEAD - seen.side;
			add(pieces, &seen);
		}
		g_autoptr(CodeFacts) facts = code_pieces_facts(pieces, N_FRAMES);
		assert_int_equal(code_facts_identity(facts, (FrameId){1}), swapped(cases[i].identity, i));
	}
}

static void code_of_one_file_outside_the_checkouts_is_outside(void **state)
{
	(void)state;
	for (guint is_outside = 0; is_outside < 2; is_outside++)
		for (guint modules = 1; modules < 3; modules++) {
			g_autoptr(CodePieces) pieces = code_pieces_new();
			add(pieces, &(Seen){.side = BASE, .hash = 7, .module = 5, .is_outside = is_outside});
			add(pieces, &(Seen){.side = HEAD, .hash = 7, .module = 4 + modules, .is_outside = is_outside});
			g_autoptr(CodeFacts) facts = code_pieces_facts(pieces, N_FRAMES);
			assert_int_equal(code_facts_is_outside(facts, (FrameId){1}), is_outside && modules == 1);
			assert_false(code_facts_is_outside(facts, (FrameId){0}));
		}
	assert_false(code_facts_is_outside(NULL, (FrameId){1}));
}

static void symbols_keep_the_kind_of_a_clone_and_not_its_number(void **state)
{
	(void)state;
	static const struct {
		const char *linkage_name, *file, *symbol;
	} names[] = {
	        {"hash_word", NULL, "hash_word"},
	        {"hash_word", "/base/src/words.c", "words.c hash_word"},
	        {"hash_word", "/head/lib/words.c", "words.c hash_word"},
	        {"hash_word.part.0", NULL, "hash_word.part."},
	        {"hash_word.part.12", NULL, "hash_word.part."},
	        {"hash_word.constprop.0.isra.0", "words.c", "words.c hash_word.constprop..isra."},
	        {"hash_word@@V2", NULL, "hash_word"},
	};
	g_autoptr(CodePieces) pieces = code_pieces_new();
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		const CodeFunction function = {"hash_word", names[i].linkage_name, names[i].file};
		assert_string_equal(code_pieces_symbol(pieces, &function), names[i].symbol);
	}
}

static void add_place(CodePieces *pieces, guint module, const CodePlace *place)
{
	const CodeFunction function = {"f", "f", NULL};
	const CodePiece piece = {.frame = {1},
	        .module = module,
	        .is_inlined = place->hash == 0,
	        .symbol = code_pieces_symbol(pieces, &function),
	        .hash = 1,
	        .place = *place};
	code_pieces_add(pieces, &piece);
}

static void a_place_has_the_lines_of_all_its_pieces_in_one_file(void **state)
{
	(void)state;
	g_autoptr(CodePieces) pieces = code_pieces_new();
	add_place(pieces, 1, &(CodePlace){.file = {5}, .first_line = 10, .last_line = 12});
	add_place(pieces, 1, &(CodePlace){.file = {5}, .first_line = 10, .last_line = 14});
	add_place(pieces, 2, &(CodePlace){.file = {5}, .first_line = 10, .last_line = 17, .hash = 8, .sketch = 9});
	add_place(pieces, 2, &(CodePlace){.file = {6}, .first_line = 1, .last_line = 99, .hash = 4, .sketch = 4});
	add_place(pieces, 3, &(CodePlace){.file = {5}, .first_line = 0, .last_line = 0, .hash = 5});
	g_autoptr(CodeFacts) facts = code_pieces_facts(pieces, N_FRAMES);
	const CodePlace *place = code_facts_place(facts, BASE, (FrameId){1});
	assert_int_equal(place->file.index, 5);
	assert_int_equal(place->first_line, 10);
	assert_int_equal(place->last_line, 17);
	assert_int_equal(place->hash, 8);
	assert_int_equal(place->sketch, 9);
	assert_null(code_facts_place(facts, HEAD, (FrameId){1}));
}

static void a_piece_that_is_there_only_widens_its_lines(void **state)
{
	(void)state;
	g_autoptr(CodePieces) pieces = code_pieces_new();
	for (guint line = 20; line < 40; line++)
		add_place(pieces, 1, &(CodePlace){.file = {5}, .first_line = 10, .last_line = line, .hash = 3});
	g_autoptr(CodeFacts) facts = code_pieces_facts(pieces, N_FRAMES);
	assert_int_equal(code_facts_place(facts, BASE, (FrameId){1})->last_line, 39);
}

static void frames_beyond_the_table_are_left_out(void **state)
{
	(void)state;
	g_autoptr(CodePieces) pieces = code_pieces_new();
	add(pieces, &(Seen){.side = BASE, .hash = 7});
	g_autoptr(CodeFacts) facts = code_pieces_facts(pieces, 1);
	assert_int_equal(facts->n_frames, 1);
	assert_int_equal(code_facts_identity(facts, (FrameId){1}), CODE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_code_is_judged_by_its_pieces),
	        cmocka_unit_test(only_code_that_head_alone_has_tells_the_sides_apart),
	        cmocka_unit_test(code_of_one_file_outside_the_checkouts_is_outside),
	        cmocka_unit_test(symbols_keep_the_kind_of_a_clone_and_not_its_number),
	        cmocka_unit_test(a_place_has_the_lines_of_all_its_pieces_in_one_file),
	        cmocka_unit_test(a_piece_that_is_there_only_widens_its_lines),
	        cmocka_unit_test(frames_beyond_the_table_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
