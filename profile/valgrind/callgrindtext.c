/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindtext.h"

#include "core/error.h"

#include <string.h>

/* The kind of a line. */
typedef enum { LINE_QUIET, LINE_DAMAGED, LINE_HEADER, LINE_FUNCTION, LINE_SELF, LINE_CALLS } LineKind;

#define MAX_NAME_BYTES 1048576
/* Such a number stands in parentheses, which count. */
#define MAX_NUMBER_BYTES 32

void callgrind_text_init(CallgrindText *lines, TextPiece text, const char *name)
{
	memset(lines, 0, sizeof *lines);
	lines->name = name;
	lines->at = text.start;
	lines->end = text.start + text.length;
	lines->n_positions = 1;
	lines->address_position = CALLGRIND_MAX_POSITIONS;
	lines->events = g_array_new(FALSE, FALSE, sizeof(TextPiece));
	for (guint i = 0; i < CALLGRIND_NAME_KINDS; i++) {
		lines->names[i].by_number = g_array_new(FALSE, FALSE, sizeof(guint32));
		lines->names[i].by_text = g_array_new(FALSE, FALSE, sizeof(guint32));
		lines->names[i].rows = g_array_new(FALSE, FALSE, sizeof(TextPiece));
	}
}

void callgrind_text_clear(CallgrindText *lines)
{
	for (guint i = 0; i < CALLGRIND_NAME_KINDS; i++) {
		pair_index_clear(&lines->names[i].numbers);
		text_index_clear(&lines->names[i].texts);
		g_array_unref(lines->names[i].by_number);
		g_array_unref(lines->names[i].by_text);
		g_array_unref(lines->names[i].rows);
	}
	g_array_unref(lines->events);
}

gboolean callgrind_text_damaged(const CallgrindText *lines, const char *what, GError **error)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s:%" G_GUINT64_FORMAT ": %s", lines->name,
	        lines->line_number, what);
	return FALSE;
}

/* --- names --- */

/* The keys of lines `key=name`, and where each name is kept: nowhere if it is about jumps or lines within a function.
 */
typedef struct {
	const char *key;
	CallgrindNameKind kind;
	gsize place; /* in CallgrindText; 0 = nowhere */
	gboolean may_be_undefined;
} NameKey;

static const NameKey name_keys[] = {
        {"fn", CALLGRIND_NAME, G_STRUCT_OFFSET(CallgrindText, function.name), FALSE},
        {"cfn", CALLGRIND_NAME, G_STRUCT_OFFSET(CallgrindText, called.name), FALSE},
        {"fl", CALLGRIND_FILE, G_STRUCT_OFFSET(CallgrindText, function.file), FALSE},
        {"fi", CALLGRIND_FILE, 0, FALSE},
        {"fe", CALLGRIND_FILE, 0, FALSE},
        {"cfi", CALLGRIND_FILE, G_STRUCT_OFFSET(CallgrindText, called.file), TRUE},
        {"cfl", CALLGRIND_FILE, G_STRUCT_OFFSET(CallgrindText, called.file), TRUE},
        {"ob", CALLGRIND_OBJECT, G_STRUCT_OFFSET(CallgrindText, function.object), TRUE},
        {"cob", CALLGRIND_OBJECT, G_STRUCT_OFFSET(CallgrindText, called.object), TRUE},
        {"jfn", CALLGRIND_NAME, 0, FALSE},
        {"jfi", CALLGRIND_FILE, 0, TRUE},
        {"job", CALLGRIND_OBJECT, 0, TRUE},
};

static guint32 add_name(CallgrindNames *names, TextPiece text)
{
	g_array_append_val(names->rows, text);
	return names->rows->len - 1;
}

static guint32 row_of_text(CallgrindNames *names, TextPiece text)
{
	gboolean is_new;
	guint32 slot = text_index_find_or_add(&names->texts, text, &is_new);
	if (is_new) {
		guint32 row = add_name(names, text);
		g_array_append_val(names->by_text, row);
	}
	return g_array_index(names->by_text, guint32, slot);
}

