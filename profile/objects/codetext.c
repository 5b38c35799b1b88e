/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/codetext.h"

#include <string.h>

struct CodeTexter {
	CodeLabelFunc label;
	gpointer data;
	CodeLabel number, memory;
	GString *text, *key;
};

static CodeLabel label_new(void)
{
	return (CodeLabel){g_string_new(NULL), g_string_new(NULL), g_string_new(NULL)};
}

static void label_empty(CodeLabel *label)
{
	g_string_truncate(label->text, 0);
	g_string_truncate(label->key, 0);
	g_string_truncate(label->remark, 0);
}

static void label_free(CodeLabel *label)
{
	g_string_free(label->text, TRUE);
	g_string_free(label->key, TRUE);
	g_string_free(label->remark, TRUE);
}

CodeTexter *code_texter_new(CodeLabelFunc label, gpointer data)
{
	CodeTexter *texter = g_new0(CodeTexter, 1);
	texter->label = label;
	texter->data = data;
	texter->number = label_new();
	texter->memory = label_new();
	texter->text = g_string_new(NULL);
	texter->key = g_string_new(NULL);
	return texter;
}

void code_texter_free(CodeTexter *texter)
{
	if (texter == NULL)
		return;
	label_free(&texter->number);
	label_free(&texter->memory);
	g_string_free(texter->text, TRUE);
	g_string_free(texter->key, TRUE);
	g_free(texter);
}

/* Part of the operands. */
typedef struct {
	gsize from, to;
} Place;

static gboolean starts_number(const char *text)
{
	return g_ascii_isdigit(*text) || (*text == '#' && (g_ascii_isdigit(text[1]) || text[1] == '-'));
}

/* The number at the end of the operands, or nothing. */
static Place last_number(const char *operands)
{
	gsize length = strlen(operands);
	const char *blank = strrchr(operands, ' ');
	gsize from = blank != NULL ? (gsize)(blank - operands) + 1 : 0;
	return starts_number(operands + from) ? (Place){from, length} : (Place){length, length};
}

/* The number at the end of what stands in brackets, with its sign: "[rip + 0x10]", "[x0, #0x18]", "fs:[rax - 8]". Where
 * there is none, for it is 0, the place before the closing bracket. */
static Place memory_number(const char *operands)
{
	const char *open = strchr(operands, '['), *close = open != NULL ? strchr(open, ']') : NULL;
	if (close == NULL)
		return (Place){0, 0};
	const char *at = close;
	while (at[-1] != ' ' && at[-1] != '[')
		at--;
	if (!starts_number(at))
		at = close;
	else if (at - open > 3 && (at[-2] == '+' || at[-2] == '-'))
		at -= 3; /* " + " */
	else if (at - open > 2 && at[-2] == ',')
		at -= 2;
	return (Place){(gsize)(at - operands), (gsize)(close - operands)};
}

/* The text between the other parts of an operand in memory and its label. */
static const char *memory_joint(const char *operands, Place place)
{
	if (place.from == 0 || operands[place.from - 1] == '[')
		return "";
	const char *open = strchr(operands, '[');
	gboolean is_arm = open != NULL && (open[1] == 'x' || open[1] == 's');
	return is_arm ? ", " : " + ";
}

static void replace(GString *text, gsize shift, Place place, const char *joint, const char *label)
{
	g_string_erase(text, (gssize)(shift + place.from), (gssize)(place.to - place.from));
	g_string_insert(text, (gssize)(shift + place.from), label);
	g_string_insert(text, (gssize)(shift + place.from), joint);
}

/* The instruction with labels in place of masked numbers; NULL = the number stays. The last number is replaced first,
 * because replacing the operand in memory moves all text after it. */
static void write_labelled(GString *out, InstructionText words, const char *number, const char *memory)
{
	g_string_assign(out, words.mnemonic);
	if (*words.operands == '\0')
		return;
	g_string_append_c(out, ' ');
	gsize shift = out->len;
	g_string_append(out, words.operands);
	Place last = last_number(words.operands), place = memory_number(words.operands);
	if (number != NULL && last.from < last.to)
		replace(out, shift, last, "", number);
	if (memory != NULL && place.to > 0)
		replace(out, shift, place, memory_joint(words.operands, place), memory);
}

static void append_remark(GString *out, const GString *remark)
{
	if (remark->len > 0)
		g_string_append_printf(out, " # %s", remark->str);
}

static void write_labels(CodeTexter *texter, const Instruction *instruction, InstructionText words)
{
	const char *number = NULL, *number_key = NULL, *memory = NULL, *memory_key = NULL;
	label_empty(&texter->number);
	label_empty(&texter->memory);
	if ((instruction->masked & MASKED_NUMBER) != 0) {
		texter->label(texter->data, instruction, words.mnemonic, instruction->target, &texter->number);
		number = texter->number.text->str;
		number_key = texter->number.key->str;
	} else if ((instruction->masked & MASKED_PAGE) != 0) {
		number_key = "?";
	}
	if ((instruction->masked & MASKED_MEMORY) != 0) {
		texter->label(texter->data, instruction, words.mnemonic, instruction->memory, &texter->memory);
		memory = texter->memory.text->str;
		memory_key = texter->memory.key->str;
	} else if ((instruction->masked & MASKED_THREAD) != 0) {
		memory_key = "?";
	}
	write_labelled(texter->text, words, number, memory);
	write_labelled(texter->key, words, number_key, memory_key);
	append_remark(texter->text, texter->memory.remark);
	append_remark(texter->text, texter->number.remark);
	append_remark(texter->key, texter->memory.remark);
	append_remark(texter->key, texter->number.remark);
}

static void write_bytes(CodeTexter *texter, const Instruction *instruction)
{
	g_string_assign(texter->text, ".byte");
	for (guint i = 0; i < instruction->n_bytes; i++)
		g_string_append_printf(texter->text, "%s 0x%02x", i > 0 ? "," : "", instruction->bytes[i]);
	g_string_assign(texter->key, texter->text->str);
}

gboolean code_text_tidy(GString *text)
{
	enum { DOTS = 3 };
	g_autofree char *valid = g_utf8_make_valid(text->str, (gssize)text->len);
	glong n = g_utf8_strlen(valid, -1), kept = n > CODE_TEXT_MAX ? CODE_TEXT_MAX - DOTS : n;
	const char *at = valid;
	g_string_truncate(text, 0);
	for (glong i = 0; i < kept; i++, at = g_utf8_next_char(at)) {
		gunichar character = g_utf8_get_char(at);
		g_string_append_unichar(text, g_unichar_iscntrl(character) ? '?' : character);
	}
	if (kept < n)
		g_string_append(text, "...");
	return kept < n;
}

/* A key that is too long ends with a hash of what is cut, so that it stays another one than those that begin alike. */
static void tidy_key(GString *key)
{
	enum { HASHED = 12 };
	guint hash = g_str_hash(key->str);
	if (!code_text_tidy(key))
		return;
	const char *end = g_utf8_offset_to_pointer(key->str, CODE_TEXT_MAX - HASHED);
	g_string_truncate(key, (gsize)(end - key->str));
	g_string_append_printf(key, "#%08x", hash);
}

CodeTexts code_texter_write(CodeTexter *texter, const Instruction *instruction, InstructionText words)
{
	if (*words.mnemonic == '\0')
		write_bytes(texter, instruction);
	else
		write_labels(texter, instruction, words);
	if (instruction->is_padding)
		g_string_assign(texter->key, "nop");
	code_text_tidy(texter->text);
	tidy_key(texter->key);
	return (CodeTexts){texter->text->str, texter->key->str};
}
