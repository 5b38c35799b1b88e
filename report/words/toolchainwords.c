/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/toolchainwords.h"

#include "model/namelist.h"
#include "model/numbers/number.h"

#define MAX_PRODUCERS 3

char *toolchain_compilers(const GPtrArray *compilers)
{
	if (compilers == NULL || compilers->len == 0)
		return NULL;
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < compilers->len; i++) {
		const UsedCompiler *compiler = g_ptr_array_index(compilers, i);
		g_autofree char *program = g_path_get_basename(compiler->program);
		g_autofree char *calls = number_count(compiler->calls);
		g_string_append_printf(text, "%s%s (%s, %s call%s)", i > 0 ? ", " : "", compiler->name, program, calls,
		        compiler->calls == 1 ? "" : "s");
	}
	return g_string_free(text, FALSE);
}

/* "GNU C17 12.2.0, GNU C++17 12.2.0 and 2 more": producers without their options, each once. */
static char *producer_names(const char *producers)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) lines = g_strsplit(producers, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *name = producer_name(*line);
		if (*name != '\0' && !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
			g_ptr_array_add(names, g_steal_pointer(&name));
	}
	return name_list(names, MAX_PRODUCERS);
}

static void append_lack(GString *text, guint units, const char *lack)
{
	if (units > 0)
		g_string_append_printf(text, ", %u of them without %s", units, lack);
}

char *toolchain_program(const ProgramFacts *facts)
{
	if (facts == NULL || facts->file == NULL)
		return NULL;
	g_autofree char *names = producer_names(facts->producers != NULL ? facts->producers : "");
	GString *text = g_string_new(facts->file);
	if (*names == '\0')
		return g_string_free(g_string_append(text, ": says nothing of its compilers"), FALSE);
	g_string_append_printf(text, ": %u unit%s by %s", facts->units, facts->units == 1 ? "" : "s", names);
	append_lack(text, facts->units_unoptimised, "optimisation");
	append_lack(text, facts->units_without_frame_pointers, "frame pointers");
	return g_string_free(text, FALSE);
}

char *toolchain_line(const GPtrArray *base, const GPtrArray *head)
{
	g_autofree char *of_base = toolchain_compilers(base), *of_head = toolchain_compilers(head);
	if (of_base == NULL && of_head == NULL)
		return NULL;
	if (g_strcmp0(of_base, of_head) == 0)
		return g_strdup_printf("both built by %s", of_base);
	if (of_base == NULL || of_head == NULL)
		return g_strdup_printf(
		        "%s built by %s", of_base != NULL ? "base" : "head", of_base != NULL ? of_base : of_head);
	return g_strdup_printf("base built by %s; head by %s", of_base, of_head);
}
