/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/sentence.h"

#include <math.h>
#include <string.h>

#include "compare/comparison/changewords.h"
#include "compare/comparison/countedwords.h"
#include "compare/comparison/culprit.h"
#include "compare/comparison/filelabels.h"
#include "compare/comparison/inlinedshown.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"

#define MOSTLY .5       /* of a change: worth a word */
#define INLINED_NAMED 2 /* inlined parts of a function that a sentence names */
#define MASKS_NAMED 2   /* functions that became faster */
#define MASKING .25     /* of a rise: the least fall that masks it */

/* --- functions --- */

static char *points_of(const FunctionComparison *f)
{
	g_autofree char *points = number_points(f->contribution);
	if (isnan(f->contribution_lower) || isnan(f->contribution_upper))
		return g_steal_pointer(&points);
	g_autofree char *interval = number_points_interval(f->contribution_lower, f->contribution_upper);
	return g_strconcat(points, " ", interval, NULL);
}

/* "rank.c:21" of a place, "" where that is not known. Owned by the caller. */
static char *place_text(const BenchmarkComparison *comparison, FunctionPlace place)
{
	const char *file = file_label(comparison, comparison->table, place.file);
	return *file == '\0' || place.line == 0 ? g_strdup(file) : g_strdup_printf("%s:%u", file, place.line);
}

/* "score_hits in rank.c:21", "score_hits" */
static char *named_place(const StackTable *table, FrameId frame, const char *place)
{
	g_autofree char *name = culprit_name(table, frame);
	return *place == '\0' ? g_steal_pointer(&name) : g_strdup_printf("%s in %s", name, place);
}

/* The relation of the change to a function, as a clause after its name: "" if that is not known. `caller` is the edited
 * function that calls it, with its place, or NULL for its name alone. */
static char *relation_clause(const StackTable *table, const FunctionComparison *f, const char *caller)
{
	static const char *const clauses[] = {
	        [CHANGE_UNKNOWN] = "",
	        [CHANGE_TOUCHED] = ", edited in this change",
	        [CHANGE_CALLS_TOUCHED] = ", which calls code edited in this change",
	        [CHANGE_UNTOUCHED] = ", not edited in this change",
	};
	if (f->relation == CHANGE_TOUCHED && stack_table_is_inlined(table, f->through))
		return g_strdup_printf(
		        ", whose inlined %s is edited in this change", stack_table_frame_name(table, f->through));
	if (f->relation != CHANGE_CALLED_BY_TOUCHED)
		return g_strdup(clauses[f->relation]);
	g_autofree char *name = culprit_name(table, f->through);
	return g_strdup_printf(", called %s often by %s, edited in this change", f->contribution < 0 ? "less" : "more",
	        caller != NULL ? caller : name);
}

/* The evidence of its machine code on a rise, as a clause of its own after everything else. */
static const char *code_clause(const FunctionComparison *f)
{
	static const char *const clauses[][3] = {
	        [CHANGE_UNKNOWN] = {"", "; its machine code is the same on both sides", "; its machine code differs"},
	        [CHANGE_TOUCHED] = {"", "; its machine code is the same, so look for other data, more calls or layout",
	                ""},
	        [CHANGE_CALLS_TOUCHED] = {"", "; its own machine code is the same", ""},
	        [CHANGE_UNTOUCHED] = {"",
	                "; its machine code is the same, so look for more calls, other data or layout",
	                "; its machine code differs all the same, so look at macros, inlined code or compiler "
	                "options"},
	        [CHANGE_CALLED_BY_TOUCHED] = {"", "; its own machine code is the same", ""},
	};
	/* The note of a layout suspect says it. */
	gboolean is_plain = f->klass == FUNCTION_LAYOUT_SUSPECT || f->contribution < 0;
	return clauses[f->relation][is_plain ? CODE_UNKNOWN : f->code];
}

/* Takes the number over. */
static void append_number(GString *text, const char *before, char *number, const char *after)
{
	g_string_append_printf(text, "%s%s%s", before, number, after);
	g_free(number);
}

/* The change of its own cost; nothing where a side has none. */
static void append_own_change(GString *text, const FunctionComparison *f)
{
	if (f->klass == FUNCTION_NEW)
		g_string_append(text, " (new)");
	else if (f->klass == FUNCTION_REMOVED)
		g_string_append(text, " (removed)");
	else if (!isnan(f->change_ratio))
		append_number(text, " (", number_change(f->change_ratio), " of itself)");
}

