/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/unwind/unwindcache.h"

#include "core/error.h"
#include "profile/objects/vdso.h"

#include <string.h>

#define DEFAULT_BUDGET_US (30 * G_USEC_PER_SEC)

enum { MAX_ROWS = 1 << 18 }; /* about 80 MB */

/* A part of a file for which it is known what row it has, even if that is none. */
typedef struct {
	guint64 start, end; /* file offsets */
	CachedRow *row;
} Range;

typedef struct {
	char *path;
	guint8 build_id[PERF_DATA_BUILD_ID_BYTES];
	guint build_id_length;
	MapModuleKind kind;
	gboolean is_unreadable;
	GArray *ranges; /* of Range, sorted, disjoint */
	guint last_hit;
} Module;

struct UnwindCache {
	UnwindReader read;
	gpointer data;
	const char *symfs;
	GHashTable *modules; /* set of Module, by path and build-id */
	GPtrArray *by_index; /* Module of a module row of some ProcessMaps; to be compared before it is believed */
	GPtrArray *blocks;   /* of arrays of CachedRow, one for each time that something was read */
	GArray *fresh;       /* of UnwindRow: what was read last */
	guint n_rows;
	gint64 budget_us, used_us; /* for and in cache->read() */
	GError *problem;           /* the first one */
};

static guint module_hash(gconstpointer key)
{
	const Module *module = key;
	guint hash = g_str_hash(module->path);
	for (guint i = 0; i < module->build_id_length; i++)
		hash = hash * 33 + module->build_id[i];
	return hash;
}

static gboolean module_equal(gconstpointer a, gconstpointer b)
{
	const Module *one = a, *other = b;
	return one->kind == other->kind && one->build_id_length == other->build_id_length &&
	       memcmp(one->build_id, other->build_id, one->build_id_length) == 0 && g_str_equal(one->path, other->path);
}

static void module_free(gpointer data)
{
	Module *module = data;
	g_free(module->path);
	g_array_unref(module->ranges);
	g_free(module);
}

UnwindCache *unwind_cache_new(UnwindReader read, gpointer data)
{
	UnwindCache *cache = g_new0(UnwindCache, 1);
	cache->read = read;
	cache->data = data;
	cache->budget_us = DEFAULT_BUDGET_US;
	cache->modules = g_hash_table_new_full(module_hash, module_equal, module_free, NULL);
	cache->by_index = g_ptr_array_new();
	cache->blocks = g_ptr_array_new_with_free_func(g_free);
	cache->fresh = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	return cache;
}

void unwind_cache_free(UnwindCache *cache)
{
	if (cache == NULL)
		return;
	g_hash_table_unref(cache->modules);
	g_ptr_array_unref(cache->by_index);
	g_ptr_array_unref(cache->blocks);
	g_array_unref(cache->fresh);
	g_clear_error(&cache->problem);
	g_free(cache);
}

void unwind_cache_set_symfs(UnwindCache *cache, const char *symfs)
{
	cache->symfs = symfs;
}

void unwind_cache_set_budget(UnwindCache *cache, gint64 budget_us)
{
	cache->budget_us = budget_us;
}

const GError *unwind_cache_problem(const UnwindCache *cache)
{
	return cache->problem;
}

void unwind_cache_trim(UnwindCache *cache)
{
	if (cache->n_rows <= MAX_ROWS)
		return;
	/* The rows go last: both indexes point to modules, and the modules' ranges point to rows. */
	g_ptr_array_set_size(cache->by_index, 0);
	g_hash_table_remove_all(cache->modules);
	g_ptr_array_set_size(cache->blocks, 0);
	cache->n_rows = 0;
}

static Module module_key(const MapModule *map)
{
	Module key = {.path = map->path, .build_id_length = map->build_id_length, .kind = map->kind};
	memcpy(key.build_id, map->build_id, sizeof key.build_id);
	return key;
}

/* Rows of ProcessMaps are numbered anew for each recording, so the module that is noted for a number is only a guess.
 * It spares hashing the path for each frame of each sample. */
static Module *find_module(UnwindCache *cache, const ProcessMaps *maps, guint index)
{
	Module key = module_key(process_maps_module(maps, index));
	if (index >= cache->by_index->len)
		g_ptr_array_set_size(cache->by_index, (gint)index + 1);
	Module *module = cache->by_index->pdata[index];
	if (module != NULL && module_equal(module, &key))
		return module;
	module = g_hash_table_lookup(cache->modules, &key);
	if (module == NULL) {
		module = g_memdup2(&key, sizeof key);
		module->path = g_strdup(key.path);
		module->ranges = g_array_new(FALSE, FALSE, sizeof(Range));
		g_hash_table_add(cache->modules, module);
	}
	cache->by_index->pdata[index] = module;
	return module;
}

