/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindfold.h"

#include "core/error.h"
#include "model/canonical.h"
#include "model/textpiece.h"
#include "profile/valgrind/callgrindlines.h"
#include "profile/valgrind/callgrindtext.h"

#include <string.h>

/* Shares of all costs from which a gap in the names is worth a word. */
#define NOTABLE_MODULE_SHARE .01
#define NOTABLE_NO_DEBUG_SHARE .10
/* The limit is on all dumps together; a row takes about 24 bytes. */
#define MAX_CELLS (1u << 26)

/* Tells where a column goes. */
typedef struct {
	Profile *profile;
	guint run;
	guint column; /* of the dumps; ALLOCATIONS */
} FoldTarget;

#define ALLOCATIONS CALLGRIND_LINES_ALLOCATIONS

/* A dump, and where its parts are in the symbolizer. */
typedef struct {
	CallgrindDump *dump;
	guint32 *addresses; /* by its addresses */
	guint *modules;     /* by its objects */
} FoldDump;

typedef struct {
	GArray *dumps;   /* of FoldDump */
	GArray *targets; /* of FoldTarget */
	guint side;
} FoldRun;

struct CallgrindFold {
	StackTable *table;
	SymbolChild *child;
	Symbolizer *symbolizer;
	SymbolFrames frames;  /* resolved while finishing */
	GArray *module_names; /* of NameId, by module of the symbolizer */
	GArray *runs;         /* of FoldRun */
	guint64 cells;        /* in the dumps of all runs */
	guint64 *leaves; /* by module: costs of its instructions in the first column of each run; while finishing */
	guint64 total;   /* of them */
	gboolean finished;
};

void callgrind_run_summary_clear(CallgrindRunSummary *summary)
{
	g_clear_pointer(&summary->totals, g_array_unref);
	*summary = (CallgrindRunSummary){0};
}

guint64 callgrind_run_total(const CallgrindRunSummary *summary, const char *name)
{
	for (guint i = 0; summary->totals != NULL && i < summary->totals->len; i++) {
		const CallgrindTotal *total = &g_array_index(summary->totals, CallgrindTotal, i);
		if (g_str_equal(total->name, name))
			return total->value;
	}
	return 0;
}

static void dump_clear(gpointer data)
{
	FoldDump *dump = data;
	callgrind_dump_free(dump->dump);
	g_free(dump->addresses);
	g_free(dump->modules);
}

static void run_clear(gpointer data)
{
	FoldRun *run = data;
	g_array_unref(run->dumps);
	g_array_unref(run->targets);
}

CallgrindFold *callgrind_fold_new(StackTable *table)
{
	CallgrindFold *fold = g_new0(CallgrindFold, 1);
	fold->table = stack_table_ref(table);
	fold->child = symbol_child_new();
	fold->symbolizer = symbolizer_new(fold->child);
	symbol_frames_init(&fold->frames, table, fold->symbolizer);
	fold->module_names = g_array_new(FALSE, FALSE, sizeof(NameId));
	fold->runs = g_array_new(FALSE, FALSE, sizeof(FoldRun));
	g_array_set_clear_func(fold->runs, run_clear);
	return fold;
}

void callgrind_fold_free(CallgrindFold *fold)
{
	if (fold == NULL)
		return;
	symbol_frames_clear(&fold->frames);
	symbolizer_free(fold->symbolizer);
	symbol_child_free(fold->child);
	g_array_unref(fold->module_names);
	g_array_unref(fold->runs);
	g_free(fold->leaves);
	stack_table_unref(fold->table);
	g_free(fold);
}

/* --- reading --- */

/* The columns to read, each once, into `columns` of as many as there are targets; returns their number. */
static guint choose_columns(GArray *chosen, const CallgrindTarget *targets, guint n_targets, const char **columns)
{
	guint n_columns = 0;
	for (guint i = 0; i < n_targets; i++) {
		FoldTarget target = {targets[i].profile, targets[i].run, ALLOCATIONS};
		if (!g_str_equal(targets[i].event, CALLGRIND_ALLOCATIONS)) {
			target.column = 0;
			while (target.column < n_columns && !g_str_equal(columns[target.column], targets[i].event))
				target.column++;
			columns[target.column] = targets[i].event;
			n_columns = MAX(n_columns, target.column + 1);
		}
		g_array_append_val(chosen, target);
	}
	return n_columns;
}

