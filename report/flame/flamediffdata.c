/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamediffdata.h"

#include "core/error.h"
#include "report/flame/flamereverse.h"

#include <math.h>
#include <string.h>

#define START "<metadata class=\"folded\">"
#define LEFT_OUT "<metadata class=\"folded\" data-left-out=\""
#define END "</metadata>"
#define FIRST_LINE "firebreak-folded 2"
#define FIRST_LINE_SAMPLES "firebreak-folded 3"
#define COUNTED "counted"
#define SAMPLED "sampled"
#define NORMALIZED "normalized"
#define MAX_COLUMNS 1000    /* of a side */
#define MAX_CELLS (1 << 22) /* rows times columns: a short line may ask for many */
#define FACTS 11            /* and perhaps that base is normalized, and the scale if it is not 1 */
#define MAX_FIELDS (2 + 2 * MAX_COLUMNS)
#define MAX_RUNS 1000000

/* TRUE if there are too many cells to keep. Sums that were read are never too many: their size in the file limits
 * them. */
static gboolean too_many_cells(guint rows, guint columns)
{
	return columns > 2 && (guint64)rows * columns > MAX_CELLS;
}

/* The samples that make up a cost where all samples weigh alike. */
static guint64 usual_samples(guint64 cost, double cost_of_sample)
{
	if (cost_of_sample == 1)
		return cost;
	return (guint64)MIN(round((double)cost / cost_of_sample), 0x1p63);
}

/* --- writing --- */

/* The text stands between tags and its words between spaces and equals signs, so what XML or a row would read as its
 * own is written by its number. */
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

static guint runs_of(const Profile *profile)
{
	return profile == NULL ? 0 : profile_n_runs(profile);
}

/* One side as columns of costs. */
typedef struct {
	const Profile *profile; /* NULL = nothing on that side */
	guint columns;          /* one per run, or one for all */
	double work;
	double cost_of_sample; /* on average */
	gboolean counted;      /* then samples say nothing */
} Side;

static double cost_of_sample(const Profile *profile)
{
	double cost = 0, samples = 0;
	for (guint run = 0; run < runs_of(profile); run++) {
		ProfileCell total = profile_run_total(profile, run);
		cost += (double)total.weight;
		samples += (double)total.samples;
	}
	return samples > 0 && cost > 0 ? cost / samples : 1;
}

static Side side_of(const FlameDiffData *data, gboolean head)
{
	const Profile *profile = head ? data->head : data->base;
	return (Side){.profile = profile,
	        .columns = runs_of(profile),
	        .work = head ? data->head_work : data->base_work,
	        .cost_of_sample = cost_of_sample(profile),
	        .counted = data->counted};
}

static ProfileCell cell_of(const Side *side, guint column, StackId stack)
{
	if (side->profile == NULL)
		return (ProfileCell){0};
	return side->columns == runs_of(side->profile) ? profile_cell(side->profile, column, stack)
	                                               : profile_stack_total(side->profile, stack);
}

/* TRUE if the cost alone does not tell the samples that make it up. */
static gboolean needs_samples(const Side *side, ProfileCell cell)
{
	return !side->counted && cell.samples != usual_samples(cell.weight, side->cost_of_sample);
}

static gboolean has_cell(const Side *side, StackId stack)
{
	if (side->profile == NULL)
		return FALSE;
	ProfileCell cell = profile_stack_total(side->profile, stack);
	return cell.weight > 0 || (cell.samples > 0 && !side->counted);
}

/* Tells which stacks have a cost or samples, or lead to one that has. */
static gboolean *find_used(const Side sides[2], const StackTable *table)
{
	guint n = stack_table_n_stacks(table);
	gboolean *used = g_new0(gboolean, n);
	for (guint i = n - 1; i > 0; i--) {
		if (has_cell(&sides[0], (StackId){i}) || has_cell(&sides[1], (StackId){i}))
			used[i] = TRUE;
		if (used[i])
			used[stack_table_parent(table, (StackId){i}).index] = TRUE;
	}
	return used;
}

/* By parent, and siblings such that those with a smaller name come off the end of a stack first. */
static int by_parent_and_name(gconstpointer left, gconstpointer right, gpointer data)
{
	const StackTable *table = data;
	StackId a = {*(const guint *)left}, b = {*(const guint *)right};
	guint a_parent = stack_table_parent(table, a).index, b_parent = stack_table_parent(table, b).index;
	if (a_parent != b_parent)
		return a_parent < b_parent ? -1 : 1;
	return stack_table_frame_order(table, stack_table_leaf(table, b), stack_table_leaf(table, a));
}

