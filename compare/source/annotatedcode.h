/* SPDX-License-Identifier: Apache-2.0 */
/* The machine instructions of one function of both sides beside each other, with their costs: the rows of
 * FunctionAnnotation.instructions (compare/source/annotation.h), made from listings of its object files.
 *
 * Instructions are the same where the keys of their listings are, which have no addresses in them. Two that differ are
 * one row if they do the same with other registers, numbers or names, each in the role of another. A side may have been
 * built several times with its functions in another order: what an instruction costs is then the sum over those builds
 * whose listing is that of the first. */
#pragma once

#include "compare/source/annotation.h"
#include "model/functionlisting.h"
#include "model/linecosts.h"

/* The function in one object file. */
typedef struct {
	guint module; /* row of LineCosts.modules */
	const FunctionListing *listing;
} ListedCode;

/* A function on one side. */
typedef struct {
	FrameId frame;          /* that it has on this side */
	const ListedCode *code; /* of each build, first the one that is shown */
	guint n_code;           /* 0 = there is no listing on this side */
	const char *path;       /* its source file, relative to the checkout */
	double per_weight;      /* as in AnnotatedSide */
} AnnotatedCodeSide;

typedef struct {
	const AnnotatedCodeSide *sides; /* N_SIDES */
	const LineCosts *costs;
	/* NULL-terminated directories that checkouts lie in, cut off the front of source files */
	const char *const *strip_prefixes;
} AnnotatedCodeInput;

/* Tells where listings are wanted of: one for each object file with costs of the frame on that side, the one with the
 * largest cost first; `offset` is that of its costliest instruction. */
typedef struct {
	guint module;
	guint64 offset;
	double self;
} CodePosition;
/* A GArray of CodePosition, owned by the caller. */
GArray *annotation_code_positions(const LineCosts *costs, FrameId frame, guint side);

/* Sets the instructions of an annotation that has none yet, and a note about costs that are in none of them. Errors:
 * those of text_align(). */
gboolean annotation_add_code(FunctionAnnotation *annotation, const AnnotatedCodeInput *input, GError **error);
