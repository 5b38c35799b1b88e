/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/modulesymbols.h"

#include "model/canonical.h"
#include "profile/objects/dwarfnames.h"
#include "profile/objects/elfsymbols.h"
#include "profile/objects/lastlines.h"
#include "profile/objects/modulecode.h"
#include "profile/objects/plt.h"
#include "profile/objects/sourcelines.h"

#include <string.h>

#define SPLIT_NOTE "split debug information cannot be read (a .dwp package, or .dwo files that are not in their place)"

typedef struct {
	const ModuleSymbolsRequest *request;
	ModuleSymbols *result;
	ObjectFile file;
	ElfSymbols elf;
	GArray *addresses; /* of guint64 in the module, sorted, unique */
	guint64 bias;      /* address in the module minus address in the debug information */
	DwarfIndex index;
	DwarfName *names;              /* by function; NULL = no debug information */
	SourcePlace *calls;            /* by function, where an inlined one was called; NULL = not asked for */
	guint32 *last_lines;           /* by function; NULL = not asked for */
	ModuleCode *code;              /* NULL = not asked for */
	GHashTable *kept;              /* text of the file -> our copy */
	const ElfSymbol *named_symbol; /* the last answer of raw_name(), and to what */
	const DwarfName *named;
	const char *raw_name;
	const ElfSymbol *framed_symbol; /* the last frame made of a symbol alone, and which one */
	SymbolFrame symbol_frame;
} ModuleResolver;

static gint compare_addresses(gconstpointer a, gconstpointer b)
{
	guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
	return (x > y) - (x < y);
}

/* The address in the module of offset number `row`; FALSE if no code is loaded from there. */
static gboolean find_address(const ModuleResolver *resolver, guint row, guint64 *address)
{
	*address = resolver->request->offsets[row];
	return resolver->request->are_addresses || object_file_address(&resolver->file, *address, address);
}

/* Sorted and unique; offsets in different segments may change their order. */
static void collect_addresses(ModuleResolver *resolver)
{
	guint kept = 0;
	for (guint i = 0; i < resolver->request->n_offsets; i++) {
		guint64 address;
		if (find_address(resolver, i, &address))
			g_array_append_val(resolver->addresses, address);
	}
	g_array_sort(resolver->addresses, compare_addresses);
	guint64 *all = (guint64 *)(gpointer)resolver->addresses->data;
	for (guint i = 0; i < resolver->addresses->len; i++)
		if (i == 0 || all[i] != all[kept - 1])
			all[kept++] = all[i];
	g_array_set_size(resolver->addresses, kept);
}

/* Our copy of a text that belongs to the file; looked up by address, not by content. */
static const char *keep(ModuleResolver *resolver, const char *text)
{
	if (text == NULL)
		return NULL;
	const char *copy = g_hash_table_lookup(resolver->kept, text);
	if (copy == NULL) {
		copy = g_string_chunk_insert(resolver->result->text, text);
		g_hash_table_insert(resolver->kept, (gpointer)text, (gpointer)copy);
	}
	return copy;
}

/* Replaces the file of a place by our copy of the whole path. */
static void keep_place(ModuleResolver *resolver, SourcePlace *place)
{
	if (place->folder == NULL || g_hash_table_contains(resolver->kept, place->file)) {
		place->file = keep(resolver, place->file);
		return;
	}
	g_autofree char *path = g_strdup_printf("%s/%s", place->folder, place->file);
	char *copy = g_string_chunk_insert(resolver->result->text, path);
	g_hash_table_insert(resolver->kept, (gpointer)place->file, copy);
	place->file = copy;
}

static void find_calls(ModuleResolver *resolver)
{
	GArray *functions = resolver->index.functions;
	resolver->calls = g_new0(SourcePlace, MAX(1, functions->len));
	for (guint i = 0; i < functions->len; i++) {
		DwarfFunction *function = &g_array_index(functions, DwarfFunction, i);
		if (function->depth == 0)
			continue;
		resolver->calls[i] = source_place_of_call(&function->die);
		keep_place(resolver, &resolver->calls[i]);
	}
}

static void read_debug_info(ModuleResolver *resolver)
{
	ModuleSymbols *result = resolver->result;
	Dwarf *dwarf = object_file_dwarf(&resolver->file, &resolver->bias);
	if (dwarf == NULL || resolver->addresses->len == 0)
		return;
	guint n = resolver->addresses->len;
	g_autofree guint64 *addresses = g_new(guint64, n);
	for (guint i = 0; i < n; i++)
		addresses[i] = g_array_index(resolver->addresses, guint64, i) - resolver->bias;
	dwarf_index_init(&resolver->index, dwarf, addresses, n);
	resolver->names = dwarf_names_resolve(&resolver->index, result->text);
	if (resolver->request->with_lines)
		find_calls(resolver);
	if (resolver->request->with_code)
		resolver->last_lines = last_lines_resolve(&resolver->index, resolver->names);
	gboolean is_split = resolver->index.n_split > 0;
	result->has_debug_info = !is_split || resolver->index.functions->len > 0;
	result->note = is_split ? keep(resolver, SPLIT_NOTE) : NULL;
}

