/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/linetally.h"

#include "model/pairindex.h"

#include <string.h>

typedef struct {
	LineKey key;
	LineShare self, total;
} LineSums;

typedef struct {
	InstructionKey key;
	LineShare self;
} InstructionSums;

struct LineTally {
	StackTable *table;
	const Profile *profiles[N_SIDES];
	gboolean *is_wanted; /* by FrameId */
	guint n_frames;      /* of them */
	PairIndex runs;      /* (run, side) */
	guint n_runs[N_SIDES];
	PairIndex places;     /* (file, line) */
	PairIndex lines;      /* (frame and row of `places`, side) */
	GArray *sums;         /* of LineSums, by row of `lines` */
	PairIndex addresses;  /* (address, side) */
	GArray *instructions; /* of InstructionSums, by row of `addresses` */
};

LineTally *line_tally_new(StackTable *table, const LineCostQuery *query)
{
	LineTally *tally = g_new0(LineTally, 1);
	tally->table = table;
	memcpy(tally->profiles, query->profiles, sizeof tally->profiles);
	tally->n_frames = stack_table_n_frames(table);
	tally->is_wanted = g_new0(gboolean, tally->n_frames + 1);
	for (guint i = 0; i < query->n_frames; i++) {
		g_assert(query->frames[i].index < tally->n_frames);
		tally->is_wanted[query->frames[i].index] = TRUE;
	}
	tally->sums = g_array_new(FALSE, FALSE, sizeof(LineSums));
	tally->instructions = g_array_new(FALSE, FALSE, sizeof(InstructionSums));
	return tally;
}

void line_tally_free(LineTally *tally)
{
	if (tally == NULL)
		return;
	g_free(tally->is_wanted);
	pair_index_clear(&tally->runs);
	pair_index_clear(&tally->places);
	pair_index_clear(&tally->lines);
	pair_index_clear(&tally->addresses);
	g_array_unref(tally->sums);
	g_array_unref(tally->instructions);
	g_free(tally);
}

const gboolean *line_tally_wanted(const LineTally *tally, guint *n_frames)
{
	*n_frames = tally->n_frames;
	return tally->is_wanted;
}

gboolean line_tally_wants(const LineTally *tally, FrameId frame)
{
	return frame.index < tally->n_frames && tally->is_wanted[frame.index];
}

gboolean line_tally_takes_run(LineTally *tally, const Profile *profile, guint run, guint *side)
{
	gboolean is_new;
	*side = 0;
	while (*side < N_SIDES && tally->profiles[*side] != profile)
		(*side)++;
	if (*side == N_SIDES)
		return FALSE;
	pair_index_find_or_add(&tally->runs, run, *side, &is_new);
	tally->n_runs[*side] += is_new;
	return TRUE;
}

guint32 line_tally_row(LineTally *tally, const LineKey *key)
{
	gboolean is_new;
	guint32 place = pair_index_find_or_add(&tally->places, key->place.file.index, key->place.line, &is_new);
	guint64 frame_and_place = (guint64)key->frame.index << 32 | place;
	guint32 row = pair_index_find_or_add(&tally->lines, frame_and_place, key->side, &is_new);
	if (is_new) {
		const LineSums sums = {.key = *key};
		g_array_append_val(tally->sums, sums);
	}
	return row;
}

static void add(LineShare *sum, LineShare share)
{
	sum->weight += share.weight;
	sum->samples += share.samples;
}

void line_tally_add_self(LineTally *tally, guint32 row, LineShare share)
{
	add(&g_array_index(tally->sums, LineSums, row).self, share);
}

void line_tally_add_total(LineTally *tally, guint32 row, LineShare share)
{
	add(&g_array_index(tally->sums, LineSums, row).total, share);
}

void line_tally_add_instruction(LineTally *tally, const InstructionKey *key, LineShare share)
{
	gboolean is_new;
	guint32 row = pair_index_find_or_add(&tally->addresses, key->address, key->side, &is_new);
	if (is_new) {
		const InstructionSums sums = {.key = *key};
		g_array_append_val(tally->instructions, sums);
	}
	add(&g_array_index(tally->instructions, InstructionSums, row).self, share);
}

/* --- finishing --- */

static int compare_numbers(guint64 a, guint64 b)
{
	return (a > b) - (a < b);
}

/* By text, not by the file's number: numbers follow the order in which files were met, and the same data must give the
 * same bytes. */
static gint compare_lines(gconstpointer a, gconstpointer b, gpointer table)
{
	const LineCost *x = a, *y = b;
	int order = compare_numbers(x->frame.index, y->frame.index);
	order = order != 0 ? order : compare_numbers(x->side, y->side);
	order = order != 0 ? order : strcmp(stack_table_text(table, x->file), stack_table_text(table, y->file));
	return order != 0 ? order : compare_numbers(x->line, y->line);
}