/* The used stacks, a parent before its children, siblings by name. Of guint, owned by the caller. */
static GArray *order_rows(const Side sides[2], const StackTable *table)
{
	guint n = stack_table_n_stacks(table), n_used = 0;
	g_autofree gboolean *used = find_used(sides, table);
	g_autofree guint *sorted = g_new(guint, n), *first = g_new0(guint, n), *children = g_new0(guint, n);
	for (guint i = 1; i < n; i++)
		if (used[i])
			sorted[n_used++] = i;
	g_qsort_with_data(sorted, (gint)n_used, sizeof *sorted, by_parent_and_name, (gpointer)table);
	for (guint i = n_used; i-- > 0;) {
		guint parent = stack_table_parent(table, (StackId){sorted[i]}).index;
		first[parent] = i;
		children[parent]++;
	}
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
	g_array_append_vals(open, sorted + first[0], children[0]);
	while (open->len > 0) {
		guint row = g_array_index(open, guint, open->len - 1);
		g_array_set_size(open, open->len - 1);
		g_array_append_val(rows, row);
		g_array_append_vals(open, sorted + first[row], children[row]);
	}
	return rows;
}

typedef struct {
	const Side *sides;
	const StackTable *table;
	guint *rows;          /* by StackId: its row */
	guint *named;         /* by FrameId: the first row with that frame, 0 = none yet */
	guint n_rows;         /* root included */
	gboolean has_samples; /* of some cell they are written */
} Writer;

static void append_frame(GString *out, Writer *writer, FrameId id, guint row)
{
	const Frame *frame = stack_table_get_frame(writer->table, id);
	const char *module = stack_table_text(writer->table, frame->module);
	if (writer->named[id.index] > 0) {
		g_string_append_printf(out, "=%u", writer->named[id.index]);
		return;
	}
	writer->named[id.index] = row;
	append_word(out, stack_table_text(writer->table, frame->name));
	if (*module == '\0' && frame->kind == FRAME_USER)
		return;
	g_string_append_c(out, '=');
	append_word(out, module);
	if (frame->kind != FRAME_USER)
		g_string_append_printf(out, "=%s", frame_kind_names[frame->kind]);
}

/* Returns whether it is more than a zero. */
static gboolean append_cell(GString *out, Writer *writer, const Side *side, ProfileCell cell)
{
	g_string_append_printf(out, " %" G_GUINT64_FORMAT, cell.weight);
	if (!needs_samples(side, cell))
		return cell.weight > 0;
	g_string_append_printf(out, ":%" G_GUINT64_FORMAT, cell.samples);
	writer->has_samples = TRUE;
	return TRUE;
}

static void append_row(GString *out, Writer *writer, StackId stack)
{
	guint parent = writer->rows[stack_table_parent(writer->table, stack).index];
	guint row = writer->rows[stack.index] = writer->n_rows++;
	g_string_append_printf(out, "%u ", row - parent);
	append_frame(out, writer, stack_table_leaf(writer->table, stack), row);
	gsize end = out->len;
	for (guint head = 0; head < 2; head++)
		for (guint i = 0; i < writer->sides[head].columns; i++) {
			const Side *side = &writer->sides[head];
			if (append_cell(out, writer, side, cell_of(side, i, stack)))
				end = out->len;
		}
	/* Most rows have cost in few columns. The zeroes after the last cost are what the reader assumes. */
	g_string_truncate(out, end);
	g_string_append_c(out, '\n');
}

/* FALSE if it became too large. *has_samples is set to whether a cell says how many it has. */
static gboolean append_rows(GString *out, const Side sides[2], const StackTable *table, gboolean *has_samples)
{
	gsize start = out->len;
	g_autoptr(GArray) order = order_rows(sides, table);
	g_autofree guint *rows = g_new0(guint, stack_table_n_stacks(table));
	g_autofree guint *named = g_new0(guint, MAX(stack_table_n_frames(table), 1));
	Writer writer = {.sides = sides, .table = table, .rows = rows, .named = named, .n_rows = 1};
	for (guint i = 0; i < order->len; i++) {
		append_row(out, &writer, (StackId){g_array_index(order, guint, i)});
		if (out->len - start > FLAME_DIFF_DATA_MAX_BYTES ||
		        too_many_cells(writer.n_rows, sides[0].columns + sides[1].columns))
			return FALSE;
	}
	*has_samples = writer.has_samples;
	return TRUE;
}

static void append_number(GString *out, double number)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	g_string_append_printf(out, " %s", g_ascii_dtostr(buffer, sizeof buffer, number > 0 ? number : 1));
}

