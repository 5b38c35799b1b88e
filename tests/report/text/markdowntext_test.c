/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/markdowntext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *text, const char *wanted)
{
	g_autoptr(GString) out = g_string_new(NULL);
	markdown_text(out, text);
	assert_string_equal(out->str, wanted);
}

static void sentences_of_ours_stand_as_they_are(void **state)
{
	(void)state;
	static const char *const texts[] = {
	        "task-clock +13.4 % [+12.1, +14.7], caused by hash_word, edited in this change: +17.6 pp",
	        "catalog (confirmed): instructions 0 %",
	        "448,201,334",
	        "5.00 MiB",
	        "in 24 A/A campaigns: 0 (at most 11.7 %); p = 0.0039",
	        "größer → 関数",
	        "",
	};
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		check(texts[i], texts[i]);
}

static void what_marks_up_is_escaped(void **state)
{
	(void)state;
	check("a **b** c", "a &#42;&#8203;&#42;&#8203;b&#42;&#8203;&#42;&#8203; c");
	check("of _b_ and __init", "of &#95;b&#95; and &#95;&#95;init");
	check("a [b](c) [+1](c)", "a &#91;b&#93;&#40;c&#41; &#91;&#43;1&#93;&#40;c&#41;");
	check("a <b> | `c` \\", "a &#60;b&#62; &#124; &#96;c&#96; &#92;");
	check("a\nb", "a b");
	check("a \n- b", "a &#32;&#45; b");
}

static void what_begins_a_block_is_escaped_at_the_beginning_only(void **state)
{
	(void)state;
	check("1. b", "1&#46; b");
	check("1) b", "1&#41; b");
	check("- b", "&#45; b");
	check("+ b", "&#43; b");
	check("=== b", "&#61;&#61;&#61; b");
	check("/close b", "&#47;close b");
	check("    code", "&#32;   code");
	check("a - b + c = 1. d", "a - b + c = 1. d");
}

static void what_forges_take_for_references_is_set_apart(void **state)
{
	(void)state;
	check("by @me #12 !3 ~b $4", "by &#64;&#8203;me &#35;&#8203;12 &#33;&#8203;3 &#126;&#8203;b &#36;&#8203;4");
	check("see GH-1 and www.x", "see GH&#45;&#8203;1 and www&#46;&#8203;x");
	check("http://x :tada: %v1", "http&#58;&#8203;&#47;&#47;x &#58;&#8203;tada&#58;&#8203; &#37;&#8203;v1");
}

static void long_text_is_cut_before_it_is_escaped(void **state)
{
	(void)state;
	g_autofree char *text = g_strnfill(5000, '*');
	g_autoptr(GString) out = g_string_new(NULL);
	markdown_text(out, text);
	assert_true(g_str_has_suffix(out->str, ";…"));
	assert_true(strlen(out->str) < 15000);
}

static void names_in_code_are_not_escaped(void **state)
{
	(void)state;
	g_autoptr(GString) out = g_string_new(NULL);
	markdown_code(out, "hash_word");
	markdown_code(out, "a|b*c");
	assert_string_equal(out->str, "`hash_word``a\\|b*c`");
}

static void settings_commands_and_options_between_backticks_are_copied_as_they_are(void **state)
{
	static const char *const rows[][2] = {
	        {"set `rounds: 9`, or `layouts: 3` at least", "set `rounds: 9`, or `layouts: 3` at least"},
	        {"run `firebreak init` or `git fetch`, with `--all`",
	                "run `firebreak init` or `git fetch`, with `--all`"},
	        {"one ` alone", "one &#96; alone"},
	        {"a `b: 1` ` c", "a `b: 1` &#96; c"},
	        {"a ` before `b: 1`", "a &#96; before `b: 1`"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GString) out = g_string_new(NULL);
		markdown_message(out, rows[i][0]);
		assert_string_equal(out->str, rows[i][1]);
	}
}

static void backticks_of_names_make_no_code(void **state)
{
	(void)state;
	g_autoptr(GString) out = g_string_new(NULL);
	markdown_message(out, "`id`_row is new");
	markdown_message(out, "a`b: not measured, see `id`");
	markdown_message(out, "a`b: a`b");
	assert_null(strchr(out->str, '`'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(settings_commands_and_options_between_backticks_are_copied_as_they_are),
	        cmocka_unit_test(backticks_of_names_make_no_code),
	        cmocka_unit_test(sentences_of_ours_stand_as_they_are),
	        cmocka_unit_test(what_marks_up_is_escaped),
	        cmocka_unit_test(what_begins_a_block_is_escaped_at_the_beginning_only),
	        cmocka_unit_test(what_forges_take_for_references_is_set_apart),
	        cmocka_unit_test(long_text_is_cut_before_it_is_escaped),
	        cmocka_unit_test(names_in_code_are_not_escaped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
