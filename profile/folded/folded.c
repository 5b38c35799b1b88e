/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/folded/folded.h"

#include "core/error.h"
#include "core/escape.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_COLUMNS 2
#define SHOWN_BYTES 200
/* Rounding that changes counts by more than this share of their sum is too much, as long as a larger scale helps. */
#define NOTABLE_ROUNDING .01
#define MAX_SCALE 1000000000u
/* Frames of the line before that are remembered; deeper ones are looked up again. */
#define REMEMBERED_FRAMES 4096
/* Lines whose stacks are looked up together: so many reads of memory can be under way at once, and some more. */
#define WAITING_LINES 96
/* The bytes of a mapped file that are kept before the line that is read; a multiple of every page size. */
#define KEPT_BYTES (16 * 1024 * 1024)

/* A piece of the text; it has no NUL at its end. */
typedef struct {
	const char *start;
	gsize length;
} Piece;

/* A count that stays exact while it is whole. */
typedef struct {
	guint64 whole;
	double fraction;
} Count;

/* Counts per stack, which move into the profile at the end. */
typedef struct {
	GArray *whole;         /* of guint64 by StackId */
	GHashTable *fractions; /* StackId -> double, owned; NULL while all counts are whole */
	gboolean is_too_large; /* the sum of some stack is */
} Column;

/* Tells where a frame of a line ends, and the stack up to it once that is looked up. */
typedef struct {
	gsize end;
	FrameId frame;
	StackId stack;
} Step;

/* A line that waits until its stack is looked up, together with others. */
typedef struct {
	Piece stack;         /* its text */
	guint first_step;    /* in `Reader.steps` */
	guint n_steps;       /* up to REMEMBERED_FRAMES */
	guint shared;        /* the first so many are those of the line before */
	gboolean is_counted; /* it stands here for the next line only */
	Count counts[MAX_COLUMNS];
} Line;

typedef struct {
	const FoldedOptions *options;
	Profile *profile;
	Column columns[MAX_COLUMNS];
	GArray *frame_of_name; /* of guint32 by 2 * NameId, + 1 where it is the root: frame + 1, 0 = not asked for yet
	                        */
	Line lines[WAITING_LINES];
	guint n_lines;
	GArray *steps; /* of Step: those of the lines, one line after the other */
	StackPush pushes[WAITING_LINES];
	guint pushers[WAITING_LINES]; /* whose they are */
	guint64 scale;                /* what counts are multiplied by */
	FoldedSummary summary;
} FoldedReader;

void folded_summary_clear(FoldedSummary *summary)
{
	g_free(summary->first_bad_text);
	*summary = (FoldedSummary){0};
}

static gboolean is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void trim_end(Piece *piece)
{
	while (piece->length > 0 &&
	        (is_blank(piece->start[piece->length - 1]) || piece->start[piece->length - 1] == '\r'))
		piece->length--;
}

/* digits [ "." digits ]; no sign, no exponent. */
static gboolean parse_count(Piece text, Count *count)
{
	double scale = .1;
	gsize i = 0;
	*count = (Count){0};
	for (; i < text.length && g_ascii_isdigit(text.start[i]); i++) {
		guint digit = (guint)(text.start[i] - '0');
		if (count->whole > (G_MAXUINT64 - digit) / 10)
			return FALSE;
		count->whole = count->whole * 10 + digit;
	}
	if (i == 0 || i == text.length)
		return i > 0;
	if (text.start[i] != '.' || i + 1 == text.length)
		return FALSE;
	for (i++; i < text.length && g_ascii_isdigit(text.start[i]); i++, scale /= 10)
		count->fraction += (text.start[i] - '0') * scale;
	return i == text.length;
}

/* Cuts the last column off a line. */
static gboolean take_count(Piece *line, Count *count)
{
	trim_end(line);
	gsize start = line->length;
	while (start > 0 && !is_blank(line->start[start - 1]))
		start--;
	if (start == 0 || !parse_count((Piece){line->start + start, line->length - start}, count))
		return FALSE;
	line->length = start;
	trim_end(line);
	return line->length > 0;
}

static gboolean ends_with(Piece text, const char *suffix)
{
	gsize n = strlen(suffix);
	return text.length > n && memcmp(text.start + text.length - n, suffix, n) == 0;
}

