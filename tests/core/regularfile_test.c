/* SPDX-License-Identifier: Apache-2.0 */
#include "core/regularfile.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void only_regular_files_that_are_small_enough_are_opened(void **state)
{
	g_autofree char *folder = g_dir_make_tmp("regularfile-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(folder, "file", NULL), *fifo = g_build_filename(folder, "fifo", NULL);
	g_autofree char *link = g_build_filename(folder, "link", NULL);
	gint64 size = 0;
	(void)state;
	assert_true(g_file_set_contents(file, "12345", 5, NULL));
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("file", link), 0);
	int fd = regular_file_open(file, 0, 5, &size), linked = regular_file_open(link, 0, 5, &size);
	assert_true(fd >= 0 && linked >= 0);
	assert_int_equal(size, 5);
	close(fd);
	close(linked);
	assert_int_equal(regular_file_open(file, 0, 4, &size), -1);
	assert_int_equal(regular_file_open(link, O_NOFOLLOW, 5, &size), -1);
	assert_int_equal(regular_file_open(fifo, 0, 5, &size), -1);
	assert_int_equal(regular_file_open(folder, 0, G_MAXINT64, &size), -1);
	assert_int_equal(regular_file_open("/nowhere/at/all", 0, 5, &size), -1);
	g_unlink(file);
	g_unlink(fifo);
	g_unlink(link);
	g_rmdir(folder);
}

static void the_beginning_of_a_regular_file_is_read(void **state)
{
	g_autofree char *folder = g_dir_make_tmp("regularfile-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(folder, "file", NULL), *fifo = g_build_filename(folder, "fifo", NULL);
	(void)state;
	assert_true(g_file_set_contents(file, "12\00045", 5, NULL));
	assert_int_equal(mkfifo(fifo, 0600), 0);
	g_autoptr(GString) begin = regular_file_begin(file, 0, 4), all = regular_file_begin(file, 0, 100);
	assert_int_equal(begin->len, 4);
	assert_int_equal(all->len, 5);
	assert_memory_equal(all->str, "12\00045", 5);
	assert_null(regular_file_begin(folder, 0, 4));
	assert_null(regular_file_begin(fifo, 0, 4));
	assert_int_equal(errno, EINVAL);
	assert_null(regular_file_begin("/nowhere/at/all", 0, 5));
	assert_int_equal(errno, ENOENT);
	g_unlink(file);
	g_unlink(fifo);
	g_rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(only_regular_files_that_are_small_enough_are_opened),
	        cmocka_unit_test(the_beginning_of_a_regular_file_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
