/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/textalign.h"

#include "core/error.h"

#include <git2.h>
#include <string.h>

/* Pairs of characters are counted in so many classes. */
#define CLASSES 1024
/* Lines as like as that may be the same line, edited. */
#define MIN_ALIKE .5

typedef struct {
	const TextLines *base, *head;
	guint next_base, next_head; /* first lines that are in no row yet */
	guint64 pairs_left;         /* that may be looked at */
	GArray *rows;
} Aligner;

static void add_row(Aligner *aligner, guint base, guint head)
{
	AlignedRow row = {base, head};
	g_array_append_val(aligner->rows, row);
}

/* --- how alike two lines are --- */

static guint class_of(const char *at)
{
	return ((guchar)at[0] * 31u + (guchar)at[1]) % CLASSES;
}

static const char *without_indent(const char *line)
{
	return line + strspn(line, " \t");
}

/* 0..1: what the lines have in common of all pairs of neighbouring bytes (Dice's coefficient). */
static double likeness(const char *a, const char *b)
{
	guint16 seen[CLASSES] = {0};
	guint common = 0, all = 0;
	a = without_indent(a);
	b = without_indent(b);
	for (; *a != '\0' && a[1] != '\0' && all < G_MAXUINT16; a++, all++)
		seen[class_of(a)]++;
	for (; *b != '\0' && b[1] != '\0'; b++, all++)
		if (seen[class_of(b)] > 0) {
			seen[class_of(b)]--;
			common++;
		}
	return all > 0 ? 2.0 * common / all : 0;
}

/* --- lines that were replaced by others --- */

/* A passage of `n` lines of base from `base` on, which `m` lines of head stand for. */
typedef struct {
	guint base, n, head, m;
} Passage;

/* best[i * (m + 1) + j]: the most that the lines from base i and head j on can be alike, in order. */
static double *best_likeness(const Aligner *aligner, const Passage *passage, double *alike)
{
	guint n = passage->n, m = passage->m, width = m + 1;
	double *best = g_new0(double, (gsize)(n + 1) * width);
	for (guint i = n; i-- > 0;)
		for (guint j = m; j-- > 0;) {
			const char *base = aligner->base->lines[passage->base + i];
			double value = likeness(base, aligner->head->lines[passage->head + j]);
			double skip = MAX(best[(i + 1) * width + j], best[i * width + j + 1]);
			alike[i * width + j] = value >= MIN_ALIKE ? value : 0;
			best[i * width + j] =
			        value >= MIN_ALIKE ? MAX(skip, value + best[(i + 1) * width + j + 1]) : skip;
		}
	return best;
}

/* Lines of base come first where there is a choice. */
static void pair_lines(Aligner *aligner, const Passage *passage)
{
	guint n = passage->n, m = passage->m, width = m + 1, i = 0, j = 0;
	g_autofree double *alike = g_new0(double, (gsize)(n + 1) * width);
	g_autofree double *best = best_likeness(aligner, passage, alike);
	while (i < n || j < m) {
		guint at = i * width + j;
		if (i < n && j < m && alike[at] > 0 && best[at] <= alike[at] + best[at + width + 1])
			add_row(aligner, passage->base + i++, passage->head + j++);
		else if (i < n && (j == m || best[at] <= best[at + width]))
			add_row(aligner, passage->base + i++, TEXT_ALIGN_NONE);
		else
			add_row(aligner, TEXT_ALIGN_NONE, passage->head + j++);
	}
}

static void add_passage(Aligner *aligner, const Passage *passage)
{
	guint64 pairs = (guint64)passage->n * passage->m;
	if (pairs > 0 && pairs <= aligner->pairs_left) {
		aligner->pairs_left -= pairs;
		pair_lines(aligner, passage);
		return;
	}
	for (guint i = 0; i < passage->n; i++)
		add_row(aligner, passage->base + i, TEXT_ALIGN_NONE);
	for (guint j = 0; j < passage->m; j++)
		add_row(aligner, TEXT_ALIGN_NONE, passage->head + j);
}

/* --- what is the same --- */

/* Rows up to these lines, which are the same on both sides. */
static void add_same(Aligner *aligner, guint base_end, guint head_end)
{
	while (aligner->next_base < base_end && aligner->next_head < head_end)
		add_row(aligner, aligner->next_base++, aligner->next_head++);
}

/* git counts from 1, and gives the line after which a side without lines stands. */
static guint begin_of(int start, int lines)
{
	return (guint)MAX(start, 0) - (lines > 0 ? 1 : 0);
}

static int see_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *data)
{
	Aligner *aligner = data;
	(void)delta;
	Passage passage = {
	        .base = begin_of(hunk->old_start, hunk->old_lines),
	        .n = (guint)hunk->old_lines,
	        .head = begin_of(hunk->new_start, hunk->new_lines),
	        .m = (guint)hunk->new_lines,
	};
	add_same(aligner, passage.base, passage.head);
	g_assert(aligner->next_base == passage.base && aligner->next_head == passage.head);
	add_passage(aligner, &passage);
	aligner->next_base += passage.n;
	aligner->next_head += passage.m;
	return 0;
}

static GString *joined(const TextLines *text)
{
	GString *all = g_string_new(NULL);
	for (guint i = 0; i < text->n; i++) {
		g_string_append(all, text->lines[i]);
		g_string_append_c(all, '\n');
	}
	return all;
}

GArray *text_align(const TextLines *base, const TextLines *head, gboolean ignore_blanks, GError **error)
{
	g_autoptr(GString) base_text = joined(base);
	g_autoptr(GString) head_text = joined(head);
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(AlignedRow));
	Aligner aligner = {.base = base, .head = head, .pairs_left = TEXT_ALIGN_MAX_PAIRS, .rows = rows};
	git_diff_options options;
	git_libgit2_init();
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
	if (ignore_blanks)
		options.flags |= GIT_DIFF_IGNORE_WHITESPACE;
	options.context_lines = 0;
	options.max_size = -1;
	int rc = git_diff_buffers(base_text->str, base_text->len, NULL, head_text->str, head_text->len, NULL, &options,
	        NULL, NULL, see_hunk, NULL, &aligner);
	git_libgit2_shutdown();
	if (rc != 0) {
		firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "two texts are too large to be compared");
		return NULL;
	}
	add_same(&aligner, base->n, head->n);
	return g_steal_pointer(&rows);
}
