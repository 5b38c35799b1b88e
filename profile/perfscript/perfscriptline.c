/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfscript/perfscriptline.h"

#include <string.h>

/* Shorter words after an address are names; longer ones of hexadecimal digits are a second address. */
#define MIN_ADDRESS_DIGITS 6

static gboolean is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A number that may be negative: threads that perf does not know are -1. */
static gboolean is_id(TextPiece text)
{
	if (text.length > 1 && text.start[0] == '-')
		text = text_between(text.start + 1, text.start + text.length);
	return text_is_number(text);
}

/* `tid` or `pid/tid`. */
static gboolean parse_thread(TextPiece word, TextPiece *pid, TextPiece *tid)
{
	const char *slash = memchr(word.start, '/', word.length), *end = word.start + word.length;
	*pid = text_between(word.start, slash != NULL ? slash : word.start);
	*tid = text_between(slash != NULL ? slash + 1 : word.start, end);
	return is_id(*tid) && (slash == NULL || is_id(*pid));
}

/* `1234.567890:` */
static gboolean is_time(TextPiece word)
{
	gsize whole = text_count_digits(word);
	if (whole == 0 || whole + 3 > word.length || word.start[whole] != '.')
		return FALSE;
	gsize fraction = text_count_digits(text_between(word.start + whole + 1, word.start + word.length));
	return fraction > 0 && whole + 1 + fraction + 1 == word.length && word.start[word.length - 1] == ':';
}

static gboolean is_record_name(TextPiece word)
{
	return text_starts_with(word, "PERF_RECORD_");
}

/* `[period] event:` at the start of *text; moves *text past it. A part that is not there stays empty. */
static void take_event(TextPiece *text, ScriptEvent *event)
{
	TextPiece rest = *text, word;
	gboolean has_word = text_take_word(&rest, &word);
	if (has_word && text_is_number(word)) {
		TextPiece period = word, before = rest;
		has_word = text_take_word(&rest, &word);
		if (has_word && word.start[word.length - 1] != ':')
			return;
		event->period = text_number(period);
		if (!has_word)
			*text = before;
	}
	if (!has_word || (word.start[word.length - 1] != ':' && !is_record_name(word)))
		return;
	event->event =
	        text_between(word.start, word.start + word.length - (word.start[word.length - 1] == ':' ? 1 : 0));
	*text = rest;
}

static void set_thread(ScriptEvent *event, TextPiece line, TextPiece word)
{
	parse_thread(word, &event->pid, &event->tid);
	event->comm = text_trimmed(text_between(line.start, word.start));
}

/* Where a line has a time, the thread is the last number before it. */
static gboolean parse_timed(TextPiece line, ScriptEvent *event)
{
	TextPiece rest = line, word, thread = TEXT_NOTHING, pid, tid;
	while (text_take_word(&rest, &word)) {
		if (thread.length > 0 && is_time(word)) {
			set_thread(event, line, thread);
			event->has_time = TRUE;
			take_event(&rest, event);
			event->rest = rest;
			return TRUE;
		}
		if (parse_thread(word, &pid, &tid))
			thread = word;
	}
	return FALSE;
}

/* Where a line has no time, the thread is the first number after the command, and an event must follow. */
static gboolean parse_untimed(TextPiece line, ScriptEvent *event)
{
	TextPiece rest = line, word, pid, tid;
	text_take_word(&rest, &word);
	while (text_take_word(&rest, &word)) {
		if (!parse_thread(word, &pid, &tid))
			continue;
		set_thread(event, line, word);
		TextPiece after = rest;
		if (text_take_word(&after, &word) && word.start[0] == '[')
			rest = after;
		take_event(&rest, event);
		event->rest = rest;
		return event->event.length > 0;
	}
	return FALSE;
}

gboolean script_parse_event(TextPiece line, ScriptEvent *event)
{
	*event = (ScriptEvent){TEXT_NOTHING, TEXT_NOTHING, TEXT_NOTHING, FALSE, 0, TEXT_NOTHING, TEXT_NOTHING};
	if (memchr(line.start, ':', line.length) == NULL)
		return FALSE;
	return parse_timed(line, event) || parse_untimed(line, event);
}

/* The target of a branch: the text after the arrow, if it begins with an address; empty if it is no branch. */
static TextPiece target_of_branch(TextPiece text)
{
	const char *end = text.start + text.length;
	const char *arrow = memmem(text.start, text.length, "=>", 2);
	TextPiece target = arrow != NULL ? text_trimmed(text_between(arrow + 2, end)) : TEXT_NOTHING, rest = target,
	          word;
	gboolean is_address = text_take_word(&rest, &word) && word.length > 0;
	for (gsize i = 0; is_address && i < word.length; i++)
		is_address = g_ascii_isxdigit(word.start[i]);
	return is_address ? target : TEXT_NOTHING;
}

