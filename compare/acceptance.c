/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/acceptance.h"

#include <string.h>

#include "compare/acceptedrest.h"
#include "compare/comparison/complaints.h"
#include "compare/comparison/judgement.h"
#include "compare/comparison/sentence.h"
#include "compare/timed/waiting.h"
#include "model/engine.h"

#define BENCHMARK_NAME_MAX 64

const char *acceptance_source_name(AcceptanceSource source)
{
	return source == ACCEPTANCE_BY_CONFIG ? "config" : "trailer";
}

const char *acceptance_state_name(AcceptanceState state)
{
	static const char *const names[] = {
	        [ACCEPTANCE_UNUSED] = "unused",
	        [ACCEPTANCE_USED] = "used",
	        [ACCEPTANCE_FORBIDDEN] = "forbidden",
	        [ACCEPTANCE_UNKNOWN_BENCHMARK] = "unknown_benchmark",
	        [ACCEPTANCE_NO_REASON] = "no_reason",
	        [ACCEPTANCE_UNNAMED] = "unnamed",
	        [ACCEPTANCE_EXPIRED] = "expired",
	        [ACCEPTANCE_SPENT] = "spent",
	};
	return names[state];
}

void acceptance_free(Acceptance *acceptance)
{
	if (acceptance == NULL)
		return;
	g_free(acceptance->where);
	g_free(acceptance->sha);
	g_free(acceptance->benchmark);
	g_free(acceptance->function);
	g_free(acceptance->until);
	g_free(acceptance->reason);
	g_free(acceptance);
}

char *acceptance_scope(const Acceptance *acceptance)
{
	const char *any = acceptance->state == ACCEPTANCE_UNNAMED ? "no benchmark" : "any benchmark";
	GString *text = g_string_new(acceptance->benchmark != NULL ? acceptance->benchmark : any);
	if (acceptance->function != NULL)
		g_string_append_printf(text, ", function %s", acceptance->function);
	if (acceptance->until != NULL)
		g_string_append_printf(text, ", until %s", acceptance->until);
	return g_string_free(text, FALSE);
}

Acceptance *acceptance_copy(const Acceptance *acceptance)
{
	Acceptance *copy = g_memdup2(acceptance, sizeof *acceptance);
	copy->where = g_strdup(acceptance->where);
	copy->sha = g_strdup(acceptance->sha);
	copy->benchmark = g_strdup(acceptance->benchmark);
	copy->function = g_strdup(acceptance->function);
	copy->until = g_strdup(acceptance->until);
	copy->reason = g_strdup(acceptance->reason);
	return copy;
}

void acceptance_note_unused(const Acceptance *acceptance, FindingList *findings)
{
	g_autofree char *scope = acceptance_scope(acceptance);
	finding_add(findings, FINDING_INFO, "acceptance_unused", NULL,
	        "%s accepts regressions (%s), and accepted none: %s", acceptance->where, scope, acceptance->reason);
}

