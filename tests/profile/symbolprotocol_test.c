/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/symbols/symbolprotocol.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Two offsets: one with two frames, one with none. */
static ModuleSymbols example_symbols(void)
{
	ModuleSymbols symbols = {
	        .text = g_string_chunk_new(64),
	        .frames = g_array_new(FALSE, FALSE, sizeof(SymbolFrame)),
	        .first = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .has_debug_info = TRUE,
	        .n_unresolved = 1,
	        .note = "a note",
	};
	const SymbolFrame frames[] = {
	        {"outer", "_Z5outerv", "a.c", 3, "a.c", 5, FALSE, 8, 77, 78},
	        {"inner", "_Z5innerv", NULL, 0, "b.h", 9, TRUE, 0, 0, 0},
	};
	const guint32 first[] = {0, 2, 2};
	g_array_append_vals(symbols.frames, frames, 2);
	g_array_append_vals(symbols.first, first, 3);
	return symbols;
}

static GByteArray *encoded_example(void)
{
	GByteArray *bytes = g_byte_array_new();
	ModuleSymbols symbols = example_symbols();
	symbol_answer_encode_names(bytes, &symbols);
	module_symbols_clear(&symbols);
	return bytes;
}

/* Decodes what a parent would: head, announced length, body. */
static gboolean decode(const guint8 *bytes, gsize length, ModuleSymbols *symbols, guint n_offsets)
{
	SymbolAnswerHead head;
	gsize announced;
	if (length < sizeof head)
		return FALSE;
	memcpy(&head, bytes, sizeof head);
	if (!symbol_answer_body_bytes(&head, n_offsets, &announced) || announced > length - sizeof head)
		return FALSE;
	g_autofree guint8 *body = g_malloc(announced + 1);
	memcpy(body, bytes + sizeof head, announced);
	return symbol_answer_decode_names(symbols, &head, body, n_offsets);
}

static void names_come_back_as_they_were(void **state)
{
	(void)state;
	ModuleSymbols symbols = {0};
	g_autoptr(GByteArray) bytes = encoded_example();
	assert_true(decode(bytes->data, bytes->len, &symbols, 2));
	const SymbolFrame *frames = (const SymbolFrame *)(gpointer)symbols.frames->data;
	assert_int_equal(symbols.frames->len, 2);
	assert_string_equal(frames[0].name, "outer");
	assert_string_equal(frames[0].raw_name, "_Z5outerv");
	assert_string_equal(frames[0].file, "a.c");
	assert_int_equal(frames[0].line, 3);
	assert_string_equal(frames[1].at_file, "b.h");
	assert_int_equal(frames[1].at_line, 9);
	assert_null(frames[1].file);
	assert_int_equal(frames[0].code_hash, 77);
	assert_int_equal(frames[0].code_sketch, 78);
	assert_int_equal(frames[0].last_line, 8);
	assert_true(frames[1].is_inlined && !frames[0].is_inlined);
	assert_int_equal(g_array_index(symbols.first, guint32, 2), 2);
	assert_true(symbols.has_debug_info);
	assert_int_equal(symbols.n_unresolved, 1);
	assert_string_equal(symbols.note, "a note");
	module_symbols_clear(&symbols);
}

static void an_answer_to_another_request_is_refused(void **state)
{
	(void)state;
	ModuleSymbols symbols = {0};
	g_autoptr(GByteArray) bytes = encoded_example();
	assert_false(decode(bytes->data, bytes->len, &symbols, 1));
	assert_false(decode(bytes->data, bytes->len, &symbols, 3));
	assert_null(symbols.frames);
}

/* An answer that is accepted can be read: every text ends within the answer. */
static void read_all(const ModuleSymbols *symbols)
{
	gsize length = 0;
	for (guint i = 0; i < symbols->frames->len; i++) {
		const SymbolFrame *frame = &g_array_index(symbols->frames, SymbolFrame, i);
		const char *texts[] = {frame->name, frame->raw_name, frame->file, frame->at_file, symbols->note};
		for (guint t = 0; t < G_N_ELEMENTS(texts); t++)
			length += texts[t] != NULL ? strlen(texts[t]) : 0;
	}
	assert_true(length < 4096);
}

