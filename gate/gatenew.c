/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/gatenew.h"

#include "compare/endings.h"
#include "core/cancel.h"
#include "core/error.h"
#include "gate/gatebenchmark.h"
#include "gate/steps/gatefiles.h"
#include "gate/steps/gateprobe.h"
#include "gate/steps/gatetrees.h"
#include "gate/steps/gatework.h"

#include <string.h>

static gboolean prepare(Gate *gate, gboolean base, gboolean head, GError **error)
{
	TreesPlan plan = gate_trees_plan(gate);
	plan.wanted[SIDE_BASE] = base;
	plan.wanted[SIDE_HEAD] = head;
	gate_trees_clear(&gate->trees);
	return gate_trees_prepare(gate, &plan, &gate->trees, error);
}

/* A failed build ends with the last lines that it wrote, and a line of progress is a single line. */
static void tell_lines(const Gate *gate, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		if (**line != '\0')
			gate_progress(gate, "%s", *line);
}

/* Builds both sides, or head alone where base does not build: *lacks says why then. Base is tried by itself, since an
 * error of both does not say whose it is; its build is in the cache when both are wanted. */
static gboolean prepare_sides(Gate *gate, char **lacks, GError **error)
{
	g_autoptr(GError) failed = NULL;
	/* base, too, is built by a command that head may have changed */
	if (!build_cache_distrust(gate->cache, error))
		return FALSE;
	if (prepare(gate, TRUE, FALSE, &failed))
		return prepare(gate, TRUE, TRUE, error);
	/* Only a build that fails for reasons of its own shows that base lacks something. */
	if (gate_budget_is_over(&gate->budget) || !g_error_matches(failed, FIREBREAK_ERROR, FIREBREAK_ERROR_BUILD) ||
	        !cancel_check(NULL)) {
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	*lacks = g_strdup_printf(
	        "base cannot be built for it (%.*s)", (int)strcspn(failed->message, "\n"), failed->message);
	tell_lines(gate, failed->message);
	return prepare(gate, FALSE, TRUE, error);
}

/* Measures head alone. A head that fails is an error as anywhere else. */
static gboolean measure_head(Gate *gate, guint index, const char *lacks)
{
	guint reasons = gate->result->reasons->len;
	const char *name = ((const ConfigBenchmark *)gate->config->benchmarks->pdata[index])->name;
	gate_progress(gate, "%s: %s: head alone is measured", name, lacks);
	/* The benchmark is measured as `run` measures it, with base put aside, so that nothing is tried there. The
	 * others of this check still have two sides. */
	Side *base = g_steal_pointer(&gate->trees.sides[SIDE_BASE]);
	gate->two_sides = FALSE;
	gboolean go_on = gate_benchmark(gate, index);
	gate->two_sides = TRUE;
	gate->trees.sides[SIDE_BASE] = base;
	ResultBenchmark *row = gate->result->benchmarks->pdata[gate->result->benchmarks->len - 1];
	if (row->head != NULL && gate->result->reasons->len == reasons)
		ending_nothing_to_compare(gate->result, row, lacks, gate->incomplete);
	gate_settle_no_time(gate, row);
	return go_on;
}

/* Takes back what a benchmark left in the result that base turned out not to be able to run. */
static void take_back(Gate *gate, guint reasons)
{
	GPtrArray *rows = gate->result->benchmarks;
	g_ptr_array_set_size(gate->result->reasons, (int)reasons);
	g_ptr_array_set_size(rows, (int)rows->len - 1);
}

static gboolean measure_both(Gate *gate, guint index)
{
	const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[index];
	guint reasons = gate->result->reasons->len;
	gboolean no_folder = gate_lacks_folder(gate, benchmark, SIDE_BASE);
	gboolean go_on = no_folder || gate_benchmark(gate, index);
	/* No reason was added: both sides were judged, and nothing speaks against base. */
	if (!go_on || (!no_folder && gate->result->reasons->len == reasons))
		return go_on;
	g_autofree char *failure = gate_probe(gate, benchmark, SIDE_BASE);
	/* Base can run it, so what failed is a fault like that of any other benchmark, and its reason stays. */
	if (failure == NULL)
		return TRUE;
	const char *remedy =
	        benchmark->files == NULL ? "; `files` in its entry names what base is to get from head" : "";
	g_autofree char *lacks = g_strdup_printf("base cannot run it (%s)%s", failure, remedy);
	if (!no_folder)
		take_back(gate, reasons);
	return measure_head(gate, index, lacks);
}

gboolean gate_new_benchmarks(Gate *gate, guint first, GError **error)
{
	g_autofree char *lacks = NULL;
	gboolean go_on = TRUE;
	if (!gate_files_lay_new(gate, error) || !prepare_sides(gate, &lacks, error))
		return FALSE;
	gate_read_change(gate);
	for (guint i = first; go_on && i < gate->config->benchmarks->len; i++)
		go_on = lacks != NULL ? measure_head(gate, i, lacks) : measure_both(gate, i);
	return go_on;
}