static FrameKind kind_of_text(Piece text, gboolean is_root)
{
	if (ends_with(text, "_[k]"))
		return FRAME_KERNEL;
	if (ends_with(text, "_[i]"))
		return FRAME_INLINED;
	if (ends_with(text, "_[j]"))
		return FRAME_JIT;
	if (text.length > 2 && text.start[0] == '[' && text.start[text.length - 1] == ']')
		return FRAME_SYNTHETIC;
	return is_root ? FRAME_COMMAND : FRAME_USER;
}

static FrameId make_frame(FoldedReader *reader, Frame frame, Piece text, gboolean is_root)
{
	StackTable *table = reader->profile->table;
	frame.kind = kind_of_text(text, is_root && !reader->options->plain_root);
	frame.raw_name = frame.name;
	return stack_table_frame(table, &frame);
}

/* A frame of a module is told apart by both; there are few of them. */
static FrameId intern_module_frame(FoldedReader *reader, Piece text, const char *tick, gboolean is_root)
{
	StackTable *table = reader->profile->table;
	gsize module_length = (gsize)(tick - text.start);
	Piece rest = {tick + 1, text.length - module_length - 1};
	Frame frame = {.module = stack_table_name(table, text.start, (gssize)module_length),
	        .name = stack_table_name(table, rest.start, (gssize)rest.length)};
	return make_frame(reader, frame, text, is_root);
}

static FrameId intern_frame(FoldedReader *reader, Piece text, gboolean is_root)
{
	const char *tick = reader->options->dtrace_names ? memchr(text.start, '`', text.length) : NULL;
	if (tick != NULL)
		return intern_module_frame(reader, text, tick, is_root);
	NameId name = stack_table_name(reader->profile->table, text.start, (gssize)text.length);
	guint row = 2 * name.index + (is_root ? 1 : 0);
	if (row >= reader->frame_of_name->len)
		g_array_set_size(reader->frame_of_name, row + 1);
	guint32 *known = &g_array_index(reader->frame_of_name, guint32, row);
	if (*known == 0)
		*known = make_frame(reader, (Frame){.name = name}, text, is_root).index + 1;
	return (FrameId){*known - 1};
}

/* The number of bytes that two texts have in common at their beginnings. */
static gsize common_length(Piece a, Piece b)
{
	gsize n = MIN(a.length, b.length), i = 0;
	for (guint64 x, y; i + sizeof x <= n; i += sizeof x) {
		memcpy(&x, a.start + i, sizeof x);
		memcpy(&y, b.start + i, sizeof y);
		if (x != y)
			break;
	}
	while (i < n && a.start[i] == b.start[i])
		i++;
	return i;
}

static Step *step_of(const FoldedReader *reader, const Line *line, guint i)
{
	return &g_array_index(reader->steps, Step, line->first_step + i);
}

/* Frames that a line has from the line before are copied. */
static void share_steps(FoldedReader *reader, Line *line, const Line *before)
{
	gsize common = common_length(before->stack, line->stack);
	guint n = before->n_steps;
	for (; n > 0; n--) {
		gsize end = step_of(reader, before, n - 1)->end;
		if (end <= common && (end == line->stack.length || line->stack.start[end] == ';'))
			break;
	}
	line->shared = line->n_steps = n;
	g_array_set_size(reader->steps, line->first_step + n);
	if (n > 0)
		memcpy(step_of(reader, line, 0), step_of(reader, before, 0), n * sizeof(Step));
}

/* Makes the stacks of all lines at one level from those at the level below. */
static void look_up_level(FoldedReader *reader, guint level)
{
	guint n = 0;
	for (guint i = 0; i < reader->n_lines; i++) {
		const Line *line = &reader->lines[i];
		if (line->is_counted || level < line->shared || level >= line->n_steps)
			continue;
		StackId parent = level == 0 ? STACK_ROOT : step_of(reader, line, level - 1)->stack;
		reader->pushes[n] = (StackPush){.parent = parent, .frame = step_of(reader, line, level)->frame};
		reader->pushers[n++] = i;
	}
	stack_table_push_all(reader->profile->table, reader->pushes, n);
	for (guint i = 0; i < n; i++)
		step_of(reader, &reader->lines[reader->pushers[i]], level)->stack = reader->pushes[i].stack;
	for (guint i = 1; i < reader->n_lines; i++) {
		const Line *line = &reader->lines[i];
		if (level < line->shared)
			step_of(reader, line, level)->stack = step_of(reader, line - 1, level)->stack;
	}
}

