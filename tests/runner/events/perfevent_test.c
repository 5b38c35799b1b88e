/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/events/perfevent.h"

#include "core/error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_refusal_names_event_reason_and_remedy(void **state)
{
	static const struct {
		int errno_value;
		const char *said;
	} cases[] = {
	        {EACCES, "perf_event_open(cycles): Permission denied; needs CAP_PERFMON"},
	        {EPERM, "perf_event_paranoid"},
	        {ENOENT, "no such event"},
	        {EOPNOTSUPP, "cannot count or sample this event as asked"},
	        {EBUSY, "another tool holds the counters"},
	        {EMFILE, "raise `ulimit -n`"},
	        {ENOSPC, "record fewer events"},
	        {ENOSYS, "does not have perf events"},
	        {EINVAL, "does not know this combination"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		assert_false(perf_event_refused(&error, "cycles", cases[i].errno_value));
		assert_non_null(strstr(error->message, cases[i].said));
		assert_null(strchr(error->message, '\n'));
		assert_int_equal(error->code, FIREBREAK_ERROR_ENVIRONMENT);
	}
}

/* The name and the group say nothing of what is counted. */
static void events_are_the_same_if_they_count_the_same(void **state)
{
	const PerfEventSpec cycles = {.name = (char *)"cycles", .type = 0, .config = 0},
	                    alias = {.name = (char *)"cpu-cycles", .type = 0, .config = 0, .group = 1},
	                    user = {.name = (char *)"cycles:u", .exclude_kernel = TRUE},
	                    other = {.name = (char *)"cycles", .type = 0, .config = 1};
	(void)state;
	assert_true(perf_event_spec_equal(&cycles, &alias));
	assert_false(perf_event_spec_equal(&cycles, &user));
	assert_false(perf_event_spec_equal(&cycles, &other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_refusal_names_event_reason_and_remedy),
	        cmocka_unit_test(events_are_the_same_if_they_count_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
