/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindname.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_parsed(const char *text, const char *function, guint64 level, guint n_callers)
{
	const CallgrindName name = callgrind_name_parse(text_of(text));
	if (!text_equals(name.function, function) || name.level != level || name.n_callers != n_callers)
		fail_msg("%s: %.*s, level %d, %u callers", text, (int)name.function.length, name.function.start,
		        (int)name.level, name.n_callers);
}

static void callers_follow_apostrophes(void **state)
{
	(void)state;
	assert_parsed("main", "main", 1, 0);
	assert_parsed("hash'parse'main", "hash", 1, 2);
	assert_parsed("", "", 1, 0);
	assert_parsed("a''b'", "a", 1, 1);
}

static void a_number_is_the_level_of_recursion(void **state)
{
	(void)state;
	assert_parsed("fib'2", "fib", 2, 0);
	assert_parsed("fib'12'main", "fib", 12, 1);
	assert_parsed("fib'0'main", "fib", 1, 1);
	assert_parsed("fib'main'2", "fib", 1, 2);
}

static void apostrophes_in_brackets_belong_to_a_name(void **state)
{
	(void)state;
	assert_parsed("run<'a'>'main", "run<'a'>", 1, 1);
	assert_parsed("main::{lambda'1}'main", "main::{lambda'1}", 1, 1);
}

static void signs_of_operators_are_no_brackets(void **state)
{
	(void)state;
	assert_parsed("std::operator<< <char>(int)'main", "std::operator<< <char>(int)", 1, 1);
	assert_parsed("operator<'main'start", "operator<", 1, 2);
	assert_parsed("P::operator->()'main", "P::operator->()", 1, 1);
	assert_parsed("operator new(unsigned long)'main", "operator new(unsigned long)", 1, 1);
}

static void functions_are_taken_one_by_one(void **state)
{
	(void)state;
	TextPiece rest = text_of("parse(int)'main'(below main)"), function;
	assert_true(callgrind_name_take(&rest, &function) && text_equals(function, "parse(int)"));
	assert_true(callgrind_name_take(&rest, &function) && text_equals(function, "main"));
	assert_true(callgrind_name_take(&rest, &function) && text_equals(function, "(below main)"));
	assert_false(callgrind_name_take(&rest, &function));
}

static void frames_have_the_names_of_other_formats(void **state)
{
	static const char *const names[][2] = {
	        {"hash_word.part.0", "hash_word"},
	        {"memcpy@@GLIBC_2.14", "memcpy"},
	        {"(below main)", "(below main)"},
	        {"int sum<int>(std::vector<int, std::allocator<int> > const&)", "sum<int>"},
	        {"helper(char const*) [clone .isra.0]", "helper"},
	        {"std::ostream& std::operator<< <char>(std::ostream&, char)", "std::operator<< <char>"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *canonical = callgrind_name_canonical(text_of(names[i][0]));
		assert_string_equal(canonical, names[i][1]);
	}
}

static void addresses_and_question_marks_are_no_names(void **state)
{
	(void)state;
	assert_false(callgrind_name_is_known(text_of("0x0000000000109040")));
	assert_false(callgrind_name_is_known(text_of("???")));
	assert_false(callgrind_name_is_known(text_of("")));
	assert_true(callgrind_name_is_known(text_of("0xyz")));
	assert_true(callgrind_name_is_known(text_of("main")));
}

static void allocating_functions_are_known_by_name(void **state)
{
	static const char *const allocating[] = {"malloc", "calloc", "realloc", "__libc_malloc", "malloc@@GLIBC_2.2.5",
	        "__GI___libc_malloc", "posix_memalign", "operator new(unsigned long)", "operator new[](unsigned long)",
	        "_Znwm", "_ZnamSt11align_val_t"};
	static const char *const others[] = {"free", "_int_malloc", "my_malloc", "operator delete(void*)",
	        "malloc_trim", "mallocator", "", "operator newish"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(allocating); i++)
		if (!callgrind_name_is_allocator(text_of(allocating[i])))
			fail_msg("%s allocates", allocating[i]);
	for (guint i = 0; i < G_N_ELEMENTS(others); i++)
		if (callgrind_name_is_allocator(text_of(others[i])))
			fail_msg("%s does not allocate", others[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(callers_follow_apostrophes),
	        cmocka_unit_test(a_number_is_the_level_of_recursion),
	        cmocka_unit_test(apostrophes_in_brackets_belong_to_a_name),
	        cmocka_unit_test(signs_of_operators_are_no_brackets),
	        cmocka_unit_test(functions_are_taken_one_by_one),
	        cmocka_unit_test(frames_have_the_names_of_other_formats),
	        cmocka_unit_test(addresses_and_question_marks_are_no_names),
	        cmocka_unit_test(allocating_functions_are_known_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
