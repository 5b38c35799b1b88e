/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/symbols/symbolprotocol.h"

#include "core/error.h"
#include "model/pairindex.h"

#include <string.h>

/* The rest of a body that is still to be read. */
typedef struct {
	const guint8 *at;
	gsize left;
} Cursor;

/* The next `n * size` bytes, or NULL if there are not so many. */
/* Dividing cannot overflow, where `n * size` of a foreign count could. */
static gconstpointer take(Cursor *cursor, gsize n, gsize size)
{
	if (n > cursor->left / size)
		return NULL;
	const guint8 *taken = cursor->at;
	cursor->at += n * size;
	cursor->left -= n * size;
	return taken;
}

static gboolean count_fits_kind(const SymbolRequestHead *head)
{
	switch (head->kind) {
	case SYMBOL_REQUEST_NAMES:
		return head->n_offsets <= SYMBOL_MAX_OFFSETS;
	case SYMBOL_REQUEST_UNWIND_ROWS:
	case SYMBOL_REQUEST_LISTING:
		return head->n_offsets == 1;
	case SYMBOL_REQUEST_INFO:
		return head->n_offsets == 0;
	default:
		return FALSE;
	}
}

gboolean symbol_request_body_bytes(const SymbolRequestHead *head, gsize *length)
{
	if (head->magic != SYMBOL_REQUEST_MAGIC || head->layout != SYMBOL_LAYOUT || !count_fits_kind(head) ||
	        head->path_bytes > SYMBOL_MAX_PATH || head->symfs_bytes > SYMBOL_MAX_PATH ||
	        head->build_id_bytes > SYMBOL_MAX_BUILD_ID)
		return FALSE;
	*length =
	        (gsize)head->n_offsets * sizeof(guint64) + head->path_bytes + head->symfs_bytes + head->build_id_bytes;
	return TRUE;
}

/* TRUE if an answer with names is within its limits, so that a child that was taken over cannot fill the parent's
 * memory. */
static gboolean names_are_within_limits(const SymbolAnswerHead *head, guint n_offsets)
{
	guint64 max_frames = MIN((guint64)n_offsets * SYMBOL_MAX_CHAIN, SYMBOL_MAX_FRAMES);
	guint64 max_text = MIN(SYMBOL_BASE_TEXT + (guint64)n_offsets * SYMBOL_OFFSET_TEXT, SYMBOL_MAX_TEXT);
	return head->n_frames <= max_frames && head->text_bytes <= max_text && head->n_first == n_offsets + 1 &&
	       head->n_rows == 0;
}

static gboolean answer_is_within_limits(const SymbolAnswerHead *head, guint n_offsets)
{
	if (head->kind == SYMBOL_ANSWER_NAMES)
		return names_are_within_limits(head, n_offsets);
	if (head->n_frames != 0 || head->n_first != 0)
		return FALSE;
	switch (head->kind) {
	case SYMBOL_ANSWER_ROWS:
		return head->n_rows <= SYMBOL_MAX_ROWS && head->text_bytes == 0;
	case SYMBOL_ANSWER_INFO:
		return head->n_rows == 0 && head->text_bytes <= SYMBOL_BASE_TEXT;
	case SYMBOL_ANSWER_LISTING:
		return head->n_rows <= LISTING_MAX_INSTRUCTIONS && head->text_bytes <= SYMBOL_BASE_TEXT;
	case SYMBOL_ANSWER_ERROR:
		return head->n_rows == 0 && head->text_bytes <= SYMBOL_MAX_MESSAGE;
	default:
		return FALSE;
	}
}

/* The bytes after a head that are neither texts nor frames: rows or instructions, or the information on a file. */
static gsize numbers_bytes(const SymbolAnswerHead *head)
{
	switch (head->kind) {
	case SYMBOL_ANSWER_ROWS:
		return head->n_rows * sizeof(UnwindRow);
	case SYMBOL_ANSWER_LISTING:
		return head->n_rows * sizeof(SymbolWireInstruction);
	case SYMBOL_ANSWER_INFO:
		return sizeof(SymbolWireInfo);
	default:
		return 0;
	}
}

gboolean symbol_answer_body_bytes(const SymbolAnswerHead *head, guint n_offsets, gsize *length)
{
	if (head->magic != SYMBOL_ANSWER_MAGIC || !answer_is_within_limits(head, n_offsets))
		return FALSE;
	*length = head->text_bytes + head->n_frames * sizeof(SymbolWireFrame) + head->n_first * sizeof(guint32) +
	          numbers_bytes(head);
	return TRUE;
}

