/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/difftable.h"

#include "core/escape.h"
#include "core/json/document.h"
#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"
#include "profile/hotspots/hotspots.h"
#include "report/json/functionjson.h"
#include "report/words/highlights.h"
#include "report/words/texttable.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define NAME_CHARS 80
#define DEFAULT_ALPHA .05 /* where the comparison does not say its level */
#define FILE_CHARS 60
#define MIN_UNKNOWN .0005 /* of the base total */
#define BOLD "\033[1m"
#define DIM "\033[2m"

double diff_table_total(const DiffTableSide *side)
{
	double sum = 0;
	guint runs = profile_n_runs(side->profile);
	for (guint run = 0; run < runs; run++)
		sum += (double)profile_run_total(side->profile, run).weight;
	return runs > 0 ? sum / runs / (side->work > 0 ? side->work : 1) : 0;
}

char *diff_table_outcome(const DiffTable *table)
{
	const BenchmarkComparison *comparison = table->comparison;
	const FunctionComparison *first = NULL; /* by contribution */
	double alpha = comparison->report_alpha > 0 ? comparison->report_alpha : DEFAULT_ALPHA;
	const char *how = table->counted ? "" : " significantly";
	guint more = 0;
	if (table->remark != NULL)
		return NULL;
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *function = comparison->functions->pdata[i];
		if (!highlights_significant(comparison, function, alpha))
			continue;
		more += first != NULL;
		first = first != NULL ? first : function;
	}
	if (first == NULL)
		return g_strdup_printf("no function changed%s", how);
	g_autofree char *name = hotspots_short_name(highlights_name(comparison->table, first->frame), NAME_CHARS);
	g_autofree char *points = number_words(table->counted)->points(first->contribution);
	g_autofree char *others =
	        more == 0 ? g_strdup("") : g_strdup_printf(" and %u more function%s", more, more == 1 ? "" : "s");
	return g_strdup_printf("%s %s%s changed%s", name, points, others, how);
}

/* --- text --- */

static char *clean(const char *text, gsize max_chars)
{
	g_autofree char *shortened = wording_shorten(text, max_chars);
	return escape_to_string(escape_terminal, shortened);
}

/* Base names, as in the picture, unless they are the same on both sides. */
static gboolean names_tell(const DiffTable *table)
{
	if (table->base.files[0] == NULL || table->head.files[0] == NULL)
		return FALSE;
	g_autofree char *base = g_path_get_basename(table->base.files[0]);
	g_autofree char *head = g_path_get_basename(table->head.files[0]);
	return strcmp(base, head) != 0;
}

static void append_files(GString *out, const char *side, const char *const *files, gboolean whole)
{
	guint n = g_strv_length((char **)files);
	g_autofree char *name = n > 0 && !whole ? g_path_get_basename(files[0]) : g_strdup(n > 0 ? files[0] : "");
	g_autofree char *first = clean(name, FILE_CHARS);
	g_string_append_printf(out, "%s %s", side, first);
	if (n > 1)
		g_string_append_printf(out, " and %u more", n - 1);
}

/* One of two costs that stand side by side. */
static char *say_cost(const DiffTable *table, double cost, double other, const char *unit)
{
	return table->counted ? number_counted(cost, unit) : number_value_beside(cost, other, unit);
}

static void append_totals(GString *out, const DiffTable *table)
{
	double base = diff_table_total(&table->base), head = diff_table_total(&table->head);
	const char *unit = table->head.profile->unit;
	g_autofree char *from = say_cost(table, base, head, unit), *to = say_cost(table, head, base, unit);
	g_autofree char *change = number_words(table->counted)->change(head / base);
	g_autofree char *safe = g_strdup_printf("%s → %s per %s, %s", from, to, table->per, change);
	g_autofree char *line = escape_to_string(escape_terminal, safe);
	g_string_append_printf(out, "%s\n", line);
	g_autofree char *outcome = diff_table_outcome(table);
	g_autofree char *remark = outcome == NULL ? g_strconcat("not tested: ", table->remark, NULL) : NULL;
	g_autofree char *said = escape_to_string(escape_terminal, outcome != NULL ? outcome : remark);
	g_string_append_printf(out, "%s\n", said);
}

static gboolean is_shown(const FunctionComparison *function)
{
	return function->base_cost != function->head_cost || function->klass != FUNCTION_UNCHANGED;
}

static char *say_own_change(const DiffTable *table, const FunctionComparison *function)
{
	if (!(function->base_cost > 0))
		return g_strdup("new");
	if (!(function->head_cost > 0))
		return g_strdup("gone");
	return number_words(table->counted)->change(function->change_ratio);
}

/* TRUE if the class of a function is known: it was counted or tested. */
static gboolean has_class(const DiffTable *table, const FunctionComparison *function)
{
	return table->remark == NULL && (table->counted || function->tested);
}