static void append_facts(GString *out, const Side sides[2], const Profile *named, const FlameDiffData *data)
{
	append_word(out, named->event);
	g_string_append_c(out, ' ');
	append_word(out, named->unit);
	g_string_append_printf(out, " %u %u", runs_of(sides[0].profile), runs_of(sides[1].profile));
	append_number(out, sides[0].work);
	append_number(out, sides[1].work);
	g_string_append_printf(out, " %u %u", sides[0].columns, sides[1].columns);
	append_number(out, sides[0].cost_of_sample);
	append_number(out, sides[1].cost_of_sample);
	g_string_append_printf(out, " %s%s", data->counted ? COUNTED : SAMPLED, data->normalized ? " " NORMALIZED : "");
	if (named->scale != 1)
		g_string_append_printf(out, " %" G_GUINT64_FORMAT, named->scale);
	g_string_append_c(out, '\n');
}

static gboolean append_element(GString *out, const Side sides[2], const Profile *named, const FlameDiffData *data)
{
	gboolean has_samples;
	g_autoptr(GString) rows = g_string_new(NULL);
	if (!append_rows(rows, sides, named->table, &has_samples))
		return FALSE;
	g_string_append_printf(out, START "%s\n", has_samples ? FIRST_LINE_SAMPLES : FIRST_LINE);
	append_facts(out, sides, named, data);
	g_string_append_len(out, rows->str, (gssize)rows->len);
	g_string_append(out, END "\n");
	return TRUE;
}

FlameDiffKept flame_diff_data_append(GString *out, const FlameDiffData *data)
{
	const Profile *profile = data->head != NULL ? data->head : data->base;
	Side sides[] = {side_of(data, FALSE), side_of(data, TRUE)};
	if (MAX(sides[0].columns, sides[1].columns) <= MAX_COLUMNS && append_element(out, sides, profile, data))
		return FLAME_DIFF_DATA_RUNS;
	sides[0].columns = MIN(sides[0].columns, 1);
	sides[1].columns = MIN(sides[1].columns, 1);
	if (append_element(out, sides, profile, data))
		return FLAME_DIFF_DATA_SUMS;
	g_string_append_printf(out, LEFT_OUT "more than %zu bytes\"/>\n", FLAME_DIFF_DATA_MAX_BYTES);
	return FLAME_DIFF_DATA_NONE;
}

/* --- reading --- */

