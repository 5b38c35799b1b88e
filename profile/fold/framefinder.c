/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/framefinder.h"

#include "model/canonical.h"
#include "profile/fold/modulefile.h"
#include "profile/fold/namelessframes.h"
#include "profile/objects/vdso.h"
#include "profile/perfdata/generatedcode.h"

#include <string.h>

#define KERNEL_PID (-1)
#define KERNEL_MAP "[kernel.kallsyms]"
#define KERNEL_PADDING "__pfx_"
/* A path that nobody can open. */
#define FOREIGN_VDSO VDSO_PATH " (recorded on another machine, and without a build-id)"
#define CACHE_BITS 15

enum { NO_SPACE = 0, KERNEL_SPACE = 1, FIRST_SPACE = 2 };

/* An answer. */
typedef struct {
	guint64 address;
	guint32 space;
	RawFrame frame;
} CacheSlot;

/* The maps of a process; its number changes with them. */
typedef struct {
	guint32 id;
	guint64 code_state; /* of its generated code */
} Space;

struct FrameFinder {
	FoldState *state;
	FrameFinderSource source;
	RecordingOrigin origin;
	gboolean is_local; /* of this host since its last boot */
	ProcessMaps *maps;
	GeneratedCode *code;
	GArray *module_rows; /* of guint, row + 1 of the symbolizer's module by module of the maps; 0 = not asked yet */
	GHashTable *located; /* map_key() -> path of the file now */
	GHashTable *origins; /* that path -> path of the map, where they differ */
	GHashTable *spaces;  /* pid -> Space */
	guint32 n_spaces;
	gint32 pid; /* selected */
	guint32 space;
	char *kernel_reference; /* a symbol of the recorded kernel and its address; NULL = not told */
	guint64 kernel_reference_address;
	gboolean has_looked_for_kernel;
	const KernelSymbols *kernel_names; /* NULL: none, or not of this recording */
	RawFrame nowhere, anonymous, vdso, vsyscall, kernel;
	RawFrame outside[N_OUTSIDE];
	GHashTable *nameless; /* rows of frames that are called after their file */
	CacheSlot *cache;     /* 1 << CACHE_BITS of them */
};

static RawFrame known_frame(const FrameFinder *finder, const char *name, const char *module, FrameKind kind)
{
	return (RawFrame){.row = stack_table_frame_named(finder->state->table, name, module, kind).index};
}

static void make_known_frames(FrameFinder *finder)
{
	finder->nowhere = known_frame(finder, "[unknown]", NULL, FRAME_SYNTHETIC);
	finder->anonymous = known_frame(finder, "[unknown]", "[anon]", FRAME_SYNTHETIC);
	finder->vdso = known_frame(finder, "[vdso]", "[vdso]", FRAME_SYNTHETIC);
	finder->vsyscall = known_frame(finder, "[vsyscall]", "[vsyscall]", FRAME_SYNTHETIC);
	finder->kernel = known_frame(finder, "[kernel]", NULL, FRAME_KERNEL);
	finder->outside[OUTSIDE_GUEST] = known_frame(finder, "[guest]", NULL, FRAME_SYNTHETIC);
	finder->outside[OUTSIDE_GUEST_KERNEL] = known_frame(finder, "[guest_kernel]", NULL, FRAME_SYNTHETIC);
	finder->outside[OUTSIDE_HYPERVISOR] = known_frame(finder, "[hypervisor]", NULL, FRAME_SYNTHETIC);
}

FrameFinder *frame_finder_new(FoldState *state, const FrameFinderSource *source)
{
	const PerfDataSummary *summary = source->summary;
	FrameFinder *finder = g_new0(FrameFinder, 1);
	finder->state = state;
	finder->source = *source;
	finder->origin = recording_origin(source->path, summary);
	finder->is_local = recording_origin_is_local(&finder->origin);
	finder->maps = process_maps_new(summary->build_ids);
	finder->code = generated_code_new(summary, &finder->origin);
	finder->module_rows = g_array_new(FALSE, TRUE, sizeof(guint));
	finder->located = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	finder->origins = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	finder->spaces = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	finder->n_spaces = FIRST_SPACE;
	finder->nameless = g_hash_table_new(NULL, NULL);
	finder->cache = g_new0(CacheSlot, 1 << CACHE_BITS);
	make_known_frames(finder);
	return finder;
}

