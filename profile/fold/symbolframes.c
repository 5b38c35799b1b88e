/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/symbolframes.h"

#include "profile/fold/framefinder.h"
#include "profile/fold/namelessframes.h"

#include <string.h>

/* The name of their working folder in builds that are to give the same bytes everywhere. */
#define BUILD_FOLDER "/proc/self/cwd/"

/* The data that are needed while addresses become frames. */
typedef struct {
	SymbolFrames *out;
	const GArray *module_names;
	const guint8 *sides;
	gboolean *is_inside; /* by module of the symbolizer: it lies in the directories of the sides */
} Resolving;

void symbol_frames_init(SymbolFrames *frames, StackTable *table, Symbolizer *symbolizer)
{
	*frames = (SymbolFrames){
	        .table = table,
	        .symbolizer = symbolizer,
	        .prefixes = g_ptr_array_new_with_free_func(g_free),
	        .frames = g_array_new(FALSE, FALSE, sizeof(FrameId)),
	        .addresses = g_array_new(FALSE, FALSE, sizeof(AddressFrames)),
	        .code = code_pieces_new(),
	};
}

void symbol_frames_clear(SymbolFrames *frames)
{
	g_ptr_array_unref(frames->prefixes);
	g_array_unref(frames->frames);
	g_array_unref(frames->addresses);
	code_pieces_free(frames->code);
}

void symbol_frames_add_prefixes(SymbolFrames *frames, const char *const *prefixes)
{
	for (const char *const *p = prefixes; p != NULL && *p != NULL; p++) {
		/* A prefix is a whole folder: /build must not match /build2/main.c. */
		g_autofree char *prefix = g_strconcat(*p, g_str_has_suffix(*p, "/") ? "" : "/", NULL);
		if (!g_ptr_array_find_with_equal_func(frames->prefixes, prefix, g_str_equal, NULL))
			g_ptr_array_add(frames->prefixes, g_steal_pointer(&prefix));
	}
}

/* A relative path without the steps that lead back: "sub/../hash.h" is "hash.h". Owned by the caller. */
static char *canonical_relative(const char *file)
{
	g_auto(GStrv) steps = g_strsplit(file, "/", -1);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();
	for (char **step = steps; *step != NULL; step++) {
		gboolean is_back = g_str_equal(*step, "..");
		if (**step == '\0' || g_str_equal(*step, "."))
			continue;
		if (is_back && kept->len > 0 && !g_str_equal(kept->pdata[kept->len - 1], ".."))
			g_ptr_array_set_size(kept, (gint)kept->len - 1);
		else
			g_ptr_array_add(kept, *step);
	}
	g_ptr_array_add(kept, NULL);
	return g_strjoinv("/", (char **)kept->pdata);
}

NameId symbol_frames_source_file(const SymbolFrames *frames, const char *file)
{
	g_autofree char *shown =
	        g_path_is_absolute(file) ? g_canonicalize_filename(file, "/") : canonical_relative(file);
	if (g_str_has_prefix(shown, BUILD_FOLDER))
		return stack_table_name(frames->table, shown + strlen(BUILD_FOLDER), -1);
	for (guint i = 0; i < frames->prefixes->len; i++) {
		const char *prefix = frames->prefixes->pdata[i];
		if (g_str_has_prefix(shown, prefix))
			return stack_table_name(frames->table, shown + strlen(prefix), -1);
	}
	return stack_table_name(frames->table, shown, -1);
}

static NameId source_file(const SymbolFrames *frames, const char *file)
{
	return file != NULL ? symbol_frames_source_file(frames, file) : (NameId){0};
}

static FrameId intern_symbol(const SymbolFrames *frames, const SymbolFrame *symbol, NameId module)
{
	gboolean is_jit = g_str_equal(stack_table_text(frames->table, module), FRAME_FINDER_JIT_MODULE);
	const Frame frame = {
	        .name = stack_table_name(frames->table, symbol->name, -1),
	        .module = module,
	        .raw_name = stack_table_name(frames->table, symbol->raw_name, -1),
	        .file = source_file(frames, symbol->file),
	        .line = symbol->line,
	        .kind = symbol->is_inlined ? FRAME_INLINED
	                : is_jit           ? FRAME_JIT
	                                   : FRAME_USER,
	};
	return stack_table_frame(frames->table, &frame);
}