/* The length of the word before ": " if it can be the name of a benchmark, or is the star for all of them; else 0. */
static gsize scope_length(const char *value)
{
	gsize word = strspn(value, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-");
	word = word == 0 && *value == '*' ? 1 : word;
	gboolean ends = value[word] == ':' && (value[word + 1] == ' ' || value[word + 1] == '\0');
	return word <= BENCHMARK_NAME_MAX && ends ? word : 0;
}

Acceptance *acceptance_of_trailer(const char *sha, const char *value)
{
	gsize scope = scope_length(value);
	Acceptance *acceptance = g_new0(Acceptance, 1);
	acceptance->source = ACCEPTANCE_BY_TRAILER;
	acceptance->where = g_strdup_printf("commit %.12s", sha);
	acceptance->sha = g_strdup(sha);
	acceptance->benchmark = scope > 0 && *value != '*' ? g_strndup(value, scope) : NULL;
	acceptance->reason = g_strstrip(g_strdup(scope > 0 ? value + scope + 1 : value));
	acceptance->is_unnamed = scope == 0;
	acceptance->is_new = TRUE;
	return acceptance;
}

static gboolean begins_like_a_word(const char *text)
{
	return g_ascii_isalnum(*text) || (guchar)*text >= 0x80;
}

/* TRUE if a text is a reason and nothing else: some words, of which none looks like a name that is written wrongly
 * ("count:why", "count, words: why", "count - why"), and no single one ("no"). */
static gboolean is_plain_reason(const char *text, const char *benchmark)
{
	g_auto(GStrv) words = g_strsplit(text, " ", 3);
	return strchr(text, ':') == NULL && words[0] != NULL && words[1] != NULL && begins_like_a_word(words[0]) &&
	       begins_like_a_word(words[1]) && g_ascii_strcasecmp(words[0], benchmark) != 0;
}

/* A reason without a name is for the only benchmark, if there is just one. */
static gboolean take_only_benchmark(Acceptance *acceptance, const char *benchmark)
{
	if (benchmark == NULL || !is_plain_reason(acceptance->reason, benchmark))
		return FALSE;
	acceptance->benchmark = g_strdup(benchmark);
	acceptance->is_unnamed = FALSE;
	return TRUE;
}

void acceptance_examine(Acceptance *acceptance, const AcceptanceFacts *facts)
{
	acceptance->state = ACCEPTANCE_UNUSED;
	if (!facts->allowed)
		acceptance->state = ACCEPTANCE_FORBIDDEN;
	else if (!facts->knows_benchmark)
		acceptance->state = ACCEPTANCE_UNKNOWN_BENCHMARK;
	else if (*acceptance->reason == '\0')
		acceptance->state = ACCEPTANCE_NO_REASON;
	else if (acceptance->is_unnamed && !take_only_benchmark(acceptance, facts->only_benchmark))
		acceptance->state = ACCEPTANCE_UNNAMED;
	else if (acceptance->until != NULL && facts->head_time_s >= facts->until_end_s)
		acceptance->state = ACCEPTANCE_EXPIRED;
	else if (acceptance->until == NULL && !acceptance->is_new)
		acceptance->state = ACCEPTANCE_SPENT;
}

static gboolean is_for(const Acceptance *acceptance, const char *benchmark)
{
	gboolean in_force = acceptance->state == ACCEPTANCE_UNUSED || acceptance->state == ACCEPTANCE_USED;
	return in_force && !acceptance->is_unnamed &&
	       (acceptance->benchmark == NULL || g_str_equal(acceptance->benchmark, benchmark));
}

gboolean acceptances_concern(const GPtrArray *acceptances, const char *benchmark)
{
	for (guint i = 0; i < acceptances->len; i++)
		if (is_for(acceptances->pdata[i], benchmark))
			return TRUE;
	return FALSE;
}

/* The first one of that benchmark for that function, or for whatever regressed if it is NULL; or NULL. */
static Acceptance *find_acceptance(const GPtrArray *acceptances, const char *benchmark, const char *function)
{
	for (guint i = 0; i < acceptances->len; i++) {
		Acceptance *acceptance = acceptances->pdata[i];
		if (is_for(acceptance, benchmark) && g_strcmp0(acceptance->function, function) == 0)
			return acceptance;
	}
	return NULL;
}

Acceptance *acceptances_whole(const GPtrArray *acceptances, const char *benchmark)
{
	return find_acceptance(acceptances, benchmark, NULL);
}

/* --- one comparison --- */

typedef struct {
	const GPtrArray *acceptances;
	const CompareInput *timed; /* one of the two, the other NULL */
	const CountedInput *counted;
	BenchmarkComparison *comparison;
	Acceptance *whole;              /* accepts everything; or NULL */
	GPtrArray *risen;               /* of FunctionComparison: named ones that rose; borrowed */
	const MetricComparison *failed; /* the first that is not covered, or NULL */
	const MetricComparison *open;   /* the first whose rest cannot be told, or NULL */
	char *failed_rest, *open_rest;  /* what is left of them, or why; NULL = not known */
} Accepting;

static void clear_accepting(Accepting *accepting)
{
	g_ptr_array_unref(accepting->risen);
	g_free(accepting->failed_rest);
	g_free(accepting->open_rest);
}

static const char *name_of(const Accepting *accepting, const FunctionComparison *f)
{
	return stack_table_frame_name(accepting->comparison->table, f->frame);
}

/* The acceptance that names a function, or NULL. */
static Acceptance *named(const Accepting *accepting, const FunctionComparison *f)
{
	return find_acceptance(accepting->acceptances, accepting->comparison->benchmark, name_of(accepting, f));
}

/* Takes the text over. */
static void note(
        const Accepting *accepting, Acceptance *by, const MetricComparison *metric, const char *name, char *text)
{
	AcceptedRegression *accepted = g_new0(AcceptedRegression, 1);
	const Engine *sampled = engine_that(accepting->counted != NULL);
	accepted->is_function = metric == NULL;
	accepted->name = g_strdup(name);
	accepted->engine = metric != NULL ? metric->engine : sampled;
	accepted->text = text;
	accepted->reason = g_strdup(by->reason);
	accepted->where = g_strdup(by->where);
	benchmark_comparison_add_accepted(accepting->comparison, accepted);
	by->state = ACCEPTANCE_USED;
}

static gboolean would_gate(const FunctionComparison *f)
{
	return f->gates || f->excused;
}

static void find_risen(Accepting *accepting)
{
	const GPtrArray *functions = accepting->comparison->functions;
	for (guint i = 0; i < functions->len; i++) {
		FunctionComparison *f = functions->pdata[i];
		gboolean rose = would_gate(f) || f->klass == FUNCTION_REGRESSION || f->klass == FUNCTION_NEW;
		if (rose && f->contribution > 0 && named(accepting, f) != NULL)
			g_ptr_array_add(accepting->risen, f);
	}
}

/* --- metrics --- */

static MetricComparison *rest_of(const Accepting *accepting, const MetricComparison *metric)
{
	if (accepting->risen->len == 0)
		return NULL;
	return accepting->counted != NULL ? accepted_rest_counted(accepting->counted, metric, accepting->risen)
	                                  : accepted_rest(accepting->timed, metric, accepting->risen);
}

/* "hash_word", "hash_word and 2 more" */
static char *risen_names(const Accepting *accepting)
{
	const char *first = name_of(accepting, accepting->risen->pdata[0]);
	guint more = accepting->risen->len - 1;
	return more == 0 ? g_strdup(first) : g_strdup_printf("%s and %u more", first, more);
}

/* Keeps the first metric that is not covered, in one of the two kinds. Takes the text. */
static void keep(const MetricComparison **kept, char **rest, const MetricComparison *metric, char *text)
{
	if (*kept != NULL) {
		g_free(text);
		return;
	}
	*kept = metric;
	*rest = text;
}

static void accept_by_rest(Accepting *accepting, MetricComparison *metric)
{
	g_autoptr(MetricComparison) rest = rest_of(accepting, metric);
	if (rest == NULL) {
		keep(&accepting->failed, &accepting->failed_rest, metric, NULL);
		return;
	}
	metric->rest_ratio = rest->change_ratio;
	g_autofree char *left = sentence_of_metric(rest), *names = risen_names(accepting);
	char *text = g_strdup_printf("without %s it is %s", names, left);
	if (rest->verdict == VERDICT_PASS) {
		g_autofree char *all = sentence_of_metric(metric), *without = text;
		metric->accepted = TRUE;
		note(accepting, named(accepting, accepting->risen->pdata[0]), metric, metric->name,
		        g_strdup_printf("%s; %s", all, without));
	} else if (rest->verdict == VERDICT_REGRESSION) {
		keep(&accepting->failed, &accepting->failed_rest, metric, text);
	} else {
		keep(&accepting->open, &accepting->open_rest, metric, text);
	}
}

/* Notes that a metric may be part of a drift although it passes. */
static void note_rest(const Accepting *accepting, MetricComparison *metric)
{
	g_autoptr(MetricComparison) rest = accepting->counted != NULL ? rest_of(accepting, metric) : NULL;
	if (rest != NULL)
		metric->rest_ratio = rest->change_ratio;
}

static void accept_metrics(Accepting *accepting)
{
	const GPtrArray *metrics = accepting->comparison->metrics;
	for (guint i = 0; i < metrics->len; i++) {
		MetricComparison *metric = metrics->pdata[i];
		if (!metric->gates)
			continue;
		if (metric->verdict != VERDICT_REGRESSION) {
			note_rest(accepting, metric);
			continue;
		}
		if (accepting->whole == NULL) {
			accept_by_rest(accepting, metric);
			continue;
		}
		metric->accepted = TRUE;
		note(accepting, accepting->whole, metric, metric->name, sentence_of_metric(metric));
	}
}

/* --- functions --- */

static char *function_text(const Accepting *accepting, const FunctionComparison *f)
{
	if (f->sentence != NULL)
		return g_strdup(f->sentence);
	return accepting->counted != NULL ? sentence_of_counted_function(accepting->comparison->table, f)
	                                  : sentence_of_function(accepting->comparison->table, f);
}

/* Accepts functions. One that is excused is the consequence of one that gates. Where everything is accepted it need
 * not be named; else it is beyond what was accepted. Code that is the same on both sides fails nothing once no total
 * does. */
static void accept_functions(Accepting *accepting)
{
	const GPtrArray *functions = accepting->comparison->functions;
	for (guint i = 0; i < functions->len; i++) {
		FunctionComparison *f = functions->pdata[i];
		if (!would_gate(f) || (accepting->whole != NULL && !f->gates))
			continue;
		Acceptance *by = named(accepting, f);
		by = by != NULL ? by : accepting->whole;
		gboolean alone = by == NULL && accepting->failed == NULL && f->code == CODE_SAME;
		f->accepted = by != NULL;
		f->gates = by == NULL && !alone;
		f->held = alone ? FUNCTION_HELD_BY_CODE : FUNCTION_NOT_HELD;
		f->excused = FALSE;
		if (by != NULL)
			note(accepting, by, NULL, name_of(accepting, f), function_text(accepting, f));
	}
}

/* --- what is left --- */

static gboolean is_contaminated(const Accepting *accepting)
{
	return accepting->timed != NULL && accepting->timed->contaminated;
}

/* TRUE if counts that do not repeat were made too seldom for what else there may be. */
static gboolean needs_runs(const Accepting *accepting)
{
	if (accepting->counted == NULL)
		return FALSE;
	guint base = measurement_n_runs(accepting->counted->base), head = measurement_n_runs(accepting->counted->head);
	CountedRuns needed = counted_runs_needed(accepting->counted);
	return needed.base == COUNTED_NOISY_RUNS && (base < needed.base || head < needed.head);
}

static void decide_failed(Accepting *accepting)
{
	const MetricComparison *metric = accepting->failed;
	const char *rest = accepting->failed_rest != NULL ? accepting->failed_rest
	                                                  : "costs of functions are not a part of this metric, so it "
	                                                    "can be accepted for the whole benchmark only";
	benchmark_comparison_decide(accepting->comparison, VERDICT_REGRESSION, "regression",
	        g_strdup_printf("%s regressed beyond what is accepted: %s; %s", metric->name, metric->reason, rest));
}

/* Sets the verdict if something still makes it a regression. */
static gboolean decide_regression(Accepting *accepting)
{
	BenchmarkComparison *comparison = accepting->comparison;
	const FunctionComparison *function = gating_function(comparison->functions);
	if (accepting->failed != NULL) {
		decide_failed(accepting);
	} else if (function != NULL) {
		g_autofree char *text = function_text(accepting, function);
		benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "function_regression",
		        g_strdup_printf("a function costs more beyond what is accepted: %s", text));
	} else {
		return FALSE;
	}
	return TRUE;
}

