/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/addresslines.h"

/* An address of the fold that was asked about. */
typedef struct {
	guint32 address; /* of the fold */
	guint32 asked;   /* of our symbolizer */
} AskedAddress;

struct AddressLines {
	AddressLinesSource source;
	Symbolizer *symbolizer; /* has the modules of the fold in the same rows */
	GArray *asked;          /* of AskedAddress */
	gboolean *has_module;   /* by module: some address of it was asked about */
	gboolean *has_changed;  /* by module: it is not what it was */
	guint32 *first;         /* by address of the fold: row of `places` plus 1; 0 = none */
	GArray *places;         /* of LinePlace, one for each frame of an address */
	GHashTable *files;      /* file as the symbolizer has it, by address -> NameId plus 1 */
};

static gboolean is_wanted(const AddressLines *lines, guint32 address)
{
	const AddressLinesSource *source = &lines->source;
	const AddressFrames *row = symbol_frames_address(source->frames, address);
	const FrameId *frames = symbol_frames_of(source->frames, row);
	for (guint i = 0; i < row->n; i++)
		if (frames[i].index < source->n_frames && source->is_wanted[frames[i].index])
			return TRUE;
	return FALSE;
}

static void add_modules(AddressLines *lines)
{
	const Symbolizer *known = lines->source.frames->symbolizer;
	for (guint i = 0; i < symbolizer_n_modules(known); i++) {
		SymbolizerReport report = symbolizer_report(known, i);
		guint row =
		        symbolizer_add_module(lines->symbolizer, report.path, report.build_id, report.build_id_length);
		/* Modules are added in the order of the fold, so both symbolizers give them the same numbers. */
		g_assert(row == i);
	}
}

static void ask(AddressLines *lines)
{
	const Symbolizer *known = lines->source.frames->symbolizer;
	for (guint32 i = 0; i < symbolizer_n_addresses(known); i++) {
		guint module = symbolizer_address_module(known, i);
		if (!is_wanted(lines, i))
			continue;
		lines->has_module[module] = TRUE;
		/* A file that could not be read for its functions is not read once more for its lines. */
		if (symbolizer_report(known, module).failure != NULL)
			continue;
		guint64 offset = symbolizer_address_offset(known, i);
		const AskedAddress row = {i, symbolizer_add_address(lines->symbolizer, module, offset)};
		g_array_append_val(lines->asked, row);
	}
	const SymbolizerOptions options = {
	        .symfs = lines->source.symfs, .with_lines = TRUE, .are_addresses = lines->source.are_addresses};
	symbolizer_set_options(lines->symbolizer, &options);
	symbolizer_resolve(lines->symbolizer);
}

static NameId find_file(AddressLines *lines, const char *file)
{
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(lines->files, file));
	if (known != 0)
		return (NameId){known - 1};
	NameId name = symbol_frames_source_file(lines->source.frames, file);
	g_hash_table_insert(lines->files, (gpointer)file, GUINT_TO_POINTER(name.index + 1));
	return name;
}

/* The frames of an address are those of the fold, or the file is another one by now. */
static gboolean is_same_chain(const AddressLines *lines, guint32 address, const SymbolFrame *chain, guint n)
{
	const SymbolFrames *frames = lines->source.frames;
	const AddressFrames *row = symbol_frames_address(frames, address);
	const FrameId *ids = symbol_frames_of(frames, row);
	guint kept = 0;
	for (guint i = 0; i < n; i++) {
		if (chain[i].is_inlined && frames->no_inline)
			continue;
		/* The file may have been built anew since its functions were named; costs would then stand at lines of
		 * other code. */
		if (kept == row->n || !g_str_equal(stack_table_frame_name(frames->table, ids[kept++]), chain[i].name))
			return FALSE;
	}
	return n == 0 || kept == row->n;
}

static void note_places(AddressLines *lines, const AskedAddress *asked)
{
	guint n;
	const SymbolFrame *chain = symbolizer_frames(lines->symbolizer, asked->asked, &n);
	if (!is_same_chain(lines, asked->address, chain, n)) {
		lines->has_changed[symbolizer_address_module(lines->symbolizer, asked->asked)] = TRUE;
		return;
	}
	lines->first[asked->address] = n > 0 ? lines->places->len + 1 : 0;
	for (guint i = 0; i < n; i++) {
		if (chain[i].is_inlined && lines->source.frames->no_inline)
			continue;
		LinePlace place = {.line = chain[i].at_line};
		if (chain[i].at_file != NULL)
			place.file = find_file(lines, chain[i].at_file);
		g_array_append_val(lines->places, place);
	}
}

AddressLines *address_lines_new(const AddressLinesSource *source)
{
	AddressLines *lines = g_new0(AddressLines, 1);
	const Symbolizer *known = source->frames->symbolizer;
	lines->source = *source;
	lines->symbolizer = symbolizer_new(source->child);
	lines->asked = g_array_new(FALSE, FALSE, sizeof(AskedAddress));
	lines->has_module = g_new0(gboolean, symbolizer_n_modules(known) + 1);
	lines->has_changed = g_new0(gboolean, symbolizer_n_modules(known) + 1);
	lines->first = g_new0(guint32, symbolizer_n_addresses(known) + 1);
	lines->places = g_array_new(FALSE, FALSE, sizeof(LinePlace));
	lines->files = g_hash_table_new(NULL, NULL);
	add_modules(lines);
	ask(lines);
	for (guint i = 0; i < lines->asked->len; i++)
		note_places(lines, &g_array_index(lines->asked, AskedAddress, i));
	return lines;
}

void address_lines_free(AddressLines *lines)
{
	if (lines == NULL)
		return;
	symbolizer_free(lines->symbolizer);
	g_array_unref(lines->asked);
	g_free(lines->has_module);
	g_free(lines->has_changed);
	g_free(lines->first);
	g_array_unref(lines->places);
	g_hash_table_unref(lines->files);
	g_free(lines);
}

LinePlace address_lines_place(const AddressLines *lines, guint32 address, guint row)
{
	guint32 first = lines->first[address];
	return first != 0 ? g_array_index(lines->places, LinePlace, first - 1 + row) : (LinePlace){0};
}

gboolean address_lines_has_module(const AddressLines *lines, guint module)
{
	return lines->has_module[module];
}

char *address_lines_failure(const AddressLines *lines, guint module)
{
	SymbolizerReport known = symbolizer_report(lines->source.frames->symbolizer, module);
	SymbolizerReport report = symbolizer_report(lines->symbolizer, module);
	const char *failure = known.failure != NULL ? known.failure : report.failure;
	if (failure != NULL)
		return g_strdup(failure);
	if (lines->has_changed[module])
		return g_strdup_printf("%s has changed since its functions were named", known.path);
	if (known.path != NULL && !known.has_debug_info)
		return g_strdup_printf("%s has no debug information; build with -g", known.path);
	return g_strdup(known.note);
}
