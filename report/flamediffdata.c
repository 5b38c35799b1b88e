#include "report/flamediffdata.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

#define START "<metadata class=\"folded\">"
#define LEFT_OUT "<metadata class=\"folded\" data-left-out=\""
#define END "</metadata>"
#define FIRST_LINE "firebreak-folded 1"
#define MAX_FIELDS 6
#define MAX_RUNS 1000000

/* --- writing --- */

static void append_word(GString *out, const char *text)
{
	if (*text == '\0')
		g_string_append_c(out, '%');
	for (; *text != '\0'; text++) {
		if (*text > ' ' && *text < 0x7f && strchr("%<>&\"'=", *text) == NULL)
			g_string_append_c(out, *text);
		else
			g_string_append_printf(out, "%%%02x", (guchar)*text);
	}
}

static guint64 cost_of(const Profile *profile, guint stack)
{
	return profile == NULL ? 0 : profile_stack_total(profile, (StackId){stack}).weight;
}

/* Which stacks have a cost, or lead to one that has. */
static gboolean *find_used(const FlameDiffData *data, const StackTable *table)
{
	guint n = stack_table_n_stacks(table);
	gboolean *used = g_new0(gboolean, n);
	for (guint i = n - 1; i > 0; i--) {
		if (cost_of(data->base, i) > 0 || cost_of(data->head, i) > 0)
			used[i] = TRUE;
		if (used[i])
			used[stack_table_parent(table, (StackId){i}).index] = TRUE;
	}
	return used;
}

typedef struct {
	const FlameDiffData *data;
	const StackTable *table;
	guint *rows;  /* by StackId: its row */
	guint *named; /* by NameId: the first row with that name, 0 = none yet */
	guint n_rows; /* root included */
} Writer;

static void append_row(GString *out, Writer *writer, guint stack)
{
	guint parent = writer->rows[stack_table_parent(writer->table, (StackId){stack}).index];
	const Frame *frame = stack_table_get_frame(writer->table, stack_table_leaf(writer->table, (StackId){stack}));
	guint64 base = cost_of(writer->data->base, stack), head = cost_of(writer->data->head, stack);
	guint row = writer->rows[stack] = writer->n_rows++;
	g_string_append_printf(out, "%u ", row - parent);
	if (writer->named[frame->name.index] > 0) {
		g_string_append_printf(out, "=%u", writer->named[frame->name.index]);
	} else {
		append_word(out, stack_table_text(writer->table, frame->name));
		writer->named[frame->name.index] = row;
	}
	if (base > 0 || head > 0)
		g_string_append_printf(out, " %" G_GUINT64_FORMAT, base);
	if (head > 0)
		g_string_append_printf(out, " %" G_GUINT64_FORMAT, head);
	g_string_append_c(out, '\n');
}

/* Names are counted by the frames, as every name that is asked for is that of one. */
static guint name_limit(const StackTable *table)
{
	guint limit = 1;
	for (guint i = 0; i < stack_table_n_frames(table); i++)
		limit = MAX(limit, stack_table_get_frame(table, (FrameId){i})->name.index + 1);
	return limit;
}

/* FALSE if it became too large. */
static gboolean append_rows(GString *out, const FlameDiffData *data, const StackTable *table)
{
	gsize start = out->len;
	guint n = stack_table_n_stacks(table);
	g_autofree gboolean *used = find_used(data, table);
	g_autofree guint *rows = g_new0(guint, n), *named = g_new0(guint, name_limit(table));
	Writer writer = {.data = data, .table = table, .rows = rows, .named = named, .n_rows = 1};
	for (guint i = 1; i < n; i++) {
		if (used[i])
			append_row(out, &writer, i);
		if (out->len - start > FLAME_DIFF_DATA_MAX_BYTES)
			return FALSE;
	}
	return TRUE;
}

static void append_work(GString *out, double work)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	g_string_append_printf(out, " %s", g_ascii_dtostr(buffer, sizeof buffer, work > 0 ? work : 1));
}

static guint runs_of(const Profile *profile)
{
	return profile == NULL ? 0 : profile_n_runs(profile);
}

void flame_diff_data_append(GString *out, const FlameDiffData *data)
{
	const Profile *profile = data->head != NULL ? data->head : data->base;
	gsize before = out->len;
	g_string_append(out, START FIRST_LINE "\n");
	append_word(out, profile->event);
	g_string_append_c(out, ' ');
	append_word(out, profile->unit);
	g_string_append_printf(out, " %u %u", runs_of(data->base), runs_of(data->head));
	append_work(out, data->base_work);
	append_work(out, data->head_work);
	g_string_append_c(out, '\n');
	if (append_rows(out, data, profile->table)) {
		g_string_append(out, END "\n");
		return;
	}
	g_string_truncate(out, before);
	g_string_append_printf(out, LEFT_OUT "more than %zu bytes\"/>\n", FLAME_DIFF_DATA_MAX_BYTES);
}

/* --- reading --- */

typedef struct {
	const char *name; /* of the picture */
	const char *at, *end;
	guint64 line;
	StackTable *table;
	GArray *stacks; /* of StackId, by row */
	FlameDiffData *data;
} Reader;

static gboolean refuse(const Reader *reader, GError **error, const char *what)
{
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "%s: the profiles in it are damaged in line %" G_GUINT64_FORMAT ": %s", reader->name, reader->line,
	        what);
}

/* The next line as words, NULL-terminated; at most MAX_FIELDS. Owned by the caller. */
static char **next_line(Reader *reader)
{
	const char *newline = memchr(reader->at, '\n', (gsize)(reader->end - reader->at));
	const char *stop = newline != NULL ? newline : reader->end;
	g_autofree char *line = g_strndup(reader->at, (gsize)(stop - reader->at));
	reader->at = newline != NULL ? newline + 1 : reader->end;
	reader->line++;
	return g_strsplit(line, " ", MAX_FIELDS + 1);
}

