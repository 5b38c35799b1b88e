/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamediff.h"

#include "compare/comparison/sentence.h"
#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"
#include "profile/hotspots/hotspots.h"
#include "report/flame/flamecanvas.h"
#include "report/flame/flamediffdata.h"
#include "report/flame/flamediffspread.h"
#include "report/flame/flamedifftable.h"
#include "report/flame/flamepaths.h"
#include "report/flame/flamereasons.h"
#include "report/flame/flamesvg.h"
#include "report/flame/flameviews.h"
#include "report/flame/lostcallers.h"
#include "report/words/highlights.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define DEFAULT_ALPHA .05
#define SMALLEST_SCALE .02          /* share of the base total that is full colour at least */
#define ROUNDING 1e-7               /* what quotients of numbers that were read with ten digits leave */
#define SMALLEST_COUNTED_SCALE .002 /* the same of counts */
#define NAME_MAX_CHARS 300
#define CONTROLS_PX 50 /* what the search takes above */
#define BASIS_LINE_PX 18

typedef struct {
	const FlameDiff *diff;    /* what is drawn: with stacks that lost their callers under a frame that says so */
	const FlameDiff *given;   /* what was measured, which the file keeps */
	const char *lost_callers; /* how much that is; NULL = nothing */
	const NumberWords *words;
	const StackTable *table;
	const Profile *profile; /* of either side: event and unit */
	const FlameLayout *layout;
	const FunctionComparison **functions; /* by FrameId, NULL where none */
	gboolean *significant;                /* by FrameId */
	const FlamePaths *paths;
	const FlameReason *reasons; /* by StackId; NULL = nothing was tested */
	const FlameViews *views;
	const double *base_spread, *head_spread; /* by StackId; NULL = not known */
	double base_total;                       /* what points are points of; 0 = unknown */
	gboolean measured;                       /* that is the total of the comparison, not of the picture */
} Painting;

static double alpha_of(const FlameDiff *diff)
{
	return diff->report_alpha > 0 ? diff->report_alpha : DEFAULT_ALPHA;
}

/* A renamed function is known under both names. */
static void index_functions(Painting *painting)
{
	const BenchmarkComparison *comparison = painting->diff->comparison;
	guint n_frames = MAX(stack_table_n_frames(painting->table), 1);
	painting->functions = g_new0(const FunctionComparison *, n_frames);
	painting->significant = g_new0(gboolean, n_frames);
	for (guint i = 0; comparison != NULL && i < comparison->functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(comparison->functions, i);
		gboolean significant = highlights_significant(comparison, function, alpha_of(painting->diff));
		painting->functions[function->renamed_from.index] = function;
		painting->functions[function->frame.index] = function;
		painting->significant[function->renamed_from.index] = significant;
		painting->significant[function->frame.index] = significant;
	}
}

/* NaN if the base total is 0. */
static double share_of_base(const Painting *painting, double cost)
{
	return painting->base_total > 0 ? cost / painting->base_total : NAN;
}

/* The total that the contributions of the comparison are shares of, so that a function has one number wherever it is
 * named; where nothing tells it, what the stacks of base add up to. */
static void find_base_total(Painting *painting)
{
	double measured = highlights_base_total(painting->diff->comparison);
	double drawn = flame_layout_node(painting->layout, 0)->base.total;
	painting->measured = measured > 0;
	painting->base_total = painting->measured && fabs(measured - drawn) > ROUNDING * drawn ? measured : drawn;
}

/* Change of the node as a share of the base total; NaN if that is 0. */
static double contribution(const Painting *painting, const FlameNode *node)
{
	return share_of_base(painting, flame_node_change(node));
}

