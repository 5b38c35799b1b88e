/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/context/gatedrift.h"

#include "baselines/trend.h"
#include "compare/endings.h"
#include "compare/history/drift.h"
#include "core/git/repotags.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/words/wording.h"

/* Commits that are looked at for a release. */
#define RELEASE_WITHIN 5000

/* The commit that head is compared with. */
typedef struct {
	char *name, *sha; /* NULL = there is none */
} Anchor;

static void anchor_clear(Anchor *anchor)
{
	g_free(anchor->name);
	g_free(anchor->sha);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Anchor, anchor_clear)

static gboolean find_anchor(const Gate *gate, Anchor *anchor, GError **error)
{
	const char *named = gate->config->anchor, *base = gate->choices[SIDE_BASE].sha;
	guint64 n = 0;
	if (g_str_equal(named, CONFIG_ANCHOR_NONE))
		return TRUE;
	if (g_str_equal(named, CONFIG_ANCHOR_RELEASE))
		return repo_last_release(gate->repo, base, RELEASE_WITHIN, &anchor->name, &anchor->sha, error);
	anchor->name = g_ascii_string_to_unsigned(named, 10, 1, CONFIG_ANCHOR_MAX, &n, NULL)
	                       ? g_strdup_printf("%s commits before base", named)
	                       : g_strdup(named);
	return n > 0 ? repo_commits_back(gate->repo, base, (guint)n, &anchor->sha, error)
	             : repo_resolve(gate->repo, named, &anchor->sha, error);
}

/* The counts of head; NULL if there are none. */
static const Measurement *counted_head(const ResultBenchmark *row)
{
	if (engine_counts(row->engine))
		return row->head;
	for (guint i = 0; i < row->profiles->len; i++) {
		const ResultProfile *profile = row->profiles->pdata[i];
		if (profile->decides && engine_counts(profile->engine))
			return profile->head;
	}
	return NULL;
}

/* The stored counts of the anchor with most runs that compare with head's. */
static const Measurement *comparable(const GPtrArray *stored, const Measurement *head)
{
	const Measurement *best = NULL;
	for (guint i = 0; i < stored->len; i++) {
		const Measurement *one = stored->pdata[i];
		if ((best == NULL || measurement_n_runs(one) > measurement_n_runs(best)) &&
		        drift_is_comparable(one, head))
			best = one;
	}
	return best;
}

/* --- what is accepted of it --- */

/* The acceptance that is listed for the benchmark's counts; NULL if there is none. */
static const AcceptedRegression *accepted_counts(const ResultBenchmark *row)
{
	const GPtrArray *accepted = row->comparison->accepted;
	for (guint i = 0; accepted != NULL && i < accepted->len; i++) {
		const AcceptedRegression *regression = accepted->pdata[i];
		if (engine_counts(regression->engine))
			return regression;
	}
	return NULL;
}

/* Lists the drift as accepted, unless that is said of the counts already. */
static void accept_as_whole(const ResultBenchmark *row, Acceptance *whole, const Drift *drift, const char *text)
{
	whole->state = ACCEPTANCE_USED;
	if (accepted_counts(row) != NULL)
		return;
	AcceptedRegression *accepted = g_new0(AcceptedRegression, 1);
	accepted->name = g_strdup(drift->metric);
	accepted->engine = &engine_callgrind;
	accepted->text = g_strdup(text);
	accepted->reason = g_strdup(whole->reason);
	accepted->where = g_strdup(whole->where);
	benchmark_comparison_add_accepted(row->comparison, accepted);
}

/* The clause that says who accepted what the change adds; NULL if nobody did. Owned by the caller. */
static char *accept_drift(Gate *gate, const ResultBenchmark *row, const Drift *drift, const char *text)
{
	Acceptance *whole = acceptances_whole(gate->result->acceptances, row->name);
	if (whole != NULL)
		accept_as_whole(row, whole, drift, text);
	const AcceptedRegression *accepted = whole != NULL || drift->accepted ? accepted_counts(row) : NULL;
	return accepted == NULL ? NULL
	                        : g_strdup_printf("; what this change adds to it is accepted in %s: %s",
	                                  accepted->where, accepted->reason);
}

/* --- one metric --- */