static void every_changed_byte_is_refused_or_harmless(void **state)
{
	(void)state;
	guint n_refused = 0, n_accepted = 0;
	g_autoptr(GByteArray) bytes = encoded_example();
	for (guint i = 0; i < bytes->len; i++)
		for (guint bit = 0; bit < 8; bit++) {
			ModuleSymbols symbols = {0};
			bytes->data[i] ^= (guint8)(1 << bit);
			if (decode(bytes->data, bytes->len, &symbols, 2)) {
				read_all(&symbols);
				n_accepted++;
			} else {
				assert_null(symbols.frames);
				n_refused++;
			}
			bytes->data[i] ^= (guint8)(1 << bit);
			module_symbols_clear(&symbols);
		}
	assert_true(n_refused > 0 && n_accepted > 0);
}

static void heads_beyond_the_limits_announce_nothing(void **state)
{
	(void)state;
	gsize length;
	const SymbolAnswerHead answers[] = {
	        {.magic = SYMBOL_REQUEST_MAGIC, .kind = SYMBOL_ANSWER_NAMES},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = 9},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_ANSWER_NAMES, .n_first = 5, .text_bytes = G_MAXUINT32},
	        {.magic = SYMBOL_ANSWER_MAGIC,
	                .kind = SYMBOL_ANSWER_NAMES,
	                .n_first = 5,
	                .n_frames = 4 * SYMBOL_MAX_CHAIN + 1},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_ANSWER_INFO, .n_frames = 1},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_ANSWER_NAMES, .n_first = G_MAXUINT32},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_ANSWER_ROWS, .n_rows = G_MAXUINT32},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_ANSWER_LISTING, .n_rows = LISTING_MAX_INSTRUCTIONS + 1},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_ANSWER_LISTING, .text_bytes = SYMBOL_BASE_TEXT + 1},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_ANSWER_LISTING, .n_first = 2},
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_ANSWER_ERROR, .text_bytes = SYMBOL_MAX_MESSAGE + 1},
	};
	for (guint i = 0; i < G_N_ELEMENTS(answers); i++)
		assert_false(symbol_answer_body_bytes(&answers[i], 4, &length));
	const SymbolRequestHead requests[] = {
	        {.magic = SYMBOL_ANSWER_MAGIC, .kind = SYMBOL_REQUEST_NAMES},
	        {.magic = SYMBOL_REQUEST_MAGIC, .kind = 0},
	        {.magic = SYMBOL_REQUEST_MAGIC, .kind = SYMBOL_REQUEST_NAMES, .path_bytes = G_MAXUINT32},
	        {.magic = SYMBOL_REQUEST_MAGIC, .kind = SYMBOL_REQUEST_NAMES, .n_offsets = G_MAXUINT32},
	        {.magic = SYMBOL_REQUEST_MAGIC, .kind = SYMBOL_REQUEST_UNWIND_ROWS, .n_offsets = 2},
	        {.magic = SYMBOL_REQUEST_MAGIC, .kind = SYMBOL_REQUEST_LISTING, .n_offsets = 0},
	};
	for (guint i = 0; i < G_N_ELEMENTS(requests); i++)
		assert_false(symbol_request_body_bytes(&requests[i], &length));
}

static void a_request_comes_back_as_it_was(void **state)
{
	(void)state;
	static const guint64 offsets[] = {1, 5, 9};
	static const guint8 build_id[] = {1, 2, 3, 4};
	const SymbolRequest sent = {
	        .kind = SYMBOL_REQUEST_NAMES,
	        .symbols = {.path = "/x/y",
	                .symfs = "/root",
	                .build_id = build_id,
	                .build_id_length = 4,
	                .with_code = TRUE,
	                .are_addresses = TRUE,
	                .offsets = offsets,
	                .n_offsets = 3},
	};
	SymbolRequest received;
	SymbolRequestHead head;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	assert_true(symbol_request_encode(bytes, &sent));
	memcpy(&head, bytes->data, sizeof head);
	assert_true(symbol_request_decode(&received, &head, bytes->data + sizeof head));
	assert_string_equal(received.symbols.path, "/x/y");
	assert_string_equal(received.symbols.symfs, "/root");
	assert_memory_equal(received.symbols.build_id, build_id, 4);
	assert_memory_equal(received.symbols.offsets, offsets, sizeof offsets);
	assert_true(received.symbols.with_code && !received.symbols.with_lines);
	assert_true(received.symbols.are_addresses);
	/* a path that is not ended, and offsets out of order */
	bytes->data[sizeof head + sizeof offsets + 4] = 'z';
	assert_false(symbol_request_decode(&received, &head, bytes->data + sizeof head));
	bytes->data[sizeof head + sizeof offsets + 4] = '\0';
	bytes->data[sizeof head] = 7;
	assert_false(symbol_request_decode(&received, &head, bytes->data + sizeof head));
}