/* Takes the reason over. */
static gboolean decide_open(Accepting *accepting, const char *code, char *reason)
{
	benchmark_comparison_decide(accepting->comparison, VERDICT_INCONCLUSIVE, code, reason);
	return TRUE;
}

/* Sets the verdict if a metric keeps it from passing. */
static gboolean decide_open_metric(Accepting *accepting)
{
	const MetricComparison *open = most_telling_metric(accepting->comparison->metrics, VERDICT_INCONCLUSIVE);
	if (accepting->comparison->waits_too_long)
		return decide_open(accepting, "waits_more", waiting_objection(&accepting->comparison->waiting));
	if (is_contaminated(accepting))
		return decide_open(accepting, "contaminated",
		        g_strdup("a regression is accepted, but nothing else is known to pass: the control program, "
		                 "which is the same on both sides, took different times"));
	if (accepting->open != NULL)
		return decide_open(accepting, "acceptance_unclear",
		        g_strdup_printf("it is not known whether %s regressed beyond what is accepted: %s",
		                accepting->open->name, accepting->open_rest));
	return open != NULL && decide_open(accepting, judgement_open_code(open),
	                               g_strdup_printf("a regression is accepted, but %s is not known to pass: %s",
	                                       open->name, open->reason));
}

/* Sets the verdict if a function keeps it from passing. */
static gboolean decide_open_function(Accepting *accepting)
{
	return needs_runs(accepting) &&
	       decide_open(accepting, "too_few_rounds",
	               g_strdup_printf("a regression is accepted, but counts that do not repeat need %d runs of each "
	                               "side to tell what else regressed",
	                       COUNTED_NOISY_RUNS));
}

