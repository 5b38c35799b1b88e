/* SPDX-License-Identifier: Apache-2.0 */
/* One escaper per output sink. Every foreign text (symbol, file, branch or benchmark name, commit subject, output of a
 * benchmark) goes through the escaper of the sink it is written to, after any truncation, never before.
 *
 * Each appends the escaped form of `length` bytes of `text` to `out`; length -1 means up to the NUL. `text` may hold
 * any bytes. None fails. Shared notation for what a reader must see rather than have interpreted: `\xNN` is one byte (a
 * control byte or one that is not UTF-8), `\u{202e}` a code point (C1 controls, bidirectional and zero-width
 * characters, line separators). The notation is for reading; it is not meant to be decoded. */
#pragma once

#include <glib.h>

typedef void (*EscapeFunc)(GString *out, const char *text, gssize length);

/* Text or quoted attribute value of XML, SVG and HTML. The result is always well-formed XML 1.0 and valid UTF-8;
 * newline and TAB become character references, so that they survive in an attribute. */
void escape_xml(GString *out, const char *text, gssize length);

/* An inline code span, fences included, fit for a cell of a GitHub or GitLab Markdown table: nothing in it is a
 * mention, link, reference or HTML. `|` becomes `\|`, newline and TAB a blank. Empty text gives a span of one blank. */
void escape_markdown_code(GString *out, const char *text, gssize length);

/* Plain text fit for a paragraph or table cell of Markdown: every character with a meaning becomes a character
 * reference, and what follows a character that starts a reference (`@user`, `#12`, `www.`, `://`) is set apart by a
 * zero-width space, because forges look for references in the rendered text. Newline and TAB become a blank. */
void escape_markdown_text(GString *out, const char *text, gssize length);

/* One line on a terminal or in a log: no byte of it moves the cursor or starts an escape sequence, and nothing in it is
 * a command of a CI system that reads its log, however the text is wrapped: the first character of `::` where a word
 * begins, and of `##` anywhere, becomes visible as `\x3a` and `\x23`. Newline becomes the two characters `\n`, carriage
 * return `\r`; TAB stays. */
void escape_terminal(GString *out, const char *text, gssize length);

/* One frame of a folded stack line `a;b;c 12`: `;` becomes `:`, control characters (C1 included) become blanks, blanks
 * at both ends go, and if the last blank-separated word is a number (it could be read as the count) the blank before it
 * becomes `_`. Bytes that are not UTF-8 stay. Nothing left gives `_`. */
void escape_folded(GString *out, const char *text, gssize length);

/* The message of a GitHub workflow command (`::error ...::message`): % CR LF as %25 %0D %0A, other controls visible,
 * and the first character of `##`, which begins commands of an older form and of other systems. */
void escape_github_data(GString *out, const char *text, gssize length);

/* A property value of a workflow command (`file=`, `title=`): as the data, and also `:` and `,` as %3A and %2C. */
void escape_github_property(GString *out, const char *text, gssize length);

/* The value of NAME=VALUE in a dotenv file: one line, as on a terminal, and `$`, which readers of such files expand
 * (GitLab puts the secrets of a later job there), becomes visible as `\x24`. */
void escape_dotenv(GString *out, const char *text, gssize length);

/* A field of a CSV file, quoted. What a spreadsheet would take for a formula (it starts with = + - @ TAB or carriage
 * return) gets an apostrophe in front. Bytes that are not UTF-8 and control characters are made visible. */
void escape_csv(GString *out, const char *text, gssize length);

/* A file name of the form [A-Za-z0-9._-]{1,64} that starts with neither `.` nor `-`. A text that has that form already
 * is kept; any other gets `_` for every foreign byte, is cut, and ends in `-` and 16 hex digits of the SHA-256 of the
 * text. A text that ends like that by itself is treated as foreign too, so that different texts get different names. */
void escape_filename(GString *out, const char *text, gssize length);

/* The escaped form of a NUL-terminated text as a new string, owned by the caller. */
char *escape_to_string(EscapeFunc escape, const char *text);