/* Finds the source line of the code at address number `row`. */
static SourcePlace code_place(ModuleResolver *resolver, guint row)
{
	SourcePlace place = {0};
	guint32 unit = g_array_index(resolver->index.unit, guint32, row);
	if (!resolver->request->with_lines || unit == DWARF_NO_UNIT)
		return place;
	guint64 address = g_array_index(resolver->addresses, guint64, row) - resolver->bias;
	place = source_place_of_code(&g_array_index(resolver->index.units, Dwarf_Die, unit), address);
	keep_place(resolver, &place);
	return place;
}

/* The linkage name of a function with code of its own. The symbol has the suffix of a clone; but several functions with
 * the same code may share an address, and then it may be the name of another one. */
static const char *raw_name(ModuleResolver *resolver, const DwarfName *name, const ElfSymbol *symbol)
{
	if (symbol == resolver->named_symbol && name == resolver->named)
		return resolver->raw_name;
	gboolean is_its_own = g_str_has_prefix(symbol->name, name->linkage_name);
	if (!is_its_own) {
		g_autofree char *canonical = canonical_name(symbol->name);
		is_its_own = g_str_equal(canonical, name->name);
	}
	resolver->named_symbol = symbol;
	resolver->named = name;
	resolver->raw_name = is_its_own ? keep(resolver, symbol->name) : name->linkage_name;
	return resolver->raw_name;
}

static SymbolFrame dwarf_frame(ModuleResolver *resolver, guint32 function)
{
	const DwarfName *name = &resolver->names[function];
	return (SymbolFrame){
	        .name = name->name,
	        .raw_name = name->linkage_name,
	        .file = name->file,
	        .line = name->line,
	        .last_line = resolver->last_lines != NULL ? resolver->last_lines[function] : 0,
	};
}

/* Debug information of the C library calls a function by a reserved name of its own, __GI___libc_malloc; then the name
 * under which the same code is exported is the one that people know. */
static const char *known_name(ModuleResolver *resolver, guint32 function, const ElfSymbol *symbol)
{
	const DwarfName *name = &resolver->names[function];
	Dwarf_Die die = g_array_index(resolver->index.functions, DwarfFunction, function).die;
	Dwarf_Addr entry;
	if (strspn(symbol->name, "_") >= strspn(name->linkage_name, "_") || dwarf_entrypc(&die, &entry) != 0 ||
	        entry + resolver->bias != symbol->start)
		return name->name;
	g_autofree char *canonical = canonical_name(symbol->name);
	return g_string_chunk_insert_const(resolver->result->text, canonical);
}

/* The frames that debug information has for address number `row`; `symbol` is the one in the symbol table, or NULL. */
static void append_dwarf_frames(ModuleResolver *resolver, guint row, const ElfSymbol *symbol)
{
	GArray *frames = resolver->result->frames;
	guint32 from = g_array_index(resolver->index.first, guint32, row);
	guint32 to = g_array_index(resolver->index.first, guint32, row + 1);
	for (guint32 i = from; i < to; i++) {
		guint32 function = g_array_index(resolver->index.chain, guint32, i);
		SymbolFrame frame = dwarf_frame(resolver, function);
		if (resolver->calls != NULL && i > from && frames->len > 0) {
			SymbolFrame *caller = &g_array_index(frames, SymbolFrame, frames->len - 1);
			caller->at_file = resolver->calls[function].file;
			caller->at_line = resolver->calls[function].line;
		}
		frame.is_inlined = i > from;
		if (i == from && symbol != NULL && frame.name != NULL) {
			frame.raw_name = raw_name(resolver, &resolver->names[function], symbol);
			frame.name = known_name(resolver, function, symbol);
		}
		if (frame.name != NULL)
			g_array_append_val(frames, frame);
	}
}

static SymbolFrame named_frame(ModuleResolver *resolver, const char *linkage_name)
{
	g_autofree char *name = canonical_name(linkage_name);
	return (SymbolFrame){.name = g_string_chunk_insert_const(resolver->result->text, name),
	        .raw_name = g_string_chunk_insert_const(resolver->result->text, linkage_name)};
}

