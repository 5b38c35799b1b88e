/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/plt.h"

#include <string.h>

enum { DEFAULT_STUB_BYTES = 16, LARGEST_STUB_BYTES = 64 };

typedef struct {
	guint64 start;      /* address of the stub */
	const guint8 *code; /* borrowed */
	gsize length;
} Stub;

/* The section whose name begins with .plt around the address. */
static Elf_Scn *find_plt_section(Elf *elf, guint64 address, GElf_Shdr *header)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn != NULL; scn = elf_nextscn(elf, scn)) {
		if (gelf_getshdr(scn, header) == NULL || address < header->sh_addr ||
		        address - header->sh_addr >= header->sh_size || (header->sh_flags & SHF_EXECINSTR) == 0)
			continue;
		const char *name = elf_strptr(elf, names, header->sh_name);
		return name != NULL && g_str_has_prefix(name, ".plt") ? scn : NULL;
	}
	return NULL;
}

static gboolean stub_at(Elf_Scn *scn, const GElf_Shdr *header, guint64 address, Stub *stub)
{
	guint64 size = header->sh_entsize;
	Elf_Data *data = elf_getdata(scn, NULL);
	if (size < 8 || size > LARGEST_STUB_BYTES)
		size = DEFAULT_STUB_BYTES;
	guint64 at = (address - header->sh_addr) / size * size;
	if (data == NULL || data->d_buf == NULL || at + size > data->d_size)
		return FALSE;
	*stub = (Stub){header->sh_addr + at, (const guint8 *)data->d_buf + at, (gsize)size};
	return TRUE;
}

/* The little endian word after the first occurrence of an instruction's opcode; the end of both in *end. */
static gboolean operand_of(const Stub *stub, const char *opcode, gsize opcode_length, gint32 *operand, gsize *end)
{
	for (gsize i = 0; i + opcode_length + 4 <= stub->length; i++) {
		if (memcmp(stub->code + i, opcode, opcode_length) != 0)
			continue;
		guint32 word;
		memcpy(&word, stub->code + i + opcode_length, sizeof word);
		*operand = (gint32)GUINT32_FROM_LE(word);
		*end = i + opcode_length + 4;
		return TRUE;
	}
	return FALSE;
}

static char *symbol_name(Elf *elf, GElf_Word table, guint64 index)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Scn *scn = elf_getscn(elf, table);
	Elf_Data *data = scn != NULL ? elf_getdata(scn, NULL) : NULL;
	if (data == NULL || gelf_getshdr(scn, &header) == NULL || index == 0 || index > G_MAXINT ||
	        gelf_getsym(data, (int)index, &symbol) == NULL)
		return NULL;
	const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
	return name != NULL && *name != '\0' ? g_strconcat(name, "@plt", NULL) : NULL;
}

/* The function whose address the dynamic linker puts at `slot`; or with `by_index`, the one of relocation number `slot`
 * of the table for calls. */
static char *relocated_name(Elf *elf, guint64 slot, gboolean by_index)
{
	GElf_Shdr header;
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn != NULL; scn = elf_nextscn(elf, scn)) {
		if (gelf_getshdr(scn, &header) == NULL || header.sh_type != SHT_RELA || header.sh_entsize == 0)
			continue;
		const char *name = elf_strptr(elf, names, header.sh_name);
		Elf_Data *data = elf_getdata(scn, NULL);
		if (data == NULL || (by_index && g_strcmp0(name, ".rela.plt") != 0))
			continue;
		guint64 n = MIN(data->d_size / header.sh_entsize, (guint64)G_MAXINT);
		for (guint64 i = by_index ? slot : 0; i < n; i++) {
			GElf_Rela rela;
			if (gelf_getrela(data, (int)i, &rela) != NULL && (by_index || rela.r_offset == slot))
				return symbol_name(elf, header.sh_link, GELF_R_SYM(rela.r_info));
		}
	}
	return NULL;
}

/* A stub is `jmp *slot(%rip)`, or pushes the number of its relocation. */
static char *x86_stub_name(Elf *elf, const Stub *stub)
{
	gint32 operand;
	gsize end;
	char *name = NULL;
	if (operand_of(stub, "\xff\x25", 2, &operand, &end))
		name = relocated_name(elf, stub->start + end + (guint64)(gint64)operand, FALSE);
	if (name == NULL && operand_of(stub, "\x68", 1, &operand, &end) && operand >= 0)
		name = relocated_name(elf, (guint64)operand, TRUE);
	return name;
}

static guint32 arm_word(const guint8 *code)
{
	guint32 word;
	memcpy(&word, code, sizeof word);
	return GUINT32_FROM_LE(word);
}

/* The stub around an address of a section of aarch64. Stubs have 16 bytes, or 24 where the file protects its branches
 * (BTI, PAC), and sh_entsize does not tell. Each ends with the only `br x17` in it, and padding counts to the next. */
static gboolean arm_stub_at(Elf_Scn *scn, const GElf_Shdr *header, guint64 address, Stub *stub)
{
	enum { WORD = sizeof(guint32) };
	const guint32 jump = 0xd61f0220; /* br x17 */
	Elf_Data *data = elf_getdata(scn, NULL);
	gsize at = (gsize)((address - header->sh_addr) / WORD * WORD);
	if (data == NULL || data->d_buf == NULL || at + WORD > data->d_size)
		return FALSE;
	const guint8 *code = data->d_buf;
	gsize start = at, end = at;
	while (start >= WORD && at - start < LARGEST_STUB_BYTES && arm_word(code + start - WORD) != jump)
		start -= WORD;
	while (end + 2 * WORD <= data->d_size && end - start < LARGEST_STUB_BYTES && arm_word(code + end) != jump)
		end += WORD;
	*stub = (Stub){header->sh_addr + start, code + start, end + WORD - start};
	return TRUE;
}

/* A stub has `adrp x16, slot`, `ldr x17, [x16, slot]`, and a jump to x17. */
static char *arm_stub_name(Elf *elf, const Stub *stub)
{
	enum { WORD = sizeof(guint32), PAGE = 4096 };
	for (gsize i = 0; i + 2 * WORD <= stub->length; i += WORD) {
		guint32 page = arm_word(stub->code + i), load = arm_word(stub->code + i + WORD);
		if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
			continue;
		guint32 number = (page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3); /* signed, of 21 bits */
		gint64 pages = (gint64)(number ^ 1u << 20) - (1 << 20);
		guint64 at = (stub->start + i) / PAGE * PAGE + (guint64)(pages * PAGE);
		return relocated_name(elf, at + (load >> 10 & 0xfff) * sizeof(guint64), FALSE);
	}
	return NULL;
}

/* The name of the stub at an address of the section; NULL if it cannot be told. */
static char *stub_name(Elf *elf, Elf_Scn *scn, const GElf_Shdr *header, guint64 address)
{
	GElf_Ehdr elf_header;
	Stub stub;
	if (gelf_getehdr(elf, &elf_header) == NULL)
		return NULL;
	if (elf_header.e_machine == EM_AARCH64)
		return arm_stub_at(scn, header, address, &stub) ? arm_stub_name(elf, &stub) : NULL;
	return elf_header.e_machine == EM_X86_64 && stub_at(scn, header, address, &stub) ? x86_stub_name(elf, &stub)
	                                                                                 : NULL;
}

char *plt_name(const ObjectFile *file, guint64 address)
{
	GElf_Shdr header;
	Elf_Scn *scn = find_plt_section(file->elf, address, &header);
	if (scn == NULL)
		return NULL;
	char *name = stub_name(file->elf, scn, &header, address);
	return name != NULL ? name : g_strdup("[plt]");
}
