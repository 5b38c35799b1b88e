/* SPDX-License-Identifier: Apache-2.0 */
#include "core/escape.h"

#include <string.h>

/* One character of foreign text, or one byte that is not part of a UTF-8 character. */
typedef struct {
	const char *bytes;
	gsize length;
	gunichar code;
	gboolean valid;
} Char;

typedef struct {
	const char *at, *end;
} Reader;

static Reader reader_of(const char *text, gssize length)
{
	gsize n = length < 0 ? strlen(text) : (gsize)length;
	return (Reader){.at = text, .end = text + n};
}

static gboolean read_char(Reader *reader, Char *c)
{
	if (reader->at == reader->end)
		return FALSE;
	*c = (Char){.bytes = reader->at, .length = 1, .code = (guchar)*reader->at, .valid = TRUE};
	if (c->code >= 0x80) {
		gunichar code = g_utf8_get_char_validated(reader->at, reader->end - reader->at);
		c->valid = code != (gunichar)-1 && code != (gunichar)-2;
		if (c->valid) {
			c->code = code;
			c->length = (gsize)g_utf8_skip[(guchar)*reader->at];
		}
	}
	reader->at += c->length;
	return TRUE;
}

/* Characters that have a shape of their own nowhere but an effect: Hangul fillers and the grapheme joiner look like
 * nothing, noncharacters are not allowed in XML. */
