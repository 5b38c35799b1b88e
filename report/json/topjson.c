/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/topjson.h"

#include "core/json/document.h"
#include "core/jsontext.h"

#include <math.h>

guint top_n_shown(const TopReport *top)
{
	const HotGroups *groups = top->groups;
	guint most = top->rows > 0 ? MIN(top->rows, groups->groups->len) : groups->groups->len, n = 0;
	for (; n < most; n++) {
		const HotGroup *group = &g_array_index(groups->groups, HotGroup, n);
		guint64 weight = top->order == HOTSPOTS_BY_SELF ? group->self.weight : group->inclusive.weight;
		if ((weight == 0 && top->self_only) || hotspots_share(weight, groups->total.weight) < top->least_share)
			break;
	}
	return n;
}

guint top_n_pairs_shown(const TopReport *top)
{
	guint most = top->rows > 0 ? MIN(top->rows, top->pairs->len) : top->pairs->len, n = 0;
	while (n < most && hot_pair_share(&g_array_index(top->pairs, HotPair, n)) >= top->least_share)
		n++;
	return n;
}

/* A number of units, or of samples where both are the same. */
static double cost(const TopReport *top, guint64 value)
{
	return (double)value / (double)top->profile->scale;
}

typedef struct {
	const char *name, *module, *file;
	guint line;
	FrameKind kind;
} Identity;

static const char *kind_name(guint kind)
{
	return frame_kind_names[kind];
}

static const Field identity_fields[] = {
        FIELD("name", WORDS, Identity, name),
        FIELD("module", NAME, Identity, module),
        FIELD("file", NAME, Identity, file),
        FIELD("line", LINE, Identity, line),
        FIELD_WORD("kind", Identity, kind, kind_name, FRAME_KINDS),
};

static Identity identity_of(const StackTable *table, FrameId id)
{
	const Frame *frame = stack_table_get_frame(table, id);
	return (Identity){
	        .name = stack_table_text(table, frame->name),
	        .module = stack_table_text(table, frame->module),
	        .file = stack_table_text(table, frame->file),
	        .line = frame->line,
	        .kind = frame->kind,
	};
}

typedef struct {
	double self, self_share, half_width, self_samples;
	double inclusive, inclusive_share, inclusive_samples;
} Costs;

static const Field costs_fields[] = {
        FIELD("self", COST, Costs, self),
        FIELD("self_pct", SHARE, Costs, self_share),
        FIELD("self_half_width_pp", SHARE, Costs, half_width),
        FIELD("self_samples", COST, Costs, self_samples),
        FIELD("inclusive", COST, Costs, inclusive),
        FIELD("inclusive_pct", SHARE, Costs, inclusive_share),
        FIELD("inclusive_samples", COST, Costs, inclusive_samples),
};

static Costs costs_of(const TopReport *top, ProfileCell self, ProfileCell inclusive)
{
	ProfileCell total = top->hotspots->total;
	double share = hotspots_share(self.weight, total.weight);
	return (Costs){
	        .self = cost(top, self.weight),
	        .self_share = share,
	        .half_width = top->counted || top->uneven ? NAN : hotspots_half_width(share, total.samples),
	        .self_samples = cost(top, self.samples),
	        .inclusive = cost(top, inclusive.weight),
	        .inclusive_share = hotspots_share(inclusive.weight, total.weight),
	        .inclusive_samples = cost(top, inclusive.samples),
	};
}

typedef struct {
	Identity identity;
	Costs costs;
} TopFunction;

static const Field function_fields[] = {
        FIELD_JOIN(TopFunction, identity, identity_fields),
        FIELD_JOIN(TopFunction, costs, costs_fields),
};

/* The functions that are shown where groups are functions: an array of TopFunction. */
static GArray *shown_functions(const TopReport *top)
{
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(TopFunction));
	guint n = hot_grouping_is_by_function(&top->groups->grouping) ? top_n_shown(top) : 0;
	for (guint i = 0; i < n; i++) {
		const HotGroup *group = &g_array_index(top->groups->groups, HotGroup, i);
		const TopFunction function = {identity_of(top->groups->table, hot_group_frame(group, 0)),
		        costs_of(top, group->self, group->inclusive)};
		g_array_append_val(functions, function);
	}
	return functions;
}

/* A group with its costs. */
typedef struct {
	const HotGroups *groups;
	const HotGroup *group;
	Costs costs;
} TopGroup;

/* The values of the keys; null where the stacks do not tell one. */
static json_t *keys_json(gconstpointer record, gboolean counted)
{
	const TopGroup *row = record;
	json_t *keys = json_object();
	(void)counted;
	for (guint i = 0; i < row->groups->grouping.n_keys; i++) {
		const char *text = hot_group_text(row->groups, row->group, i);
		json_object_set_new(keys, hot_key_names[row->groups->grouping.keys[i]],
		        *text != '\0' ? json_text(text) : json_null());
	}
	return keys;
}