static void look_up(FoldedReader *reader)
{
	guint depth = 0;
	for (guint i = 0; i < reader->n_lines; i++)
		depth = MAX(depth, reader->lines[i].n_steps);
	for (guint level = 0; level < depth; level++)
		look_up_level(reader, level);
}

static void add_fraction(Column *column, StackId stack, double fraction)
{
	if (column->fractions == NULL)
		column->fractions = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	double *sum = g_hash_table_lookup(column->fractions, GUINT_TO_POINTER(stack.index));
	if (sum == NULL) {
		sum = g_new0(double, 1);
		g_hash_table_insert(column->fractions, GUINT_TO_POINTER(stack.index), sum);
	}
	*sum += fraction;
}

static guint64 add_saturated(guint64 a, guint64 b)
{
	return a > G_MAXUINT64 - b ? G_MAXUINT64 : a + b;
}

static void add_count(Column *column, StackId stack, Count count)
{
	if (stack.index >= column->whole->len)
		g_array_set_size(column->whole, stack.index + 1);
	guint64 *sum = &g_array_index(column->whole, guint64, stack.index);
	column->is_too_large |= count.whole > G_MAXUINT64 - *sum;
	*sum = add_saturated(*sum, count.whole);
	if (count.fraction > 0)
		add_fraction(column, stack, count.fraction);
}

static void count_line(FoldedReader *reader, Line *line, StackId stack)
{
	for (guint column = 0; column < reader->options->columns; column++)
		add_count(&reader->columns[column], stack, line->counts[column]);
	line->is_counted = TRUE;
}

/* The last line stays, for what the next one shares with it. */
static void keep_last_line(FoldedReader *reader)
{
	Line last = reader->lines[reader->n_lines - 1];
	g_array_remove_range(reader->steps, 0, last.first_step);
	last.first_step = 0;
	reader->lines[0] = last;
	reader->n_lines = 1;
}

static void count_lines(FoldedReader *reader)
{
	look_up(reader);
	for (guint i = 0; i < reader->n_lines; i++) {
		Line *line = &reader->lines[i];
		if (!line->is_counted)
			count_line(reader, line, step_of(reader, line, line->n_steps - 1)->stack);
	}
	keep_last_line(reader);
}

/* The frame that begins at `start`; sets where it ends. */
static FrameId next_frame(FoldedReader *reader, Piece text, const char *start, const char **stop)
{
	const char *end = text.start + text.length;
	const char *semicolon = memchr(start, ';', (gsize)(end - start));
	*stop = semicolon != NULL ? semicolon : end;
	return intern_frame(reader, (Piece){start, (gsize)(*stop - start)}, start == text.start);
}

/* An inlined frame without a caller stays. */
static gboolean is_left_out(const FoldedReader *reader, FrameId frame, gboolean has_caller)
{
	return reader->options->no_inline && has_caller &&
	       stack_table_get_frame(reader->profile->table, frame)->kind == FRAME_INLINED;
}

/* Counts a line that is deeper than the frames that are remembered, from `start` on. */
static void count_deep_line(FoldedReader *reader, Line *line, const char *start)
{
	const char *end = line->stack.start + line->stack.length, *stop;
	look_up(reader);
	StackId stack = step_of(reader, line, line->n_steps - 1)->stack;
	for (; start <= end; start = stop + 1) {
		FrameId frame = next_frame(reader, line->stack, start, &stop);
		if (!is_left_out(reader, frame, TRUE))
			stack = stack_table_push(reader->profile->table, stack, frame);
	}
	count_line(reader, line, stack);
}

static void add_line(FoldedReader *reader, Line *line)
{
	const char *end = line->stack.start + line->stack.length, *stop;
	const char *start = line->stack.start;
	if (line->n_steps > 0)
		start += step_of(reader, line, line->n_steps - 1)->end + 1;
	for (; start <= end; start = stop + 1) {
		if (line->n_steps == REMEMBERED_FRAMES) {
			count_deep_line(reader, line, start);
			return;
		}
		Step step = {.frame = next_frame(reader, line->stack, start, &stop)};
		step.end = (gsize)(stop - line->stack.start);
		if (is_left_out(reader, step.frame, line->n_steps > 0))
			continue;
		g_array_append_val(reader->steps, step);
		line->n_steps++;
	}
}

