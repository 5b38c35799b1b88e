/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/functionorder.h"

#include "tests/profile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* without optimisation the compiler leaves functions in the order of the source */
#define A "int a(int x) { return x + 1; }\n"
#define B "int b(int x) { return x + 2; }\n"
#define C "int c(int x) { return x + 3; }\n"
#define MAIN "int main(void) { return 0; }\n"

static int set_up(void **state)
{
	*state = new_folder();
	return 0;
}

static int tear_down(void **state)
{
	remove_folder(*state);
	g_free(*state);
	return 0;
}

/* Compiles a program; the path, owned by the caller. Skips the test where there is no compiler. */
static char *program(const char *folder, const char *name, const char *options, const char *text)
{
	char *path = compile(folder, "gcc", options, "program.c", text, name);
	if (path == NULL) {
		print_message("skipped: no working gcc\n");
		skip();
	}
	return path;
}

static void functions_in_the_same_order_have_not_moved(void **state)
{
	g_autofree char *one = program(*state, "one", "-O0 -g", A B C MAIN);
	g_autofree char *other = program(*state, "other", "-O0 -g0", A B C MAIN);
	OrderChange change;
	assert_true(function_order_compare(one, other, &change));
	/* a, b and c are followed by a function, and _start at least is one that every program has */
	assert_in_range(change.functions, 4, 10);
	assert_int_equal(change.moved, 0);
}

static void a_function_with_another_one_after_it_has_moved(void **state)
{
	g_autofree char *one = program(*state, "one", "-O0", A B C MAIN);
	g_autofree char *other = program(*state, "other", "-O0", B A C MAIN);
	OrderChange change;
	assert_true(function_order_compare(one, other, &change));
	/* what comes before them, a and b; c still comes before main */
	assert_int_equal(change.moved, 3);
}

static void only_functions_of_both_programs_are_compared(void **state)
{
	g_autofree char *one = program(*state, "one", "-O0 -shared -fPIC -nostdlib", A B C);
	g_autofree char *other = program(*state, "other", "-O0 -shared -fPIC -nostdlib", A C);
	OrderChange change;
	assert_true(function_order_compare(one, other, &change));
	assert_int_equal(change.functions, 1);
	assert_int_equal(change.moved, 1);
}

static void a_library_without_symbol_table_still_has_exported_functions(void **state)
{
	g_autofree char *one = program(*state, "one", "-O0 -s -shared -fPIC -nostdlib", A B C);
	g_autofree char *other = program(*state, "other", "-O0 -s -shared -fPIC -nostdlib", C B A);
	OrderChange change;
	assert_true(function_order_compare(one, other, &change));
	assert_int_equal(change.functions, 2);
	assert_int_equal(change.moved, 2);
}

static void what_has_no_functions_cannot_be_compared(void **state)
{
	g_autofree char *one = program(*state, "one", "-O0", A MAIN);
	g_autofree char *stripped = program(*state, "stripped", "-O0 -s", A MAIN);
	g_autofree char *source = g_build_filename(*state, "program.c", NULL);
	const char *const others[] = {stripped, source, "/nonexistent", *state, "/dev/null"};
	OrderChange change;
	for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
		assert_false(function_order_compare(one, others[i], &change));
		assert_false(function_order_compare(others[i], one, &change));
	}
}

/* Every header field gets values that point outside of the file, and the file every length; address sanitizers see what
 * is read outside of it. */
static void damaged_files_are_read_within_their_bounds(void **state)
{
	g_autofree char *one = program(*state, "one", "-O0 -shared -fPIC -nostdlib", A B C);
	g_autofree char *damaged = g_build_filename(*state, "damaged", NULL);
	g_autofree char *bytes = NULL;
	gsize length;
	OrderChange change;
	assert_true(g_file_get_contents(one, &bytes, &length, NULL));
	const gsize sections = length - 64 * 24; /* their headers are the end of the file, less than 24 of them */
	for (gsize at = 16; at < length; at = at == 63 ? sections : at + 1) {
		const char byte = bytes[at];
		bytes[at] = (char)0xff;
		assert_true(g_file_set_contents(damaged, bytes, (gssize)length, NULL));
		function_order_compare(damaged, one, &change);
		assert_true(change.moved <= change.functions);
		bytes[at] = byte;
	}
	for (gsize cut = 0; cut < length; cut += 61) {
		assert_true(g_file_set_contents(damaged, bytes, (gssize)cut, NULL));
		assert_false(function_order_compare(damaged, one, &change));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(functions_in_the_same_order_have_not_moved),
	        TEST(a_function_with_another_one_after_it_has_moved),
	        TEST(only_functions_of_both_programs_are_compared),
	        TEST(a_library_without_symbol_table_still_has_exported_functions),
	        TEST(what_has_no_functions_cannot_be_compared),
	        TEST(damaged_files_are_read_within_their_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
