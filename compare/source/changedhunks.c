/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/changedhunks.h"

#include "compare/source/annotation.h"
#include "compare/source/rowchoice.h"
#include "model/sides.h"

#include <math.h>
#include <string.h>

/* The weights of rows beside their costs, as shares of the sum of all: edited ones of a measured function, other edited
 * ones, and the rest. */
#define WEIGHT_OF_EDIT 1e-2
#define WEIGHT_OF_OTHER_EDIT 1e-4
#define WEIGHT_OF_CONTEXT 1e-6

/* --- the functions --- */

static void touched_free(gpointer data)
{
	TouchedFunction *touched = data;
	changed_function_free(touched->function);
	for (guint side = 0; side < LINES_SIDES; side++)
		g_free(touched->paths[side]);
	g_free(touched);
}

GPtrArray *touched_functions_new(void)
{
	return g_ptr_array_new_with_free_func(touched_free);
}

static gboolean set_places(TouchedFunction *touched, const TouchedQuery *query, const FunctionComparison *function)
{
	gboolean known = FALSE;
	for (guint side = 0; side < LINES_SIDES; side++) {
		FrameId frame = side == LINES_OF_BASE ? function->renamed_from : function->frame;
		const CodePlace *place = code_facts_place(query->code, side, frame);
		if (place == NULL || place->file.index == 0 || place->first_line == 0)
			continue;
		touched->paths[side] = g_strdup(stack_table_text(query->table, place->file));
		touched->first[side] = place->first_line;
		touched->last[side] = MAX(place->first_line, place->last_line);
		known = TRUE;
	}
	return known;
}

static void add_touched(GPtrArray *list, const TouchedQuery *query, const FunctionComparison *function)
{
	const Frame *frame = stack_table_get_frame(query->table, function->frame);
	const ChangedFunction named = {
	        .benchmark = query->comparison->benchmark,
	        .name = (char *)stack_table_frame_name(query->table, function->frame),
	        .module = (char *)stack_table_text(query->table, frame->module),
	        .counted = query->comparison->counted,
	        .contribution = function->contribution,
	        .klass = function->klass,
	};
	TouchedFunction *touched = g_new0(TouchedFunction, 1);
	touched->function = changed_function_copy(&named);
	if (set_places(touched, query, function))
		g_ptr_array_add(list, touched);
	else
		touched_free(touched);
}

/* An edited function that is inlined into a measured one stands in a hunk under its own name. */
static void add_inlined(
        GPtrArray *list, const TouchedQuery *query, const FunctionComparison *host, const InlinedPart *part)
{
	FunctionComparison function = *host;
	function.frame = function.renamed_from = part->frame;
	function.contribution = part->contribution;
	if (part->relation == CHANGE_TOUCHED)
		add_touched(list, query, &function);
}

void touched_functions_add(GPtrArray *touched, const TouchedQuery *query)
{
	const GPtrArray *functions = query->comparison->functions;
	for (guint i = 0; query->code != NULL && i < functions->len; i++) {
		const FunctionComparison *function = functions->pdata[i];
		if (function->relation == CHANGE_TOUCHED)
			add_touched(touched, query, function);
		for (guint j = 0; function->inlined != NULL && j < function->inlined->len; j++)
			add_inlined(touched, query, function, function->inlined->pdata[j]);
	}
}

static gint by_size(gconstpointer left, gconstpointer right)
{
	const TouchedFunction *a = *(TouchedFunction *const *)left, *b = *(TouchedFunction *const *)right;
	double x = changed_function_size(a->function), y = changed_function_size(b->function);
	return x > y ? -1 : x < y;
}

/* --- which hunks they stand in --- */

/* Changes begin..end-1 of a file, which are one hunk. */
typedef struct {
	ChangeRange range;
	const TouchedFunction *functions[CHANGED_MAX_FUNCTIONS]; /* the first, that is the largest ones */
	const TouchedFunction *last;                             /* that was added; NULL = none yet */
	guint n_functions;
} Group;

