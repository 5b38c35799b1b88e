/* SPDX-License-Identifier: Apache-2.0 */
/* Linked into unit tests that an emulator runs, in place of cmocka's start of a group: cases that skipped.txt names are
 * skipped there, for the reason that it says. */
#include <errno.h>
#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int __real__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t n, CMFixtureFunction setup,
        CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t n, CMFixtureFunction setup,
        CMFixtureFunction teardown);

static void skip_it(void **state)
{
	print_message("skipped: %s\n", (const char *)*state);
	skip();
}

/* The reason in the line `folder/program/case reason`; NULL if the list does not name the case. Owned by nobody: the
 * process ends soon. */
static char *reason_to_skip(char *const *list, const char *test)
{
	g_autofree char *wanted = g_strdup_printf("/%s/%s ", program_invocation_short_name, test);
	for (char *const *line = list; *line != NULL; line++) {
		const char *found = **line != '#' ? strstr(*line, wanted) : NULL;
		if (found != NULL)
			return g_strchug(g_strdup(found + strlen(wanted)));
	}
	return NULL;
}

int __wrap__cmocka_run_group_tests(
        const char *name, const struct CMUnitTest *tests, size_t n, CMFixtureFunction setup, CMFixtureFunction teardown)
{
	g_autofree char *text = NULL;
	g_autofree struct CMUnitTest *chosen = g_memdup2(tests, n * sizeof *tests);
	if (!g_file_get_contents(SOURCE_DIR "/tests/aarch64/skipped.txt", &text, NULL, NULL))
		return 1;
	g_auto(GStrv) list = g_strsplit(text, "\n", -1);
	for (size_t i = 0; i < n; i++) {
		char *reason = reason_to_skip(list, tests[i].name);
		if (reason != NULL)
			chosen[i] = (struct CMUnitTest){tests[i].name, skip_it, NULL, NULL, reason};
	}
	return __real__cmocka_run_group_tests(name, chosen, n, setup, teardown);
}