/* The text in front of a branch's arrow. */
static TextPiece origin_of_branch(TextPiece text)
{
	if (target_of_branch(text).length == 0)
		return text;
	return text_trimmed(text_between(text.start, memmem(text.start, text.length, "=>", 2)));
}

/* `perf script -F +brstackinsn` lists instructions below a stack. */
static gboolean is_instruction(TextPiece name)
{
	return text_starts_with(name, "insn:") || text_starts_with(name, "ilen:");
}

gboolean script_split_frame(TextPiece line, TextPiece *address, TextPiece *name)
{
	const char *at = line.start, *end = at + line.length;
	while (at < end && is_blank(*at))
		at++;
	const char *digits = at;
	while (at < end && g_ascii_isxdigit(*at))
		at++;
	if (at == digits || (at < end && !is_blank(*at)))
		return FALSE;
	*address = text_between(digits, at);
	while (at < end && is_blank(*at))
		at++;
	while (end > at && is_blank(end[-1]))
		end--;
	*name = origin_of_branch(text_between(at, end));
	return !is_instruction(*name);
}

/* The parenthesis that the one at the end belongs to. Paths may have pairs of their own: (/tmp/prog (deleted)). */
static const char *opening_parenthesis(TextPiece text)
{
	gsize depth = 0, last = text.length;
	for (gsize i = text.length; i-- > 0;) {
		if (text.start[i] == ')')
			depth++;
		if (text.start[i] != '(')
			continue;
		gboolean stands_free = i == 0 || is_blank(text.start[i - 1]);
		last = stands_free && last == text.length ? i : last;
		if (--depth == 0)
			return stands_free ? text.start + i : text.start + last;
	}
	return text.start + last;
}

/* Cuts `+0x14` off the end. */
static TextPiece without_offset(TextPiece text)
{
	gsize end = text.length;
	while (end > 0 && g_ascii_isxdigit(text.start[end - 1]))
		end--;
	if (end < text.length && end > 2 && memcmp(text.start + end - 3, "+0x", 3) == 0)
		text.length = end - 3;
	return text;
}

ScriptFrame script_parse_frame(TextPiece address, TextPiece name)
{
	const char *end = name.start + name.length;
	ScriptFrame frame = {.address = address, .symbol = name, .file = {end, 0}};
	if (name.length > 0 && end[-1] == ')') {
		const char *opening = opening_parenthesis(name);
		if (opening < end) {
			frame.file = without_offset(text_between(opening + 1, end - 1));
			frame.symbol = text_between(name.start, opening);
		}
	}
	frame.symbol = without_offset(text_trimmed(frame.symbol));
	return frame;
}

gboolean script_is_frame(TextPiece line)
{
	TextPiece address, name, word, pid, tid;
	if (!script_split_frame(line, &address, &name) || name.length == 0 || name.start[name.length - 1] != ')')
		return FALSE;
	return text_take_word(&name, &word) && !parse_thread(word, &pid, &tid);
}

/* Skips the kind of a branch, which stands before its address: `call`, `tr strt`, `jcc (x)`. */
static TextPiece without_flags(TextPiece text)
{
	TextPiece rest = text, address, name, word;
	while (!script_split_frame(rest, &address, &name))
		if (!text_take_word(&rest, &word))
			return text;
	return rest;
}

/* A branch from where nothing was traced counts where it goes. */
static TextPiece place_of_branch(TextPiece text)
{
	TextPiece target = target_of_branch(text), address, name;
	if (target.length == 0)
		return text;
	text = without_flags(text);
	gboolean is_traced = script_split_frame(text, &address, &name) && !text_equals(address, "0");
	return is_traced ? text : target;
}

/* Addresses of the last branches may follow a frame: `(/bin/prog) 0x4005/0x4010/P/-/-/0`. */
static TextPiece without_branches(TextPiece text)
{
	const char *at = text.start, *end = at + text.length;
	while (at < end && (at = memmem(at, (gsize)(end - at), ") ", 2)) != NULL) {
		TextPiece rest = text_between(at + 1, end), word;
		if (text_take_word(&rest, &word) && text_starts_with(word, "0x") &&
		        memchr(word.start, '/', word.length) != NULL)
			return text_between(text.start, at + 1);
		at++;
	}
	return text;
}

gboolean script_parse_event_frame(TextPiece rest, TextPiece *address, TextPiece *name)
{
	TextPiece after, second;
	rest = place_of_branch(without_branches(rest));
	if (!script_split_frame(rest, address, name) || name->length == 0 || name->start[name->length - 1] != ')')
		return FALSE;
	/* the address of the data that was accessed may stand in front of that of the code */
	if (script_split_frame(*name, &second, &after) && second.length >= MIN_ADDRESS_DIGITS && after.length > 0) {
		*address = second;
		*name = after;
	}
	return TRUE;
}
