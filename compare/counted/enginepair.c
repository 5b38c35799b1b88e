/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/enginepair.h"

#include <math.h>
#include <string.h>

#include "compare/comparison/sentence.h"

const char *engine_pair_name(EnginePair pair)
{
	static const char *const names[] = {
	        [PAIR_UNKNOWN] = "unknown",
	        [PAIR_SAME] = "same",
	        [PAIR_MORE_WORK] = "more_work",
	        [PAIR_SLOWER_WORK] = "slower_work",
	        [PAIR_HIDDEN_WORK] = "hidden_work",
	        [PAIR_LESS_WORK] = "less_work",
	        [PAIR_FASTER_WORK] = "faster_work",
	        [PAIR_HIDDEN_SAVING] = "hidden_saving",
	        [PAIR_OPPOSED] = "opposed",
	};
	return names[pair];
}

typedef enum { WENT_DOWN, STAYED, WENT_UP, DIRECTIONS } Direction;

static const MetricComparison *find_metric(const GPtrArray *metrics, const char *name)
{
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (g_str_equal(metric->name, name))
			return metric;
	}
	return NULL;
}

/* TRUE if the metric has bounds on both sides, so that it says something. */
static gboolean is_known(const MetricComparison *metric)
{
	return metric != NULL && metric->verdict != VERDICT_ERROR && metric->lower_ratio > 0 &&
	       isfinite(metric->upper_ratio);
}

/* The metric of time to speak of: the first that is known. */
static const MetricComparison *time_of(const GPtrArray *metrics)
{
	static const char *const names[] = {"cycles", "task-clock", "wall"};
	const MetricComparison *metric = NULL;
	for (guint i = 0; i < G_N_ELEMENTS(names) && !is_known(metric); i++)
		metric = find_metric(metrics, names[i]);
	return metric;
}

static Direction direction_of(const MetricComparison *metric, double most_same)
{
	double most = 1 + MIN(metric->margin, most_same);
	if (metric->lower_ratio > 1 && metric->change_ratio > most)
		return WENT_UP;
	return metric->upper_ratio < 1 && metric->change_ratio * most < 1 ? WENT_DOWN : STAYED;
}

static EnginePair pair_of(const MetricComparison *counted, const MetricComparison *time)
{
	static const EnginePair pairs[DIRECTIONS][DIRECTIONS] = {
	        [WENT_DOWN] = {[WENT_DOWN] = PAIR_LESS_WORK, [STAYED] = PAIR_HIDDEN_SAVING, [WENT_UP] = PAIR_OPPOSED},
	        [STAYED] = {[WENT_DOWN] = PAIR_FASTER_WORK, [STAYED] = PAIR_SAME, [WENT_UP] = PAIR_SLOWER_WORK},
	        [WENT_UP] = {[WENT_DOWN] = PAIR_OPPOSED, [STAYED] = PAIR_HIDDEN_WORK, [WENT_UP] = PAIR_MORE_WORK},
	};
	if (!is_known(counted) || !is_known(time))
		return PAIR_UNKNOWN;
	return pairs[direction_of(counted, PAIR_SAME_WORK)][direction_of(time, PAIR_SAME_TIME)];
}

static const char *pair_meaning(EnginePair pair)
{
	static const char *const meanings[] = {
	        [PAIR_SAME] = "neither work nor time changed much",
	        [PAIR_MORE_WORK] = "more work is done, and it takes longer",
	        [PAIR_SLOWER_WORK] =
	                "the same work is done, but it takes longer: look at memory, layout and the environment",
	        [PAIR_HIDDEN_WORK] = "more work is done, but time did not rise measurably: waiting hides it, or it is "
	                             "too little to be seen in time",
	        [PAIR_LESS_WORK] = "less work is done, and it takes less time",
	        [PAIR_FASTER_WORK] =
	                "the same work is done in less time: memory, layout or the environment changed for the better",
	        [PAIR_HIDDEN_SAVING] = "less work is done, but time did not fall measurably: waiting hides it, or it "
	                               "is too little to be seen in time",
	        [PAIR_OPPOSED] = "work and time changed in opposite directions",
	};
	return meanings[pair];
}