/* "catalog · words.c:27", which is where head has it if it does, and the linkage name where it is another. */
static void append_place(GString *out, const Painting *painting, FrameId id)
{
	const StackTable *table = painting->table;
	const Frame *frame = stack_table_get_frame(table, id);
	const char *raw = stack_table_text(table, frame->raw_name);
	g_autofree char *module = hotspots_short_name(stack_table_text(table, frame->module), NAME_MAX_CHARS);
	g_autofree char *long_place = highlights_head_place(painting->diff->comparison, table, id);
	g_autofree char *place = hotspots_short_name(long_place, NAME_MAX_CHARS);
	if (*raw != '\0' && strcmp(raw, stack_table_text(table, frame->name)) != 0) {
		g_autofree char *shortened = hotspots_short_name(raw, NAME_MAX_CHARS);
		g_string_append_printf(out, "%s\n", shortened);
	}
	g_string_append(out, module);
	if (strcmp(place, module) != 0)
		g_string_append_printf(out, "%s%s", *module != '\0' ? " · " : "", place);
	if (*module != '\0' || *place != '\0')
		g_string_append_c(out, '\n');
}

/* Returns the change relative to the frame itself. */
static char *own_change(const Painting *painting, const FlameNode *node)
{
	if (node->base.total <= 0)
		return g_strdup("new");
	if (node->head.total <= 0)
		return g_strdup("gone");
	double ratio = flame_node_change(node) != 0 ? node->head.total / node->base.total : 1;
	g_autofree char *change = painting->words->change(ratio);
	return g_strconcat(change, " of this frame", NULL);
}

/* The words for what costs are means of. */
static const char *per_words(const Painting *painting)
{
	double work = MAX(painting->diff->base_work, painting->diff->head_work);
	if (painting->diff->per != NULL)
		return painting->diff->per;
	return work > 0 && work != 1 ? "unit of work" : "run";
}

/* " ± 2.31 ms", half of the 95 % interval, or nothing where that is not known. */
static char *say_spread(const Painting *painting, const double *spread, const FlameNode *node, double cost)
{
	if (spread == NULL || painting->diff->counted || !(cost > 0) || node->hidden_frames > 0)
		return g_strdup("");
	g_autofree char *half = painting->words->value(spread[node->stack.index], painting->profile->unit);
	return g_strconcat(" ± ", half, NULL);
}

static void append_costs(GString *out, const Painting *painting, const FlameNode *node)
{
	const char *unit = painting->profile->unit, *event = painting->profile->event;
	double change = flame_node_change(node);
	g_autofree char *base = painting->words->value(node->base.total, unit);
	g_autofree char *head = painting->words->value(node->head.total, unit);
	g_autofree char *base_half = say_spread(painting, painting->base_spread, node, node->base.total);
	g_autofree char *head_half = say_spread(painting, painting->head_spread, node, node->head.total);
	g_autofree char *size = painting->words->value(fabs(change), unit), *own = own_change(painting, node);
	g_autofree char *points = painting->words->points(contribution(painting, node));
	gboolean is_said = *event == '\0' || strcmp(event, unit) == 0;
	g_autofree char *of_event = is_said ? g_strdup("") : g_strdup_printf(" (%s)", event);
	const char *level = *base_half != '\0' || *head_half != '\0' ? " (± is 95 %)" : "";
	g_string_append_printf(out, "base %s%s → head %s%s%s per %s%s\n", base, base_half, head, head_half, level,
	        per_words(painting), of_event);
	g_string_append_printf(out, "change %s%s: %s, %s of the base total%s\n",
	        change > 0   ? "+"
	        : change < 0 ? "-"
	                     : "",
	        size, own, points, painting->measured ? "" : " of this picture");
}

static void append_shares(GString *out, const Painting *painting, const FlameNode *node)
{
	const FlameNode *bottom = flame_layout_node(painting->layout, 0);
	const char *unit = painting->profile->unit;
	g_autofree char *base = number_share(bottom->base.total > 0 ? node->base.total / bottom->base.total : NAN);
	g_autofree char *head = number_share(bottom->head.total > 0 ? node->head.total / bottom->head.total : NAN);
	g_autofree char *base_samples = number_count(node->base.samples);
	g_autofree char *head_samples = number_count(node->head.samples);
	g_autofree char *base_self = painting->words->value(node->base.self, unit);
	g_autofree char *head_self = painting->words->value(node->head.self, unit);
	g_string_append_printf(out, "share of base %s, of head %s, ", base, head);
	if (!painting->diff->counted && painting->profile->scale == 1)
		g_string_append_printf(out, "samples %s → %s, ", base_samples, head_samples);
	g_string_append_printf(out, "itself %s → %s", base_self, head_self);
}

