#include "gate/counted/gateexact.h"

#include "compare/confirmation.h"
#include "compare/counted/enginepair.h"
#include "compare/counted/exactbase.h"
#include "compare/sentence.h"
#include "gate/counted/gateexactadvice.h"
#include "gate/counted/gateexactbase.h"
#include "gate/counted/gateexactruns.h"

/* --- the verdict --- */

static void judge(GateExact *exact)
{
	ExactInput input = gate_exact_input(exact);
	g_clear_pointer(&exact->comparison, benchmark_comparison_free);
	exact->comparison = compare_exact(&input);
}

/* Too little evidence leaves alone what is certain all the same: more runs only make ranges wider. What is stored of
 * base makes nothing certain if it is not to be compared with head. */
static gboolean is_settled(const GateExact *exact)
{
	Verdict verdict = exact->comparison->verdict;
	guint more[N_SIDES];
	if (verdict == VERDICT_ERROR || exact->doubt != NULL)
		return verdict == VERDICT_ERROR;
	return verdict == VERDICT_REGRESSION || !gate_exact_lacks(exact, more);
}

/* Takes the reason. */
static void decide_open(GateExact *exact, const char *code, char *reason)
{
	GPtrArray *functions = exact->comparison->functions;
	benchmark_comparison_decide(exact->comparison, VERDICT_INCONCLUSIVE, code, reason);
	for (guint i = 0; i < functions->len; i++)
		((FunctionComparison *)functions->pdata[i])->gates = FALSE;
	sentence_renew(exact->comparison);
}

static const char *problem_of(const GateExact *exact)
{
	return exact->doubt != NULL ? exact->doubt : "the counts do not repeat";
}

static void judge_lack_of_time(GateExact *exact)
{
	guint more[N_SIDES] = {2, 0};
	if (is_settled(exact))
		return;
	if (exact->doubt == NULL)
		gate_exact_lacks(exact, more);
	double needed_s =
	        exact->counts.elapsed_s + gate_counts_expected_s(&exact->counts, more, gate_exact_run_s(exact));
	g_autofree char *runs = gate_exact_runs_text(more),
	                *needed = gate_time_needed(exact->gate, &exact->share, needed_s);
	decide_open(exact, "out_of_time",
	        g_strdup_printf(
	                "%s, and time ran out before they were made again (%s); %s", problem_of(exact), runs, needed));
}

static void judge_lack_of_base(GateExact *exact)
{
	if (!is_settled(exact))
		decide_open(exact, "base_not_built",
		        g_strdup_printf("%s, and base could not be built again to be counted: %s", problem_of(exact),
		                exact->gate->no_base));
}

static void judge_what_is_there(GateExact *exact, Counting counting)
{
	judge(exact);
	if (counting == COUNTING_OUT_OF_TIME)
		judge_lack_of_time(exact);
	if (counting == COUNTING_NO_BASE)
		judge_lack_of_base(exact);
}

/* --- a regression is counted once more --- */

/* What became of stored counts: a clause, or "". Owned by the caller. */
static char *base_text(const GateExact *exact)
{
	if (exact->same_as_stored)
		return g_strdup("base was counted again and is what was stored of it; ");
	if (exact->counts.replaced == NULL)
		return g_strdup("");
	guint runs = gate_counts_n_runs(&exact->counts, SIDE_BASE);
	return g_strdup_printf("base was counted anew, in %u run%s; ", runs, runs == 1 ? "" : "s");
}

static void note_confirmed(GateExact *exact)
{
	BenchmarkComparison *comparison = exact->comparison;
	gboolean repeats = comparison->unstable == NULL || comparison->unstable->len == 0;
	if (comparison->verdict != VERDICT_REGRESSION)
		return;
	g_autofree char *base = base_text(exact);
	confirmation_note_repeated(comparison,
	        g_strdup_printf("%shead was counted %u times, %s", base, gate_counts_n_runs(&exact->counts, SIDE_HEAD),
	                repeats ? "with the same result"
	                        : "and each time the change was larger than the spread between runs"));
	gate_progress(exact->gate, "%s: confirmed: %s", exact->work->benchmark->name, comparison->confirmation_text);
}

/* Head's only run is made again, and base is counted if that was only stored. */
static Counting count_once_more(GateExact *exact, GError **error)
{
	static const guint head_once[N_SIDES] = {0, 1};
	if (exact->counts.base_is_stored)
		return gate_exact_verify_base(exact, "a regression against stored counts", error);
	gate_progress(
	        exact->gate, "%s: a regression; head is counted once more to confirm it", exact->work->benchmark->name);
	return gate_exact_count(exact, head_once, error);
}

/* Why nothing was counted again. Owned by the caller. */
static char *why_not_again(const GateExact *exact, Counting counting)
{
	if (counting == COUNTING_NO_BASE)
		return g_strdup_printf("base could not be built again: %s", exact->gate->no_base);
	return g_strdup("there was no time for another run");
}

