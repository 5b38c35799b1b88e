/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/codepieces.h"

#include "model/canonical.h"

#include <string.h>

struct CodePieces {
	GPtrArray *all;      /* of CodePiece, in the order in which they came */
	GHashTable *index;   /* the same, as a set */
	GStringChunk *text;  /* of symbols; equal ones have one address */
	GHashTable *symbols; /* CodeFunction, by its addresses -> symbol */
};

/* Multiplying by 2^64 / phi (Knuth, The Art of Computer Programming, 6.4) mixes upwards, so the upper half is used. */
static guint64 mix(guint64 hash, guint64 value)
{
	return (hash ^ value) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
}

static guint function_hash(gconstpointer key)
{
	const CodeFunction *function = key;
	guint64 hash = mix((guint64)(gsize)function->linkage_name, (guint64)(gsize)function->file);
	return (guint)(mix(hash, (guint64)(gsize)function->name) >> 32);
}

static gboolean function_equal(gconstpointer a, gconstpointer b)
{
	const CodeFunction *x = a, *y = b;
	return x->linkage_name == y->linkage_name && x->file == y->file && x->name == y->name;
}

static guint piece_hash(gconstpointer key)
{
	const CodePiece *piece = key;
	guint64 hash = mix(piece->frame.index, (guint64)piece->module << 32 | piece->place.file.index);
	hash = mix(mix(hash, piece->hash), (guint64)(gsize)piece->symbol);
	return (guint)(mix(hash, (guint64)piece->side << 1 | (piece->is_inlined != FALSE)) >> 32);
}

static gboolean piece_equal(gconstpointer a, gconstpointer b)
{
	const CodePiece *x = a, *y = b;
	return x->frame.index == y->frame.index && x->side == y->side && x->module == y->module &&
	       x->is_inlined == y->is_inlined && x->symbol == y->symbol && x->hash == y->hash &&
	       x->place.file.index == y->place.file.index;
}

CodePieces *code_pieces_new(void)
{
	CodePieces *pieces = g_new0(CodePieces, 1);
	pieces->all = g_ptr_array_new_with_free_func(g_free);
	pieces->index = g_hash_table_new(piece_hash, piece_equal);
	pieces->text = g_string_chunk_new(4096);
	pieces->symbols = g_hash_table_new_full(function_hash, function_equal, g_free, NULL);
	return pieces;
}

void code_pieces_free(CodePieces *pieces)
{
	if (pieces == NULL)
		return;
	g_hash_table_unref(pieces->index);
	g_hash_table_unref(pieces->symbols);
	g_ptr_array_unref(pieces->all);
	g_string_chunk_free(pieces->text);
	g_free(pieces);
}

/* Appends the suffix that the compiler gave to a linkage name, without digits. A compiler numbers its clones
 * (`.constprop.0`, `.part.1`) as it makes them, so an edit elsewhere in the file changes the number of one whose code
 * is the same. From '@' on stands the version of a symbol, which is no suffix. */
static void append_suffix(GString *symbol, const char *linkage_name)
{
	g_autofree char *cut = canonical_linkage_name(linkage_name);
	const char *version = strchr(linkage_name, '@');
	for (const char *at = linkage_name + strlen(cut); *at != '\0' && at != version; at++)
		if (!g_ascii_isdigit(*at))
			g_string_append_c(symbol, *at);
}

const char *code_pieces_symbol(CodePieces *pieces, const CodeFunction *function)
{
	const char *known = g_hash_table_lookup(pieces->symbols, function);
	if (known != NULL)
		return known;
	GString *symbol = g_string_new(NULL);
	if (function->file != NULL) {
		g_autofree char *file = g_path_get_basename(function->file);
		g_string_append_printf(symbol, "%s ", file);
	}
	g_string_append(symbol, function->name);
	append_suffix(symbol, function->linkage_name);
	known = g_string_chunk_insert_const(pieces->text, symbol->str);
	g_hash_table_insert(pieces->symbols, g_memdup2(function, sizeof *function), (gpointer)known);
	g_string_free(symbol, TRUE);
	return known;
}

/* Lines that are not known do not widen a range. */
static void widen(CodePlace *place, const CodePlace *by)
{
	if (by->first_line != 0 && (place->first_line == 0 || by->first_line < place->first_line))
		place->first_line = by->first_line;
	place->last_line = MAX(place->last_line, by->last_line);
}

void code_pieces_add(CodePieces *pieces, const CodePiece *piece)
{
	g_assert(piece->side < N_SIDES);
	CodePiece *known = g_hash_table_lookup(pieces->index, piece);
	if (known != NULL) {
		widen(&known->place, &piece->place);
		return;
	}
	CodePiece *copy = g_new(CodePiece, 1);
	*copy = *piece;
	g_ptr_array_add(pieces->all, copy);
	g_hash_table_add(pieces->index, copy);
}