/* A renamed function has a frame of either name, whatever else became of it: each says what the other is called. */
static void append_other_name(
        GString *out, const Painting *painting, const FlameNode *node, const FunctionComparison *function)
{
	if (!function_comparison_is_renamed(function))
		return;
	gboolean is_new = stack_table_leaf(painting->table, node->stack).index == function->frame.index;
	FrameId other = is_new ? function->renamed_from : function->frame;
	g_autofree char *name = hotspots_short_name(stack_table_frame_name(painting->table, other), NAME_MAX_CHARS);
	g_string_append_printf(out, "\nrenamed %s %s", is_new ? "from" : "to", name);
}

/* Appends the counts of the function, whatever the stack. Its points are those of the comparison, whose total has also
 * what no stack is known of. */
static void append_count(GString *out, const Painting *painting, const FunctionComparison *function)
{
	if (function == NULL)
		return;
	g_autofree char *points = painting->words->points(function->contribution);
	g_autofree char *range =
	        painting->words->points_range(function->contribution_lower, function->contribution_upper);
	g_string_append_printf(out, "\nfunction: %s, itself %s%s%s of the counted base total",
	        highlights_class(painting->diff->comparison, function), points, *range != '\0' ? " " : "", range);
	if (!function->repeats)
		g_string_append(out, ", not the same in all runs");
}

static void append_test(GString *out, const Painting *painting, const FunctionComparison *function)
{
	if (function == NULL || !function->tested) {
		g_string_append(out, "\nfunction test: too little evidence, not tested");
		return;
	}
	double p = function->contribution < 0 ? function->p_adjusted_improvement : function->p_adjusted;
	g_autofree char *p_value = number_p_value(p), *points = number_points(function->contribution);
	g_autofree char *interval =
	        painting->words->points_range(function->contribution_lower, function->contribution_upper);
	g_autofree char *detectable = number_share(function->mde_ratio);
	if (painting->significant[function->frame.index])
		g_string_append_printf(out, "\nfunction test: significant, %s; ",
		        highlights_class(painting->diff->comparison, function));
	else
		g_string_append_printf(out, "\nfunction test: not significant, detectable from %s; ", detectable);
	g_string_append_printf(
	        out, "itself %s %s of the measured base total, adjusted p %s", points, interval, p_value);
}

/* Says why the number beside the name is not that of the table, where the reason is not that the function has other
 * paths. */
static void append_label(
        GString *out, const Painting *painting, const FlameNode *node, const FunctionComparison *function)
{
	guint32 frame = stack_table_leaf(painting->table, node->stack).index;
	double own = painting->views->mark[FLAME_VALUE_WORK][node - flame_layout_node(painting->layout, 0)];
	if (own == 0 || painting->paths->n_paths[frame] > 1)
		return;
	gboolean counted = painting->diff->counted;
	g_autofree char *label = painting->words->points(own);
	g_autofree char *row = painting->words->points(function->contribution);
	if (strcmp(label, row) != 0)
		g_string_append_printf(out,
		        "\n%s at its name: what the samples of this picture cost; %s in the table: of all that "
		        "was %s",
		        label, row, counted ? "counted" : "measured");
}

/* The part of a significant function's change that is known of this path, where it has others. */
static void append_path(
        GString *out, const Painting *painting, const FlameNode *node, const FunctionComparison *function)
{
	guint32 frame = stack_table_leaf(painting->table, node->stack).index;
	guint n_paths = painting->paths->n_paths[frame];
	double own = painting->paths->own[node->stack.index];
	if (n_paths < 2 || frame != function->frame.index || !(node->base.self + node->head.self > 0))
		return;
	g_autofree char *points = painting->words->points(share_of_base(painting, own));
	g_autofree char *paths = number_count(n_paths);
	if (own != 0)
		g_string_append_printf(
		        out, "\nchanged itself on this path: %s; the function has %s paths", points, paths);
	else if (painting->paths->too_few_runs)
		g_string_append_printf(out, "\nthis path was not tested: its runs are not known, only their sum");
	else if (painting->diff->counted)
		g_string_append_printf(out, "\non this path no change beyond that between runs");
	else
		g_string_append_printf(out, "\non this path, one of %s, no such change was shown", paths);
}

