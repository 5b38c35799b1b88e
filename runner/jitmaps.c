#include "runner/jitmaps.h"

#include "profile/ownedfile.h"
#include "profile/perfmap.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PROCESSES (1u << 20)
#define MAX_CONTAINED 256
#define MAX_MAP_BYTES ((gsize)64 << 20)

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

/* Whether a process has the same namespace of this kind as this one; what cannot be told counts as the same. */
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
	g_array_append_val(maps->contained, process);
}

static void add_contained(const Contained *process, GByteArray *feature)
{
	g_autofree char *root = g_strdup_printf("/proc/self/fd/%d", process->root);
	g_autofree char *path = g_strdup_printf("/tmp/perf-%d.map", process->inner_pid);
	g_autoptr(GBytes) text = owned_file_read(root, path, process->pid, MAX_MAP_BYTES);
	if (text != NULL)
		perf_maps_append(feature, process->pid, text);
}

/* Those that lie in this process's /tmp. */
static void add_own(const JitMaps *maps, GByteArray *feature)
{
	g_autoptr(GDir) folder = g_dir_open("/tmp", 0, NULL);
	for (const char *name; folder != NULL && (name = g_dir_read_name(folder)) != NULL;) {
		if (!g_str_has_prefix(name, "perf-") || !g_str_has_suffix(name, ".map"))
			continue;
		gint64 pid = g_ascii_strtoll(name + strlen("perf-"), NULL, 10);
		if (pid <= 0 || pid > G_MAXINT32 || !g_hash_table_contains(maps->processes, GINT_TO_POINTER(pid)))
			continue;
		g_autoptr(GBytes) text = perf_map_read((gint32)pid, "/");
		if (text != NULL)
			perf_maps_append(feature, (gint32)pid, text);
	}
}

/* A later text of the same process counts: one from a container is more likely its own. */
GByteArray *jit_maps_collect(const JitMaps *maps)
{
	GByteArray *feature = g_byte_array_new();
	add_own(maps, feature);
	for (guint i = 0; i < maps->contained->len; i++)
		add_contained(&g_array_index(maps->contained, Contained, i), feature);
	return feature;
}