static gboolean is_blank_shape(gunichar code)
{
	return code == 0x34f || code == 0x115f || code == 0x1160 || code == 0x3164 || code == 0xffa0 ||
	       (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

/* TRUE if a reader would not see the character as it is: controls, bidirectional and zero-width characters (class Cf),
 * line separators, bytes that are not UTF-8. */
static gboolean is_hidden(const Char *c)
{
	if (!c->valid || c->code < 0x20 || c->code == 0x7f)
		return TRUE;
	if (c->code < 0x7f)
		return FALSE;
	switch (g_unichar_type(c->code)) {
	case G_UNICODE_CONTROL:
	case G_UNICODE_FORMAT:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR:
		return TRUE;
	default:
		return is_blank_shape(c->code);
	}
}

static void append_visible(GString *out, const Char *c)
{
	if (c->valid && c->code >= 0x80)
		g_string_append_printf(out, "\\u{%x}", c->code);
	else
		g_string_append_printf(out, "\\x%02x", c->code);
}

static void append_plain_or_visible(GString *out, const Char *c)
{
	if (is_hidden(c))
		append_visible(out, c);
	else
		g_string_append_len(out, c->bytes, (gssize)c->length);
}

/* The reference that stands for the ASCII character in XML, or NULL if the character has no meaning there. */
static const char *xml_reference(gunichar code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	/* A parser turns a newline or tab in the value of an attribute into a blank, but leaves references alone (XML
	 * 1.0, 3.3.3). */
	case '\n':
		return "&#10;";
	case '\t':
		return "&#9;";
	default:
		return NULL;
	}
}

void escape_xml(GString *out, const char *text, gssize length)
{
	Reader reader = reader_of(text, length);
	Char c;
	while (read_char(&reader, &c)) {
		const char *reference = c.valid ? xml_reference(c.code) : NULL;
		if (reference != NULL)
			g_string_append(out, reference);
		else
			append_plain_or_visible(out, &c);
	}
}

static gboolean is_line_blank(const Char *c)
{
	return c->valid && (c->code == '\n' || c->code == '\t' || c->code == '\r');
}

static gsize longest_backtick_run(const char *text)
{
	gsize longest = 0, run = 0;
	for (const char *p = text; *p != '\0'; p++) {
		run = *p == '`' ? run + 1 : 0;
		longest = MAX(longest, run);
	}
	return longest;
}

static void append_fence(GString *out, gsize length)
{
	for (gsize i = 0; i < length; i++)
		g_string_append_c(out, '`');
}

void escape_markdown_code(GString *out, const char *text, gssize length)
{
	g_autoptr(GString) code = g_string_new(NULL);
	Reader reader = reader_of(text, length);
	Char c;
	while (read_char(&reader, &c)) {
		if (is_line_blank(&c))
			g_string_append_c(code, ' ');
		else if (c.valid && c.code == '|')
			g_string_append(code, "\\|");
		else
			append_plain_or_visible(code, &c);
	}
	if (code->len == 0)
		g_string_append_c(code, ' ');
	/* A blank at both ends is taken off by Markdown unless there is nothing else, and it keeps a backtick apart
	 * from the fence. */
	char first = code->str[0], last = code->str[code->len - 1];
	gboolean blank = strspn(code->str, " ") == code->len;
	gboolean pad = first == '`' || last == '`' || (first == ' ' && last == ' ' && !blank);
	gsize fence = longest_backtick_run(code->str) + 1;
	append_fence(out, fence);
	g_string_append(out, pad ? " " : "");
	g_string_append_len(out, code->str, (gssize)code->len);
	g_string_append(out, pad ? " " : "");
	append_fence(out, fence);
}

/* TRUE if a forge could take `seen`, the text so far and its last character, as the start of a reference or link. */
static gboolean starts_reference(const char *seen, gsize length)
{
	const char *last = seen + length - 1;
	if (*last == '[')
		return length >= 2 && last[-1] == '[';
	if (strchr("@#!$%~&^:*", *last) != NULL)
		return TRUE;
	if (*last == '.')
		return length >= 4 && g_ascii_strncasecmp(last - 3, "www", 3) == 0;
	return *last == '-' && length >= 3 && g_ascii_strncasecmp(last - 2, "gh", 2) == 0;
}

void escape_markdown_text(GString *out, const char *text, gssize length)
{
	g_autoptr(GString) seen = g_string_new(NULL);
	Reader reader = reader_of(text, length);
	Char c;
	while (read_char(&reader, &c)) {
		gsize start = seen->len;
		if (is_line_blank(&c))
			g_string_append_c(seen, ' ');
		else
			append_plain_or_visible(seen, &c);
		for (gsize i = start; i < seen->len; i++) {
			char byte = seen->str[i];
			if (g_ascii_ispunct(byte) || (byte == ' ' && i == 0))
				g_string_append_printf(out, "&#%d;", byte);
			else
				g_string_append_c(out, byte);
			if (starts_reference(seen->str, i + 1))
				g_string_append(out, "&#8203;");
		}
	}
}

/* Logs of CI systems are read for commands: `::` at the start of a line, which wrapping makes of any word, and `##[`,
 * `##vso[` and `##teamcity[`. Both are told by their first two characters. */
static gboolean starts_log_command(const Char *c, const Reader *rest, gboolean in_word)
{
	if (rest->at == rest->end || *rest->at != c->bytes[0])
		return FALSE;
	return c->code == '#' || (c->code == ':' && !in_word);
}

void escape_terminal(GString *out, const char *text, gssize length)
{
	Reader reader = reader_of(text, length);
	gboolean in_word = FALSE;
	Char c;
	for (; read_char(&reader, &c); in_word = c.code != ' ' && c.code != '\t') {
		if (starts_log_command(&c, &reader, in_word))
			append_visible(out, &c);
		else if (c.code == '\n')
			g_string_append(out, "\\n");
		else if (c.code == '\r')
			g_string_append(out, "\\r");
		else if (c.code == '\t')
			g_string_append_c(out, '\t');
		else
			append_plain_or_visible(out, &c);
	}
}

void escape_dotenv(GString *out, const char *text, gssize length)
{
	g_autoptr(GString) line = g_string_new(NULL);
	escape_terminal(line, text, length);
	g_string_replace(line, "$", "\\x24", 0);
	g_string_append(out, line->str);
}

static gboolean is_number_word(const char *word)
{
	gsize digits = strspn(word, "0123456789");
	if (digits > 0 && word[digits] == '.')
		digits += 1 + strspn(word + digits + 1, "0123456789");
	return digits > 0 && word[digits] == '\0';
}

/* U+0080 to U+009F, of which some begin escape sequences on a terminal as ESC does. */
static gboolean is_c1_control(const char *text)
{
	return (guchar)text[0] == 0xc2 && (guchar)text[1] >= 0x80 && (guchar)text[1] < 0xa0;
}

void escape_folded(GString *out, const char *text, gssize length)
{
	gsize n = length < 0 ? strlen(text) : (gsize)length;
	g_autoptr(GString) frame = g_string_new_len(text, (gssize)n);
	for (gsize i = 0; i < frame->len; i++) {
		if (frame->str[i] == ';')
			frame->str[i] = ':';
		else if (g_ascii_iscntrl(frame->str[i]))
			frame->str[i] = ' ';
		else if (is_c1_control(frame->str + i))
			frame->str[i] = frame->str[i + 1] = ' ';
	}
	g_strstrip(frame->str);
	char *blank = strrchr(frame->str, ' ');
	/* Numbers at the end of a line are its costs, of which difffolded.pl writes two: a last word that is a number
	 * would be taken for one of them. */
	if (blank != NULL && is_number_word(blank + 1))
		*blank = '_';
	g_string_append(out, frame->str[0] == '\0' ? "_" : frame->str);
}

/* Workflow commands of GitHub end at a line break, and their properties at a comma or colon; the runner decodes percent
 * signs (packages/core/src/command.ts of actions/toolkit). */
static void append_github(GString *out, const char *text, gssize length, const char *percented)
{
	Reader reader = reader_of(text, length);
	Char c;
	while (read_char(&reader, &c)) {
		if (c.code > 0 && c.code < 0x80 && strchr(percented, (int)c.code) != NULL)
			g_string_append_printf(out, "%%%02X", c.code);
		else if (starts_log_command(&c, &reader, TRUE))
			append_visible(out, &c);
		else
			append_plain_or_visible(out, &c);
	}
}

void escape_github_data(GString *out, const char *text, gssize length)
{
	append_github(out, text, length, "%\r\n");
}

void escape_github_property(GString *out, const char *text, gssize length)
{
	append_github(out, text, length, "%\r\n:,");
}

void escape_csv(GString *out, const char *text, gssize length)
{
	Reader reader = reader_of(text, length);
	Char c;
	gboolean first = TRUE;
	g_string_append_c(out, '"');
	for (; read_char(&reader, &c); first = FALSE) {
		/* Spreadsheets take a cell that begins with one of these for a formula, and execute it. */
		if (first && c.code > 0 && c.code < 0x80 && strchr("=+-@\t\r", (int)c.code) != NULL)
			g_string_append_c(out, '\'');
		if (c.code == '"')
			g_string_append(out, "\"\"");
		else
			append_plain_or_visible(out, &c);
	}
	g_string_append_c(out, '"');
}

#define FILENAME_MAX_LENGTH 64
#define FILENAME_HASH_LENGTH 16

static gboolean is_filename_char(char c)
{
	return g_ascii_isalnum(c) || c == '.' || c == '_' || c == '-';
}

static gboolean ends_in_hash(const char *text, gsize length)
{
	if (length < FILENAME_HASH_LENGTH + 1 || text[length - FILENAME_HASH_LENGTH - 1] != '-')
		return FALSE;
	for (gsize i = length - FILENAME_HASH_LENGTH; i < length; i++)
		if (!g_ascii_isxdigit(text[i]))
			return FALSE;
	return TRUE;
}

static gboolean is_filename(const char *text, gsize length)
{
	if (length == 0 || length > FILENAME_MAX_LENGTH || text[0] == '.' || text[0] == '-')
		return FALSE;
	for (gsize i = 0; i < length; i++)
		if (!is_filename_char(text[i]))
			return FALSE;
	/* A name that ends as hashed ones do could be that of another text. */
	return !ends_in_hash(text, length);
}

void escape_filename(GString *out, const char *text, gssize length)
{
	gsize n = length < 0 ? strlen(text) : (gsize)length;
	if (is_filename(text, n)) {
		g_string_append_len(out, text, (gssize)n);
		return;
	}
	gsize kept = MIN(n, FILENAME_MAX_LENGTH - FILENAME_HASH_LENGTH - 1);
	for (gsize i = 0; i < kept; i++) {
		gboolean good = is_filename_char(text[i]) && (i > 0 || (text[i] != '.' && text[i] != '-'));
		g_string_append_c(out, good ? text[i] : '_');
	}
	g_autofree char *hash = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, n);
	g_string_append_printf(out, "%s-%.*s", kept == 0 ? "_" : "", FILENAME_HASH_LENGTH, hash);
}

char *escape_to_string(EscapeFunc escape, const char *text)
{
	GString *out = g_string_new(NULL);
	escape(out, text, -1);
	return g_string_free(out, FALSE);
}