/* A file with measured code. */
typedef struct {
	const ChangedFile *file;
	GArray *groups;        /* of Group */
	guint *group_of;       /* by change */
	ChangedSource *source; /* NULL until one of its hunks is kept */
} FileGroups;

typedef struct {
	const ChangedCodeInput *input;
	GPtrArray *files;    /* of FileGroups */
	GHashTable *by_file; /* ChangedFile -> FileGroups */
	ChangedCode *code;
} Finder;

static void file_groups_free(gpointer data)
{
	FileGroups *groups = data;
	g_array_unref(groups->groups);
	g_free(groups->group_of);
	g_free(groups);
}

static const LineChange *change_at(const ChangedFile *file, guint index)
{
	return &g_array_index(file->changes, LineChange, index);
}

/* TRUE if so few lines are between a change and the one before it that both are shown as one. */
static gboolean is_near(const ChangedFile *file, guint index)
{
	const LineChange *before = change_at(file, index - 1), *change = change_at(file, index);
	guint64 end = (guint64)before->base_first + before->base_lines;
	return change->base_first <= end + (guint64)2 * CHANGED_CONTEXT_LINES;
}

static FileGroups *group_file(const ChangedFile *file)
{
	FileGroups *groups = g_new0(FileGroups, 1);
	groups->file = file;
	groups->groups = g_array_new(FALSE, FALSE, sizeof(Group));
	groups->group_of = g_new(guint, MAX(file->changes->len, 1));
	for (guint i = 0; i < file->changes->len; i++) {
		if (i == 0 || !is_near(file, i)) {
			Group group = {.range = {i, i}};
			g_array_append_val(groups->groups, group);
		}
		groups->group_of[i] = groups->groups->len - 1;
		g_array_index(groups->groups, Group, groups->groups->len - 1).range.end = i + 1;
	}
	return groups;
}

static FileGroups *groups_of(Finder *finder, const ChangedFile *file)
{
	FileGroups *groups = g_hash_table_lookup(finder->by_file, file);
	if (groups == NULL) {
		groups = group_file(file);
		g_hash_table_insert(finder->by_file, (gpointer)file, groups);
		g_ptr_array_add(finder->files, groups);
	}
	return groups;
}

static void add_to_group(Group *group, const TouchedFunction *touched)
{
	/* A function has several changes in one hunk, and lines on both sides of it, but is named once. */
	if (group->last == touched)
		return;
	if (group->n_functions < CHANGED_MAX_FUNCTIONS)
		group->functions[group->n_functions] = touched;
	group->n_functions++;
	group->last = touched;
}

static void place_function(Finder *finder, const TouchedFunction *touched)
{
	for (guint side = 0; side < LINES_SIDES; side++) {
		const char *path = touched->paths[side];
		const ChangedFile *file =
		        path != NULL ? g_hash_table_lookup(finder->input->change->by_path[side], path) : NULL;
		if (file == NULL || file->binary)
			continue;
		ChangeRange range = changed_file_range(file, side, touched->first[side], touched->last[side]);
		guint end = MIN(range.end, range.begin + CHANGED_MAX_FUNCTION_CHANGES);
		for (guint i = range.begin; i < end; i++) {
			FileGroups *groups = groups_of(finder, file);
			add_to_group(&g_array_index(groups->groups, Group, groups->group_of[i]), touched);
		}
	}
}

static void place_functions(Finder *finder)
{
	g_autoptr(GPtrArray) touched = g_ptr_array_new();
	for (guint i = 0; i < finder->input->touched->len; i++)
		g_ptr_array_add(touched, finder->input->touched->pdata[i]);
	g_ptr_array_sort(touched, by_size);
	for (guint i = 0; i < touched->len; i++)
		place_function(finder, touched->pdata[i]);
}

/* --- which of them are kept --- */

/* A group with measured functions. */
typedef struct {
	FileGroups *file;
	const Group *group;
	double size;
} Candidate;