static gboolean read_line(FoldedReader *reader, Piece text)
{
	Line *line = &reader->lines[reader->n_lines];
	*line = (Line){.first_step = reader->steps->len};
	for (guint column = reader->options->columns; column-- > 0;)
		if (!take_count(&text, &line->counts[column]))
			return FALSE;
	line->stack = text;
	if (reader->n_lines > 0)
		share_steps(reader, line, line - 1);
	reader->n_lines++;
	add_line(reader, line);
	if (reader->n_lines == WAITING_LINES)
		count_lines(reader);
	return TRUE;
}

static gboolean is_skipped(Piece line)
{
	trim_end(&line);
	return line.length == 0 || (line.start[0] == '#' && (line.length == 1 || line.start[1] == ' '));
}

static void note_bad_line(FoldedSummary *summary, guint64 number, Piece line)
{
	if (summary->bad_lines++ > 0)
		return;
	g_autofree char *shown = g_strndup(line.start, MIN(line.length, SHOWN_BYTES));
	summary->first_bad_line = number;
	summary->first_bad_text = g_utf8_make_valid(shown, -1);
}

/* Gives back the pages of a mapped file that lie well before `at`; what is asked for again is read again. Returns up to
 * where they are given back. */
static const char *release_after(const char *released, const char *at)
{
	const char *keep = at - (guintptr)at % KEPT_BYTES;
	if (keep - KEPT_BYTES <= released)
		return released;
	madvise((gpointer)released, (gsize)(keep - released), MADV_DONTNEED);
	return keep;
}

static void read_lines(FoldedReader *reader, const char *text, gsize length)
{
	const char *end = text + length, *released = text + (KEPT_BYTES - (guintptr)text % KEPT_BYTES);
	guint64 number = 0;
	while (text < end) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		Piece line = {text, (gsize)((newline != NULL ? newline : end) - text)};
		number++;
		text += line.length + 1;
		if (reader->options->mapped)
			released = release_after(released, text);
		if (is_skipped(line))
			continue;
		if (read_line(reader, line))
			reader->summary.stack_lines++;
		else
			note_bad_line(&reader->summary, number, line);
	}
	if (reader->n_lines > 0)
		count_lines(reader);
}

static guint64 rounded(Count count, guint64 scale)
{
	double fraction = floor(count.fraction * (double)scale + .5);
	guint64 extra = fraction >= (double)G_MAXUINT64 ? G_MAXUINT64 : (guint64)fraction;
	guint64 whole = count.whole > G_MAXUINT64 / scale ? G_MAXUINT64 : count.whole * scale;
	guint64 sum = add_saturated(whole, extra);
	return sum == 0 && count.fraction > 0 ? 1 : sum;
}

static Count count_at(const Column *column, guint stack)
{
	const double *fraction = NULL;
	if (column->fractions != NULL)
		fraction = g_hash_table_lookup(column->fractions, GUINT_TO_POINTER(stack));
	return (Count){g_array_index(column->whole, guint64, stack), fraction != NULL ? *fraction : 0};
}

/* The change that rounding makes to all counts of a column together, as a share of their sum; 0 for whole counts. */
static double rounding_error(const Column *column, guint64 scale)
{
	double sum = 0, error = 0;
	for (guint i = 0; column->fractions != NULL && i < column->whole->len; i++) {
		Count count = count_at(column, i);
		double counted = ((double)count.whole + count.fraction) * (double)scale;
		sum += counted;
		error += fabs((double)rounded(count, scale) - counted);
	}
	return sum > 0 ? error / sum : 0;
}

/* The least scale at which rounding does not matter, one for all columns and for what the profile has. */
static guint64 scale_of(const FoldedReader *reader)
{
	guint64 scale = reader->profile->scale;
	for (guint i = 0; reader->options->scale_small && i < reader->options->columns; i++)
		while (scale < MAX_SCALE && rounding_error(&reader->columns[i], scale) > NOTABLE_ROUNDING)
			scale *= 1000;
	return scale;
}

/* TRUE if a column and the counts that its run has already have a sum. One beyond the largest number would falsify all
 * shares. */
