/* SPDX-License-Identifier: Apache-2.0 */
#include "core/cancel.h"
#include "core/error.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A signal that arrived cannot be taken back, so each case is a process of its own: it ends with 0, or with the number
 * of the line that found something else. */
#define EXPECT(condition)                                                                                              \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			_exit(__LINE__);                                                                               \
	} while (0)

static void run_alone(void (*body)(void))
{
	int status = 0;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		body();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) != 0)
		fail_msg("line %d", WEXITSTATUS(status));
}

static void nothing(void)
{
	g_autoptr(GError) error = NULL;
	cancel_install();
	EXPECT(cancel_signal() == 0);
	EXPECT(cancel_check(&error));
	EXPECT(error == NULL);
}

static void first_of_two(void)
{
	g_autoptr(GError) error = NULL;
	cancel_install();
	raise(SIGTERM);
	raise(SIGINT);
	EXPECT(cancel_signal() == SIGTERM);
	EXPECT(!cancel_check(&error));
	EXPECT(error->domain == FIREBREAK_ERROR);
	EXPECT(firebreak_error_exit_code(error) == 128 + SIGTERM);
	EXPECT(g_str_equal(error->message, "cancelled by SIGTERM"));
}

static void each_signal(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	for (gsize i = 0; i < G_N_ELEMENTS(signals); i++) {
		int status = 0;
		pid_t pid = fork();
		if (pid == 0) {
			cancel_install();
			raise(signals[i]);
			_exit(cancel_signal());
		}
		EXPECT(waitpid(pid, &status, 0) == pid);
		EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == signals[i]);
	}
}

static void ignored(void)
{
	struct sigaction now;
	signal(SIGHUP, SIG_IGN);
	cancel_install();
	raise(SIGHUP);
	EXPECT(cancel_signal() == 0);
	EXPECT(cancel_check(NULL));
	EXPECT(sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN);
}

static void interrupted(void)
{
	struct sigaction now;
	cancel_install();
	EXPECT(sigaction(SIGINT, NULL, &now) == 0);
	EXPECT((now.sa_flags & SA_RESTART) == 0);
}

static void dropped(void)
{
	cancel_install();
	raise(SIGINT);
	EXPECT(!cancel_check(NULL));
	EXPECT(!cancel_check(NULL));
}

static void without_a_signal_nothing_is_cancelled(void **state)
{
	(void)state;
	run_alone(nothing);
}

static void the_first_signal_is_the_reason_and_the_exit_code(void **state)
{
	(void)state;
	run_alone(first_of_two);
}

static void interrupt_terminate_and_hangup_cancel(void **state)
{
	(void)state;
	run_alone(each_signal);
}

/* nohup */
static void a_signal_that_is_ignored_stays_ignored(void **state)
{
	(void)state;
	run_alone(ignored);
}

static void a_signal_interrupts_waiting(void **state)
{
	(void)state;
	run_alone(interrupted);
}

static void a_cancellation_stays_until_the_end(void **state)
{
	(void)state;
	run_alone(dropped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(without_a_signal_nothing_is_cancelled),
	        cmocka_unit_test(the_first_signal_is_the_reason_and_the_exit_code),
	        cmocka_unit_test(interrupt_terminate_and_hangup_cancel),
	        cmocka_unit_test(a_signal_that_is_ignored_stays_ignored),
	        cmocka_unit_test(a_signal_interrupts_waiting),
	        cmocka_unit_test(a_cancellation_stays_until_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
