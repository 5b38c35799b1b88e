/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/markdowntext.h"

#include "core/escape.h"
#include "profile/hotspots/hotspots.h"
#include "report/words/wording.h"

#include <string.h>

#define NAME_MAX_CHARS 200
#define TEXT_MAX_CHARS 1000

static gboolean is_between_letters(const char *word, gsize at)
{
	return at > 0 && g_ascii_isalnum(word[at - 1]) && g_ascii_isalnum(word[at + 1]);
}

static gboolean is_sign_or_digit(char c)
{
	return g_ascii_isdigit(c) || c == '+' || c == '-';
}

/* TRUE if the character can neither mark up nor begin a reference at its place: `_` within a word is no emphasis, `[`
 * before a number and `]` before anything but `(` are no link, `:` and `%` at the end of a word are no emoji, address
 * or milestone. */
static gboolean is_plain_char(const char *word, gsize at)
{
	char c = word[at], next = word[at + 1];
	if (g_ascii_isalnum(c) || strchr("+-.,;()=", c) != NULL)
		return TRUE;
	if (c == '_' || c == '/' || c == '\'')
		return is_between_letters(word, at);
	if (c == '[')
		return at == 0 && is_sign_or_digit(next);
	if (c == ']' || c == '%')
		return next == '\0' || strchr(",;)", next) != NULL;
	return c == ':' && next == '\0';
}

/* The first word could be the mark of a list, or begin a heading or a command of the forge. */
static gboolean is_harmless_first(const char *word)
{
	return g_ascii_isalnum(*word) && !g_str_has_suffix(word, ".") && !g_str_has_suffix(word, ")");
}

static gboolean is_plain(const char *word, gboolean first)
{
	g_autofree char *lower = g_ascii_strdown(word, -1);
	if ((first && !is_harmless_first(word)) || strstr(lower, "www.") != NULL || strstr(lower, "gh-") != NULL)
		return FALSE;
	for (gsize i = 0; word[i] != '\0'; i++)
		if (!is_plain_char(word, i))
			return FALSE;
	return TRUE;
}

void markdown_text(GString *out, const char *text)
{
	g_autofree char *shortened = wording_shorten_words(text, TEXT_MAX_CHARS);
	g_auto(GStrv) words = g_strsplit(shortened, " ", -1);
	for (gsize i = 0; words[i] != NULL; i++) {
		if (i == 1 && *words[0] == '\0')
			escape_markdown_text(out, " ", 1); /* four blanks would begin a block of code */
		else if (i > 0)
			g_string_append_c(out, ' ');
		if (is_plain(words[i], i == 0))
			g_string_append(out, words[i]);
		else
			escape_markdown_text(out, words[i], -1);
	}
}

/* A part of a text that goes on from a code span, so that a blank or stop in front begins nothing. */
static void append_part(GString *out, const char *part, gboolean goes_on)
{
	while (goes_on && *part != '\0' && strchr(" ,;.)", *part) != NULL)
		g_string_append_c(out, *part++);
	markdown_text(out, part);
}

static gboolean is_in_word(const char *text, const char *open, const char *close)
{
	return (open > text && g_ascii_isalnum(open[-1])) || g_ascii_isalnum(close[1]);
}

/* TRUE for text that a reader copies: a command, an option, or a setting of the configuration. Other words between
 * backticks may be part of a foreign name, and stay as they are. */
static gboolean is_for_copying(const char *text, gsize length)
{
	static const char *const starts[] = {"firebreak ", "git ", "--"};
	for (gsize i = 0; i < G_N_ELEMENTS(starts); i++)
		if (length > strlen(starts[i]) && g_str_has_prefix(text, starts[i]))
			return TRUE;
	gsize key = strspn(text, G_CSET_a_2_z "_"), value = key + strlen(": ");
	return key > 0 && value < length && g_str_has_prefix(text + key, ": ") &&
	       memchr(text + value, ' ', length - value) == NULL;
}

void markdown_message(GString *out, const char *text)
{
	g_autofree char *shortened = wording_shorten_words(text, TEXT_MAX_CHARS);
	const char *begin = shortened, *open = strchr(begin, '`'), *close;
	while (open != NULL && (close = strchr(open + 1, '`')) != NULL) {
		gsize length = close - open - 1;
		if (is_in_word(shortened, open, close) || !is_for_copying(open + 1, length)) {
			open = close;
			continue;
		}
		g_autofree char *before = g_strndup(begin, open - begin), *code = g_strndup(open + 1, length);
		append_part(out, before, begin > shortened);
		markdown_code(out, code);
		begin = close + 1;
		open = strchr(begin, '`');
	}
	append_part(out, begin, begin > shortened);
}

void markdown_code(GString *out, const char *text)
{
	g_autofree char *shortened = hotspots_short_name(text, NAME_MAX_CHARS);
	escape_markdown_code(out, shortened, -1);
}

const char *markdown_verdict_sign(Verdict verdict)
{
	static const char *const signs[] = {
	        [VERDICT_PASS] = "✅",
	        [VERDICT_REGRESSION] = "❌",
	        [VERDICT_INCONCLUSIVE] = "❔",
	        [VERDICT_ERROR] = "🚫",
	};
	return signs[verdict];
}

const char *markdown_standing_sign(Standing standing)
{
	static const char *const signs[N_STANDINGS] = {
	        [STANDING_REGRESSED] = "❌",
	        [STANDING_BROKEN] = "🚫",
	        [STANDING_INCONCLUSIVE] = "❔",
	        [STANDING_ACCEPTED] = "⚠️",
	        [STANDING_SLOWER] = "⚠️",
	        [STANDING_SHIFTED] = "ℹ️",
	        [STANDING_IMPROVED] = "🟢",
	        [STANDING_NEW] = "🆕",
	        [STANDING_PASSED] = "✅",
	};
	return signs[standing];
}
