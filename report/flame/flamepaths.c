/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamepaths.h"

#include "compare/functions/functions.h"
#include "compare/statistics/fliptest.h"
#include "model/pairindex.h"

#include <math.h>
#include <string.h>

/* The own costs of all paths on one side. */
typedef struct {
	double *mean;       /* by row, per run and unit of work */
	double *low, *high; /* over the runs */
	double total;       /* sum of the means */
} Side;

typedef struct {
	const FlamePathsInput *input;
	const StackTable *table;
	FlamePaths *paths;
	guint n_rows, n_frames;
	guint32 *path_of; /* by row: the row that stands for its path */
	Side base, head;
	guint64 *samples;   /* by row, of both sides */
	guint32 *lowest;    /* by FrameId: the row that has all paths of the function above it, or is the only one */
	gboolean *is_shown; /* by row: the path's own test says that it changed */
} Builder;

/* --- paths --- */

static gboolean is_renamed(const FunctionComparison *function)
{
	return function != NULL && function->frame.index != function->renamed_from.index;
}

static guint32 head_frame(const Builder *builder, guint32 frame)
{
	const FunctionComparison *function = builder->input->functions[frame];
	return is_renamed(function) ? function->frame.index : frame;
}

static guint32 leaf_of(const Builder *builder, guint row)
{
	return stack_table_leaf(builder->table, (StackId){row}).index;
}

static guint32 parent_of(const Builder *builder, guint row)
{
	return stack_table_parent(builder->table, (StackId){row}).index;
}

static gboolean any_renamed(const Builder *builder)
{
	for (guint f = 0; f < builder->n_frames; f++)
		if (is_renamed(builder->input->functions[f]))
			return TRUE;
	return FALSE;
}

/* Rows that differ in old names only are one path, which stands at the row with new names alone, if there is one. */
static void join_renamed(Builder *builder)
{
	guint n = builder->n_rows;
	PairIndex index = {0};
	g_autofree guint32 *class_of = g_new0(guint32, n), *row_of = g_new0(guint32, n);
	g_autofree gboolean *has_new_names = g_new0(gboolean, n);
	has_new_names[0] = TRUE;
	for (guint i = 1; i < n; i++) {
		guint32 parent = parent_of(builder, i), frame = head_frame(builder, leaf_of(builder, i));
		gboolean is_new;
		class_of[i] = pair_index_find_or_add(&index, class_of[parent], frame, &is_new) + 1;
		has_new_names[i] = has_new_names[parent] && frame == leaf_of(builder, i);
		if (is_new || has_new_names[i])
			row_of[class_of[i]] = i;
	}
	for (guint i = 1; i < n; i++)
		builder->path_of[i] = row_of[class_of[i]];
	pair_index_clear(&index);
}

static void find_paths(Builder *builder)
{
	for (guint i = 0; i < builder->n_rows; i++)
		builder->path_of[i] = i;
	if (builder->n_frames > 0 && !builder->input->untested && any_renamed(builder))
		join_renamed(builder);
}

/* --- costs --- */

static void add_run(Builder *builder, Side *side, const Profile *profile, guint run, double *costs)
{
	memset(costs, 0, builder->n_rows * sizeof *costs);
	for (guint i = 0; i < builder->n_rows; i++) {
		ProfileCell cell = profile_cell(profile, run, (StackId){i});
		costs[builder->path_of[i]] += (double)cell.weight;
		builder->samples[builder->path_of[i]] += cell.samples;
	}
	for (guint i = 0; i < builder->n_rows; i++) {
		side->mean[i] += costs[i];
		side->low[i] = run == 0 ? costs[i] : MIN(side->low[i], costs[i]);
		side->high[i] = MAX(side->high[i], costs[i]);
	}
}

static void read_side(Builder *builder, Side *side, const Profile *profile, double work)
{
	guint n = builder->n_rows, runs = profile == NULL ? 0 : profile_n_runs(profile);
	g_autofree double *costs = g_new(double, n);
	*side = (Side){.mean = g_new0(double, n), .low = g_new0(double, n), .high = g_new0(double, n)};
	for (guint run = 0; run < runs; run++)
		add_run(builder, side, profile, run, costs);
	double scale = work > 0 ? work : 1;
	for (guint i = 0; runs > 0 && i < n; i++) {
		side->mean[i] /= runs * scale;
		side->low[i] /= scale;
		side->high[i] /= scale;
		side->total += side->mean[i];
	}
}

