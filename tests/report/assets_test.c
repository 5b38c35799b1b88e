/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamescript.h"
#include "report/html/htmlassets.h"

#include <glib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	const char *text, *file;
} Asset;

static const Asset styles[] = {{flame_style, "report/flame/flame.css"}, {views_style, "report/flame/views.css"},
        {html_style, "report/html/page.css"}};
static const Asset scripts[] = {{flame_script, "report/flame/flame.js"}, {views_script, "report/flame/views.js"},
        {html_script, "report/html/page.js"}};

static void assert_embedded(const Asset *asset)
{
	g_autofree char *path = g_build_filename(SOURCE_DIR, asset->file, NULL), *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(asset->text, text);
}

static void scripts_and_styles_are_embedded_byte_for_byte(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(styles); i++)
		assert_embedded(&styles[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(scripts); i++)
		assert_embedded(&scripts[i]);
}

static void no_script_makes_code_or_markup_of_text(void **state)
{
	(void)state;
	static const char *const words[] = {
	        "eval(", "Function(", "innerHTML", "outerHTML", "insertAdjacent", "document.write", "setTimeout"};
	for (gsize i = 0; i < G_N_ELEMENTS(scripts); i++)
		for (gsize j = 0; j < G_N_ELEMENTS(words); j++)
			assert_null(strstr(scripts[i].text, words[j]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(scripts_and_styles_are_embedded_byte_for_byte),
	        cmocka_unit_test(no_script_makes_code_or_markup_of_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