/* The largest changes of what is inlined into it. */
static void append_inlined(GString *text, const StackTable *table, const FunctionComparison *f, gboolean counted)
{
	guint n = inlined_parts_shown(f, INLINED_NAMED).n;
	for (guint i = 0; i < n; i++) {
		const InlinedPart *part = f->inlined->pdata[i];
		g_string_append(text, i == 0 ? ", of which " : ", ");
		g_autofree char *points = number_words(counted)->points(part->contribution);
		g_string_append_printf(text, "%s, inlined, %s", stack_table_frame_name(table, part->frame), points);
	}
}

/* The same of counts, which do not depend on layout. */
static const char *counted_code_clause(const FunctionComparison *f)
{
	if (f->contribution < 0 || f->code != CODE_SAME)
		return code_clause(f);
	if (f->relation == CHANGE_TOUCHED)
		return "; its machine code is the same, so look for other data or more calls";
	if (f->relation == CHANGE_UNTOUCHED)
		return "; its machine code is the same, so look for more calls or other data";
	return code_clause(f);
}

/* TRUE if the note of a function speaks of its code, which then needs to be said no second time. */
static gboolean note_has_code(const FunctionComparison *f)
{
	return f->note != NULL && g_str_has_prefix(f->note, "same code");
}

static const char *code_words(const FunctionComparison *f, gboolean counted)
{
	if (note_has_code(f))
		return "";
	return counted ? counted_code_clause(f) : code_clause(f);
}

static void append_note(GString *text, const FunctionComparison *f)
{
	if (f->note != NULL)
		g_string_append_printf(text, "; %s", f->note);
}

static char *sentence_of(const StackTable *table, const FunctionComparison *function, gboolean counted)
{
	g_autofree char *points = counted ? counted_points(function) : points_of(function);
	g_autofree char *relation = relation_clause(table, function, NULL);
	GString *text = g_string_new(stack_table_frame_name(table, function->frame));
	g_string_append_printf(text, " %s", points);
	append_own_change(text, function);
	append_inlined(text, table, function, counted);
	g_string_append_printf(text, "%s%s", relation, code_words(function, counted));
	append_note(text, function);
	return g_string_free(text, FALSE);
}

char *sentence_of_counted_function(const StackTable *table, const FunctionComparison *function)
{
	return sentence_of(table, function, TRUE);
}

char *sentence_of_function(const StackTable *table, const FunctionComparison *function)
{
	return sentence_of(table, function, FALSE);
}

const FunctionComparison *gating_function(const GPtrArray *functions)
{
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		if (f->gates)
			return f;
	}
	return NULL;
}

/* --- metrics --- */

static const MetricComparison *gating_metric(const GPtrArray *metrics, Verdict verdict, const char *name)
{
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		gboolean counts = metric->gates && !metric->accepted;
		if (counts && metric->verdict == verdict && (name == NULL || g_str_equal(metric->name, name)))
			return metric;
	}
	return NULL;
}

/* The metrics that people ask for first, and to which the costs of functions add up. */
static const char *const time_names[] = {"cycles", "task-clock", "wall", "instructions", NULL};

gboolean metric_is_time(const MetricComparison *metric)
{
	return g_strv_contains(time_names, metric->name);
}

guint telling_rank(const MetricComparison *metric)
{
	guint rank = 0;
	while (time_names[rank] != NULL && !g_str_equal(metric->name, time_names[rank]))
		rank++;
	return rank;
}

const MetricComparison *most_telling_metric(const GPtrArray *metrics, Verdict verdict)
{
	const MetricComparison *metric = NULL;
	/* The NULL at the end stands for any other one. */
	for (guint i = 0; i < G_N_ELEMENTS(time_names) && metric == NULL; i++)
		metric = gating_metric(metrics, verdict, time_names[i]);
	return metric;
}

static const MetricComparison *headline(const GPtrArray *metrics)
{
	static const Verdict order[] = {VERDICT_REGRESSION, VERDICT_INCONCLUSIVE, VERDICT_PASS};
	const MetricComparison *metric = NULL;
	for (guint i = 0; i < G_N_ELEMENTS(order) && metric == NULL; i++)
		metric = most_telling_metric(metrics, order[i]);
	return metric;
}

