/* SPDX-License-Identifier: Apache-2.0 */
#include "core/escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Texts that break naive output of some sink. */
static const char *const hostile[] = {
        "",
        " ",
        "plain",
        "</text><script>alert(1)</script>",
        "\" onload=\"alert(1)",
        "' onload='x",
        "]]>",
        "<!-- x -->",
        "&amp; &#x41; &bogus;",
        "a;b;c 12",
        "operator() 12",
        "line\nbreak\r\nand\ttab",
        "\x1b[2J\x1b]0;title\x07",
        "\x1b]8;;http://evil\x1b\\link",
        ("\xc2\x9b"
         "31m"),
        "\xff\xfe invalid \xc3",
        "\xed\xa0\x80 surrogate",
        "\xe2\x80\xaegnp.exe",
        "zero\xe2\x80\x8bwidth\xef\xbb\xbf",
        "\xe2\x80\xa8line separator",
        "\xef\xbf\xbe noncharacter",
        "tags \xf3\xa0\x81\x81",
        "`code` ``two`` ```",
        "`",
        "|cell|",
        "\\|",
        "@team #12 closes #3 !4 GH-12",
        "https://evil.example/x www.evil.example",
        "![x](http://evil/beacon.png) [y](javascript:alert(1))",
        "**bold** _it_ ~~no~~ <details>",
        "::error file=a::forged",
        "%0A::set-output name=x::y",
        "../../etc/passwd",
        "--upload-pack=x",
        "$(id) `id` ;id",
        "std::vector<int, std::allocator<int> >::push_back(int&&)",
        "\xc3\xbcml\xc3\xa4ut \xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x94\xa5",
};

typedef struct {
	const char *text, *expected;
} Case;

static void check_cases(EscapeFunc escape, const Case *cases, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		g_autofree char *escaped = escape_to_string(escape, cases[i].text);
		assert_string_equal(escaped, cases[i].expected);
	}
}

/* --- XML --- */

static void collect_text(GMarkupParseContext *context, const char *text, gsize length, gpointer out, GError **error)
{
	(void)context, (void)error;
	g_string_append_len(out, text, (gssize)length);
}

static void refuse_elements(GMarkupParseContext *context, const char *element, const char **names, const char **values,
        gpointer out, GError **error)
{
	(void)context, (void)error;
	assert_string_equal(element, "r");
	assert_string_equal(names[0], "a");
	assert_null(names[1]);
	g_string_append_printf(out, "%s|", values[0]);
}

/* The escaped text as an XML parser reads it, as attribute and as content: "<attribute>|<content>". */
static char *parsed_xml(const char *escaped)
{
	static const GMarkupParser parser = {.start_element = refuse_elements, .text = collect_text};
	g_autofree char *xml = g_strdup_printf("<r a=\"%s\">%s</r>", escaped, escaped);
	GString *out = g_string_new(NULL);
	g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, out, NULL);
	g_autoptr(GError) error = NULL;
	gboolean good = g_markup_parse_context_parse(context, xml, -1, &error) &&
	                g_markup_parse_context_end_parse(context, &error);
	if (!good)
		fail_msg("not well-formed: %s in %s", error->message, xml);
	return g_string_free(out, FALSE);
}

static void xml_is_always_well_formed_and_adds_no_element_or_attribute(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
		g_autofree char *escaped = escape_to_string(escape_xml, hostile[i]);
		g_autofree char *parsed = parsed_xml(escaped);
		assert_true(g_utf8_validate(escaped, -1, NULL));
		assert_null(strpbrk(escaped, "<>\"'\n\t"));
		const char *bar = parsed + (strlen(parsed) - 1) / 2;
		assert_int_equal(*bar, '|');
		assert_memory_equal(parsed, bar + 1, strlen(bar + 1));
	}
}

static void xml_keeps_every_text_that_can_be_seen(void **state)
{
	(void)state;
	g_autofree char *escaped = escape_to_string(escape_xml, "a<b> & \"c\" 'd'\n\xe4\xb8\xad");
	g_autofree char *parsed = parsed_xml(escaped);
	assert_string_equal(parsed, "a<b> & \"c\" 'd'\n\xe4\xb8\xad|a<b> & \"c\" 'd'\n\xe4\xb8\xad");
}