/* Owned by the caller; NULL if it is no word. */
static char *read_word(const char *word)
{
	GString *text = g_string_new(NULL);
	for (; strcmp(word, "%") != 0 && *word != '\0'; word++) {
		if (*word != '%') {
			g_string_append_c(text, *word);
			continue;
		}
		int high = g_ascii_xdigit_value(word[1]), low = high < 0 ? -1 : g_ascii_xdigit_value(word[2]);
		if (low < 0 || high + low == 0)
			return g_string_free(text, TRUE);
		g_string_append_c(text, (char)(high << 4 | low));
		word += 2;
	}
	return g_string_free(text, FALSE);
}

static gboolean read_number(const char *text, guint64 largest, guint64 *number)
{
	return text != NULL && g_ascii_string_to_unsigned(text, 10, 0, largest, number, NULL);
}

static gboolean read_work(const char *text, double *work)
{
	char *end = NULL;
	*work = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*work) && *work > 0;
}

static Profile *one_run(StackTable *table, const char *event, const char *unit)
{
	Profile *profile = profile_new(table, event, unit);
	profile_add_run(profile);
	return profile;
}

static gboolean read_facts(Reader *reader, GError **error)
{
	FlameDiffData *data = reader->data;
	guint64 base_runs, head_runs;
	g_auto(GStrv) words = next_line(reader);
	if (g_strv_length(words) != 6 || !read_number(words[2], MAX_RUNS, &base_runs) ||
	        !read_number(words[3], MAX_RUNS, &head_runs) || !read_work(words[4], &data->base_work) ||
	        !read_work(words[5], &data->head_work))
		return refuse(reader, error, "not event, unit, runs and work");
	g_autofree char *event = read_word(words[0]), *unit = read_word(words[1]);
	if (event == NULL || unit == NULL)
		return refuse(reader, error, "not an event and a unit");
	data->base_runs = (guint)base_runs;
	data->head_runs = (guint)head_runs;
	data->base = one_run(reader->table, event, unit);
	data->head = one_run(reader->table, event, unit);
	return TRUE;
}

/* The frame that a row names, in *frame. */
static gboolean read_frame(const Reader *reader, const char *word, FrameId *frame)
{
	guint64 row;
	if (*word == '=') {
		if (!read_number(word + 1, reader->stacks->len - 1, &row) || row == 0)
			return FALSE;
		*frame = stack_table_leaf(reader->table, g_array_index(reader->stacks, StackId, row));
		return TRUE;
	}
	g_autofree char *name = read_word(word);
	if (name == NULL || *word == '\0')
		return FALSE;
	*frame = stack_table_frame_named(reader->table, name, NULL, FRAME_USER);
	return TRUE;
}

static gboolean read_row(Reader *reader, GError **error)
{
	guint64 distance, costs[2] = {0, 0};
	FrameId frame;
	g_auto(GStrv) words = next_line(reader);
	guint n = g_strv_length(words);
	if (n < 2 || n > 4 || !read_number(words[0], reader->stacks->len, &distance) || distance == 0)
		return refuse(reader, error, "not a parent, a name and costs");
	for (guint i = 2; i < n; i++)
		if (!read_number(words[i], G_MAXUINT64, &costs[i - 2]))
			return refuse(reader, error, "a cost is no number");
	if (!read_frame(reader, words[1], &frame))
		return refuse(reader, error, "not a name");
	StackId parent = g_array_index(reader->stacks, StackId, reader->stacks->len - distance);
	StackId stack = stack_table_push(reader->table, parent, frame);
	g_array_append_val(reader->stacks, stack);
	profile_add(reader->data->base, 0, stack, (ProfileCell){costs[0], costs[0]});
	profile_add(reader->data->head, 0, stack, (ProfileCell){costs[1], costs[1]});
	return TRUE;
}

static gboolean read_lines(Reader *reader, GError **error)
{
	StackId root = STACK_ROOT;
	g_auto(GStrv) first = next_line(reader);
	g_autofree char *version = g_strjoinv(" ", first);
	if (strcmp(version, FIRST_LINE) != 0)
		return refuse(reader, error, "made by another version");
	g_array_append_val(reader->stacks, root);
	if (!read_facts(reader, error))
		return FALSE;
	while (reader->at < reader->end)
		if (!read_row(reader, error))
			return FALSE;
	return TRUE;
}

void flame_diff_data_clear(FlameDiffData *data)
{
	profile_free(data->base);
	profile_free(data->head);
	*data = (FlameDiffData){0};
}

gboolean flame_diff_data_read(const char *text, gsize length, const char *name, FlameDiffData *data, GError **error)
{
	const char *start = g_strstr_len(text, (gssize)length, START);
	const char *end = start == NULL ? NULL : g_strstr_len(start, (gssize)(length - (gsize)(start - text)), END);
	*data = (FlameDiffData){0};
	if (end == NULL && g_strstr_len(text, (gssize)length, LEFT_OUT) != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s: the profiles were too large to be kept in the picture", name);
	if (end == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s: no differential flame graph of firebreak, which alone holds both sides; name a file of "
		        "base and "
		        "one of head",
		        name);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(GArray) stacks = g_array_new(FALSE, FALSE, sizeof(StackId));
	Reader reader = {
	        .name = name, .at = start + strlen(START), .end = end, .table = table, .stacks = stacks, .data = data};
	if (read_lines(&reader, error))
		return TRUE;
	flame_diff_data_clear(data);
	return FALSE;
}