static guint32 text_bytes(const char *text)
{
	return text != NULL ? (guint32)MIN(strlen(text), SYMBOL_MAX_PATH) + 1 : 0;
}

gboolean symbol_request_encode(GByteArray *bytes, const SymbolRequest *request)
{
	const ModuleSymbolsRequest *symbols = &request->symbols;
	const SymbolRequestHead head = {
	        .magic = SYMBOL_REQUEST_MAGIC,
	        .layout = SYMBOL_LAYOUT,
	        .kind = request->kind,
	        .path_bytes = text_bytes(symbols->path),
	        .build_id_bytes = symbols->build_id_length,
	        .symfs_bytes = text_bytes(symbols->symfs),
	        .flags = (symbols->with_lines ? SYMBOL_REQUEST_WITH_LINES : 0u) |
	                 (symbols->with_code ? SYMBOL_REQUEST_WITH_CODE : 0u) |
	                 (symbols->are_addresses ? SYMBOL_REQUEST_ADDRESSES : 0u),
	        .n_offsets = symbols->n_offsets,
	};
	gsize length;
	if (!symbol_request_body_bytes(&head, &length))
		return FALSE;
	g_byte_array_append(bytes, (const guint8 *)&head, sizeof head);
	/* numbers first, so that they are aligned */
	g_byte_array_append(bytes, (const guint8 *)symbols->offsets, (guint)(symbols->n_offsets * sizeof(guint64)));
	g_byte_array_append(bytes, (const guint8 *)symbols->path, head.path_bytes);
	g_byte_array_append(bytes, (const guint8 *)symbols->symfs, head.symfs_bytes);
	g_byte_array_append(bytes, symbols->build_id, head.build_id_bytes);
	return TRUE;
}

/* A text that ends with the only NUL in it, or NULL where its length is 0. */
static gboolean take_text(Cursor *cursor, guint32 length, const char **text)
{
	*text = NULL;
	if (length == 0)
		return TRUE;
	const char *taken = take(cursor, length, 1);
	if (taken == NULL || memchr(taken, '\0', length) != taken + length - 1)
		return FALSE;
	*text = taken;
	return TRUE;
}

gboolean symbol_request_decode(SymbolRequest *request, const SymbolRequestHead *head, const guint8 *body)
{
	Cursor cursor = {.at = body};
	ModuleSymbolsRequest symbols = {
	        .build_id_length = head->build_id_bytes,
	        .with_lines = (head->flags & SYMBOL_REQUEST_WITH_LINES) != 0,
	        .with_code = (head->flags & SYMBOL_REQUEST_WITH_CODE) != 0,
	        .are_addresses = (head->flags & SYMBOL_REQUEST_ADDRESSES) != 0,
	        .n_offsets = head->n_offsets,
	};
	if (!symbol_request_body_bytes(head, &cursor.left))
		return FALSE;
	symbols.offsets = take(&cursor, head->n_offsets, sizeof(guint64));
	if (symbols.offsets == NULL || !take_text(&cursor, head->path_bytes, &symbols.path) ||
	        !take_text(&cursor, head->symfs_bytes, &symbols.symfs) || symbols.path == NULL)
		return FALSE;
	symbols.build_id = take(&cursor, head->build_id_bytes, 1);
	for (guint i = 1; i < symbols.n_offsets; i++)
		if (symbols.offsets[i] <= symbols.offsets[i - 1])
			return FALSE;
	*request = (SymbolRequest){.kind = head->kind, .symbols = symbols};
	return TRUE;
}

/* Collects texts, each once if it has one address. */
typedef struct {
	GByteArray *text;
	PairIndex places; /* by address */
	GArray *offsets;  /* of guint32, by row of `places` */
} TextPacker;

static guint32 pack_text(TextPacker *packer, const char *text)
{
	gboolean is_new;
	if (text == NULL)
		return 0;
	guint32 row = pair_index_find_or_add(&packer->places, (guint64)(gsize)text, 0, &is_new);
	if (is_new) {
		gsize length = strlen(text) + 1;
		guint32 place = 0;
		if (packer->text->len + length <= SYMBOL_MAX_TEXT) {
			place = packer->text->len + 1;
			g_byte_array_append(packer->text, (const guint8 *)text, (guint)length);
		}
		g_array_append_val(packer->offsets, place);
	}
	return g_array_index(packer->offsets, guint32, row);
}

