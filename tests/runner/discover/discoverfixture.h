/* SPDX-License-Identifier: Apache-2.0 */
/* A small project in a temporary folder, made of the files that a test names, and what finders say of it. */
#pragma once

#include "core/durable.h"
#include "runner/discover/discover.h"
#include "runner/discover/finders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib/gstdio.h>
#include <unistd.h>

static int set_up(void **state)
{
	g_autofree char *made = g_dir_make_tmp("firebreak-discover-XXXXXX", NULL);
	char *tree = realpath(made, NULL);
	g_auto(GStrv) environment = g_get_environ();
	*state = discover_place_at(tree, environment);
	free(tree);
	return 0;
}

static int tear_down(void **state)
{
	DiscoverPlace *place = *state;
	durable_remove_tree(place->tree, NULL);
	discover_place_free(place);
	return 0;
}

/* Writes a file of the project, with the folders above it. */
static inline void put(const DiscoverPlace *place, const char *path, const char *text)
{
	g_autofree char *file = discover_file(place, path), *folder = g_path_get_dirname(file);
	assert_int_equal(g_mkdir_with_parents(folder, 0755), 0);
	assert_true(g_file_set_contents(file, text, -1, NULL));
}

/* The source of a program that does nothing. */
static inline void put_program(const DiscoverPlace *place, const char *path)
{
	put(place, path, "int main(void) { return 0; }\n");
}

/* All that was found is built by that command. */
static inline void assert_built_by(const Discovery *found, const char *command)
{
	g_autofree char *build = discovery_build_command(found, NULL);
	assert_string_equal(build, command);
}

static inline const DiscoveredBuild *build_at(const Discovery *found, guint index)
{
	assert_true(index < found->builds->len);
	return g_ptr_array_index(found->builds, index);
}

/* The program of that name; fails if there is none. */
static inline const DiscoveredProgram *program_named(const Discovery *found, const char *name)
{
	for (guint i = 0; i < found->builds->len; i++)
		for (guint j = 0; j < build_at(found, i)->programs->len; j++) {
			const DiscoveredProgram *program = g_ptr_array_index(build_at(found, i)->programs, j);
			if (g_str_equal(program->name, name))
				return program;
		}
	fail_msg("no program %s", name);
	return NULL;
}

/* The number of programs in all builds. */
static inline guint programs(const Discovery *found)
{
	guint n = 0;
	for (guint i = 0; i < found->builds->len; i++)
		n += build_at(found, i)->programs->len;
	return n;
}

/* The first remark; "" if there is none. */
static inline const char *remark(const Discovery *found)
{
	return found->remarks->len > 0 ? g_ptr_array_index(found->remarks, 0) : "";
}

/* The first line about what was looked at in vain; "" if there is none. */
static inline const char *looked(const Discovery *found)
{
	return found->looked->len > 0 ? g_ptr_array_index(found->looked, 0) : "";
}

#define NEEDS(tool)                                                                                                    \
	do {                                                                                                           \
		g_autofree char *needed = g_find_program_in_path(tool);                                                \
		if (needed == NULL) {                                                                                  \
			print_message("skipped: " tool " is not installed\n");                                         \
			skip();                                                                                        \
		}                                                                                                      \
	} while (0)

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
