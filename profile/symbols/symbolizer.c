/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/symbols/symbolizer.h"

#include "core/error.h"
#include "model/pairindex.h"

#include <string.h>

typedef struct {
	guint64 file_offset;
	guint32 module;
	guint32 position; /* after resolving: number among the module's offsets */
} AddressRow;

typedef struct {
	char *path;
	guint8 *build_id;
	guint build_id_length;
	GArray *addresses; /* of guint32, rows of its addresses */
	ModuleSymbols symbols;
	gboolean is_resolved;
	GError *failure;
} SymbolModule;

struct Symbolizer {
	SymbolChild *child;
	char *symfs;
	gboolean with_lines, with_code, are_addresses;
	GPtrArray *modules;     /* of SymbolModule */
	GHashTable *module_ids; /* key -> row + 1 */
	PairIndex address_index;
	GArray *addresses; /* of AddressRow */
};

static void module_free(gpointer data)
{
	SymbolModule *module = data;
	g_free(module->path);
	g_free(module->build_id);
	g_array_unref(module->addresses);
	module_symbols_clear(&module->symbols);
	g_clear_error(&module->failure);
	g_free(module);
}

Symbolizer *symbolizer_new(SymbolChild *child)
{
	Symbolizer *symbolizer = g_new0(Symbolizer, 1);
	symbolizer->child = child;
	symbolizer->modules = g_ptr_array_new_with_free_func(module_free);
	symbolizer->module_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	symbolizer->addresses = g_array_new(FALSE, FALSE, sizeof(AddressRow));
	return symbolizer;
}

void symbolizer_free(Symbolizer *symbolizer)
{
	if (symbolizer == NULL)
		return;
	g_ptr_array_unref(symbolizer->modules);
	g_hash_table_unref(symbolizer->module_ids);
	pair_index_clear(&symbolizer->address_index);
	g_array_unref(symbolizer->addresses);
	g_free(symbolizer->symfs);
	g_free(symbolizer);
}

void symbolizer_set_options(Symbolizer *symbolizer, const SymbolizerOptions *options)
{
	g_free(symbolizer->symfs);
	symbolizer->symfs = g_strdup(options->symfs);
	symbolizer->with_lines = options->with_lines;
	symbolizer->with_code = options->with_code;
	symbolizer->are_addresses = options->are_addresses;
}

static SymbolModule *module_at(const Symbolizer *symbolizer, guint row)
{
	g_assert(row < symbolizer->modules->len);
	return symbolizer->modules->pdata[row];
}

static AddressRow *address_at(const Symbolizer *symbolizer, guint32 row)
{
	g_assert(row < symbolizer->addresses->len);
	return &g_array_index(symbolizer->addresses, AddressRow, row);
}

/* Path and build-id together: a file may be replaced between two runs. The build-id comes first because it has no
 * colon, so no path makes the key of another module. */
static char *module_key(const char *path, const guint8 *build_id, guint build_id_length)
{
	GString *key = g_string_new(NULL);
	for (guint i = 0; i < build_id_length; i++)
		g_string_append_printf(key, "%02x", build_id[i]);
	if (path != NULL)
		g_string_append_printf(key, ":%s", path);
	return g_string_free(key, FALSE);
}

guint symbolizer_add_module(Symbolizer *symbolizer, const char *path, const guint8 *build_id, guint build_id_length)
{
	g_autofree char *key = module_key(path, build_id, build_id_length);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(symbolizer->module_ids, key));
	if (known != 0)
		return known - 1;
	SymbolModule *module = g_new0(SymbolModule, 1);
	module->path = g_strdup(path);
	module->build_id = g_malloc0(MAX(1, build_id_length));
	if (build_id_length > 0)
		memcpy(module->build_id, build_id, build_id_length);
	module->build_id_length = build_id_length;
	module->addresses = g_array_new(FALSE, FALSE, sizeof(guint32));
	g_ptr_array_add(symbolizer->modules, module);
	g_hash_table_insert(symbolizer->module_ids, g_steal_pointer(&key), GUINT_TO_POINTER(symbolizer->modules->len));
	return symbolizer->modules->len - 1;
}

