/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/elfsymbols.h"

#include <string.h>

#define MAX_SYMBOLS (16 << 20)
/* The number of symbols before an address among which a larger one around it is searched. */
#define MAX_NESTING 16

/* Bits of a rank, the most important one first. Of several symbols at one address the one with the lowest rank is
 * shown: a function rather than a label, and the name that a library exports rather than one that it reserves. */
enum {
	RANK_NO_SIZE = 1 << 20,
	RANK_NO_TYPE = 1 << 19,
	RANK_LOCAL = 1 << 18,
	RANK_UNDERSCORE = 1 << 1, /* times their number */
	RANK_WEAK = 1 << 0,
	MAX_UNDERSCORES = 1 << 16,
};

static guint rank_symbol(const GElf_Sym *symbol, const char *name)
{
	guint rank = RANK_UNDERSCORE * (guint)MIN(strspn(name, "_"), MAX_UNDERSCORES);
	if (symbol->st_size == 0)
		rank += RANK_NO_SIZE;
	if (GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE)
		rank += RANK_NO_TYPE;
	if (GELF_ST_BIND(symbol->st_info) == STB_LOCAL)
		rank += RANK_LOCAL;
	else if (GELF_ST_BIND(symbol->st_info) == STB_WEAK)
		rank += RANK_WEAK;
	return rank;
}

/* Labels such as `$x` mark code and data on some machines. */
static gboolean may_be_function(const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	gboolean is_code = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
	return is_code && symbol->st_shndx != SHN_UNDEF && name != NULL && *name != '\0' && *name != '$';
}

/* The end of the executable section that a symbol is in; 0 if it is in none. */
static guint64 executable_section_end(Elf *elf, GElf_Word section, GElf_Addr bias)
{
	GElf_Shdr header;
	Elf_Scn *scn = section < SHN_LORESERVE || section > SHN_HIRESERVE ? elf_getscn(elf, section) : NULL;
	if (scn == NULL || gelf_getshdr(scn, &header) == NULL || (header.sh_flags & SHF_EXECINSTR) == 0)
		return 0;
	return header.sh_addr + bias + header.sh_size;
}

static void add_symbol(GArray *all, Dwfl_Module *module, int row)
{
	GElf_Sym symbol;
	GElf_Addr address, bias;
	GElf_Word section;
	Elf *elf;
	const char *name = dwfl_module_getsym_info(module, row, &symbol, &address, &section, &elf, &bias);
	if (name == NULL || !may_be_function(&symbol, name))
		return;
	ElfSymbol entry = {.start = address, .size = symbol.st_size, .name = name};
	entry.section_end = executable_section_end(elf, section, bias);
	entry.rank = rank_symbol(&symbol, name);
	if (entry.section_end > address)
		g_array_append_val(all, entry);
}

static gint compare_symbols(gconstpointer a, gconstpointer b)
{
	const ElfSymbol *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	gsize x_length = strlen(x->name), y_length = strlen(y->name);
	if (x_length != y_length)
		return x_length < y_length ? -1 : 1;
	return strcmp(x->name, y->name);
}

void elf_symbols_init(ElfSymbols *symbols, const ObjectFile *file)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(ElfSymbol));
	int n = MIN(dwfl_module_getsymtab(file->module), MAX_SYMBOLS);
	for (int i = 0; i < n; i++)
		add_symbol(all, file->module, i);
	g_array_sort(all, compare_symbols);
	symbols->symbols = g_array_new(FALSE, FALSE, sizeof(ElfSymbol));
	for (guint i = 0; i < all->len; i++)
		if (i == 0 || g_array_index(all, ElfSymbol, i).start != g_array_index(all, ElfSymbol, i - 1).start)
			g_array_append_val(symbols->symbols, g_array_index(all, ElfSymbol, i));
}

void elf_symbols_clear(ElfSymbols *symbols)
{
	g_clear_pointer(&symbols->symbols, g_array_unref);
}

/* Number of symbols that start at or before the address. */
static guint count_started(const GArray *symbols, guint64 address)
{
	guint low = 0, high = symbols->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		if (g_array_index(symbols, ElfSymbol, middle).start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const ElfSymbol *elf_symbols_find(const ElfSymbols *symbols, guint64 address)
{
	guint started = count_started(symbols->symbols, address);
	for (guint i = started; i > 0 && started - i < MAX_NESTING; i--) {
		const ElfSymbol *symbol = &g_array_index(symbols->symbols, ElfSymbol, i - 1);
		if (symbol->size > 0 ? address - symbol->start < symbol->size
		                     : i == started && address < symbol->section_end)
			return symbol;
	}
	return NULL;
}
