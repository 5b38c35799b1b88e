/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/datasymbols.h"

#include <string.h>

#define MAX_SYMBOLS (16 << 20)

/* rustc calls constants without a name `anon.<hash>.<number>`. */
static gboolean is_named_variable(const GElf_Sym *symbol, const char *name)
{
	return GELF_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_shndx != SHN_UNDEF && symbol->st_size > 0 &&
	       name != NULL && *name != '\0' && !g_str_has_prefix(name, "anon.");
}

static void add_symbol(GArray *all, Dwfl_Module *module, int row)
{
	GElf_Sym symbol;
	GElf_Addr address;
	const char *name = dwfl_module_getsym_info(module, row, &symbol, &address, NULL, NULL, NULL);
	if (name == NULL || !is_named_variable(&symbol, name) || address + symbol.st_size < address)
		return;
	const DataSymbol entry = {address, symbol.st_size, name};
	g_array_append_val(all, entry);
}

/* Of several names at one address the one that people know comes first: the C library has `environ` as `_environ` and
 * `__environ`, too. */
static gint compare_symbols(gconstpointer a, gconstpointer b)
{
	const DataSymbol *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	gsize x_underscores = strspn(x->name, "_"), y_underscores = strspn(y->name, "_");
	if (x_underscores != y_underscores)
		return x_underscores < y_underscores ? -1 : 1;
	gsize x_length = strlen(x->name), y_length = strlen(y->name);
	if (x_length != y_length)
		return x_length < y_length ? -1 : 1;
	return strcmp(x->name, y->name);
}

void data_symbols_init(DataSymbols *symbols, const ObjectFile *file)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(DataSymbol));
	int n = MIN(dwfl_module_getsymtab(file->module), MAX_SYMBOLS);
	for (int i = 0; i < n; i++)
		add_symbol(all, file->module, i);
	g_array_sort(all, compare_symbols);
	symbols->symbols = g_array_new(FALSE, FALSE, sizeof(DataSymbol));
	for (guint i = 0; i < all->len; i++)
		if (i == 0 || g_array_index(all, DataSymbol, i).start != g_array_index(all, DataSymbol, i - 1).start)
			g_array_append_val(symbols->symbols, g_array_index(all, DataSymbol, i));
}

void data_symbols_clear(DataSymbols *symbols)
{
	g_clear_pointer(&symbols->symbols, g_array_unref);
}

const DataSymbol *data_symbols_find(const DataSymbols *symbols, guint64 address)
{
	guint from = 0, to = symbols->symbols->len;
	while (from < to) {
		guint middle = from + (to - from) / 2;
		if (g_array_index(symbols->symbols, DataSymbol, middle).start <= address)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == 0)
		return NULL;
	const DataSymbol *symbol = &g_array_index(symbols->symbols, DataSymbol, from - 1);
	return address - symbol->start < symbol->size ? symbol : NULL;
}
