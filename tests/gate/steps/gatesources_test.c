/* SPDX-License-Identifier: Apache-2.0 */
/* Where the source files of functions come from. */
#include "gate/steps/gatesources.h"

#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

typedef struct {
	const char *file;
	SourceOrigin base, head;
} Expected;

/* Marks a frame for each file, of a base with a.c and a head with b.c, and holds the origins against what is expected.
 * FALSE for `has_base` leaves base without a tree. */
static void assert_origins(GateFixture *f, gboolean has_base, const Expected *expected, guint n)
{
	gate_fixture_put(f, "src/a.c", "a\n");
	gate_fixture_commit(f, "base");
	gate_fixture_delete(f, "src/a.c");
	gate_fixture_put(f, "src/b.c", "b\n");
	gate_fixture_commit(f, "head");
	gate_fixture_import(f);
	g_autoptr(Repo) repo = repo_open(f->repo, NULL);
	g_autofree char *base = git(f->repo, "rev-parse base^{tree}"), *head = git(f->repo, "rev-parse main^{tree}");
	const Choice choices[N_SIDES] = {{.tree = has_base ? base : NULL}, {.tree = head}};
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(CodeFacts) code = code_facts_new(n);
	for (guint i = 0; i < n; i++)
		for (guint side = 0; side < N_SIDES; side++)
			code->places[side][i].file = stack_table_name(table, expected[i].file, -1);
	const Gate gate = {.repo = repo};
	gate_sources_mark(&gate, choices, table, code);
	for (guint i = 0; i < n; i++) {
		assert_int_equal(code->places[0][i].origin, expected[i].base);
		assert_int_equal(code->places[1][i].origin, expected[i].head);
	}
}

static void each_side_knows_the_files_of_its_own_commit(void **state)
{
	const Expected expected[] = {
	        {"src/a.c", SOURCE_COMMITTED, SOURCE_MADE},
	        {"src/b.c", SOURCE_MADE, SOURCE_COMMITTED},
	        {"src/a.c", SOURCE_COMMITTED, SOURCE_MADE},
	};
	assert_origins(*state, TRUE, expected, G_N_ELEMENTS(expected));
}

static void files_beside_the_checkout_are_outside(void **state)
{
	const Expected expected[] = {
	        {"/usr/include/stdio.h", SOURCE_OUTSIDE, SOURCE_OUTSIDE},
	        {"../src/a.c", SOURCE_OUTSIDE, SOURCE_OUTSIDE},
	};
	assert_origins(*state, TRUE, expected, G_N_ELEMENTS(expected));
}

static void a_function_without_a_file_stays_unknown(void **state)
{
	const Expected expected[] = {{"", SOURCE_UNKNOWN, SOURCE_UNKNOWN}};
	assert_origins(*state, TRUE, expected, G_N_ELEMENTS(expected));
}

static void a_side_without_a_tree_stays_unknown(void **state)
{
	const Expected expected[] = {{"src/b.c", SOURCE_UNKNOWN, SOURCE_COMMITTED}};
	assert_origins(*state, FALSE, expected, G_N_ELEMENTS(expected));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(each_side_knows_the_files_of_its_own_commit),
	        GATE_TEST(files_beside_the_checkout_are_outside),
	        GATE_TEST(a_function_without_a_file_stays_unknown),
	        GATE_TEST(a_side_without_a_tree_stays_unknown),
	};
	return run_gate_tests(tests);
}
