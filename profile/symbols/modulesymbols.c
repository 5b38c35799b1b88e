#include "profile/symbols/modulesymbols.h"

#include "profile/symbols/canonical.h"
#include "profile/symbols/dwarfnames.h"
#include "profile/symbols/elfsymbols.h"
#include "profile/symbols/plt.h"

typedef struct {
	const ModuleSymbolsRequest *request;
	ModuleSymbols *result;
	ObjectFile file;
	ElfSymbols elf;
	GArray *addresses; /* of guint64 in the module, sorted, unique */
	guint64 bias;      /* address in the module minus address in the debug information */
	DwarfIndex index;
	DwarfName *names;           /* NULL = no debug information */
	guint64 hashed_start, hash; /* of the function that was hashed last; offsets are sorted, so that is enough */
} ModuleResolver;

static gint compare_addresses(gconstpointer a, gconstpointer b)
{
	guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
	return (x > y) - (x < y);
}

/* Sorted and unique; offsets in different segments may change their order. */
static void collect_addresses(ModuleResolver *resolver)
{
	guint kept = 0;
	for (guint i = 0; i < resolver->request->n_offsets; i++) {
		guint64 address;
		if (object_file_address(&resolver->file, resolver->request->offsets[i], &address))
			g_array_append_val(resolver->addresses, address);
	}
	g_array_sort(resolver->addresses, compare_addresses);
	guint64 *all = (guint64 *)(gpointer)resolver->addresses->data;
	for (guint i = 0; i < resolver->addresses->len; i++)
		if (i == 0 || all[i] != all[kept - 1])
			all[kept++] = all[i];
	g_array_set_size(resolver->addresses, kept);
}

static void read_debug_info(ModuleResolver *resolver)
{
	Dwarf *dwarf = object_file_dwarf(&resolver->file, &resolver->bias);
	if (dwarf == NULL || resolver->addresses->len == 0)
		return;
	guint n = resolver->addresses->len;
	g_autofree guint64 *addresses = g_new(guint64, n);
	for (guint i = 0; i < n; i++)
		addresses[i] = g_array_index(resolver->addresses, guint64, i) - resolver->bias;
	dwarf_index_init(&resolver->index, dwarf, addresses, n);
	resolver->names = dwarf_names_resolve(&resolver->index, resolver->result->text);
	resolver->result->has_debug_info = TRUE;
}

static const char *keep(ModuleResolver *resolver, const char *text)
{
	return g_string_chunk_insert_const(resolver->result->text, text);
}

/* Hash of the bytes of a function. The byte at `offset` of the file has `address`, within the function. */
static guint64 code_hash(ModuleResolver *resolver, const ElfSymbol *symbol, guint64 offset, guint64 address)
{
	size_t file_size = 0;
	const char *bytes = elf_rawfile(resolver->file.elf, &file_size);
	guint64 into = address - symbol->start, start = offset - into;
	if (symbol->start == resolver->hashed_start)
		return resolver->hash;
	if (bytes == NULL || symbol->size == 0 || into > offset || start > file_size ||
	        symbol->size > file_size - start)
		return 0;
	g_autofree char *sum =
	        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes + start, symbol->size);
	sum[16] = '\0';
	resolver->hashed_start = symbol->start;
	resolver->hash = g_ascii_strtoull(sum, NULL, 16);
	return resolver->hash;
}

/* The frames that debug information has for an address; `symbol` is the one in the symbol table, or NULL. */
static void append_dwarf_frames(ModuleResolver *resolver, guint64 address, const ElfSymbol *symbol)
{
	guint row;
	if (resolver->names == NULL || !g_array_binary_search(resolver->addresses, &address, compare_addresses, &row))
		return;
	guint32 from = g_array_index(resolver->index.first, guint32, row);
	guint32 to = g_array_index(resolver->index.first, guint32, row + 1);
	for (guint32 i = from; i < to; i++) {
		const DwarfName *name = &resolver->names[g_array_index(resolver->index.chain, guint32, i)];
		SymbolFrame frame = {name->name, name->linkage_name, name->file, name->line, i > from, 0};
		if (i == from && symbol != NULL)
			frame.raw_name = keep(resolver, symbol->name);
		if (frame.name != NULL)
			g_array_append_val(resolver->result->frames, frame);
	}
}

static void append_symbol_frame(ModuleResolver *resolver, const char *linkage_name)
{
	g_autofree char *name = canonical_name(linkage_name);
	SymbolFrame frame = {.name = keep(resolver, name), .raw_name = keep(resolver, linkage_name)};
	g_array_append_val(resolver->result->frames, frame);
}

static void append_frames(ModuleResolver *resolver, guint64 offset, guint64 address)
{
	const ElfSymbol *symbol = elf_symbols_find(&resolver->elf, address);
	guint before = resolver->result->frames->len;
	append_dwarf_frames(resolver, address, symbol);
	if (resolver->result->frames->len == before) {
		g_autofree char *stub = symbol == NULL ? plt_name(&resolver->file, address) : NULL;
		if (symbol != NULL)
			append_symbol_frame(resolver, symbol->name);
		else if (stub != NULL)
			append_symbol_frame(resolver, stub);
	}
	if (symbol != NULL && resolver->result->frames->len > before)
		g_array_index(resolver->result->frames, SymbolFrame, before).code_hash =
		        code_hash(resolver, symbol, offset, address);
}

static void resolve_offsets(ModuleResolver *resolver)
{
	ModuleSymbols *result = resolver->result;
	for (guint i = 0; i < resolver->request->n_offsets; i++) {
		guint64 address;
		guint before = result->frames->len;
		g_array_append_val(result->first, before);
		if (object_file_address(&resolver->file, resolver->request->offsets[i], &address))
			append_frames(resolver, resolver->request->offsets[i], address);
		result->n_unresolved += result->frames->len == before;
	}
	g_array_append_val(result->first, result->frames->len);
}

static void resolve_file(ModuleResolver *resolver)
{
	resolver->addresses = g_array_new(FALSE, FALSE, sizeof(guint64));
	collect_addresses(resolver);
	read_debug_info(resolver);
	elf_symbols_init(&resolver->elf, &resolver->file);
	resolve_offsets(resolver);
	elf_symbols_clear(&resolver->elf);
	if (resolver->names != NULL)
		dwarf_index_clear(&resolver->index);
	g_free(resolver->names);
	g_array_unref(resolver->addresses);
}

gboolean module_symbols_resolve(ModuleSymbols *symbols, const ModuleSymbolsRequest *request, GError **error)
{
	ModuleResolver resolver = {.request = request, .result = symbols};
	if (!object_file_open(&resolver.file, request->path, error))
		return FALSE;
	gboolean ok = object_file_check_build_id(&resolver.file, request->build_id, request->build_id_length, error);
	if (ok) {
		*symbols = (ModuleSymbols){
		        .text = g_string_chunk_new(4096),
		        .frames = g_array_new(FALSE, FALSE, sizeof(SymbolFrame)),
		        .first = g_array_new(FALSE, FALSE, sizeof(guint32)),
		};
		resolve_file(&resolver);
	}
	object_file_close(&resolver.file);
	return ok;
}

void module_symbols_clear(ModuleSymbols *symbols)
{
	g_clear_pointer(&symbols->text, g_string_chunk_free);
	g_clear_pointer(&symbols->frames, g_array_unref);
	g_clear_pointer(&symbols->first, g_array_unref);
	*symbols = (ModuleSymbols){0};
}
