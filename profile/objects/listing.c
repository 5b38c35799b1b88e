/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/listing.h"

#include "core/error.h"
#include "model/canonical.h"
#include "profile/objects/codelabels.h"
#include "profile/objects/dwarfnames.h"
#include "profile/objects/sourcelines.h"

#include <string.h>

G_STATIC_ASSERT((int)LISTING_MAX_TEXT == (int)CODE_TEXT_MAX);

#define NO_LINES "no line information: which source line an instruction comes from is not known"

typedef struct {
	const SymbolListingRequest *request;
	const ObjectFile *file;
	FunctionListing *result;
	ElfSymbols functions;
	DataSymbols variables;
	GotSlots slots;
	ModuleCode *code;
	InstructionReader *reader;
	DwarfIndex index; /* of the one address; empty without debug information */
	guint64 bias;     /* address in the module minus address in the debug information */
	guint64 address;  /* the one of the request */
	CodeRange parts[MODULE_CODE_MAX_PARTS];
	guint n_parts;
	guint first, end; /* instructions that are listed */
	GHashTable *kept; /* name of a source file -> our copy of its path, "" = too long */
} Lister;

/* The symbol of this name, or NULL if there is none or several. */
static const ElfSymbol *only_symbol(const ElfSymbols *symbols, const char *name)
{
	const ElfSymbol *found = NULL;
	for (guint i = 0; i < symbols->symbols->len; i++) {
		const ElfSymbol *symbol = &g_array_index(symbols->symbols, ElfSymbol, i);
		if (!g_str_equal(symbol->name, name))
			continue;
		if (found != NULL)
			return NULL;
		found = symbol;
	}
	return found;
}

/* A symbol without size reaches up to the next one of its section. */
static ElfSymbol with_size(const ElfSymbols *symbols, const ElfSymbol *symbol)
{
	ElfSymbol sized = *symbol;
	const ElfSymbol *next = symbol + 1, *end = &g_array_index(symbols->symbols, ElfSymbol, symbols->symbols->len);
	if (sized.size == 0)
		sized.size = (next < end ? MIN(next->start, sized.section_end) : sized.section_end) - sized.start;
	return sized;
}

static void add_symbol_part(Lister *lister, const ElfSymbol *symbol)
{
	const ElfSymbol sized = with_size(&lister->functions, symbol);
	const ModuleCodeQuery query = {.symbol = &sized, .address = symbol->start};
	lister->n_parts += module_code_ranges(lister->code, &query, &lister->parts[lister->n_parts]);
}

/* Without debug information the names tell which part of a function a compiler put aside: `parse` and `parse.cold`. */
static void find_parts_by_symbol(Lister *lister)
{
	const ElfSymbol *symbol = elf_symbols_find(&lister->functions, lister->address);
	if (symbol == NULL)
		return;
	const char *cold = strstr(symbol->name, ".cold");
	g_autofree char *whole_name =
	        cold != NULL ? g_strndup(symbol->name, (gsize)(cold - symbol->name)) : g_strdup(symbol->name);
	g_autofree char *cold_name = g_strconcat(whole_name, ".cold", NULL);
	const ElfSymbol *whole = only_symbol(&lister->functions, whole_name);
	const ElfSymbol *aside = only_symbol(&lister->functions, cold_name);
	gboolean are_both = whole != NULL && aside != NULL && (symbol == whole || symbol == aside);
	add_symbol_part(lister, are_both ? whole : symbol);
	if (are_both && lister->n_parts > 0)
		add_symbol_part(lister, aside);
}

/* The entry of the function in the debug information, or NULL. */
static Dwarf_Die *function_entry(const Lister *lister)
{
	if (lister->index.chain == NULL || lister->index.chain->len == 0)
		return NULL;
	guint32 row = g_array_index(lister->index.chain, guint32, 0);
	return &g_array_index(lister->index.functions, DwarfFunction, row).die;
}

