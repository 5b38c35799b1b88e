/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treelinks.h"

#include "core/durable.h"
#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib/gstdio.h>

/* <dir>/cache/own/tree is the tree, <dir>/cache is forbidden, <dir>/cache/own is not. */
typedef struct {
	char *dir, *cache, *own, *tree;
} World;

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	g_autofree char *made = g_dir_make_tmp("firebreak-links-XXXXXX", NULL);
	world->dir = realpath(made, NULL);
	world->cache = g_build_filename(world->dir, "cache", NULL);
	world->own = g_build_filename(world->cache, "own", NULL);
	world->tree = g_build_filename(world->own, "tree", NULL);
	g_autofree char *deep = g_build_filename(world->tree, "a", "b", NULL);
	g_autofree char *other = g_build_filename(world->cache, "other", NULL);
	assert_int_equal(g_mkdir_with_parents(deep, 0755), 0);
	assert_int_equal(g_mkdir_with_parents(other, 0755), 0);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	durable_remove_tree(world->dir, NULL);
	free(world->dir);
	g_free(world->cache);
	g_free(world->own);
	g_free(world->tree);
	g_free(world);
	return 0;
}

static void make_link(const World *world, const char *path, const char *target)
{
	g_autofree char *link = g_build_filename(world->tree, path, NULL);
	g_unlink(link);
	assert_int_equal(symlink(target, link), 0);
}

static gboolean is_fine(const World *world, GError **error)
{
	const char *const forbidden[] = {world->cache, NULL}, *const own[] = {world->own, NULL};
	const TreeLinksPlan plan = {.tree = world->tree, .forbidden = forbidden, .own = own};
	return tree_links_check(&plan, error);
}

static void links_that_stay_in_the_tree_or_lead_to_the_system_are_fine(void **state)
{
	static const char *const targets[] = {"b", "../a/b", "nowhere", "b/../../a", "./b/.", "/usr",
	        "/usr/bin/python3", "/nowhere/at/all", "/proc/mounts", "/dev/null", "link", NULL};
	const World *world = *state;
	for (gsize i = 0; targets[i] != NULL; i++) {
		g_autoptr(GError) error = NULL;
		make_link(world, "a/link", targets[i]);
		if (!is_fine(world, &error))
			fail_msg("%s: %s", targets[i], error->message);
	}
	make_link(world, "a/link", world->tree);
	assert_true(is_fine(world, NULL));
}

static void links_that_leave_the_tree_are_refused(void **state)
{
	static const char *const targets[] = {"../..", "../../x", "../../../other/lib", "b/../../../tree",
	        "/proc/self/cwd", "/proc/self/cwd/../other", "/proc/1/root/etc", "/dev/fd/3", "/usr/../proc/self/fd/0",
	        NULL};
	const World *world = *state;
	for (gsize i = 0; targets[i] != NULL; i++) {
		g_autoptr(GError) error = NULL;
		make_link(world, "a/link", targets[i]);
		if (is_fine(world, &error))
			fail_msg("%s is fine", targets[i]);
		assert_int_equal(error->code, FIREBREAK_ERROR_POLICY);
		assert_non_null(strstr(error->message, "a/link -> "));
	}
}

static void links_into_folders_of_firebreak_are_refused(void **state)
{
	const World *world = *state;
	g_autofree char *outside = g_build_filename(world->dir, "outside", NULL);
	g_autofree char *other = g_build_filename(world->cache, "other", NULL);
	g_autofree char *gone = g_build_filename(world->cache, "gone", "lib", NULL);
	g_autofree char *crooked = g_build_filename(world->tree, "..", "..", "other", NULL);
	const char *const targets[] = {other, gone, crooked, world->cache, outside, NULL};
	assert_int_equal(symlink(other, outside), 0);
	for (gsize i = 0; targets[i] != NULL; i++) {
		make_link(world, "a/link", targets[i]);
		if (is_fine(world, NULL))
			fail_msg("%s is fine", targets[i]);
	}
}

static gboolean is_known(gpointer data, const char *path, const char *target, GError **error)
{
	if (data != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "cannot be read");
	return g_str_equal(path, "a/link") && g_str_equal(target, "../../x");
}

static void a_link_that_is_known_with_this_target_may_stay(void **state)
{
	const World *world = *state;
	g_autoptr(GError) other = NULL, unread = NULL;
	TreeLinksPlan plan = {.tree = world->tree, .known = is_known};
	make_link(world, "a/link", "../../x");
	assert_true(tree_links_check(&plan, NULL));
	plan.known_data = (gpointer) "an error";
	assert_false(tree_links_check(&plan, &unread));
	assert_int_equal(unread->code, FIREBREAK_ERROR_STORAGE);
	plan.known_data = NULL;
	make_link(world, "a/link", "../../y");
	assert_false(tree_links_check(&plan, &other));
	assert_int_equal(other->code, FIREBREAK_ERROR_POLICY);
}

/* Each of the two looks harmless. */
static void a_link_over_another_link_is_followed(void **state)
{
	const World *world = *state;
	make_link(world, "a/b/up", "../..");
	assert_true(is_fine(world, NULL));
	make_link(world, "a/link", "b/up/../other");
	assert_false(is_fine(world, NULL));
	g_autofree char *system = g_build_filename(world->dir, NULL);
	make_link(world, "a/b/up", system);
	make_link(world, "a/link", "b/up/cache/other");
	assert_false(is_fine(world, NULL));
	make_link(world, "a/b/up", "/usr");
	make_link(world, "a/link", "b/up/bin");
	assert_true(is_fine(world, NULL));
}

static void a_working_folder_is_one_of_the_tree(void **state)
{
	const World *world = *state;
	g_autoptr(GError) left = NULL, missing = NULL;
	make_link(world, "inner", "a/b");
	make_link(world, "outer", "/usr");
	assert_true(tree_holds_folder(world->tree, ".", NULL));
	assert_true(tree_holds_folder(world->tree, "a/b", NULL));
	assert_true(tree_holds_folder(world->tree, "inner", NULL));
	assert_false(tree_holds_folder(world->tree, "outer", &left));
	assert_int_equal(left->code, FIREBREAK_ERROR_POLICY);
	assert_false(tree_holds_folder(world->tree, "gone", &missing));
	assert_int_equal(missing->code, FIREBREAK_ERROR_INVALID);
	assert_string_equal(missing->message, "the working folder gone is neither in the commit nor made by the build; "
	                                      "`cwd` is relative to the root of "
	                                      "the repository");
}

#define WITH_WORLD(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_WORLD(links_that_stay_in_the_tree_or_lead_to_the_system_are_fine),
	        WITH_WORLD(links_that_leave_the_tree_are_refused),
	        WITH_WORLD(links_into_folders_of_firebreak_are_refused),
	        WITH_WORLD(a_link_that_is_known_with_this_target_may_stay),
	        WITH_WORLD(a_link_over_another_link_is_followed),
	        WITH_WORLD(a_working_folder_is_one_of_the_tree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