/* The frame of an address without a name. */
static FrameId unknown_frame(const SymbolFrames *frames, guint32 address, NameId module)
{
	const char *shown = stack_table_text(frames->table, module);
	g_autofree char *text = g_strdup(g_str_equal(shown, "[vdso]") ? shown : "[unknown]");
	if (frames->files != NULL && !g_str_equal(shown, "[vdso]")) {
		guint64 offset = symbolizer_address_offset(frames->symbolizer, address);
		NameId file =
		        g_array_index(frames->files, NameId, symbolizer_address_module(frames->symbolizer, address));
		g_free(text);
		text = nameless_name(stack_table_text(frames->table, file), frames->wants_addresses ? &offset : NULL);
	}
	const NameId name = stack_table_name(frames->table, text, -1);
	const Frame frame = {.name = name, .raw_name = name, .module = module, .kind = FRAME_SYNTHETIC};
	return stack_table_frame(frames->table, &frame);
}

static gboolean is_inside(const SymbolFrames *frames, guint module)
{
	SymbolizerReport report = symbolizer_report(frames->symbolizer, module);
	for (guint i = 0; report.path != NULL && i < frames->prefixes->len; i++)
		if (g_str_has_prefix(report.path, frames->prefixes->pdata[i]))
			return TRUE;
	return report.path == NULL;
}

/* Frame number `row` of the chain of an address, of which the first one has code of its own. */
static void note_code(const Resolving *resolving, guint32 address, const SymbolFrame *chain, guint row, FrameId frame)
{
	SymbolFrames *out = resolving->out;
	const SymbolFrame *symbol = &chain[row];
	const CodeFunction function = {chain[0].name, chain[0].raw_name, chain[0].file};
	CodePiece piece = {
	        .frame = frame,
	        .module = symbolizer_address_module(out->symbolizer, address),
	        .is_inlined = row > 0,
	        .symbol = code_pieces_symbol(out->code, &function),
	        .hash = chain[0].code_hash,
	        .place = {.file = source_file(out, symbol->file),
	                .first_line = symbol->line,
	                .last_line = symbol->last_line,
	                .hash = symbol->code_hash,
	                .sketch = symbol->code_sketch},
	};
	piece.is_inside = resolving->is_inside[piece.module];
	for (piece.side = 0; piece.side < N_SIDES; piece.side++)
		if ((resolving->sides[address] & 1u << piece.side) != 0)
			code_pieces_add(out->code, &piece);
}

static void resolve_address(Resolving *resolving, guint32 address)
{
	guint n;
	SymbolFrames *out = resolving->out;
	guint module = symbolizer_address_module(out->symbolizer, address);
	NameId module_name = g_array_index(resolving->module_names, NameId, module);
	const SymbolFrame *symbols = symbolizer_frames(out->symbolizer, address, &n);
	AddressFrames row = {.first = out->frames->len,
	        .is_start = n > 0 && out->files == NULL && g_str_equal(symbols[0].name, "_start")};
	for (guint i = 0; i < n; i++) {
		if (symbols[i].is_inlined && out->no_inline)
			continue;
		FrameId frame = intern_symbol(out, &symbols[i], module_name);
		out->has_own_code |= resolving->is_inside[module];
		if (out->with_code)
			note_code(resolving, address, symbols, i, frame);
		g_array_append_val(out->frames, frame);
	}
	if (n == 0) {
		FrameId frame = unknown_frame(out, address, module_name);
		g_array_append_val(out->frames, frame);
	}
	row.n = out->frames->len - row.first;
	g_array_append_val(out->addresses, row);
}

void symbol_frames_resolve(SymbolFrames *frames, const GArray *module_names, const guint8 *sides)
{
	guint n_modules = symbolizer_n_modules(frames->symbolizer);
	guint n_addresses = symbolizer_n_addresses(frames->symbolizer);
	g_autofree gboolean *inside = g_new0(gboolean, n_modules + 1);
	Resolving resolving = {frames, module_names, sides, inside};
	for (guint i = 0; i < n_modules; i++)
		inside[i] = is_inside(frames, i);
	for (guint32 i = 0; i < n_addresses; i++)
		resolve_address(&resolving, i);
}

const AddressFrames *symbol_frames_address(const SymbolFrames *frames, guint32 address)
{
	g_assert(address < frames->addresses->len);
	return &g_array_index(frames->addresses, AddressFrames, address);
}

const FrameId *symbol_frames_of(const SymbolFrames *frames, const AddressFrames *address)
{
	return &g_array_index(frames->frames, FrameId, address->first);
}

CodeFacts *symbol_frames_code_facts(const SymbolFrames *frames)
{
	return code_pieces_facts(frames->code, stack_table_n_frames(frames->table));
}