/* Sets the verdict if there is more than what is accepted. */
static gboolean decide_rest(Accepting *accepting)
{
	return decide_regression(accepting) || decide_open_metric(accepting) || decide_open_function(accepting);
}

/* Lets the benchmark pass. The text on the regression stays, with who accepted it. */
static void pass(Accepting *accepting)
{
	BenchmarkComparison *comparison = accepting->comparison;
	const AcceptedRegression *first = comparison->accepted->pdata[0];
	char *sentence = g_strdup_printf("%s; accepted in %s: %s", comparison->sentence, first->where, first->reason);
	g_free(comparison->sentence);
	comparison->sentence = sentence;
	benchmark_comparison_decide(comparison, VERDICT_PASS, "accepted",
	        g_strdup_printf(
	                "every gating metric passes but for what is accepted in %s: %s", first->where, first->reason));
}

/* A head that prints an error may leave out work; the regression that was accepted, or refuted since, had hidden that.
 */
static void judge_complaints(const Accepting *accepting)
{
	const Measurement *base = accepting->timed != NULL ? accepting->timed->base : accepting->counted->base;
	const Measurement *head = accepting->timed != NULL ? accepting->timed->head : accepting->counted->head;
	complaints_judge(base, head, accepting->comparison);
	if (accepting->comparison->verdict == VERDICT_ERROR)
		sentence_renew(accepting->comparison);
}