static gboolean has_sum(const FoldedReader *reader, const Column *column, guint run)
{
	guint64 sum = profile_run_total(reader->profile, run).weight;
	for (guint i = 0; i < column->whole->len; i++) {
		guint64 count = rounded(count_at(column, i), reader->scale);
		if (count > G_MAXUINT64 - sum)
			return FALSE;
		sum += count;
	}
	return !column->is_too_large;
}

static gboolean have_sums(const FoldedReader *reader, const char *name, guint first_run, GError **error)
{
	for (guint i = 0; i < reader->options->columns; i++)
		if (!has_sum(reader, &reader->columns[i], first_run + i))
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s: its counts are too large: their sum is more than %" G_GUINT64_FORMAT, name,
			        G_MAXUINT64);
	return TRUE;
}

/* TRUE if the counts of all columns and those of the profile can be written in that scale. */
static gboolean take_scale(FoldedReader *reader, const char *name, GError **error)
{
	double most = 0;
	reader->scale = scale_of(reader);
	for (guint column = 0; reader->scale > 1 && column < reader->options->columns; column++) {
		double sum = 0;
		for (guint i = 0; i < reader->columns[column].whole->len; i++)
			sum += (double)count_at(&reader->columns[column], i).whole;
		most = MAX(most, sum);
	}
	if (most * (double)reader->scale < (double)G_MAXUINT64 && profile_rescale(reader->profile, reader->scale))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        "%s: its counts and those of the other files are too far apart to add up", name);
	return FALSE;
}

static void move_column(FoldedReader *reader, const Column *column, guint run)
{
	for (guint i = 0; i < column->whole->len; i++) {
		guint64 count = rounded(count_at(column, i), reader->scale);
		if (count > 0)
			profile_add(
			        reader->profile, run, (StackId){i}, (ProfileCell){.samples = count, .weight = count});
	}
}

static gboolean is_utf16(const char *text, gsize length)
{
	return length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
}

static gboolean check_summary(
        const FoldedSummary *summary, const char *name, const FoldedOptions *options, GError **error)
{
	if (options->strict && summary->bad_lines > 0) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "%s:%" G_GUINT64_FORMAT ": not a stack with %u count%s: %s", name, summary->first_bad_line,
		        options->columns, options->columns == 1 ? "" : "s", summary->first_bad_text);
		return FALSE;
	}
	if (summary->stack_lines == 0) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "%s: no folded stacks in it (%" G_GUINT64_FORMAT " lines do not match)", name,
		        summary->bad_lines);
		return FALSE;
	}
	return TRUE;
}

static gboolean read_text(FoldedReader *reader, const char *text, gsize length, const char *name, GError **error)
{
	if (is_utf16(text, length)) {
		g_set_error(
		        error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: UTF-16 text; convert it to UTF-8", name);
		return FALSE;
	}
	gsize mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	read_lines(reader, text + mark, length - mark);
	return check_summary(&reader->summary, name, reader->options, error);
}

static void reader_init(FoldedReader *reader, const FoldedOptions *options, Profile *profile)
{
	static const FoldedOptions one_column = {.columns = 1};
	*reader = (FoldedReader){
	        .options = options != NULL ? options : &one_column,
	        .profile = profile,
	        .frame_of_name = g_array_new(FALSE, TRUE, sizeof(guint32)),
	        .steps = g_array_new(FALSE, FALSE, sizeof(Step)),
	};
	g_assert(reader->options->columns >= 1 && reader->options->columns <= MAX_COLUMNS);
	for (guint i = 0; i < MAX_COLUMNS; i++)
		reader->columns[i].whole = g_array_new(FALSE, TRUE, sizeof(guint64));
}

static void reader_clear(FoldedReader *reader)
{
	for (guint i = 0; i < MAX_COLUMNS; i++) {
		g_array_unref(reader->columns[i].whole);
		g_clear_pointer(&reader->columns[i].fractions, g_hash_table_unref);
	}
	g_array_unref(reader->frame_of_name);
	g_array_unref(reader->steps);
}

gboolean folded_read(const char *text, gsize length, const char *name, const FoldedOptions *options, Profile *profile,
        guint first_run, FoldedSummary *summary, GError **error)
{
	FoldedReader reader;
	reader_init(&reader, options, profile);
	gboolean ok = read_text(&reader, text, length, name, error);
	ok = ok && take_scale(&reader, name, error) && have_sums(&reader, name, first_run, error);
	for (guint column = 0; ok && column < reader.options->columns; column++)
		move_column(&reader, &reader.columns[column], first_run + column);
	reader_clear(&reader);
	if (ok && summary != NULL)
		*summary = reader.summary;
	else
		folded_summary_clear(&reader.summary);
	return ok;
}

gboolean folded_read_file(const char *path, const FoldedOptions *options, Profile *profile, guint first_run,
        FoldedSummary *summary, GError **error)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &failure);
	if (file == NULL) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "%s", failure->message);
		return FALSE;
	}
	const char *text = g_mapped_file_get_contents(file);
	FoldedOptions of_file = options != NULL ? *options : (FoldedOptions){.columns = 1};
	of_file.mapped = TRUE;
	return folded_read(text != NULL ? text : "", g_mapped_file_get_length(file), path, &of_file, profile, first_run,
	        summary, error);
}

