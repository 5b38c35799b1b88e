/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/debugfiles.h"

#include "core/regularfile.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE_BYTES (G_GINT64_CONSTANT(8) << 30)
#define DEBUG_ROOT "/usr/lib/debug"
enum { MIN_BUILD_ID = 2, MAX_BUILD_ID = 64 };

static void add(GPtrArray *paths, const char *first, const char *second, const char *third)
{
	g_ptr_array_add(paths, g_build_filename(first, second, third, NULL));
}

/* "ab/cdef01", or NULL for a build-id that is too short or long to be one. */
static char *build_id_place(const DebugSearch *search)
{
	if (search->build_id_length < MIN_BUILD_ID || search->build_id_length > MAX_BUILD_ID)
		return NULL;
	GString *place = g_string_new(NULL);
	for (guint i = 0; i < search->build_id_length; i++)
		g_string_append_printf(place, "%s%02x", i == 1 ? "/" : "", search->build_id[i]);
	return g_string_free(place, FALSE);
}

/* Appends <tree>/.build-id/ab/cdef<suffix> for all trees, and <perf's>/.build-id/ab/cdef/<perf_name>. */
static void add_build_id(GPtrArray *paths, const DebugSearch *search, const char *suffix, const char *perf_name)
{
	g_autofree char *place = build_id_place(search);
	if (place == NULL)
		return;
	g_autofree char *name = g_strconcat(place, suffix, NULL);
	if (search->symfs != NULL) {
		g_autofree char *root = g_build_filename(search->symfs, DEBUG_ROOT, NULL);
		add(paths, root, ".build-id", name);
		add(paths, search->symfs, ".build-id", name);
	}
	add(paths, DEBUG_ROOT, ".build-id", name);
	const char *home = g_getenv("HOME");
	if (home == NULL)
		return;
	g_autofree char *cache = g_build_filename(home, ".debug", ".build-id", place, NULL);
	add(paths, cache, perf_name, NULL);
}

GPtrArray *debug_files_object(const DebugSearch *search)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	if (search->symfs != NULL)
		add(paths, search->symfs, search->path, NULL);
	add(paths, search->path, NULL, NULL);
	add_build_id(paths, search, "", "elf");
	return paths;
}

GPtrArray *debug_files_debug(const DebugSearch *search, const char *found_path, const char *link)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	add_build_id(paths, search, ".debug", "debug");
	if (link == NULL)
		return paths;
	g_autofree char *name = g_path_get_basename(link);
	g_autofree char *recorded_folder = g_path_get_dirname(search->path);
	g_autofree char *folder = g_path_get_dirname(found_path);
	if (search->symfs != NULL) {
		g_autofree char *root = g_build_filename(search->symfs, DEBUG_ROOT, NULL);
		add(paths, root, recorded_folder, name);
	}
	add(paths, folder, name, NULL);
	add(paths, folder, ".debug", name);
	add(paths, DEBUG_ROOT, recorded_folder, name);
	return paths;
}

GPtrArray *debug_files_shared(const DebugSearch *shared, const char *debug_path, const char *name)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	if (g_path_is_absolute(name)) {
		if (shared->symfs != NULL)
			add(paths, shared->symfs, name, NULL);
		add(paths, name, NULL, NULL);
	} else {
		g_autofree char *real = realpath(debug_path, NULL);
		g_autofree char *folder = g_path_get_dirname(real != NULL ? real : debug_path);
		add(paths, folder, name, NULL);
	}
	add_build_id(paths, shared, ".debug", "debug");
	return paths;
}

int debug_file_open(const char *path)
{
	gint64 size = 0;
	return regular_file_open(path, 0, MAX_FILE_BYTES, &size);
}

static gboolean has_build_id(int fd, const guint8 *build_id, guint length)
{
	const void *own = NULL;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	gssize own_length = elf != NULL ? dwelf_elf_gnu_build_id(elf, &own) : 0;
	gboolean same = own_length > 0 && (gsize)own_length == length && memcmp(own, build_id, length) == 0;
	elf_end(elf);
	return same;
}

int debug_file_open_build(const char *path, const guint8 *build_id, guint build_id_length)
{
	int fd = debug_file_open(path);
	if (fd < 0 || has_build_id(fd, build_id, build_id_length))
		return fd;
	close(fd);
	return -1;
}