/* The part with the entry comes first. */
static void put_entry_first(Lister *lister, Dwarf_Die *function)
{
	Dwarf_Addr entry;
	if (dwarf_entrypc(function, &entry) != 0)
		return;
	for (guint i = 1; i < lister->n_parts; i++) {
		const CodeRange part = lister->parts[i];
		if (entry + lister->bias < part.address || entry + lister->bias - part.address >= part.size)
			continue;
		memmove(&lister->parts[1], &lister->parts[0], i * sizeof part);
		lister->parts[0] = part;
		return;
	}
}

static void find_parts_by_entry(Lister *lister)
{
	Dwarf *dwarf = object_file_dwarf(lister->file, &lister->bias);
	if (dwarf == NULL)
		return;
	const guint64 address = lister->address - lister->bias;
	dwarf_index_init(&lister->index, dwarf, &address, 1);
	Dwarf_Die *function = function_entry(lister);
	if (function == NULL)
		return;
	const ModuleCodeQuery query = {.function = function, .bias = lister->bias, .address = lister->address};
	lister->n_parts = module_code_ranges(lister->code, &query, lister->parts);
	put_entry_first(lister, function);
}

static gboolean fail(const Lister *lister, GError **error, const char *why)
{
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "symbols: %s at 0x%" G_GINT64_MODIFIER "x of %s", why,
	        lister->request->offset, lister->request->path);
}

static gboolean find_parts(Lister *lister, GError **error)
{
	find_parts_by_entry(lister);
	if (lister->n_parts == 0)
		find_parts_by_symbol(lister);
	gsize size = 0;
	for (guint i = 0; i < lister->n_parts; i++)
		size += lister->parts[i].size;
	if (lister->n_parts == 0)
		return fail(lister, error, "no function whose code can be read is");
	if (size > CODE_HASH_MAX_BYTES)
		return fail(lister, error, "too large a function for a listing is");
	return TRUE;
}

/* Chooses the instructions that are listed: all, or as many as may be around the one of the request. */
static void choose_instructions(Lister *lister)
{
	Instruction instruction;
	guint n = 0, asked = 0;
	for (guint i = 0; i < lister->n_parts; i++) {
		const CodeRange *part = &lister->parts[i];
		instruction_reader_start(lister->reader, part->bytes, part->size, part->address);
		for (; instruction_reader_next(lister->reader, &instruction); n++)
			if (instruction.address <= lister->address &&
			        lister->address - instruction.address < instruction.size)
				asked = n;
	}
	guint before = MIN(asked, LISTING_MAX_INSTRUCTIONS / 2);
	guint most = n > LISTING_MAX_INSTRUCTIONS ? n - LISTING_MAX_INSTRUCTIONS : 0;
	lister->first = MIN(asked - before, most);
	lister->end = MIN(n, lister->first + LISTING_MAX_INSTRUCTIONS);
	lister->result->is_cut = most > 0;
}

/* Our copy of a path, or NULL where it is no text or too long. */
static const char *keep_path(Lister *lister, const SourcePlace *place)
{
	const char *kept = g_hash_table_lookup(lister->kept, place->file);
	if (kept == NULL) {
		g_autofree char *path = place->folder != NULL ? g_strdup_printf("%s/%s", place->folder, place->file)
		                                              : g_strdup(place->file);
		gboolean is_sound = strlen(path) <= LISTING_MAX_FILE && g_utf8_validate(path, -1, NULL);
		kept = g_string_chunk_insert_const(lister->result->text, is_sound ? path : "");
		g_hash_table_insert(lister->kept, (gpointer)place->file, (gpointer)kept);
	}
	return *kept != '\0' ? kept : NULL;
}

static void find_line(Lister *lister, ListedInstruction *listed)
{
	guint32 unit = lister->index.unit != NULL ? g_array_index(lister->index.unit, guint32, 0) : DWARF_NO_UNIT;
	if (unit == DWARF_NO_UNIT)
		return;
	Dwarf_Die *die = &g_array_index(lister->index.units, Dwarf_Die, unit);
	const SourcePlace place = source_place_of_code(die, listed->address - lister->bias);
	listed->file = place.file != NULL ? keep_path(lister, &place) : NULL;
	listed->line = listed->file != NULL ? place.line : 0;
}

