/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/toolchainwords.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* One compiler with so many calls. */
static GPtrArray *called(const char *program, guint calls)
{
	GPtrArray *compilers = used_compilers_new();
	UsedCompiler *compiler = g_new0(UsedCompiler, 1);
	*compiler = (UsedCompiler){.name = g_strdup("cc"), .program = g_strdup(program), .calls = calls};
	g_ptr_array_add(compilers, compiler);
	return compilers;
}

static void compilers_have_their_program_and_calls(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) compilers = called("/usr/bin/gcc-12", 1), none = used_compilers_new();
	g_autofree char *text = toolchain_compilers(compilers);
	assert_string_equal(text, "cc (gcc-12, 1 call)");
	assert_null(toolchain_compilers(none));
	assert_null(toolchain_compilers(NULL));
}

static void builds_by_the_same_compilers_are_told_together(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) base = called("/usr/bin/gcc-12", 3), same = called("/usr/bin/gcc-12", 3),
	                     other = called("/usr/bin/clang", 2);
	g_autofree char *equal = toolchain_line(base, same), *different = toolchain_line(base, other),
	                *half = toolchain_line(NULL, other);
	assert_string_equal(equal, "both built by cc (gcc-12, 3 calls)");
	assert_string_equal(different, "base built by cc (gcc-12, 3 calls); head by cc (clang, 2 calls)");
	assert_string_equal(half, "head built by cc (clang, 2 calls)");
	assert_null(toolchain_line(NULL, NULL));
}

static void a_program_names_its_compilers_without_options(void **state)
{
	(void)state;
	const ProgramFacts facts = {.file = (char *)"bin/sort",
	        .producers = (char *)"GNU C17 12.2.0 -O0 -g\nGNU C17 12.2.0 -O2 -g",
	        .units = 3,
	        .units_unoptimised = 1};
	const ProgramFacts silent = {.file = (char *)"bin/sort", .producers = (char *)""};
	g_autofree char *text = toolchain_program(&facts), *nothing = toolchain_program(&silent);
	assert_string_equal(text, "bin/sort: 3 units by GNU C17 12.2.0, 1 of them without optimisation");
	assert_string_equal(nothing, "bin/sort: says nothing of its compilers");
	assert_null(toolchain_program(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(compilers_have_their_program_and_calls),
	        cmocka_unit_test(builds_by_the_same_compilers_are_told_together),
	        cmocka_unit_test(a_program_names_its_compilers_without_options),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