static const Field group_fields[] = {
        FIELD_MADE("keys", keys_json, NULL),
        FIELD_JOIN(TopGroup, costs, costs_fields),
};

/* The groups that are shown where they are no plain functions: an array of TopGroup. */
static GArray *shown_groups(const TopReport *top)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(TopGroup));
	guint n = hot_grouping_is_by_function(&top->groups->grouping) ? 0 : top_n_shown(top);
	for (guint i = 0; i < n; i++) {
		const HotGroup *group = &g_array_index(top->groups->groups, HotGroup, i);
		const TopGroup row = {top->groups, group, costs_of(top, group->self, group->inclusive)};
		g_array_append_val(rows, row);
	}
	return rows;
}

/* A caller or a callee. */
typedef struct {
	Identity identity;
	double cost, samples, share_of_function, share;
} Neighbour;

static const Field neighbour_fields[] = {
        FIELD_JOIN(Neighbour, identity, identity_fields),
        FIELD("cost", COST, Neighbour, cost),
        FIELD("samples", COST, Neighbour, samples),
        FIELD("pct_of_function", SHARE, Neighbour, share_of_function),
        FIELD("pct", SHARE, Neighbour, share),
};

static GArray *neighbours_of(const TopReport *top, const GArray *found)
{
	GArray *neighbours = g_array_new(FALSE, FALSE, sizeof(Neighbour));
	for (guint i = 0; i < found->len; i++) {
		const HotspotNeighbour *one = &g_array_index(found, HotspotNeighbour, i);
		const Neighbour neighbour = {
		        .identity = identity_of(top->hotspots->table, one->frame),
		        .cost = cost(top, one->cost.weight),
		        .samples = cost(top, one->cost.samples),
		        .share_of_function = hotspots_share(one->cost.weight, top->calls->inclusive.weight),
		        .share = hotspots_share(one->cost.weight, top->hotspots->total.weight),
		};
		g_array_append_val(neighbours, neighbour);
	}
	return neighbours;
}

/* The chosen functions together, with their callers and callees. */
typedef struct {
	GArray *functions; /* of Identity */
	Costs costs;
	double from_root;
	GArray *callers, *callees; /* of Neighbour */
} Calls;

static const Field calls_fields[] = {
        FIELD_ROWS("functions", Calls, functions, Identity, identity_fields, 0),
        FIELD_JOIN(Calls, costs, costs_fields),
        FIELD("from_root", COST, Calls, from_root),
        FIELD_ROWS("callers", Calls, callers, Neighbour, neighbour_fields, 0),
        FIELD_ROWS("callees", Calls, callees, Neighbour, neighbour_fields, 0),
};

static GArray *chosen_functions(const TopReport *top)
{
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(Identity));
	for (guint i = 0; i < top->chosen->len; i++) {
		const Identity one = identity_of(top->hotspots->table, g_array_index(top->chosen, FrameId, i));
		g_array_append_val(functions, one);
	}
	return functions;
}

static json_t *calls_json(gconstpointer report, gboolean counted)
{
	const TopReport *top = report;
	if (top->calls == NULL)
		return json_null();
	g_autoptr(GArray) functions = chosen_functions(top);
	g_autoptr(GArray) callers = neighbours_of(top, top->calls->callers);
	g_autoptr(GArray) callees = neighbours_of(top, top->calls->callees);
	const Calls calls = {
	        .functions = functions,
	        .costs = costs_of(top, top->calls->self, top->calls->inclusive),
	        .from_root = cost(top, top->calls->from_root.weight),
	        .callers = callers,
	        .callees = callees,
	};
	return fields_json(FIELD_TABLE(calls_fields), &calls, counted);
}

static const Field pattern_fields[] = {
        FIELD("code", WORDS, HotPattern, code),
        FIELD("share_pct", SHARE, HotPattern, share),
        FIELD("text", WORDS, HotPattern, text),
};

static const char *order_name(guint order)
{
	return order == HOTSPOTS_BY_SELF ? "self" : "inclusive";
}

/* A group of both sides. */
typedef struct {
	TopGroup row; /* whose keys it has */
	double base, head, change, base_samples, head_samples;
} PairRow;

static json_t *pair_keys_json(gconstpointer record, gboolean counted)
{
	return keys_json(&((const PairRow *)record)->row, counted);
}

static const Field pair_fields[] = {
        FIELD_MADE("keys", pair_keys_json, NULL),
        FIELD("base_pct", SHARE, PairRow, base),
        FIELD("head_pct", SHARE, PairRow, head),
        FIELD("change_pp", SHARE, PairRow, change),
        FIELD("base_samples", COST, PairRow, base_samples),
        FIELD("head_samples", COST, PairRow, head_samples),
};

typedef struct {
	const char *file;
	double total;
	const GArray *rows; /* of PairRow */
} Comparison;