static const char *class_words(const DiffTable *table, const FunctionComparison *function)
{
	return has_class(table, function) ? highlights_class(table->comparison, function) : "not tested";
}

static char *clean_name(const StackTable *names, FrameId frame)
{
	g_autofree char *shortened = hotspots_short_name(highlights_name(names, frame), NAME_CHARS);
	return escape_to_string(escape_terminal, shortened);
}

static char *say_name(const StackTable *names, const FunctionComparison *function)
{
	g_autofree char *name = clean_name(names, function->frame);
	if (!function_comparison_is_renamed(function))
		return g_steal_pointer(&name);
	g_autofree char *former = clean_name(names, function->renamed_from);
	return g_strdup_printf("%s (was %s)", name, former);
}

/* Time and bytes have names for their steps; what is counted is said above the table. NULL = none. */
static const char *row_unit(const DiffTable *table)
{
	const char *unit = table->head.profile->unit;
	gboolean named = strcmp(unit, "ns") == 0 || strcmp(unit, "bytes") == 0;
	return named && !table->counted ? unit : NULL;
}

static void add_row(TextTable *cells, const DiffTable *table, const FunctionComparison *function, gboolean colour)
{
	const StackTable *names = table->comparison->table;
	const NumberWords *words = number_words(table->counted);
	const char *bold = colour && function->klass != FUNCTION_UNCHANGED ? BOLD : NULL;
	const char *unit = row_unit(table);
	g_autofree char *base = say_cost(table, function->base_cost, function->head_cost, unit);
	g_autofree char *head = say_cost(table, function->head_cost, function->base_cost, unit);
	text_table_take(cells, words->points(function->contribution), bold);
	text_table_take(cells, say_name(names, function), bold);
	text_table_take(cells, say_own_change(table, function), NULL);
	text_table_take(cells, words->points_range(function->contribution_lower, function->contribution_upper), NULL);
	text_table_take(cells, g_strdup(class_words(table, function)), NULL);
	text_table_take(cells, g_strconcat(base, " → ", head, NULL), NULL);
	text_table_take(cells, clean(highlights_module(names, function->frame), NAME_CHARS), NULL);
}

/* A row below that of the function whose contribution it is a part of. */
static void add_part(TextTable *cells, const DiffTable *table, const InlinedPart *part, gboolean is_rest)
{
	const StackTable *names = table->comparison->table;
	const NumberWords *words = number_words(table->counted);
	const char *unit = row_unit(table);
	g_autofree char *name = is_rest ? g_strdup("") : clean_name(names, part->frame);
	g_autofree char *base = say_cost(table, part->base_cost, part->head_cost, unit);
	g_autofree char *head = say_cost(table, part->head_cost, part->base_cost, unit);
	text_table_take(cells, words->points(part->contribution), NULL);
	text_table_take(cells, g_strdup_printf("  %s%s", name, wording_part(is_rest)), NULL);
	text_table_cell(cells, "", NULL);
	text_table_take(cells, words->points_range(part->contribution_lower, part->contribution_upper), NULL);
	text_table_cell(cells, "", NULL);
	text_table_take(cells, g_strconcat(base, " → ", head, NULL), NULL);
	text_table_cell(cells, "", NULL);
}

static void add_row_with_parts(
        TextTable *cells, const DiffTable *table, const FunctionComparison *function, gboolean colour)
{
	g_autoptr(GPtrArray) parts = highlights_parts(function);
	add_row(cells, table, function, colour);
	for (guint i = 0; i < parts->len; i++) {
		const InlinedPart *part = g_ptr_array_index(parts, i);
		add_part(cells, table, part, highlights_is_rest(function, part));
	}
}

static void add_heads(TextTable *cells, const DiffTable *table, gboolean colour)
{
	const char *const heads[] = {"contribution", "function", "own change",
	        table->counted ? "over the runs" : "95 % interval", "result", "base → head", "module"};
	for (gsize i = 0; i < G_N_ELEMENTS(heads); i++)
		text_table_cell(cells, heads[i], colour ? DIM : NULL);
}

static void append_functions(GString *out, const DiffTable *table, const DiffTextOptions *options)
{
	guint shown = 0, all = 0;
	g_autoptr(TextTable) cells = text_table_new("rlrllrl");
	add_heads(cells, table, options->colour);
	for (guint i = 0; i < table->comparison->functions->len; i++) {
		const FunctionComparison *function = table->comparison->functions->pdata[i];
		if (!is_shown(function) || (++all > options->rows && options->rows > 0))
			continue;
		add_row_with_parts(cells, table, function, options->colour);
		shown++;
	}
	if (all == 0) {
		g_string_append(out, "no function differs\n");
		return;
	}
	text_table_append(out, cells, "", options->width);
	if (all > shown)
		g_string_append_printf(out, "and %u more that differ; --rows=0 shows all\n", all - shown);
}