static gboolean has_same_events(const CallgrindDump *a, const CallgrindDump *b)
{
	gboolean is_same = a->events->len == b->events->len;
	for (guint i = 0; is_same && i < a->events->len; i++)
		is_same = g_str_equal(a->events->pdata[i], b->events->pdata[i]);
	return is_same;
}

static gboolean read_dumps(
        FoldRun *run, const GPtrArray *paths, const char *const *columns, guint n_columns, GError **error)
{
	for (guint i = 0; i < paths->len; i++) {
		const char *path = paths->pdata[i];
		const FoldDump row = {.dump = callgrind_dump_read(path, columns, n_columns, error)};
		if (row.dump == NULL)
			return FALSE;
		g_array_append_val(run->dumps, row);
		if (has_same_events(row.dump, g_array_index(run->dumps, FoldDump, 0).dump))
			continue;
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "%s: other columns than in the other dumps of this run", path);
		return FALSE;
	}
	if (paths->len == 0)
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "no dumps of callgrind");
	return paths->len > 0;
}

/* All dumps stay in memory until the profiles are made. */
static gboolean is_small_enough(const CallgrindFold *fold, const FoldRun *run, guint64 *cells, GError **error)
{
	*cells = fold->cells;
	for (guint i = 0; i < run->dumps->len; i++)
		*cells += g_array_index(run->dumps, FoldDump, i).dump->cells->len;
	if (*cells <= MAX_CELLS)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "the dumps of callgrind together have more than %u costs; lower call_depth", MAX_CELLS);
}

static guint find_module(CallgrindFold *fold, const char *path)
{
	guint module = symbolizer_add_module(fold->symbolizer, *path != '\0' ? path : NULL, NULL, 0);
	if (module == fold->module_names->len) {
		g_autofree char *name = *path != '\0' ? canonical_module(path) : g_strdup("");
		NameId id = stack_table_name(fold->table, name, -1);
		g_array_append_val(fold->module_names, id);
	}
	return module;
}

static void add_to_symbolizer(CallgrindFold *fold, FoldDump *row)
{
	const CallgrindDump *dump = row->dump;
	row->modules = g_new(guint, dump->objects->len + 1);
	row->addresses = g_new(guint32, dump->addresses->len + 1);
	for (guint i = 0; i < dump->objects->len; i++)
		row->modules[i] = find_module(fold, dump->objects->pdata[i]);
	for (guint i = 0; i < dump->addresses->len; i++) {
		const CallgrindAddress *address = &g_array_index(dump->addresses, CallgrindAddress, i);
		row->addresses[i] =
		        symbolizer_add_address(fold->symbolizer, row->modules[address->object], address->address);
	}
}

/* --- summaries --- */

static void total_clear(gpointer total)
{
	g_free(((CallgrindTotal *)total)->name);
}

static void add_total(GArray *totals, const char *name, guint64 value)
{
	const CallgrindTotal total = {g_strdup(name), value};
	g_array_append_val(totals, total);
}

/* Totals are foreign numbers of 64 bits. A sum that wraps around would read as a small count, and could pass. */
static gboolean sum_totals(const FoldRun *run, GArray *totals, GError **error)
{
	const GPtrArray *events = g_array_index(run->dumps, FoldDump, 0).dump->events;
	g_autofree guint64 *sums = g_new0(guint64, events->len + 1);
	gboolean fits = TRUE;
	for (guint i = 0; i < run->dumps->len; i++) {
		const CallgrindDump *dump = g_array_index(run->dumps, FoldDump, i).dump;
		for (guint k = 0; k < events->len; k++)
			fits &= !__builtin_add_overflow(sums[k], g_array_index(dump->totals, guint64, k), &sums[k]);
		fits &= !__builtin_add_overflow(sums[events->len], dump->allocations, &sums[events->len]);
	}
	for (guint k = 0; k < events->len; k++)
		add_total(totals, events->pdata[k], sums[k]);
	add_total(totals, CALLGRIND_ALLOCATIONS, sums[events->len]);
	if (!fits)
		g_set_error_literal(
		        error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "the costs of all dumps are too large");
	return fits;
}

