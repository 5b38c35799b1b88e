/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions as texts in which addresses have names, and as keys that stay the same where other code moves; how they
 * read is said in profile/objects/listing.h. */
#pragma once

#include "profile/objects/codeinstruction.h"

enum { CODE_TEXT_MAX = 200 }; /* characters */

/* The label of an address. */
typedef struct {
	GString *text;   /* as people read it */
	GString *key;    /* without what another build has otherwise */
	GString *remark; /* what is read there, or empty; for both */
} CodeLabel;

/* Sets the label, whose texts are empty. */
typedef void (*CodeLabelFunc)(
        gpointer data, const Instruction *instruction, const char *mnemonic, guint64 address, CodeLabel *label);

typedef struct CodeTexter CodeTexter;

CodeTexter *code_texter_new(CodeLabelFunc label, gpointer data);
void code_texter_free(CodeTexter *texter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CodeTexter, code_texter_free)

/* Both are borrowed until the next call; they are UTF-8 without control characters, and of at most CODE_TEXT_MAX
 * characters. */
typedef struct {
	const char *text, *key;
} CodeTexts;

/* The text and the key of one instruction. */
CodeTexts code_texter_write(CodeTexter *texter, const Instruction *instruction, InstructionText words);

/* Makes foreign text such a text. Returns TRUE if characters were cut off, for which it ends with "...". */
gboolean code_text_tidy(GString *text);
