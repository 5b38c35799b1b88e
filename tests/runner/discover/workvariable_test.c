/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/workvariable.h"

#include "discoverfixture.h"

/* The variable of a file with these bytes after the magic of a program. Owned by the caller. */
static char *variable_in(const DiscoverPlace *place, const char *magic, const char *bytes, gsize n)
{
	g_autofree char *file = discover_file(place, "program");
	g_autoptr(GString) all = g_string_new(magic);
	g_string_append_len(all, bytes, (gssize)n);
	assert_true(g_file_set_contents(file, all->str, (gssize)all->len, NULL));
	return work_variable_of_file(file);
}

#define VARIABLE_IN(magic, text) variable_in(*state, magic, text, sizeof text)
#define ELF "\177ELF"

static void the_only_name_is_found(void **state)
{
	g_autofree char *found = VARIABLE_IN(ELF, "\1\0usage\0LIB_BENCH_ITERS\0LIB_OTHER\0LIB_BENCH_ITERS");
	assert_string_equal(found, "LIB_BENCH_ITERS");
	g_autofree char *loops = VARIABLE_IN(ELF, "\1\0N_LOOPS");
	assert_string_equal(loops, "N_LOOPS");
}

static void two_names_are_none(void **state)
{
	assert_null(VARIABLE_IN(ELF, "\1\0A_ITERS\0B_ITERS"));
}

static void a_part_of_a_text_is_none(void **state)
{
	assert_null(VARIABLE_IN(ELF, "\1\0set LIB_ITERS\0LIB_ITERS to change\0LIB_ITERSx\0ITERS\0lib_ITERS\0_ITERS"));
}

static void a_script_has_none(void **state)
{
	assert_null(VARIABLE_IN("#!/bin/sh\n", "\0LIB_ITERS"));
	assert_null(work_variable_of_file("/no/such/file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(the_only_name_is_found),
	        TEST(two_names_are_none),
	        TEST(a_part_of_a_text_is_none),
	        TEST(a_script_has_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
