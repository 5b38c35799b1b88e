/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/dhatframes.h"

#include "model/canonical.h"
#include "model/pairindex.h"
#include "model/textindex.h"
#include "model/toolnames.h"

#include <string.h>

#define REPLACEMENT_PREFIX "vgpreload_"

/* Frames that answer to one key. */
typedef struct {
	FrameId first;
	gboolean is_ambiguous; /* there is a second one */
} Match;

struct DhatFrames {
	StackTable *table;
	TextIndex files;       /* base names of source files; their rows are used only as keys */
	TextIndex names;       /* last parts of function names, the same */
	PairIndex by_name;     /* (name, file + 1 or 0 for any): functions whose object file is known */
	GArray *named;         /* of FrameId, by row of `by_name`: the first */
	PairIndex by_last;     /* (row of `names` and of `files`, module) */
	GArray *by_last_match; /* of Match, by row of `by_last` */
};

/* --- texts --- */

/* Tells where the parenthesis that the text ends with was opened, or NULL. */
static const char *last_parenthesis(TextPiece text)
{
	gsize depth = 0;
	for (gsize i = text.length; i-- > 0;) {
		if (text.start[i] == ')')
			depth++;
		else if (text.start[i] == '(' && --depth == 0)
			return text.start + i;
	}
	return NULL;
}

/* Cuts `:12`, and `:12:9` of those that know columns. FALSE if there is no number at the end. */
static gboolean cut_line_number(TextPiece *place)
{
	gboolean has_number = FALSE;
	for (guint i = 0; i < 2; i++) {
		const char *colon = memrchr(place->start, ':', place->length), *end = place->start + place->length;
		if (colon == NULL || !text_is_number(text_between(colon + 1, end)))
			break;
		*place = text_between(place->start, colon);
		has_number = TRUE;
	}
	return has_number;
}

static gboolean is_told(TextPiece text)
{
	return text.length > 0 && !text_equals(text, "???");
}

/* "name (in /path/of/object)" or "name (file.c:12)". A path may have parentheses. */
static void parse_place(TextPiece text, DhatFrameText *frame)
{
	static const char in_object[] = " (in ";
	const char *end = text.start + text.length;
	const char *in = memmem(text.start, text.length, in_object, sizeof in_object - 1);
	frame->name = text;
	if (!text_ends_with(text, ")"))
		return;
	const char *object = in != NULL ? in + sizeof in_object - 1 : NULL;
	if (object != NULL && (*object == '/' || text_starts_with(text_between(object, end), "???"))) {
		frame->name = text_between(text.start, in);
		frame->object = text_between(object, end - 1);
		return;
	}
	const char *open = last_parenthesis(text);
	if (open == NULL || open == text.start || open[-1] != ' ')
		return;
	TextPiece place = text_between(open + 1, end - 1);
	if (!cut_line_number(&place))
		return;
	frame->name = text_between(text.start, open - 1);
	frame->file = place;
}

DhatFrameText dhat_frame_parse(const char *text)
{
	DhatFrameText frame = {TEXT_NOTHING, TEXT_NOTHING, TEXT_NOTHING, TEXT_NOTHING};
	const char *colon = strstr(text, ": ");
	gboolean has_address = g_str_has_prefix(text, "0x") && colon != NULL;
	if (has_address)
		frame.address = text_between(text, colon);
	parse_place(text_of(has_address ? colon + 2 : text), &frame);
	frame.name = is_told(frame.name) ? frame.name : TEXT_NOTHING;
	frame.object = is_told(frame.object) ? frame.object : TEXT_NOTHING;
	return frame;
}

gboolean dhat_frame_is_replacement(const DhatFrameText *frame)
{
	return text_starts_with(text_base_name(frame->object), REPLACEMENT_PREFIX);
}

/* --- names --- */

/* Valgrind demangles, unless it is told not to: with arguments, and the type that a template function returns. */
static char *without_types(const char *name)
{
	gsize length = tool_name_without_arguments(name, strlen(name));
	gsize start = name[length] != '\0' ? tool_name_after_type(name, length) : 0;
	return g_strndup(name + start, length - start);
}

