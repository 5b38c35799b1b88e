#include "report/markdowntext.h"

#include "core/escape.h"
#include "report/wording.h"

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

void markdown_message(GString *out, const char *text)
{
	g_autofree char *shortened = wording_shorten_words(text, TEXT_MAX_CHARS);
	g_auto(GStrv) parts = g_strsplit(shortened, "`", -1);
	guint n = g_strv_length(parts);
	gboolean paired = n % 2 == 1;
	for (guint i = 0; i < n; i++) {
		gboolean code = i % 2 == 1 && (paired || i + 1 < n);
		if (!paired && i + 1 == n)
			escape_markdown_text(out, "`", 1); /* the last one has no partner */
		if (code && *parts[i] != '\0')
			markdown_code(out, parts[i]);
		else
			append_part(out, parts[i], i > 0);
	}
}

void markdown_code(GString *out, const char *text)
{
	g_autofree char *shortened = wording_shorten(text, NAME_MAX_CHARS);
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
