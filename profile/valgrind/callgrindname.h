/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions as callgrind writes them, callers and level of recursion included:
 *
 *     hash'parse'main        hash, called by parse, called by main
 *     fib'2'main             fib called by itself, called by main
 *     run<'a'>'main          apostrophes in brackets belong to a name
 *     0x0000000000109040     a function without a name
 *
 * All texts are borrowed. */
#pragma once

#include "model/textpiece.h"

typedef struct {
	TextPiece function;
	guint64 level;     /* of recursion, from 1 */
	TextPiece callers; /* innermost first, for callgrind_name_take() */
	guint n_callers;
} CallgrindName;

/* The parts of a function's name in a dump; they point into `text`. */
CallgrindName callgrind_name_parse(TextPiece text);
/* Moves the next function from the front of *callers to *function. FALSE if there is none. */
gboolean callgrind_name_take(TextPiece *callers, TextPiece *function);

/* FALSE for "???", addresses and nothing. */
gboolean callgrind_name_is_known(TextPiece function);
/* TRUE if it is a function that allocates memory: malloc, calloc, realloc, operator new and their like, as libraries
 * call them, with leading underscores and versions. */
gboolean callgrind_name_is_allocator(TextPiece function);
/* The name of a frame: without argument list, the type that a template function returns, and what differs between two
 * builds (model/canonical.h); owned by the caller. */
char *callgrind_name_canonical(TextPiece function);
