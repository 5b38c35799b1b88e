/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlglossary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The table as a reader sees it: marks of code gone, of a link its text and that it is a document. */
static char *plain_glossary(void)
{
	g_autofree char *path = g_build_filename(SOURCE_DIR, "docs/GLOSSARY.md", NULL), *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_autoptr(GRegex) link = g_regex_new("\\[([^]]+)\\]\\([^)]*\\)", 0, 0, NULL);
	g_autoptr(GRegex) code = g_regex_new("`", 0, 0, NULL);
	g_autofree char *unlinked = g_regex_replace(link, text, -1, 0, "docs/\\1", 0, NULL);
	return g_regex_replace_literal(code, unlinked, -1, 0, "", 0, NULL);
}

static void terms_mean_what_the_glossary_says(void **state)
{
	(void)state;
	g_autofree char *glossary = plain_glossary();
	for (const GlossaryEntry *entry = html_glossary; entry->term != NULL; entry++) {
		g_autofree char *row = g_strdup_printf("| %s | %s |\n", entry->term, entry->meaning);
		if (strstr(glossary, row) == NULL)
			fail_msg("docs/GLOSSARY.md has no row %s", row);
	}
}

static void the_list_has_every_term(void **state)
{
	(void)state;
	g_autoptr(GString) out = g_string_new(NULL);
	guint n = 0;
	html_terms(out);
	for (const char *at = out->str; (at = strstr(at, "<dt>")) != NULL; at++)
		n++;
	assert_true(n > 20);
	assert_non_null(strstr(out->str, "<dt>pp</dt><dd>Percentage points"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(terms_mean_what_the_glossary_says),
	        cmocka_unit_test(the_list_has_every_term),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