static void side_clear(Side *side)
{
	g_free(side->mean);
	g_free(side->low);
	g_free(side->high);
}

static gboolean has_cost(const Builder *builder, guint row)
{
	return builder->base.mean[row] + builder->head.mean[row] > 0;
}

/* The significant function whose path this is, or NULL. */
static const FunctionComparison *function_of(const Builder *builder, guint row)
{
	guint32 frame = leaf_of(builder, row);
	return row > 0 && builder->path_of[row] == row && builder->input->significant[frame] && has_cost(builder, row)
	               ? builder->input->functions[frame]
	               : NULL;
}

/* A parent has a smaller id than its children. */
static guint32 common_row(const Builder *builder, guint32 a, guint32 b)
{
	while (a != b)
		if (a > b)
			a = parent_of(builder, a);
		else
			b = parent_of(builder, b);
	return a;
}

static void count_paths(Builder *builder)
{
	for (guint i = 1; i < builder->n_rows; i++) {
		const FunctionComparison *function = function_of(builder, i);
		if (function == NULL)
			continue;
		guint32 frame = function->frame.index;
		guint n = builder->paths->n_paths[frame]++;
		builder->lowest[frame] = n == 0 ? i : common_row(builder, builder->lowest[frame], i);
	}
	for (guint f = 0; f < builder->n_frames; f++) /* under its old name, too */
		builder->paths->n_paths[f] = builder->paths->n_paths[head_frame(builder, f)];
}

/* --- the test --- */

static gboolean is_eligible(const Builder *builder, guint row)
{
	return builder->path_of[row] == row && builder->samples[row] >= ELIGIBLE_SAMPLES &&
	       builder->base.mean[row] + builder->head.mean[row] >=
	               ELIGIBLE_SHARE * (builder->base.total + builder->head.total);
}

/* Costs per round of the paths that are large enough, in sample equivalents: [path * rounds + round]. */
typedef struct {
	GArray *rows; /* of guint: which paths */
	gint *at;     /* by row: index in `rows`, -1 = none */
	guint rounds;
	double *base, *head;
} Matrix;

static void matrix_read(
        const Matrix *matrix, const Builder *builder, double *costs, const Profile *profile, double scale)
{
	for (guint run = 0; run < matrix->rounds; run++)
		for (guint i = 0; i < builder->n_rows; i++) {
			gint at = matrix->at[builder->path_of[i]];
			if (at >= 0)
				costs[(gsize)at * matrix->rounds + run] +=
				        scale * (double)profile_cell(profile, run, (StackId){i}).weight;
		}
}

static double samples_per_cost(const Builder *builder)
{
	const FlamePathsInput *input = builder->input;
	double samples = 0, cost = builder->base.total * profile_n_runs(input->base) +
	                           builder->head.total * profile_n_runs(input->head);
	for (guint i = 0; i < builder->n_rows; i++)
		samples += (double)builder->samples[i];
	return cost > 0 ? samples / cost : 0;
}

static void matrix_init(Matrix *matrix, const Builder *builder, guint rounds)
{
	const FlamePathsInput *input = builder->input;
	*matrix = (Matrix){
	        .rows = g_array_new(FALSE, FALSE, sizeof(guint)), .at = g_new(gint, builder->n_rows), .rounds = rounds};
	for (guint i = 0; i < builder->n_rows; i++) {
		matrix->at[i] = i > 0 && is_eligible(builder, i) ? (gint)matrix->rows->len : -1;
		if (matrix->at[i] >= 0)
			g_array_append_val(matrix->rows, i);
	}
	double unit = samples_per_cost(builder);
	gsize n = (gsize)matrix->rows->len * rounds;
	matrix->base = g_new0(double, n);
	matrix->head = g_new0(double, n);
	matrix_read(matrix, builder, matrix->base, input->base, unit / (input->base_work > 0 ? input->base_work : 1));
	matrix_read(matrix, builder, matrix->head, input->head, unit / (input->head_work > 0 ? input->head_work : 1));
}

