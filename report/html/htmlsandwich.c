/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlsandwich.h"

#include "core/escape.h"
#include "core/jsontext.h"
#include "model/numbers/number.h"
#include "profile/hotspots/hotspots.h"
#include "report/html/htmltext.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FUNCTIONS 50
#define FIRST_BYTES 5000    /* that the function in the text takes, and its data */
#define FUNCTION_BYTES 1500 /* that the data of one more take */
#define NEIGHBOURS 12       /* of either kind; the others are summed up */

/* Cost of one thing on both sides, as a share of the total of base. */
typedef struct {
	double base, head;
} Sides;

typedef struct {
	FrameId frame;
	Sides cost;
} Neighbour;

typedef struct {
	GArray *list; /* of Neighbour, the most expensive first */
	Sides others; /* of those that are not in the list */
	guint n_others;
} Neighbours;

typedef struct {
	const FunctionComparison *function;
	Sides self, inclusive;
	Neighbours callers, callees;
} Sandwich;

void html_sandwich_prepare(HtmlEvidence *evidence, gsize max_bytes)
{
	gsize fitting = max_bytes < FIRST_BYTES ? 0 : 1 + (max_bytes - FIRST_BYTES) / FUNCTION_BYTES;
	if (html_evidence_has_profiles(evidence) && evidence->base_total > 0)
		evidence->callable = (guint)MIN(MIN(evidence->shown->len, MAX_FUNCTIONS), fitting);
}

/* --- finding them --- */

/* One kind of neighbours of a function while they are added up. */
typedef struct {
	GArray *list;      /* of Neighbour */
	GHashTable *index; /* FrameId -> position in the list + 1 */
} Gathering;

/* All functions at once, since a profile may have a million stacks. */
typedef struct {
	const HtmlEvidence *evidence;
	gint *slot; /* by FrameId: which of the functions it is, -1 = none */
	Sides *self, *inclusive;
	Gathering *callers, *callees;
	/* of the stack that is being looked at */
	guint *seen_on;     /* by slot: its StackId + 1 */
	StackId *outermost; /* by slot */
	GArray *found;      /* of guint: slots */
} Gatherer;

static void gathering_init(Gathering *gathering)
{
	gathering->list = g_array_new(FALSE, FALSE, sizeof(Neighbour));
	gathering->index = g_hash_table_new(NULL, NULL);
}

static Gatherer *gatherer_new(const HtmlEvidence *evidence)
{
	Gatherer *gatherer = g_new0(Gatherer, 1);
	guint n = evidence->callable, n_frames = stack_table_n_frames(evidence->list.table);
	gatherer->evidence = evidence;
	gatherer->slot = g_new(gint, n_frames);
	for (guint i = 0; i < n_frames; i++)
		gatherer->slot[i] = -1;
	gatherer->self = g_new0(Sides, n);
	gatherer->inclusive = g_new0(Sides, n);
	gatherer->callers = g_new(Gathering, n);
	gatherer->callees = g_new(Gathering, n);
	gatherer->seen_on = g_new0(guint, n);
	gatherer->outermost = g_new0(StackId, n);
	gatherer->found = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = n; i-- > 0;) {
		const FunctionComparison *function = g_ptr_array_index(evidence->shown, i);
		gatherer->slot[function->renamed_from.index] = gatherer->slot[function->frame.index] = (gint)i;
		gathering_init(&gatherer->callers[i]);
		gathering_init(&gatherer->callees[i]);
	}
	return gatherer;
}

static void gatherer_free(Gatherer *gatherer)
{
	for (guint i = 0; i < gatherer->evidence->callable; i++) {
		g_array_unref(gatherer->callers[i].list);
		g_hash_table_unref(gatherer->callers[i].index);
		g_array_unref(gatherer->callees[i].list);
		g_hash_table_unref(gatherer->callees[i].index);
	}
	g_free(gatherer->slot);
	g_free(gatherer->self);
	g_free(gatherer->inclusive);
	g_free(gatherer->callers);
	g_free(gatherer->callees);
	g_free(gatherer->seen_on);
	g_free(gatherer->outermost);
	g_array_unref(gatherer->found);
	g_free(gatherer);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Gatherer, gatherer_free)