static char *pair_text(EnginePair pair, const MetricComparison *counted, const MetricComparison *time)
{
	if (pair == PAIR_UNKNOWN)
		return NULL;
	g_autofree char *work = sentence_of_metric(counted), *takes = sentence_of_metric(time);
	return g_strdup_printf("%s (%s, %s)", pair_meaning(pair), work, takes);
}

/* A pass with something accepted is more to be told than a plain one. */
static guint gravity(const BenchmarkComparison *comparison)
{
	gboolean is_plain = comparison->verdict == VERDICT_PASS && comparison->accepted == NULL;
	return is_plain ? 0 : 1 + verdict_gravity(comparison->verdict);
}

gboolean engine_pair_abstains(const BenchmarkComparison *comparison)
{
	return comparison->verdict == VERDICT_ERROR && g_str_equal(comparison->reason_code, "zero_endpoints");
}

static gboolean both_regressed(const BenchmarkComparison *timed, const BenchmarkComparison *counted)
{
	return timed->verdict == VERDICT_REGRESSION && counted->verdict == VERDICT_REGRESSION;
}

static gboolean is_confirmed(const BenchmarkComparison *comparison)
{
	return comparison->confirmation == CONFIRMATION_CONFIRMED;
}

/* TRUE if the verdict is that of the counts. One that has nothing to judge decides nothing beside one that has, and a
 * regression of both rests on what was confirmed. */
static gboolean counts_lead(const BenchmarkComparison *timed, const BenchmarkComparison *counted)
{
	if (engine_pair_abstains(timed) || engine_pair_abstains(counted))
		return !engine_pair_abstains(counted);
	if (both_regressed(timed, counted))
		return is_confirmed(counted) && !is_confirmed(timed);
	return gravity(counted) > gravity(timed);
}

/* Follows what an engine says: tells what became of it where the other engine's regression fared otherwise; else "". */
static const char *mark_of(const BenchmarkComparison *comparison, const BenchmarkComparison *other)
{
	static const char *const marks[N_CONFIRMATIONS][2] = {
	        [CONFIRMATION_NOT_NEEDED] = {"", ""},
	        [CONFIRMATION_NOT_RUN] = {" (not measured a second time)", " (not counted a second time)"},
	        [CONFIRMATION_CONFIRMED] = {" (confirmed)", " (confirmed)"},
	        [CONFIRMATION_NOT_CONFIRMED] = {" (not confirmed)", " (not confirmed)"},
	        [CONFIRMATION_UNCLEAR] = {" (a second campaign was inconclusive)",
	                " (a second count was inconclusive)"},
	        [CONFIRMATION_PARTLY] = {"", ""},
	};
	gboolean alike =
	        comparison->confirmation == other->confirmation || other->confirmation == CONFIRMATION_NOT_NEEDED;
	return alike ? "" : marks[comparison->confirmation][comparison->counted ? 1 : 0];
}

/* The clause on the engine that does not lead: a regression beside another one by its metric alone, so that a function
 * that explains both is named once. */
static char *second_clause(const BenchmarkComparison *lead, const BenchmarkComparison *other)
{
	const MetricComparison *metric = most_telling_metric(other->metrics, VERDICT_REGRESSION);
	if (metric == NULL)
		metric = other->counted ? find_metric(other->metrics, "instructions") : time_of(other->metrics);
	return both_regressed(lead, other) && is_known(metric) ? sentence_of_metric(metric) : g_strdup(other->sentence);
}

static char *joined_sentence(const BenchmarkComparison *timed, const BenchmarkComparison *counted)
{
	gboolean leads = counts_lead(timed, counted);
	const BenchmarkComparison *lead = leads ? counted : timed, *other = leads ? timed : counted;
	if (engine_pair_abstains(other))
		return g_strdup(lead->sentence);
	g_autofree char *clause = second_clause(lead, other);
	/* where only one engine's regression stands, what became of it is said of the whole verdict */
	const char *mark = both_regressed(lead, other) ? mark_of(lead, other) : "";
	return g_strdup_printf("%s%s; %s%s", lead->sentence, mark, clause, mark_of(other, lead));
}

