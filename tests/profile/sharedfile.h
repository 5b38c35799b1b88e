/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings and programs with known answers that lie beside the repository, in $FIREBREAK_SHARED or ../shared. A test
 * that needs one is skipped where it is absent. */
#pragma once

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* "fixtures/google-pprof/go.crc32.cpu" -> its path; owned by the caller, whether it is there or not. */
static inline char *shared_path(const char *name)
{
	const char *shared = getenv("FIREBREAK_SHARED");
	return g_build_filename(shared != NULL ? shared : SOURCE_DIR "/../shared", name, NULL);
}

/* The same of a file that is there, its name given by a format below the fixtures; else skips the test. skip() does not
 * return, so the caller must not own anything yet that nobody else frees. */
static inline char *shared_fixture(const char *format, ...) G_GNUC_PRINTF(1, 2);
static inline char *shared_fixture(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *name = g_strdup_vprintf(format, args), *below = g_strconcat("fixtures/", name, NULL);
	char *path = shared_path(below);
	va_end(args);
	g_free(name);
	g_free(below);
	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		print_message("skipped: no %s\n", path);
		g_free(path);
		skip();
	}
	return path;
}

/* The text of such a file. */
static inline char *shared_text(const char *folder, const char *name)
{
	char *path = shared_fixture("%s%s", folder, name), *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_free(path);
	return text;
}