/* Number of ranges that start at or before the offset. */
static guint count_started(const Module *module, guint64 offset)
{
	guint low = 0, high = module->ranges->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		if (g_array_index(module->ranges, Range, middle).start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* FALSE if nothing is known about the offset yet. */
static gboolean find_known(Module *module, guint64 offset, CachedRow **row)
{
	const Range *ranges = (const Range *)module->ranges->data;
	/* Samples cluster in hot functions, so the range of the last one is tried before the search. */
	guint at = module->last_hit;
	if (at >= module->ranges->len || offset < ranges[at].start || offset >= ranges[at].end) {
		at = count_started(module, offset);
		if (at-- == 0 || offset >= ranges[at].end)
			return FALSE;
		module->last_hit = at;
	}
	*row = ranges[at].row;
	return TRUE;
}

/* Registers outside of the tables, in a row that came from elsewhere, make it unusable. */
static gboolean is_sound(const UnwindRow *row)
{
	if (row->frame_kind == UNWIND_FRAME_UNKNOWN || row->frame_kind > UNWIND_FRAME_PLT ||
	        row->frame_register >= UNWIND_REGISTERS || row->return_column >= UNWIND_REGISTERS)
		return FALSE;
	for (guint i = 0; i < UNWIND_REGISTERS; i++)
		if (row->rules[i].kind > UNWIND_IN_REGISTER || row->rules[i].number >= UNWIND_REGISTERS)
			return FALSE;
	return TRUE;
}

static void set_masks(CachedRow *cached)
{
	for (guint i = 0; i < UNWIND_REGISTERS; i++) {
		guint8 kind = cached->row.rules[i].kind;
		if (kind == UNWIND_UNDEFINED)
			cached->undefined |= G_GUINT64_CONSTANT(1) << i;
		else if (kind != UNWIND_SAME)
			cached->computed |= G_GUINT64_CONSTANT(1) << i;
	}
}

/* Of a range that overlaps ones that are known already, the piece between them is taken: that around the asked offset,
 * or at the start of the range. */
static void insert_range(Module *module, Range range, guint64 asked)
{
	guint64 inside = asked >= range.start && asked < range.end ? asked : range.start;
	guint at = count_started(module, inside);
	const Range *ranges = (const Range *)module->ranges->data;
	if (at > 0)
		range.start = MAX(range.start, ranges[at - 1].end);
	if (at < module->ranges->len)
		range.end = MIN(range.end, ranges[at].start);
	if (range.start <= inside && inside < range.end)
		g_array_insert_val(module->ranges, at, range);
}

static void remember_fresh(UnwindCache *cache, Module *module, guint64 asked)
{
	CachedRow *block = g_new0(CachedRow, cache->fresh->len);
	g_ptr_array_add(cache->blocks, block);
	cache->n_rows += cache->fresh->len;
	for (guint i = 0; i < cache->fresh->len; i++) {
		const UnwindRow *row = &g_array_index(cache->fresh, UnwindRow, i);
		Range range = {.start = row->start, .end = row->end};
		if (is_sound(row)) {
			/* A row that is not sound leaves its range without a row: the code counts as code without call
			 * frame information. */
			block[i].row = *row;
			set_masks(&block[i]);
			range.row = &block[i];
		}
		insert_range(module, range, asked);
	}
}

/* Takes the error over. */
static void note_problem(UnwindCache *cache, const Module *module, GError *error)
{
	gboolean is_no_file = g_str_has_suffix(module->path, " (deleted)") ||
	                      g_str_has_prefix(module->path, "[vsyscall]") ||
	                      (module->kind == MAP_MODULE_VDSO && !g_str_equal(module->path, VDSO_PATH));
	if (error == NULL)
		return;
	if (is_no_file || cache->problem != NULL)
		g_error_free(error);
	else
		cache->problem = error;
}

static gboolean may_read(UnwindCache *cache, const Module *module)
{
	if (module->is_unreadable || module->kind == MAP_MODULE_ANON || module->kind == MAP_MODULE_KERNEL)
		return FALSE;
	if (cache->used_us < cache->budget_us)
		return TRUE;
	if (cache->problem == NULL)
		firebreak_refuse(&cache->problem, FIREBREAK_ERROR_INVALID,
		        "reading call frame information took more than %g s, so no more is read, as of %s",
		        (double)cache->budget_us / G_USEC_PER_SEC, module->path);
	return FALSE;
}

static gboolean read_rows(UnwindCache *cache, const Module *module, guint64 offset)
{
	GError *error = NULL;
	SymbolChildFile file = {.path = module->path,
	        .build_id = module->build_id,
	        .build_id_length = module->build_id_length,
	        .symfs = cache->symfs};
	g_array_set_size(cache->fresh, 0);
	gint64 before_us = g_get_monotonic_time();
	gboolean ok = cache->read(cache->data, &file, offset, cache->fresh, &error);
	cache->used_us += g_get_monotonic_time() - before_us;
	note_problem(cache, module, error);
	return ok;
}

CachedRow *unwind_cache_find(UnwindCache *cache, const ProcessMaps *maps, gint32 pid, guint64 address)
{
	CachedRow *row = NULL;
	guint index;
	guint64 offset;
	/* At the last offset of all, the end of a range would overflow. */
	if (!process_maps_find(maps, pid, address, &index, &offset) || offset == G_MAXUINT64)
		return NULL;
	Module *module = find_module(cache, maps, index);
	if (find_known(module, offset, &row) || !may_read(cache, module))
		return row;
	module->is_unreadable = !read_rows(cache, module, offset);
	if (module->is_unreadable)
		return NULL;
	remember_fresh(cache, module, offset);
	if (!find_known(module, offset, &row)) {
		/* The child is not asked again about an offset for which it has no row. A range counts as a row, so
		 * that foreign addresses without rows are limited, too. */
		Range nothing = {.start = offset, .end = offset + 1};
		insert_range(module, nothing, offset);
		cache->n_rows++;
	}
	return row;
}
