/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/processmaps.h"

#include <string.h>

#define KERNEL_PID (-1)
/* As many as the kernel gives a process by default; without a limit, a recording could make every insertion slow. */
#define MAX_MAPS 65530
/* Threads that have ended and are still known. */
#define MAX_ENDED 4096

typedef struct {
	guint64 start, end; /* [start, end) */
	guint64 file_offset;
	guint32 module;
} Map;

/* The maps of one process, or of several after a fork, until one of them changes its own. A GArray has no readable
 * reference count, so the array and the number of its users go together. */
typedef struct {
	guint n_users;
	GArray *maps;  /* of Map, sorted, disjoint */
	guint last_at; /* the one found last */
} AddressSpace;

typedef struct {
	AddressSpace *space;
	gint n_threads;           /* that are known to live */
	gboolean has_executed;    /* a program */
	gboolean is_leader_ended; /* its first thread, usually the last to go */
} Process;

typedef struct {
	char *name;
	gboolean is_ended;
} Command;

typedef struct {
	gint32 pid, tid;
} Ended;

/* The process that was asked for last. */
typedef struct {
	gint32 pid;
	AddressSpace *space; /* NULL = none */
} LastProcess;

struct ProcessMaps {
	GHashTable *build_ids; /* path -> PerfDataBuildId of the header */
	GHashTable *processes; /* pid -> Process */
	GHashTable *commands;  /* tid -> Command */
	GQueue ended;          /* of Ended, oldest first */
	guint64 n_left_out;
	GPtrArray *modules;     /* of MapModule */
	GHashTable *module_ids; /* key of a module -> index + 1 */
	LastProcess *last;      /* apart, as looking something up changes only this */
};

static void space_unref(AddressSpace *space)
{
	if (--space->n_users > 0)
		return;
	g_array_unref(space->maps);
	g_free(space);
}

static AddressSpace *space_new(void)
{
	AddressSpace *space = g_new0(AddressSpace, 1);
	space->n_users = 1;
	space->maps = g_array_new(FALSE, FALSE, sizeof(Map));
	return space;
}

/* Takes the space over. */
static Process *process_new(AddressSpace *space)
{
	Process *process = g_new0(Process, 1);
	process->space = space;
	process->n_threads = 1;
	return process;
}

static void process_free(gpointer data)
{
	space_unref(((Process *)data)->space);
	g_free(data);
}

static void command_free(gpointer data)
{
	g_free(((Command *)data)->name);
	g_free(data);
}

static void module_free(gpointer data)
{
	g_free(((MapModule *)data)->path);
	g_free(data);
}

/* Indexes build-ids by path: of several for one path the first that is not empty. */
static GHashTable *index_build_ids(const GArray *build_ids)
{
	GHashTable *index = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; build_ids != NULL && i < build_ids->len; i++) {
		PerfDataBuildId *id = &g_array_index(build_ids, PerfDataBuildId, i);
		if (id->length > 0 && !g_hash_table_contains(index, id->path))
			g_hash_table_insert(index, id->path, id);
	}
	return index;
}

ProcessMaps *process_maps_new(const GArray *build_ids)
{
	ProcessMaps *maps = g_new0(ProcessMaps, 1);
	maps->build_ids = index_build_ids(build_ids);
	maps->last = g_new0(LastProcess, 1);
	maps->processes = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	maps->commands = g_hash_table_new_full(NULL, NULL, NULL, command_free);
	maps->modules = g_ptr_array_new_with_free_func(module_free);
	maps->module_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return maps;
}

void process_maps_free(ProcessMaps *maps)
{
	if (maps == NULL)
		return;
	g_hash_table_unref(maps->build_ids);
	g_hash_table_unref(maps->processes);
	g_hash_table_unref(maps->commands);
	g_queue_clear_full(&maps->ended, g_free);
	g_hash_table_unref(maps->module_ids);
	g_ptr_array_unref(maps->modules);
	g_free(maps->last);
	g_free(maps);
}

static Process *find_process(const ProcessMaps *maps, gint32 pid)
{
	return g_hash_table_lookup(maps->processes, GINT_TO_POINTER(pid));
}

