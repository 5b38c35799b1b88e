/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak and firebreak-symbols talk on one socket: a request, then its answer. Each is a head of fixed size and the
 * bytes that the head announces. Both ends are built together, so bytes are those of the machine.
 *
 *     request  SymbolRequestHead  offsets (of guint64)  path  symfs  build-id
 *     answer   SymbolAnswerHead   frames (of SymbolWireFrame)  first (of guint32)  text     names
 *                                 rows (of UnwindRow)                                       call frame information
 *                                 SymbolWireInfo  text                                      how a file was built
 *                                 instructions (of SymbolWireInstruction)  text             a function's instructions
 *                                 message                                                   an error
 *
 * Neither end trusts the other: the child reads files that may have taken it over, so its answer is foreign bytes.
 * Lengths, counts, indices and enumerations are checked by the *_decode() functions, which are pure. */
#pragma once

#include "profile/objects/buildinfo.h"
#include "profile/objects/listing.h"
#include "profile/objects/modulesymbols.h"
#include "profile/objects/unwindrows.h"

enum {
	SYMBOL_REQUEST_MAGIC = 0x31717366,
	SYMBOL_ANSWER_MAGIC = 0x31617366,
	SYMBOL_MAX_PATH = 4096,
	SYMBOL_MAX_BUILD_ID = 64,
	SYMBOL_MAX_OFFSETS = 1 << 25,
	SYMBOL_MAX_FRAMES = 1 << 25,
	SYMBOL_MAX_CHAIN = 256, /* frames of one offset */
	SYMBOL_MAX_TEXT = 1 << 29,
	SYMBOL_BASE_TEXT = 1 << 24, /* plus what follows for each offset */
	SYMBOL_OFFSET_TEXT = 1 << 16,
	SYMBOL_MAX_ROWS = 1 << 10,
	SYMBOL_MAX_MESSAGE = 4096,
};

typedef enum {
	SYMBOL_REQUEST_NAMES = 1,
	SYMBOL_REQUEST_UNWIND_ROWS,
	SYMBOL_REQUEST_INFO,
	SYMBOL_REQUEST_LISTING
} SymbolRequestKind;
enum { SYMBOL_REQUEST_WITH_LINES = 1, SYMBOL_REQUEST_WITH_CODE = 2, SYMBOL_REQUEST_ADDRESSES = 4 };

typedef struct {
	guint32 magic;
	guint32 layout; /* SYMBOL_LAYOUT: a child of another build is an error and not a long wait */
	guint32 kind;   /* SymbolRequestKind */
	guint32 path_bytes, build_id_bytes, symfs_bytes;
	guint32 flags;
	guint32 n_offsets; /* UNWIND_ROWS, LISTING: 1, INFO: 0 */
} SymbolRequestHead;

typedef enum {
	SYMBOL_ANSWER_NAMES = 1,
	SYMBOL_ANSWER_ROWS,
	SYMBOL_ANSWER_INFO,
	SYMBOL_ANSWER_ERROR,
	SYMBOL_ANSWER_LISTING
} SymbolAnswerKind;
enum { SYMBOL_ANSWER_HAS_DEBUG_INFO = 1, SYMBOL_ANSWER_IS_CUT = 2 };

typedef struct {
	guint32 magic;
	guint32 kind;       /* SymbolAnswerKind */
	guint32 text_bytes; /* NAMES, INFO, LISTING: strings, each with its NUL; ERROR: the message */
	guint32 n_frames, n_first;
	guint32 n_rows; /* ROWS: of them; LISTING: instructions */
	guint32 n_unresolved;
	guint32 flags;
	guint32 name, note; /* like the texts of a frame; LISTING has a name */
	guint32 error_code; /* FirebreakError */
	guint32 unused;     /* 0; what follows is aligned */
} SymbolAnswerHead;

