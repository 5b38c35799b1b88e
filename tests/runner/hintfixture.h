/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of files in a temporary folder, for tests of hints. */
#pragma once

#include "core/durable.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ELF "\177ELF\2\1\1"

static int make_tree(void **state)
{
	*state = g_dir_make_tmp("hint-XXXXXX", NULL);
	return *state != NULL ? 0 : -1;
}

static int remove_tree(void **state)
{
	gboolean removed = durable_remove_tree(*state, NULL);
	g_free(*state);
	return removed ? 0 : -1;
}

static void put(const char *tree, const char *path, const char *text, int mode)
{
	g_autofree char *whole = g_build_filename(tree, path, NULL), *folder = g_path_get_dirname(whole);
	assert_int_equal(g_mkdir_with_parents(folder, 0755), 0);
	assert_true(g_file_set_contents(whole, text, -1, NULL));
	assert_int_equal(g_chmod(whole, mode), 0);
}

static inline void assert_has(const char *text, const char *part)
{
	if (text == NULL || strstr(text, part) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", part, text != NULL ? text : "(nothing)");
}