static void count_contexts(const CallgrindDump *dump, CallgrindRunSummary *summary)
{
	for (guint i = 0; i < dump->contexts->len; i++) {
		const CallgrindContext *context = &g_array_index(dump->contexts, CallgrindContext, i);
		if (context->address == CALLGRIND_NONE)
			continue;
		summary->contexts++;
		summary->cut_contexts += context->is_cut;
		summary->cut_cost += context->is_cut ? context->self : 0;
	}
}

/* A process may leave several dumps, and each has parts of one or more threads. */
static void count_processes(const FoldRun *run, CallgrindRunSummary *summary)
{
	gboolean is_new;
	PairIndex processes = {0};
	g_autoptr(GHashTable) threads = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < run->dumps->len; i++) {
		const CallgrindDump *dump = g_array_index(run->dumps, FoldDump, i).dump;
		pair_index_find_or_add(&processes, dump->pid != 0 ? dump->pid : i, dump->pid != 0, &is_new);
		for (guint k = 0; k < MAX(1, dump->threads->len); k++) {
			guint64 thread = dump->threads->len > 0 ? g_array_index(dump->threads, guint64, k) : 1;
			g_hash_table_add(threads, g_strdup_printf("%" G_GUINT64_FORMAT " %d %" G_GUINT64_FORMAT,
			                                  dump->pid != 0 ? dump->pid : i, dump->pid != 0, thread));
		}
	}
	summary->processes = processes.n_rows;
	summary->threads = g_hash_table_size(threads);
	pair_index_clear(&processes);
}

static gboolean summarize(const FoldRun *run, CallgrindRunSummary *summary, GError **error)
{
	CallgrindRunSummary result = {.totals = g_array_new(FALSE, FALSE, sizeof(CallgrindTotal))};
	g_array_set_clear_func(result.totals, total_clear);
	if (!sum_totals(run, result.totals, error)) {
		callgrind_run_summary_clear(&result);
		return FALSE;
	}
	for (guint i = 0; i < run->dumps->len; i++)
		count_contexts(g_array_index(run->dumps, FoldDump, i).dump, &result);
	count_processes(run, &result);
	*summary = result;
	return TRUE;
}

static FoldRun run_new(void)
{
	FoldRun run = {
	        .dumps = g_array_new(FALSE, FALSE, sizeof(FoldDump)),
	        .targets = g_array_new(FALSE, FALSE, sizeof(FoldTarget)),
	};
	g_array_set_clear_func(run.dumps, dump_clear);
	return run;
}

static void take_run(CallgrindFold *fold, const FoldRun *run, const CallgrindFoldOptions *options)
{
	for (guint i = 0; i < run->dumps->len; i++)
		add_to_symbolizer(fold, &g_array_index(run->dumps, FoldDump, i));
	g_array_append_val(fold->runs, *run);
	if (options == NULL)
		return;
	fold->frames.no_inline |= options->no_inline;
	fold->frames.with_code |= options->with_code;
	symbol_frames_add_prefixes(&fold->frames, options->strip_prefixes);
}

gboolean callgrind_fold_add(CallgrindFold *fold, const GPtrArray *paths, const CallgrindTarget *targets,
        guint n_targets, const CallgrindFoldOptions *options, CallgrindRunSummary *summary, GError **error)
{
	FoldRun run = run_new();
	CallgrindRunSummary result = {0};
	guint64 cells;
	g_autofree const char **columns = g_new0(const char *, n_targets + 1);
	run.side = options != NULL ? options->side : 0;
	g_assert(!fold->finished && run.side < N_SIDES && n_targets <= CALLGRIND_MAX_EVENTS);
	for (guint i = 0; i < n_targets; i++)
		g_assert(targets[i].profile->table == fold->table &&
		         targets[i].run < profile_n_runs(targets[i].profile));
	guint n_columns = choose_columns(run.targets, targets, n_targets, columns);
	if (!read_dumps(&run, paths, columns, n_columns, error) || !is_small_enough(fold, &run, &cells, error) ||
	        !summarize(&run, &result, error)) {
		run_clear(&run);
		return FALSE;
	}
	fold->cells = cells;
	take_run(fold, &run, options);
	if (summary != NULL)
		*summary = result;
	else
		callgrind_run_summary_clear(&result);
	return TRUE;
}

/* --- finishing --- */