static void add(Sides *sides, double cost, gboolean head)
{
	*(head ? &sides->head : &sides->base) += cost;
}

static void gather(Gathering *gathering, FrameId frame, double cost, gboolean head)
{
	gpointer at = g_hash_table_lookup(gathering->index, GUINT_TO_POINTER(frame.index));
	if (at == NULL) {
		Neighbour neighbour = {.frame = frame};
		g_array_append_val(gathering->list, neighbour);
		at = GUINT_TO_POINTER(gathering->list->len);
		g_hash_table_insert(gathering->index, GUINT_TO_POINTER(frame.index), at);
	}
	add(&g_array_index(gathering->list, Neighbour, GPOINTER_TO_UINT(at) - 1).cost, cost, head);
}

/* Goes from the leaf to the root: the first time that a function comes up it is the innermost, the last time the
 * outermost. */
static void walk(Gatherer *gatherer, StackId stack, double cost, gboolean head)
{
	const StackTable *table = gatherer->evidence->list.table;
	FrameId above = {0};
	g_array_set_size(gatherer->found, 0);
	for (StackId at = stack; at.index != STACK_ROOT.index; at = stack_table_parent(table, at)) {
		FrameId frame = stack_table_leaf(table, at);
		gint slot = gatherer->slot[frame.index];
		if (slot >= 0 && gatherer->seen_on[slot] != stack.index + 1) {
			guint found = (guint)slot;
			gatherer->seen_on[slot] = stack.index + 1;
			g_array_append_val(gatherer->found, found);
			if (at.index == stack.index)
				add(&gatherer->self[slot], cost, head);
			else
				gather(&gatherer->callees[slot], above, cost, head);
		}
		if (slot >= 0)
			gatherer->outermost[slot] = at;
		above = frame;
	}
	for (guint i = 0; i < gatherer->found->len; i++) {
		guint slot = g_array_index(gatherer->found, guint, i);
		StackId caller = stack_table_parent(table, gatherer->outermost[slot]);
		add(&gatherer->inclusive[slot], cost, head);
		if (caller.index != STACK_ROOT.index)
			gather(&gatherer->callers[slot], stack_table_leaf(table, caller), cost, head);
	}
}

/* Weights become shares of the total of base. */
static void walk_side(Gatherer *gatherer, const Measurement *measurement, gboolean head)
{
	const Profile *profile = measurement->profile;
	guint n = stack_table_n_stacks(profile->table), n_runs = profile_n_runs(profile);
	double work = measurement->work > 0 ? measurement->work : 1;
	g_autofree double *weights = g_new0(double, n);
	for (guint run = 0; run < n_runs; run++) {
		const GArray *column = g_ptr_array_index(profile->runs, run);
		for (guint i = 0; i < column->len; i++)
			weights[i] += (double)g_array_index(column, ProfileCell, i).weight;
	}
	memset(gatherer->seen_on, 0, gatherer->evidence->callable * sizeof *gatherer->seen_on);
	for (guint32 i = 1; i < n; i++)
		if (weights[i] > 0)
			walk(gatherer, (StackId){i}, weights[i] / (n_runs * work * gatherer->evidence->base_total),
			        head);
}

static int by_cost(gconstpointer left, gconstpointer right)
{
	const Neighbour *a = left, *b = right;
	double x = fmax(a->cost.base, a->cost.head), y = fmax(b->cost.base, b->cost.head);
	if (x != y)
		return x > y ? -1 : 1;
	return a->frame.index < b->frame.index ? -1 : a->frame.index > b->frame.index;
}

/* Leaves the largest in the list. */
static Neighbours largest_of(GArray *list)
{
	Neighbours result = {.list = list};
	g_array_sort(list, by_cost);
	for (guint i = NEIGHBOURS; i < list->len; i++) {
		const Neighbour *other = &g_array_index(list, Neighbour, i);
		result.others.base += other->cost.base;
		result.others.head += other->cost.head;
		result.n_others++;
	}
	g_array_set_size(list, MIN(list->len, NEIGHBOURS));
	return result;
}