void frame_finder_free(FrameFinder *finder)
{
	if (finder == NULL)
		return;
	process_maps_free(finder->maps);
	generated_code_free(finder->code);
	g_array_unref(finder->module_rows);
	g_hash_table_unref(finder->located);
	g_hash_table_unref(finder->origins);
	g_hash_table_unref(finder->spaces);
	g_hash_table_unref(finder->nameless);
	g_free(finder->kernel_reference);
	g_free(finder->cache);
	g_free(finder);
}

const ProcessMaps *frame_finder_maps(const FrameFinder *finder)
{
	return finder->maps;
}

static Space *space_of(FrameFinder *finder, gint32 pid)
{
	Space *space = g_hash_table_lookup(finder->spaces, GINT_TO_POINTER(pid));
	if (space == NULL) {
		space = g_new0(Space, 1);
		space->id = finder->n_spaces++;
		g_hash_table_insert(finder->spaces, GINT_TO_POINTER(pid), space);
	}
	return space;
}

/* Forgets what was remembered of a process, as after it executed another program. */
static void forget(FrameFinder *finder, gint32 pid)
{
	Space *space = space_of(finder, pid);
	space->id = finder->n_spaces++;
}

static gboolean is_file_path(const char *path)
{
	static const char *const others[] = {"//", "/memfd:", "/dev/", "/SYSV", "/anon_hugepage"};
	for (guint i = 0; i < G_N_ELEMENTS(others); i++)
		if (g_str_has_prefix(path, others[i]))
			return FALSE;
	return path[0] == '/';
}

/* The key that decides which file a map is of: its build-id, or else whatever tells of the file's content. */
static char *map_key(const PerfDataMmap *map)
{
	GString *key = g_string_new(NULL);
	for (guint i = 0; i < map->build_id_length; i++)
		g_string_append_printf(key, "%02x", map->build_id[i]);
	if (map->build_id_length == 0)
		g_string_append_printf(key,
		        "%x,%x,%" G_GINT64_MODIFIER "x,%" G_GINT64_MODIFIER "x,%" G_GINT64_MODIFIER "x",
		        map->device_major, map->device_minor, map->inode, map->page_offset, map->length);
	g_string_append_printf(key, ":%s", map->path);
	return g_string_free(key, FALSE);
}

static void add_build_id(const FrameFinder *finder, PerfDataMmap *map)
{
	const GArray *build_ids = finder->source.summary->build_ids;
	for (guint i = 0; map->build_id_length == 0 && i < build_ids->len; i++) {
		const PerfDataBuildId *known = &g_array_index(build_ids, PerfDataBuildId, i);
		if (!g_str_equal(known->path, map->path))
			continue;
		memcpy(map->build_id, known->bytes, sizeof map->build_id);
		map->build_id_length = known->length;
	}
}

/* Finds the file of a map as it is now; borrowed. `map` gets its build-id. */
static const char *locate(FrameFinder *finder, PerfDataMmap *map, gint32 pid)
{
	add_build_id(finder, map);
	g_autofree char *key = map_key(map);
	const char *known = g_hash_table_lookup(finder->located, key);
	if (known != NULL)
		return known;
	const ModuleFileQuery query = {
	        .map = map,
	        .pid = finder->origin.place != ORIGIN_OTHER && finder->origin.is_since_boot ? pid : 0,
	        .symfs = finder->source.symfs,
	        .place = finder->origin.place,
	        .recorded_ns = finder->origin.end_ns,
	};
	char *found = module_file_find(&query);
	if (!g_str_equal(found, map->path))
		g_hash_table_insert(finder->origins, g_strdup(found), g_strdup(map->path));
	g_hash_table_insert(finder->located, g_steal_pointer(&key), found);
	return found;
}

/* The kernel is mapped as [kernel.kallsyms]NAME, with the address of the symbol NAME as its offset. */
static void note_kernel(FrameFinder *finder, const PerfDataMmap *map)
{
	if (!g_str_has_prefix(map->path, KERNEL_MAP) || finder->kernel_reference != NULL || map->page_offset == 0)
		return;
	finder->kernel_reference = g_strdup(map->path + strlen(KERNEL_MAP));
	finder->kernel_reference_address = map->page_offset;
}

