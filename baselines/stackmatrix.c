/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/stackmatrix.h"

#include "core/error.h"

#include <errno.h>
#include <string.h>

/* Bounds for damaged or hostile text: cells that a profile may hold, frames of one stack. */
#define MAX_CELLS ((guint64)1 << 26)
#define MAX_DEPTH 65536

typedef struct {
	StackId stack;
	char *text;
} Line;

static gboolean must_escape(guchar c)
{
	return c < 0x20 || c == 0x7f || c == '%' || c == ';' || c == '`';
}

static void append_escaped(GString *out, const char *text)
{
	const char *valid_end = text;
	for (; *text != '\0'; text++) {
		if (text == valid_end) {
			gunichar next = g_utf8_get_char_validated(text, -1);
			valid_end += next < 0x110000 ? g_unichar_to_utf8(next, NULL) : 0;
		}
		if (text == valid_end || must_escape((guchar)*text))
			g_string_append_printf(out, "%%%02X", (guchar)*text);
		else
			g_string_append_c(out, *text);
		valid_end = MAX(valid_end, text + 1);
	}
}

static void append_unescaped(GString *out, const char *text, gsize length)
{
	for (gsize i = 0; i < length; i++) {
		if (text[i] == '%' && i + 2 < length && g_ascii_isxdigit(text[i + 1]) &&
		        g_ascii_isxdigit(text[i + 2])) {
			int byte = g_ascii_xdigit_value(text[i + 1]) * 16 + g_ascii_xdigit_value(text[i + 2]);
			g_string_append_c(out, (char)byte);
			i += 2;
		} else {
			g_string_append_c(out, text[i]);
		}
	}
}

/* The text of a frame. A backquote without a module keeps the empty name apart from no frame at all, and `more` of them
 * the frames that have the same name and module. */
static char *frame_text(const StackTable *table, FrameId frame, guint more)
{
	const char *module = stack_table_frame_module(table, frame);
	const char *name = stack_table_frame_name(table, frame);
	GString *text = g_string_new(NULL);
	append_escaped(text, module);
	if (*module != '\0' || *name == '\0' || more > 0)
		g_string_append_c(text, '`');
	for (; more > 0; more--)
		g_string_append_c(text, '`');
	append_escaped(text, name);
	return g_string_free(text, FALSE);
}

/* Adds a frame to a map from texts to frames: FrameId.index + 1. */
static void name_frame(GHashTable *frames, const StackTable *table, FrameId frame)
{
	char *text = frame_text(table, frame, 0);
	for (guint more = 1; g_hash_table_contains(frames, text); more++) {
		g_free(text);
		text = frame_text(table, frame, more);
	}
	g_hash_table_insert(frames, text, GUINT_TO_POINTER(frame.index + 1));
}

/* The texts of frames, by form, so that they are the same however the frames are ordered. */
static GHashTable *name_frames(const StackTable *table, const FrameId *frames, guint n)
{
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint form = 0; form < N_FRAME_FORMS; form++)
		for (guint i = 0; i < n; i++)
			if (stack_table_frame_form(table, frames[i]) == (FrameForm)form)
				name_frame(names, table, frames[i]);
	return names;
}

static char *stack_text(const StackTable *table, StackId stack, const char *const *frames)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(guint32));
	GString *text = g_string_new(NULL);
	for (StackId at = stack; at.index != STACK_ROOT.index; at = stack_table_parent(table, at)) {
		FrameId frame = stack_table_leaf(table, at);
		g_array_append_val(path, frame.index);
	}
	for (guint i = path->len; i-- > 0;) {
		g_string_append(text, frames[g_array_index(path, guint32, i)]);
		if (i > 0)
			g_string_append_c(text, ';');
	}
	return g_string_free(text, FALSE);
}

static void line_clear(gpointer data)
{
	g_free(((Line *)data)->text);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	return strcmp(((const Line *)a)->text, ((const Line *)b)->text);
}

static gboolean has_cost(const Profile *profile, StackId stack)
{
	ProfileCell total = profile_stack_total(profile, stack);
	return total.samples != 0 || total.weight != 0;
}

/* The frames of all stacks with a cost: an array of FrameId. */
static GArray *costly_frames(const Profile *profile)
{
	const StackTable *table = profile->table;
	g_autofree gboolean *used = g_new0(gboolean, MAX(1, stack_table_n_frames(table)));
	GArray *frames = g_array_new(FALSE, FALSE, sizeof(FrameId));
	for (guint i = 1; i < stack_table_n_stacks(table); i++) {
		StackId at = {has_cost(profile, (StackId){i}) ? i : 0};
		for (; at.index != STACK_ROOT.index; at = stack_table_parent(table, at))
			used[stack_table_leaf(table, at).index] = TRUE;
	}
	for (guint i = 0; i < stack_table_n_frames(table); i++) {
		FrameId frame = {i};
		if (used[i])
			g_array_append_val(frames, frame);
	}
	return frames;
}

/* The text of each frame with a cost, NULL for all others; borrowed from `names`. */
static const char **texts_by_frame(GHashTable *names, guint n_frames)
{
	const char **texts = g_new0(const char *, MAX(1, n_frames));
	GHashTableIter iter;
	gpointer text, frame;
	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, &text, &frame))
		texts[GPOINTER_TO_UINT(frame) - 1] = text;
	return texts;
}

