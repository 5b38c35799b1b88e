/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/context/gateannotate.h"

#include "compare/functions/costs.h"
#include "compare/source/annotatedcode.h"
#include "compare/source/annotatedlines.h"
#include "gate/context/gatechange.h"
#include "gate/steps/gatetrees.h"
#include "model/sides.h"
#include "profile/symbols/symbolchild.h"
#include "report/words/highlights.h"

#include <math.h>
#include <string.h>

#define MAX_SOURCE_BYTES (16u << 20)
/* Builds of one side whose listings are read. */
#define MAX_LISTED_BUILDS 8

/* A source file of one side. */
typedef struct {
	char *text; /* NULL = it is not there, or could not be read */
	gsize length;
	char *problem; /* why it could not be read, or NULL */
} SourceFile;

typedef struct {
	const AnnotateOrder *order;
	const StackTable *table;
	LineCosts *costs;
	double per_weight[N_SIDES];   /* cost per run and unit of work */
	GHashTable *sources[N_SIDES]; /* path -> SourceFile */
	GPtrArray *prefixes;
	SymbolChild *child;
} Annotator;

static void source_file_free(gpointer data)
{
	SourceFile *file = data;
	g_free(file->text);
	g_free(file->problem);
	g_free(file);
}

/* --- what lines cost --- */

static FrameId frame_on(const FunctionComparison *function, guint side)
{
	return side == 0 ? function->renamed_from : function->frame;
}

static LineCosts *ask_costs(const AnnotateOrder *order, const GPtrArray *functions)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(FrameId));
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *function = functions->pdata[i];
		g_array_append_val(frames, function->frame);
		if (function_comparison_is_renamed(function))
			g_array_append_val(frames, function->renamed_from);
	}
	LineCostQuery query = {
	        .profiles = {order->base_is_stored ? NULL : order->base->profile, order->head->profile},
	        .frames = (const FrameId *)(void *)frames->data,
	        .n_frames = frames->len,
	};
	return order->line_costs(order->fold, &query);
}

/* The comparison turned weights into costs in the same way. */
static void set_scales(Annotator *annotator)
{
	const AnnotateOrder *order = annotator->order;
	const LineCosts *costs = annotator->costs;
	guint rounds = MIN(measurement_n_runs(order->base), measurement_n_runs(order->head));
	g_autoptr(CostTable) table = order->comparison->counted ? cost_table_new_counted(order->base, order->head)
	                                                        : cost_table_new(order->base, order->head, rounds);
	const SideCosts *sides[N_SIDES] = {&table->base, &table->head};
	for (guint s = 0; s < N_SIDES; s++)
		annotator->per_weight[s] =
		        costs->runs[s] > 0 ? mean_over_rounds(sides[s]->scale, sides[s]->rounds) / costs->runs[s] : NAN;
}

/* --- source text --- */

static void read_source(const Annotator *annotator, guint side, const char *path, SourceFile *file)
{
	const Gate *gate = annotator->order->gate;
	g_autoptr(GError) error = NULL;
	if (!repo_read_tree_file(gate->repo, gate->choices[side].tree, path, &file->text, &file->length, &error)) {
		file->problem = g_strdup(error->message);
	} else if (file->text != NULL && file->length > MAX_SOURCE_BYTES) {
		g_clear_pointer(&file->text, g_free);
		file->problem = g_strdup_printf("%s is larger than %u bytes", path, MAX_SOURCE_BYTES);
	}
}

static const SourceFile *source_of(Annotator *annotator, guint side, const char *path)
{
	SourceFile *file = g_hash_table_lookup(annotator->sources[side], path);
	if (file == NULL) {
		file = g_new0(SourceFile, 1);
		g_hash_table_insert(annotator->sources[side], g_strdup(path), file);
		read_source(annotator, side, path, file);
	}
	return file;
}

/* --- where a function is --- */

/* The file that most of its cost is in, for functions whose place is not known. */
static NameId costliest_file(const LineCosts *costs, FrameId frame, guint side)
{
	NameId file = {0}, current = {0};
	double most = 0, sum = 0;
	for (guint i = 0; i < costs->lines->len; i++) {
		const LineCost *cost = &g_array_index(costs->lines, LineCost, i);
		if (cost->frame.index != frame.index || cost->side != side || cost->line == 0)
			continue;
		sum = cost->file.index == current.index ? sum + cost->total : cost->total;
		current = cost->file;
		if (sum > most) {
			most = sum;
			file = current;
		}
	}
	return file;
}

static AnnotatedSide known_side(const Annotator *annotator, const FunctionComparison *function, guint s)
{
	FrameId frame = frame_on(function, s);
	const CodePlace *place = code_facts_place(annotator->order->code, s, frame);
	AnnotatedSide side = {.frame = frame, .per_weight = annotator->per_weight[s]};
	if (place != NULL && place->file.index != 0) {
		side.file = place->file;
		side.first_line = place->first_line;
		side.last_line = place->last_line;
	} else {
		side.file = costliest_file(annotator->costs, frame, s);
	}
	side.path = stack_table_text(annotator->table, side.file);
	return side;
}