static SymbolWireFrame *pack_frames(TextPacker *packer, const ModuleSymbols *symbols)
{
	SymbolWireFrame *packed = g_new0(SymbolWireFrame, MAX(1, symbols->frames->len));
	for (guint i = 0; i < symbols->frames->len; i++) {
		const SymbolFrame *frame = &g_array_index(symbols->frames, SymbolFrame, i);
		packed[i] = (SymbolWireFrame){
		        .code_hash = frame->code_hash,
		        .code_sketch = frame->code_sketch,
		        .name = pack_text(packer, frame->name),
		        .raw_name = pack_text(packer, frame->raw_name),
		        .file = pack_text(packer, frame->file),
		        .at_file = pack_text(packer, frame->at_file),
		        .line = frame->line,
		        .at_line = frame->at_line,
		        .is_inlined = frame->is_inlined != FALSE,
		        .last_line = frame->last_line,
		};
	}
	return packed;
}

static TextPacker text_packer_new(void)
{
	return (TextPacker){
	        .text = g_byte_array_new(),
	        .offsets = g_array_new(FALSE, FALSE, sizeof(guint32)),
	};
}

static void text_packer_clear(TextPacker *packer)
{
	g_byte_array_unref(packer->text);
	g_array_unref(packer->offsets);
	pair_index_clear(&packer->places);
}

void symbol_answer_encode_names(GByteArray *bytes, const ModuleSymbols *symbols)
{
	TextPacker packer = text_packer_new();
	g_autofree SymbolWireFrame *frames = pack_frames(&packer, symbols);
	guint32 note = pack_text(&packer, symbols->note);
	const SymbolAnswerHead head = {
	        .magic = SYMBOL_ANSWER_MAGIC,
	        .kind = SYMBOL_ANSWER_NAMES,
	        .text_bytes = packer.text->len,
	        .n_frames = symbols->frames->len,
	        .n_first = symbols->first->len,
	        .n_unresolved = symbols->n_unresolved,
	        .flags = symbols->has_debug_info ? SYMBOL_ANSWER_HAS_DEBUG_INFO : 0,
	        .note = note,
	};
	g_byte_array_append(bytes, (const guint8 *)&head, sizeof head);
	g_byte_array_append(bytes, (const guint8 *)frames, (guint)(head.n_frames * sizeof(SymbolWireFrame)));
	g_byte_array_append(
	        bytes, (const guint8 *)symbols->first->data, (guint)(symbols->first->len * sizeof(guint32)));
	g_byte_array_append(bytes, packer.text->data, packer.text->len);
	text_packer_clear(&packer);
}

void symbol_answer_encode_rows(GByteArray *bytes, const GArray *rows)
{
	const SymbolAnswerHead head = {
	        .magic = SYMBOL_ANSWER_MAGIC,
	        .kind = SYMBOL_ANSWER_ROWS,
	        .n_rows = MIN(rows->len, SYMBOL_MAX_ROWS),
	};
	g_byte_array_append(bytes, (const guint8 *)&head, sizeof head);
	g_byte_array_append(bytes, (const guint8 *)rows->data, (guint)(head.n_rows * sizeof(UnwindRow)));
}

void symbol_answer_encode_info(GByteArray *bytes, const BinaryInfo *info)
{
	TextPacker packer = text_packer_new();
	const SymbolWireInfo wire = {
	        .has_symtab = info->has_symtab != FALSE,
	        .has_debug = info->has_debug != FALSE,
	        .n_units = info->n_units,
	        .n_units_silent = info->n_units_silent,
	        .n_units_unoptimised = info->n_units_unoptimised,
	        .n_units_no_frame_pointer = info->n_units_no_frame_pointer,
	        .build_id = pack_text(&packer, info->build_id),
	        .producer = pack_text(&packer, info->producer),
	        .producers = pack_text(&packer, info->producers),
	        .bare_producer = pack_text(&packer, info->bare_producer),
	};
	const SymbolAnswerHead head = {
	        .magic = SYMBOL_ANSWER_MAGIC,
	        .kind = SYMBOL_ANSWER_INFO,
	        .text_bytes = packer.text->len,
	};
	g_byte_array_append(bytes, (const guint8 *)&head, sizeof head);
	g_byte_array_append(bytes, (const guint8 *)&wire, sizeof wire);
	g_byte_array_append(bytes, packer.text->data, packer.text->len);
	text_packer_clear(&packer);
}