/* What is not the same again does not repeat, or is another base: then both sides are counted as often as that needs.
 */
static gboolean count_again(GateExact *exact, GError **error)
{
	gboolean was_stored = exact->counts.base_is_stored;
	Counting counting = count_once_more(exact, error);
	if (counting == COUNTING_FAILED)
		return FALSE;
	gboolean again = counting == COUNTING_DONE || (was_stored && !exact->counts.base_is_stored);
	if (!again) {
		confirmation_skip(exact->comparison, why_not_again(exact, counting));
		return TRUE;
	}
	if (counting == COUNTING_DONE)
		counting = gate_exact_count_rest(exact, error);
	if (counting == COUNTING_FAILED)
		return FALSE;
	judge_what_is_there(exact, counting);
	note_confirmed(exact);
	return TRUE;
}

static gboolean confirm(GateExact *exact, GError **error)
{
	const GateRequest *request = exact->gate->request;
	gboolean stored = exact->counts.base_is_stored;
	if (exact->comparison->verdict != VERDICT_REGRESSION)
		return TRUE;
	if (request->mode == CHECK_SELF_TEST)
		confirmation_skip(exact->comparison, g_strdup("the delay is known to be there"));
	else if (request->mode == CHECK_CALIBRATE)
		confirmation_skip(exact->comparison, g_strdup("false alarms are counted as they come"));
	else if (!stored && gate_counts_n_runs(&exact->counts, SIDE_HEAD) > 1)
		note_confirmed(exact);
	else if (request->no_confirm)
		confirmation_skip(exact->comparison, g_strdup("--no-confirm"));
	else
		return count_again(exact, error);
	return TRUE;
}

/* --- a change against stored counts --- */

/* A regression is confirmed instead, and an error is none that base could mend. */
static gboolean stands_on_stored(const GateExact *exact)
{
	Verdict verdict = exact->comparison->verdict;
	return exact->counts.base_is_stored && exact->doubt == NULL &&
	       (verdict == VERDICT_PASS || verdict == VERDICT_INCONCLUSIVE);
}

/* No pass rests on stored counts alone where head counts anything else than they do. */
static gboolean recheck_base(GateExact *exact, GError **error)
{
	g_autofree char *why = stands_on_stored(exact) ? exact_base_doubt(exact->comparison) : NULL;
	if (why == NULL)
		return TRUE;
	Counting counting = gate_exact_verify_base(exact, why, error);
	if (exact->counts.base_is_stored)
		exact->doubt = g_steal_pointer(&why);
	else
		gate_exact_note_recount(exact, why);
	if (counting == COUNTING_DONE)
		counting = gate_exact_count_rest(exact, error);
	if (counting == COUNTING_FAILED)
		return FALSE;
	judge_what_is_there(exact, counting);
	return TRUE;
}

static gboolean judge_and_confirm(GateExact *exact, GError **error)
{
	Counting counting = gate_exact_renew_base(exact, error);
	if (counting == COUNTING_DONE)
		counting = gate_exact_count_rest(exact, error);
	if (counting == COUNTING_FAILED)
		return FALSE;
	judge_what_is_there(exact, counting);
	return recheck_base(exact, error) && confirm(exact, error);
}

static gboolean judge_and_accept(GateExact *exact, GError **error)
{
	if (!judge_and_confirm(exact, error))
		return FALSE;
	ExactInput input = gate_exact_input(exact);
	acceptance_apply_exact(exact->gate->result->acceptances, &input, exact->comparison);
	return TRUE;
}

/* --- what becomes of it --- */

static gboolean store(const GateExact *exact, GError **error)
{
	Measurement *const *sides = exact->counts.measurements;
	const BenchmarkComparison *comparison = exact->comparison;
	if (comparison != NULL && comparison->verdict == VERDICT_ERROR && !engine_pair_abstains(comparison))
		return TRUE;
	if (gate_exact_base_source(exact) == BASE_MEASURED &&
	        !gate_base_put(exact->gate, sides[SIDE_BASE], exact->replaces, error))
		return FALSE;
	return gate_base_put(exact->gate, sides[SIDE_HEAD], FALSE, error);
}

/* The profile of what else was counted in the measurements `sides`; of stored counts there is only that of head. */
static void hand_over_profile(GateExact *exact, const Measurement *const sides[N_SIDES], CountedProfile counted)
{
	ResultProfile extra = {.event = (char *)counted_profile_name(counted), .engine = CONFIG_ENGINE_CALLGRIND};
	Measurement **kept[N_SIDES] = {&extra.base, &extra.head};
	for (int s = 0; s < N_SIDES; s++) {
		Profile **profile = &exact->counts.profiles[s][counted];
		if (*profile != NULL)
			*kept[s] = measurement_with_profile(sides[s], g_steal_pointer(profile));
	}
	if (extra.head == NULL)
		return;
	if (extra.base != NULL) {
		ExactInput input = gate_exact_input(exact);
		input.base = extra.base;
		input.head = extra.head;
		extra.comparison = compare_exact_shown(&input);
	}
	result_benchmark_add_profile(exact->work->row, &extra);
}