/* Returns the path that a file of one side has on the other. Borrowed. */
static const char *path_across(const LineChanges *changes, guint from, const char *path)
{
	const ChangedFile *file = changes != NULL ? g_hash_table_lookup(changes->by_path[from], path) : NULL;
	if (file == NULL)
		return path;
	const char *other = file->paths[N_SIDES - 1 - from];
	return other != NULL ? other : "";
}

/* A function that did not run on one side may be there all the same, in the same file. */
static void find_files(const Annotator *annotator, AnnotatedSide sides[N_SIDES])
{
	for (guint s = 0; s < N_SIDES; s++) {
		const AnnotatedSide *other = &sides[N_SIDES - 1 - s];
		if (*sides[s].path == '\0' && *other->path != '\0')
			sides[s].path = path_across(annotator->order->gate->change, N_SIDES - 1 - s, other->path);
	}
}

static void note(char **note, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void note(char **note, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_autofree char *clause = g_strdup_vprintf(format, args);
	va_end(args);
	annotation_add_note(note, clause);
}

/* --- source lines --- */

/* TRUE if the function itself was seen on the side, and not only a file that it might be in. */
static gboolean is_placed(const AnnotatedSide *side)
{
	return side->file.index != 0;
}

static void set_source(Annotator *annotator, guint s, AnnotatedSide *side, FunctionAnnotation *annotation)
{
	if (*side->path == '\0') {
		side->source = "";
		return;
	}
	if (g_path_is_absolute(side->path))
		return;
	const SourceFile *file = source_of(annotator, s, side->path);
	side->source = file->text;
	side->length = file->length;
	if (file->problem != NULL)
		note(&annotation->note, "%s: %s", sides_name(s), file->problem);
	else if (file->text == NULL && !is_placed(side))
		side->source = side->path = ""; /* it is not there, and neither is the function */
	else if (file->text == NULL)
		note(&annotation->note,
		        "%s: %s is not a file of the commit: it belongs to a library or a submodule, or the build made "
		        "it",
		        sides_name(s), side->path);
}

static void note_places(const AnnotatedSide sides[N_SIDES], FunctionAnnotation *annotation)
{
	const char *outside = sides[1].path;
	if (!g_path_is_absolute(outside))
		outside = sides[0].path;
	if (g_path_is_absolute(outside))
		note(&annotation->note, "%s is outside of the checkout", outside);
	else if (!is_placed(&sides[0]) && !is_placed(&sides[1]))
		note(&annotation->note, "its source is not known: built without debug information (-g)?");
}

/* Tells why an object file told no lines. */
static void note_failures(
        const Annotator *annotator, const FunctionComparison *function, FunctionAnnotation *annotation)
{
	const LineCosts *costs = annotator->costs;
	for (guint s = 0; s < N_SIDES; s++) {
		g_autoptr(GArray) positions = annotation_code_positions(costs, frame_on(function, s), s);
		for (guint i = 0; i < positions->len; i++) {
			const LineModule *module =
			        costs->modules->pdata[g_array_index(positions, CodePosition, i).module];
			if (module->failure != NULL) {
				note(&annotation->note, "%s: %s", sides_name(s), module->failure);
				break;
			}
		}
	}
}

static void annotate_lines(Annotator *annotator, const FunctionComparison *function, AnnotatedSide sides[N_SIDES],
        FunctionAnnotation *annotation)
{
	g_autoptr(GError) error = NULL;
	for (guint s = 0; s < N_SIDES; s++)
		set_source(annotator, s, &sides[s], annotation);
	note_places(sides, annotation);
	note_failures(annotator, function, annotation);
	if (annotator->order->base_is_stored)
		note(&annotation->note, "base was counted in an earlier check: what its lines cost is not known");
	AnnotatedLinesInput input = {.sides = sides, .costs = annotator->costs};
	if (!annotation_add_lines(annotation, &input, &error))
		note(&annotation->note, "%s", error->message);
}

/* --- instructions --- */

/* The listings of one side. */
typedef struct {
	ListedCode code[MAX_LISTED_BUILDS];
	FunctionListing listings[MAX_LISTED_BUILDS];
	guint n;
} SideCode;

static void side_code_clear(SideCode *code)
{
	for (guint i = 0; i < code->n; i++)
		function_listing_clear(&code->listings[i]);
}

static gboolean read_listing(
        Annotator *annotator, const CodePosition *position, FunctionListing *listing, GError **error)
{
	const LineModule *module = annotator->costs->modules->pdata[position->module];
	SymbolListingRequest request = {
	        .path = module->path,
	        .build_id = module->build_id,
	        .build_id_length = module->build_id_length,
	        .offset = position->offset,
	        .are_addresses = annotator->costs->are_addresses,
	};
	if (annotator->child == NULL)
		annotator->child = symbol_child_new();
	return symbol_child_listing(annotator->child, &request, listing, error);
}

/* Without the first listing there is nothing to show; another one is only missing in sums. */
static void list_side(
        Annotator *annotator, const FunctionComparison *function, guint s, SideCode *code, char **problems)
{
	g_autoptr(GArray) positions = annotation_code_positions(annotator->costs, frame_on(function, s), s);
	for (guint i = 0; i < MIN(positions->len, MAX_LISTED_BUILDS); i++) {
		const CodePosition *position = &g_array_index(positions, CodePosition, i);
		g_autoptr(GError) error = NULL;
		if (read_listing(annotator, position, &code->listings[code->n], &error)) {
			code->code[code->n] = (ListedCode){position->module, &code->listings[code->n]};
			code->n++;
		} else if (i == 0) {
			note(problems, "%s: %s", sides_name(s), error->message);
			return;
		}
	}
}

static const char *why_no_instructions(const Annotator *annotator, const FunctionComparison *function)
{
	const Frame *frame = stack_table_get_frame(annotator->table, function->frame);
	if (frame->kind == FRAME_INLINED)
		return "it is inlined: its instructions are those of the functions around it";
	return "no instruction of its own was seen running";
}

static void annotate_code(Annotator *annotator, const FunctionComparison *function, const AnnotatedSide sides[N_SIDES],
        FunctionAnnotation *annotation)
{
	SideCode code[N_SIDES] = {0};
	AnnotatedCodeSide code_sides[N_SIDES];
	g_autoptr(GError) error = NULL;
	for (guint s = 0; s < N_SIDES; s++) {
		list_side(annotator, function, s, &code[s], &annotation->instructions_note);
		code_sides[s] = (AnnotatedCodeSide){
		        .frame = sides[s].frame,
		        .code = code[s].code,
		        .n_code = code[s].n,
		        .path = sides[s].path,
		        .per_weight = sides[s].per_weight,
		};
	}
	AnnotatedCodeInput input = {
	        .sides = code_sides,
	        .costs = annotator->costs,
	        .strip_prefixes = (const char *const *)annotator->prefixes->pdata,
	};
	if (!annotation_add_code(annotation, &input, &error))
		note(&annotation->instructions_note, "%s", error->message);
	if (annotation->instructions->len == 0 && annotation->instructions_note == NULL)
		note(&annotation->instructions_note, "%s", why_no_instructions(annotator, function));
	for (guint s = 0; s < N_SIDES; s++)
		side_code_clear(&code[s]);
}

/* --- all of them --- */

static FunctionAnnotation *annotate(Annotator *annotator, const FunctionComparison *function)
{
	FunctionAnnotation *annotation = function_annotation_new(function->frame);
	AnnotatedSide sides[N_SIDES];
	for (guint s = 0; s < N_SIDES; s++)
		sides[s] = known_side(annotator, function, s);
	find_files(annotator, sides);
	annotate_lines(annotator, function, sides, annotation);
	annotate_code(annotator, function, sides, annotation);
	return annotation;
}

static GPtrArray *annotate_all(const AnnotateOrder *order, const GPtrArray *functions)
{
	GPtrArray *annotations = g_ptr_array_new_with_free_func((GDestroyNotify)function_annotation_free);
	Annotator annotator = {
	        .order = order,
	        .table = order->head->profile->table,
	        .costs = ask_costs(order, functions),
	        .prefixes = gate_trees_prefixes(&order->gate->trees),
	};
	for (guint s = 0; s < N_SIDES; s++)
		annotator.sources[s] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, source_file_free);
	set_scales(&annotator);
	for (guint i = 0; i < functions->len; i++)
		g_ptr_array_add(annotations, annotate(&annotator, functions->pdata[i]));
	for (guint s = 0; s < N_SIDES; s++)
		g_hash_table_unref(annotator.sources[s]);
	g_clear_pointer(&annotator.child, symbol_child_free);
	g_ptr_array_unref(annotator.prefixes);
	line_costs_free(annotator.costs);
	return annotations;
}