static void a_path_that_is_too_long_is_not_sent(void **state)
{
	(void)state;
	static const guint64 offset = 1;
	g_autofree char *path = g_strnfill(SYMBOL_MAX_PATH + 10, 'x');
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	const SymbolRequest request = {
	        .kind = SYMBOL_REQUEST_NAMES, .symbols = {.path = path, .offsets = &offset, .n_offsets = 1}};
	assert_false(symbol_request_encode(bytes, &request));
}

static gboolean rows_are_accepted(const UnwindRow *rows, guint n)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autoptr(GArray) sent = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	g_autoptr(GArray) received = g_array_new(FALSE, FALSE, sizeof(UnwindRow));
	SymbolAnswerHead head;
	g_array_append_vals(sent, rows, n);
	symbol_answer_encode_rows(bytes, sent);
	memcpy(&head, bytes->data, sizeof head);
	gboolean ok = symbol_answer_decode_rows(received, &head, bytes->data + sizeof head);
	assert_int_equal(received->len, ok ? n : 0);
	return ok;
}

static void unwind_rows_are_checked_one_by_one(void **state)
{
	(void)state;
	const UnwindRow good[] = {{.start = 16, .end = 32}, {.start = 32, .end = 48, .frame_kind = UNWIND_FRAME_PLT}};
	assert_true(rows_are_accepted(good, 2));
	assert_false(rows_are_accepted(good, 0));
	UnwindRow bad[] = {good[0], good[0], good[0], good[0], good[0], good[0]};
	bad[0].end = 16;
	bad[1].frame_kind = 200;
	bad[2].frame_register = UNWIND_REGISTERS;
	bad[3].return_column = UNWIND_REGISTERS;
	bad[4].rules[32].kind = 100;
	bad[5].rules[0].number = UNWIND_REGISTERS;
	for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
		assert_false(rows_are_accepted(&bad[i], 1));
	const UnwindRow overlapping[] = {{.start = 16, .end = 32}, {.start = 31, .end = 48}};
	assert_false(rows_are_accepted(overlapping, 2));
}

static gboolean decode_info(const guint8 *bytes, BinaryInfo *info)
{
	SymbolAnswerHead head;
	gsize length;
	memcpy(&head, bytes, sizeof head);
	if (!symbol_answer_body_bytes(&head, 0, &length))
		return FALSE;
	g_autofree guint8 *body = g_malloc0(length + 1);
	memcpy(body, bytes + sizeof head, MIN(length, sizeof(SymbolWireInfo) + 16));
	return symbol_answer_decode_info(info, &head, body);
}

static void how_a_file_was_built_comes_back_and_is_checked(void **state)
{
	(void)state;
	BinaryInfo info = {0};
	const BinaryInfo sent = {.has_debug = TRUE,
	        .build_id = (char *)"c0ffee",
	        .n_units = 3,
	        .n_units_silent = 1,
	        .producer = (char *)"GNU C17"};
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	symbol_answer_encode_info(bytes, &sent);
	assert_int_equal(bytes->len, sizeof(SymbolAnswerHead) + sizeof(SymbolWireInfo) + 15);
	g_byte_array_append(bytes, (const guint8 *)"\0", 1);
	assert_true(decode_info(bytes->data, &info));
	assert_string_equal(info.build_id, "c0ffee");
	assert_string_equal(info.producer, "GNU C17");
	assert_true(info.has_debug && !info.has_symtab);
	assert_int_equal(info.n_units, 3);
	assert_int_equal(info.n_units_silent, 1);
	binary_info_clear(&info);
	SymbolWireInfo *wire = (SymbolWireInfo *)(gpointer)(bytes->data + sizeof(SymbolAnswerHead));
	wire->n_units_silent = 4;
	assert_false(decode_info(bytes->data, &info));
	wire->n_units_silent = 1;
	wire->producer = 17;
	assert_false(decode_info(bytes->data, &info));
	wire->producer = 1;
	wire->build_id = 8;
	assert_false(decode_info(bytes->data, &info));
}