/* All stacks with a cost, sorted by their text. */
static GArray *costly_stacks(const Profile *profile)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(Line));
	g_array_set_clear_func(lines, line_clear);
	g_autoptr(GArray) frames = costly_frames(profile);
	g_autoptr(GHashTable) names = name_frames(profile->table, (const FrameId *)frames->data, frames->len);
	g_autofree const char **texts = texts_by_frame(names, stack_table_n_frames(profile->table));
	for (guint i = 0; i < stack_table_n_stacks(profile->table); i++) {
		if (!has_cost(profile, (StackId){i}))
			continue;
		Line line = {{i}, stack_text(profile->table, (StackId){i}, texts)};
		g_array_append_val(lines, line);
	}
	g_array_sort(lines, compare_lines);
	return lines;
}

GString *stack_matrix_write(const Profile *profile)
{
	g_autoptr(GArray) lines = costly_stacks(profile);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < lines->len; i++) {
		const Line *line = &g_array_index(lines, Line, i);
		g_string_append(text, line->text);
		for (guint run = 0; run < profile_n_runs(profile); run++) {
			ProfileCell cell = profile_cell(profile, run, line->stack);
			g_string_append_printf(
			        text, "\t%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, cell.samples, cell.weight);
		}
		g_string_append_c(text, '\n');
	}
	return text;
}

/* One decimal number that ends with `end`; *text is moved past it. */
static gboolean read_number(const char **text, char end, guint64 *value)
{
	char *stop;
	if (!g_ascii_isdigit(**text))
		return FALSE;
	errno = 0;
	*value = g_ascii_strtoull(*text, &stop, 10);
	if (errno != 0 || *stop != end)
		return FALSE;
	*text = stop + 1;
	return TRUE;
}

/* The data that are needed while text becomes stacks. */
typedef struct {
	StackTable *table;
	GHashTable *names; /* text -> FrameId.index + 1 */
	GString *scratch;
} MatrixReader;

static FrameId unnamed_frame(MatrixReader *reader, const char *text, gsize length)
{
	StackTable *table = reader->table;
	GString *scratch = reader->scratch;
	const char *tick = memchr(text, '`', length);
	gsize module_length = tick != NULL ? (gsize)(tick - text) : 0;
	const char *name = tick != NULL ? tick + 1 : text;
	g_string_truncate(scratch, 0);
	append_unescaped(scratch, text, module_length);
	g_autofree char *module = g_strdup(scratch->str);
	g_string_truncate(scratch, 0);
	append_unescaped(scratch, name, length - (gsize)(name - text));
	return stack_table_frame_named(table, scratch->str, module, FRAME_USER);
}

static FrameId read_frame(MatrixReader *reader, const char *text, gsize length)
{
	g_autofree char *key = g_strndup(text, length);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(reader->names, key));
	return known != 0 ? (FrameId){known - 1} : unnamed_frame(reader, text, length);
}

/* The stack named by `text` up to `end`; FALSE if it is too deep. */
static gboolean read_stack(MatrixReader *reader, const char *text, const char *end, StackId *stack)
{
	*stack = STACK_ROOT;
	if (text == end)
		return TRUE;
	for (guint depth = 0; depth < MAX_DEPTH; depth++) {
		const char *stop = memchr(text, ';', (gsize)(end - text));
		gsize length = (gsize)((stop != NULL ? stop : end) - text);
		*stack = stack_table_push(reader->table, *stack, read_frame(reader, text, length));
		if (stop == NULL)
			return TRUE;
		text = stop + 1;
	}
	return FALSE;
}

/* One line up to the newline at `end`. */
static gboolean read_line(MatrixReader *reader, Profile *profile, const char *line, const char *end)
{
	guint n_runs = profile_n_runs(profile);
	const char *tab = memchr(line, '\t', (gsize)(end - line));
	StackId stack;
	if (tab == NULL || !read_stack(reader, line, tab, &stack))
		return FALSE;
	/* A profile has a cell of every stack up to the highest one in each run, so a short text with many runs could
	 * ask for memory without end. */
	if (((guint64)stack.index + 1) * n_runs > MAX_CELLS)
		return FALSE;
	const char *at = tab + 1;
	for (guint run = 0; run < n_runs; run++) {
		ProfileCell cell;
		if (!read_number(&at, ':', &cell.samples) ||
		        !read_number(&at, run + 1 == n_runs ? '\n' : '\t', &cell.weight))
			return FALSE;
		if (cell.samples != 0 || cell.weight != 0)
			profile_add(profile, run, stack, cell);
	}
	return n_runs > 0;
}

gboolean stack_matrix_read(const GString *text, Profile *profile, const GArray *functions, GError **error)
{
	const char *line = text->str, *end = text->str + text->len;
	g_autoptr(GString) scratch = g_string_new(NULL);
	const FrameId *listed = functions != NULL ? (const FrameId *)functions->data : NULL;
	g_autoptr(GHashTable) names = name_frames(profile->table, listed, listed != NULL ? functions->len : 0);
	MatrixReader reader = {profile->table, names, scratch};
	for (guint number = 1; line < end; number++) {
		const char *stop = memchr(line, '\n', (gsize)(end - line));
		if (stop == NULL || !read_line(&reader, profile, line, stop)) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
			        "line %u of the stacks is not `stack TAB samples:weight ...` with %u columns", number,
			        profile_n_runs(profile));
			return FALSE;
		}
		line = stop + 1;
	}
	return TRUE;
}