static void append_function(
        GString *out, const Painting *painting, const FlameNode *node, const FunctionComparison *function)
{
	gboolean has_cost = node->base.self + node->head.self > 0;
	if (painting->diff->untested) {
		g_string_append(out, "\nnot tested: too few runs to tell a change from chance");
		return;
	}
	if (function == NULL && !has_cost) {
		g_string_append(out, "\nno cost of its own");
		return;
	}
	if (painting->diff->counted)
		append_count(out, painting, function);
	else
		append_test(out, painting, function);
	if (function != NULL) {
		append_other_name(out, painting, node, function);
		append_label(out, painting, node, function);
		append_path(out, painting, node, function);
	}
}

/* Appends what colours a frame, besides its own change. */
static void append_reason(GString *out, const Painting *painting, const FlameNode *node, guint index)
{
	double change = painting->views->change[FLAME_COLOUR_INCLUSIVE][FLAME_VALUE_WORK][index];
	if (painting->reasons == NULL || change == 0)
		return;
	const FlameReason *reason = &painting->reasons[node->stack.index];
	if (!(reason->cost * change > 0)) {
		if (painting->paths->own[node->stack.index] == 0)
			g_string_append(out, "\ncoloured by small changes above it");
		return;
	}
	g_autofree char *name =
	        hotspots_short_name(stack_table_frame_name(painting->table, reason->frame), NAME_MAX_CHARS);
	g_autofree char *points = painting->words->points(share_of_base(painting, reason->cost));
	g_string_append_printf(out, "\ncoloured by %s (%s) above it", name, points);
	if (reason->others > 0)
		g_string_append_printf(
		        out, " and %u more %s", reason->others, reason->others == 1 ? "function" : "functions");
}

static char *tooltip(const Painting *painting, const FlameNode *node, guint index)
{
	GString *out = g_string_new(NULL);
	FrameId frame = {0};
	if (flame_node_is_frame(node)) {
		frame = stack_table_leaf(painting->table, node->stack);
		append_place(out, painting, frame);
	}
	append_costs(out, painting, node);
	append_shares(out, painting, node);
	if (flame_node_is_frame(node) && (painting->diff->comparison != NULL || painting->diff->untested))
		append_function(out, painting, node, painting->functions[frame.index]);
	append_reason(out, painting, node, index);
	return g_string_free(out, FALSE);
}

static void paint(const FlameNode *node, gpointer data, FlameFrameLook *look)
{
	const Painting *painting = data;
	guint index = (guint)(node - flame_layout_node(painting->layout, 0));
	look->tooltip = tooltip(painting, node, index);
	look->fill = flame_views_fill(painting->views, FLAME_COLOUR_INCLUSIVE, FLAME_VALUE_WORK, index);
	look->hatched = node->base.total > 0 && node->head.total <= 0;
	look->outlined = node->base.total <= 0 && node->head.total > 0;
	double own = painting->views->mark[FLAME_VALUE_WORK][index];
	if (own == 0)
		return;
	/* mark and number speak of the function itself on this path; colour and width of the subtree */
	g_autofree char *points = painting->words->points(own);
	look->mark = own > 0 ? MARK_MORE : MARK_LESS;
	look->suffix = g_strconcat("  ", points, NULL);
}

/* Places a text of the legend and returns where the next thing goes. */
static double legend_text(FlameCanvas *canvas, double x, const char *text)
{
	FlameText style = {.x_pct = FLAME_CANVAS_PAD, .x_px = x, .y = canvas->y + 11, .faint = TRUE};
	flame_canvas_text(canvas, &style, text);
	return x + 6.2 * (double)wording_columns(text) + 22;
}

static double legend_swatch(FlameCanvas *canvas, double x, const FlameFrameLook *look, const char *text)
{
	flame_canvas_swatch(canvas, x, 24, look);
	return legend_text(canvas, x + 31, text);
}

/* An end of the scale, which the script rewrites for another view. */
static double legend_scale(FlameCanvas *canvas, double x, const char *text)
{
	g_string_append(canvas->body, "<g class=\"scale\">");
	double end = legend_text(canvas, x, text);
	g_string_append(canvas->body, "</g>\n");
	return end;
}

