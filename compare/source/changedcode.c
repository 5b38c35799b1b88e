/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/changedcode.h"

#include <math.h>
#include <string.h>

const char *changed_line_kind_name(ChangedLineKind kind)
{
	static const char *const names[] = {
	        [CHANGED_CONTEXT] = "context", [CHANGED_REMOVED] = "removed", [CHANGED_ADDED] = "added"};
	return names[kind];
}

/* --- memory --- */

static void clear_line(gpointer data)
{
	g_free(((ChangedLine *)data)->text);
}

void changed_function_free(ChangedFunction *function)
{
	if (function == NULL)
		return;
	g_free(function->benchmark);
	g_free(function->name);
	g_free(function->module);
	g_free(function);
}

ChangedFunction *changed_function_copy(const ChangedFunction *function)
{
	ChangedFunction *copy = g_new(ChangedFunction, 1);
	*copy = *function;
	copy->benchmark = g_strdup(function->benchmark);
	copy->name = g_strdup(function->name);
	copy->module = g_strdup(function->module);
	return copy;
}

static void hunk_free(gpointer data)
{
	ChangedHunk *hunk = data;
	g_ptr_array_unref(hunk->functions);
	g_array_unref(hunk->lines);
	g_free(hunk->costs_benchmark);
	g_free(hunk);
}

static void source_free(gpointer data)
{
	ChangedSource *file = data;
	g_free(file->base_path);
	g_free(file->head_path);
	g_free(file->note);
	g_ptr_array_unref(file->hunks);
	g_free(file);
}

ChangedCode *changed_code_new(void)
{
	ChangedCode *code = g_new0(ChangedCode, 1);
	code->files = g_ptr_array_new_with_free_func(source_free);
	return code;
}

void changed_code_free(ChangedCode *code)
{
	if (code == NULL)
		return;
	g_ptr_array_unref(code->files);
	g_free(code);
}

ChangedSource *changed_code_add_file(ChangedCode *code, const char *base_path, const char *head_path)
{
	ChangedSource *file = g_new0(ChangedSource, 1);
	file->base_path = g_strdup(base_path);
	file->head_path = g_strdup(head_path);
	file->hunks = g_ptr_array_new_with_free_func(hunk_free);
	g_ptr_array_add(code->files, file);
	return file;
}

ChangedHunk *changed_source_add_hunk(ChangedSource *file, const LineChange *place)
{
	ChangedHunk *hunk = g_new0(ChangedHunk, 1);
	hunk->place = *place;
	hunk->functions = g_ptr_array_new_with_free_func((GDestroyNotify)changed_function_free);
	hunk->lines = g_array_new(FALSE, FALSE, sizeof(ChangedLine));
	g_array_set_clear_func(hunk->lines, clear_line);
	g_ptr_array_add(file->hunks, hunk);
	return hunk;
}

/* --- what they are --- */

const char *changed_source_path(const ChangedSource *file)
{
	return file->head_path != NULL ? file->head_path : file->base_path != NULL ? file->base_path : "";
}

gboolean changed_line_is_gap(const ChangedLine *line)
{
	return line->base_line == 0 && line->head_line == 0;
}

double changed_function_size(const ChangedFunction *function)
{
	return isfinite(function->contribution) ? fabs(function->contribution) : -1;
}

static double hunk_size(const ChangedHunk *hunk)
{
	return hunk->functions->len > 0 ? changed_function_size(hunk->functions->pdata[0]) : -1;
}

static double source_size(const ChangedSource *file)
{
	return file->hunks->len > 0 ? hunk_size(file->hunks->pdata[0]) : -1;
}

/* --- joining --- */

static gint by_function(gconstpointer left, gconstpointer right)
{
	const ChangedFunction *a = *(ChangedFunction *const *)left, *b = *(ChangedFunction *const *)right;
	double x = changed_function_size(a), y = changed_function_size(b);
	if (x != y)
		return x > y ? -1 : 1;
	int order = strcmp(a->benchmark, b->benchmark);
	return order != 0 ? order : strcmp(a->name, b->name);
}

static gint by_hunk(gconstpointer left, gconstpointer right)
{
	const ChangedHunk *a = *(ChangedHunk *const *)left, *b = *(ChangedHunk *const *)right;
	double x = hunk_size(a), y = hunk_size(b);
	if (x != y)
		return x > y ? -1 : 1;
	return a->place.base_first < b->place.base_first ? -1 : a->place.base_first > b->place.base_first;
}

static gint by_source(gconstpointer left, gconstpointer right)
{
	const ChangedSource *a = *(ChangedSource *const *)left, *b = *(ChangedSource *const *)right;
	double x = source_size(a), y = source_size(b);
	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(changed_source_path(a), changed_source_path(b));
}