static void xml_shows_what_cannot_be_seen(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"a\x1b[m", "a\\x1b[m"},
	        {"\xff", "\\xff"},
	        {"\xe2\x80\xae", "\\u{202e}"},
	        {"\xc2\x85", "\\u{85}"},
	        {"\xef\xbf\xbf", "\\u{ffff}"},
	        {"\xef\xbb\xbf", "\\u{feff}"},
	        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
	        {"\r\n", "\\x0d&#10;"},
	};
	check_cases(escape_xml, cases, G_N_ELEMENTS(cases));
}

static void every_single_byte_gives_well_formed_xml(void **state)
{
	(void)state;
	for (int byte = 0; byte < 256; byte++) {
		char text = (char)byte;
		g_autoptr(GString) out = g_string_new(NULL);
		escape_xml(out, &text, 1);
		g_autofree char *parsed = parsed_xml(out->str);
		assert_true(strlen(parsed) >= 3);
	}
}

/* --- Markdown --- */

static gsize run_of(const char *text, char c)
{
	gsize n = 0;
	while (text[n] == c)
		n++;
	return n;
}

static void a_code_span_cannot_be_left_from_inside(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
		g_autofree char *escaped = escape_to_string(escape_markdown_code, hostile[i]);
		gsize fence = run_of(escaped, '`'), length = strlen(escaped);
		assert_true(fence >= 1 && length > 2 * fence);
		assert_null(strpbrk(escaped, "\n\r\t"));
		for (const char *p = escaped + fence; p < escaped + length - fence; p += MAX(run_of(p, '`'), 1))
			assert_true(run_of(p, '`') < fence);
		assert_int_equal(run_of(escaped + length - fence, '`'), fence);
		assert_int_not_equal(escaped[length - fence - 1], '`');
		for (const char *p = strchr(escaped, '|'); p != NULL; p = strchr(p + 1, '|'))
			assert_int_equal(p[-1], '\\');
	}
}

static void code_spans_are_as_expected(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"main", "`main`"},
	        {"", "` `"},
	        {"a`b", "``a`b``"},
	        {"``", "``` `` ```"},
	        {"a|b", "`a\\|b`"},
	        {"a\nb", "`a b`"},
	        {" x ", "`  x  `"},
	        {"<b>@me #1</b>", "`<b>@me #1</b>`"},
	        {"\xe2\x80\xae\x1b", "`\\u{202e}\\x1b`"},
	};
	check_cases(escape_markdown_code, cases, G_N_ELEMENTS(cases));
}

static void markdown_text_has_no_character_with_a_meaning(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
		g_autofree char *escaped = escape_to_string(escape_markdown_text, hostile[i]);
		assert_true(g_utf8_validate(escaped, -1, NULL));
		/* Only the references themselves may hold punctuation. */
		g_autoptr(GRegex) reference = g_regex_new("&#[0-9]+;", 0, 0, NULL);
		g_autofree char *rest = g_regex_replace_literal(reference, escaped, -1, 0, "", 0, NULL);
		assert_null(strpbrk(rest, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\n\r\t"));
		assert_int_not_equal(escaped[0], ' ');
	}
}

static void markdown_text_breaks_references(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"fix it", "fix it"},
	        {"@me", "&#64;&#8203;me"},
	        {"#12", "&#35;&#8203;12"},
	        {"GH-1", "GH&#45;&#8203;1"},
	        {"www.x", "www&#46;&#8203;x"},
	        {"a.b", "a&#46;b"},
	        {"<b>", "&#60;b&#62;"},
	        {"a\nb", "a b"},
	        {"    x", "&#32;   x"},
	        {"\x1b", "&#92;x1b"},
	};
	check_cases(escape_markdown_text, cases, G_N_ELEMENTS(cases));
}

/* --- terminal --- */

static void nothing_that_moves_a_cursor_reaches_the_terminal(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
		g_autofree char *escaped = escape_to_string(escape_terminal, hostile[i]);
		assert_true(g_utf8_validate(escaped, -1, NULL));
		for (const char *p = escaped; *p != '\0'; p = g_utf8_next_char(p)) {
			gunichar c = g_utf8_get_char(p);
			assert_true(c == '\t' || (c >= 0x20 && c != 0x7f && !(c >= 0x80 && c < 0xa0)));
			assert_false(c == 0x202e || c == 0x200b || c == 0x2028);
		}
	}
}

static void terminal_text_shows_controls(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"a\nb\rc\td", "a\\nb\\rc\td"},
	        {"\x1b[2J\x7f", "\\x1b[2J\\x7f"},
	        {"\xc2\x9b", "\\u{9b}"},
	        {"\x9b", "\\x9b"},
	        {"\xc3\xbc", "\xc3\xbc"},
	};
	check_cases(escape_terminal, cases, G_N_ELEMENTS(cases));
}

