/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the processes of a run, as /proc has them. */
#include "runner/processtree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static gboolean contains(const GArray *pids, pid_t pid)
{
	for (guint i = 0; i < pids->len; i++)
		if (g_array_index(pids, pid_t, i) == pid)
			return TRUE;
	return FALSE;
}

static void children_and_parents_are_known(void **state)
{
	(void)state;
	int hold[2];
	assert_int_equal(pipe(hold), 0);
	pid_t child = fork();
	if (child == 0) {
		char byte;
		close(hold[1]);
		_exit((int)read(hold[0], &byte, 1));
	}
	g_autoptr(GArray) pids = process_tree(getpid(), 512), one = process_tree(getpid(), 1);
	assert_int_equal(g_array_index(pids, pid_t, 0), getpid());
	assert_true(contains(pids, child));
	assert_int_equal(one->len, 1);
	assert_int_equal(process_parent(child), getpid());
	close(hold[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(process_parent(child), 0);
	close(hold[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(children_and_parents_are_known)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
