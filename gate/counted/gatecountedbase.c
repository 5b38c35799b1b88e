/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/counted/gatecountedbase.h"

#include "compare/counted/countedbase.h"
#include "core/cancel.h"
#include "core/error.h"
#include "gate/steps/gatetrees.h"

#include <string.h>

static const char *name_of(const GateCounted *job)
{
	return job->work->benchmark->name;
}

/* --- base is built after all --- */

/* A build that `--max-time` ended says nothing about base. */
static Counting note_no_base(Gate *gate, GError *failed, GError **error)
{
	gboolean is_build = g_error_matches(failed, FIREBREAK_ERROR, FIREBREAK_ERROR_BUILD);
	gboolean over = gate_budget_is_over(&gate->budget);
	gate_trees_clear_side(&gate->trees, SIDE_BASE);
	if (!is_build || !cancel_check(NULL)) {
		g_propagate_error(error, failed);
		return COUNTING_FAILED;
	}
	if (!over)
		gate->no_base = g_strndup(failed->message, strcspn(failed->message, "\n"));
	g_error_free(failed);
	return over ? COUNTING_OUT_OF_TIME : COUNTING_NO_BASE;
}

Counting gate_counted_prepare_base(GateCounted *job, const char *why, GError **error)
{
	Gate *gate = job->gate;
	TreesPlan plan = gate_trees_plan(gate);
	GError *failed = NULL;
	/* Another benchmark has found out already, and a build that fails once fails again. */
	if (gate->no_base != NULL)
		return COUNTING_NO_BASE;
	if (gate_time_is_over(gate, &job->share))
		return COUNTING_OUT_OF_TIME;
	gate_progress(gate, "%s: %s: base is counted", name_of(job), why);
	plan.wanted[SIDE_HEAD] = FALSE;
	if (gate_trees_as_built(&gate->trees, SIDE_BASE) != NULL ||
	        gate_trees_prepare(gate, &plan, &gate->trees, &failed))
		return COUNTING_DONE;
	return note_no_base(gate, failed, error);
}

/* --- other libraries or tools --- */

Counting gate_counted_renew_base(GateCounted *job, GError **error)
{
	static const guint base_twice[N_SIDES] = {2, 0};
	Measurement *const *sides = job->counts.measurements;
	if (!job->counts.base_is_stored)
		return COUNTING_DONE;
	g_autofree char *foreign = counted_base_foreign(sides[SIDE_BASE]->environment, sides[SIDE_HEAD]->environment);
	/* Head is counted by now, so what it loaded is known, and not only what it was linked with. */
	if (foreign == NULL)
		return COUNTING_DONE;
	finding_add(job->gate->result->findings, FINDING_INFO, "stored_base_foreign", name_of(job),
	        "the stored counts of base are not used, since they were made with %s", foreign);
	Counting counting =
	        gate_counted_prepare_base(job, "its stored counts were made with other libraries or tools", error);
	if (counting == COUNTING_DONE)
		counting = gate_counted_run(job, base_twice, error);
	job->replaces = !job->counts.base_is_stored;
	if (!job->replaces)
		job->doubt = g_strdup("base was stored with other libraries or tools");
	return counting;
}

/* --- once more --- */

static void judge_stored(GateCounted *job)
{
	const GateCounts *counts = &job->counts;
	g_autofree char *changes = counted_base_outdated(counts->replaced, counts->measurements[SIDE_BASE]);
	job->replaces = changes != NULL;
	if (changes != NULL)
		finding_add(job->gate->result->findings, FINDING_WARNING, "stored_base_outdated", name_of(job),
		        "the counts of base differ from the stored ones (%s): something changed that the fingerprint "
		        "does not record; the new counts replace the stored ones",
		        changes);
}

void gate_counted_note_recount(const GateCounted *job, const char *why)
{
	finding_add(job->gate->result->findings, FINDING_INFO, "stored_base_recounted", name_of(job),
	        "base was counted again, since %s; its counts are %s", why,
	        job->same_as_stored ? "as stored" : "not as stored");
}

Counting gate_counted_verify_base(GateCounted *job, const char *why, GError **error)
{
	static const guint base_once[N_SIDES] = {1, 0};
	GateCounts *counts = &job->counts;
	/* Head gets a second run at the same time: without it nothing shows that head repeats, and a regression
	 * would rest on one run. */
	const guint again[N_SIDES] = {1, gate_counts_n_runs(counts, SIDE_HEAD) > 1 ? 0 : 1};
	Counting counting = gate_counted_prepare_base(job, why, error);
	if (counting == COUNTING_DONE)
		counting = gate_counted_run(job, again, error);
	if (counting != COUNTING_DONE)
		return counting;
	job->same_as_stored = counted_base_is_same(counts->replaced, counts->measurements[SIDE_BASE]);
	if (job->same_as_stored)
		return COUNTING_DONE;
	/* Base differs from what was stored. One run cannot tell counts that do not repeat from a base that changed. */
	counting = gate_counted_run(job, base_once, error);
	if (counting == COUNTING_DONE)
		judge_stored(job);
	return counting;
}

Counting gate_counted_run_rest(GateCounted *job, GError **error)
{
	guint more[N_SIDES];
	Counting counting = COUNTING_DONE;
	while (counting == COUNTING_DONE && gate_counted_lacks(job, more)) {
		if (more[SIDE_BASE] > 0 && job->counts.base_is_stored) {
			more[SIDE_BASE] += gate_counts_n_runs(&job->counts, SIDE_BASE);
			counting = gate_counted_prepare_base(
			        job, "counts do not repeat, and there are too few stored ones of base", error);
		}
		if (counting == COUNTING_DONE)
			counting = gate_counted_run(job, more, error);
	}
	return counting;
}