/* A SymbolFrame whose texts are their places in the text plus one; 0 = NULL. */
typedef struct {
	guint64 code_hash, code_sketch;
	guint32 name, raw_name, file, at_file;
	guint32 line, at_line;
	guint32 is_inlined;
	guint32 last_line;
} SymbolWireFrame;

/* A BinaryInfo; texts as in a frame. */
typedef struct {
	guint32 has_symtab, has_debug;
	guint32 n_units, n_units_silent, n_units_unoptimised, n_units_no_frame_pointer;
	guint32 build_id, producer, producers, bare_producer;
} SymbolWireInfo;

/* A ListedInstruction; texts as in a frame. */
typedef struct {
	guint64 address, offset;
	guint32 size, line;
	guint32 text, key, file;
	guint32 unused; /* 0 */
} SymbolWireInstruction;

/* Differs between builds whose ends would not understand each other. */
#define SYMBOL_LAYOUT                                                                                                  \
	((guint32)(sizeof(SymbolWireFrame) + (sizeof(UnwindRow) << 8) + (sizeof(SymbolWireInfo) << 20) +               \
	           (sizeof(SymbolWireInstruction) << 16) + (sizeof(SymbolAnswerHead) << 26)))

/* Sets *length to the number of bytes that follow a head. FALSE if it is no head, or is beyond the limits, which for an
 * answer depend on the number of offsets in its request. */
gboolean symbol_request_body_bytes(const SymbolRequestHead *head, gsize *length);
/* Sets *length to the size of the body after this head; FALSE if the head is none of an answer, or beyond its limits.
 */
gboolean symbol_answer_body_bytes(const SymbolAnswerHead *head, guint n_offsets, gsize *length);

/* A request. For unwinding and a listing, `symbols` has one offset; for the information on a file only its path. */
typedef struct {
	SymbolRequestKind kind;
	ModuleSymbolsRequest symbols;
} SymbolRequest;

/* Appends head and body. FALSE if a path or a build-id is too long. */
gboolean symbol_request_encode(GByteArray *bytes, const SymbolRequest *request);
/* `body` has the announced length and, like the head, must outlive the request, which points into it. Texts that are
 * not ended by a NUL are refused. */
gboolean symbol_request_decode(SymbolRequest *request, const SymbolRequestHead *head, const guint8 *body);

/* Appends the answer with the names of a module. */
void symbol_answer_encode_names(GByteArray *bytes, const ModuleSymbols *symbols);
/* Appends the answer with rows of call frame information. */
void symbol_answer_encode_rows(GByteArray *bytes, const GArray *rows);
/* Appends the answer with what a binary is like. */
void symbol_answer_encode_info(GByteArray *bytes, const BinaryInfo *info);
/* Appends the answer with the instructions of a function. */
void symbol_answer_encode_listing(GByteArray *bytes, const FunctionListing *listing);
/* Appends the answer that tells an error. */
void symbol_answer_encode_error(GByteArray *bytes, const GError *error);

/* `body` has the announced length. `symbols` is set on success and owned by the caller. FALSE if the answer is not one
 * to a request with so many offsets. */
gboolean symbol_answer_decode_names(
        ModuleSymbols *symbols, const SymbolAnswerHead *head, const guint8 *body, guint n_offsets);
/* Appends at least one row to `rows` on success. */
gboolean symbol_answer_decode_rows(GArray *rows, const SymbolAnswerHead *head, const guint8 *body);
/* `info` is set on success and owned by the caller. */
gboolean symbol_answer_decode_info(BinaryInfo *info, const SymbolAnswerHead *head, const guint8 *body);
/* `listing` is set on success and owned by the caller; its texts are within the limits of listing.h. */
gboolean symbol_answer_decode_listing(FunctionListing *listing, const SymbolAnswerHead *head, const guint8 *body);
/* Sets *error to what the child says, with bytes that are not printable ASCII replaced. */
void symbol_answer_decode_error(const SymbolAnswerHead *head, const guint8 *body, GError **error);
