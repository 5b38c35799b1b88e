/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/codelabels.h"

#include "model/canonical.h"
#include "profile/objects/elfsections.h"

#include <string.h>

enum {
	MAX_SECTIONS = 256,
	MAX_CONSTANT = 64, /* bytes of a constant */
	MAX_SHOWN = 40,    /* bytes of a text in the program */
	MIN_SHOWN = 3,
};

typedef struct {
	guint64 from, to;
	const char *name; /* borrowed from the file */
} NamedSection;

struct CodeLabels {
	CodeSurrounding around;
	GArray *sections;  /* of NamedSection */
	GHashTable *names; /* linkage name of the file -> canonical name */
};

/* Uninitialised thread-local variables have a section that takes no room, so that others lie where it does. */
static void note_section(gpointer data, const char *name, const GElf_Shdr *header)
{
	CodeLabels *labels = data;
	gboolean takes_room = header->sh_type != SHT_NOBITS || (header->sh_flags & SHF_TLS) == 0;
	const NamedSection section = {header->sh_addr, header->sh_addr + header->sh_size, name};
	if ((header->sh_flags & SHF_ALLOC) != 0 && takes_room && section.to > section.from && *name != '\0')
		g_array_append_val(labels->sections, section);
}

CodeLabels *code_labels_new(const CodeSurrounding *around)
{
	CodeLabels *labels = g_new0(CodeLabels, 1);
	labels->around = *around;
	labels->sections = g_array_new(FALSE, FALSE, sizeof(NamedSection));
	labels->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	elf_sections_each(labels->around.file->elf, MAX_SECTIONS, note_section, labels);
	return labels;
}

void code_labels_free(CodeLabels *labels)
{
	if (labels == NULL)
		return;
	g_array_unref(labels->sections);
	g_hash_table_unref(labels->names);
	g_free(labels);
}

static void append_distance(GString *text, guint64 distance)
{
	if (distance > 0)
		g_string_append_printf(text, "+0x%" G_GINT64_MODIFIER "x", distance);
}

static gboolean find_part(const CodeLabels *labels, guint64 address, guint *part)
{
	for (guint i = 0; i < labels->around.n_parts; i++) {
		const CodeRange *range = &labels->around.parts[i];
		if (address >= range->address && address - range->address < range->size) {
			*part = i;
			return TRUE;
		}
	}
	return FALSE;
}

/* A place in the function. How far it is changes with what stands between, so a key only has the direction. */
static gboolean label_inside(
        const CodeLabels *labels, const Instruction *instruction, guint64 address, CodeLabel *label)
{
	guint part, own = 0;
	if (!find_part(labels, address, &part))
		return FALSE;
	if (part > 0)
		g_string_append_printf(label->text, "part%u", part + 1);
	g_string_append_printf(label->text, "+0x%" G_GINT64_MODIFIER "x", address - labels->around.parts[part].address);
	find_part(labels, instruction->address, &own);
	if (part != own)
		g_string_append_printf(label->key, "part%u", part + 1);
	else
		g_string_append(label->key, address > instruction->address ? "on" : "back");
	return TRUE;
}

static gboolean label_function(CodeLabels *labels, guint64 address, CodeLabel *label)
{
	guint64 start;
	const char *name = module_code_function(labels->around.code, address, &start);
	if (name == NULL)
		return FALSE;
	g_string_append(label->text, name);
	append_distance(label->text, address - start);
	g_string_append_printf(label->key, "%s%s", name, address > start ? "+" : "");
	return TRUE;
}

/* Without the number that tells static variables of functions apart. */
static void append_without_number(GString *text, const char *name)
{
	const char *dot = strrchr(name, '.');
	gboolean is_numbered =
	        dot != NULL && dot > name && dot[1] != '\0' && strspn(dot + 1, "0123456789") == strlen(dot + 1);
	g_string_append_len(text, name, is_numbered ? dot - name : (gssize)strlen(name));
}

static const char *canonical_of(CodeLabels *labels, const char *linkage_name)
{
	char *name = g_hash_table_lookup(labels->names, linkage_name);
	if (name == NULL) {
		name = canonical_name(linkage_name);
		g_hash_table_insert(labels->names, (gpointer)linkage_name, name);
	}
	return name;
}

