/* SPDX-License-Identifier: Apache-2.0 */
#include "core/writeall.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MORE_THAN_A_PIPE_HOLDS (1 << 20)

static gpointer read_to_the_end(gpointer fd)
{
	static char piece[4096];
	gsize total = 0;
	for (ssize_t n; (n = read(GPOINTER_TO_INT(fd), piece, sizeof piece)) > 0;)
		total += (gsize)n;
	return GSIZE_TO_POINTER(total);
}

static void what_takes_several_writes_arrives_whole(void **state)
{
	(void)state;
	g_autofree char *data = g_malloc0(MORE_THAN_A_PIPE_HOLDS);
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	GThread *reader = g_thread_new("reader", read_to_the_end, GINT_TO_POINTER(ends[0]));
	assert_true(write_all(ends[1], data, MORE_THAN_A_PIPE_HOLDS));
	close(ends[1]);
	assert_int_equal(GPOINTER_TO_SIZE(g_thread_join(reader)), MORE_THAN_A_PIPE_HOLDS);
	close(ends[0]);
}

static void a_failure_leaves_its_errno(void **state)
{
	(void)state;
	assert_false(write_all(-1, "text", 4));
	assert_int_equal(errno, EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_takes_several_writes_arrives_whole),
	        cmocka_unit_test(a_failure_leaves_its_errno),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
