/* SPDX-License-Identifier: Apache-2.0 */
#include "model/toolchain.h"

#include <string.h>

void used_compiler_free(UsedCompiler *compiler)
{
	g_free(compiler->name);
	g_free(compiler->program);
	g_free(compiler);
}

GPtrArray *used_compilers_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)used_compiler_free);
}

void program_facts_free(ProgramFacts *facts)
{
	if (facts == NULL)
		return;
	g_free(facts->file);
	g_free(facts->producers);
	g_free(facts);
}

/* A word without the path in it: that of the checkout is another one on each side. Owned by the caller. */
static char *comparable_word(const char *word)
{
	const char *equals = strchr(word, '=');
	if (strchr(word, '/') == NULL)
		return g_strdup(word);
	return equals != NULL ? g_strndup(word, (gsize)(equals - word)) : g_strdup("");
}

/* Lists the words of all producers, each once, in their order. */
static GPtrArray *words_of(const char *producers)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) parts = g_strsplit_set(producers, " \n", -1);
	for (char **part = parts; *part != NULL; part++) {
		g_autofree char *word = comparable_word(*part);
		if (*word != '\0' && !g_str_has_prefix(word, "-frandom-seed") &&
		        !g_ptr_array_find_with_equal_func(words, word, g_str_equal, NULL))
			g_ptr_array_add(words, g_steal_pointer(&word));
	}
	return words;
}

/* Those of `words` that `others` lacks; "none of these" reads better than nothing. Owned by the caller. */
static char *missing_in(const GPtrArray *words, GPtrArray *others)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < words->len; i++)
		if (!g_ptr_array_find_with_equal_func(others, words->pdata[i], g_str_equal, NULL))
			g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "", (const char *)words->pdata[i]);
	return g_string_free(text, FALSE);
}

char *producers_difference(const char *base, const char *head)
{
	if (base == NULL || head == NULL || *base == '\0' || *head == '\0' || g_str_equal(base, head))
		return NULL;
	g_autoptr(GPtrArray) of_base = words_of(base), of_head = words_of(head);
	g_autofree char *base_only = missing_in(of_base, of_head), *head_only = missing_in(of_head, of_base);
	if (*base_only == '\0' && *head_only == '\0')
		return NULL;
	return g_strdup_printf("base: %s; head: %s", *base_only != '\0' ? base_only : "without what head has",
	        *head_only != '\0' ? head_only : "without what base has");
}

char *producer_name(const char *producer)
{
	const char *options = strstr(producer, " -");
	return options != NULL ? g_strndup(producer, (gsize)(options - producer)) : g_strdup(producer);
}
