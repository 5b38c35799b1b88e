/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that try to be more than text: what a function, a file, a branch, a commit or a benchmark may be called when
 * somebody wants a report to say, load or run something else.
 *
 * The corpus is made of classes: pieces that mean something to one output (markup, links, escape sequences, commands of
 * a CI system, separators of a format), each alone and within a plain name; the same pieces where texts are cut; broken
 * and misleading Unicode; and random mixtures of all of them. It is the same every time, no text stands in it twice,
 * and no text has a NUL, since names are C strings. */
#pragma once

#include <glib.h>
#include <string.h>

#define CORPUS_MIN 1000

static const char *const corpus_markup[] = {
        "</text><script>alert(1)</script>",
        "<script>alert(1)</script>",
        "</script><script>alert(1)//",
        "\"><img src=x onerror=alert(1)>",
        "'><svg onload=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "' onfocus='alert(1)' autofocus='",
        "x onclick=alert(1) y",
        "</title><base href=//evil.example/>",
        "</style><link rel=stylesheet href=//evil.example/x.css>",
        "</textarea></template></noscript><iframe src=//evil.example>",
        "<!--",
        "-->",
        "<!--><script>alert(1)</script-->",
        "<![CDATA[",
        "]]>",
        "<?xml version=\"1.0\"?>",
        "<?php echo 1 ?>",
        "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>&e;",
        "&lt;script&gt;",
        "&#60;script&#62;",
        "&amp;amp;",
        "&",
        "&#x0;",
        "&#xd800;",
        "&nosuch;",
        "<a href=\"javascript:alert(1)\">x</a>",
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "<animate attributeName=href values=javascript:alert(1)>",
        "<foreignObject><body xmlns=\"http://www.w3.org/1999/xhtml\"/></foreignObject>",
        "<use href=\"data:image/svg+xml,x#y\"/>",
        "<g id=\"firebreak\">",
        "</g></svg>",
        "</td></tr></table><h1>pass</h1>",
        "</details></summary>",
        "<meta http-equiv=refresh content=0>",
        "<plaintext>",
        "url(//evil.example)",
        "expression(alert(1))",
        "</failure></testcase><testcase name=\"forged\"/>",
        "<property name=\"x\" value=\"y\"/>",
};

static const char *const corpus_markdown[] = {
        "`",
        "``",
        "```",
        "``` js",
        "~~~",
        "`a` [x](http://evil.example) `b`",
        "[click](javascript:alert(1))",
        "[click](http://evil.example \"title\")",
        "![beacon](http://evil.example/x.png)",
        "[x][y]",
        "[y]: http://evil.example",
        "\n\n[y]: http://evil.example\n",
        "[^1]",
        "<http://evil.example>",
        "<a@evil.example>",
        "http://evil.example/x",
        "https://evil.example",
        "ftp://evil.example",
        "www.evil.example",
        "mail@evil.example",
        "@everyone",
        "@org/team",
        "cc @octocat.",
        "#1",
        "(#12)",
        "owner/repo#12",
        "GH-12",
        "closes #1",
        "fixes owner/repo#3",
        "!12",
        "$12",
        "%12",
        "~label",
        "&12",
        "^alert#3",
        ":tada:",
        ":+1:",
        "a | b",
        "\\|",
        "\\\\|",
        "|---|---|",
        "| x | y |\n|---|---|\n| forged | pass |",
        "# heading",
        "\n# heading",
        "heading\n===",
        "---",
        "* * *",
        "- item",
        "+ item",
        "1. item",
        "1) item",
        "- [x] done",
        "> quote",
        "    code",
        "\tcode",
        "**bold**",
        "__bold__",
        "*a* _b_ ~~c~~",
        "$x$",
        "$$x$$",
        "\\(x\\)",
        "<!-- firebreak -->",
        "<br>",
        "</details>",
        "<details open><summary>x</summary>",
        "/label ~bug",
        "/approve",
        "\n/close",
        "[[_TOC_]]",
        "![[x]]",
        "{{ x }}",
        "${{ secrets.TOKEN }}",
        "\\`",
        "a\\",
        "\\",
        "hard break  \nnext",
        "d34db33fd34db33fd34db33fd34db33fd34db33f",
        "owner/repo@d34db33fd34db33fd34db33fd34db33fd34db33f",
};

static const char *const corpus_terminal[] = {
        "\033[2J",
        "\033[31mred",
        "\033]0;title\007",
        "\033]8;;http://evil.example\033\\link\033]8;;\033\\",
        "\033P+q\033\\",
        "\033[?1049h",
        "\033[1A\033[2K",
        "\033c",
        "\033",
        ("\302\233"
         "31mred"),
        ("\302\235"
         "0;title\302\234"),
        "\302\220",
        "\23331m",
        "\2350;title\234",
        "pass\rregression",
        "a\bb",
        "\a",
        "\x01\x02\x03\x04\x05\x06\x0e\x0f",
        "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1c\x1d\x1e\x1f",
        "\v\f",
        "\177",
        "a\tb",
        "a\nb",
        "a\r\nb",
        "\n",
        "\r",
        "\t",
};