static void terminal_text_has_no_commands_for_ci_systems(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"::error::x", "\\x3a:error::x"},
	        {"a ::error::x", "a \\x3a:error::x"},
	        {"a\t::x", "a\t\\x3a:x"},
	        {"std::vector::at", "std::vector::at"},
	        {"a: b :c #1", "a: b :c #1"},
	        {"##[error]x", "\\x23#[error]x"},
	        {"a##vso[x]", "a\\x23#vso[x]"},
	        {":::x", "\\x3a::x"},
	};
	check_cases(escape_terminal, cases, G_N_ELEMENTS(cases));
}

/* --- folded --- */

static void folded_frames_stay_one_frame_and_leave_the_count_alone(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"main", "main"},
	        {"a;b", "a:b"},
	        {"a\nb\x1b", "a b"},
	        {"foo 12", "foo_12"},
	        {"foo  12", "foo _12"},
	        {"foo 1.5", "foo_1.5"},
	        {"foo 12 ", "foo_12"},
	        {"foo 1x", "foo 1x"},
	        {"12", "12"},
	        {"operator new (int)", "operator new (int)"},
	        {"", "_"},
	        {"  ", "_"},
	        {"\xff", "\xff"},
	        {"a\xc2\x9b"
	         "b\xc2\x80\xc2\x9f",
	                "a  b"},
	        {"\xc2\xa0\xc3\x9b\xc2", "\xc2\xa0\xc3\x9b\xc2"},
	};
	check_cases(escape_folded, cases, G_N_ELEMENTS(cases));
}

static void folded_frames_have_no_separator(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
		g_autofree char *escaped = escape_to_string(escape_folded, hostile[i]);
		const char *word = strrchr(escaped, ' ');
		assert_null(strpbrk(escaped, ";\n\r\t"));
		assert_true(word == NULL || word[1 + strspn(word + 1, "0123456789")] != '\0');
		assert_int_not_equal(escaped[0], '\0');
	}
}

/* --- GitHub --- */

static void github_messages_stay_one_command(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"a\nb\rc", "a%0Ab%0Dc"},
	        {"100%", "100%25"},
	        {"%0A::error::x", "%250A::error::x"},
	        {"a:b,c", "a:b,c"},
	        {"\x1b", "\\x1b"},
	        {"x ##[group]y", "x \\x23#[group]y"},
	};
	check_cases(escape_github_data, cases, G_N_ELEMENTS(cases));
}

static void github_properties_stay_one_property(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"a:b,c", "a%3Ab%2Cc"},
	        {"x\n::error::y", "x%0A%3A%3Aerror%3A%3Ay"},
	};
	check_cases(escape_github_property, cases, G_N_ELEMENTS(cases));
}

/* --- variables --- */

static void a_variable_is_one_line_that_nobody_expands(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"", ""},
	        {"task-clock +12.3 %, f(x) = \"y\"", "task-clock +12.3 %, f(x) = \"y\""},
	        {"$CI_JOB_TOKEN ${x} $$", "\\x24CI_JOB_TOKEN \\x24{x} \\x24\\x24"},
	        {"a\nFIREBREAK_VERDICT=pass", "a\\nFIREBREAK_VERDICT=pass"},
	        {"a\rb\x1b[0m\xff", "a\\rb\\x1b[0m\\xff"},
	};
	check_cases(escape_dotenv, cases, G_N_ELEMENTS(cases));
}

/* --- comma-separated values --- */

static void a_field_is_quoted_and_never_a_formula(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"", "\"\""},
	        {"plain, text", "\"plain, text\""},
	        {"say \"hi\"", "\"say \"\"hi\"\"\""},
	        {"=1+1", "\"'=1+1\""},
	        {"+1", "\"'+1\""},
	        {"-1", "\"'-1\""},
	        {"@SUM(A1)", "\"'@SUM(A1)\""},
	        {"a=b", "\"a=b\""},
	};
	check_cases(escape_csv, cases, G_N_ELEMENTS(cases));
}

static void a_field_is_one_line(void **state)
{
	(void)state;
	g_autofree char *field = escape_to_string(escape_csv, "a\nb\r\tc\x1b\xff");
	assert_null(strpbrk(field, "\n\r\x1b"));
	assert_true(g_utf8_validate(field, -1, NULL));
}

/* --- file names --- */

