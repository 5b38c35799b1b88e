/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/annotatedlines.h"

#include "compare/source/rowchoice.h"
#include "core/git/textalign.h"

#include <math.h>
#include <string.h>

/* An edited line matters as much as one with this share of the function's cost. */
#define WEIGHT_OF_EDIT .01

/* The lines of a function on one side, ascending. */
typedef struct {
	const AnnotatedSide *side;
	GArray *costs;     /* of LineCost, those in its file */
	double other;      /* self weight that is in no line of it */
	GArray *numbers;   /* of guint32 */
	GPtrArray *texts;  /* of char *, one for each number */
	gboolean is_known; /* there is a source, be it empty */
} SideLines;

typedef struct {
	SideLines sides[N_SIDES];
	GArray *rows; /* of AlignedRow */
} Function;

static void function_init(Function *function, const AnnotatedLinesInput *input)
{
	*function = (Function){0};
	for (guint s = 0; s < N_SIDES; s++)
		function->sides[s] = (SideLines){
		        .side = &input->sides[s],
		        .costs = g_array_new(FALSE, FALSE, sizeof(LineCost)),
		        .numbers = g_array_new(FALSE, FALSE, sizeof(guint32)),
		        .texts = g_ptr_array_new_with_free_func(g_free),
		        .is_known = input->sides[s].source != NULL,
		};
}

static void function_clear(Function *function)
{
	for (guint s = 0; s < N_SIDES; s++) {
		g_array_unref(function->sides[s].costs);
		g_array_unref(function->sides[s].numbers);
		g_ptr_array_unref(function->sides[s].texts);
	}
	g_clear_pointer(&function->rows, g_array_unref);
}

/* --- costs --- */

static void take_costs(SideLines *lines, guint s, const LineCosts *costs)
{
	const AnnotatedSide *side = lines->side;
	for (guint i = 0; i < costs->lines->len; i++) {
		const LineCost *cost = &g_array_index(costs->lines, LineCost, i);
		if (cost->frame.index != side->frame.index || cost->side != s)
			continue;
		if (cost->file.index == side->file.index && cost->line > 0 && *side->path != '\0')
			g_array_append_vals(lines->costs, cost, 1);
		else
			lines->other += cost->self;
	}
}

/* --- lines of a text --- */

/* Appends lines first..last of the source, as far as it has them. */
static void take_lines(SideLines *lines, guint32 first, guint32 last)
{
	const char *at = lines->side->source, *end = at + lines->side->length;
	for (guint32 number = 1; at < end && number <= last; number++) {
		const char *newline = memchr(at, '\n', (gsize)(end - at));
		gsize length = (gsize)((newline != NULL ? newline : end) - at);
		if (number >= first) {
			g_array_append_val(lines->numbers, number);
			g_ptr_array_add(lines->texts, annotation_line_text(at, length));
		}
		at += length + 1;
	}
}

/* Takes the lines that cost something. */
static void take_costly_lines(SideLines *lines)
{
	for (guint i = 0; i < lines->costs->len; i++) {
		guint32 number = g_array_index(lines->costs, LineCost, i).line;
		g_array_append_val(lines->numbers, number);
		g_ptr_array_add(lines->texts, g_strdup(""));
	}
}

static TextLines texts_of(const SideLines *lines)
{
	return (TextLines){(const char *const *)lines->texts->pdata, lines->texts->len};
}

/* --- which lines --- */

typedef struct {
	guint32 first, last; /* 0 = not known */
} LineRange;

/* The lines of the function. If its end is not known, it ends with the last line that cost something. */
static LineRange known_range(const SideLines *lines)
{
	const AnnotatedSide *side = lines->side;
	LineRange range = {side->first_line, MAX(side->first_line, side->last_line)};
	if (range.first > 0 && side->last_line == 0 && lines->costs->len > 0)
		range.last = MAX(range.first, g_array_index(lines->costs, LineCost, lines->costs->len - 1).line);
	return range;
}

static LineRange costly_range(const SideLines *lines)
{
	guint n = lines->costs->len;
	if (n == 0)
		return (LineRange){0};
	return (LineRange){
	        g_array_index(lines->costs, LineCost, 0).line, g_array_index(lines->costs, LineCost, n - 1).line};
}

static gboolean can_be_searched(const AnnotatedSide *side)
{
	return side->source != NULL && side->length > 0 && side->length <= ANNOTATED_MAX_SEARCHED_BYTES;
}

/* The lines of side `s` that stand for a range of the other side, by all lines of both files. */
static gboolean search_range(
        const AnnotatedLinesInput *input, guint s, const LineRange *other, LineRange *range, GError **error)
{
	Function files;
	function_init(&files, input);
	for (guint i = 0; i < N_SIDES; i++)
		take_lines(&files.sides[i], 1, G_MAXUINT32);
	TextLines base = texts_of(&files.sides[0]), head = texts_of(&files.sides[1]);
	files.rows = text_align(&base, &head, TRUE, error);
	gboolean ok = files.rows != NULL;
	for (guint i = 0; ok && i < files.rows->len; i++) {
		const AlignedRow *row = &g_array_index(files.rows, AlignedRow, i);
		guint here = s == 0 ? row->base : row->head, there = s == 0 ? row->head : row->base;
		if (here == TEXT_ALIGN_NONE || there == TEXT_ALIGN_NONE || there + 1 < other->first ||
		        there + 1 > other->last)
			continue;
		range->last = here + 1;
		if (range->first == 0)
			range->first = here + 1;
	}
	function_clear(&files);
	return ok;
}

