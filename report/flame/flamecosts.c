/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamecosts.h"

const StackTable *flame_input_table(const FlameInput *input)
{
	const Profile *profile = input->base != NULL ? input->base : input->head;
	return profile == NULL ? NULL : profile->table;
}

/* Sums in floating point cannot saturate. */
static void read_column(FlameColumn *column, const Profile *profile, double work, guint n_rows)
{
	if (profile == NULL)
		return;
	guint n_runs = profile_n_runs(profile);
	column->cost = g_new0(double, n_rows);
	column->samples = g_new0(guint64, n_rows);
	for (guint run = 0; run < n_runs; run++) {
		const GArray *cells = g_ptr_array_index(profile->runs, run);
		for (guint i = 0; i < MIN(cells->len, n_rows); i++) {
			const ProfileCell *cell = &g_array_index(cells, ProfileCell, i);
			column->cost[i] += (double)cell->weight;
			column->samples[i] += cell->samples;
		}
	}
	for (guint i = 0; n_runs > 0 && i < n_rows; i++)
		column->cost[i] = column->cost[i] / n_runs / (work > 0 ? work : 1);
}

static double own_width(const FlameCosts *costs, FlameWidth width, guint row)
{
	double base = costs->base.cost != NULL ? costs->base.cost[row] : 0;
	double head = costs->head.cost != NULL ? costs->head.cost[row] : 0;
	switch (width) {
	case FLAME_WIDTH_BASE:
		return base;
	case FLAME_WIDTH_HEAD:
		return head;
	case FLAME_WIDTH_SUM:
		return base + head;
	case FLAME_WIDTH_UNION:
		break;
	}
	/* A row has no children yet: the larger side of each row alone is what nests when it is summed up (see
	 * flamelayout.h). */
	return MAX(base, head);
}

/* A total below what the stacks add up to changes nothing: they could not be drawn in it. */
static void add_extra(FlameCosts *costs, double total)
{
	double sum = 0;
	if (!(total > 0) || costs->head.cost == NULL)
		return;
	for (guint i = 0; i < costs->n_rows; i++)
		sum += costs->head.cost[i];
	costs->extra = MAX(total - sum, 0);
	costs->head.cost[0] += costs->extra;
	costs->width[0] += costs->extra;
}

void flame_costs_init(FlameCosts *costs, const FlameInput *input, const StackTable *table)
{
	*costs = (FlameCosts){.n_rows = table == NULL ? 1 : stack_table_n_stacks(table)};
	read_column(&costs->base, input->base, input->base_work, costs->n_rows);
	read_column(&costs->head, input->head, input->head_work, costs->n_rows);
	costs->width = g_new(double, costs->n_rows);
	for (guint i = 0; i < costs->n_rows; i++)
		costs->width[i] = own_width(costs, input->width, i);
	add_extra(costs, input->total);
}

static void clear_column(FlameColumn *column)
{
	g_free(column->cost);
	g_free(column->samples);
}

void flame_costs_clear(FlameCosts *costs)
{
	clear_column(&costs->base);
	clear_column(&costs->head);
	g_free(costs->width);
	*costs = (FlameCosts){0};
}

FlameCost flame_self_cost(const Profile *profile, double work, StackId stack)
{
	FlameCost cost = {0};
	guint n_runs = profile == NULL ? 0 : profile_n_runs(profile);
	double weight = 0;
	for (guint run = 0; run < n_runs; run++) {
		ProfileCell cell = profile_cell(profile, run, stack);
		weight += (double)cell.weight;
		cost.samples += cell.samples;
	}
	if (n_runs > 0)
		cost.self = cost.total = weight / n_runs / (work > 0 ? work : 1);
	return cost;
}

FlameCost flame_column_get(const FlameColumn *column, guint stack)
{
	if (column->cost == NULL)
		return (FlameCost){0};
	return (FlameCost){.total = column->cost[stack], .samples = column->samples[stack]};
}

void flame_cost_add(FlameCost *sum, const FlameCost *cost)
{
	sum->total += cost->total;
	sum->samples += cost->samples;
}