static void good_file_names_are_kept(void **state)
{
	(void)state;
	static const Case cases[] = {
	        {"parse-large", "parse-large"},
	        {"a.b_C-9", "a.b_C-9"},
	        {"0123456789012345678901234567890123456789012345678901234567890123",
	                "0123456789012345678901234567890123456789012345678901234567890123"},
	};
	check_cases(escape_filename, cases, G_N_ELEMENTS(cases));
}

static void all_file_names_are_safe_and_different(void **state)
{
	(void)state;
	g_autoptr(GRegex) safe = g_regex_new("\\A[A-Za-z0-9_][A-Za-z0-9._-]{0,63}\\z", 0, 0, NULL);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	static const char *const more[] = {"a b", "a_b", "a/b", "a|b", ".a", "-a", "_a", ".", "..",
	        "0123456789012345678901234567890123456789012345678901234567890123a",
	        "0123456789012345678901234567890123456789012345678901234567890123b"};
	for (gsize i = 0; i < G_N_ELEMENTS(hostile) + G_N_ELEMENTS(more); i++) {
		const char *text = i < G_N_ELEMENTS(more) ? more[i] : hostile[i - G_N_ELEMENTS(more)];
		char *name = escape_to_string(escape_filename, text);
		assert_true(g_regex_match(safe, name, 0, NULL));
		assert_true(g_hash_table_add(seen, name));
	}
}

static void a_name_that_imitates_a_hashed_one_gets_another_name(void **state)
{
	(void)state;
	g_autofree char *hashed = escape_to_string(escape_filename, "a b");
	g_autofree char *imitated = escape_to_string(escape_filename, hashed);
	assert_string_not_equal(hashed, imitated);
}

/* --- all --- */

static void a_length_limits_what_is_read(void **state)
{
	(void)state;
	static const EscapeFunc all[] = {escape_xml, escape_markdown_text, escape_terminal, escape_folded,
	        escape_github_data, escape_github_property, escape_filename};
	for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autoptr(GString) out = g_string_new("before:");
		all[i](out, "abcdef", 3);
		assert_string_equal(out->str, "before:abc");
	}
}

static void a_character_cut_by_the_length_is_shown_as_bytes(void **state)
{
	(void)state;
	g_autoptr(GString) out = g_string_new(NULL);
	escape_xml(out, "\xe4\xb8\xad", 2);
	assert_string_equal(out->str, "\\xe4\\xb8");
}

static void a_nul_inside_is_shown(void **state)
{
	(void)state;
	g_autoptr(GString) out = g_string_new(NULL);
	escape_terminal(out, "a\0b", 3);
	escape_folded(out, "a\0b", 3);
	assert_string_equal(out->str, "a\\x00ba b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(xml_is_always_well_formed_and_adds_no_element_or_attribute),
	        cmocka_unit_test(xml_keeps_every_text_that_can_be_seen),
	        cmocka_unit_test(xml_shows_what_cannot_be_seen),
	        cmocka_unit_test(every_single_byte_gives_well_formed_xml),
	        cmocka_unit_test(a_code_span_cannot_be_left_from_inside),
	        cmocka_unit_test(code_spans_are_as_expected),
	        cmocka_unit_test(markdown_text_has_no_character_with_a_meaning),
	        cmocka_unit_test(markdown_text_breaks_references),
	        cmocka_unit_test(nothing_that_moves_a_cursor_reaches_the_terminal),
	        cmocka_unit_test(terminal_text_shows_controls),
	        cmocka_unit_test(folded_frames_stay_one_frame_and_leave_the_count_alone),
	        cmocka_unit_test(folded_frames_have_no_separator),
	        cmocka_unit_test(terminal_text_has_no_commands_for_ci_systems),
	        cmocka_unit_test(github_messages_stay_one_command),
	        cmocka_unit_test(github_properties_stay_one_property),
	        cmocka_unit_test(a_variable_is_one_line_that_nobody_expands),
	        cmocka_unit_test(a_field_is_quoted_and_never_a_formula),
	        cmocka_unit_test(a_field_is_one_line),
	        cmocka_unit_test(good_file_names_are_kept),
	        cmocka_unit_test(all_file_names_are_safe_and_different),
	        cmocka_unit_test(a_name_that_imitates_a_hashed_one_gets_another_name),
	        cmocka_unit_test(a_length_limits_what_is_read),
	        cmocka_unit_test(a_character_cut_by_the_length_is_shown_as_bytes),
	        cmocka_unit_test(a_nul_inside_is_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