static char *sentence_of_counted_metric(const MetricComparison *metric)
{
	g_autofree char *change = counted_change(metric);
	return g_strdup_printf("%s %s", metric->name, change);
}

char *sentence_of_metric(const MetricComparison *metric)
{
	if (engine_counts(metric->engine))
		return sentence_of_counted_metric(metric);
	GString *text = g_string_new(metric->name);
	if (isinf(metric->change_ratio))
		append_number(text, " from 0 to ", number_value(metric->head, metric->unit), "");
	else
		append_number(text, " ", number_change(metric->change_ratio), "");
	if (isfinite(metric->upper_ratio) && metric->lower_ratio > 0)
		append_number(text, " ", number_change_interval(metric->lower_ratio, metric->upper_ratio), "");
	return g_string_free(text, FALSE);
}

/* --- benchmarks --- */

/* Appends the number of functions that gate beside those that are named. */
static void append_others(GString *text, const GPtrArray *functions, const Culprit *named)
{
	guint n = 0;
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		n += f->gates && f != named->seen && f != named->cause;
	}
	if (n > 0)
		g_string_append_printf(text, "; and %u more function%s", n, n == 1 ? "" : "s");
}

/* The cause with its place: of a function without a row of its own, where its frame stands in head. */
static char *cause_text(const BenchmarkComparison *comparison, const Culprit *culprit)
{
	const StackTable *table = comparison->table;
	FunctionPlace place = culprit->cause != NULL ? culprit->cause->place
	                                             : benchmark_comparison_head_place(comparison, culprit->frame);
	g_autofree char *where = place_text(comparison, place);
	return named_place(table, culprit->frame, where);
}

gboolean sentence_is_part(const BenchmarkComparison *comparison, const FunctionComparison *function)
{
	double part = function->contribution / comparison->total_change;
	return isfinite(part) && part < MOSTLY;
}

static const char *cause_word(const BenchmarkComparison *comparison, const FunctionComparison *seen)
{
	gboolean is_part = sentence_is_part(comparison, seen);
	if (seen->relation == CHANGE_UNTOUCHED)
		return is_part ? "seen in part in" : "seen in";
	if (seen->contribution < 0)
		return is_part ? "thanks in part to" : "thanks to";
	return is_part ? "caused in part by" : "caused by";
}

/* The function as the cause of what stands before it: ", caused by score_hits in rank.c:21, edited in this change". */
static void append_cause(GString *text, const BenchmarkComparison *comparison, const Culprit *culprit)
{
	const FunctionComparison *seen = culprit->seen;
	g_autofree char *cause = cause_text(comparison, culprit), *name = culprit_name(comparison->table, seen->frame);
	g_autofree char *relation = relation_clause(comparison->table, seen, cause);
	if (culprit_is_elsewhere(culprit))
		g_string_append_printf(text, ", in %s%s", name, relation);
	else
		g_string_append_printf(text, ", %s %s%s", cause_word(comparison, seen), cause, relation);
}

/* The function in a clause of its own, with what it costs more. */
static void append_beside(GString *text, const BenchmarkComparison *comparison, const Culprit *culprit)
{
	const FunctionComparison *seen = culprit->seen;
	gboolean elsewhere = culprit_is_elsewhere(culprit);
	g_autofree char *cause = cause_text(comparison, culprit), *name = culprit_name(comparison->table, seen->frame);
	g_autofree char *points = comparison->counted ? counted_points(seen) : points_of(seen);
	g_autofree char *relation = relation_clause(comparison->table, seen, cause);
	g_string_append_printf(text, "; %s%s%s costs %s more", elsewhere ? name : cause, relation,
	        *relation != '\0' ? "," : "", points);
}

static void append_culprit(
        GString *text, const BenchmarkComparison *comparison, const Culprit *culprit, gboolean is_cause)
{
	if (is_cause)
		append_cause(text, comparison, culprit);
	else
		append_beside(text, comparison, culprit);
	g_string_append(text, code_words(culprit->seen, comparison->counted));
	append_note(text, culprit->seen);
	append_others(text, comparison->functions, culprit);
}