void symbolizer_refuse_module(Symbolizer *symbolizer, guint module)
{
	SymbolModule *refused = module_at(symbolizer, module);
	if (refused->failure == NULL)
		g_set_error_literal(&refused->failure, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, refused->path);
}

guint32 symbolizer_add_address(Symbolizer *symbolizer, guint module, guint64 file_offset)
{
	gboolean is_new;
	guint32 row = pair_index_find_or_add(&symbolizer->address_index, file_offset, module, &is_new);
	if (is_new) {
		AddressRow address = {.file_offset = file_offset, .module = module};
		g_array_append_val(symbolizer->addresses, address);
		g_array_append_val(module_at(symbolizer, module)->addresses, row);
	}
	return row;
}

guint symbolizer_n_addresses(const Symbolizer *symbolizer)
{
	return symbolizer->addresses->len;
}

guint symbolizer_address_module(const Symbolizer *symbolizer, guint32 address)
{
	return address_at(symbolizer, address)->module;
}

guint64 symbolizer_address_offset(const Symbolizer *symbolizer, guint32 address)
{
	return address_at(symbolizer, address)->file_offset;
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	guint64 x = address_at(data, *(const guint32 *)a)->file_offset;
	guint64 y = address_at(data, *(const guint32 *)b)->file_offset;
	return (x > y) - (x < y);
}

static void resolve_module(Symbolizer *symbolizer, SymbolModule *module)
{
	guint n = module->addresses->len;
	/* A module that no sample fell into is not opened. */
	if (n == 0 || module->path == NULL || module->failure != NULL)
		return;
	g_autofree guint64 *offsets = g_new(guint64, n);
	/* The protocol wants offsets in ascending order, each once; the reader then goes through its tables once. */
	g_array_sort_with_data(module->addresses, compare_rows, symbolizer);
	for (guint i = 0; i < n; i++) {
		AddressRow *address = address_at(symbolizer, g_array_index(module->addresses, guint32, i));
		address->position = i;
		offsets[i] = address->file_offset;
	}
	const ModuleSymbolsRequest request = {
	        .path = module->path,
	        .build_id = module->build_id,
	        .build_id_length = module->build_id_length,
	        .symfs = symbolizer->symfs,
	        .with_lines = symbolizer->with_lines,
	        .with_code = symbolizer->with_code,
	        .are_addresses = symbolizer->are_addresses,
	        .offsets = offsets,
	        .n_offsets = n,
	};
	module->is_resolved = symbol_child_resolve(symbolizer->child, &request, &module->symbols, &module->failure);
}

/* Each module is a question of its own to the child, so a file over which the child dies costs no other one its names.
 */
void symbolizer_resolve(Symbolizer *symbolizer)
{
	for (guint i = 0; i < symbolizer->modules->len; i++)
		resolve_module(symbolizer, module_at(symbolizer, i));
}

const SymbolFrame *symbolizer_frames(const Symbolizer *symbolizer, guint32 address, guint *n)
{
	const AddressRow *row = address_at(symbolizer, address);
	const SymbolModule *module = module_at(symbolizer, row->module);
	*n = 0;
	if (!module->is_resolved)
		return NULL;
	guint32 from = g_array_index(module->symbols.first, guint32, row->position);
	*n = g_array_index(module->symbols.first, guint32, row->position + 1) - from;
	/* the array has no memory before its first frame */
	if (*n == 0)
		return NULL;
	return (const SymbolFrame *)(gpointer)module->symbols.frames->data + from;
}

guint symbolizer_n_modules(const Symbolizer *symbolizer)
{
	return symbolizer->modules->len;
}

SymbolizerReport symbolizer_report(const Symbolizer *symbolizer, guint module)
{
	const SymbolModule *row = module_at(symbolizer, module);
	return (SymbolizerReport){
	        .path = row->path,
	        .build_id = row->build_id,
	        .build_id_length = row->build_id_length,
	        .failure = row->failure != NULL ? row->failure->message : NULL,
	        .note = row->symbols.note,
	        .has_debug_info = row->symbols.has_debug_info,
	        .n_addresses = row->addresses->len,
	        .n_unresolved = row->is_resolved ? row->symbols.n_unresolved : row->addresses->len,
	};
}