static char *drift_text(const Gate *gate, const Anchor *anchor, const Drift *drift)
{
	g_autofree char *change = number_count_change(drift->change_ratio);
	g_autofree char *then = number_value(drift->anchor, "count"), *now = number_value(drift->head, "count");
	g_autofree char *margin = number_share(gate->config->drift_margin), *sha = wording_sha(anchor->sha);
	return g_strdup_printf("%s %s since %s (%s), from %s to %s: more than drift_margin, %s", drift->metric, change,
	        anchor->name, sha, then, now, margin);
}

static void report_drift(Gate *gate, const ResultBenchmark *row, const Anchor *anchor, const Drift *drift)
{
	g_autofree char *text = drift_text(gate, anchor, drift);
	gboolean would_gate = gate->config->gate_drift && drift->added;
	g_autofree char *accepted = would_gate ? accept_drift(gate, row, drift, text) : NULL;
	ending_drift(gate->result, row->name, drift, gate->config->gate_drift, text, accepted);
}

/* An anchor from before the project had a configuration is measured by that of today. */
static gboolean report_not_stored(Gate *gate, const char *benchmark, const Anchor *anchor, GError **error)
{
	g_autofree char *config = NULL;
	if (!repo_read_file(gate->repo, anchor->sha, CONFIG_FILE, &config, NULL, error))
		return FALSE;
	finding_add(gate->result->findings, FINDING_INFO, "anchor_not_stored", benchmark,
	        "drift since %s (%.12s) is unknown: no counts of that commit are stored that can be compared with "
	        "head's; if it builds and runs here, `firebreak run %s%.12s` makes them",
	        anchor->name, anchor->sha, config != NULL ? "" : "--config " CONFIG_FILE " ", anchor->sha);
	return TRUE;
}

static gboolean compare_anchor(
        Gate *gate, BaselineStore *store, const ResultBenchmark *row, const Anchor *anchor, GError **error)
{
	TrendWanted wanted = {.commit = anchor->sha, .benchmark = row->name};
	g_autoptr(GPtrArray) stored = trend_measurements(store, &wanted, gate->result->findings, error);
	if (stored == NULL)
		return FALSE;
	const Measurement *then = comparable(stored, counted_head(row));
	if (then == NULL)
		return report_not_stored(gate, row->name, anchor, error);
	DriftInput input = {.anchor = then, .comparison = row->comparison, .margin = gate->config->drift_margin};
	g_autoptr(GArray) drifts = drift_find(&input);
	for (guint i = 0; i < drifts->len; i++)
		report_drift(gate, row, anchor, &g_array_index(drifts, Drift, i));
	return TRUE;
}

static gboolean is_counted(const ResultBenchmark *row)
{
	return row->comparison != NULL && counted_head(row) != NULL;
}

static gboolean any_counted(const CheckResult *result)
{
	for (guint i = 0; i < result->benchmarks->len; i++)
		if (is_counted(result->benchmarks->pdata[i]))
			return TRUE;
	return FALSE;
}

static gboolean compare_all(Gate *gate, GError **error)
{
	g_auto(Anchor) anchor = {0};
	if (!find_anchor(gate, &anchor, error))
		return FALSE;
	/* base is compared with head in any case */
	if (anchor.sha == NULL || g_str_equal(anchor.sha, gate->choices[SIDE_BASE].sha))
		return TRUE;
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, NULL, error);
	for (guint i = 0; store != NULL && i < gate->result->benchmarks->len; i++) {
		const ResultBenchmark *row = gate->result->benchmarks->pdata[i];
		if (is_counted(row) && !compare_anchor(gate, store, row, &anchor, error))
			return FALSE;
	}
	return store != NULL;
}

void gate_drift(Gate *gate)
{
	g_autoptr(GError) error = NULL;
	if (!gate->two_sides || gate->request->mode != CHECK_GATE || gate->request->only_measured ||
	        !any_counted(gate->result) || g_str_equal(gate->choices[SIDE_BASE].sha, "worktree"))
		return;
	if (!compare_all(gate, &error))
		finding_add(gate->result->findings, FINDING_WARNING, "drift_unknown", NULL,
		        "drift of counts is unknown: %s", error->message);
}
