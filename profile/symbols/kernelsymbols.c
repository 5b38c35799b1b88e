#include "profile/symbols/kernelsymbols.h"

#include <string.h>

typedef struct {
	guint64 address;
	const char *name;   /* borrowed from `text` */
	const char *module; /* borrowed from `text` */
} KernelSymbol;

struct KernelSymbols {
	GStringChunk *text;
	GArray *symbols; /* of KernelSymbol, sorted by address */
};

/* `ffffffff81000000 T name`, and behind a TAB `[module]`. */
static void add_line(KernelSymbols *symbols, const char *line)
{
	char *end;
	KernelSymbol symbol = {.address = g_ascii_strtoull(line, &end, 16), .module = ""};
	if (symbol.address == 0 || end[0] != ' ' || strchr("tTwW", end[1]) == NULL || end[1] == '\0' || end[2] != ' ')
		return;
	g_auto(GStrv) words = g_strsplit_set(end + 3, "\t []", -1);
	guint n_words = g_strv_length(words);
	symbol.name = g_string_chunk_insert(symbols->text, words[0]);
	for (guint i = 1; i < n_words; i++)
		if (*words[i] != '\0')
			symbol.module = g_string_chunk_insert_const(symbols->text, words[i]);
	g_array_append_val(symbols->symbols, symbol);
}

static gint compare_symbols(gconstpointer a, gconstpointer b)
{
	const KernelSymbol *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->name, y->name);
}

KernelSymbols *kernel_symbols_new(const char *path)
{
	KernelSymbols *symbols = g_new0(KernelSymbols, 1);
	g_autofree char *content = NULL;
	symbols->text = g_string_chunk_new(1 << 16);
	symbols->symbols = g_array_new(FALSE, FALSE, sizeof(KernelSymbol));
	if (!g_file_get_contents(path, &content, NULL, NULL))
		return symbols;
	for (char *line = content, *next; line != NULL; line = next) {
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
	g_string_chunk_free(symbols->text);
	g_array_unref(symbols->symbols);
	g_free(symbols);
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
	if (low == 0)
		return NULL;
	const KernelSymbol *symbol = &g_array_index(symbols->symbols, KernelSymbol, low - 1);
	*module = symbol->module;
	return symbol->name;
}