static const char *text_of(const BenchmarkComparison *comparison)
{
	return comparison->confirmation_text != NULL ? comparison->confirmation_text : "";
}

/* The outcome of the regressions of both engines, in words. Owned by the caller. */
static char *both_texts(const BenchmarkComparison *timed, const BenchmarkComparison *counted)
{
	if (is_confirmed(timed) && !is_confirmed(counted))
		return g_strdup_printf(
		        "time: %s; counts: not counted a second time: %s", text_of(timed), text_of(counted));
	if (is_confirmed(counted) && !is_confirmed(timed))
		return g_strdup_printf(
		        "counts: %s; time: not measured a second time: %s", text_of(counted), text_of(timed));
	if (strcmp(text_of(timed), text_of(counted)) == 0 || *text_of(counted) == '\0')
		return g_strdup(timed->confirmation_text);
	if (*text_of(timed) == '\0')
		return g_strdup(counted->confirmation_text);
	return g_strdup_printf("%s; %s", text_of(timed), text_of(counted));
}

/* Joins what was done to confirm the verdict of both: by the engine that it is of; of a regression of both, by each. */
static void join_confirmation(BenchmarkComparison *timed, const BenchmarkComparison *counted)
{
	if (both_regressed(timed, counted)) {
		char *text = both_texts(timed, counted);
		if (is_confirmed(timed) != is_confirmed(counted))
			timed->confirmation = CONFIRMATION_PARTLY;
		g_free(timed->confirmation_text);
		timed->confirmation_text = text;
	} else if (counts_lead(timed, counted)) {
		timed->confirmation = counted->confirmation;
		g_free(timed->confirmation_text);
		timed->confirmation_text = g_strdup(counted->confirmation_text);
	}
}

/* Joins what is slower though it does not fail the check; it is told of both engines. */
static void join_slower(BenchmarkComparison *timed, const BenchmarkComparison *counted)
{
	if (counted->slower == NULL)
		return;
	char *both = timed->slower != NULL ? g_strdup_printf("%s; by instructions %s", timed->slower, counted->slower)
	                                   : g_strdup_printf("by instructions %s", counted->slower);
	g_free(timed->slower);
	timed->slower = both;
}

static gboolean is_measured(const BenchmarkComparison *comparison)
{
	return comparison->verdict != VERDICT_ERROR || engine_pair_abstains(comparison);
}

void engine_pair_join(BenchmarkComparison *timed, const BenchmarkComparison *counted)
{
	const MetricComparison *instructions = find_metric(counted->metrics, "instructions");
	const MetricComparison *time = time_of(timed->metrics);
	timed->pair = PAIR_UNKNOWN;
	if (is_measured(timed) && is_measured(counted))
		timed->pair = pair_of(instructions, time);
	g_free(timed->pair_text);
	timed->pair_text = pair_text(timed->pair, instructions, time);
	char *sentence = joined_sentence(timed, counted);
	g_free(timed->sentence);
	timed->sentence = sentence;
	gboolean leads = counts_lead(timed, counted);
	join_slower(timed, counted);
	join_confirmation(timed, counted);
	if (leads)
		benchmark_comparison_decide(timed, counted->verdict, counted->reason_code, g_strdup(counted->reason));
	for (guint i = 0; i < counted->metrics->len; i++)
		g_ptr_array_add(timed->metrics, metric_comparison_copy(counted->metrics->pdata[i]));
	metric_comparisons_sort(timed->metrics);
	for (guint i = 0; counted->accepted != NULL && i < counted->accepted->len; i++)
		benchmark_comparison_add_accepted(timed, accepted_regression_copy(counted->accepted->pdata[i]));
}