/* TRUE for what the change has to answer for, or may have to. */
static gboolean is_suspect(const FunctionComparison *function)
{
	return function->gates || (function->klass != FUNCTION_UNCHANGED && function->contribution > 0);
}

/* The functions that gate, then those that cost more, then others, each in reading order. */
static GPtrArray *functions_to_annotate(const BenchmarkComparison *comparison)
{
	g_autoptr(GPtrArray) all = highlights_functions(comparison, comparison->functions->len, 0);
	GPtrArray *chosen = g_ptr_array_new();
	for (int rank = 2; rank >= 0; rank--)
		for (guint i = 0; i < all->len && chosen->len < ANNOTATED_FUNCTIONS; i++) {
			const FunctionComparison *function = all->pdata[i];
			if (function->gates + is_suspect(function) == rank)
				g_ptr_array_add(chosen, all->pdata[i]);
		}
	return chosen;
}

GPtrArray *gate_annotate(const AnnotateOrder *order)
{
	if (order->gate->request->mode != CHECK_GATE || order->gate->request->out_dir == NULL ||
	        order->comparison == NULL || order->base == NULL || order->head == NULL || order->head->profile == NULL)
		return NULL;
	gate_change_collect(order->gate, &(TouchedQuery){order->comparison, order->head->profile->table, order->code});
	g_autoptr(GPtrArray) functions = functions_to_annotate(order->comparison);
	return functions->len > 0 ? annotate_all(order, functions) : NULL;
}