static char *canonical_text(TextPiece name)
{
	g_autofree char *text = g_strndup(name.start, name.length);
	g_autofree char *canonical = canonical_name(text);
	char *clone = strstr(canonical, " [clone ");
	if (clone != NULL && clone > canonical)
		*clone = '\0';
	gboolean is_mangled = g_str_has_prefix(text, "_Z") || g_str_has_prefix(text, "_R");
	char *shown = is_mangled ? g_steal_pointer(&canonical) : without_types(canonical);
	canonical_drop_numbers(shown);
	return shown;
}

static gboolean is_operator(TextPiece name, gsize at)
{
	static const char word[] = "operator";
	gsize n = sizeof word - 1;
	return name.length - at > n && memcmp(name.start + at, word, n) == 0 && !g_ascii_isalnum(name.start[at + n]) &&
	       name.start[at + n] != '_' && (at == 0 || name.start[at - 1] == ':');
}

/* `Box` of `geo::Box<double>::Box<int>`: the part after the last `::` outside of brackets, without template arguments.
 * Names of operators stay as they are. */
static TextPiece last_part(TextPiece name)
{
	gsize depth = 0, start = 0, end = name.length;
	for (gsize i = 0; i < name.length; i++) {
		char c = name.start[i];
		if (depth == 0 && is_operator(name, i))
			return (TextPiece){name.start + i, name.length - i};
		if (depth == 0 && c == '<' && i > start)
			end = i;
		if (strchr("<({[", c) != NULL)
			depth++;
		else if (strchr(">)}]", c) != NULL && depth > 0 && !(c == '>' && name.start[i - 1] == '-'))
			depth--;
		else if (depth == 0 && c == ':' && i + 2 < name.length && name.start[i + 1] == ':') {
			start = i + 2;
			end = name.length;
		}
	}
	return (TextPiece){name.start + start, end - start};
}

/* --- the words of the table --- */

static guint32 row_of(TextIndex *index, TextPiece text)
{
	gboolean is_new;
	return text_index_find_or_add(index, text, &is_new);
}

static TextPiece base_name_of(const StackTable *table, NameId file)
{
	return text_base_name(text_of(stack_table_text(table, file)));
}

static void note_name(DhatFrames *frames, NameId name, guint32 file_plus_1, FrameId id)
{
	gboolean is_new;
	pair_index_find_or_add(&frames->by_name, name.index, file_plus_1, &is_new);
	if (is_new)
		g_array_append_val(frames->named, id);
}

/* The row of the match, which is empty if there was none. */
static guint32 match_row(DhatFrames *frames, TextPiece last, TextPiece file, NameId module, gboolean *is_new)
{
	static const Match none = {{G_MAXUINT32}, FALSE};
	guint64 key = (guint64)row_of(&frames->names, last) << 32 | row_of(&frames->files, file);
	guint32 row = pair_index_find_or_add(&frames->by_last, key, module.index, is_new);
	if (*is_new)
		g_array_append_val(frames->by_last_match, none);
	return row;
}

static void note_last(DhatFrames *frames, const Frame *frame, TextPiece file, FrameId id)
{
	gboolean is_new;
	TextPiece last = last_part(text_of(stack_table_text(frames->table, frame->name)));
	guint32 row = match_row(frames, last, file, frame->module, &is_new);
	Match *match = &g_array_index(frames->by_last_match, Match, row);
	match->is_ambiguous = !is_new;
	if (is_new)
		match->first = id;
}

/* A frame without an object file is of no use to others. */
static void note_frame(DhatFrames *frames, FrameId id)
{
	const Frame *frame = stack_table_get_frame(frames->table, id);
	gboolean is_function = frame->kind == FRAME_USER || frame->kind == FRAME_INLINED;
	if (!is_function || frame->module.index == 0)
		return;
	note_name(frames, frame->name, 0, id);
	if (frame->file.index == 0)
		return;
	TextPiece file = base_name_of(frames->table, frame->file);
	note_name(frames, frame->name, row_of(&frames->files, file) + 1, id);
	note_last(frames, frame, file, id);
}

