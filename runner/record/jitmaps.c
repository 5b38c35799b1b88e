/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/jitmaps.h"

#include "profile/perfdata/ownedfile.h"
#include "profile/perfdata/perfmap.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PROCESSES (1u << 20)
#define MAX_CONTAINED 256
/* File systems have a coarser clock. */
#define CLOCK_SLACK_SECONDS 1

/* A process that has other files or another number than it has here. Its file systems are there as long as somebody
 * holds their namespace. */
typedef struct {
	gint32 pid, inner_pid;
	int root; /* O_PATH */
	int namespace;
} Contained;

struct JitMaps {
	GHashTable *processes; /* set of pids */
	GArray *contained;     /* of Contained */
	gint64 begin_s;        /* since 1970 */
};

static void clear_contained(gpointer data)
{
	Contained *process = data;
	close(process->root);
	if (process->namespace >= 0)
		close(process->namespace);
}

JitMaps *jit_maps_new(void)
{
	JitMaps *maps = g_new0(JitMaps, 1);
	maps->begin_s = g_get_real_time() / G_USEC_PER_SEC;
	maps->processes = g_hash_table_new(NULL, NULL);
	maps->contained = g_array_new(FALSE, FALSE, sizeof(Contained));
	g_array_set_clear_func(maps->contained, clear_contained);
	return maps;
}

void jit_maps_free(JitMaps *maps)
{
	if (maps == NULL)
		return;
	g_hash_table_unref(maps->processes);
	g_array_unref(maps->contained);
	g_free(maps);
}

/* TRUE if a process has the same namespace of this kind as this one. If that cannot be told, it counts as the same. */
static gboolean shares_namespace(gint32 pid, const char *kind)
{
	struct stat own, theirs;
	g_autofree char *own_path = g_strdup_printf("/proc/self/ns/%s", kind);
	g_autofree char *path = g_strdup_printf("/proc/%d/ns/%s", pid, kind);
	return stat(own_path, &own) != 0 || stat(path, &theirs) != 0 || own.st_ino == theirs.st_ino;
}

/* The last number of the line "NStgid: 4711 1" of its status, 0 if there is none. */
static gint32 inner_pid(gint32 pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/status", pid);
	g_autofree char *status = NULL;
	if (!g_file_get_contents(path, &status, NULL, NULL))
		return 0;
	char *line = strstr(status, "\nNStgid:");
	if (line == NULL)
		return 0;
	line[1 + strcspn(line + 1, "\n")] = '\0';
	return (gint32)g_ascii_strtoll(strrchr(line, '\t') + 1, NULL, 10);
}

/* Takes the process; what was known of it before is of no use any more. */
static void add_contained(JitMaps *maps, const Contained *process)
{
	for (guint i = 0; i < maps->contained->len; i++)
		if (g_array_index(maps->contained, Contained, i).pid == process->pid) {
			g_array_remove_index(maps->contained, i);
			break;
		}
	g_array_append_vals(maps->contained, process, 1);
}

void jit_maps_note(JitMaps *maps, gint32 pid)
{
	if (pid <= 0 || g_hash_table_size(maps->processes) >= MAX_PROCESSES)
		return;
	g_hash_table_add(maps->processes, GINT_TO_POINTER(pid));
	if (maps->contained->len >= MAX_CONTAINED || (shares_namespace(pid, "mnt") && shares_namespace(pid, "pid")))
		return;
	g_autofree char *root = g_strdup_printf("/proc/%d/root", pid);
	g_autofree char *namespace = g_strdup_printf("/proc/%d/ns/mnt", pid);
	Contained process = {.pid = pid, .inner_pid = inner_pid(pid), .root = open(root, O_PATH | O_CLOEXEC)};
	if (process.root < 0)
		return;
	process.namespace = open(namespace, O_RDONLY | O_CLOEXEC);
	add_contained(maps, &process);
}

/* The data that are collected. */
typedef struct {
	GByteArray *feature;
	gint64 oldest_s;
	gboolean is_cut;
} Collection;

static void add_map(Collection *collection, const char *root, gint32 inner, gint32 pid)
{
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", inner);
	const OwnedFile file = {
	        .root = root,
	        .path = path,
	        .pid = pid,
	        .max_bytes = PERF_MAP_MAX_BYTES - MIN(collection->feature->len, PERF_MAP_MAX_BYTES),
	        .is_text = TRUE,
	        .oldest_s = collection->oldest_s,
	};
	g_autoptr(GBytes) text = owned_file_read(&file, &collection->is_cut);
	if (text != NULL && g_bytes_get_size(text) > 0)
		perf_maps_append(collection->feature, pid, text);
}

/* Those that lie in this process's /tmp. */
static void add_own(const JitMaps *maps, Collection *collection)
{
	g_autoptr(GDir) folder = g_dir_open("/tmp", 0, NULL);
	for (const char *name; folder != NULL && (name = g_dir_read_name(folder)) != NULL;) {
		if (!g_str_has_prefix(name, "perf-") || !g_str_has_suffix(name, ".map"))
			continue;
		gint64 pid = g_ascii_strtoll(name + strlen("perf-"), NULL, 10);
		if (pid > 0 && pid <= G_MAXINT32 && g_hash_table_contains(maps->processes, GINT_TO_POINTER(pid)))
			add_map(collection, "/", (gint32)pid, (gint32)pid);
	}
}

/* A later text of the same process counts: one from a container is more likely its own. */
GByteArray *jit_maps_collect(const JitMaps *maps, gboolean *is_cut)
{
	Collection collection = {
	        .feature = g_byte_array_new(),
	        .oldest_s = maps->begin_s - CLOCK_SLACK_SECONDS,
	};
	add_own(maps, &collection);
	for (guint i = 0; i < maps->contained->len; i++) {
		const Contained *process = &g_array_index(maps->contained, Contained, i);
		g_autofree char *root = g_strdup_printf("/proc/self/fd/%d", process->root);
		add_map(&collection, root, process->inner_pid, process->pid);
	}
	*is_cut |= collection.is_cut;
	return collection.feature;
}