static gint by_importance(gconstpointer left, gconstpointer right)
{
	const Candidate *a = left, *b = right;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	int order = strcmp(changed_file_path(a->file->file), changed_file_path(b->file->file));
	if (order != 0)
		return order;
	return a->group->range.begin < b->group->range.begin ? -1 : 1;
}

/* Puts the most important hunk first. */
static GArray *find_candidates(const Finder *finder)
{
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
	for (guint i = 0; i < finder->files->len; i++) {
		FileGroups *file = finder->files->pdata[i];
		for (guint g = 0; g < file->groups->len; g++) {
			const Group *group = &g_array_index(file->groups, Group, g);
			Candidate candidate = {file, group, 0};
			if (group->n_functions == 0)
				continue;
			candidate.size = changed_function_size(group->functions[0]->function);
			g_array_append_val(candidates, candidate);
		}
	}
	g_array_sort(candidates, by_importance);
	return candidates;
}

/* --- lines of a hunk --- */

/* A hunk while its lines are found. */
typedef struct {
	const ChangedFile *file;
	const Group *group;
	ChangedHunk *hunk;
	GArray *rows;                   /* of ChangedLine, with neither text nor costs */
	guint n_cut;                    /* rows beyond those that are looked at */
	GPtrArray *texts[LINES_SIDES];  /* of char *, from the first line of its place on */
	GHashTable *costs[LINES_SIDES]; /* line -> double *, of own code */
} HunkLines;

/* The lines that the changes of a group are in, with those around them. */
static LineChange place_of(const ChangedFile *file, const Group *group)
{
	const LineChange *first = change_at(file, group->range.begin), *last = change_at(file, group->range.end - 1);
	guint32 before = MIN(CHANGED_CONTEXT_LINES, MIN(first->base_first, first->head_first) - 1);
	guint32 base_end = last->base_first + last->base_lines, head_end = last->head_first + last->head_lines;
	LineChange place = {.base_first = first->base_first - before, .head_first = first->head_first - before};
	place.base_lines = base_end - place.base_first;
	place.head_lines = head_end - place.head_first;
	return place;
}

/* Appends up to `most` lines of the text from line `first` on. */
static GPtrArray *lines_of(const char *text, gsize length, guint32 first, guint32 most)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	const char *at = text, *end = text != NULL ? text + length : NULL;
	for (guint32 number = 1; at < end && lines->len < most; number++) {
		const char *newline = memchr(at, '\n', (gsize)(end - at));
		gsize bytes = (gsize)((newline != NULL ? newline : end) - at);
		if (number >= first)
			g_ptr_array_add(lines, annotation_line_text(at, bytes));
		at += bytes + 1;
	}
	return lines;
}

static void add_rows(HunkLines *lines, ChangedLine row, guint32 n)
{
	for (guint32 i = 0; i < n; i++) {
		if (lines->rows->len >= CHANGED_MAX_HUNK_LINES) {
			lines->n_cut += n - i;
			return;
		}
		g_array_append_val(lines->rows, row);
		row.base_line += row.base_line > 0;
		row.head_line += row.head_line > 0;
	}
}

/* The most lines that a text has after its hunk. */
static guint32 context_after(const HunkLines *lines)
{
	guint32 n = CHANGED_CONTEXT_LINES;
	const LineChange *place = &lines->hunk->place;
	const guint32 spans[LINES_SIDES] = {place->base_lines, place->head_lines};
	for (guint side = 0; side < LINES_SIDES; side++) {
		guint there = lines->texts[side]->len;
		n = MIN(n, there > spans[side] ? there - spans[side] : 0);
	}
	return n;
}