static void matrix_clear(Matrix *matrix)
{
	g_array_unref(matrix->rows);
	g_free(matrix->at);
	g_free(matrix->base);
	g_free(matrix->head);
}

/* Leaves the paths that are to be tested, with their sides such that a change like that of their function is more. */
static void matrix_keep_family(Matrix *matrix, const Builder *builder)
{
	guint kept = 0, k = matrix->rounds;
	for (guint i = 0; i < matrix->rows->len; i++) {
		guint row = g_array_index(matrix->rows, guint, i);
		const FunctionComparison *function = function_of(builder, row);
		if (function == NULL || builder->paths->n_paths[function->frame.index] < 2)
			continue;
		for (guint r = 0; r < k; r++) {
			double base = matrix->base[(gsize)i * k + r], head = matrix->head[(gsize)i * k + r];
			/* The test asks for more cost only. Of a function that costs less the sides change places. */
			matrix->base[(gsize)kept * k + r] = function->contribution < 0 ? head : base;
			matrix->head[(gsize)kept * k + r] = function->contribution < 0 ? base : head;
		}
		g_array_index(matrix->rows, guint, kept++) = row;
	}
	g_array_set_size(matrix->rows, kept);
}

static FlipInput flip_input(const Matrix *matrix)
{
	return (FlipInput){
	        .functions = matrix->rows->len, .rounds = matrix->rounds, .base = matrix->base, .head = matrix->head};
}

static void test_matrix(Builder *builder, Matrix *matrix)
{
	FlipInput all = flip_input(matrix);
	/* The dispersion is estimated from all paths that are large enough, before those of unchanged functions go: the
	 * family may be a few paths, and these are the ones that changed. */
	double phi = flip_dispersion(&all);
	matrix_keep_family(matrix, builder);
	FlipInput family = flip_input(matrix);
	family.phi = phi;
	g_autoptr(FlipTest) test = flip_test_new(&family);
	for (guint i = 0; i < matrix->rows->len; i++)
		builder->is_shown[g_array_index(matrix->rows, guint, i)] = test->p_adjusted[i] <= builder->input->alpha;
}

static gboolean any_with_several_paths(const Builder *builder)
{
	for (guint f = 0; f < builder->n_frames; f++)
		if (builder->paths->n_paths[f] > 1)
			return TRUE;
	return FALSE;
}

static void test_paths(Builder *builder)
{
	const FlamePathsInput *input = builder->input;
	if (input->counted || !any_with_several_paths(builder))
		return;
	guint rounds = input->base == NULL || input->head == NULL
	                       ? 0
	                       : MIN(profile_n_runs(input->base), profile_n_runs(input->head));
	/* Of k rounds there are 2^k ways to flip the signs, and the smallest p-value is one of them. */
	builder->paths->too_few_runs = ldexp(1, -(int)MIN(rounds, 60)) > input->alpha;
	if (builder->paths->too_few_runs)
		return;
	Matrix matrix;
	matrix_init(&matrix, builder, rounds);
	test_matrix(builder, &matrix);
	matrix_clear(&matrix);
}

/* --- what is known --- */

static double change_of(const Builder *builder, guint row)
{
	return builder->head.mean[row] - builder->base.mean[row];
}

static double share_change_of(const Builder *builder, guint row)
{
	const Side *base = &builder->base, *head = &builder->head;
	double before = base->total > 0 ? base->mean[row] / base->total : 0;
	return (head->total > 0 ? head->mean[row] / head->total : 0) - before;
}

static gboolean is_known(const Builder *builder, guint row, const FunctionComparison *function)
{
	if (builder->input->counted)
		return builder->base.high[row] < builder->head.low[row] ||
		       builder->head.high[row] < builder->base.low[row];
	/* A path whose own cost moved against its function has no colour: either would be wrong of one of the two. */
	gboolean alone = builder->paths->n_paths[function->frame.index] == 1;
	return change_of(builder, row) * function->contribution > 0 && (alone || builder->is_shown[row]);
}

/* Changes of a whole function. */
typedef struct {
	double all, known;             /* of all its paths, of those that are known */
	double all_shares, own_shares; /* the same in shares */
} Whole;