/* By address of the symbolizer, bit s if side s has it; owned by the caller. */
static guint8 *sides_of_addresses(const CallgrindFold *fold)
{
	guint8 *sides = g_new0(guint8, symbolizer_n_addresses(fold->symbolizer) + 1);
	for (guint r = 0; r < fold->runs->len; r++) {
		const FoldRun *run = &g_array_index(fold->runs, FoldRun, r);
		for (guint i = 0; i < run->dumps->len; i++) {
			const FoldDump *row = &g_array_index(run->dumps, FoldDump, i);
			for (guint k = 0; k < row->dump->addresses->len; k++)
				sides[row->addresses[k]] |= (guint8)(1u << run->side);
		}
	}
	return sides;
}

static void fill_cell(const FoldRun *run, const guint64 *costs, StackId stack)
{
	for (guint i = 0; i < run->targets->len; i++) {
		const FoldTarget *target = &g_array_index(run->targets, FoldTarget, i);
		guint64 cost = target->column != ALLOCATIONS ? costs[target->column] : 0;
		if (cost > 0)
			profile_add(target->profile, target->run, stack, (ProfileCell){cost, cost});
	}
}

static void fill_cells(CallgrindFold *fold, const FoldRun *run, const FoldDump *row, CallgrindExpander *expander)
{
	const CallgrindDump *dump = row->dump;
	for (guint i = 0; dump->n_columns > 0 && i < dump->cells->len; i++) {
		const CallgrindCell *cell = &g_array_index(dump->cells, CallgrindCell, i);
		const guint64 *costs = &g_array_index(dump->costs, guint64, (gsize)i * dump->n_columns);
		guint module = symbolizer_address_module(fold->symbolizer, row->addresses[cell->address]);
		fill_cell(run, costs, callgrind_expander_cell(expander, cell));
		fold->leaves[module] += costs[0];
		fold->total += costs[0];
	}
}

static void fill_calls(const FoldRun *run, const FoldDump *row, CallgrindExpander *expander)
{
	for (guint k = 0; k < run->targets->len; k++) {
		const FoldTarget *target = &g_array_index(run->targets, FoldTarget, k);
		for (guint i = 0; target->column == ALLOCATIONS && i < row->dump->calls->len; i++) {
			const CallgrindCall *call = &g_array_index(row->dump->calls, CallgrindCall, i);
			if (call->is_allocation)
				profile_add(target->profile, target->run, callgrind_expander_call(expander, call),
				        (ProfileCell){call->n, call->n});
		}
	}
}

/* With `modules` and `is_unread`, by object of the dump, which must outlive it. Owned by the caller. */
static CallgrindExpander *make_expander(
        const CallgrindFold *fold, const FoldDump *row, NameId *modules, gboolean *is_unread, gboolean with_calls)
{
	const CallgrindExpandSource source = {
	        row->dump, fold->table, &fold->frames, row->addresses, modules, is_unread, with_calls};
	for (guint i = 0; i < row->dump->objects->len; i++) {
		modules[i] = g_array_index(fold->module_names, NameId, row->modules[i]);
		is_unread[i] = symbolizer_report(fold->symbolizer, row->modules[i]).failure != NULL;
	}
	return callgrind_expander_new(&source);
}

static void fill_profiles(CallgrindFold *fold, const FoldRun *run, const FoldDump *row)
{
	g_autofree NameId *modules = g_new(NameId, row->dump->objects->len + 1);
	g_autofree gboolean *is_unread = g_new(gboolean, row->dump->objects->len + 1);
	g_autoptr(CallgrindExpander) expander = make_expander(fold, row, modules, is_unread, FALSE);
	fill_cells(fold, run, row, expander);
	fill_calls(run, row, expander);
}

static void report_gaps(const CallgrindFold *fold, FindingList *findings)
{
	for (guint i = 0; i < symbolizer_n_modules(fold->symbolizer); i++) {
		SymbolizerReport report = symbolizer_report(fold->symbolizer, i);
		double share = fold->total > 0 ? (double)fold->leaves[i] / (double)fold->total : 0;
		if (report.failure != NULL && share >= NOTABLE_MODULE_SHARE)
			finding_add(findings, FINDING_WARNING, "module_not_readable", NULL,
			        "%.0f %% of what callgrind counted are in a file that cannot be read, so that no "
			        "inlined functions are known there: %s",
			        share * 100, report.failure);
		else if (report.failure == NULL && !report.has_debug_info && share >= NOTABLE_NO_DEBUG_SHARE)
			finding_add(findings, FINDING_INFO, "no_debug_info", NULL,
			        "%s has no debug information: inlined functions and source files are not shown; "
			        "build with -g",
			        report.path);
	}
}