/* Makes the sandwich of each function; lists are borrowed from the gatherer. Array of Sandwich, owned by the caller. */
static Sandwich *sandwiches_of(Gatherer *gatherer)
{
	const HtmlEvidence *evidence = gatherer->evidence;
	guint n = evidence->callable;
	Sandwich *sandwiches = g_new0(Sandwich, n);
	walk_side(gatherer, evidence->base, FALSE);
	walk_side(gatherer, evidence->head, TRUE);
	for (guint i = 0; i < n; i++) {
		sandwiches[i].function = g_ptr_array_index(evidence->shown, i);
		sandwiches[i].self = gatherer->self[i];
		sandwiches[i].inclusive = gatherer->inclusive[i];
		sandwiches[i].callers = largest_of(gatherer->callers[i].list);
		sandwiches[i].callees = largest_of(gatherer->callees[i].list);
	}
	return sandwiches;
}

/* --- the one in the text --- */

/* Appends a share. That of head is base's share plus the change; if it is more than all of base, it is no share. */
static void append_share(GString *out, Sides sides)
{
	g_autofree char *base = number_base_share(sides.base, 1);
	html_element(out, "td", "n", base);
}

static void append_change(GString *out, Sides sides)
{
	g_autofree char *change = number_points(sides.head - sides.base);
	html_element(out, "td", "n", change);
}

static void append_cost_row(GString *out, const char *name, gboolean foreign, Sides cost)
{
	g_string_append(out, "<tr><th scope=\"row\">");
	if (foreign)
		html_code(out, name);
	else
		html_text(out, name);
	g_string_append(out, "</th>");
	append_share(out, cost);
	append_change(out, cost);
	g_string_append(out, "</tr>\n");
}

static void begin_table(GString *out, const char *caption)
{
	g_string_append_printf(out,
	        "<table><caption>%s</caption><thead><tr><th scope=\"col\">function</th><th scope=\"col\" "
	        "class=\"n\">share of base</th><th scope=\"col\" "
	        "class=\"n\">change</th></tr></thead><tbody>\n",
	        caption);
}

static void append_neighbours(
        GString *out, const HtmlEvidence *evidence, const Neighbours *neighbours, const char *caption)
{
	begin_table(out, caption);
	for (guint i = 0; i < neighbours->list->len; i++) {
		const Neighbour *neighbour = &g_array_index(neighbours->list, Neighbour, i);
		append_cost_row(out, highlights_name(evidence->list.table, neighbour->frame), TRUE, neighbour->cost);
	}
	if (neighbours->list->len == 0)
		g_string_append(out, "<tr><td colspan=\"3\" class=\"none\">none</td></tr>\n");
	if (neighbours->n_others > 0) {
		g_autofree char *others = g_strdup_printf("%u others", neighbours->n_others);
		append_cost_row(out, others, FALSE, neighbours->others);
	}
	g_string_append(out, "</tbody></table>\n");
}

static void append_sandwich(GString *out, const HtmlEvidence *evidence, const Sandwich *sandwich)
{
	append_neighbours(out, evidence, &sandwich->callers, "callers");
	begin_table(out, "the function");
	append_cost_row(
	        out, highlights_name(evidence->list.table, sandwich->function->frame), TRUE, sandwich->inclusive);
	append_cost_row(out, "of that itself", FALSE, sandwich->self);
	g_string_append(out, "</tbody></table>\n");
	append_neighbours(out, evidence, &sandwich->callees, "callees");
}

/* --- the others, as data --- */

/* A name as it may be shown: what would be interpreted is made visible, as in every other text; that is UTF-8, too. */
static json_t *name_json(const char *name)
{
	g_autofree char *shortened = hotspots_short_name(name, HTML_NAME_CHARS);
	g_autofree char *shown = escape_to_string(escape_terminal, shortened);
	return json_string(shown);
}