static void place_frames(const CodePieces *pieces, CodeFacts *facts)
{
	for (guint i = 0; i < pieces->all->len; i++) {
		const CodePiece *piece = pieces->all->pdata[i];
		if (piece->frame.index >= facts->n_frames)
			continue;
		CodePlace *place = &facts->places[piece->side][piece->frame.index];
		if (place->file.index == 0) {
			place->file = piece->place.file;
			place->first_line = place->last_line = 0;
		}
		if (place->file.index == piece->place.file.index)
			widen(place, &piece->place);
		if (place->hash == 0) {
			place->hash = piece->place.hash;
			place->sketch = piece->place.sketch;
		}
	}
}

static gint compare_numbers(guint64 a, guint64 b)
{
	return (a > b) - (a < b);
}

/* Puts the pieces of a frame together, in them those of a function, and in them those of a hash. */
static gint compare_pieces(gconstpointer a, gconstpointer b)
{
	const CodePiece *x = *(CodePiece *const *)a, *y = *(CodePiece *const *)b;
	const gint orders[] = {
	        compare_numbers(x->frame.index, y->frame.index),
	        compare_numbers(x->is_inlined != FALSE, y->is_inlined != FALSE),
	        x->symbol != y->symbol ? g_strcmp0(x->symbol, y->symbol) : 0,
	        compare_numbers(x->hash, y->hash),
	};
	for (guint i = 0; i < G_N_ELEMENTS(orders); i++)
		if (orders[i] != 0)
			return orders[i];
	return 0;
}

static gboolean is_same_function(const CodePiece *a, const CodePiece *b)
{
	return a->frame.index == b->frame.index && a->is_inlined == b->is_inlined && a->symbol == b->symbol;
}

/* Judges one function, whose `n` pieces are in order of their hashes. */
static CodeIdentity judge_function(CodePiece *const *pieces, guint n)
{
	enum { HEAD_ONLY = 2, BOTH = 3 };
	guint seen = 0, n_hashes[BOTH + 1] = {0}; /* of base only, head only, both */
	for (guint i = 0, sides = 0; i < n; i++) {
		/* Of code without a hash nobody knows if it is the same, whatever the other pieces show. */
		if (pieces[i]->hash == 0)
			return CODE_UNKNOWN;
		sides |= 1u << pieces[i]->side;
		seen |= sides;
		if (i + 1 < n && pieces[i + 1]->hash == pieces[i]->hash)
			continue;
		n_hashes[sides]++;
		sides = 0;
	}
	if (seen != BOTH)
		return CODE_UNKNOWN;
	gboolean includes = n_hashes[BOTH] > 0 && n_hashes[HEAD_ONLY] == 0;
	if (includes)
		return CODE_SAME;
	return pieces[0]->is_inlined ? CODE_UNKNOWN : CODE_CHANGED;
}

static gboolean is_one_file_outside(CodePiece *const *pieces, guint n)
{
	for (guint i = 0; i < n; i++)
		if (pieces[i]->is_inside || pieces[i]->module != pieces[0]->module)
			return FALSE;
	return TRUE;
}

/* Judges one frame of the checkouts, whose `n` pieces are in order of their functions. */
static CodeIdentity judge_frame(CodePiece *const *pieces, guint n)
{
	gboolean is_known = TRUE, is_changed = FALSE;
	for (guint from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && is_same_function(pieces[from], pieces[to]);)
			to++;
		CodeIdentity identity = judge_function(pieces + from, to - from);
		is_changed |= identity == CODE_CHANGED;
		is_known &= identity != CODE_UNKNOWN;
	}
	return is_changed ? CODE_CHANGED : is_known ? CODE_SAME : CODE_UNKNOWN;
}

static void judge_frames(GPtrArray *sorted, CodeFacts *facts)
{
	CodePiece *const *all = (CodePiece *const *)sorted->pdata;
	for (guint from = 0, to; from < sorted->len; from = to) {
		guint32 frame = all[from]->frame.index;
		for (to = from + 1; to < sorted->len && all[to]->frame.index == frame;)
			to++;
		if (frame >= facts->n_frames)
			continue;
		facts->is_outside[frame] = is_one_file_outside(all + from, to - from);
		facts->identity[frame] = facts->is_outside[frame] ? CODE_SAME : judge_frame(all + from, to - from);
	}
}

CodeFacts *code_pieces_facts(const CodePieces *pieces, guint n_frames)
{
	CodeFacts *facts = code_facts_new(n_frames);
	g_autoptr(GPtrArray) sorted = g_ptr_array_sized_new(pieces->all->len);
	for (guint i = 0; i < pieces->all->len; i++)
		g_ptr_array_add(sorted, pieces->all->pdata[i]);
	g_ptr_array_sort(sorted, compare_pieces);
	judge_frames(sorted, facts);
	place_frames(pieces, facts);
	return facts;
}