/* A new one has no maps. */
static Process *process_of(ProcessMaps *maps, gint32 pid)
{
	Process *process = find_process(maps, pid);
	if (process != NULL)
		return process;
	process = process_new(space_new());
	g_hash_table_insert(maps->processes, GINT_TO_POINTER(pid), process);
	return process;
}

/* The address space of a process, to be changed: it belongs to this process alone. */
static AddressSpace *own_space(ProcessMaps *maps, gint32 pid)
{
	Process *process = process_of(maps, pid);
	if (process->space->n_users > 1) {
		AddressSpace *own = space_new();
		g_array_append_vals(own->maps, process->space->maps->data, process->space->maps->len);
		space_unref(process->space);
		process->space = own;
	}
	return process->space;
}

static MapModuleKind kind_of_path(const char *path, gint32 pid)
{
	g_autofree char *base = g_path_get_basename(path);
	if (pid == KERNEL_PID)
		return MAP_MODULE_KERNEL;
	if (g_str_has_prefix(path, "[vdso]") || g_str_has_prefix(path, "[vsyscall]"))
		return MAP_MODULE_VDSO;
	if (g_str_has_prefix(base, "jitted-") && g_str_has_suffix(base, ".so"))
		return MAP_MODULE_JIT;
	/* Names that the kernel gives to memory without a file: `//anon`, `/dev/zero` for shared memory, `/SYSV...` for
	 * that of System V, and `[heap]`, `[stack]`; perf knows the same (is_anon_memory() in tools/perf/util/map.h).
	 */
	if (path[0] != '/' || path[1] == '/' || g_str_has_prefix(path, "/memfd:") ||
	        g_str_has_prefix(path, "/dev/zero") || g_str_has_prefix(path, "/SYSV") ||
	        g_str_has_prefix(path, "/anon_hugepage"))
		return MAP_MODULE_ANON;
	return MAP_MODULE_FILE;
}

static void set_build_id(const ProcessMaps *maps, MapModule *module, const PerfDataMmap *mmap)
{
	const PerfDataBuildId *known = g_hash_table_lookup(maps->build_ids, mmap->path);
	/* A build-id in the record was read when the file was mapped, that of the header when the recording ended. */
	gboolean is_told = mmap->build_id_length > 0 || known == NULL;
	module->build_id_length = is_told ? mmap->build_id_length : known->length;
	memcpy(module->build_id, is_told ? mmap->build_id : known->bytes, sizeof module->build_id);
}

static guint intern_module(ProcessMaps *maps, const PerfDataMmap *mmap, gint32 pid)
{
	GString *key = g_string_new(NULL);
	for (guint i = 0; i < mmap->build_id_length; i++)
		g_string_append_printf(key, "%02x", mmap->build_id[i]);
	g_string_append_printf(key, "%c%s", pid == KERNEL_PID ? 'k' : 'u', mmap->path);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(maps->module_ids, key->str));
	if (known == 0) {
		MapModule *module = g_new0(MapModule, 1);
		module->path = g_strdup(mmap->path);
		module->kind = kind_of_path(mmap->path, pid);
		set_build_id(maps, module, mmap);
		g_ptr_array_add(maps->modules, module);
		known = maps->modules->len;
		g_hash_table_insert(maps->module_ids, g_strdup(key->str), GUINT_TO_POINTER(known));
	}
	g_string_free(key, TRUE);
	return known - 1;
}

