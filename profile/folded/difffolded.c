/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/folded/difffolded.h"

#include <math.h>
#include <string.h>

#define SHOWN_BYTES 200

/* A sum that stays exact while it is whole, which `value` is not beyond 2^53. */
typedef struct {
	guint64 whole;
	double value;
	gboolean inexact; /* a fraction was added, or `whole` is too small for the sum */
} Sum;

typedef struct {
	char *stack; /* owned by `lines` */
	Sum counts[DIFF_FOLDED_SIDES];
} Line;

struct DiffFolded {
	DiffFoldedOptions options;
	GHashTable *lines; /* char * -> Line, key is line->stack */
	Sum totals[DIFF_FOLDED_SIDES];
};

static void line_free(gpointer data)
{
	Line *line = data;
	g_free(line->stack);
	g_free(line);
}

DiffFolded *diff_folded_new(const DiffFoldedOptions *options)
{
	DiffFolded *diff = g_new0(DiffFolded, 1);
	diff->options = *options;
	diff->lines = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, line_free);
	return diff;
}

void diff_folded_free(DiffFolded *diff)
{
	if (diff == NULL)
		return;
	g_hash_table_unref(diff->lines);
	g_free(diff);
}

static void sum_add(Sum *sum, const Sum *other)
{
	if (other->inexact || sum->whole > G_MAXUINT64 - other->whole)
		sum->inexact = TRUE;
	sum->whole += other->whole;
	sum->value += other->value;
}

/* Tells where the digits before `end` begin. */
static const char *digits_before(const char *start, const char *end)
{
	while (end > start && g_ascii_isdigit(end[-1]))
		end--;
	return end;
}

/* digits [ "." [ digits ] ] at the end of the text, or NULL. */
static const char *find_count(const char *start, const char *end)
{
	const char *digits = digits_before(start, end);
	if (digits > start && digits[-1] == '.')
		digits = digits_before(start, digits - 1);
	return digits < end && g_ascii_isdigit(*digits) ? digits : NULL;
}

static Sum read_count(const char *text, gsize length)
{
	g_autofree char *digits = g_strndup(text, length);
	char *end = NULL;
	Sum count = {.value = g_ascii_strtod(digits, NULL)};
	count.whole = g_ascii_strtoull(digits, &end, 10);
	count.inexact = *end != '\0' || count.whole == G_MAXUINT64;
	return count;
}

/* Takes the count off the end of the line; FALSE if there is none, or no stack before it. */
static gboolean split_line(const char *start, gsize *length, Sum *count)
{
	const char *end = start + *length, *digits = find_count(start, end);
	if (digits == NULL || digits - start < 2 || !g_ascii_isspace(digits[-1]))
		return FALSE;
	*count = read_count(digits, (gsize)(end - digits));
	*length = (gsize)(digits - start) - 1;
	return memchr(start, '\0', *length) == NULL;
}

char *diff_folded_strip_hex(const char *text)
{
	GString *out = g_string_new(NULL);
	while (*text != '\0') {
		if (text[0] != '0' || text[1] != 'x' || !g_ascii_isxdigit(text[2])) {
			g_string_append_c(out, *text++);
			continue;
		}
		g_string_append(out, "0x...");
		for (text += 2; g_ascii_isxdigit(*text);)
			text++;
	}
	return g_string_free(out, FALSE);
}

static Line *line_of(DiffFolded *diff, const char *text, gsize length)
{
	g_autofree char *stack = g_strndup(text, length);
	if (diff->options.strip_hex) {
		char *stripped = diff_folded_strip_hex(stack);
		g_free(stack);
		stack = stripped;
	}
	Line *line = g_hash_table_lookup(diff->lines, stack);
	if (line == NULL) {
		line = g_new0(Line, 1);
		line->stack = g_steal_pointer(&stack);
		g_hash_table_insert(diff->lines, line->stack, line);
	}
	return line;
}

static void note_bad_line(FoldedSummary *summary, guint64 number, const char *text, gsize length)
{
	if (summary->bad_lines++ > 0)
		return;
	g_autofree char *shown = g_strndup(text, MIN(length, SHOWN_BYTES));
	summary->first_bad_line = number;
	summary->first_bad_text = g_utf8_make_valid(shown, -1);
}

static void add_line(
        DiffFolded *diff, DiffFoldedSide side, const char *text, gsize length, guint64 number, FoldedSummary *summary)
{
	Sum count;
	gsize stack_length = length;
	if (!split_line(text, &stack_length, &count)) {
		note_bad_line(summary, number, text, length);
		return;
	}
	sum_add(&line_of(diff, text, stack_length)->counts[side], &count);
	sum_add(&diff->totals[side], &count);
	summary->stack_lines++;
}

void diff_folded_add(DiffFolded *diff, DiffFoldedSide side, const char *text, gsize length, FoldedSummary *summary)
{
	FoldedSummary lines = {0};
	const char *end = text + length;
	for (guint64 number = 1; text < end; number++) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		const char *stop = newline != NULL ? newline : end;
		gsize bytes = (gsize)(stop - text);
		if (bytes > 0 && stop[-1] == '\r')
			bytes--;
		if (bytes > 0)
			add_line(diff, side, text, bytes, number, &lines);
		text = stop + 1;
	}
	if (summary != NULL)
		*summary = lines;
	else
		folded_summary_clear(&lines);
}

/* count * to / from without the fraction. A quotient that is whole is not to be missed for the error of a double. */
static Sum scaled(const Sum *count, const Sum *from, const Sum *to)
{
	Sum result = {0};
	gboolean whole = !count->inexact && !from->inexact && !to->inexact;
	if (from->value <= 0)
		return *count;
	if (whole && (to->whole == 0 || count->whole <= G_MAXUINT64 / to->whole) &&
	        count->whole * to->whole % from->whole == 0)
		result.whole = count->whole * to->whole / from->whole;
	else
		result.value = trunc(count->value * to->value / from->value);
	if (result.value >= (double)G_MAXUINT64)
		result.inexact = TRUE;
	else if (result.value > 0)
		result.whole = (guint64)result.value;
	return result;
}

static void append_count(GString *out, const Sum *count)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	if (count->inexact)
		g_string_append_printf(out, " %s", g_ascii_formatd(buffer, sizeof buffer, "%.15g", count->value));
	else
		g_string_append_printf(out, " %" G_GUINT64_FORMAT, count->whole);
}

static gint by_stack(gconstpointer left, gconstpointer right)
{
	return strcmp((*(const Line *const *)left)->stack, (*(const Line *const *)right)->stack);
}

char *diff_folded_text(const DiffFolded *diff)
{
	const Sum *base = &diff->totals[DIFF_FOLDED_BASE], *head = &diff->totals[DIFF_FOLDED_HEAD];
	g_autoptr(GPtrArray) lines = g_ptr_array_new();
	GHashTableIter iter;
	gpointer line;
	g_hash_table_iter_init(&iter, diff->lines);
	while (g_hash_table_iter_next(&iter, NULL, &line))
		g_ptr_array_add(lines, line);
	g_ptr_array_sort(lines, by_stack);
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < lines->len; i++) {
		const Line *one = lines->pdata[i];
		gboolean scale = diff->options.normalize && base->value != head->value;
		Sum first = scale ? scaled(&one->counts[DIFF_FOLDED_BASE], base, head) : one->counts[DIFF_FOLDED_BASE];
		g_string_append(out, one->stack);
		append_count(out, &first);
		append_count(out, &one->counts[DIFF_FOLDED_HEAD]);
		g_string_append_c(out, '\n');
	}
	return g_string_free(out, FALSE);
}