static void append_symbol_frame(ModuleResolver *resolver, const ElfSymbol *symbol)
{
	if (symbol != resolver->framed_symbol)
		resolver->symbol_frame = named_frame(resolver, symbol->name);
	resolver->framed_symbol = symbol;
	g_array_append_val(resolver->result->frames, resolver->symbol_frame);
}

static void append_stub_frame(ModuleResolver *resolver, guint64 address)
{
	g_autofree char *stub = plt_name(&resolver->file, address);
	if (stub == NULL)
		return;
	SymbolFrame frame = named_frame(resolver, stub);
	g_array_append_val(resolver->result->frames, frame);
}

/* The function with code of its own at address number `row`, or NULL. */
static Dwarf_Die *function_at(ModuleResolver *resolver, guint row)
{
	guint32 from = g_array_index(resolver->index.first, guint32, row);
	if (from == g_array_index(resolver->index.first, guint32, row + 1))
		return NULL;
	guint32 function = g_array_index(resolver->index.chain, guint32, from);
	return &g_array_index(resolver->index.functions, DwarfFunction, function).die;
}

static void find_code(ModuleResolver *resolver, SymbolFrame *frame, const ModuleCodeQuery *query)
{
	if (resolver->code == NULL)
		return;
	CodeHash code = module_code_hash(resolver->code, query);
	frame->code_hash = code.hash;
	frame->code_sketch = code.sketch;
}

static void append_frames(ModuleResolver *resolver, guint64 address)
{
	guint row;
	GArray *frames = resolver->result->frames;
	const ElfSymbol *symbol = elf_symbols_find(&resolver->elf, address);
	guint before = frames->len;
	SourcePlace place = {0};
	ModuleCodeQuery query = {.bias = resolver->bias, .symbol = symbol, .address = address};
	if (resolver->names != NULL && g_array_binary_search(resolver->addresses, &address, compare_addresses, &row)) {
		append_dwarf_frames(resolver, row, symbol);
		place = code_place(resolver, row);
		query.function = function_at(resolver, row);
	}
	if (frames->len == before && symbol != NULL)
		append_symbol_frame(resolver, symbol);
	else if (frames->len == before)
		append_stub_frame(resolver, address);
	if (frames->len == before)
		return;
	SymbolFrame *innermost = &g_array_index(frames, SymbolFrame, frames->len - 1);
	innermost->at_file = place.file;
	innermost->at_line = place.line;
	find_code(resolver, &g_array_index(frames, SymbolFrame, before), &query);
}

static void resolve_offsets(ModuleResolver *resolver)
{
	ModuleSymbols *result = resolver->result;
	for (guint i = 0; i < resolver->request->n_offsets; i++) {
		guint64 address;
		guint before = result->frames->len;
		g_array_append_val(result->first, before);
		if (find_address(resolver, i, &address))
			append_frames(resolver, address);
		result->n_unresolved += result->frames->len == before;
	}
	g_array_append_val(result->first, result->frames->len);
}

static void resolve_file(ModuleResolver *resolver)
{
	resolver->addresses = g_array_new(FALSE, FALSE, sizeof(guint64));
	resolver->kept = g_hash_table_new(NULL, NULL);
	collect_addresses(resolver);
	read_debug_info(resolver);
	elf_symbols_init(&resolver->elf, &resolver->file);
	if (resolver->request->with_code)
		resolver->code = module_code_new(&resolver->file, &resolver->elf);
	resolve_offsets(resolver);
	module_code_free(resolver->code);
	elf_symbols_clear(&resolver->elf);
	if (resolver->names != NULL)
		dwarf_index_clear(&resolver->index);
	g_free(resolver->names);
	g_free(resolver->calls);
	g_free(resolver->last_lines);
	g_hash_table_unref(resolver->kept);
	g_array_unref(resolver->addresses);
}

gboolean module_symbols_resolve(ModuleSymbols *symbols, const ModuleSymbolsRequest *request, GError **error)
{
	ModuleResolver resolver = {.request = request, .result = symbols};
	const ObjectFileWanted wanted = {request->path, request->build_id, request->build_id_length, request->symfs};
	if (!object_file_find(&resolver.file, &wanted, error))
		return FALSE;
	*symbols = (ModuleSymbols){
	        .text = g_string_chunk_new(4096),
	        .frames = g_array_new(FALSE, FALSE, sizeof(SymbolFrame)),
	        .first = g_array_new(FALSE, FALSE, sizeof(guint32)),
	};
	resolve_file(&resolver);
	object_file_close(&resolver.file);
	return TRUE;
}

void module_symbols_clear(ModuleSymbols *symbols)
{
	g_clear_pointer(&symbols->text, g_string_chunk_free);
	g_clear_pointer(&symbols->frames, g_array_unref);
	g_clear_pointer(&symbols->first, g_array_unref);
	*symbols = (ModuleSymbols){0};
}
