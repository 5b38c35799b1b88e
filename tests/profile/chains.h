/* SPDX-License-Identifier: Apache-2.0 */
/* Names of addresses as text, for comparing: "outer>middle>inner", the function with code of its own first. */
#pragma once

#include "profile/symbols/symbolchild.h"

#include "tests/profile/compiled.h"

static inline char *chain_at(const ModuleSymbols *symbols, guint i)
{
	GString *text = g_string_new(NULL);
	guint32 from = g_array_index(symbols->first, guint32, i), to = g_array_index(symbols->first, guint32, i + 1);
	for (guint32 f = from; f < to; f++)
		g_string_append_printf(
		        text, "%s%s", f > from ? ">" : "", g_array_index(symbols->frames, SymbolFrame, f).name);
	return g_string_free(text, FALSE);
}

static inline gboolean has_chain(const ModuleSymbols *symbols, const char *wanted)
{
	for (guint i = 0; symbols->first != NULL && i + 1 < symbols->first->len; i++) {
		g_autofree char *chain = chain_at(symbols, i);
		if (g_str_equal(chain, wanted))
			return TRUE;
	}
	return FALSE;
}

/* All offsets of a function; free with g_free(). */
static inline guint64 *offsets_of(Extent extent)
{
	guint64 *offsets = g_new(guint64, extent.size + 1);
	for (guint64 i = 0; i < extent.size; i++)
		offsets[i] = extent.offset + i;
	return offsets;
}

/* TRUE if resolving all offsets of a function as requested gives a chain. */
static inline gboolean finds_chain(const ModuleSymbolsRequest *request, Extent extent, const char *wanted)
{
	ModuleSymbols symbols = {0};
	g_autofree guint64 *offsets = offsets_of(extent);
	ModuleSymbolsRequest whole = *request;
	whole.offsets = offsets;
	whole.n_offsets = (guint)extent.size;
	gboolean found =
	        extent.size > 0 && module_symbols_resolve(&symbols, &whole, NULL) && has_chain(&symbols, wanted);
	module_symbols_clear(&symbols);
	return found;
}
