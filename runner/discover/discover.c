/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/discover.h"

#include "core/cancel.h"
#include "core/durable.h"
#include "runner/discover/finders.h"

#define MAX_FOLDERS 64

/* Ways to build the same sources: the first that knows a benchmark counts. */
static const Finder native[] = {find_cmake, find_meson, find_autotools, find_make, find_plain};
/* Each has sources of its own. */
static const Finder others[] = {find_cargo, find_go, find_zig};

/* Looking may leave a build in the tree, which the real one is not to find. */
static void remove_left(const DiscoverPlace *place, const Discovery *found)
{
	for (guint i = 0; i < found->builds->len; i++) {
		const DiscoveredBuild *build = g_ptr_array_index(found->builds, i);
		g_autofree char *path = build->left != NULL ? discover_file(place, build->left) : NULL;
		if (path != NULL)
			durable_remove_tree(path, NULL);
	}
}

static void move_remarks(Discovery *from, Discovery *to)
{
	for (guint i = 0; i < from->remarks->len; i++)
		discovery_remark(to, "%s", (const char *)g_ptr_array_index(from->remarks, i));
	for (guint i = 0; i < from->looked->len; i++)
		discovery_looked(to, "%s", (const char *)g_ptr_array_index(from->looked, i));
}

/* YAML, which the proposal is written in, holds no other texts. */
static gboolean can_be_written(const DiscoveredProgram *program)
{
	return g_utf8_validate(program->program, -1, NULL) && g_utf8_validate(program->cwd, -1, NULL) &&
	       (program->build == NULL || g_utf8_validate(program->build, -1, NULL));
}

static void drop_unwritable(Discovery *found)
{
	for (guint i = 0; i < found->builds->len; i++) {
		DiscoveredBuild *build = g_ptr_array_index(found->builds, i);
		for (guint j = build->programs->len; j > 0; j--) {
			const DiscoveredProgram *program = g_ptr_array_index(build->programs, j - 1);
			if (can_be_written(program))
				continue;
			g_autofree char *shown = g_utf8_make_valid(program->program, -1);
			discovery_remark(found,
			        "%s is left out: its path is not UTF-8, and firebreak.yml can hold no other", shown);
			g_ptr_array_remove_index(build->programs, j - 1);
		}
	}
}

/* Moves the builds that have programs to `to`, and the others to `empty`. Returns TRUE if one has. */
static gboolean sort_builds(Discovery *from, Discovery *to, GPtrArray *empty)
{
	gboolean any = FALSE;
	while (from->builds->len > 0) {
		DiscoveredBuild *build = g_ptr_array_steal_index(from->builds, 0);
		any |= build->programs->len > 0;
		g_ptr_array_add(build->programs->len > 0 ? to->builds : empty, build);
	}
	return any;
}

static gboolean try_finder(
        Finder finder, const DiscoverPlace *place, const char *folder, Discovery *to, GPtrArray *empty)
{
	g_autoptr(Discovery) found = discovery_new();
	finder(place, folder, found);
	remove_left(place, found);
	drop_unwritable(found);
	move_remarks(found, to);
	return sort_builds(found, to, empty);
}

static void look_at(const DiscoverPlace *place, const char *folder, Discovery *to, GPtrArray *empty)
{
	gboolean found = FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(native) && !found && cancel_signal() == 0; i++)
		found = try_finder(native[i], place, folder, to, empty);
	for (gsize i = 0; i < G_N_ELEMENTS(others) && cancel_signal() == 0; i++)
		found |= try_finder(others[i], place, folder, to, empty);
	if (!found)
		try_finder(find_bazel, place, folder, to, empty);
}

static void look_below(const DiscoverPlace *place, GPtrArray *folders, Discovery *to, GPtrArray *empty)
{
	if (folders->len > MAX_FOLDERS)
		discovery_remark(
		        to, "only the first %d of %u folders were looked at for projects", MAX_FOLDERS, folders->len);
	for (guint i = 0; i < MIN(folders->len, MAX_FOLDERS); i++)
		look_at(place, g_ptr_array_index(folders, i), to, empty);
}

Discovery *discover(const DiscoverPlace *place, GError **error)
{
	g_autoptr(Discovery) to = discovery_new();
	g_autoptr(GPtrArray) empty = g_ptr_array_new_with_free_func((GDestroyNotify)discovered_build_free);
	g_autoptr(GPtrArray) folders = discover_folders(place);
	look_at(place, ".", to, empty);
	if (to->builds->len == 0)
		look_below(place, folders, to, empty);
	if (to->builds->len == 0 && empty->len == 0 && to->remarks->len == 0)
		discovery_looked(to,
		        "the root and %u folder%s in it: there is no CMakeLists.txt, meson.build, configure.ac, "
		        "configure, "
		        "Makefile, Cargo.toml, go.mod or build.zig, and no folder with sources is named like a "
		        "benchmark "
		        "(bench, perf, speed)",
		        folders->len, folders->len == 1 ? "" : "s");
	while (to->builds->len == 0 && empty->len > 0)
		g_ptr_array_add(to->builds, g_ptr_array_steal_index(empty, 0));
	return cancel_check(error) ? g_steal_pointer(&to) : NULL;
}