static const char *grey_words(const FlameDiff *diff)
{
	return diff->counted || diff->untested ? "unchanged" : "no significant change";
}

/* "cpu-clock per run: base 499 ms → head 646 ms, +29.5 %": what widths are, and the totals of both sides. Owned by the
 * caller. */
static char *basis_text(const Painting *painting)
{
	const FlameNode *bottom = flame_layout_node(painting->layout, 0);
	const char *unit = painting->profile->unit, *event = painting->profile->event;
	g_autofree char *base = painting->words->value(bottom->base.total, unit);
	g_autofree char *head = painting->words->value(bottom->head.total, unit);
	g_autofree char *change = bottom->base.total > 0 && bottom->head.total > 0
	                                  ? painting->words->change(bottom->head.total / bottom->base.total)
	                                  : g_strdup("one side is empty");
	return g_strdup_printf("Widths are %s per %s: base %s → head %s, %s", *event != '\0' ? event : unit,
	        per_words(painting), base, head, change);
}

/* Says in words what the scale shows. Static. */
static const char *scale_words(const FlameDiff *diff)
{
	return diff->untested
	               ? "Orange costs more in head, blue costs less; nothing was tested"
	               : "Orange costs more in head, blue costs less, the stronger the more; grey: no change was "
	                 "shown";
}

/* Says why a picture has the badge of a regression although what it shows did not rise; NULL = no need. Owned by the
 * caller. */
static char *badge_reason(const Painting *painting)
{
	const BenchmarkComparison *comparison = painting->diff->comparison;
	const FlameNode *bottom = flame_layout_node(painting->layout, 0);
	gboolean accused = comparison != NULL && !painting->diff->shown_only &&
	                   comparison->verdict == VERDICT_REGRESSION && !painting->diff->frames_only;
	if (!accused || flame_node_change(bottom) > 0)
		return NULL;
	const MetricComparison *failed = most_telling_metric(comparison->metrics, VERDICT_REGRESSION);
	if (failed == NULL)
		return g_strdup(
		        "Why a regression: a function (▲) costs more, although the total of this picture does not");
	return g_strdup_printf("Why a regression: %s failed, which is not what this picture shows", failed->name);
}

/* The lines that explain the picture, above its legend. */
static void write_basis(FlameCanvas *canvas, const Painting *painting)
{
	g_autofree char *basis = basis_text(painting), *reason = badge_reason(painting);
	const char *lines[] = {basis, scale_words(painting->diff), reason};
	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
		if (lines[i] == NULL)
			continue;
		FlameText style = {.x_pct = FLAME_CANVAS_PAD, .y = canvas->y + 11, .bold = i == 2};
		flame_canvas_text(canvas, &style, lines[i]);
		canvas->y += BASIS_LINE_PX;
	}
	canvas->y += 4;
}

static void write_legend(FlameCanvas *canvas, const Painting *painting)
{
	static const double steps[] = {-1, -.5, -.2, -.05, 0, .05, .2, .5, 1};
	const FlameViews *views = painting->views;
	double scale = views->scale[FLAME_COLOUR_INCLUSIVE][FLAME_VALUE_WORK];
	g_autofree char *less = number_points(-scale), *more = number_points(scale);
	double x = legend_scale(canvas, 0, less) - 8;
	for (gsize i = 0; i < G_N_ELEMENTS(steps); i++, x += 20)
		flame_canvas_swatch(canvas, x, 20, &(FlameFrameLook){.fill = flame_views_color(views, steps[i])});
	x = legend_scale(canvas, x + 8, more);
	FlameColor grey = flame_color_change(0);
	x = legend_swatch(canvas, x, &(FlameFrameLook){.fill = grey}, grey_words(painting->diff));
	x = legend_swatch(canvas, x, &(FlameFrameLook){.fill = grey, .hatched = TRUE}, "removed here");
	x = legend_swatch(canvas, x, &(FlameFrameLook){.fill = grey, .outlined = TRUE}, "added here");
	legend_text(canvas, x,
	        painting->diff->untested ? "pale: changes that were not tested"
	                                 : "▲ ▼ changed itself here, by points of base");
	canvas->y += 24;
	flame_views_row(canvas, views);
}