/* "(12) name" defines 12, "(12)" is what it was defined as; if that is nothing, *row has an empty name. Two numbers of
 * one text are two: callgrind numbers static functions of one name, too. */
static gboolean row_of_number(CallgrindNames *names, guint64 number, TextPiece text, guint32 *row)
{
	gboolean is_new;
	guint32 slot = pair_index_find_or_add(&names->numbers, number, 0, &is_new);
	if (is_new) {
		*row = add_name(names, text);
		g_array_append_val(names->by_number, *row);
		return text.length > 0;
	}
	guint32 *known = &g_array_index(names->by_number, guint32, slot);
	if (text.length > 0 && !text_same(text, g_array_index(names->rows, TextPiece, *known)))
		*known = add_name(names, text);
	*row = *known;
	return g_array_index(names->rows, TextPiece, *row).length > 0;
}

/* An object, and where something called lies, may be a number that is defined nowhere, as old versions of callgrind
 * write it: the place is not known then. */
static gboolean read_name(
        CallgrindText *lines, const NameKey *key, TextPiece value, guint32 *row_plus_1, GError **error)
{
	CallgrindNames *names = &lines->names[key->kind];
	guint32 row;
	const char *closing = memchr(value.start, ')', MIN(value.length, MAX_NUMBER_BYTES));
	const char *end = value.start + value.length;
	TextPiece number = TEXT_NOTHING;
	if (value.length > MAX_NAME_BYTES)
		return callgrind_text_damaged(lines, "the name is too long to be one", error);
	if (closing != NULL && value.start[0] == '(')
		number = text_between(value.start + 1, closing);
	if (!text_is_number(number))
		row = row_of_text(names, value);
	else if (!row_of_number(names, text_number(number), text_trimmed(text_between(closing + 1, end)), &row) &&
	         !key->may_be_undefined)
		return callgrind_text_damaged(lines, "this number has not been given a name", error);
	*row_plus_1 = row + 1;
	return TRUE;
}

TextPiece callgrind_text_name(const CallgrindText *lines, CallgrindNameKind kind, guint32 row_plus_1)
{
	return row_plus_1 != 0 ? g_array_index(lines->names[kind].rows, TextPiece, row_plus_1 - 1) : TEXT_NOTHING;
}

/* --- numbers --- */

static gboolean parse_hexadecimal(TextPiece digits, guint64 *value)
{
	*value = 0;
	for (gsize i = 0; i < digits.length; i++) {
		if (!g_ascii_isxdigit(digits.start[i]))
			return FALSE;
		*value = *value << 4 | (guint64)g_ascii_xdigit_value(digits.start[i]);
	}
	return digits.length > 0 && digits.length <= 16;
}

/* Decimal, where what is too large becomes the largest number, or hexadecimal after 0x. */
static gboolean parse_number(TextPiece text, guint64 *value)
{
	if (text.length > 2 && text.start[0] == '0' && text.start[1] == 'x')
		return parse_hexadecimal((TextPiece){text.start + 2, text.length - 2}, value);
	*value = text_number(text);
	return text_is_number(text);
}

/* A line or address: a number, relative to the last with a sign, or `*` for the same. */
static gboolean parse_position(TextPiece word, guint64 last, guint64 *value)
{
	char sign = word.length > 1 ? word.start[0] : '\0';
	*value = last;
	if (word.length == 1 && word.start[0] == '*')
		return TRUE;
	if (sign != '+' && sign != '-')
		return parse_number(word, value);
	gboolean ok = parse_number((TextPiece){word.start + 1, word.length - 1}, value);
	*value = sign == '+' ? last + *value : last - *value;
	return ok;
}

/* --- costs --- */