static const char *const corpus_commands[] = {
        "::error::forged",
        "\n::error::forged",
        "\r::error::forged",
        "\r\n::set-output name=x::y",
        "%0A::error::forged",
        "%0D%0A::warning file=x::forged",
        "%25",
        "%2C",
        "%3A",
        "::stop-commands::x",
        "::add-mask::x",
        "##[error]forged",
        "\n##[group]x",
        "##vso[task.setvariable variable=x]y",
        "##teamcity[testFailed name='x']",
        "a,title=forged::b",
        "file=x,line=1::y",
        "x::y",
        ",",
        ":",
        "\n  ::error::forged",
        "\302\205::error::forged",
        "\342\200\250::error::forged",
        "[0Ksection_start:1:x",
        "\033[0Ksection_start:1:x\r\033[0K",
        "##[set-env name=PATH;]x",
};

static const char *const corpus_formats[] = {
        "\"",
        "'",
        "\\\"",
        "\\u0000",
        "\\x41",
        "\\x5cx41",
        "\\xff",
        "\\ud800",
        "{\"a\":1}",
        "\",\"forged\":\"",
        "\"}],\"x\":[{\"y\":\"",
        "null",
        "true",
        "NaN",
        "Infinity",
        "-1e999",
        "__proto__",
        "constructor",
        "toString",
        "\"} 1\nforged_metric 1\n",
        "\"} 1 # {x=\"y\"} 1",
        "a\"b",
        "x\n# EOF\n",
        "# EOF",
        "# TYPE forged counter",
        "benchmark=\"x\"",
        "le=\"0.1\"",
        "a;b",
        ";",
        ";;;",
        "a;b 12",
        "op 12",
        "op 3.5",
        "op 1e3",
        "3",
        "3 4",
        "3 4 5",
        " 12",
        "a 12 ",
        "a  12",
        "a_[k]",
        "a_[i]",
        "a_[j]",
        "# comment",
        "#",
        "--",
        "- 1",
        "a`b",
        "libc.so.6`read",
        "0xdeadbeef",
        "0x",
        "[unknown]",
        "[kernel.kallsyms]",
        "[base]",
        "(module)",
        "base",
        "head",
        "=cmd|' /C calc'!A0",
        "@SUM(1+1)",
        "+1+1",
        "-1+1",
        "%s%s%n",
        "%1$s %2$n",
        "%",
        "%%",
        "$(id)",
        "`id`",
        "a;id",
        "|id",
        "--upload-pack=x",
        "-x",
        "zzz\";echo${IFS}\"hello\";#",
        "refs/heads/../../x",
        "HEAD@{1}",
        "a..b",
        "x.lock",
        "../../../etc/passwd",
        "/etc/passwd",
        "./x.c",
        "a/../../b.c",
        "a//b.c",
        "..",
        ".",
        "",
        " ",
        "  ",
        "~/.ssh/id_rsa",
        "C:\\Windows\\x.c",
        "\\\\host\\share",
        ".git/config",
        "firebreak.yml",
        "file:///etc/passwd",
        "<built-in>",
        "con",
        "-",
        "_",
        "worktree",
        "?",
        "std::vector<std::pair<int, char const*>>::operator<<(std::ostream&)",
        "operator\"\" _x",
        "operator->*",
        "f(int&&, char const (&)[3])",
        "core::ptr::drop_in_place<alloc::vec::Vec<u8>>",
        "{{closure}}",
        ("main.(*T).f\302\267"
         "1"),
        "pprof::base",
        "ns",
        "bytes",
        "count",
        "regression",
};

static const char *const corpus_unicode[] = {
        "\xff",
        "\xfe\xff",
        "\xc0\xaf",
        "\xc1\xbf",
        "\xe0\x80\xbc",
        ("\xf0\x80\x80\xbc"
         "script>"),
        "\xed\xa0\x80",
        "\xed\xa0\xbd\xed\xb8\x80",
        "\xed\xb0\x80",
        "\xf4\x90\x80\x80",
        "\xf8\x88\x80\x80\x80",
        "\xe2\x82",
        "\xf0\x9f\x98",
        "\xc3",
        "\x80",
        "\xbf",
        "caf\xe9",
        ("\xef\xbb\xbf"
         "bom"),
        "\xef\xbf\xbe",
        "\xef\xbf\xbf",
        "\xef\xb7\x90",
        "\xf0\x9f\xbf\xbe",
        ("\342\200\256"
         "gnp.exe"),
        "\342\200\252a\342\200\254",
        "\342\201\246a\342\201\251",
        "\342\200\213zero",
        "a\342\200\215b",
        "\342\200\216\342\200\217",
        "\330\234",
        "\342\201\240",
        "\302\255soft",
        "\342\200\250line",
        "\342\200\251paragraph",
        "\302\205next",
        "\302\240",
        "\343\200\200",
        "\341\205\237",
        "\343\205\244",
        "\315\217",
        "e\314\201\314\202\314\203\314\204\314\205\314\206\314\207\314\210",
        "\357\274\234script\357\274\236",
        "\313\202script\313\203",
        "\360\235\222\264",
        "\360\237\230\200",
        "\360\237\221\250\342\200\215\360\237\221\251\342\200\215\360\237\221\247",
        "\363\240\200\201tag",
        "\356\200\200private",
        "\327\251\327\234\327\225\327\235",
        "\331\205\330\261\330\255\330\250\330\247",
        "\346\274\242\345\255\227",
        "\357\270\217",
        "\352\231\257",
        "\357\277\274",
        "\357\277\275",
        "\357\277\271",
};