DhatFrames *dhat_frames_new(StackTable *table)
{
	DhatFrames *frames = g_new0(DhatFrames, 1);
	frames->table = table;
	frames->named = g_array_new(FALSE, FALSE, sizeof(FrameId));
	frames->by_last_match = g_array_new(FALSE, FALSE, sizeof(Match));
	for (guint i = 0; i < stack_table_n_frames(table); i++)
		note_frame(frames, (FrameId){i});
	return frames;
}

void dhat_frames_free(DhatFrames *frames)
{
	text_index_clear(&frames->files);
	text_index_clear(&frames->names);
	pair_index_clear(&frames->by_name);
	pair_index_clear(&frames->by_last);
	g_array_unref(frames->named);
	g_array_unref(frames->by_last_match);
	g_free(frames);
}

/* --- frames --- */

static FrameId add_frame(DhatFrames *frames, const DhatFrameText *text, const char *name, NameId module, FrameKind kind)
{
	const Frame frame = {
	        .name = stack_table_name(frames->table, name, -1),
	        .raw_name = stack_table_name(frames->table, text->name.start, (gssize)text->name.length),
	        .module = module,
	        .file = stack_table_name(frames->table, text->file.start, (gssize)text->file.length),
	        .kind = kind,
	};
	return stack_table_frame(frames->table, &frame);
}

/* The module that the text names; that of a replacement is the business of valgrind. */
static NameId told_module(const DhatFrames *frames, const DhatFrameText *text)
{
	if (text->object.length == 0 || dhat_frame_is_replacement(text))
		return (NameId){0};
	g_autofree char *path = g_strndup(text->object.start, text->object.length);
	g_autofree char *module = canonical_module(path);
	return stack_table_name(frames->table, module, -1);
}

static gboolean find_named(DhatFrames *frames, NameId name, guint32 file_plus_1, FrameId *found)
{
	gboolean is_new;
	const FrameId none = {G_MAXUINT32};
	guint32 row = pair_index_find_or_add(&frames->by_name, name.index, file_plus_1, &is_new);
	if (is_new)
		g_array_append_val(frames->named, none);
	*found = g_array_index(frames->named, FrameId, row);
	return found->index != G_MAXUINT32;
}

/* A frame of that name whose object file is known, of the same source file first. */
static gboolean find_known(DhatFrames *frames, const char *name, TextPiece file, FrameId *found)
{
	NameId id = stack_table_name(frames->table, name, -1);
	if (file.length > 0 && find_named(frames, id, row_of(&frames->files, text_base_name(file)) + 1, found))
		return TRUE;
	return find_named(frames, id, 0, found);
}

FrameId dhat_frames_function(DhatFrames *frames, const DhatFrameText *text)
{
	FrameId known;
	NameId module = told_module(frames, text);
	if (text->name.length == 0)
		return add_frame(frames, text, "[unknown]", module, FRAME_SYNTHETIC);
	g_autofree char *name = canonical_text(text->name);
	if (module.index == 0 && find_known(frames, name, text->file, &known))
		return known;
	return add_frame(frames, text, name, module, FRAME_USER);
}

FrameId dhat_frames_inlined(DhatFrames *frames, const DhatFrameText *text, FrameId host)
{
	gboolean is_new;
	NameId module = stack_table_get_frame(frames->table, host)->module;
	if (text->name.length == 0)
		return add_frame(frames, text, "[unknown]", module, FRAME_SYNTHETIC);
	g_autofree char *name = canonical_text(text->name);
	NameId kept = stack_table_name(frames->table, name, -1);
	TextPiece last = last_part(text_of(stack_table_text(frames->table, kept)));
	guint32 row = match_row(frames, last, text_base_name(text->file), module, &is_new);
	Match match = g_array_index(frames->by_last_match, Match, row);
	if (match.first.index != G_MAXUINT32 && !match.is_ambiguous)
		return match.first;
	return add_frame(frames, text, name, module, FRAME_INLINED);
}