/* Without a build-id, the vDSO of the running kernel need not be the one recorded. It is a part of the kernel's build,
 * so that containers of one machine have the same. */
static gboolean is_vdso_foreign(FrameFinder *finder, PerfDataMmap *map)
{
	add_build_id(finder, map);
	return map->build_id_length == 0 && !finder->is_local &&
	       (finder->origin.place == ORIGIN_OTHER || !finder->origin.is_kernel_proved);
}

static void apply_mmap(FrameFinder *finder, const PerfDataRecord *record)
{
	PerfDataRecord located = *record;
	if (record->pid == KERNEL_PID)
		note_kernel(finder, &record->mmap);
	else if (!record->mmap.is_data && is_file_path(record->mmap.path))
		located.mmap.path = locate(finder, &located.mmap, record->pid);
	else if (g_str_equal(record->mmap.path, VDSO_PATH) && is_vdso_foreign(finder, &located.mmap))
		located.mmap.path = FOREIGN_VDSO;
	process_maps_apply(finder->maps, &located);
	forget(finder, record->pid);
}

void frame_finder_apply(FrameFinder *finder, const PerfDataRecord *record)
{
	gboolean is_exec = record->kind == PERF_DATA_COMM && record->comm.is_exec;
	gboolean is_fork = record->kind == PERF_DATA_FORK && record->pid != record->fork.parent_pid;
	generated_code_apply(finder->code, record);
	if (record->kind == PERF_DATA_MMAP) {
		apply_mmap(finder, record);
		return;
	}
	process_maps_apply(finder->maps, record);
	if (is_exec || is_fork)
		forget(finder, record->pid);
}

void frame_finder_select(FrameFinder *finder, gint32 pid, guint64 time_ns)
{
	Space *space = space_of(finder, pid);
	guint64 code_state = generated_code_advance(finder->code, pid, time_ns);
	if (code_state != space->code_state)
		space->id = finder->n_spaces++;
	space->code_state = code_state;
	finder->pid = pid;
	finder->space = space->id;
}

/* One slot for each hash, without a search: whatever needs it next takes it. Numbers of spaces are never used again, so
 * an answer that no longer holds is never found. */
static CacheSlot *slot_of(const FrameFinder *finder, guint32 space, guint64 address)
{
	guint64 hash = (address ^ (guint64)space << 40) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	return &finder->cache[hash >> (64 - CACHE_BITS)];
}

/* The name of the file that a module was mapped from. */
static NameId file_name(const FrameFinder *finder, const MapModule *module)
{
	const char *origin = g_hash_table_lookup(finder->origins, module->path);
	g_autofree char *name = g_path_get_basename(origin != NULL ? origin : module->path);
	return stack_table_name(finder->state->table, name, -1);
}

/* perf inject makes a file of every generated function. */
static NameId module_name(const FrameFinder *finder, const MapModule *module)
{
	if (module->kind == MAP_MODULE_JIT)
		return stack_table_name(finder->state->table, FRAME_FINDER_JIT_MODULE, -1);
	const char *origin = g_hash_table_lookup(finder->origins, module->path);
	g_autofree char *recorded = module_file_recorded_path(origin != NULL ? origin : module->path);
	g_autofree char *name = canonical_module(recorded);
	return stack_table_name(finder->state->table, name, -1);
}

static void note_foreign(FrameFinder *finder, guint row)
{
	FoldState *state = finder->state;
	if (state->foreign_modules == NULL)
		state->foreign_modules = g_array_new(FALSE, TRUE, sizeof(gboolean));
	if (row >= state->foreign_modules->len)
		g_array_set_size(state->foreign_modules, row + 1);
	g_array_index(state->foreign_modules, gboolean, row) = TRUE;
	if (state->foreign_origin == NULL)
		state->foreign_origin = recording_origin_text(finder->source.summary);
}

