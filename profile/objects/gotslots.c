/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/gotslots.h"

#include "profile/objects/elfsections.h"

#include <string.h>

enum { MAX_SECTIONS = 4096, MAX_TABLES = 4, MAX_SLOTS = 1 << 20 };

/* Sections of addresses that the dynamic linker fills in. */
typedef struct {
	GElf_Shdr headers[MAX_TABLES];
	guint n;
} GotTables;

static gboolean is_in_tables(const GotTables *tables, guint64 address)
{
	for (guint i = 0; i < tables->n; i++)
		if (address - tables->headers[i].sh_addr < tables->headers[i].sh_size)
			return TRUE;
	return FALSE;
}

static void note_table(gpointer data, const char *name, const GElf_Shdr *header)
{
	GotTables *tables = data;
	if (g_str_has_prefix(name, ".got") && tables->n < MAX_TABLES)
		tables->headers[tables->n++] = *header;
}

static const char *symbol_name(Elf *elf, GElf_Word table, guint64 row)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Scn *scn = elf_getscn(elf, table);
	Elf_Data *data = scn != NULL ? elf_getdata(scn, NULL) : NULL;
	if (data == NULL || gelf_getshdr(scn, &header) == NULL || row > G_MAXINT ||
	        gelf_getsym(data, (int)row, &symbol) == NULL)
		return NULL;
	const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
	return name != NULL && *name != '\0' ? name : NULL;
}

static void read_relocations(GotSlots *slots, Elf *elf, Elf_Scn *scn, const GElf_Shdr *header, const GotTables *tables)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	guint64 n = data != NULL && header->sh_entsize > 0 ? data->d_size / header->sh_entsize : 0;
	for (guint64 i = 0; i < MIN(n, (guint64)G_MAXINT) && slots->slots->len < MAX_SLOTS; i++) {
		GElf_Rela rela;
		if (gelf_getrela(data, (int)i, &rela) == NULL || !is_in_tables(tables, rela.r_offset))
			continue;
		guint64 row = GELF_R_SYM(rela.r_info);
		const GotSlot slot = {
		        .address = rela.r_offset,
		        .name = row > 0 ? symbol_name(elf, header->sh_link, row) : NULL,
		        /* Without a symbol (R_X86_64_RELATIVE, R_AARCH64_RELATIVE), the slot gets the address in its
		         * addend, moved like the file. */
		        .target = row > 0 ? 0 : (guint64)rela.r_addend,
		};
		g_array_append_val(slots->slots, slot);
	}
}

static gint compare_slots(gconstpointer a, gconstpointer b)
{
	const GotSlot *x = a, *y = b;
	return (x->address > y->address) - (x->address < y->address);
}

void got_slots_init(GotSlots *slots, const ObjectFile *file)
{
	GotTables tables = {0};
	slots->slots = g_array_new(FALSE, FALSE, sizeof(GotSlot));
	elf_sections_each(file->elf, MAX_SECTIONS, note_table, &tables);
	Elf_Scn *scn = tables.n > 0 ? elf_nextscn(file->elf, NULL) : NULL;
	for (guint i = 0; i < MAX_SECTIONS && scn != NULL; i++, scn = elf_nextscn(file->elf, scn)) {
		GElf_Shdr header;
		if (gelf_getshdr(scn, &header) != NULL && header.sh_type == SHT_RELA)
			read_relocations(slots, file->elf, scn, &header, &tables);
	}
	g_array_sort(slots->slots, compare_slots);
}

void got_slots_clear(GotSlots *slots)
{
	g_clear_pointer(&slots->slots, g_array_unref);
}

const GotSlot *got_slots_find(const GotSlots *slots, guint64 address)
{
	guint row;
	const GotSlot wanted = {.address = address};
	return g_array_binary_search(slots->slots, &wanted, compare_slots, &row)
	               ? &g_array_index(slots->slots, GotSlot, row)
	               : NULL;
}