static const Field comparison_fields[] = {
        FIELD("base_file", WORDS, Comparison, file),
        FIELD("base_total", COST, Comparison, total),
        FIELD_ROWS("rows", Comparison, rows, PairRow, pair_fields, 0),
};

static PairRow pair_row(const TopReport *top, const HotPair *pair)
{
	return (PairRow){
	        .row = {.groups = pair->head != NULL ? top->groups : top->base,
	                .group = pair->head != NULL ? pair->head : pair->base},
	        .base = pair->base_share,
	        .head = pair->head_share,
	        .change = pair->head_share - pair->base_share,
	        .base_samples = cost(top, pair->base_samples),
	        .head_samples = cost(top, pair->head_samples),
	};
}

static json_t *comparison_json(gconstpointer report, gboolean counted)
{
	const TopReport *top = report;
	if (top->base == NULL)
		return json_null();
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(PairRow));
	for (guint i = 0, n = top_n_pairs_shown(top); i < n; i++) {
		const PairRow row = pair_row(top, &g_array_index(top->pairs, HotPair, i));
		g_array_append_val(rows, row);
	}
	const Comparison comparison = {top->base_file, cost(top, top->base->total.weight), rows};
	return fields_json(FIELD_TABLE(comparison_fields), &comparison, counted);
}

static const Field event_fields[] = {
        FIELD("name", NAME, RecordedEvent, name),
        FIELD("samples", BIG_COUNT, RecordedEvent, samples),
};

static const Field head_fields[] = {
        FIELD("host", TEXT, RecordingHead, host),
        FIELD("kernel", TEXT, RecordingHead, kernel_release),
        FIELD("machine", TEXT, RecordingHead, machine),
        FIELD("command", TEXT, RecordingHead, command),
        FIELD_ROWS("events", RecordingHead, events, RecordedEvent, event_fields, 0),
};

static json_t *head_json(gconstpointer report, gboolean counted)
{
	const TopReport *top = report;
	return top->head != NULL ? fields_json(FIELD_TABLE(head_fields), top->head, counted) : json_null();
}

/* The report with the facts that follow from it. */
typedef struct {
	TopReport top;
	const char *event, *unit;
	double total, samples, unknown, kept;
	guint seen;
	const GArray *functions; /* of TopFunction */
	const GArray *groups;    /* of TopGroup */
	const GArray *patterns;
} Document;

static json_t *by_json(gconstpointer record, gboolean counted)
{
	const HotGrouping *grouping = &((const Document *)record)->top.groups->grouping;
	json_t *names = json_array();
	(void)counted;
	for (guint i = 0; i < grouping->n_keys; i++)
		json_array_append_new(names, json_text(hot_key_names[grouping->keys[i]]));
	return names;
}

static const Field document_fields[] = {
        FIELD("files", STRV, Document, top.files),
        FIELD_MADE("recording", head_json, NULL),
        FIELD("event", NAME, Document, event),
        FIELD("unit", WORDS, Document, unit),
        FIELD("total", COST, Document, total),
        FIELD("samples", COST, Document, samples),
        FIELD("counted", FLAG, Document, top.counted),
        FIELD("unknown_pct", SHARE, Document, unknown),
        FIELD_WORD("order", Document, top.order, order_name, HOTSPOTS_BY_INCLUSIVE + 1),
        FIELD_MADE("by", by_json, NULL),
        FIELD("kept_pct", SHARE, Document, kept),
        FIELD("functions_seen", COUNT, Document, seen),
        FIELD_ROWS("functions", Document, functions, TopFunction, function_fields, 0),
        FIELD_ROWS("groups", Document, groups, TopGroup, group_fields, 0),
        FIELD_MADE("comparison", comparison_json, NULL),
        FIELD_MADE("calls", calls_json, NULL),
        FIELD_ROWS("hints", Document, patterns, HotPattern, pattern_fields, 0),
};

char *top_json(const TopReport *top, gsize *length)
{
	const Hotspots *hotspots = top->hotspots;
	g_autoptr(GArray) functions = shown_functions(top), groups = shown_groups(top);
	const JsonDocument form = {
	        .schema = TOP_SCHEMA,
	        .table = FIELD_TABLE(document_fields),
	        .counted = TRUE,
	        .findings = top->findings,
	};
	const Document document = {
	        .top = *top,
	        .event = top->profile->event,
	        .unit = top->profile->unit,
	        .total = cost(top, hotspots->total.weight),
	        .samples = cost(top, hotspots->total.samples),
	        .unknown = hotspots_share(top->unknown.weight, hotspots->total.weight),
	        .kept = hotspots_share(top->groups->kept.weight, hotspots->total.weight),
	        .seen = top->groups->groups->len,
	        .functions = functions,
	        .groups = groups,
	        .patterns = top->patterns->patterns,
	};
	return json_document(&form, &document, length);
}