static guint module_row(FrameFinder *finder, guint module)
{
	FoldState *state = finder->state;
	if (module >= finder->module_rows->len)
		g_array_set_size(finder->module_rows, module + 1);
	guint *row = &g_array_index(finder->module_rows, guint, module);
	if (*row != 0)
		return *row - 1;
	const MapModule *mapped = process_maps_module(finder->maps, module);
	*row = 1 + symbolizer_add_module(state->symbolizer, mapped->path, mapped->build_id, mapped->build_id_length);
	if (module_file_is_refused(mapped->path))
		symbolizer_refuse_module(state->symbolizer, *row - 1);
	if (finder->origin.place != ORIGIN_HERE)
		note_foreign(finder, *row - 1);
	/* The symbolizer serves all recordings of a fold, and may know the module from an earlier one. */
	if (*row > state->module_names->len) {
		NameId name = module_name(finder, mapped), file = file_name(finder, mapped);
		g_array_append_val(state->module_names, name);
		g_array_append_val(state->module_files, file);
	}
	return *row - 1;
}

static gboolean generated_frame(FrameFinder *finder, guint64 address, RawFrame *frame)
{
	JitSymbol symbol;
	StackTable *table = finder->state->table;
	if (!generated_code_find(finder->code, finder->pid, address, &symbol))
		return FALSE;
	const NameId name = stack_table_name(table, symbol.name, -1);
	const Frame found = {
	        .name = name,
	        .raw_name = name,
	        .module = stack_table_name(table, FRAME_FINDER_JIT_MODULE, -1),
	        .file = symbol.file != NULL ? stack_table_name(table, symbol.file, -1) : (NameId){0},
	        .line = symbol.line,
	        .kind = FRAME_JIT,
	};
	*frame = (RawFrame){.row = stack_table_frame(table, &found).index};
	return TRUE;
}

/* `otherwise`, unless it is to be called after its file. */
static RawFrame nameless_frame(const FrameFinder *finder, const char *file, guint64 address, RawFrame otherwise)
{
	const StackTable *table = finder->state->table;
	if (!finder->source.names_files)
		return otherwise;
	FrameId known = {otherwise.row};
	g_autofree char *name = nameless_name(file, finder->source.addresses ? &address : NULL);
	RawFrame frame = known_frame(
	        finder, name, stack_table_frame_module(table, known), stack_table_get_frame(table, known)->kind);
	g_hash_table_add(finder->nameless, GUINT_TO_POINTER(frame.row));
	return frame;
}

/* Memory that is no object file, such as [heap]; perf calls what has no file //anon. */
static RawFrame anonymous_frame(const FrameFinder *finder, const MapModule *mapped, guint64 address)
{
	g_autofree char *file = g_path_get_basename(mapped->path);
	return nameless_frame(finder, file, address, finder->anonymous);
}

static RawFrame find_user(FrameFinder *finder, guint64 address)
{
	guint module;
	guint64 offset;
	RawFrame frame;
	const RawFrame nowhere = nameless_frame(finder, "unknown", address, finder->nowhere);
	/* Nothing is ever mapped there; it is what a walk reads beyond the first function. */
	if (address == 0)
		return nowhere;
	if (!process_maps_find(finder->maps, finder->pid, address, &module, &offset))
		return generated_frame(finder, address, &frame) ? frame : nowhere;
	const MapModule *mapped = process_maps_module(finder->maps, module);
	gboolean is_code =
	        mapped->kind == MAP_MODULE_FILE || mapped->kind == MAP_MODULE_JIT || mapped->kind == MAP_MODULE_VDSO;
	/* A compiler may keep the code that it generates in a file that it has deleted, or in memory with another name.
	 */
	if ((!is_code || module_file_is_deleted(mapped->path)) && generated_frame(finder, address, &frame))
		return frame;
	if (!is_code)
		return anonymous_frame(finder, mapped, address);
	if (g_str_has_prefix(mapped->path, "[vsyscall]"))
		return finder->vsyscall;
	if (mapped->kind == MAP_MODULE_VDSO && !g_str_equal(mapped->path, VDSO_PATH))
		return finder->vdso;
	return (RawFrame){
	        .is_address = TRUE,
	        .row = symbolizer_add_address(finder->state->symbolizer, module_row(finder, module), offset),
	};
}

RawFrame frame_finder_user(FrameFinder *finder, guint64 address)
{
	CacheSlot *slot = slot_of(finder, finder->space, address);
	if (slot->address != address || slot->space != finder->space)
		*slot = (CacheSlot){address, finder->space, find_user(finder, address)};
	return slot->frame;
}

