/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/costs.h"

#include "model/engine.h"

#include <math.h>

gboolean frame_is_function(const StackTable *table, FrameId frame)
{
	FrameKind kind = stack_table_get_frame(table, frame)->kind;
	return kind != FRAME_COMMAND && kind != FRAME_SYNTHETIC;
}

double mean_over_rounds(const double *values, guint rounds)
{
	double sum = 0;
	for (guint i = 0; i < rounds; i++)
		sum += values[i];
	return rounds > 0 ? sum / rounds : 0;
}

const double *side_costs_of(const SideCosts *side, FrameId frame)
{
	return side->cost + (gsize)frame.index * side->rounds;
}

static gboolean is_clock(const Profile *profile)
{
	return g_str_equal(profile->unit, "ns");
}

/* The metric that counts what the profile samples, or NULL. */
static const MetricSeries *counter_of(const Measurement *measurement)
{
	if (is_clock(measurement->profile))
		return measurement_metric(measurement, &engine_perf, "task-clock");
	g_auto(GStrv) parts = g_strsplit(measurement->profile->event, ":", 2);
	return parts[0] != NULL ? measurement_metric(measurement, &engine_perf, parts[0]) : NULL;
}

/* TRUE if every round has a usable counter value; a counter that is missing in one round is used in none. */
static gboolean is_counted(const MetricSeries *counter, guint rounds)
{
	for (guint r = 0; r < rounds; r++)
		if (!isfinite(metric_value(counter, r)) || metric_value(counter, r) <= 0)
			return FALSE;
	return counter != NULL;
}

/* Samples of a clock weigh nanoseconds as the counter does, so what the counter has beyond them is time that was not
 * sampled. Weights of other events are periods that the kernel estimated; they are scaled to what was counted. */
static void fill_totals(SideCosts *side, const Measurement *measurement, gboolean counted)
{
	const MetricSeries *counter = counter_of(measurement);
	for (guint r = 0; r < side->rounds; r++) {
		double work = measurement_run_work(measurement, r);
		double weight = (double)profile_run_total(side->profile, r).weight;
		gboolean rescale = counted && !is_clock(side->profile) && weight > 0;
		side->total[r] = (counted ? metric_value(counter, r) : weight) / work;
		side->scale[r] = rescale ? side->total[r] / weight : 1 / work;
		side->unsampled[r] = rescale ? 0 : side->total[r] - weight * side->scale[r];
	}
}

/* TRUE if the frame is a function, into which others can be inlined. */
static gboolean is_host(const StackTable *table, StackId stack)
{
	return stack.index != STACK_ROOT.index && frame_is_function(table, stack_table_leaf(table, stack));
}

FrameId *physical_frames(const StackTable *table)
{
	guint n = stack_table_n_stacks(table);
	FrameId *physical = g_new0(FrameId, n);
	for (guint s = 1; s < n; s++) {
		StackId parent = stack_table_parent(table, (StackId){s});
		FrameId leaf = stack_table_leaf(table, (StackId){s});
		gboolean is_part = stack_table_is_inlined(table, leaf) && is_host(table, parent);
		physical[s] = is_part ? physical[parent.index] : leaf;
	}
	return physical;
}

static void fill_frames(SideCosts *side)
{
	const StackTable *table = side->profile->table;
	guint rounds = side->rounds, n_frames = stack_table_n_frames(table);
	g_autofree FrameId *physical = physical_frames(table);
	/* Weights are added up as whole numbers and scaled once, so that the order of stacks rounds nothing. */
	g_autofree guint64 *weights = g_new0(guint64, MAX((gsize)n_frames * rounds, 1));
	for (guint s = 1; s < stack_table_n_stacks(table); s++)
		for (guint r = 0; r < rounds; r++) {
			ProfileCell cell = profile_cell(side->profile, r, (StackId){s});
			side->samples[physical[s].index] += cell.samples;
			weights[(gsize)physical[s].index * rounds + r] += cell.weight;
		}
	for (guint f = 0; f < n_frames; f++)
		for (guint r = 0; r < rounds; r++)
			side->cost[(gsize)f * rounds + r] = (double)weights[(gsize)f * rounds + r] * side->scale[r];
}

