/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/openlocked.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

static void what_is_locked_cannot_be_locked_again(void **state)
{
	(void)state;
	g_autofree char *folder = g_dir_make_tmp("openlocked-XXXXXX", NULL);
	int first = open_locked(folder, O_RDONLY | O_DIRECTORY, LOCK_EX);
	assert_true(first >= 0);
	assert_int_equal(open_locked(folder, O_RDONLY | O_DIRECTORY, LOCK_EX | LOCK_NB), -1);
	assert_int_equal(errno, EWOULDBLOCK);
	close(first);
	int again = open_locked(folder, O_RDONLY | O_DIRECTORY, LOCK_EX | LOCK_NB);
	assert_true(again >= 0);
	close(again);
	g_rmdir(folder);
}

static void a_link_is_not_followed(void **state)
{
	(void)state;
	g_autofree char *folder = g_dir_make_tmp("openlocked-XXXXXX", NULL);
	g_autofree char *link = g_build_filename(folder, "link", NULL);
	assert_int_equal(symlink("/dev/null", link), 0);
	assert_int_equal(open_locked(link, O_RDONLY, LOCK_SH), -1);
	assert_int_equal(errno, ELOOP);
	g_unlink(link);
	g_rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_locked_cannot_be_locked_again),
	        cmocka_unit_test(a_link_is_not_followed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