/* Names are there once; all else refers to them by number. */
typedef struct {
	const StackTable *table;
	json_t *list;
	GHashTable *index; /* FrameId -> number + 1 */
} Names;

static json_t *name_number(Names *names, FrameId frame)
{
	gpointer at = g_hash_table_lookup(names->index, GUINT_TO_POINTER(frame.index));
	if (at == NULL) {
		json_array_append_new(names->list, name_json(highlights_name(names->table, frame)));
		at = GUINT_TO_POINTER((guint)json_array_size(names->list));
		g_hash_table_insert(names->index, GUINT_TO_POINTER(frame.index), at);
	}
	return json_integer(GPOINTER_TO_UINT(at) - 1);
}

/* Hundredths of a percent need no more digits than a reader sees. */
static void append_percent(json_t *array, double share)
{
	json_array_append_new(array, json_number(round(share * 1e5) / 1e3));
}

static json_t *sides_json(Sides sides)
{
	json_t *array = json_array();
	append_percent(array, sides.base);
	append_percent(array, sides.head);
	return array;
}

static json_t *neighbours_json(Names *names, const Neighbours *neighbours)
{
	json_t *array = json_array();
	for (guint i = 0; i < neighbours->list->len; i++) {
		const Neighbour *neighbour = &g_array_index(neighbours->list, Neighbour, i);
		json_t *entry = json_array();
		json_array_append_new(entry, name_number(names, neighbour->frame));
		append_percent(entry, neighbour->cost.base);
		append_percent(entry, neighbour->cost.head);
		json_array_append_new(array, entry);
	}
	if (neighbours->n_others > 0) {
		json_t *entry = json_array();
		json_array_append_new(entry, json_integer(-(json_int_t)neighbours->n_others));
		append_percent(entry, neighbours->others.base);
		append_percent(entry, neighbours->others.head);
		json_array_append_new(array, entry);
	}
	return array;
}

/* [name, inclusive, self, callers, callees]; a negative name is that many others. */
static json_t *sandwich_json(Names *names, const Sandwich *sandwich)
{
	json_t *array = json_array();
	json_array_append_new(array, name_number(names, sandwich->function->frame));
	json_array_append_new(array, sides_json(sandwich->inclusive));
	json_array_append_new(array, sides_json(sandwich->self));
	json_array_append_new(array, neighbours_json(names, &sandwich->callers));
	json_array_append_new(array, neighbours_json(names, &sandwich->callees));
	return array;
}

static char *data_text(const HtmlEvidence *evidence, const Sandwich *sandwiches)
{
	g_autoptr(GHashTable) index = g_hash_table_new(NULL, NULL);
	Names names = {evidence->list.table, json_array(), index};
	json_auto_t *root = json_object();
	json_t *functions = json_array();
	for (guint i = 0; i < evidence->callable; i++)
		json_array_append_new(functions, sandwich_json(&names, &sandwiches[i]));
	json_object_set_new(root, "names", names.list);
	json_object_set_new(root, "functions", functions);
	char *dumped = json_dumps(root, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(10));
	char *text = g_strdup(dumped);
	free(dumped);
	return text;
}

void html_sandwich(HtmlPage *page, const HtmlEvidence *evidence)
{
	GString *out = page->body;
	if (evidence->callable == 0)
		return;
	g_autoptr(Gatherer) gatherer = gatherer_new(evidence);
	g_autofree Sandwich *sandwiches = sandwiches_of(gatherer);
	g_autofree char *id = html_page_id(page, "callers", evidence->id);
	g_autofree char *data = data_text(evidence, sandwiches);
	g_string_append(out, "<h4>Callers and callees</h4>\n<p class=\"note\">Shares of the total of base, and changes "
	                     "in points of it, with all that is "
	                     "called; a stack counts once.</p>\n");
	g_string_append_printf(out, "<div class=\"sandwich\" data-for=\"%s\">\n", id);
	append_sandwich(out, evidence, &sandwiches[0]);
	g_string_append(out, "</div>\n");
	html_page_add_data(page, id, data);
}