static void make_rows(HunkLines *lines)
{
	LineChange *place = &lines->hunk->place;
	guint32 base = place->base_first, head = place->head_first, after = context_after(lines);
	for (guint i = lines->group->range.begin; i < lines->group->range.end; i++) {
		const LineChange *change = change_at(lines->file, i);
		guint32 between = change->base_first - base;
		add_rows(lines, (ChangedLine){.base_line = base, .head_line = head}, between);
		add_rows(lines, (ChangedLine){.kind = CHANGED_REMOVED, .base_line = change->base_first},
		        change->base_lines);
		add_rows(lines, (ChangedLine){.kind = CHANGED_ADDED, .head_line = change->head_first},
		        change->head_lines);
		base = change->base_first + change->base_lines;
		head = change->head_first + change->head_lines;
	}
	add_rows(lines, (ChangedLine){.base_line = base, .head_line = head}, after);
	place->base_lines += after;
	place->head_lines += after;
}

/* --- what lines cost --- */

static void add_cost(GHashTable *costs, guint32 line, double cost)
{
	double *known = g_hash_table_lookup(costs, GUINT_TO_POINTER(line));
	if (line == 0 || !isfinite(cost))
		return;
	if (known != NULL)
		*known += cost;
	else
		g_hash_table_insert(costs, GUINT_TO_POINTER(line), g_memdup2(&cost, sizeof cost));
}

/* Lines of functions add up, as a template has one function for each set of types. */
static void take_costs(HunkLines *lines, const GPtrArray *annotations)
{
	for (guint side = 0; side < LINES_SIDES; side++)
		g_hash_table_remove_all(lines->costs[side]);
	for (guint i = 0; annotations != NULL && i < annotations->len; i++) {
		const FunctionAnnotation *annotation = annotations->pdata[i];
		gboolean in_base = g_strcmp0(annotation->base_file, lines->file->paths[LINES_OF_BASE]) == 0;
		gboolean in_head = g_strcmp0(annotation->head_file, lines->file->paths[LINES_OF_HEAD]) == 0;
		for (guint n = 0; n < annotation->lines->len; n++) {
			const AnnotatedLine *line = &g_array_index(annotation->lines, AnnotatedLine, n);
			if (in_base)
				add_cost(lines->costs[LINES_OF_BASE], line->base_line, line->base_self);
			if (in_head)
				add_cost(lines->costs[LINES_OF_HEAD], line->head_line, line->head_self);
		}
	}
}

static double cost_at(const HunkLines *lines, LinesSide side, guint32 line)
{
	const double *cost = g_hash_table_lookup(lines->costs[side], GUINT_TO_POINTER(line));
	return line > 0 && cost != NULL ? *cost : NAN;
}

/* TRUE if any line has a cost that is known. */
static gboolean set_costs(HunkLines *lines)
{
	gboolean any = FALSE;
	for (guint i = 0; i < lines->rows->len; i++) {
		ChangedLine *row = &g_array_index(lines->rows, ChangedLine, i);
		row->base_self = cost_at(lines, LINES_OF_BASE, row->base_line);
		row->head_self = cost_at(lines, LINES_OF_HEAD, row->head_line);
		any |= isfinite(row->base_self) || isfinite(row->head_self);
	}
	return any;
}

static const ChangedCosts *find_costs(const GArray *lists, const ChangedFunction *function)
{
	for (guint i = 0; i < lists->len; i++) {
		const ChangedCosts *costs = &g_array_index(lists, ChangedCosts, i);
		if (costs->counted == function->counted && strcmp(costs->benchmark, function->benchmark) == 0)
			return costs;
	}
	return NULL;
}

/* Chooses the costs of its largest function that has any. */
static void choose_costs(HunkLines *lines, const GArray *lists)
{
	const GPtrArray *functions = lines->hunk->functions;
	gboolean any = FALSE;
	for (guint i = 0; !any && i < functions->len; i++) {
		const ChangedFunction *function = functions->pdata[i];
		const ChangedCosts *costs = find_costs(lists, function);
		if (costs == NULL)
			continue;
		take_costs(lines, costs->annotations);
		any = set_costs(lines);
		if (!any)
			continue;
		lines->hunk->costs_benchmark = g_strdup(function->benchmark);
		lines->hunk->costs_counted = function->counted;
	}
	if (!any)
		set_costs(lines);
}