typedef struct {
	GPtrArray *texts;
	GHashTable *seen;
} CorpusMaker;

static inline void corpus_take(CorpusMaker *maker, char *text)
{
	if (g_hash_table_add(maker->seen, text))
		g_ptr_array_add(maker->texts, g_strdup(text));
}

static inline void corpus_piece(CorpusMaker *maker, const char *piece)
{
	corpus_take(maker, g_strdup(piece));
	corpus_take(maker, g_strconcat("parse_", piece, "_row(int)", NULL));
}

/* A piece that begins just before, at, and just after the places where outputs cut names and texts. */
static inline void corpus_cut(CorpusMaker *maker, const char *piece)
{
	static const gsize cuts[] = {24, 44, 64, 100, 200, 400, 1000};
	for (gsize i = 0; i < G_N_ELEMENTS(cuts); i++) {
		g_autofree char *filler = g_strnfill(cuts[i] - 2 + i % 3, 'n');
		corpus_take(maker, g_strconcat(filler, piece, NULL));
	}
}

/* The same numbers everywhere: a linear congruential generator modulo 2^64, of which the upper bits are good. */
static inline guint corpus_random(guint64 *state, guint below)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return (guint)(*state >> 33) % below;
}

static inline void corpus_mixture(CorpusMaker *maker, guint64 *state)
{
	static const char special[] = "<>&\"'`|;:,%#@!$*_~^\\/()[]{}=+-.?\n\r\t\033 \177ax1";
	GString *text = g_string_new(NULL);
	guint length = 1 + corpus_random(state, 24), bytes = corpus_random(state, 3);
	for (guint i = 0; i < length; i++) {
		if (bytes == 0)
			g_string_append_c(text, special[corpus_random(state, sizeof special - 1)]);
		else if (bytes == 1)
			g_string_append_c(text, (char)(1 + corpus_random(state, 255)));
		else
			g_string_append_unichar(text, 0xa0 + corpus_random(state, 0xd800 - 0xa0));
	}
	corpus_take(maker, g_string_free(text, FALSE));
}

static inline void corpus_sequence(CorpusMaker *maker, guint64 *state)
{
	GString *text = g_string_new(NULL);
	for (guint n = 2 + corpus_random(state, 3); n > 0; n--)
		g_string_append(
		        text, g_ptr_array_index(maker->texts, corpus_random(state, MIN(maker->texts->len, 600))));
	corpus_take(maker, g_string_free(text, FALSE));
}

/* Array of char *, owned by the caller. */
static inline GPtrArray *corpus_new(void)
{
	static const struct {
		const char *const *pieces;
		gsize n;
	} classes[] = {
	        {corpus_markup, G_N_ELEMENTS(corpus_markup)},
	        {corpus_markdown, G_N_ELEMENTS(corpus_markdown)},
	        {corpus_terminal, G_N_ELEMENTS(corpus_terminal)},
	        {corpus_commands, G_N_ELEMENTS(corpus_commands)},
	        {corpus_formats, G_N_ELEMENTS(corpus_formats)},
	        {corpus_unicode, G_N_ELEMENTS(corpus_unicode)},
	};
	static const char *const at_cuts[] = {
	        "<script>&amp;\"'", "`@x|#1\xff", "\342\200\256\360\237\230\200\033[2J\n::x", "a;b 12\r\n"};
	guint64 state = 20;
	CorpusMaker maker = {
	        g_ptr_array_new_with_free_func(g_free), g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
	for (gsize i = 0; i < G_N_ELEMENTS(classes); i++)
		for (gsize j = 0; j < classes[i].n; j++)
			corpus_piece(&maker, classes[i].pieces[j]);
	for (gsize i = 0; i < G_N_ELEMENTS(at_cuts); i++)
		corpus_cut(&maker, at_cuts[i]);
	for (guint i = 0; i < 300; i++)
		corpus_mixture(&maker, &state);
	for (guint i = 0; i < 240; i++)
		corpus_sequence(&maker, &state);
	g_hash_table_unref(maker.seen);
	return maker.texts;
}