static SymbolWireInstruction pack_instruction(TextPacker *packer, const ListedInstruction *listed)
{
	return (SymbolWireInstruction){
	        .address = listed->address,
	        .offset = listed->offset,
	        .size = listed->size,
	        .line = listed->line,
	        .text = pack_text(packer, listed->text),
	        .key = pack_text(packer, listed->key),
	        .file = pack_text(packer, listed->file),
	};
}

void symbol_answer_encode_listing(GByteArray *bytes, const FunctionListing *listing)
{
	TextPacker packer = text_packer_new();
	guint n = MIN(listing->instructions->len, LISTING_MAX_INSTRUCTIONS);
	g_autofree SymbolWireInstruction *wire = g_new0(SymbolWireInstruction, MAX(1, n));
	for (guint i = 0; i < n; i++)
		wire[i] = pack_instruction(&packer, &g_array_index(listing->instructions, ListedInstruction, i));
	guint32 name = pack_text(&packer, listing->name), note = pack_text(&packer, listing->note);
	const SymbolAnswerHead head = {
	        .magic = SYMBOL_ANSWER_MAGIC,
	        .kind = SYMBOL_ANSWER_LISTING,
	        .text_bytes = packer.text->len,
	        .n_rows = n,
	        .flags = listing->is_cut ? SYMBOL_ANSWER_IS_CUT : 0,
	        .name = name,
	        .note = note,
	};
	g_byte_array_append(bytes, (const guint8 *)&head, sizeof head);
	g_byte_array_append(bytes, (const guint8 *)wire, (guint)(n * sizeof *wire));
	g_byte_array_append(bytes, packer.text->data, packer.text->len);
	text_packer_clear(&packer);
}

void symbol_answer_encode_error(GByteArray *bytes, const GError *error)
{
	const SymbolAnswerHead head = {
	        .magic = SYMBOL_ANSWER_MAGIC,
	        .kind = SYMBOL_ANSWER_ERROR,
	        .text_bytes = (guint32)MIN(strlen(error->message), SYMBOL_MAX_MESSAGE),
	        .error_code = error->domain == FIREBREAK_ERROR ? (guint32)error->code : FIREBREAK_ERROR_INVALID,
	};
	g_byte_array_append(bytes, (const guint8 *)&head, sizeof head);
	g_byte_array_append(bytes, (const guint8 *)error->message, head.text_bytes);
}

/* The texts of an answer; places are checked against it. */
typedef struct {
	const char *text;
	guint32 length;
	gboolean is_bad;
} TextPlaces;

static const char *text_at(TextPlaces *places, guint32 place)
{
	if (place == 0)
		return NULL;
	if (place <= places->length)
		return places->text + place - 1;
	places->is_bad = TRUE;
	return NULL;
}

/* FALSE if a frame has no name, or a text is none. */
static gboolean decode_frames(ModuleSymbols *symbols, const SymbolWireFrame *wire, guint n, TextPlaces *places)
{
	g_array_set_size(symbols->frames, n);
	for (guint i = 0; i < n; i++) {
		const SymbolFrame frame = {
		        .name = text_at(places, wire[i].name),
		        .raw_name = text_at(places, wire[i].raw_name),
		        .file = text_at(places, wire[i].file),
		        .line = wire[i].line,
		        .at_file = text_at(places, wire[i].at_file),
		        .at_line = wire[i].at_line,
		        .is_inlined = wire[i].is_inlined != 0,
		        .last_line = wire[i].last_line,
		        .code_hash = wire[i].code_hash,
		        .code_sketch = wire[i].code_sketch,
		};
		if (frame.name == NULL || frame.raw_name == NULL || places->is_bad)
			return FALSE;
		g_array_index(symbols->frames, SymbolFrame, i) = frame;
	}
	return TRUE;
}

static gboolean first_is_sound(const guint32 *first, guint n_first, guint n_frames)
{
	for (guint i = 1; i < n_first; i++)
		if (first[i] < first[i - 1])
			return FALSE;
	return first[0] == 0 && first[n_first - 1] == n_frames;
}