/* TRUE if the recording is of this build of the kernel, and says where it lay; its host need not be this one. */
static gboolean is_of_this_kernel(const FrameFinder *finder)
{
	return finder->origin.place != ORIGIN_OTHER && finder->origin.is_since_boot &&
	       finder->origin.is_kernel_proved && finder->kernel_reference != NULL;
}

/* Reads the names of the kernel when they are first needed. */
static void look_for_kernel(FrameFinder *finder)
{
	FoldState *state = finder->state;
	finder->has_looked_for_kernel = TRUE;
	gboolean is_possible = finder->is_local || is_of_this_kernel(finder);
	if (is_possible && state->kernel == NULL)
		state->kernel = kernel_symbols_new("/proc/kallsyms");
	if (is_possible && !kernel_symbols_is_empty(state->kernel) &&
	        (finder->kernel_reference == NULL ||
	                kernel_symbols_fit(state->kernel, finder->kernel_reference, finder->kernel_reference_address)))
		finder->kernel_names = state->kernel;
	state->is_kernel_nameless |= finder->kernel_names == NULL;
}

/* perf calls modules by their name, [ext4], and everything else of the kernel [kernel.kallsyms]. */
static RawFrame nameless_kernel_frame(const FrameFinder *finder, guint64 address)
{
	guint module;
	guint64 offset;
	const char *path = KERNEL_MAP;
	if (process_maps_find(finder->maps, KERNEL_PID, address, &module, &offset))
		path = process_maps_module(finder->maps, module)->path;
	g_autofree char *file = g_path_get_basename(g_str_has_prefix(path, KERNEL_MAP) ? KERNEL_MAP : path);
	char *suffix = strstr(file, ".ko");
	if (suffix != NULL) {
		*suffix = '\0';
		g_strdelimit(file, "-", '_');
	}
	return nameless_frame(finder, file, address, finder->kernel);
}

static RawFrame find_kernel(FrameFinder *finder, guint64 address)
{
	const char *module;
	StackTable *table = finder->state->table;
	if (!finder->has_looked_for_kernel)
		look_for_kernel(finder);
	const char *raw_name =
	        finder->kernel_names != NULL ? kernel_symbols_find(finder->kernel_names, address, &module) : NULL;
	/* nothing runs in the padding before a function: it was interrupted at its first instruction, and that is no
	 * return address to be looked up one byte earlier */
	if (raw_name != NULL && g_str_has_prefix(raw_name, KERNEL_PADDING))
		raw_name = kernel_symbols_find(finder->kernel_names, address + 1, &module);
	/* two machines that run one kernel have its modules at different places */
	if (raw_name == NULL || (!finder->is_local && *module != '\0'))
		return nameless_kernel_frame(finder, address);
	g_autofree char *name = canonical_name(raw_name);
	g_autofree char *shown_module = g_strdup_printf("[%s]", *module != '\0' ? module : "kernel");
	const Frame frame = {
	        .name = stack_table_name(table, name, -1),
	        .raw_name = stack_table_name(table, raw_name, -1),
	        .module = stack_table_name(table, shown_module, -1),
	        .kind = FRAME_KERNEL,
	};
	return (RawFrame){.row = stack_table_frame(table, &frame).index};
}

RawFrame frame_finder_kernel(FrameFinder *finder, guint64 address, gboolean *is_named)
{
	*is_named = FALSE;
	if (!finder->source.kernel_in_detail)
		return finder->kernel;
	CacheSlot *slot = slot_of(finder, KERNEL_SPACE, address);
	if (slot->address != address || slot->space != KERNEL_SPACE)
		*slot = (CacheSlot){address, KERNEL_SPACE, find_kernel(finder, address)};
	*is_named = slot->frame.row != finder->kernel.row;
	return slot->frame;
}

RawFrame frame_finder_outside(const FrameFinder *finder, OutsideKind kind)
{
	return finder->outside[kind];
}

gboolean frame_finder_is_nowhere(const FrameFinder *finder, RawFrame frame)
{
	return !frame.is_address && frame.row == finder->nowhere.row;
}

gboolean frame_finder_is_unknown(const FrameFinder *finder, RawFrame frame)
{
	return !frame.is_address && (frame.row == finder->nowhere.row || frame.row == finder->anonymous.row ||
	                                    g_hash_table_contains(finder->nameless, GUINT_TO_POINTER(frame.row)));
}