static GByteArray *encoded_listing(const ListedInstruction *instructions, guint n, const char *name)
{
	GByteArray *bytes = g_byte_array_new();
	FunctionListing listing = {
	        .instructions = g_array_new(FALSE, FALSE, sizeof(ListedInstruction)),
	        .name = name,
	        .note = "a note",
	        .is_cut = TRUE,
	};
	g_array_append_vals(listing.instructions, instructions, n);
	symbol_answer_encode_listing(bytes, &listing);
	function_listing_clear(&listing);
	return bytes;
}

static GByteArray *encoded_example_listing(void)
{
	const ListedInstruction instructions[] = {
	        {0x1000, 0x400, 5, 7, "call helper+0x10", "call helper+", "/x/a.c"},
	        {0x1005, 0x405, 1, 0, "ret", "ret", NULL},
	};
	return encoded_listing(instructions, 2, "probe");
}

/* As decode(). */
static gboolean decode_listing(const guint8 *bytes, gsize length, FunctionListing *listing)
{
	SymbolAnswerHead head;
	gsize announced;
	memcpy(&head, bytes, sizeof head);
	if (!symbol_answer_body_bytes(&head, 1, &announced) || announced > length - sizeof head)
		return FALSE;
	g_autofree guint8 *body = g_malloc(announced + 1);
	memcpy(body, bytes + sizeof head, announced);
	return symbol_answer_decode_listing(listing, &head, body);
}

static void a_listing_comes_back_as_it_was(void **state)
{
	(void)state;
	FunctionListing listing = {0};
	g_autoptr(GByteArray) bytes = encoded_example_listing();
	assert_true(decode_listing(bytes->data, bytes->len, &listing));
	const ListedInstruction *listed = (const ListedInstruction *)(gpointer)listing.instructions->data;
	assert_int_equal(listing.instructions->len, 2);
	assert_true(listed[0].address == 0x1000 && listed[0].offset == 0x400);
	assert_int_equal(listed[0].size, 5);
	assert_int_equal(listed[0].line, 7);
	assert_string_equal(listed[0].text, "call helper+0x10");
	assert_string_equal(listed[0].key, "call helper+");
	assert_string_equal(listed[0].file, "/x/a.c");
	assert_null(listed[1].file);
	assert_string_equal(listing.name, "probe");
	assert_string_equal(listing.note, "a note");
	assert_true(listing.is_cut);
	function_listing_clear(&listing);
}

static void texts_of_a_listing_are_checked_one_by_one(void **state)
{
	(void)state;
	g_autofree char *longest = g_strnfill(LISTING_MAX_TEXT, 'x'), *too_long = g_strnfill(LISTING_MAX_TEXT + 1, 'x');
	g_autofree char *long_path = g_strnfill(LISTING_MAX_FILE + 1, 'x');
	const struct {
		ListedInstruction instruction;
		const char *name;
		gboolean is_sound;
	} cases[] = {
	        {{1, 1, 1, 1, longest, longest, "a.c"}, longest, TRUE},
	        {{1, 1, 1, 1, too_long, "key", "a.c"}, "name", FALSE},
	        {{1, 1, 1, 1, "text", too_long, "a.c"}, "name", FALSE},
	        {{1, 1, 1, 1, "text", "key", long_path}, "name", FALSE},
	        {{1, 1, 1, 1, "text", "key", "a.c"}, too_long, FALSE},
	        {{1, 1, 1, 1, "text", "key", "a.c"}, NULL, FALSE},
	        {{1, 1, 1, 1, NULL, "key", "a.c"}, "name", FALSE},
	        {{1, 1, 1, 1, "text", NULL, "a.c"}, "name", FALSE},
	        {{1, 1, 1, 1, "te\033xt", "key", "a.c"}, "name", FALSE},
	        {{1, 1, 1, 1, "te\xfft", "key", "a.c"}, "name", FALSE},
	        {{1, 1, 1, 1, "text", "key", "a\xff.c"}, "name", FALSE},
	        {{1, 1, 0, 1, "text", "key", "a.c"}, "name", FALSE},
	        {{1, 1, 99, 1, "text", "key", "a.c"}, "name", FALSE},
	};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		FunctionListing listing = {0};
		g_autoptr(GByteArray) bytes = encoded_listing(&cases[i].instruction, 1, cases[i].name);
		assert_int_equal(decode_listing(bytes->data, bytes->len, &listing), cases[i].is_sound);
		function_listing_clear(&listing);
	}
	FunctionListing none = {0};
	g_autoptr(GByteArray) empty = encoded_listing(NULL, 0, "name");
	assert_false(decode_listing(empty->data, empty->len, &none));
}

