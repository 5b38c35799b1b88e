#include "report/json/topjson.h"

#include "core/json/document.h"

#include <math.h>

GArray *top_functions(const TopReport *top)
{
	GArray *functions = hotspots_sorted(top->hotspots, top->order);
	if (top->rows > 0 && functions->len > top->rows)
		g_array_set_size(functions, top->rows);
	return functions;
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

static json_t *identity(const StackTable *table, FrameId id)
{
	const Frame *frame = stack_table_get_frame(table, id);
	const Identity found = {
	        .name = stack_table_text(table, frame->name),
	        .module = stack_table_text(table, frame->module),
	        .file = stack_table_text(table, frame->file),
	        .line = frame->line,
	        .kind = frame->kind,
	};
	return fields_json(FIELD_TABLE(identity_fields), &found, FALSE);
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

static json_t *functions_json(gconstpointer report, G_GNUC_UNUSED gboolean counted)
{
	const TopReport *top = report;
	g_autoptr(GArray) functions = top_functions(top);
	json_t *array = json_array();
	for (guint i = 0; i < functions->len; i++) {
		FrameId id = g_array_index(functions, FrameId, i);
		const Costs costs = costs_of(top, top->hotspots->self[id.index], top->hotspots->inclusive[id.index]);
		json_t *object = identity(top->hotspots->table, id);
		fields_write(object, FIELD_TABLE(costs_fields), &costs, TRUE);
		json_array_append_new(array, object);
	}
	return array;
}

typedef struct {
	double cost, samples, share_of_function, share;
} NeighbourCost;

static const Field neighbour_fields[] = {
        FIELD("cost", COST, NeighbourCost, cost),
        FIELD("samples", COST, NeighbourCost, samples),
        FIELD("pct_of_function", SHARE, NeighbourCost, share_of_function),
        FIELD("pct", SHARE, NeighbourCost, share),
};

static json_t *neighbours_json(const TopReport *top, const GArray *neighbours)
{
	json_t *array = json_array();
	for (guint i = 0; i < neighbours->len; i++) {
		const HotspotNeighbour *neighbour = &g_array_index(neighbours, HotspotNeighbour, i);
		const NeighbourCost own = {
		        .cost = cost(top, neighbour->cost.weight),
		        .samples = cost(top, neighbour->cost.samples),
		        .share_of_function = hotspots_share(neighbour->cost.weight, top->calls->inclusive.weight),
		        .share = hotspots_share(neighbour->cost.weight, top->hotspots->total.weight),
		};
		json_t *object = identity(top->hotspots->table, neighbour->frame);
		fields_write(object, FIELD_TABLE(neighbour_fields), &own, TRUE);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *chosen_json(const TopReport *top)
{
	json_t *array = json_array();
	for (guint i = 0; i < top->chosen->len; i++)
		json_array_append_new(array, identity(top->hotspots->table, g_array_index(top->chosen, FrameId, i)));
	return array;
}

static json_t *calls_json(gconstpointer report, G_GNUC_UNUSED gboolean counted)
{
	const TopReport *top = report;
	const HotspotCalls *calls = top->calls;
	if (calls == NULL)
		return json_null();
	const Costs costs = costs_of(top, calls->self, calls->inclusive);
	json_t *object = json_object();
	json_set(object, "functions", chosen_json(top));
	fields_write(object, FIELD_TABLE(costs_fields), &costs, TRUE);
	json_set(object, "from_root", json_cost(cost(top, calls->from_root.weight), TRUE));
	json_set(object, "callers", neighbours_json(top, calls->callers));
	json_set(object, "callees", neighbours_json(top, calls->callees));
	return object;
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

/* The report with the facts that follow from it. */
typedef struct {
	TopReport top;
	const char *event, *unit;
	double total, samples, unknown;
	guint seen;
	const GArray *patterns;
} Document;

static const Field document_fields[] = {
        FIELD("files", STRV, Document, top.files),
        FIELD("event", NAME, Document, event),
        FIELD("unit", WORDS, Document, unit),
        FIELD("total", COST, Document, total),
        FIELD("samples", COST, Document, samples),
        FIELD("counted", FLAG, Document, top.counted),
        FIELD("unknown_pct", SHARE, Document, unknown),
        FIELD_WORD("order", Document, top.order, order_name, HOTSPOTS_BY_INCLUSIVE + 1),
        FIELD("functions_seen", COUNT, Document, seen),
        FIELD_MADE("functions", functions_json, NULL),
        FIELD_MADE("calls", calls_json, NULL),
        FIELD_ROWS("hints", Document, patterns, HotPattern, pattern_fields, 0),
};

char *top_json(const TopReport *top, gsize *length)
{
	const Hotspots *hotspots = top->hotspots;
	g_autoptr(GArray) all = hotspots_sorted(hotspots, top->order);
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
	        .seen = all->len,
	        .patterns = top->patterns->patterns,
	};
	return json_document(&form, &document, length);
}
