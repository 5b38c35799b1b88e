/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the code of frames, collected piece by piece: a piece is one function of one object file that was seen
 * under the name of a frame on one side, or the function that the frame is inlined into.
 *
 *     frame hash_word ── base ── bench ── hash_word         hash 1
 *                     ├─ head ── bench ── hash_word         hash 2     other code: CODE_CHANGED
 *                     └─ head ── bench ── hash_word.part    hash 3     seen on one side only
 *
 * A frame whose pieces are all of one file outside the checkouts is the same code, whoever runs it. Else functions of
 * the same name, suffix of a clone included, and base name of the source file are compared, each as the set of hashes
 * that a side has of it: a side may have several, as each of several layouts is linked anew, and a linker may replace
 * instructions by shorter ones where things lie close together. If the set of base includes that of head, the function
 * is the same; if head has code that base lacks, it has changed. What was seen on one side only, or without a hash, may
 * be the same or not. A frame has changed if one of its functions has, and is the same if all of them are. An inlined
 * function is the same if all functions around it are; if one of those has changed, that may be for another reason, and
 * nothing is known. */
#pragma once

#include "model/codefacts.h"

typedef struct CodePieces CodePieces;

typedef struct {
	FrameId frame;
	guint side;          /* 0 = base, 1 = head */
	guint module;        /* a number for each object file, by path and build-id */
	gboolean is_inside;  /* that file lies in the checkouts */
	gboolean is_inlined; /* the frame is inlined into the function */
	const char *symbol;  /* of the function: code_pieces_symbol() */
	guint64 hash;        /* of the function; 0 = not known */
	CodePlace place;     /* of the frame; without hash and sketch where it is inlined */
} CodePiece;

CodePieces *code_pieces_new(void);
void code_pieces_free(CodePieces *pieces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CodePieces, code_pieces_free)

/* A function with code of its own. The addresses of these texts stand for them: they must not become those of others
 * as long as the pieces live. */
typedef struct {
	const char *name;         /* as a reader knows it */
	const char *linkage_name; /* with the suffixes of a clone */
	const char *file;         /* or NULL */
} CodeFunction;

/* The text that tells functions apart: the base name of the file, the name, and the kind of the clone but not its
 * numbers, which come and go with other clones. {"hash_word", "hash_word.part.0", "/src/words.c"} -> "words.c
 * hash_word.part."; borrowed until the pieces go. */
const char *code_pieces_symbol(CodePieces *pieces, const CodeFunction *function);
/* A piece that is there already only widens the range of its lines. */
void code_pieces_add(CodePieces *pieces, const CodePiece *piece);
/* The facts that all pieces give together. The place of a frame on a side is that of its first piece there, from the
 * first to the last line of all pieces in the same source file. Owned by the caller. */
CodeFacts *code_pieces_facts(const CodePieces *pieces, guint n_frames);