/* No function is named for a rise that is mostly in time that no sample saw. */
static void append_unsampled(GString *text, const BenchmarkComparison *comparison)
{
	if (comparison->total_change > 0 && comparison->unsampled_contribution >= MOSTLY * comparison->total_change)
		append_number(text, ", of which ", number_points(comparison->unsampled_contribution),
		        " in the kernel or in lost samples");
}

/* The closer a function is to the change, the more likely it is the cause. */
static guint closeness(const FunctionComparison *f)
{
	if (f->relation == CHANGE_TOUCHED)
		return 0;
	return f->relation == CHANGE_CALLS_TOUCHED || f->relation == CHANGE_CALLED_BY_TOUCHED ? 1 : 2;
}

/* TRUE if `f` is to be named before `other`: one that is slower before one that took over cost, then the closer one to
 * the change. */
static gboolean is_named_before(const FunctionComparison *f, const FunctionComparison *other)
{
	gboolean moved = f->klass == FUNCTION_COST_SHIFT, other_moved = other->klass == FUNCTION_COST_SHIFT;
	return moved != other_moved ? other_moved : closeness(f) < closeness(other);
}

/* The held function to name; of equals the first; or NULL. */
static const FunctionComparison *held_function(const GPtrArray *functions)
{
	const FunctionComparison *held = NULL;
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		if (f->held != FUNCTION_NOT_HELD && (held == NULL || is_named_before(f, held)))
			held = f;
	}
	return held;
}

static gboolean is_mask(const FunctionComparison *f, const FunctionComparison *held)
{
	gboolean fell = f->klass == FUNCTION_IMPROVEMENT || f->klass == FUNCTION_REMOVED;
	return fell && -f->contribution >= MASKING * held->contribution;
}

static void append_masks(GString *text, const BenchmarkComparison *comparison, const FunctionComparison *held)
{
	guint n = 0;
	for (guint i = 0; i < comparison->functions->len && n < MASKS_NAMED; i++) {
		const FunctionComparison *f = comparison->functions->pdata[i];
		if (!is_mask(f, held))
			continue;
		g_autofree char *points = comparison->counted ? counted_points(f) : points_of(f);
		g_string_append_printf(text, "%s%s %s", n++ == 0 ? "; masked by " : " and ",
		        stack_table_frame_name(comparison->table, f->frame), points);
	}
}

gboolean sentence_is_shift(const BenchmarkComparison *comparison)
{
	guint n = 0;
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *f = comparison->functions->pdata[i];
		if (f->held != FUNCTION_NOT_HELD && f->klass != FUNCTION_COST_SHIFT)
			return FALSE;
		n += f->held != FUNCTION_NOT_HELD;
	}
	return n > 0;
}

/* "encode and 1 more" of a note that says "cost moved from encode and 1 more"; NULL of one that does not, as of a
 * function that was inlined in base. Owned by the caller. */
static char *moved_from(const FunctionComparison *f)
{
	const char *from = f->note == NULL ? NULL : strstr(f->note, MOVED_FROM);
	return from == NULL ? NULL : g_strndup(from + strlen(MOVED_FROM), strcspn(from + strlen(MOVED_FROM), ";"));
}

char *sentence_moved(const BenchmarkComparison *comparison)
{
	const FunctionComparison *held = held_function(comparison->functions);
	if (held == NULL || comparison->table == NULL)
		return g_strdup("cost moved between functions");
	g_autofree char *from = moved_from(held);
	const char *name = stack_table_frame_name(comparison->table, held->frame);
	return from != NULL ? g_strdup_printf("cost moved from %s to %s", from, name)
	                    : g_strdup_printf("cost moved to %s, which was inlined in base", name);
}

/* TRUE if the time that it is about fell beyond its margin. */
static gboolean has_improved(const BenchmarkComparison *comparison)
{
	const MetricComparison *metric = headline(comparison->metrics);
	return metric != NULL && metric->improved;
}