static FlamePaths *find_paths(const Painting *painting)
{
	const FlameDiff *diff = painting->diff;
	FlamePathsInput input = {
	        .base = diff->base,
	        .head = diff->head,
	        .base_work = diff->base_work,
	        .head_work = diff->head_work,
	        .functions = painting->functions,
	        .significant = painting->significant,
	        .counted = diff->counted,
	        .untested = diff->untested,
	        .alpha = alpha_of(diff),
	};
	return flame_paths_new(&input);
}

/* NULL where nothing is claimed. Owned by the caller. */
static FlameReason *find_reasons(const Painting *painting)
{
	if (painting->diff->untested || painting->diff->comparison == NULL)
		return NULL;
	return flame_reasons_new(
	        painting->paths, painting->table, painting->functions, FLAME_MIN_SHARE * painting->base_total);
}

static FlameInput layout_input(const Painting *painting)
{
	const FlameDiff *diff = painting->diff;
	return (FlameInput){
	        .base = diff->base,
	        .head = diff->head,
	        .base_work = diff->base_work,
	        .head_work = diff->head_work,
	        .width = FLAME_WIDTH_UNION,
	        .min_share = FLAME_MIN_SHARE,
	        .max_frames = diff->max_frames,
	        .known = painting->paths->known,
	};
}

static FlameViews *make_views(const Painting *painting, const FlameInput *input)
{
	FlameViewsInput views = {
	        .input = input,
	        .layout = painting->layout,
	        .paths = painting->paths,
	        .untested = painting->diff->untested,
	        .points_total = painting->base_total,
	        .counted = painting->diff->counted,
	        .least_scale = painting->diff->counted ? SMALLEST_COUNTED_SCALE : SMALLEST_SCALE,
	        .per = per_words(painting),
	};
	return flame_views_new(&views);
}

/* "base 42 → head 43 per run, +2.38 %". */
static char *totals_sentence(const Painting *painting)
{
	const FlameNode *bottom = flame_layout_node(painting->layout, 0);
	const char *unit = painting->profile->unit;
	g_autofree char *base = painting->words->value(bottom->base.total, unit);
	g_autofree char *head = painting->words->value(bottom->head.total, unit);
	g_autofree char *change = painting->words->change(bottom->head.total / bottom->base.total);
	const char *outcome = painting->diff->untested          ? "too few runs to test it"
	                      : painting->diff->outcome != NULL ? painting->diff->outcome
	                                                        : "decides nothing";
	return g_strdup_printf("base %s → head %s per %s, %s; %s", base, head, per_words(painting), change, outcome);
}

static void write_table(FlameCanvas *canvas, const Painting *painting)
{
	FlameDiffTable table = {
	        .comparison = painting->diff->comparison,
	        .table = painting->table,
	        .unit = painting->profile->unit,
	        .significant = painting->significant,
	        .counted = painting->diff->counted,
	        .untested = painting->diff->untested,
	        .has_fractions = painting->profile->scale != 1,
	};
	flame_diff_table(canvas, &table);
}

/* The text of the picture: a sentence on the outcome where there is one. Owned by the caller. */
static char *sentence(const Painting *painting)
{
	const FlameDiff *diff = painting->diff;
	if (diff->untested || (diff->comparison != NULL && diff->shown_only))
		return totals_sentence(painting);
	return g_strdup(diff->comparison == NULL ? "not compared: all frames are grey" : diff->comparison->sentence);
}

/* The work itself: what costs are divided by takes parts of a unit back to whole ones, too. */
static double work_of(const Profile *profile, double divisor)
{
	return profile != NULL ? divisor / (double)profile->scale : divisor;
}

static FlameDiffKept append_data(GString *out, const FlameDiff *diff)
{
	FlameDiffData data = {.base = (Profile *)diff->base,
	        .head = (Profile *)diff->head,
	        .base_work = work_of(diff->base, diff->base_work),
	        .head_work = work_of(diff->head, diff->head_work),
	        .counted = diff->counted,
	        .normalized = diff->normalized};
	return diff->without_data ? FLAME_DIFF_DATA_RUNS : flame_diff_data_append(out, &data);
}

