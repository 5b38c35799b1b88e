/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a text with tests/golden/report/<name>. BLESS=1 in the environment rewrites the file; a missing one is
 * created and fails once. */
#pragma once

#include <cmocka.h>
#include <glib.h>

static inline void assert_golden(const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(SOURCE_DIR, "tests", "golden", "report", name, NULL);
	g_autofree char *wanted = NULL;
	gboolean exists = g_file_get_contents(path, &wanted, NULL, NULL);
	if (!exists || g_strcmp0(g_getenv("BLESS"), "1") == 0)
		assert_true(g_file_set_contents(path, text, -1, NULL));
	if (!exists)
		fail_msg("%s was missing and has been made; look at it and run again", path);
	if (g_strcmp0(g_getenv("BLESS"), "1") == 0)
		return;
	if (g_strcmp0(wanted, text) != 0) {
		g_autofree char *got = g_build_filename(BUILD_DIR, name, NULL);
		g_file_set_contents(got, text, -1, NULL);
		fail_msg("%s differs; what came out is in %s (BLESS=1 accepts it)", path, got);
	}
}