static gboolean is_concerned(const Accepting *accepting)
{
	const BenchmarkComparison *comparison = accepting->comparison;
	return comparison->verdict == VERDICT_REGRESSION &&
	       acceptances_concern(accepting->acceptances, comparison->benchmark);
}

static void accept_all(Accepting *accepting)
{
	BenchmarkComparison *comparison = accepting->comparison;
	accepting->risen = g_ptr_array_new();
	accepting->whole = acceptances_whole(accepting->acceptances, comparison->benchmark);
	find_risen(accepting);
	if (accepting->whole != NULL || accepting->risen->len > 0) {
		accept_metrics(accepting);
		accept_functions(accepting);
		if (decide_rest(accepting))
			sentence_renew(comparison);
		else if (comparison->accepted != NULL)
			pass(accepting);
	}
	clear_accepting(accepting);
}

static void apply(Accepting *accepting)
{
	if (is_concerned(accepting))
		accept_all(accepting);
	judge_complaints(accepting);
}

void acceptance_apply(const GPtrArray *acceptances, const CompareInput *input, BenchmarkComparison *comparison)
{
	Accepting accepting = {.acceptances = acceptances, .timed = input, .comparison = comparison};
	apply(&accepting);
}

void acceptance_apply_counted(const GPtrArray *acceptances, const CountedInput *input, BenchmarkComparison *comparison)
{
	Accepting accepting = {.acceptances = acceptances, .counted = input, .comparison = comparison};
	apply(&accepting);
}
