/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/modulefile.h"

#include "profile/objects/buildidnote.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DELETED " (deleted)"
#define CHANGED " (changed since it was recorded, and has no build-id)"
#define FOREIGN " (recorded on another machine, and without a build-id)"
#define UNFIT " (not the file that was mapped, by its size, and recorded without a build-id)"
/* SECOND is in nanoseconds. */
#define SECOND G_GINT64_CONSTANT(1000000000)

gboolean module_file_is_deleted(const char *path)
{
	return g_str_has_suffix(path, DELETED);
}

gboolean module_file_is_refused(const char *path)
{
	return g_str_has_suffix(path, CHANGED) || g_str_has_suffix(path, FOREIGN) || g_str_has_suffix(path, UNFIT);
}

char *module_file_recorded_path(const char *path)
{
	gsize length = strlen(path);
	return g_strndup(path, module_file_is_deleted(path) ? length - strlen(DELETED) : length);
}

static gboolean has_build_id(const char *path, const PerfDataMmap *map)
{
	guint8 build_id[BUILD_ID_MAX_BYTES];
	guint length = build_id_of_file(path, build_id);
	return length == map->build_id_length && memcmp(build_id, map->build_id, length) == 0;
}

/* With no build-id recorded, the file that is there will do, unless it is known to be another one. */
static gboolean fits(const char *path, const PerfDataMmap *map)
{
	if (map->build_id_length > 0)
		return has_build_id(path, map);
	/* The kernel marks a path whose file was gone when it was mapped: what is there now is another file. */
	return !module_file_is_deleted(map->path) && access(path, R_OK) == 0;
}

static gint64 nanoseconds(const struct timespec *time)
{
	return time->tv_sec * SECOND + time->tv_nsec;
}

static gboolean is_on_device(const struct stat *status, const PerfDataMmap *map)
{
	return map->has_inode && map->inode != 0 && major(status->st_dev) == map->device_major &&
	       minor(status->st_dev) == map->device_minor;
}

/* Changed, or replaced by another file, whatever date that one has. Some file systems tell numbers of inodes that
 * processes do not see, so that another number alone shows nothing. */
static gboolean is_changed(const struct stat *status, const ModuleFileQuery *query)
{
	if (query->recorded_ns == 0)
		return FALSE;
	return nanoseconds(&status->st_mtim) > query->recorded_ns ||
	       (is_on_device(status, query->map) && status->st_ino != query->map->inode &&
	               nanoseconds(&status->st_ctim) > query->recorded_ns);
}

/* Tells why the file at `path` may be another one than the recorded, which has no build-id; NULL if it is that one. */
static const char *reason_to_refuse(const char *path, const ModuleFileQuery *query)
{
	struct stat status;
	const PerfDataMmap *map = query->map;
	if (map->build_id_length > 0 || stat(path, &status) != 0)
		return NULL;
	if (query->place != ORIGIN_HERE &&
	        (query->place == ORIGIN_OTHER || !is_on_device(&status, map) || status.st_ino != map->inode))
		return FOREIGN;
	if (is_changed(&status, query))
		return CHANGED;
	return object_fits_map(path, map->page_offset, map->length) ? NULL : UNFIT;
}

/* The build-id decides each time: the process may be another one with the same number by now. */
static char *find_in_process(const ModuleFileQuery *query, const char *path)
{
	const PerfDataMmap *map = query->map;
	g_autofree char *in_root = g_strdup_printf("/proc/%d/root%s", query->pid, path);
	if (has_build_id(in_root, map))
		return g_steal_pointer(&in_root);
	g_autofree char *mapped = g_strdup_printf("/proc/%d/map_files/%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x",
	        query->pid, map->start, map->start + map->length);
	if (has_build_id(mapped, map))
		return g_steal_pointer(&mapped);
	g_autofree char *program = g_strdup_printf("/proc/%d/exe", query->pid);
	return has_build_id(program, map) ? g_steal_pointer(&program) : NULL;
}

char *module_file_find(const ModuleFileQuery *query)
{
	const PerfDataMmap *map = query->map;
	g_autofree char *path = module_file_recorded_path(map->path);
	g_autofree char *below = query->symfs != NULL ? g_build_filename(query->symfs, path, NULL) : NULL;
	if (below != NULL && fits(below, map))
		return g_steal_pointer(&below);
	if (fits(path, map)) {
		const char *reason = reason_to_refuse(path, query);
		return reason != NULL ? g_strconcat(path, reason, NULL) : g_steal_pointer(&path);
	}
	gboolean is_provable = query->pid > 0 && map->build_id_length > 0;
	char *found = is_provable ? find_in_process(query, path) : NULL;
	return found != NULL ? found : g_strdup(map->path);
}