/* The change of the total beyond the contributions of all functions, as share of base's. */
static double change_without_function(const DiffTable *table)
{
	double rest = diff_table_total(&table->head) / diff_table_total(&table->base) - 1;
	for (guint i = 0; i < table->comparison->functions->len; i++) {
		const FunctionComparison *function = table->comparison->functions->pdata[i];
		rest -= function->contribution;
	}
	return rest;
}

static void append_unknown(GString *out, const DiffTable *table)
{
	double unknown = change_without_function(table);
	if (!isfinite(unknown) || fabs(unknown) < MIN_UNKNOWN)
		return;
	g_autofree char *points = number_words(table->counted)->points(unknown);
	g_string_append_printf(out, "%s is cost without a function, such as [unknown]\n", points);
}

char *diff_table_text(const DiffTable *table, const DiffTextOptions *options)
{
	GString *out = g_string_new(NULL);
	gboolean whole = !names_tell(table);
	append_files(out, "base", table->base.files, whole);
	append_files(out, " → head", table->head.files, whole);
	g_string_append_c(out, '\n');
	append_totals(out, table);
	g_string_append_c(out, '\n');
	append_functions(out, table, options);
	append_unknown(out, table);
	return g_string_free(out, FALSE);
}

/* --- JSON --- */

typedef struct {
	const char *const *files;
	guint runs;
	double total;
} SideFacts;

static const Field side_fields[] = {
        FIELD("files", STRV, SideFacts, files),
        FIELD("runs", COUNT, SideFacts, runs),
        FIELD("total", COST, SideFacts, total),
};

static SideFacts facts_of(const DiffTableSide *side)
{
	return (SideFacts){side->files, profile_n_runs(side->profile), diff_table_total(side)};
}

/* A table with what follows from it. */
typedef struct {
	DiffTable table;
	const char *event, *unit;
	gboolean tested;
	SideFacts base, head;
	double change, unknown;
} Document;

/* Inclusive costs of a function, per run and unit of work. */
typedef struct {
	double base, head;
} InclusiveCosts;

static const Field inclusive_fields[] = {
        FIELD("base_inclusive", COST, InclusiveCosts, base),
        FIELD("head_inclusive", COST, InclusiveCosts, head),
};

static double inclusive_cost(const DiffTableSide *side, const Hotspots *hotspots, FrameId frame)
{
	double runs = MAX(profile_n_runs(side->profile), 1), work = side->work > 0 ? side->work : 1;
	return (double)hotspots->inclusive[frame.index].weight / runs / work;
}

/* Fractions are no samples. */
static void set_no_samples(json_t *object)
{
	json_set(object, "base_samples", json_null());
	json_set(object, "head_samples", json_null());
}

static json_t *functions_with_inclusive(gconstpointer document, G_GNUC_UNUSED gboolean counted)
{
	const DiffTable *table = &((const Document *)document)->table;
	const BenchmarkComparison *comparison = table->comparison;
	json_t *array = functions_json(comparison->table, comparison);
	g_autoptr(Hotspots) base = hotspots_new(table->base.profile);
	g_autoptr(Hotspots) head = hotspots_new(table->head.profile);
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *function = comparison->functions->pdata[i];
		json_t *object = json_array_get(array, i);
		if (table->head.profile->scale != 1)
			set_no_samples(object);
		if (!has_class(table, function))
			json_set(object, "class", json_null());
		const InclusiveCosts costs = {inclusive_cost(&table->base, base, function->renamed_from),
		        inclusive_cost(&table->head, head, function->frame)};
		fields_write(object, FIELD_TABLE(inclusive_fields), &costs, table->counted);
	}
	return array;
}

static const Field document_fields[] = {
        FIELD("event", NAME, Document, event),
        FIELD("unit", WORDS, Document, unit),
        FIELD("per", WORDS, Document, table.per),
        FIELD("tested", FLAG, Document, tested),
        FIELD("counted", FLAG, Document, table.counted),
        FIELD("remark", TEXT, Document, table.remark),
        FIELD_STRUCT("base", Document, base, side_fields),
        FIELD_STRUCT("head", Document, head, side_fields),
        FIELD("change_pct", CHANGE, Document, change),
        FIELD("unknown_pp", SHARE, Document, unknown),
        FIELD_MADE("functions", functions_with_inclusive, NULL),
};

char *diff_table_json(const DiffTable *table, gsize *length)
{
	const Profile *profile = table->head.profile;
	const JsonDocument form = {
	        .schema = DIFF_SCHEMA,
	        .table = FIELD_TABLE(document_fields),
	        .counted = table->counted,
	        .findings = table->findings,
	};
	Document document = {
	        .table = *table,
	        .event = profile->event,
	        .unit = profile->unit,
	        .tested = table->remark == NULL && !table->counted,
	        .base = facts_of(&table->base),
	        .head = facts_of(&table->head),
	        .unknown = change_without_function(table),
	};
	document.change = document.base.total > 0 ? document.head.total / document.base.total : NAN;
	return json_document(&form, &document, length);
}