static void add_path(Builder *builder, guint row, const FunctionComparison *function, Whole *whole)
{
	FlamePaths *paths = builder->paths;
	whole->all += change_of(builder, row);
	whole->all_shares += share_change_of(builder, row);
	if (!is_known(builder, row, function))
		return;
	paths->own[row] = change_of(builder, row);
	double share = share_change_of(builder, row);
	paths->own_share[row] = share * paths->own[row] > 0 ? share : 0;
	whole->known += paths->own[row];
	whole->own_shares += paths->own_share[row];
}

/* In shares nothing counts of a function whose own share moved against its cost. */
static void fill_rest(Builder *builder, guint frame, const Whole *whole)
{
	FlamePaths *paths = builder->paths;
	double contribution = builder->input->functions[frame]->contribution;
	guint32 row = builder->lowest[frame];
	if (paths->n_paths[frame] < 2 || (!builder->input->counted && !(whole->all * contribution > 0)))
		return;
	FlameRest rest = {row, {frame}, whole->all - whole->known};
	g_array_append_val(paths->rests, rest);
	paths->rest[row] += rest.cost;
	if (whole->all_shares * whole->all > 0)
		paths->rest_share[row] += whole->all_shares - whole->own_shares;
}

static void fill_known(Builder *builder)
{
	g_autofree Whole *wholes = g_new0(Whole, MAX(builder->n_frames, 1));
	for (guint i = 1; i < builder->n_rows; i++) {
		const FunctionComparison *function = function_of(builder, i);
		if (function != NULL)
			add_path(builder, i, function, &wholes[function->frame.index]);
	}
	for (guint f = 0; f < builder->n_frames; f++)
		if (builder->paths->n_paths[f] > 0 && head_frame(builder, f) == f)
			fill_rest(builder, f, &wholes[f]);
}

static void fill_all(Builder *builder)
{
	for (guint i = 1; i < builder->n_rows; i++) {
		builder->paths->own[i] = change_of(builder, i);
		builder->paths->own_share[i] = share_change_of(builder, i);
	}
}

static void builder_init(Builder *builder)
{
	const FlamePathsInput *input = builder->input;
	guint n = builder->n_rows = stack_table_n_stacks(builder->table);
	builder->n_frames = stack_table_n_frames(builder->table);
	builder->path_of = g_new(guint32, n);
	builder->samples = g_new0(guint64, n);
	builder->is_shown = g_new0(gboolean, n);
	builder->lowest = g_new0(guint32, MAX(builder->n_frames, 1));
	find_paths(builder);
	read_side(builder, &builder->base, input->base, input->base_work);
	read_side(builder, &builder->head, input->head, input->head_work);
}

static void builder_clear(Builder *builder)
{
	side_clear(&builder->base);
	side_clear(&builder->head);
	g_free(builder->path_of);
	g_free(builder->samples);
	g_free(builder->is_shown);
	g_free(builder->lowest);
}

FlamePaths *flame_paths_new(const FlamePathsInput *input)
{
	const Profile *profile = input->head != NULL ? input->head : input->base;
	Builder builder = {.input = input, .table = profile->table, .paths = g_new0(FlamePaths, 1)};
	builder_init(&builder);
	FlamePaths *paths = builder.paths;
	paths->n_rows = builder.n_rows;
	double **columns[] = {&paths->own, &paths->rest, &paths->known, &paths->own_share, &paths->rest_share};
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		*columns[i] = g_new0(double, paths->n_rows);
	paths->rests = g_array_new(FALSE, FALSE, sizeof(FlameRest));
	paths->n_paths = g_new0(guint32, MAX(builder.n_frames, 1));
	if (input->untested) {
		fill_all(&builder);
	} else {
		count_paths(&builder);
		test_paths(&builder);
		fill_known(&builder);
	}
	for (guint i = 0; i < paths->n_rows; i++)
		paths->known[i] = paths->own[i] + paths->rest[i];
	builder_clear(&builder);
	return paths;
}

void flame_paths_free(FlamePaths *paths)
{
	if (paths == NULL)
		return;
	g_free(paths->own);
	g_free(paths->rest);
	g_free(paths->known);
	g_array_unref(paths->rests);
	g_free(paths->own_share);
	g_free(paths->rest_share);
	g_free(paths->n_paths);
	g_free(paths);
}
