/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/privileges.h"

#include "core/durable.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static char *hint_for(const char *errors)
{
	const ChildResult result = {.out = g_string_new("fine so far\n"), .err = g_string_new(errors)};
	char *hint = privileges_hint(&result, "", "the build");
	g_string_free(result.out, TRUE);
	g_string_free(result.err, TRUE);
	return hint;
}

static void known_messages_name_program_and_key(void **state)
{
	(void)state;
	static const char *const messages[][2] = {
	        {"sudo: The \"no new privileges\" flag is set, which prevents sudo from running as root.",
	                "sudo gains"},
	        {"sudo: effective uid is not 0, is /usr/bin/sudo on a file system with the 'nosuid' option set?",
	                "sudo gains"},
	        {"ping: socktype: SOCK_RAW\nping: socket: Operation not permitted", "ping gains"},
	        {"snap-confine has elevated permissions and is not confined but should be.", "snap-confine gains"},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(messages); i++) {
		g_autofree char *hint = hint_for(messages[i][0]);
		assert_non_null(hint);
		assert_true(g_str_has_prefix(hint, messages[i][1]));
		assert_true(g_str_has_suffix(hint, "set `privileges: allow` for the build in firebreak.yml"));
	}
}

static void other_messages_are_no_reason(void **state)
{
	(void)state;
	assert_null(hint_for("work.c:3: error: expected ;"));
	assert_null(hint_for(""));
}

static void a_file_that_changes_the_group_is_told_apart(void **state)
{
	(void)state;
	g_autofree char *dir = g_dir_make_tmp("firebreak-privileges-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "program", NULL);
	assert_true(g_file_set_contents(path, "", 0, NULL));
	assert_int_equal(g_chmod(path, 0755), 0);
	assert_false(privileges_of_file(path));
	/* setgid to a group of one's own changes nothing; to another one only root can */
	assert_int_equal(g_chmod(path, 02755), 0);
	assert_false(privileges_of_file(path));
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 0, getegid() + 1), 0);
		assert_int_equal(g_chmod(path, 02755), 0);
		assert_true(privileges_of_file(path));
	}
	assert_false(privileges_of_file("/no/such/file"));
	durable_remove_tree(dir, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(known_messages_name_program_and_key),
	        cmocka_unit_test(other_messages_are_no_reason),
	        cmocka_unit_test(a_file_that_changes_the_group_is_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