static gboolean label_variable(CodeLabels *labels, guint64 address, CodeLabel *label)
{
	const DataSymbol *variable = data_symbols_find(labels->around.variables, address);
	if (variable == NULL)
		return FALSE;
	const char *name = canonical_of(labels, variable->name);
	g_string_append(label->text, name);
	append_distance(label->text, address - variable->start);
	append_without_number(label->key, name);
	append_distance(label->key, address - variable->start);
	return TRUE;
}

/* A slot is called after what it stands for: `memcpy@got`. */
static gboolean label_slot(CodeLabels *labels, guint64 address, CodeLabel *label)
{
	const GotSlot *slot = got_slots_find(labels->around.slots, address);
	if (slot == NULL)
		return FALSE;
	gboolean is_known = slot->name != NULL || label_function(labels, slot->target, label) ||
	                    label_variable(labels, slot->target, label);
	if (slot->name != NULL) {
		g_string_append(label->text, canonical_of(labels, slot->name));
		g_string_append(label->key, label->text->str);
	}
	if (is_known) {
		g_string_append(label->text, "@got");
		g_string_append(label->key, "@got");
	}
	return is_known;
}

static void label_section(const CodeLabels *labels, guint64 address, CodeLabel *label)
{
	for (guint i = 0; i < labels->sections->len; i++) {
		const NamedSection *section = &g_array_index(labels->sections, NamedSection, i);
		if (address < section->from || address >= section->to)
			continue;
		g_string_append(label->text, section->name);
		append_distance(label->text, address - section->from);
		g_string_append(label->key, section->name);
		return;
	}
	g_string_append_printf(label->text, "0x%" G_GINT64_MODIFIER "x", address);
	g_string_append_c(label->key, '?');
}

/* As one number, of which the first byte is the least. */
static void remark_constant(const CodeLabels *labels, guint64 address, guint32 n_read, GString *remark)
{
	const guint8 *bytes =
	        n_read <= MAX_CONSTANT ? module_code_constant(labels->around.code, address, n_read) : NULL;
	if (bytes == NULL)
		return;
	g_string_append(remark, "0x");
	for (guint32 i = n_read; i > 0; i--)
		g_string_append_printf(remark, "%02x", bytes[i - 1]);
}

static gboolean is_shown(guint8 byte)
{
	return g_ascii_isprint((char)byte) || byte == '\n' || byte == '\t';
}

/* Bytes that look like a text are taken for one, since an object file does not say where its texts are. */
static void remark_text(const CodeLabels *labels, guint64 address, GString *remark)
{
	char shown[MAX_SHOWN + 1] = "";
	guint n = 0;
	const guint8 *byte = module_code_constant(labels->around.code, address, 1);
	while (byte != NULL && n < MAX_SHOWN && is_shown(*byte)) {
		shown[n++] = (char)*byte;
		byte = module_code_constant(labels->around.code, address + n, 1);
	}
	if (byte == NULL || n < MIN_SHOWN || (n < MAX_SHOWN && *byte != '\0'))
		return;
	g_autofree char *escaped = g_strescape(shown, NULL);
	g_string_append_printf(remark, "\"%s\"%s", escaped, *byte != '\0' ? "..." : "");
}

void code_labels_write(
        gpointer data, const Instruction *instruction, const char *mnemonic, guint64 address, CodeLabel *label)
{
	CodeLabels *labels = data;
	gboolean is_call = g_str_equal(mnemonic, "call") || g_str_equal(mnemonic, "bl");
	/* A jump to the start of the function is a loop, a call of it a recursion, for which its name says more. */
	gboolean is_recursive = is_call && address == labels->around.parts[0].address;
	if (!is_recursive && label_inside(labels, instruction, address, label))
		return;
	if (label_function(labels, address, label) || label_slot(labels, address, label))
		return;
	gboolean is_named = label_variable(labels, address, label);
	if (!is_named)
		label_section(labels, address, label);
	if (instruction->n_read > 0)
		remark_constant(labels, address, instruction->n_read, label->remark);
	else if (!is_named)
		remark_text(labels, address, label->remark);
}