/* An answer that is accepted can be read: every text ends within the answer. */
static void every_changed_byte_of_a_listing_is_refused_or_harmless(void **state)
{
	(void)state;
	guint n_refused = 0, n_accepted = 0;
	g_autoptr(GByteArray) bytes = encoded_example_listing();
	for (guint i = 0; i < 8 * bytes->len; i++) {
		FunctionListing listing = {0};
		bytes->data[i / 8] ^= (guint8)(1 << i % 8);
		if (decode_listing(bytes->data, bytes->len, &listing)) {
			for (guint k = 0; k < listing.instructions->len; k++) {
				const ListedInstruction *listed =
				        &g_array_index(listing.instructions, ListedInstruction, k);
				assert_true(strlen(listed->text) <= bytes->len && strlen(listed->key) <= bytes->len);
			}
			n_accepted++;
		} else {
			assert_null(listing.instructions);
			n_refused++;
		}
		bytes->data[i / 8] ^= (guint8)(1 << i % 8);
		function_listing_clear(&listing);
	}
	assert_true(n_refused > 0 && n_accepted > 0);
}

static void an_error_keeps_its_class_and_loses_control_bytes(void **state)
{
	(void)state;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autoptr(GError) sent = g_error_new(FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "gone\033[2J \xff");
	g_autoptr(GError) received = NULL;
	SymbolAnswerHead head;
	symbol_answer_encode_error(bytes, sent);
	memcpy(&head, bytes->data, sizeof head);
	symbol_answer_decode_error(&head, bytes->data + sizeof head, &received);
	assert_true(g_error_matches(received, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE));
	assert_string_equal(received->message, "gone?[2J ?");
	g_clear_error(&received);
	head.error_code = FIREBREAK_ERROR_ENVIRONMENT;
	symbol_answer_decode_error(&head, bytes->data + sizeof head, &received);
	assert_true(g_error_matches(received, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT));
	/* a class that the child cannot mean */
	g_clear_error(&received);
	head.error_code = 1;
	symbol_answer_decode_error(&head, bytes->data + sizeof head, &received);
	assert_true(g_error_matches(received, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names_come_back_as_they_were),
	        cmocka_unit_test(an_answer_to_another_request_is_refused),
	        cmocka_unit_test(every_changed_byte_is_refused_or_harmless),
	        cmocka_unit_test(heads_beyond_the_limits_announce_nothing),
	        cmocka_unit_test(a_request_comes_back_as_it_was),
	        cmocka_unit_test(a_path_that_is_too_long_is_not_sent),
	        cmocka_unit_test(unwind_rows_are_checked_one_by_one),
	        cmocka_unit_test(how_a_file_was_built_comes_back_and_is_checked),
	        cmocka_unit_test(a_listing_comes_back_as_it_was),
	        cmocka_unit_test(texts_of_a_listing_are_checked_one_by_one),
	        cmocka_unit_test(every_changed_byte_of_a_listing_is_refused_or_harmless),
	        cmocka_unit_test(an_error_keeps_its_class_and_loses_control_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