/* --- writing --- */

typedef struct {
	char *stack; /* owned */
	guint64 counts[MAX_COLUMNS];
} FoldedLine;

static void line_clear(gpointer line)
{
	g_free(((FoldedLine *)line)->stack);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	return strcmp(((const FoldedLine *)a)->stack, ((const FoldedLine *)b)->stack);
}

static char *stack_text(const StackTable *table, StackId stack, FoldedFlags flags)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (; stack.index != STACK_ROOT.index; stack = stack_table_parent(table, stack))
		g_ptr_array_add(names, (gpointer)stack_table_frame_name(table, stack_table_leaf(table, stack)));
	GString *text = g_string_new(NULL);
	for (guint i = names->len; i-- > 0;) {
		if ((flags & FOLDED_AS_IS) != 0)
			g_string_append(text, names->pdata[i]);
		else
			escape_folded(text, names->pdata[i], -1);
		if (i > 0)
			g_string_append_c(text, ';');
	}
	return g_string_free(text, FALSE);
}

static guint64 count_of(const Profile *profile, guint run, StackId stack, FoldedFlags flags)
{
	ProfileCell cell =
	        run == FOLDED_ALL_RUNS ? profile_stack_total(profile, stack) : profile_cell(profile, run, stack);
	return (flags & FOLDED_SAMPLES) != 0 ? cell.samples : cell.weight;
}

/* Frames that differ in their module only have the same text: equal neighbours become one line. */
static char *join_lines(GArray *lines, const Profile *const *profiles, guint n_columns)
{
	GString *text = g_string_new(NULL);
	g_array_sort(lines, compare_lines);
	for (guint i = 0; i < lines->len;) {
		FoldedLine *line = &g_array_index(lines, FoldedLine, i);
		guint next = i + 1;
		for (; next < lines->len && compare_lines(line, &g_array_index(lines, FoldedLine, next)) == 0; next++)
			for (guint c = 0; c < n_columns; c++)
				line->counts[c] += g_array_index(lines, FoldedLine, next).counts[c];
		g_string_append(text, line->stack);
		for (guint c = 0; c < n_columns; c++) {
			g_string_append_c(text, ' ');
			profile_append_cost(text, profiles[c], line->counts[c]);
		}
		g_string_append_c(text, '\n');
		i = next;
	}
	return g_string_free(text, FALSE);
}

static char *write_columns(const Profile *const *profiles, guint n_columns, guint run, FoldedFlags flags)
{
	const StackTable *table = profiles[0]->table;
	g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(FoldedLine));
	g_array_set_clear_func(lines, line_clear);
	for (guint i = 1; i < stack_table_n_stacks(table); i++) {
		FoldedLine line = {0};
		guint64 any = 0;
		for (guint c = 0; c < n_columns; c++)
			any |= line.counts[c] = count_of(profiles[c], run, (StackId){i}, flags);
		if (any == 0)
			continue;
		line.stack = stack_text(table, (StackId){i}, flags);
		g_array_append_val(lines, line);
	}
	return join_lines(lines, profiles, n_columns);
}

char *folded_write(const Profile *profile, guint run, FoldedFlags flags)
{
	return write_columns(&profile, 1, run, flags);
}

char *folded_write_diff(const Profile *base, const Profile *head, FoldedFlags flags)
{
	g_assert(base->table == head->table);
	return write_columns((const Profile *const[]){base, head}, 2, FOLDED_ALL_RUNS, flags);
}