/* --- which lines --- */

static gboolean is_in(const HunkLines *lines, const TouchedFunction *touched, const ChangedLine *row)
{
	const guint32 numbers[LINES_SIDES] = {row->base_line, row->head_line};
	for (guint side = 0; side < LINES_SIDES; side++)
		if (numbers[side] > 0 && g_strcmp0(touched->paths[side], lines->file->paths[side]) == 0 &&
		        numbers[side] >= touched->first[side] && numbers[side] <= touched->last[side])
			return TRUE;
	return FALSE;
}

static gboolean is_measured(const HunkLines *lines, const ChangedLine *row)
{
	guint n = MIN(lines->group->n_functions, CHANGED_MAX_FUNCTIONS);
	for (guint i = 0; i < n; i++)
		if (is_in(lines, lines->group->functions[i], row))
			return TRUE;
	return FALSE;
}

static double known(double cost)
{
	return isfinite(cost) && cost > 0 ? cost : 0;
}

static double *weigh(const HunkLines *lines)
{
	guint n = lines->rows->len;
	double *weights = g_new(double, MAX(n, 1)), sum = 0;
	for (guint i = 0; i < n; i++) {
		const ChangedLine *row = &g_array_index(lines->rows, ChangedLine, i);
		weights[i] = MAX(known(row->base_self), known(row->head_self));
		sum += weights[i];
	}
	for (guint i = 0; i < n; i++) {
		const ChangedLine *row = &g_array_index(lines->rows, ChangedLine, i);
		double share = row->kind == CHANGED_CONTEXT ? WEIGHT_OF_CONTEXT
		               : is_measured(lines, row)    ? WEIGHT_OF_EDIT
		                                            : WEIGHT_OF_OTHER_EDIT;
		weights[i] += share * (sum > 0 ? sum : 1);
	}
	return weights;
}

static void add_gap(GArray *to, guint n_left_out)
{
	if (n_left_out == 0)
		return;
	ChangedLine gap = {.n_left_out = n_left_out, .text = g_strdup(""), .base_self = NAN, .head_self = NAN};
	g_array_append_val(to, gap);
}

static char *text_of(const HunkLines *lines, const ChangedLine *row)
{
	LinesSide side = row->head_line > 0 ? LINES_OF_HEAD : LINES_OF_BASE;
	const LineChange *place = &lines->hunk->place;
	guint32 at = side == LINES_OF_HEAD ? row->head_line - place->head_first : row->base_line - place->base_first;
	const GPtrArray *texts = lines->texts[side];
	return g_strdup(at < texts->len ? texts->pdata[at] : "");
}

static void show_rows(HunkLines *lines)
{
	RowLimits limits = {.context = 0, .most = CHANGED_MAX_ROWS - 1};
	g_autofree double *weights = weigh(lines);
	g_autofree gboolean *shown = row_choice(weights, lines->rows->len, limits);
	guint left_out = 0;
	for (guint i = 0; i < lines->rows->len; i++) {
		ChangedLine row = g_array_index(lines->rows, ChangedLine, i);
		if (!shown[i]) {
			left_out++;
			continue;
		}
		add_gap(lines->hunk->lines, left_out);
		left_out = 0;
		row.text = text_of(lines, &row);
		g_array_append_val(lines->hunk->lines, row);
	}
	add_gap(lines->hunk->lines, left_out + lines->n_cut);
}

/* --- all of it --- */

static void add_functions(ChangedHunk *hunk, const Group *group)
{
	guint n = MIN(group->n_functions, CHANGED_MAX_FUNCTIONS);
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(hunk->functions, changed_function_copy(group->functions[i]->function));
	hunk->n_more_functions = group->n_functions - n;
}

/* The texts of a file on both sides. */
typedef struct {
	char *text[LINES_SIDES];
	gsize length[LINES_SIDES];
} FileTexts;