/* Number of maps that start at or before the address. */
static guint count_started(const GArray *maps, guint64 address)
{
	guint low = 0, high = maps->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		if (g_array_index(maps, Map, middle).start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes room for [start, end): what overlaps is cut or goes. Returns where a map of that range belongs. */
static guint cut_range(GArray *maps, guint64 start, guint64 end)
{
	guint at = count_started(maps, start);
	if (at > 0 && g_array_index(maps, Map, at - 1).end > start) {
		Map rest = g_array_index(maps, Map, at - 1);
		g_array_index(maps, Map, at - 1).end = start;
		if (rest.end > end) {
			rest.file_offset += end - rest.start;
			rest.start = end;
			g_array_insert_val(maps, at, rest);
		}
		/* Nothing is left in front of a map that began at the same address. */
		if (g_array_index(maps, Map, at - 1).start == start)
			g_array_remove_index(maps, --at);
	}
	guint stop = at;
	while (stop < maps->len && g_array_index(maps, Map, stop).end <= end)
		stop++;
	g_array_remove_range(maps, at, stop - at);
	if (at < maps->len && g_array_index(maps, Map, at).start < end) {
		Map *last = &g_array_index(maps, Map, at);
		last->file_offset += end - last->start;
		last->start = end;
	}
	return at;
}

/* The kernel's own map has the address of a symbol where others have an offset in their file. Its offsets are addresses
 * here, since it is from these that its symbols are known. */
static gboolean is_kernel_image(gint32 pid, const char *path)
{
	return pid == KERNEL_PID && g_str_has_prefix(path, "[kernel.kallsyms]");
}

static void apply_mmap(ProcessMaps *maps, gint32 pid, const PerfDataMmap *mmap)
{
	Map map = {.start = mmap->start, .file_offset = mmap->page_offset};
	map.end = mmap->length > G_MAXUINT64 - mmap->start ? G_MAXUINT64 : mmap->start + mmap->length;
	if (map.end == map.start)
		return;
	AddressSpace *space = own_space(maps, pid);
	guint at = cut_range(space->maps, map.start, map.end);
	/* Cutting out of the middle makes one map more. */
	if (space->maps->len > MAX_MAPS) /* one was cut in two */
		g_array_remove_index(space->maps, at);
	/* A map of data takes the place of code that lay there, but no address of code is in it. */
	if (mmap->is_data)
		return;
	if (space->maps->len >= MAX_MAPS) {
		maps->n_left_out++;
		return;
	}
	if (is_kernel_image(pid, mmap->path))
		map.file_offset = map.start;
	map.module = intern_module(maps, mmap, pid);
	g_array_insert_val(space->maps, at, map);
}

static void set_command(ProcessMaps *maps, gint32 tid, const char *name)
{
	Command *command = g_new0(Command, 1);
	command->name = g_strdup(name);
	g_hash_table_insert(maps->commands, GINT_TO_POINTER(tid), command);
}

/* A process that perf makes up starts empty: its own maps follow. */
static Process *forked_process(ProcessMaps *maps, const PerfDataRecord *record)
{
	if (record->fork.is_made_up)
		return process_new(space_new());
	const Process *parent = process_of(maps, record->fork.parent_pid);
	parent->space->n_users++;
	Process *process = process_new(parent->space);
	process->has_executed = parent->has_executed;
	return process;
}

/* A new thread shares the maps of its process: only the name is new. */
static void apply_fork(ProcessMaps *maps, const PerfDataRecord *record)
{
	const char *command = process_maps_command(maps, record->fork.parent_pid, record->fork.parent_tid);
	if (command != NULL)
		set_command(maps, record->tid, command);
	else
		g_hash_table_remove(maps->commands, GINT_TO_POINTER(record->tid));
	if (record->pid != record->fork.parent_pid)
		g_hash_table_insert(maps->processes, GINT_TO_POINTER(record->pid), forked_process(maps, record));
	else
		process_of(maps, record->pid)->n_threads++;
}

static void apply_comm(ProcessMaps *maps, const PerfDataRecord *record)
{
	set_command(maps, record->tid, record->comm.name);
	if (!record->comm.is_exec)
		return;
	/* exec replaces the whole memory and leaves one thread. */
	Process *process = process_new(space_new());
	process->has_executed = TRUE;
	g_hash_table_insert(maps->processes, GINT_TO_POINTER(record->pid), process);
}

/* Forgets what is still as it was when the thread ended: its number may be another's by now. The name of a process
 * stands for those of threads that have none. */
static void forget(ProcessMaps *maps, const Ended *ended)
{
	const Process *process = find_process(maps, ended->pid);
	gboolean is_over = process == NULL || (process->is_leader_ended && process->n_threads <= 0);
	const Command *command = g_hash_table_lookup(maps->commands, GINT_TO_POINTER(ended->tid));
	if (command != NULL && command->is_ended && (is_over || ended->tid != ended->pid))
		g_hash_table_remove(maps->commands, GINT_TO_POINTER(ended->tid));
	if (is_over)
		g_hash_table_remove(maps->processes, GINT_TO_POINTER(ended->pid));
}

static void apply_exit(ProcessMaps *maps, const PerfDataRecord *record)
{
	const Ended ended = {record->pid, record->tid};
	Command *command = g_hash_table_lookup(maps->commands, GINT_TO_POINTER(ended.tid));
	if (command != NULL)
		command->is_ended = TRUE;
	Process *process = find_process(maps, ended.pid);
	if (process != NULL) {
		process->n_threads--;
		process->is_leader_ended |= ended.tid == ended.pid;
	}
	g_queue_push_tail(&maps->ended, g_memdup2(&ended, sizeof ended));
	if (maps->ended.length <= MAX_ENDED)
		return;
	g_autofree Ended *oldest = g_queue_pop_head(&maps->ended);
	forget(maps, oldest);
}

static gboolean is_guest(PerfDataCpuMode mode)
{
	return mode == PERF_DATA_CPU_GUEST_KERNEL || mode == PERF_DATA_CPU_GUEST_USER;
}

void process_maps_apply(ProcessMaps *maps, const PerfDataRecord *record)
{
	if (record->kind == PERF_DATA_SAMPLE || is_guest(record->cpu_mode))
		return;
	/* Any of these may give the process another address space. */
	maps->last->space = NULL;
	if (record->kind == PERF_DATA_MMAP)
		apply_mmap(maps, record->pid, &record->mmap);
	else if (record->kind == PERF_DATA_FORK)
		apply_fork(maps, record);
	else if (record->kind == PERF_DATA_COMM)
		apply_comm(maps, record);
	else if (record->kind == PERF_DATA_EXIT)
		apply_exit(maps, record);
}

/* The last map that starts at or before the address, or NULL. */
static const Map *map_before(AddressSpace *space, guint64 address)
{
	const Map *maps = (const Map *)(gpointer)space->maps->data;
	guint n_maps = space->maps->len, at = space->last_at;
	if (at < n_maps && maps[at].start <= address && address < maps[at].end)
		return &maps[at];
	guint started = count_started(space->maps, address);
	if (started == 0)
		return NULL;
	space->last_at = started - 1;
	return &maps[started - 1];
}

gboolean process_maps_find(const ProcessMaps *maps, gint32 pid, guint64 address, guint *module, guint64 *offset)
{
	LastProcess *last = maps->last;
	if (last->space == NULL || last->pid != pid) {
		const Process *process = find_process(maps, pid);
		*last = (LastProcess){pid, process != NULL ? process->space : NULL};
	}
	const Map *map = last->space != NULL ? map_before(last->space, address) : NULL;
	if (map == NULL || address >= map->end)
		return FALSE;
	*module = map->module;
	*offset = address - map->start + map->file_offset;
	return TRUE;
}

const char *process_maps_command(const ProcessMaps *maps, gint32 pid, gint32 tid)
{
	const Command *command = g_hash_table_lookup(maps->commands, GINT_TO_POINTER(tid));
	if (command == NULL)
		command = g_hash_table_lookup(maps->commands, GINT_TO_POINTER(pid));
	return command != NULL ? command->name : NULL;
}

gboolean process_maps_has_executed(const ProcessMaps *maps, gint32 pid)
{
	const Process *process = find_process(maps, pid);
	return process != NULL && process->has_executed;
}

guint64 process_maps_n_left_out(const ProcessMaps *maps)
{
	return maps->n_left_out;
}

guint process_maps_n_modules(const ProcessMaps *maps)
{
	return maps->modules->len;
}

const MapModule *process_maps_module(const ProcessMaps *maps, guint module)
{
	g_assert(module < maps->modules->len);
	return maps->modules->pdata[module];
}