gboolean callgrind_fold_finish(CallgrindFold *fold, FindingList *findings, GError **error)
{
	if (fold->finished) {
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "profiles are finished already");
		return FALSE;
	}
	fold->finished = TRUE;
	const SymbolizerOptions naming = {.with_code = fold->frames.with_code, .are_addresses = TRUE};
	symbolizer_set_options(fold->symbolizer, &naming);
	symbolizer_resolve(fold->symbolizer);
	g_autofree guint8 *sides = sides_of_addresses(fold);
	symbol_frames_resolve(&fold->frames, fold->module_names, sides);
	fold->leaves = g_new0(guint64, symbolizer_n_modules(fold->symbolizer) + 1);
	for (guint i = 0; i < fold->runs->len; i++) {
		const FoldRun *run = &g_array_index(fold->runs, FoldRun, i);
		for (guint k = 0; k < run->dumps->len; k++)
			fill_profiles(fold, run, &g_array_index(run->dumps, FoldDump, k));
	}
	if (findings != NULL)
		report_gaps(fold, findings);
	return TRUE;
}

CodeFacts *callgrind_fold_code_facts(const CallgrindFold *fold)
{
	return symbol_frames_code_facts(&fold->frames);
}

GPtrArray *callgrind_fold_modules(const CallgrindFold *fold, guint side)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint r = 0; r < fold->runs->len; r++) {
		const FoldRun *run = &g_array_index(fold->runs, FoldRun, r);
		for (guint i = 0; run->side == side && i < run->dumps->len; i++) {
			const GPtrArray *objects = g_array_index(run->dumps, FoldDump, i).dump->objects;
			for (guint k = 0; k < objects->len; k++)
				if (g_path_is_absolute(objects->pdata[k]) && g_hash_table_add(seen, objects->pdata[k]))
					g_ptr_array_add(paths, g_strdup(objects->pdata[k]));
		}
	}
	g_ptr_array_sort(paths, text_order);
	return paths;
}

/* --- lines --- */

static void add_lines(
        const CallgrindFold *fold, const FoldDump *row, const CallgrindLinesSource *wanted, LineTally *tally)
{
	g_autofree NameId *modules = g_new(NameId, row->dump->objects->len + 1);
	g_autofree gboolean *is_unread = g_new(gboolean, row->dump->objects->len + 1);
	g_autoptr(CallgrindExpander) expander = make_expander(fold, row, modules, is_unread, TRUE);
	CallgrindLinesSource source = *wanted;
	source.dump = row->dump;
	source.expander = expander;
	callgrind_lines_add(tally, &source);
}

static void add_lines_of_run(const CallgrindFold *fold, const FoldRun *run, const AddressLines *lines, LineTally *tally)
{
	for (guint i = 0; i < run->targets->len; i++) {
		const FoldTarget *target = &g_array_index(run->targets, FoldTarget, i);
		CallgrindLinesSource wanted = {.lines = lines, .column = target->column};
		if (!line_tally_takes_run(tally, target->profile, target->run, &wanted.side))
			continue;
		for (guint k = 0; k < run->dumps->len; k++)
			add_lines(fold, &g_array_index(run->dumps, FoldDump, k), &wanted, tally);
	}
}

LineCosts *callgrind_fold_line_costs(CallgrindFold *fold, const LineCostQuery *query)
{
	g_assert(fold->finished);
	g_autoptr(LineTally) tally = line_tally_new(fold->table, query);
	AddressLinesSource asked = {.child = fold->child, .frames = &fold->frames, .are_addresses = TRUE};
	asked.is_wanted = line_tally_wanted(tally, &asked.n_frames);
	g_autoptr(AddressLines) lines = address_lines_new(&asked);
	for (guint i = 0; i < fold->runs->len; i++)
		add_lines_of_run(fold, &g_array_index(fold->runs, FoldRun, i), lines, tally);
	LineCosts *costs = line_tally_finish(tally, fold->symbolizer, lines);
	costs->are_addresses = TRUE;
	return costs;
}