/* "3 0x1400 50": how often, and the positions of what is called, which are relative to those of the last line. */
static gboolean read_calls(CallgrindText *lines, TextPiece value, GError **error)
{
	TextPiece word;
	if (!text_take_word(&value, &word) || !parse_number(word, &lines->n_calls))
		return callgrind_text_damaged(lines, "not a number of calls", error);
	lines->target = 0;
	for (guint i = 0; lines->has_addresses && i <= lines->address_position && text_take_word(&value, &word); i++)
		if (i == lines->address_position && !parse_position(word, lines->positions[i], &lines->target))
			return callgrind_text_damaged(lines, "not the place of a function", error);
	lines->costs_are_of_calls = TRUE;
	return TRUE;
}

static gboolean add_to_sums(CallgrindText *lines, GError **error)
{
	for (guint i = 0; i < lines->n_costs; i++)
		if (__builtin_add_overflow(lines->sums[i], lines->costs[i], &lines->sums[i]))
			return callgrind_text_damaged(lines, "the costs are too large", error);
	return TRUE;
}

/* Fills in the place of a called function: it lies where its caller does, unless the file says otherwise. */
static void complete_called(CallgrindText *lines)
{
	CallgrindPlace *called = &lines->called;
	called->object = called->object != 0 ? called->object : lines->function.object;
	called->file = called->file != 0 ? called->file : lines->function.file;
}

/* Positions, then costs. */
static LineKind read_costs(CallgrindText *lines, TextPiece line, GError **error)
{
	TextPiece word;
	gboolean are_of_calls = lines->costs_are_of_calls;
	lines->costs_are_of_calls = FALSE;
	lines->has_costs = TRUE;
	lines->n_costs = 0;
	if (lines->events->len == 0 || lines->function.name == 0) {
		callgrind_text_damaged(lines, "costs without a function in front of them", error);
		return LINE_DAMAGED;
	}
	gboolean ok = TRUE;
	for (guint i = 0; i < lines->n_positions && ok; i++)
		ok = text_take_word(&line, &word) && parse_position(word, lines->positions[i], &lines->positions[i]);
	while (ok && text_take_word(&line, &word))
		ok = lines->n_costs < lines->events->len && parse_number(word, &lines->costs[lines->n_costs++]);
	if (!ok) {
		callgrind_text_damaged(lines, "not a line of costs", error);
		return LINE_DAMAGED;
	}
	lines->address = lines->has_addresses ? lines->positions[lines->address_position] : 0;
	if (are_of_calls) {
		complete_called(lines);
		return LINE_CALLS;
	}
	return add_to_sums(lines, error) ? LINE_SELF : LINE_DAMAGED;
}

static LineKind read_assignment(CallgrindText *lines, TextPiece key, TextPiece value, GError **error)
{
	guint32 row = 0;
	if (text_equals(key, "calls"))
		return read_calls(lines, value, error) ? LINE_QUIET : LINE_DAMAGED;
	for (guint i = 0; i < G_N_ELEMENTS(name_keys); i++) {
		if (!text_equals(key, name_keys[i].key))
			continue;
		if (!read_name(lines, &name_keys[i], value, &row, error))
			return LINE_DAMAGED;
		if (name_keys[i].place != 0)
			G_STRUCT_MEMBER(guint32, lines, name_keys[i].place) = row;
		return i == 0 ? LINE_FUNCTION : LINE_QUIET;
	}
	return LINE_QUIET;
}

/* --- headers --- */

static gboolean read_events(CallgrindText *lines, TextPiece value, GError **error)
{
	TextPiece word;
	g_array_set_size(lines->events, 0);
	while (lines->events->len < CALLGRIND_MAX_EVENTS && text_take_word(&value, &word))
		g_array_append_val(lines->events, word);
	if (lines->events->len > 0 && !text_take_word(&value, &word))
		return TRUE;
	return callgrind_text_damaged(lines, "not a list of events", error);
}