typedef struct {
	const char *name; /* of the picture */
	const char *at, *end;
	guint64 line;
	StackTable *table;
	GArray *stacks; /* of StackId, by row */
	guint columns[2];
	double cost_of_sample[2];
	gboolean has_samples; /* cells may say how many they have */
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

static Profile *new_profile(StackTable *table, char *const *words, guint columns)
{
	g_autofree char *event = read_word(words[0]), *unit = read_word(words[1]);
	if (event == NULL || unit == NULL)
		return NULL;
	Profile *profile = profile_new(table, event, unit);
	for (guint i = 0; i < MAX(columns, 1); i++)
		profile_add_run(profile);
	return profile;
}

/* A side has a column for each run, or one; none for no run. */
static gboolean read_columns(Reader *reader, char *const *words, guint head, guint *runs)
{
	guint64 n_runs, columns;
	if (!read_number(words[2 + head], MAX_RUNS, &n_runs) || !read_number(words[6 + head], MAX_COLUMNS, &columns) ||
	        (columns != n_runs && columns != MIN(n_runs, 1)))
		return FALSE;
	*runs = (guint)n_runs;
	reader->columns[head] = (guint)columns;
	return read_work(words[8 + head], &reader->cost_of_sample[head]);
}

/* Reads the facts that are written only where they are not as usual. */
static gboolean read_more_facts(FlameDiffData *data, char *const *words, guint64 *scale)
{
	static const char *const scales[] = {"1000", "1000000", "1000000000", NULL};
	*scale = 1;
	data->normalized = g_strcmp0(*words, NORMALIZED) == 0;
	words += data->normalized ? 1 : 0;
	return *words == NULL ||
	       (words[1] == NULL && g_strv_contains(scales, *words) && read_number(*words, G_MAXUINT64, scale));
}

static gboolean read_facts(Reader *reader, GError **error)
{
	FlameDiffData *data = reader->data;
	g_auto(GStrv) words = next_line(reader);
	guint64 scale;
	if (g_strv_length(words) < FACTS || !read_more_facts(data, words + FACTS, &scale) ||
	        !read_columns(reader, words, 0, &data->base_runs) ||
	        !read_columns(reader, words, 1, &data->head_runs) || !read_work(words[4], &data->base_work) ||
	        !read_work(words[5], &data->head_work) ||
	        (strcmp(words[10], COUNTED) != 0 && strcmp(words[10], SAMPLED) != 0))
		return refuse(reader, error, "not event, unit, runs, work and columns");
	data->counted = strcmp(words[10], COUNTED) == 0;
	data->base = new_profile(reader->table, words, reader->columns[0]);
	data->head = new_profile(reader->table, words, reader->columns[1]);
	if (data->base == NULL || data->head == NULL)
		return refuse(reader, error, "not an event and a unit");
	data->base->scale = data->head->scale = scale;
	return TRUE;
}

static gboolean read_kind(const char *word, FrameKind *kind)
{
	for (guint i = 0; i < FRAME_KINDS; i++)
		if (strcmp(word, frame_kind_names[i]) == 0) {
			*kind = (FrameKind)i;
			return TRUE;
		}
	return FALSE;
}

/* "name", "name=module" or "name=module=kind". */
static gboolean read_new_frame(const Reader *reader, const char *word, FrameId *frame)
{
	FrameKind kind = FRAME_USER;
	g_auto(GStrv) parts = g_strsplit(word, "=", 4);
	guint n = g_strv_length(parts);
	if (n < 1 || n > 3 || *parts[0] == '\0' || (n == 3 && !read_kind(parts[2], &kind)))
		return FALSE;
	g_autofree char *name = read_word(parts[0]), *module = read_word(n > 1 ? parts[1] : "%");
	if (name == NULL || module == NULL)
		return FALSE;
	*frame = stack_table_frame_named(reader->table, name, *module != '\0' ? module : NULL, kind);
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
	return read_new_frame(reader, word, frame);
}

/* "cost", or "cost:samples". */
static gboolean read_cell(const Reader *reader, const char *word, double cost_of_sample, ProfileCell *cell)
{
	const char *colon = reader->has_samples ? strchr(word, ':') : NULL;
	g_autofree char *cost = colon == NULL ? g_strdup(word) : g_strndup(word, (gsize)(colon - word));
	if (!read_number(cost, G_MAXUINT64, &cell->weight))
		return FALSE;
	cell->samples = usual_samples(cell->weight, cost_of_sample);
	return colon == NULL || read_number(colon + 1, G_MAXUINT64, &cell->samples);
}

/* Adds the costs of a row, `words`, whose first ones are those of base. */
static gboolean read_costs(Reader *reader, char *const *words, guint n, StackId stack)
{
	Profile *const profiles[] = {reader->data->base, reader->data->head};
	for (guint i = 0; i < n; i++) {
		guint head = i >= reader->columns[0];
		ProfileCell cell;
		if (!read_cell(reader, words[i], reader->cost_of_sample[head], &cell))
			return FALSE;
		if (cell.weight > 0 || cell.samples > 0)
			profile_add(profiles[head], i - (head ? reader->columns[0] : 0), stack, cell);
	}
	return TRUE;
}

static gboolean read_row(Reader *reader, GError **error)
{
	guint64 distance;
	FrameId frame;
	g_auto(GStrv) words = next_line(reader);
	guint n = g_strv_length(words);
	if (n < 2 || n > 2 + reader->columns[0] + reader->columns[1] ||
	        !read_number(words[0], reader->stacks->len, &distance) || distance == 0)
		return refuse(reader, error, "not a parent, a name and costs");
	if (!read_frame(reader, words[1], &frame))
		return refuse(reader, error, "not a name");
	if (too_many_cells(reader->stacks->len, reader->columns[0] + reader->columns[1]))
		return refuse(reader, error, "more rows than so many columns may have");
	StackId parent = g_array_index(reader->stacks, StackId, reader->stacks->len - distance);
	StackId stack = stack_table_push(reader->table, parent, frame);
	g_array_append_val(reader->stacks, stack);
	return read_costs(reader, words + 2, n - 2, stack) || refuse(reader, error, "a cost is no number");
}

static gboolean read_lines(Reader *reader, GError **error)
{
	StackId root = STACK_ROOT;
	g_auto(GStrv) first = next_line(reader);
	g_autofree char *version = g_strjoinv(" ", first);
	reader->has_samples = strcmp(version, FIRST_LINE_SAMPLES) == 0;
	if (!reader->has_samples && strcmp(version, FIRST_LINE) != 0)
		return refuse(reader, error, "made by another version");
	g_array_append_val(reader->stacks, root);
	if (!read_facts(reader, error))
		return FALSE;
	while (reader->at < reader->end)
		if (!read_row(reader, error))
			return FALSE;
	return TRUE;
}

double flame_diff_data_work(const FlameDiffData *data, gboolean head)
{
	guint runs = head ? data->head_runs : data->base_runs;
	double work = head ? data->head_work : data->base_work;
	return work * MAX(runs, 1) / profile_n_runs(head ? data->head : data->base);
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