static void add_lines(const Finder *finder, const Candidate *candidate, ChangedHunk *hunk, const FileTexts *texts)
{
	HunkLines lines = {.file = candidate->file->file, .group = candidate->group, .hunk = hunk};
	const guint32 firsts[LINES_SIDES] = {hunk->place.base_first, hunk->place.head_first};
	lines.rows = g_array_new(FALSE, FALSE, sizeof(ChangedLine));
	for (guint side = 0; side < LINES_SIDES; side++) {
		lines.texts[side] = lines_of(texts->text[side], texts->length[side], firsts[side],
		        CHANGED_MAX_HUNK_LINES + CHANGED_CONTEXT_LINES);
		lines.costs[side] = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	}
	make_rows(&lines);
	choose_costs(&lines, finder->input->costs);
	show_rows(&lines);
	for (guint side = 0; side < LINES_SIDES; side++) {
		g_ptr_array_unref(lines.texts[side]);
		g_hash_table_unref(lines.costs[side]);
	}
	g_array_unref(lines.rows);
}

static void file_texts_clear(FileTexts *texts)
{
	for (guint side = 0; side < LINES_SIDES; side++)
		g_free(texts->text[side]);
}

/* FALSE if the text of a side that has the file cannot be told; the reason is a note then. */
static gboolean read_texts(const Finder *finder, const FileGroups *groups, FileTexts *texts)
{
	const ChangedCodeInput *input = finder->input;
	for (guint side = 0; side < LINES_SIDES; side++) {
		const char *path = groups->file->paths[side];
		g_autoptr(GError) error = NULL;
		if (path == NULL)
			continue;
		if (!input->read_text(input->data, side, path, &texts->text[side], &texts->length[side], &error)) {
			groups->source->note = g_strdup_printf("%s: %s", sides_name((int)side), error->message);
			return FALSE;
		}
	}
	return TRUE;
}

/* The hunks of one file, which are not all next to each other in the list. */
static void add_hunks_of(const Finder *finder, FileGroups *groups, const GArray *candidates, guint n)
{
	FileTexts texts = {0};
	gboolean known = read_texts(finder, groups, &texts);
	for (guint i = 0; i < n; i++) {
		const Candidate *candidate = &g_array_index(candidates, Candidate, i);
		if (candidate->file != groups)
			continue;
		LineChange place = place_of(groups->file, candidate->group);
		ChangedHunk *hunk = changed_source_add_hunk(groups->source, &place);
		add_functions(hunk, candidate->group);
		if (known)
			add_lines(finder, candidate, hunk, &texts);
	}
	file_texts_clear(&texts);
}

static void keep_most_important(Finder *finder)
{
	g_autoptr(GArray) candidates = find_candidates(finder);
	guint n = MIN(candidates->len, CHANGED_MAX_HUNKS);
	finder->code->n_measured_hunks = candidates->len;
	finder->code->n_measured_files = finder->files->len;
	for (guint i = 0; i < n; i++) {
		FileGroups *groups = g_array_index(candidates, Candidate, i).file;
		if (groups->source != NULL)
			continue;
		groups->source = changed_code_add_file(
		        finder->code, groups->file->paths[LINES_OF_BASE], groups->file->paths[LINES_OF_HEAD]);
		groups->source->n_hunks = groups->groups->len;
		add_hunks_of(finder, groups, candidates, n);
	}
}

ChangedCode *changed_code_find(const ChangedCodeInput *input)
{
	Finder finder = {
	        .input = input,
	        .files = g_ptr_array_new_with_free_func(file_groups_free),
	        .by_file = g_hash_table_new(NULL, NULL),
	        .code = changed_code_new(),
	};
	finder.code->n_files = input->change->files->len;
	place_functions(&finder);
	keep_most_important(&finder);
	g_hash_table_unref(finder.by_file);
	g_ptr_array_unref(finder.files);
	return finder.code;
}