static void hand_over_alone(GateExact *exact)
{
	ResultBenchmark *row = exact->work->row;
	row->engine = CONFIG_ENGINE_CALLGRIND;
	row->comparison = g_steal_pointer(&exact->comparison);
	row->annotations = g_steal_pointer(&exact->annotations);
	row->base = g_steal_pointer(&exact->counts.measurements[SIDE_BASE]);
	row->head = g_steal_pointer(&exact->counts.measurements[SIDE_HEAD]);
	row->campaign.rounds = measurement_n_runs(row->head);
	row->campaign.retries = exact->counts.retries;
	row->campaign.layouts = 1;
	row->campaign.out_of_time = row->comparison != NULL && g_str_equal(row->comparison->reason_code, "out_of_time");
	row->campaign.elapsed_s = exact->counts.elapsed_s;
}

/* What has nothing to judge is shown beside what has. */
static void show_only(ResultProfile *profile)
{
	profile->decides = FALSE;
	benchmark_comparison_decide(
	        profile->comparison, VERDICT_PASS, "", g_strdup("no metric that callgrind counts gates"));
}

/* Beside what perf measured: the counts are a profile that decides, and the verdict is that of both. */
static void hand_over_joined(GateExact *exact)
{
	ResultBenchmark *row = exact->work->row;
	ResultProfile profile = {
	        .event = (char *)"instructions",
	        .engine = CONFIG_ENGINE_CALLGRIND,
	        .decides = TRUE,
	        .base = g_steal_pointer(&exact->counts.measurements[SIDE_BASE]),
	        .head = g_steal_pointer(&exact->counts.measurements[SIDE_HEAD]),
	        .comparison = g_steal_pointer(&exact->comparison),
	        .annotations = g_steal_pointer(&exact->annotations),
	};
	if (profile.comparison != NULL) {
		gboolean nothing = engine_pair_abstains(row->comparison);
		check_result_join(exact->gate->result, row, profile.comparison);
		if (!nothing && engine_pair_abstains(profile.comparison))
			show_only(&profile);
	}
	result_benchmark_add_profile(row, &profile);
}

static void hand_over(GateExact *exact)
{
	ResultBenchmark *row = exact->work->row;
	/* they live on in the row */
	const Measurement *const sides[N_SIDES] = {
	        exact->counts.measurements[SIDE_BASE], exact->counts.measurements[SIDE_HEAD]};
	row->base_source = gate_exact_base_source(exact);
	if (row->head == NULL)
		hand_over_alone(exact);
	else
		hand_over_joined(exact);
	for (int p = 0; p < N_COUNTED; p++)
		hand_over_profile(exact, sides, (CountedProfile)p);
}

static gboolean run_exact(GateExact *exact, GError **error)
{
	switch (gate_exact_count_first(exact, error)) {
	case COUNTING_FAILED:
		return FALSE;
	case COUNTING_OUT_OF_TIME:
		gate_report_no_time(exact->work, &exact->share, gate_exact_run_s(exact) * 2, "");
		return TRUE;
	case COUNTING_NO_BASE:
	case COUNTING_DONE:
		break;
	}
	gate_work_finding(exact->work, exact->counts.measurements[SIDE_BASE], exact->counts.measurements[SIDE_HEAD]);
	if (exact->gate->two_sides && !judge_and_accept(exact, error))
		return FALSE;
	exact->annotations = gate_counts_annotate(&exact->counts, exact->comparison);
	return store(exact, error);
}

static void advise(const GateExact *exact)
{
	if (exact->counts.findings != NULL)
		gate_add_findings(exact->gate, exact->counts.findings);
	if (exact->counts.measurements[SIDE_HEAD] != NULL)
		gate_exact_advise(exact->work, &exact->counts, exact->comparison);
}

gboolean gate_exact(const GateWork *work, const BudgetShare *share, GError **error)
{
	GateExact exact;
	gate_exact_init(&exact, work, share);
	GateBudget *budget = &work->gate->budget;
	gint64 begin_ns = work->gate->host->now_ns();
	gboolean ok = run_exact(&exact, error);
	double runs_s = exact.counts.elapsed_s;
	if (!config_uses_engine(work->benchmark, CONFIG_ENGINE_PERF))
		gate_budget_learn(budget, runs_s, gate_seconds_since(budget, begin_ns) - runs_s);
	advise(&exact);
	if (work->gate->two_sides ? exact.comparison != NULL : ok && exact.counts.measurements[SIDE_HEAD] != NULL)
		hand_over(&exact);
	gate_exact_clear(&exact);
	return ok;
}