static gboolean find_ranges(
        const Function *function, const AnnotatedLinesInput *input, LineRange ranges[N_SIDES], GError **error)
{
	for (guint s = 0; s < N_SIDES; s++)
		ranges[s] = known_range(&function->sides[s]);
	for (guint s = 0; s < N_SIDES; s++) {
		const LineRange *other = &ranges[N_SIDES - 1 - s];
		if (ranges[s].first > 0)
			continue;
		if (other->first > 0 && can_be_searched(&input->sides[0]) && can_be_searched(&input->sides[1]) &&
		        !search_range(input, s, other, &ranges[s], error))
			return FALSE;
		if (ranges[s].first == 0)
			ranges[s] = costly_range(&function->sides[s]);
	}
	return TRUE;
}

/* Of a source the lines in the range, else those that cost something. */
static void take_range(SideLines *lines, const LineRange *range)
{
	if (!lines->is_known)
		take_costly_lines(lines);
	else if (range->first > 0)
		take_lines(lines, range->first,
		        (guint32)MIN(range->last, (guint64)range->first + ANNOTATED_MAX_FUNCTION_LINES - 1));
}

/* --- rows --- */

static guint32 number_of(const SideLines *lines, guint i)
{
	return i == TEXT_ALIGN_NONE ? 0 : g_array_index(lines->numbers, guint32, i);
}

/* Lines without text: those of one number are the same line. */
static GArray *align_numbers(const Function *function)
{
	const SideLines *base = &function->sides[0], *head = &function->sides[1];
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(AlignedRow));
	guint i = 0, j = 0;
	while (i < base->numbers->len || j < head->numbers->len) {
		guint32 a = i < base->numbers->len ? number_of(base, i) : G_MAXUINT32,
		        b = j < head->numbers->len ? number_of(head, j) : G_MAXUINT32;
		AlignedRow row = {a <= b ? i : TEXT_ALIGN_NONE, b <= a ? j : TEXT_ALIGN_NONE};
		g_array_append_val(rows, row);
		i += a <= b;
		j += b <= a;
	}
	return rows;
}

/* One side has text, the other has not: nothing can be said to be the same. */
static GArray *one_after_the_other(const Function *function)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(AlignedRow));
	for (guint s = 0; s < N_SIDES; s++)
		for (guint i = 0; i < function->sides[s].numbers->len; i++) {
			AlignedRow row = {s == 0 ? i : TEXT_ALIGN_NONE, s == 1 ? i : TEXT_ALIGN_NONE};
			g_array_append_val(rows, row);
		}
	return rows;
}

static GArray *align(const Function *function, GError **error)
{
	const SideLines *base = &function->sides[0], *head = &function->sides[1];
	if (!base->is_known && !head->is_known)
		return align_numbers(function);
	if (!base->is_known || !head->is_known)
		return one_after_the_other(function);
	TextLines a = texts_of(base), b = texts_of(head);
	return text_align(&a, &b, TRUE, error);
}

/* Returns the cost of one line. `next` counts the costs in front of it. */
static LineCost cost_of(const SideLines *lines, guint32 number, guint *next)
{
	for (; *next < lines->costs->len; (*next)++) {
		const LineCost *cost = &g_array_index(lines->costs, LineCost, *next);
		if (cost->line == number)
			return *cost;
		if (cost->line > number)
			break;
	}
	return (LineCost){.line = number};
}

/* A line that is not there has no cost. */
static double scaled(double weight, const SideLines *lines, guint32 number)
{
	return number > 0 ? weight * lines->side->per_weight : NAN;
}

/* The texts belong to the function still. */
static AnnotatedLine make_row(const Function *function, const AlignedRow *at, guint next[N_SIDES])
{
	const SideLines *base = &function->sides[0], *head = &function->sides[1];
	AnnotatedLine row = {.base_line = number_of(base, at->base), .head_line = number_of(head, at->head)};
	LineCost base_cost = cost_of(base, row.base_line, &next[0]), head_cost = cost_of(head, row.head_line, &next[1]);
	char *base_text = row.base_line > 0 ? base->texts->pdata[at->base] : NULL;
	char *head_text = row.head_line > 0 ? head->texts->pdata[at->head] : NULL;
	gboolean differ = g_strcmp0(base_text, head_text) != 0;
	row.text = head_text != NULL ? head_text : base_text;
	row.base_text = differ && head_text != NULL ? base_text : NULL;
	row.edited = differ && base->is_known && head->is_known;
	row.base_self = scaled(base_cost.self, base, row.base_line);
	row.head_self = scaled(head_cost.self, head, row.head_line);
	row.base_total = scaled(base_cost.total, base, row.base_line);
	row.head_total = scaled(head_cost.total, head, row.head_line);
	row.base_samples = base_cost.self_samples;
	row.head_samples = head_cost.self_samples;
	return row;
}