static gint compare_instructions(gconstpointer a, gconstpointer b)
{
	const InstructionCost *x = a, *y = b;
	int order = compare_numbers(x->frame.index, y->frame.index);
	order = order != 0 ? order : compare_numbers(x->side, y->side);
	order = order != 0 ? order : compare_numbers(x->module, y->module);
	return order != 0 ? order : compare_numbers(x->offset, y->offset);
}

/* Shares of one sample may add up to a hair less than the sample. */
static guint64 whole(double samples)
{
	return samples < 0x1p63 ? (guint64)(samples + .5) : G_MAXUINT64;
}

static void finish_lines(const LineTally *tally, LineCosts *costs)
{
	for (guint i = 0; i < tally->sums->len; i++) {
		const LineSums *sums = &g_array_index(tally->sums, LineSums, i);
		const LineCost line = {
		        .frame = sums->key.frame,
		        .side = sums->key.side,
		        .file = sums->key.place.file,
		        .line = sums->key.place.line,
		        .self = sums->self.weight,
		        .total = sums->total.weight,
		        .self_samples = whole(sums->self.samples),
		        .total_samples = whole(sums->total.samples),
		};
		/* A line gets its row when it is first asked for, even if no cost is added to it. */
		if (line.total > 0 || line.total_samples > 0)
			g_array_append_val(costs->lines, line);
	}
	g_array_sort_with_data(costs->lines, compare_lines, tally->table);
}

/* Modules keep the symbolizer's numbers until finish_modules() has sorted them. */
static void finish_instructions(const LineTally *tally, const Symbolizer *symbolizer, LineCosts *costs)
{
	for (guint i = 0; i < tally->instructions->len; i++) {
		const InstructionSums *sums = &g_array_index(tally->instructions, InstructionSums, i);
		const InstructionCost cost = {
		        .frame = sums->key.frame,
		        .side = sums->key.side,
		        .module = symbolizer_address_module(symbolizer, sums->key.address),
		        .offset = symbolizer_address_offset(symbolizer, sums->key.address),
		        .self = sums->self.weight,
		        .samples = whole(sums->self.samples),
		};
		g_array_append_val(costs->instructions, cost);
	}
}

/* An object file, and where it is in the symbolizer. */
typedef struct {
	LineModule *module;
	guint row;
} ModuleRow;

static gint compare_modules(gconstpointer a, gconstpointer b)
{
	const ModuleRow *x = a, *y = b;
	int order = g_strcmp0(x->module->path, y->module->path);
	if (order != 0)
		return order;
	guint length = MIN(x->module->build_id_length, y->module->build_id_length);
	order = length > 0 ? memcmp(x->module->build_id, y->module->build_id, length) : 0;
	return order != 0 ? order : compare_numbers(x->module->build_id_length, y->module->build_id_length);
}

static ModuleRow make_module(const Symbolizer *symbolizer, const AddressLines *lines, guint row)
{
	SymbolizerReport report = symbolizer_report(symbolizer, row);
	LineModule *module = g_new0(LineModule, 1);
	module->path = g_strdup(report.path);
	module->build_id = report.build_id_length > 0 ? g_memdup2(report.build_id, report.build_id_length) : NULL;
	module->build_id_length = report.build_id_length;
	module->failure = address_lines_failure(lines, row);
	return (ModuleRow){module, row};
}

/* Sorted, so that their numbers do not depend on the order in which samples name them. */
static void finish_modules(const Symbolizer *symbolizer, const AddressLines *lines, LineCosts *costs)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(ModuleRow));
	g_autofree guint *numbers = g_new0(guint, symbolizer_n_modules(symbolizer) + 1);
	for (guint i = 0; i < symbolizer_n_modules(symbolizer); i++)
		if (address_lines_has_module(lines, i)) {
			ModuleRow row = make_module(symbolizer, lines, i);
			g_array_append_val(rows, row);
		}
	g_array_sort(rows, compare_modules);
	for (guint i = 0; i < rows->len; i++) {
		numbers[g_array_index(rows, ModuleRow, i).row] = i;
		g_ptr_array_add(costs->modules, g_array_index(rows, ModuleRow, i).module);
	}
	for (guint i = 0; i < costs->instructions->len; i++) {
		InstructionCost *cost = &g_array_index(costs->instructions, InstructionCost, i);
		cost->module = numbers[cost->module];
	}
}

LineCosts *line_tally_finish(const LineTally *tally, const Symbolizer *symbolizer, const AddressLines *lines)
{
	LineCosts *costs = line_costs_new();
	memcpy(costs->runs, tally->n_runs, sizeof costs->runs);
	finish_lines(tally, costs);
	finish_instructions(tally, symbolizer, costs);
	finish_modules(symbolizer, lines, costs);
	g_array_sort(costs->instructions, compare_instructions);
	return costs;
}