gboolean symbol_answer_decode_names(
        ModuleSymbols *symbols, const SymbolAnswerHead *head, const guint8 *body, guint n_offsets)
{
	Cursor cursor = {.at = body};
	if (!symbol_answer_body_bytes(head, n_offsets, &cursor.left) || head->kind != SYMBOL_ANSWER_NAMES ||
	        head->n_unresolved > n_offsets)
		return FALSE;
	const SymbolWireFrame *wire = take(&cursor, head->n_frames, sizeof *wire);
	const guint32 *first = take(&cursor, head->n_first, sizeof *first);
	const char *text = take(&cursor, head->text_bytes, 1);
	if (wire == NULL || first == NULL || text == NULL || !first_is_sound(first, head->n_first, head->n_frames) ||
	        (head->text_bytes > 0 && text[head->text_bytes - 1] != '\0'))
		return FALSE;
	ModuleSymbols decoded = {
	        .text = g_string_chunk_new(MAX(head->text_bytes, 1)),
	        .frames = g_array_new(FALSE, FALSE, sizeof(SymbolFrame)),
	        .first = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .has_debug_info = (head->flags & SYMBOL_ANSWER_HAS_DEBUG_INFO) != 0,
	        .n_unresolved = head->n_unresolved,
	};
	TextPlaces places = {.length = head->text_bytes};
	places.text = g_string_chunk_insert_len(decoded.text, text, head->text_bytes);
	g_array_append_vals(decoded.first, first, head->n_first);
	decoded.note = text_at(&places, head->note);
	gboolean ok = decode_frames(&decoded, wire, head->n_frames, &places) && !places.is_bad;
	if (ok)
		*symbols = decoded;
	else
		module_symbols_clear(&decoded);
	return ok;
}

static gboolean rule_is_sound(const UnwindRule *rule)
{
	return rule->kind <= UNWIND_IN_REGISTER && rule->number < UNWIND_REGISTERS;
}

/* Kinds and numbers index tables of the walk, so one that is out of range would read beyond them. */
static gboolean row_is_sound(const UnwindRow *row)
{
	for (guint i = 0; i < UNWIND_REGISTERS; i++)
		if (!rule_is_sound(&row->rules[i]))
			return FALSE;
	return row->start < row->end && row->frame_kind <= UNWIND_FRAME_PLT && row->is_signal <= 1 &&
	       row->frame_register < UNWIND_REGISTERS && row->return_column < UNWIND_REGISTERS;
}

gboolean symbol_answer_decode_rows(GArray *rows, const SymbolAnswerHead *head, const guint8 *body)
{
	Cursor cursor = {.at = body};
	if (!symbol_answer_body_bytes(head, 0, &cursor.left) || head->kind != SYMBOL_ANSWER_ROWS || head->n_rows == 0)
		return FALSE;
	const UnwindRow *wire = take(&cursor, head->n_rows, sizeof *wire);
	for (guint i = 0; i < head->n_rows; i++)
		if (!row_is_sound(&wire[i]) || (i > 0 && wire[i].start < wire[i - 1].end))
			return FALSE;
	g_array_append_vals(rows, wire, head->n_rows);
	return TRUE;
}

static gboolean is_hex(const char *text)
{
	return text == NULL || strspn(text, "0123456789abcdef") == strlen(text);
}

gboolean symbol_answer_decode_info(BinaryInfo *info, const SymbolAnswerHead *head, const guint8 *body)
{
	Cursor cursor = {.at = body};
	SymbolWireInfo wire;
	if (!symbol_answer_body_bytes(head, 0, &cursor.left) || head->kind != SYMBOL_ANSWER_INFO)
		return FALSE;
	memcpy(&wire, take(&cursor, 1, sizeof wire), sizeof wire);
	TextPlaces places = {.text = (const char *)cursor.at, .length = head->text_bytes};
	if (head->text_bytes > 0 && places.text[head->text_bytes - 1] != '\0')
		return FALSE;
	const char *build_id = text_at(&places, wire.build_id), *producer = text_at(&places, wire.producer);
	const char *producers = text_at(&places, wire.producers), *bare = text_at(&places, wire.bare_producer);
	if (places.is_bad || !is_hex(build_id) || wire.n_units_silent > wire.n_units ||
	        wire.n_units_unoptimised > wire.n_units || wire.n_units_no_frame_pointer > wire.n_units)
		return FALSE;
	*info = (BinaryInfo){
	        .has_symtab = wire.has_symtab != 0,
	        .has_debug = wire.has_debug != 0,
	        .build_id = g_strdup(build_id),
	        .n_units = wire.n_units,
	        .n_units_silent = wire.n_units_silent,
	        .n_units_unoptimised = wire.n_units_unoptimised,
	        .n_units_no_frame_pointer = wire.n_units_no_frame_pointer,
	        .producer = g_strdup(producer),
	        .producers = g_strdup(producers),
	        .bare_producer = g_strdup(bare),
	};
	return TRUE;
}

