/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/kernelsymbols.h"

#include <string.h>

/* /proc/kallsyms tells no sizes: an address far after a symbol, such as one beyond the last of a module, is not taken
 * for a part of it. */
#define MAX_FUNCTION_BYTES ((guint64)1 << 20)

typedef struct {
	guint64 address;
	const char *name;   /* borrowed from `text` */
	const char *module; /* borrowed from `text`, or "" */
	guint rank;         /* of several names for one address, the highest is shown */
} KernelSymbol;

struct KernelSymbols {
	char *text;
	GArray *symbols; /* of KernelSymbol, sorted by address and rank */
};

static guint rank_of(char type, const char *name)
{
	guint underscores = (guint)strspn(name, "_");
	return (type == 'T' ? 8 : 0) + 7 - MIN(underscores, 7);
}

/* `ffffffff81000000 T name`, and after a TAB `[module]`. */
static void add_line(KernelSymbols *symbols, char *line)
{
	char *name;
	KernelSymbol symbol = {.address = g_ascii_strtoull(line, &name, 16), .module = ""};
	/* kernel.kptr_restrict shows all addresses as 0. */
	if (symbol.address == 0 || name[0] != ' ' || strchr("tTwW", name[1]) == NULL || name[1] == '\0' ||
	        name[2] != ' ')
		return;
	char type = name[1];
	name += 3;
	char *end = name + strcspn(name, "\t [");
	if (*end != '\0') {
		char *module = end + strspn(end, "\t [");
		module[strcspn(module, "]")] = '\0';
		symbol.module = module;
		*end = '\0';
	}
	symbol.name = name;
	symbol.rank = rank_of(type, name);
	g_array_append_val(symbols->symbols, symbol);
}

static gint compare_symbols(gconstpointer a, gconstpointer b)
{
	const KernelSymbol *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

KernelSymbols *kernel_symbols_new(const char *path)
{
	KernelSymbols *symbols = g_new0(KernelSymbols, 1);
	symbols->symbols = g_array_new(FALSE, FALSE, sizeof(KernelSymbol));
	if (!g_file_get_contents(path, &symbols->text, NULL, NULL))
		return symbols;
	for (char *line = symbols->text, *next; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		add_line(symbols, line);
	}
	g_array_sort(symbols->symbols, compare_symbols);
	return symbols;
}

void kernel_symbols_free(KernelSymbols *symbols)
{
	if (symbols == NULL)
		return;
	g_free(symbols->text);
	g_array_unref(symbols->symbols);
	g_free(symbols);
}

gboolean kernel_symbols_is_empty(const KernelSymbols *symbols)
{
	return symbols->symbols->len == 0;
}

gboolean kernel_symbols_fit(const KernelSymbols *symbols, const char *name, guint64 address)
{
	for (guint i = 0; i < symbols->symbols->len; i++) {
		const KernelSymbol *symbol = &g_array_index(symbols->symbols, KernelSymbol, i);
		if (*symbol->module == '\0' && g_str_equal(symbol->name, name))
			return symbol->address == address;
	}
	return TRUE;
}

const char *kernel_symbols_find(const KernelSymbols *symbols, guint64 address, const char **module)
{
	guint low = 0, high = symbols->symbols->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		if (g_array_index(symbols->symbols, KernelSymbol, middle).address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	/* Rows are sorted by address and rank, so the last row at an address has its best name. */
	if (low == 0)
		return NULL;
	const KernelSymbol *symbol = &g_array_index(symbols->symbols, KernelSymbol, low - 1);
	if (address - symbol->address >= MAX_FUNCTION_BYTES)
		return NULL;
	*module = symbol->module;
	return symbol->name;
}