/* The remarks in the line under the picture besides what was left out of it; NULL = none. Owned by the caller. */
static char *remarks(const Painting *painting, FlameDiffKept kept)
{
	const char *said[4] = {NULL};
	guint n = 0;
	if (painting->lost_callers != NULL)
		said[n++] = painting->lost_callers;
	if (painting->paths->too_few_runs)
		said[n++] = "runs are known as sums only: where a function has several callers its frames are grey";
	if (kept == FLAME_DIFF_DATA_NONE)
		said[n++] = "the profiles are too large to be kept in this file";
	else if (kept == FLAME_DIFF_DATA_SUMS)
		said[n++] = "this file keeps its profiles as sums of the runs";
	return n > 0 ? g_strjoinv("  ·  ", (char **)said) : NULL;
}

/* Writes the text above the frames and their legend. */
static void write_head(FlameCanvas *canvas, const Painting *painting, const FlameHeader *header)
{
	flame_canvas_header(canvas, header);
	write_table(canvas, painting);
	canvas->y += 4;
	flame_canvas_rule(canvas);
	canvas->y += 12;
}

static char *draw(const Painting *painting, gsize *length)
{
	const FlameDiff *diff = painting->diff;
	const BenchmarkComparison *comparison = diff->comparison;
	g_autofree char *said = sentence(painting);
	FlameHeader header = {
	        .benchmark = diff->benchmark,
	        .title = diff->title,
	        .sentence = said,
	        .verdict = comparison == NULL || diff->shown_only ? NULL : &comparison->verdict,
	};
	FlameCanvas canvas;
	flame_canvas_init(&canvas);
	if (diff->options != NULL)
		canvas.style = diff->options->style;
	if (diff->frames_only)
		canvas.y = CONTROLS_PX;
	else
		write_head(&canvas, painting, &header);
	write_basis(&canvas, painting);
	write_legend(&canvas, painting);
	g_autoptr(GString) data = g_string_new(NULL);
	g_autofree char *remark = remarks(painting, append_data(data, painting->given));
	flame_canvas_frames(&canvas, painting->layout, painting->table,
	        &(FlamePainter){.paint = paint, .data = (gpointer)painting, .remark = remark});
	flame_views_script(&canvas);
	g_string_append_len(canvas.body, data->str, (gssize)data->len);
	return flame_canvas_finish(&canvas, &header, length);
}

char *flame_diff_svg(const FlameDiff *given, gsize *length)
{
	g_auto(LostCallers) lost = lost_callers_find(given->base, given->head);
	g_autofree char *lost_callers = lost_callers_remark(&lost);
	FlameDiff marked = *given, *diff = &marked;
	if (lost.base != NULL)
		marked.base = lost.base;
	if (lost.head != NULL)
		marked.head = lost.head;
	Painting painting = {.diff = diff,
	        .given = given,
	        .lost_callers = lost_callers,
	        .words = number_words(diff->counted),
	        .profile = diff->head != NULL ? diff->head : diff->base};
	g_assert(painting.profile != NULL);
	painting.table = painting.profile->table;
	Profile named = *painting.profile;
	if (diff->options != NULL && diff->options->count_name != NULL) {
		named.unit = named.event = (char *)diff->options->count_name;
		painting.profile = &named;
	}
	index_functions(&painting);
	G_GNUC_UNUSED g_autofree const FunctionComparison **functions = painting.functions;
	G_GNUC_UNUSED g_autofree gboolean *significant = painting.significant;
	g_autoptr(FlamePaths) paths = find_paths(&painting);
	painting.paths = paths;
	FlameInput input = layout_input(&painting);
	if (diff->options != NULL && diff->options->min_share != 0)
		input.min_share = diff->options->min_share;
	g_autoptr(FlameLayout) layout = flame_layout_new(&input);
	painting.layout = layout;
	find_base_total(&painting);
	g_autofree FlameReason *reasons = find_reasons(&painting);
	painting.reasons = reasons;
	g_autoptr(FlameViews) views = make_views(&painting, &input);
	painting.views = views;
	g_autofree double *base_spread = flame_spread_new(diff->base, diff->base_work);
	g_autofree double *head_spread = flame_spread_new(diff->head, diff->head_work);
	painting.base_spread = base_spread;
	painting.head_spread = head_spread;
	return draw(&painting, length);
}
