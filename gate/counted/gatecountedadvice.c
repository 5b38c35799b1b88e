/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/counted/gatecountedadvice.h"

#include "compare/counted/counted.h"
#include "gate/steps/gatework.h"
#include "model/numbers/number.h"

/* Above this share of instructions without their outermost callers, paths are worth a word. */
#define MUCH_CUT .05
/* A run under valgrind that takes longer holds up a change. */
#define LONG_RUN_S 60
#define MAX_NAMED 5

/* --- what does not repeat --- */

/* A function that does not repeat on both sides is named once, with its larger spread: the first in the list. An array
 * of UnstableFunction, owned by the caller. */
static GArray *unstable_functions(const BenchmarkComparison *comparison)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(UnstableFunction));
	for (guint i = 0; i < comparison->unstable->len; i++) {
		const UnstableFunction *function = &g_array_index(comparison->unstable, UnstableFunction, i);
		if (g_hash_table_add(seen, GUINT_TO_POINTER(function->frame.index)))
			g_array_append_vals(functions, function, 1);
	}
	return functions;
}

/* "hash_word of lexi (1200 to 1234), sort_rows of lexi (99 to 101), and 3 more" */
static char *names_text(const StackTable *table, const GArray *functions)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < MIN(functions->len, MAX_NAMED); i++) {
		const UnstableFunction *function = &g_array_index(functions, UnstableFunction, i);
		const char *module = stack_table_frame_module(table, function->frame);
		g_autofree char *lowest = number_counted(function->lowest, NULL);
		g_autofree char *highest = number_counted(function->highest, NULL);
		g_string_append_printf(text, "%s%s%s%s (%s to %s)", i > 0 ? ", " : "",
		        stack_table_frame_name(table, function->frame), *module != '\0' ? " of " : "", module, lowest,
		        highest);
	}
	if (functions->len > MAX_NAMED)
		g_string_append_printf(text, ", and %u more", functions->len - MAX_NAMED);
	return g_string_free(text, FALSE);
}

/* Only what keeps the verdict open has to be pinned. */
static void unstable_finding(const GateWork *work, const GateCounts *counts, const BenchmarkComparison *comparison)
{
	gboolean open = comparison->verdict == VERDICT_INCONCLUSIVE;
	gboolean threaded = counts->facts[SIDE_BASE].threaded || counts->facts[SIDE_HEAD].threaded;
	g_autoptr(GArray) functions = unstable_functions(comparison);
	g_autofree char *names = names_text(comparison->table, functions);
	gboolean one = functions->len == 1;
	finding_add(work->gate->result->findings, open ? FINDING_WARNING : FINDING_INFO, "counts_differ",
	        work->benchmark->name,
	        "%u function%s differ%s in runs of the same program: %s. To pin them: %sa fixed seed, no time, process "
	        "id or address in the data, PYTHONHASHSEED=0 for Python",
	        functions->len, one ? "" : "s", one ? "s" : "", names,
	        threaded ? "one thread instead of several, or MALLOC_ARENA_MAX=1, " : "");
}

/* Compares one side with itself, which shows only what does not repeat. */
static BenchmarkComparison *compare_with_itself(const Measurement *measurement, const GPtrArray *policies)
{
	const CountedInput input = {.base = measurement, .head = measurement, .policies = policies};
	return compare_counted(&input);
}

static void repeat_findings(const GateWork *work, const GateCounts *counts, const BenchmarkComparison *comparison)
{
	if (comparison->unstable != NULL && comparison->unstable->len > 0)
		unstable_finding(work, counts, comparison);
	else if (work->gate->request->mode == CHECK_CALIBRATE && comparison->verdict != VERDICT_ERROR)
		finding_add(work->gate->result->findings, FINDING_INFO, "counts_repeat", work->benchmark->name,
		        "all %u functions have the same counts in all %u runs: nothing depends on chance here, so "
		        "there is nothing to calibrate",
		        comparison->functions->len,
		        gate_counts_n_runs(counts, SIDE_BASE) + gate_counts_n_runs(counts, SIDE_HEAD));
}

/* --- what is not seen --- */

static void cut_finding(const GateWork *work, const CountsFacts *head)
{
	g_autofree char *share = number_about(head->cut_share);
	if (head->cut_share > MUCH_CUT)
		finding_add(work->gate->result->findings, FINDING_INFO, "cut_call_paths", work->benchmark->name,
		        "for %s of the instructions only the %u innermost callers are known: raise `call_depth` "
		        "to see whole paths, which takes memory and time",
		        share, work->benchmark->call_depth);
}

static void long_run_finding(const GateWork *work, const CountsFacts *head)
{
	g_autofree char *time = number_duration(head->wall_s);
	if (head->wall_s > LONG_RUN_S)
		finding_add(work->gate->result->findings, FINDING_INFO, "slow_under_valgrind", work->benchmark->name,
		        "a run takes %s under valgrind: counts repeat, so a tenth of the work tells as much", time);
}

/* TRUE if any function of head may be built from the checkout. */
static gboolean runs_own_code(const GateCounts *counts)
{
	const Profile *profile = counts->measurements[SIDE_HEAD]->profile;
	guint n_frames = 0, n_runs = profile_n_runs(profile);
	g_autofree ProfileCell *self = profile_self_by_frame(profile, &n_frames);
	for (guint i = 0; i < n_frames; i++) {
		const FrameId frame = {i};
		FrameKind kind = stack_table_get_frame(counts->table, frame)->kind;
		gboolean is_function = kind == FRAME_USER || kind == FRAME_INLINED;
		gboolean ran = n_runs > 0 && self[(gsize)i * n_runs].weight > 0;
		if (ran && is_function && !code_facts_is_outside(counts->code, frame))
			return TRUE;
	}
	return FALSE;
}

static void outside_finding(const GateWork *work, const GateCounts *counts)
{
	if (work->gate->two_sides && !runs_own_code(counts))
		gate_outside_finding(work->gate->result->findings, work->benchmark->name);
}

void gate_counted_advise(const GateWork *work, const GateCounts *counts, const BenchmarkComparison *comparison)
{
	const CountsFacts *head = &counts->facts[SIDE_HEAD];
	g_autoptr(GPtrArray) policies = policy_counted_metrics(work->benchmark);
	g_autoptr(BenchmarkComparison) alone = NULL;
	if (!work->gate->two_sides)
		comparison = alone = compare_with_itself(counts->measurements[SIDE_HEAD], policies);
	if (comparison != NULL)
		repeat_findings(work, counts, comparison);
	outside_finding(work, counts);
	cut_finding(work, head);
	long_run_finding(work, head);
}