/* "cost moved from discount_of to key_of: +12.3 pp [+10.2, +14.3], edited in this change; total unchanged" */
static void append_moved(GString *text, const BenchmarkComparison *comparison, const FunctionComparison *held)
{
	g_autofree char *moved = sentence_moved(comparison), *relation = relation_clause(comparison->table, held, NULL);
	g_autofree char *points = comparison->counted ? counted_points(held) : points_of(held);
	g_string_append_printf(text, "%s: %s%s%s", moved, points, relation, code_words(held, comparison->counted));
	if (comparison->verdict == VERDICT_PASS)
		g_string_append(text, has_improved(comparison) ? "; total lower" : "; total unchanged");
}

/* The first function that is slower, or to which cost moved. */
static void append_held(GString *text, const BenchmarkComparison *comparison, const FunctionComparison *held)
{
	if (sentence_is_shift(comparison)) {
		append_moved(text, comparison, held);
		return;
	}
	gboolean passes = comparison->verdict == VERDICT_PASS;
	g_autofree char *what = sentence_of(comparison->table, held, comparison->counted);
	g_string_append_printf(text, "%s%s", passes ? "slower although the total passes: " : "slower as well: ", what);
	append_masks(text, comparison, held);
}

char *sentence_of_slower(const BenchmarkComparison *comparison)
{
	const FunctionComparison *held = held_function(comparison->functions);
	if (held == NULL || comparison->verdict == VERDICT_ERROR)
		return NULL;
	GString *text = g_string_new(NULL);
	append_held(text, comparison, held);
	guint n = 0;
	for (guint i = 0; i < comparison->functions->len; i++)
		n += ((const FunctionComparison *)comparison->functions->pdata[i])->held != FUNCTION_NOT_HELD;
	if (n > 1)
		g_string_append_printf(text, "; and %u more function%s", n - 1, n == 2 ? "" : "s");
	return g_string_free(text, FALSE);
}

/* TRUE if the costs of functions add up to this metric, and it changed for certain, so that a function is its cause. */
static gboolean is_explained(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	gboolean rose = comparison->counted ? metric->change_ratio > 1 : metric->verdict == VERDICT_REGRESSION;
	return metric_is_time(metric) && (rose || metric->improved);
}

static CulpritScope scope_of(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	if (metric->improved && metric_is_time(metric))
		return CULPRIT_OF_FALLS;
	return comparison->counted || is_explained(comparison, metric) ? CULPRIT_OF_RISES : CULPRIT_OF_GATES;
}

/* Counted functions are certain, so a passing total names one that rose, too; unless sentence_of_slower() does. */
static Culprit culprit_of(const BenchmarkComparison *comparison, double report_alpha)
{
	const MetricComparison *metric = headline(comparison->metrics);
	if (comparison->verdict == VERDICT_ERROR || metric == NULL)
		return (Culprit){0};
	CulpritScope scope = scope_of(comparison, metric);
	gboolean told = comparison->counted && scope != CULPRIT_OF_FALLS && comparison->verdict != VERDICT_REGRESSION &&
	                held_function(comparison->functions) != NULL;
	return told ? (Culprit){0} : culprit_find(comparison, scope, report_alpha);
}

const FunctionComparison *sentence_slower_function(const BenchmarkComparison *comparison)
{
	return held_function(comparison->functions);
}

const FunctionComparison *sentence_function(const BenchmarkComparison *comparison, double report_alpha)
{
	Culprit culprit = culprit_of(comparison, report_alpha);
	return culprit.cause != NULL ? culprit.cause : culprit.seen;
}

char *sentence_of_benchmark(const BenchmarkComparison *comparison, double report_alpha)
{
	const MetricComparison *metric = headline(comparison->metrics);
	if (comparison->verdict == VERDICT_ERROR || metric == NULL)
		return g_strdup(comparison->reason);
	Culprit culprit = culprit_of(comparison, report_alpha);
	g_autofree char *what = change_words(comparison, metric);
	GString *text = g_string_new(what);
	if (culprit.seen != NULL)
		append_culprit(text, comparison, &culprit, is_explained(comparison, metric));
	else if (!comparison->counted && metric->verdict == VERDICT_REGRESSION && metric_is_time(metric))
		append_unsampled(text, comparison);
	return g_string_free(text, FALSE);
}

void sentence_renew(BenchmarkComparison *comparison)
{
	g_free(comparison->sentence);
	comparison->sentence = sentence_of_benchmark(comparison, comparison->report_alpha);
	g_free(comparison->slower);
	comparison->slower = sentence_of_slower(comparison);
}