/* The difference between the addresses of a part and its offsets, as the request has them. */
static guint64 offset_shift(const Lister *lister, const CodeRange *part)
{
	size_t size;
	const guint8 *start = (const guint8 *)elf_rawfile(lister->file->elf, &size);
	return lister->request->are_addresses ? 0 : (guint64)(part->bytes - start) - part->address;
}

static void list_part(Lister *lister, CodeTexter *texter, const CodeRange *part, guint *number)
{
	Instruction instruction;
	guint64 shift = offset_shift(lister, part);
	instruction_reader_start(lister->reader, part->bytes, part->size, part->address);
	for (; instruction_reader_next(lister->reader, &instruction); (*number)++) {
		if (*number < lister->first || *number >= lister->end)
			continue;
		const CodeTexts texts =
		        code_texter_write(texter, &instruction, instruction_reader_text(lister->reader));
		ListedInstruction listed = {
		        .address = instruction.address,
		        .offset = instruction.address + shift,
		        .size = instruction.size,
		        .text = g_string_chunk_insert_const(lister->result->text, texts.text),
		        .key = g_string_chunk_insert_const(lister->result->text, texts.key),
		};
		find_line(lister, &listed);
		g_array_append_val(lister->result->instructions, listed);
	}
}

static void list_parts(Lister *lister)
{
	guint number = 0;
	const CodeSurrounding around = {
	        lister->file, lister->code, &lister->variables, &lister->slots, lister->parts, lister->n_parts};
	g_autoptr(CodeLabels) labels = code_labels_new(&around);
	g_autoptr(CodeTexter) texter = code_texter_new(code_labels_write, labels);
	choose_instructions(lister);
	for (guint i = 0; i < lister->n_parts; i++)
		list_part(lister, texter, &lister->parts[i], &number);
}

static const char *find_name(Lister *lister)
{
	guint64 start;
	const char *name = module_code_function(lister->code, lister->address, &start);
	g_autofree DwarfName *names = NULL;
	if (name == NULL && function_entry(lister) != NULL) {
		names = dwarf_names_resolve(&lister->index, lister->result->text);
		name = names[g_array_index(lister->index.chain, guint32, 0)].name;
	}
	g_autoptr(GString) tidy = g_string_new(name != NULL ? name : "");
	code_text_tidy(tidy);
	return g_string_chunk_insert_const(lister->result->text, tidy->str);
}

static void describe(Lister *lister)
{
	FunctionListing *result = lister->result;
	gboolean has_lines = FALSE;
	for (guint i = 0; i < result->instructions->len; i++)
		has_lines |= g_array_index(result->instructions, ListedInstruction, i).line > 0;
	result->name = find_name(lister);
	result->note = has_lines ? NULL : g_string_chunk_insert_const(result->text, NO_LINES);
}

static gboolean list_function(Lister *lister, GError **error)
{
	lister->reader = module_code_reader(lister->code);
	if (lister->reader == NULL)
		return fail(lister, error, "instructions of this machine cannot be listed:");
	if (!find_parts(lister, error))
		return FALSE;
	*lister->result = (FunctionListing){
	        .text = g_string_chunk_new(4096),
	        .instructions = g_array_new(FALSE, FALSE, sizeof(ListedInstruction)),
	};
	list_parts(lister);
	describe(lister);
	return TRUE;
}

gboolean function_listing_read(
        FunctionListing *listing, const ObjectFile *file, const SymbolListingRequest *request, GError **error)
{
	Lister lister = {.request = request, .file = file, .result = listing, .address = request->offset};
	if (!request->are_addresses && !object_file_address(file, request->offset, &lister.address))
		return fail(&lister, error, "no code is");
	elf_symbols_init(&lister.functions, file);
	data_symbols_init(&lister.variables, file);
	got_slots_init(&lister.slots, file);
	lister.code = module_code_new(file, &lister.functions);
	lister.kept = g_hash_table_new(NULL, NULL);
	gboolean ok = list_function(&lister, error);
	if (lister.index.functions != NULL)
		dwarf_index_clear(&lister.index);
	g_hash_table_unref(lister.kept);
	instruction_reader_free(lister.reader);
	module_code_free(lister.code);
	got_slots_clear(&lister.slots);
	data_symbols_clear(&lister.variables);
	elf_symbols_clear(&lister.functions);
	return ok;
}
