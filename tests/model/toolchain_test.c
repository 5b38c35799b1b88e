/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is said of compilers that differ. */
#include "model/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define GCC "GNU C17 12.2.0 -mtune=generic -g "

static void assert_difference(const char *base, const char *head, const char *wanted)
{
	g_autofree char *text = producers_difference(base, head);
	if (g_strcmp0(text, wanted) != 0)
		fail_msg("\"%s\", wanted \"%s\"", text, wanted);
}

static void options_that_differ_are_named(void **state)
{
	(void)state;
	assert_difference(GCC "-O2", GCC "-O3 -flto", "base: -O2; head: -O3 -flto");
	assert_difference(GCC "-O2", GCC "-O2 -march=native", "base: without what head has; head: -march=native");
	assert_difference(GCC "-O2 -fPIC", GCC "-O2", "base: -fPIC; head: without what base has");
}

static void another_compiler_is_named(void **state)
{
	(void)state;
	assert_difference("GNU C17 12.2.0 -O2", "GNU C17 13.1.0 -O2", "base: 12.2.0; head: 13.1.0");
	assert_difference("Go cmd/compile go1.19.8", "Go cmd/compile go1.21.0", "base: go1.19.8; head: go1.21.0");
}

static void one_file_among_others_is_noticed(void **state)
{
	(void)state;
	assert_difference(GCC "-O2", GCC "-O0\n" GCC "-O2", "base: without what head has; head: -O0");
}

static void equal_and_unknown_ones_do_not_differ(void **state)
{
	(void)state;
	assert_difference(GCC "-O2", GCC "-O2", NULL);
	assert_difference("", GCC "-O2", NULL);
	assert_difference(NULL, GCC "-O2", NULL);
	assert_difference(GCC "-fprofile-use=/a/x -frandom-seed=1", GCC "-fprofile-use=/b/x -frandom-seed=2", NULL);
}

static void a_producer_is_named_without_its_options(void **state)
{
	(void)state;
	g_autofree char *name = producer_name(GCC "-O2"), *bare = producer_name("clang LLVM (rustc version 1.63.0)");
	assert_string_equal(name, "GNU C17 12.2.0");
	assert_string_equal(bare, "clang LLVM (rustc version 1.63.0)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(options_that_differ_are_named),
	        cmocka_unit_test(another_compiler_is_named),
	        cmocka_unit_test(one_file_among_others_is_noticed),
	        cmocka_unit_test(equal_and_unknown_ones_do_not_differ),
	        cmocka_unit_test(a_producer_is_named_without_its_options),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