/* TRUE of a text that keeps what model/functionlisting.h promises. */
static gboolean is_listing_text(const char *text)
{
	enum { MAX_BYTES = 4 * LISTING_MAX_TEXT };
	gsize length = text != NULL ? strnlen(text, MAX_BYTES + 1) : 0;
	if (text == NULL || length > MAX_BYTES || !g_utf8_validate(text, (gssize)length, NULL) ||
	        g_utf8_strlen(text, (gssize)length) > LISTING_MAX_TEXT)
		return FALSE;
	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at))
		if (g_unichar_iscntrl(g_utf8_get_char(at)))
			return FALSE;
	return TRUE;
}

static gboolean is_listing_file(const char *file)
{
	gsize length = file != NULL ? strnlen(file, LISTING_MAX_FILE + 1) : 0;
	return length <= LISTING_MAX_FILE && (file == NULL || g_utf8_validate(file, (gssize)length, NULL));
}

static gboolean decode_instructions(
        FunctionListing *listing, const SymbolWireInstruction *wire, guint n, TextPlaces *places)
{
	for (guint i = 0; i < n; i++) {
		const ListedInstruction listed = {
		        .address = wire[i].address,
		        .offset = wire[i].offset,
		        .size = wire[i].size,
		        .line = wire[i].line,
		        .text = text_at(places, wire[i].text),
		        .key = text_at(places, wire[i].key),
		        .file = text_at(places, wire[i].file),
		};
		if (places->is_bad || !is_listing_text(listed.text) || !is_listing_text(listed.key) ||
		        !is_listing_file(listed.file) || listed.size == 0 ||
		        listed.size > LISTING_MAX_INSTRUCTION_BYTES)
			return FALSE;
		g_array_append_val(listing->instructions, listed);
	}
	return TRUE;
}

gboolean symbol_answer_decode_listing(FunctionListing *listing, const SymbolAnswerHead *head, const guint8 *body)
{
	Cursor cursor = {.at = body};
	if (!symbol_answer_body_bytes(head, 1, &cursor.left) || head->kind != SYMBOL_ANSWER_LISTING ||
	        head->n_rows == 0)
		return FALSE;
	const SymbolWireInstruction *wire = take(&cursor, head->n_rows, sizeof *wire);
	const char *text = take(&cursor, head->text_bytes, 1);
	if (wire == NULL || text == NULL || head->text_bytes == 0 || text[head->text_bytes - 1] != '\0')
		return FALSE;
	FunctionListing decoded = {
	        .text = g_string_chunk_new(head->text_bytes),
	        .instructions = g_array_new(FALSE, FALSE, sizeof(ListedInstruction)),
	        .is_cut = (head->flags & SYMBOL_ANSWER_IS_CUT) != 0,
	};
	TextPlaces places = {.length = head->text_bytes};
	places.text = g_string_chunk_insert_len(decoded.text, text, head->text_bytes);
	decoded.name = text_at(&places, head->name);
	decoded.note = text_at(&places, head->note);
	gboolean ok = decode_instructions(&decoded, wire, head->n_rows, &places) && !places.is_bad &&
	              is_listing_text(decoded.name) && (decoded.note == NULL || is_listing_text(decoded.note));
	if (ok)
		*listing = decoded;
	else
		function_listing_clear(&decoded);
	return ok;
}

void symbol_answer_decode_error(const SymbolAnswerHead *head, const guint8 *body, GError **error)
{
	gboolean is_known =
	        head->error_code == FIREBREAK_ERROR_STORAGE || head->error_code == FIREBREAK_ERROR_ENVIRONMENT;
	g_autofree char *message = g_strndup((const char *)body, head->text_bytes);
	/* The child may say anything once foreign code has taken it over, and the message goes to terminals and
	 * reports. */
	for (char *c = message; *c != '\0'; c++)
		if (!g_ascii_isprint(*c))
			*c = '?';
	g_set_error_literal(
	        error, FIREBREAK_ERROR, is_known ? (gint)head->error_code : FIREBREAK_ERROR_INVALID, message);
}