static GArray *make_rows(const Function *function)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(AnnotatedLine));
	guint next[N_SIDES] = {0, 0};
	for (guint i = 0; i < function->rows->len; i++) {
		AnnotatedLine row = make_row(function, &g_array_index(function->rows, AlignedRow, i), next);
		g_array_append_val(rows, row);
	}
	return rows;
}

/* --- which rows --- */

static double largest(double a, double b)
{
	return fmax(fmax(a, b), 0); /* NaN is none */
}

/* The line that a function begins with says which one it is. */
static double *weigh(const GArray *rows)
{
	double *weights = g_new0(double, MAX(rows->len, 1)), sum = 0;
	for (guint i = 0; i < rows->len; i++) {
		const AnnotatedLine *row = &g_array_index(rows, AnnotatedLine, i);
		weights[i] =
		        largest(largest(row->base_self, row->head_self), largest(row->base_total, row->head_total));
		sum += weights[i];
	}
	for (guint i = 0; i < rows->len; i++)
		if (g_array_index(rows, AnnotatedLine, i).edited)
			weights[i] += sum > 0 ? WEIGHT_OF_EDIT * sum : 1;
	if (rows->len > 0)
		weights[0] = INFINITY;
	return weights;
}

static void add_gap(FunctionAnnotation *annotation, guint n_left_out)
{
	if (n_left_out == 0)
		return;
	AnnotatedLine gap = {
	        .n_left_out = n_left_out,
	        .text = g_strdup(""),
	        .base_self = NAN,
	        .head_self = NAN,
	        .base_total = NAN,
	        .head_total = NAN,
	};
	g_array_append_val(annotation->lines, gap);
}

static void add_row(FunctionAnnotation *annotation, const AnnotatedLine *row)
{
	AnnotatedLine own = *row;
	own.text = g_strdup(row->text);
	own.base_text = g_strdup(row->base_text);
	g_array_append_val(annotation->lines, own);
}

/* Cost of own code that a reader does not see in rows. */
static double other_cost(const SideLines *lines, double shown)
{
	double all = lines->other;
	for (guint i = 0; i < lines->costs->len; i++)
		all += g_array_index(lines->costs, LineCost, i).self;
	double rest = all * lines->side->per_weight - shown;
	/* what remains of a sum that is shown whole */
	return fabs(rest) <= 1e-9 * all * lines->side->per_weight ? 0 : rest;
}

static void show_rows(FunctionAnnotation *annotation, const Function *function)
{
	RowLimits limits = {.context = ANNOTATION_CONTEXT, .most = ANNOTATION_MAX_ROWS};
	g_autoptr(GArray) rows = make_rows(function);
	g_autofree double *weights = weigh(rows);
	g_autofree gboolean *shown = row_choice(weights, rows->len, limits);
	double base_shown = 0, head_shown = 0;
	guint left_out = 0;
	for (guint i = 0; i < rows->len; i++) {
		const AnnotatedLine *row = &g_array_index(rows, AnnotatedLine, i);
		if (!shown[i]) {
			left_out++;
			continue;
		}
		add_gap(annotation, left_out);
		add_row(annotation, row);
		left_out = 0;
		base_shown += largest(row->base_self, 0);
		head_shown += largest(row->head_self, 0);
	}
	add_gap(annotation, left_out);
	annotation->other_base = other_cost(&function->sides[0], base_shown);
	annotation->other_head = other_cost(&function->sides[1], head_shown);
}

static gboolean add_lines(
        FunctionAnnotation *annotation, Function *function, const AnnotatedLinesInput *input, GError **error)
{
	LineRange ranges[N_SIDES] = {{0}};
	for (guint s = 0; s < N_SIDES; s++)
		take_costs(&function->sides[s], s, input->costs);
	if (!find_ranges(function, input, ranges, error))
		return FALSE;
	for (guint s = 0; s < N_SIDES; s++)
		take_range(&function->sides[s], &ranges[s]);
	function->rows = align(function, error);
	if (function->rows == NULL)
		return FALSE;
	show_rows(annotation, function);
	return TRUE;
}

gboolean annotation_add_lines(FunctionAnnotation *annotation, const AnnotatedLinesInput *input, GError **error)
{
	Function function;
	char **files[N_SIDES] = {&annotation->base_file, &annotation->head_file};
	function_init(&function, input);
	gboolean ok = add_lines(annotation, &function, input, error);
	function_clear(&function);
	for (guint s = 0; ok && s < N_SIDES; s++) {
		g_free(*files[s]);
		*files[s] = g_strdup(input->sides[s].path);
	}
	return ok;
}