static void fill_no_function(SideCosts *side)
{
	guint rounds = side->rounds;
	const StackTable *table = side->profile->table;
	for (guint r = 0; r < rounds; r++)
		side->no_function[r] = (double)profile_cell(side->profile, r, STACK_ROOT).weight * side->scale[r];
	for (guint f = 0; f < stack_table_n_frames(table); f++)
		for (guint r = 0; r < rounds && !frame_is_function(table, (FrameId){f}); r++)
			side->no_function[r] += side->cost[(gsize)f * rounds + r];
}

/* Marks the frames of all stacks with samples: parents have smaller ids, so one pass down reaches every ancestor. */
static void fill_present(SideCosts *side)
{
	const StackTable *table = side->profile->table;
	guint n = stack_table_n_stacks(table);
	g_autofree gboolean *seen = g_new0(gboolean, n);
	for (guint s = n - 1; s > 0; s--) {
		for (guint r = 0; r < side->rounds && !seen[s]; r++)
			seen[s] = profile_cell(side->profile, r, (StackId){s}).samples > 0;
		if (!seen[s])
			continue;
		seen[stack_table_parent(table, (StackId){s}).index] = TRUE;
		side->present[stack_table_leaf(table, (StackId){s}).index] = TRUE;
	}
}

static void side_costs_init(SideCosts *side, const Measurement *measurement, gboolean counted, guint rounds)
{
	guint n_frames = stack_table_n_frames(measurement->profile->table);
	side->profile = measurement->profile;
	side->rounds = rounds;
	side->samples = g_new0(guint64, n_frames);
	side->cost = g_new0(double, (gsize)n_frames *rounds);
	side->scale = g_new0(double, rounds);
	side->no_function = g_new0(double, rounds);
	side->unsampled = g_new0(double, rounds);
	side->total = g_new0(double, rounds);
	side->present = g_new0(gboolean, n_frames);
	fill_totals(side, measurement, counted);
	fill_frames(side);
	fill_no_function(side);
	fill_present(side);
}

static void side_costs_clear(SideCosts *side)
{
	g_free(side->samples);
	g_free(side->cost);
	g_free(side->scale);
	g_free(side->no_function);
	g_free(side->unsampled);
	g_free(side->total);
	g_free(side->present);
}

static double sampled_cost(const SideCosts *side)
{
	double sum = 0;
	for (guint r = 0; r < side->rounds; r++)
		sum += side->total[r] - side->unsampled[r];
	return sum;
}

static double samples_of(const SideCosts *side, guint n_frames)
{
	double sum = 0;
	for (guint f = 0; f < n_frames; f++)
		sum += (double)side->samples[f];
	return sum;
}

static void fill_table(CostTable *table)
{
	table->rounds = MIN(table->base.rounds, table->head.rounds);
	table->n_frames = stack_table_n_frames(table->base.profile->table);
	table->base_total = mean_over_rounds(table->base.total, table->base.rounds);
	double cost = sampled_cost(&table->base) + sampled_cost(&table->head);
	double samples = samples_of(&table->base, table->n_frames) + samples_of(&table->head, table->n_frames);
	table->unit = cost > 0 ? samples / cost : 0;
}

CostTable *cost_table_new(const Measurement *base, const Measurement *head, guint rounds)
{
	g_assert(base->profile->table == head->profile->table);
	CostTable *table = g_new0(CostTable, 1);
	/* Both sides by the same rule, or their totals would not be comparable. */
	gboolean counted = is_counted(counter_of(base), rounds) && is_counted(counter_of(head), rounds);
	side_costs_init(&table->base, base, counted, rounds);
	side_costs_init(&table->head, head, counted, rounds);
	fill_table(table);
	return table;
}

CostTable *cost_table_new_counted(const Measurement *base, const Measurement *head)
{
	g_assert(base->profile->table == head->profile->table);
	CostTable *table = g_new0(CostTable, 1);
	side_costs_init(&table->base, base, FALSE, measurement_n_runs(base));
	side_costs_init(&table->head, head, FALSE, measurement_n_runs(head));
	fill_table(table);
	return table;
}

void cost_table_free(CostTable *table)
{
	if (table == NULL)
		return;
	side_costs_clear(&table->base);
	side_costs_clear(&table->head);
	g_free(table);
}
