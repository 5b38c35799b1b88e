/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/discoverplace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void the_line_of_a_failed_build_is_that_of_its_compiler(void **state)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {
	        {"-- Could NOT find Doxygen (missing: EXECUTABLE)\n-- Configuring done\n"
	         "/t/a.cc:3:10: fatal error: catch2/catch_all.hpp: No such file or directory\ncompilation "
	         "terminated.\n",
	                "/t/a.cc:3:10: fatal error: catch2/catch_all.hpp: No such file or directory"},
	        {"checking for x... cannot run test\nmake: *** No rule to make target 'bench'.  Stop.\n",
	                "make: *** No rule to make target 'bench'.  Stop."},
	        {"warning: unused\nerror[E0432]: unresolved import `criterion`\n",
	                "error[E0432]: unresolved import `criterion`"},
	        {"CMake Error at CMakeLists.txt:4 (find_package):\n\n  By not providing \"FindX.cmake\"\n",
	                "CMake Error at CMakeLists.txt:4 (find_package): By not providing \"FindX.cmake\""},
	        {"could not load data\nbye\n", "could not load data"},
	        {"one\n\ntwo\n\n", "two"},
	        {"", ""},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *line = discover_error_line(rows[i].text);
		assert_string_equal(line, rows[i].wanted);
	}
}

static void a_long_line_is_cut(void **state)
{
	(void)state;
	g_autofree char *text = g_strnfill(5000, 'x'), *line = discover_error_line(text);
	assert_int_equal(strlen(line), 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_line_of_a_failed_build_is_that_of_its_compiler),
	        cmocka_unit_test(a_long_line_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
