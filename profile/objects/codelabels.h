/* SPDX-License-Identifier: Apache-2.0 */
/* Names the addresses in the code of one function: places in the function itself, functions and stubs, variables, slots
 * for addresses in other files, and else sections, with the constant or the text that stands there. */
#pragma once

#include "profile/objects/codetext.h"
#include "profile/objects/datasymbols.h"
#include "profile/objects/gotslots.h"
#include "profile/objects/modulecode.h"

/* A function and what lies around it; all borrowed. */
typedef struct {
	const ObjectFile *file;
	ModuleCode *code;
	const DataSymbols *variables;
	const GotSlots *slots;
	const CodeRange *parts; /* the one with the entry first */
	guint n_parts;
} CodeSurrounding;

typedef struct CodeLabels CodeLabels;

/* `around` is copied. */
CodeLabels *code_labels_new(const CodeSurrounding *around);
void code_labels_free(CodeLabels *labels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CodeLabels, code_labels_free)

/* A CodeLabelFunc; `labels` are CodeLabels. */
void code_labels_write(
        gpointer labels, const Instruction *instruction, const char *mnemonic, guint64 address, CodeLabel *label);