static gboolean read_positions(CallgrindText *lines, TextPiece value, GError **error)
{
	TextPiece word;
	guint n = 0;
	lines->address_position = CALLGRIND_MAX_POSITIONS;
	for (; n <= CALLGRIND_MAX_POSITIONS && text_take_word(&value, &word); n++)
		if (n < CALLGRIND_MAX_POSITIONS && text_equals(word, "instr"))
			lines->address_position = n;
	lines->n_positions = n;
	lines->has_addresses = lines->address_position < n;
	memset(lines->positions, 0, sizeof lines->positions);
	return (n > 0 && n <= CALLGRIND_MAX_POSITIONS) ||
	       callgrind_text_damaged(lines, "not a list of positions", error);
}

static gboolean read_totals(CallgrindText *lines, TextPiece value, GError **error)
{
	TextPiece word;
	guint64 total;
	gboolean fits = TRUE;
	for (guint i = 0; i < lines->events->len; i++) {
		total = 0;
		if (text_take_word(&value, &word) && !parse_number(word, &total))
			fits = FALSE;
		fits &= total == lines->sums[i];
	}
	lines->has_totals = TRUE;
	return fits || !lines->is_callgrind ||
	       callgrind_text_damaged(
	               lines, "the costs do not add up to these totals: lines are missing or changed", error);
}

static gboolean end_part(CallgrindText *lines, GError **error)
{
	gboolean is_cut = lines->is_callgrind && lines->has_costs && !lines->has_totals;
	lines->has_costs = lines->has_totals = FALSE;
	memset(lines->sums, 0, sizeof lines->sums);
	return !is_cut ||
	       callgrind_text_damaged(lines, "the part before ends without totals: the file is cut off", error);
}

static gboolean read_header(CallgrindText *lines, GError **error)
{
	if (text_equals(lines->key, "part"))
		return end_part(lines, error);
	if (text_equals(lines->key, "events"))
		return read_events(lines, lines->value, error);
	if (text_equals(lines->key, "positions"))
		return read_positions(lines, lines->value, error);
	if (text_equals(lines->key, "totals"))
		return read_totals(lines, lines->value, error);
	if (text_equals(lines->key, "creator"))
		lines->is_callgrind = text_starts_with(lines->value, "callgrind-");
	return TRUE;
}

/* --- lines --- */

static gboolean begins_costs(char c)
{
	return g_ascii_isdigit(c) || c == '+' || c == '-' || c == '*';
}

static LineKind read_line(CallgrindText *lines, TextPiece line, GError **error)
{
	line = text_trimmed(line);
	if (line.length == 0 || line.start[0] == '#')
		return LINE_QUIET;
	if (begins_costs(line.start[0]))
		return read_costs(lines, line, error);
	const char *end = line.start + line.length, *at = line.start;
	while (at < end && g_ascii_isalnum(*at))
		at++;
	if (at == end || at == line.start || (*at != '=' && *at != ':')) {
		callgrind_text_damaged(lines, "not a line of callgrind's format", error);
		return LINE_DAMAGED;
	}
	lines->key = text_between(line.start, at);
	lines->value = text_trimmed(text_between(at + 1, end));
	if (*at == '=')
		return read_assignment(lines, lines->key, lines->value, error);
	return read_header(lines, error) ? LINE_HEADER : LINE_DAMAGED;
}

static gboolean hand_out(LineKind kind, const CallgrindVisitor *visitor, gpointer data, GError **error)
{
	gboolean (*const visits[])(gpointer, GError **) = {
	        [LINE_HEADER] = visitor->header,
	        [LINE_FUNCTION] = visitor->function,
	        [LINE_SELF] = visitor->self,
	        [LINE_CALLS] = visitor->calls,
	};
	return visits[kind] == NULL || visits[kind](data, error);
}

gboolean callgrind_text_read(CallgrindText *lines, const CallgrindVisitor *visitor, gpointer data, GError **error)
{
	while (lines->at < lines->end) {
		lines->line_number++;
		LineKind kind = read_line(lines, text_take_line(&lines->at, lines->end), error);
		if (kind == LINE_DAMAGED || !hand_out(kind, visitor, data, error))
			return FALSE;
		if (kind == LINE_CALLS)
			lines->called = (CallgrindPlace){0};
	}
	return end_part(lines, error);
}