static ChangedSource *find_source(const ChangedCode *code, const ChangedSource *wanted)
{
	for (guint i = 0; i < code->files->len; i++) {
		ChangedSource *file = code->files->pdata[i];
		if (g_strcmp0(file->base_path, wanted->base_path) == 0 &&
		        g_strcmp0(file->head_path, wanted->head_path) == 0)
			return file;
	}
	return NULL;
}

static ChangedHunk *find_hunk(const ChangedSource *file, const ChangedHunk *wanted)
{
	for (guint i = 0; i < file->hunks->len; i++) {
		ChangedHunk *hunk = file->hunks->pdata[i];
		if (hunk->place.base_first == wanted->place.base_first &&
		        hunk->place.head_first == wanted->place.head_first)
			return hunk;
	}
	return NULL;
}

static void take_lines(ChangedHunk *hunk, const ChangedHunk *from)
{
	g_array_set_size(hunk->lines, 0);
	for (guint i = 0; i < from->lines->len; i++) {
		ChangedLine line = g_array_index(from->lines, ChangedLine, i);
		line.text = g_strdup(line.text);
		g_array_append_val(hunk->lines, line);
	}
	g_free(hunk->costs_benchmark);
	hunk->costs_benchmark = g_strdup(from->costs_benchmark);
	hunk->costs_counted = from->costs_counted;
}

/* Lines with costs say more than lines without. */
static gboolean has_better_lines(const ChangedHunk *hunk, const ChangedHunk *than)
{
	gboolean costs = hunk->costs_benchmark != NULL, other_costs = than->costs_benchmark != NULL;
	if (costs != other_costs)
		return costs;
	if ((hunk->lines->len > 0) != (than->lines->len > 0))
		return hunk->lines->len > 0;
	return hunk_size(hunk) > hunk_size(than);
}

static void join_hunk(ChangedHunk *hunk, const ChangedHunk *from)
{
	if (has_better_lines(from, hunk))
		take_lines(hunk, from);
	for (guint i = 0; i < from->functions->len; i++)
		g_ptr_array_add(hunk->functions, changed_function_copy(from->functions->pdata[i]));
	g_ptr_array_sort(hunk->functions, by_function);
	hunk->n_more_functions += from->n_more_functions;
	if (hunk->functions->len > CHANGED_MAX_FUNCTIONS) {
		hunk->n_more_functions += hunk->functions->len - CHANGED_MAX_FUNCTIONS;
		g_ptr_array_set_size(hunk->functions, CHANGED_MAX_FUNCTIONS);
	}
}

static void join_source(ChangedSource *file, const ChangedSource *from)
{
	file->n_hunks = MAX(file->n_hunks, from->n_hunks);
	if (file->note == NULL)
		file->note = g_strdup(from->note);
	for (guint i = 0; i < from->hunks->len; i++) {
		const ChangedHunk *added = from->hunks->pdata[i];
		ChangedHunk *hunk = find_hunk(file, added);
		join_hunk(hunk != NULL ? hunk : changed_source_add_hunk(file, &added->place), added);
	}
}

/* Sorts all, and returns how many hunks there are. */
static guint sort_all(ChangedCode *code)
{
	guint n = 0;
	for (guint i = 0; i < code->files->len; i++) {
		ChangedSource *file = code->files->pdata[i];
		g_ptr_array_sort(file->hunks, by_hunk);
		n += file->hunks->len;
	}
	g_ptr_array_sort(code->files, by_source);
	return n;
}

/* Takes out the last hunk of the file where that is the smallest of all. */
static void drop_smallest(ChangedCode *code)
{
	guint at = 0;
	double least = INFINITY;
	for (guint i = 0; i < code->files->len; i++) {
		const ChangedSource *file = code->files->pdata[i];
		if (file->hunks->len == 0)
			continue;
		double size = hunk_size(file->hunks->pdata[file->hunks->len - 1]);
		if (size <= least) {
			least = size;
			at = i;
		}
	}
	ChangedSource *file = code->files->pdata[at];
	g_ptr_array_set_size(file->hunks, (gint)file->hunks->len - 1);
	if (file->hunks->len == 0)
		g_ptr_array_remove_index(code->files, at);
}

void changed_code_join(ChangedCode *code, const ChangedCode *other)
{
	for (guint i = 0; i < other->files->len; i++) {
		const ChangedSource *added = other->files->pdata[i];
		ChangedSource *file = find_source(code, added);
		if (file == NULL)
			file = changed_code_add_file(code, added->base_path, added->head_path);
		join_source(file, added);
	}
	guint n = sort_all(code);
	code->n_files = MAX(code->n_files, other->n_files);
	code->n_measured_files = MAX(MAX(code->n_measured_files, other->n_measured_files), code->files->len);
	code->n_measured_hunks = MAX(MAX(code->n_measured_hunks, other->n_measured_hunks), n);
	for (; n > CHANGED_MAX_HUNKS; n--)
		drop_smallest(code);
}
