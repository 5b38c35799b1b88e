/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindlines.h"

/* A line on the way to a context, and those before it. Of several of one line the first holds. */
typedef struct {
	guint32 line; /* row of the tally */
	guint32 next; /* row of `way`; 0 = none */
	double share; /* of the cost of the context: what has this line on its way */
} WayLine;

/* A line that calls come from. */
typedef struct {
	guint32 line; /* row of the tally */
	double share; /* of the calls */
} SiteLine;

/* The lines of one site, or of one frame there, are a range of `known`. */
typedef struct {
	guint32 first, n;
} SiteRange;

typedef struct {
	LineTally *tally;
	const CallgrindLinesSource *source;
	double *sums;    /* by context: cost of it and all it called */
	guint32 *ways;   /* by context: row of `way` */
	guint32 *order;  /* contexts, callers first */
	GArray *way;     /* of WayLine */
	GArray *callers; /* of CallgrindCaller: of the context that is looked at */
	GArray *site;    /* of SiteLine: those of the calls of one site */
	PairIndex sites; /* (calls of a site, number of the frame); contexts may share them */
	GArray *ranges;  /* of SiteRange, by row of `sites` */
	GArray *known;   /* of SiteLine */
} CallgrindLines;

/* A cost of one stack: of an instruction, or of the calls of a function that allocates. */
typedef struct {
	guint32 context;
	CallgrindFrames frames;
	const FrameId *called; /* beyond these frames; NULL = nothing */
	FrameId called_frame;
	double cost;
} StackCost;

static const CallgrindContext *context_at(const CallgrindLines *lines, guint32 row)
{
	return &g_array_index(lines->source->dump->contexts, CallgrindContext, row);
}

/* --- costs of stacks --- */

static guint n_costs(const CallgrindLines *lines)
{
	const CallgrindDump *dump = lines->source->dump;
	return lines->source->column == CALLGRIND_LINES_ALLOCATIONS ? dump->calls->len : dump->cells->len;
}

static gboolean read_allocation(const CallgrindLines *lines, guint row, StackCost *stack)
{
	CallgrindExpander *expander = lines->source->expander;
	const CallgrindCall *call = &g_array_index(lines->source->dump->calls, CallgrindCall, row);
	if (!call->is_allocation || call->n == 0)
		return FALSE;
	*stack = (StackCost){.context = call->caller, .cost = (double)call->n, .called = &stack->called_frame};
	stack->called_frame = callgrind_expander_called(expander, call);
	stack->frames = callgrind_expander_frames(expander, call->caller, call->address);
	if (callgrind_expander_is_stub(expander, call->caller))
		stack->frames = (CallgrindFrames){.address = CALLGRIND_NONE};
	return TRUE;
}

/* FALSE if it costs nothing. */
static gboolean read_cost(const CallgrindLines *lines, guint row, StackCost *stack)
{
	const CallgrindLinesSource *source = lines->source;
	if (source->column == CALLGRIND_LINES_ALLOCATIONS)
		return read_allocation(lines, row, stack);
	gsize at = (gsize)row * source->dump->n_columns + source->column;
	guint64 cost = g_array_index(source->dump->costs, guint64, at);
	if (cost == 0)
		return FALSE;
	const CallgrindCell *cell = &g_array_index(source->dump->cells, CallgrindCell, row);
	*stack = (StackCost){.context = cell->context, .cost = (double)cost};
	stack->frames = callgrind_expander_frames(source->expander, cell->context, cell->address);
	return TRUE;
}

/* --- sums of contexts --- */

static void find_order(CallgrindLines *lines)
{
	guint32 n = lines->source->dump->contexts->len, n_placed = 0;
	g_autofree gboolean *is_placed = g_new0(gboolean, n + 1);
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(guint32));
	for (guint32 i = 0; i < n; i++) {
		for (guint32 at = i; at != CALLGRIND_NONE && !is_placed[at]; at = context_at(lines, at)->caller) {
			is_placed[at] = TRUE;
			g_array_append_val(path, at);
		}
		while (path->len > 0) {
			lines->order[n_placed++] = g_array_index(path, guint32, path->len - 1);
			g_array_set_size(path, path->len - 1);
		}
	}
}

/* Finds the callers between a context and its caller in the forest. *start is the first of them that is part of the
 * program, after whatever started it; TRUE if there is such a start. */
static gboolean find_callers(CallgrindLines *lines, guint32 context, guint *start)
{
	gboolean is_started = FALSE;
	*start = 0;
	g_array_set_size(lines->callers, 0);
	callgrind_expander_callers(lines->source->expander, context, lines->callers);
	for (guint i = 0; i < lines->callers->len; i++)
		if (g_array_index(lines->callers, CallgrindCaller, i).frames.is_start) {
			is_started = TRUE;
			*start = i;
		}
	return is_started;
}

static void sum_up(CallgrindLines *lines)
{
	StackCost stack;
	guint start;
	for (guint i = 0; i < n_costs(lines); i++)
		if (read_cost(lines, i, &stack) && !stack.frames.is_start)
			lines->sums[stack.context] += stack.cost;
	for (guint i = lines->source->dump->contexts->len; i-- > 0;) {
		guint32 context = lines->order[i], caller = context_at(lines, context)->caller;
		if (lines->sums[context] > 0 && caller != CALLGRIND_NONE && !find_callers(lines, context, &start))
			lines->sums[caller] += lines->sums[context];
	}
}

/* --- lines of callers --- */

/* The row of frame number `at` of those at an address. */
static guint32 line_of(const CallgrindLines *lines, const CallgrindFrames *frames, guint at)
{
	LineKey key = {.frame = frames->frames[at], .side = lines->source->side};
	if (frames->address != CALLGRIND_NONE)
		key.place = address_lines_place(lines->source->lines, frames->address, at);
	return line_tally_row(lines->tally, &key);
}

static gint compare_site_lines(gconstpointer a, gconstpointer b)
{
	const SiteLine *x = a, *y = b;
	return (x->line > y->line) - (x->line < y->line);
}

/* Of allocations callgrind says only where they are made; further out, costs in the first column stand for them. */
static double cost_of_call(const CallgrindLines *lines, guint32 call)
{
	const CallgrindDump *dump = lines->source->dump;
	guint column = lines->source->column == CALLGRIND_LINES_ALLOCATIONS ? 0 : lines->source->column;
	return column < dump->n_columns
	               ? (double)g_array_index(dump->call_costs, guint64, (gsize)call * dump->n_columns + column)
	               : 0;
}

/* Adds the line that a call comes from in frame number `at` of its caller. */
static void add_site_line(CallgrindLines *lines, const CallgrindCaller *caller, guint at, guint32 row)
{
	const CallgrindCall *call = &g_array_index(lines->source->dump->calls, CallgrindCall, row);
	CallgrindFrames frames = callgrind_expander_frames(lines->source->expander, call->caller, call->address);
	gboolean is_same = at < frames.n && frames.frames[at].index == caller->frames.frames[at].index;
	if (!is_same)
		frames = (CallgrindFrames){.frames = caller->frames.frames, .address = CALLGRIND_NONE};
	const SiteLine line = {line_of(lines, &frames, at), cost_of_call(lines, row)};
	g_array_append_val(lines->site, line);
}

/* Makes one of those of one line, and shares of costs, which may all be 0. */
static void merge_site_lines(CallgrindLines *lines)
{
	double sum = 0;
	guint n = 0;
	g_array_sort(lines->site, compare_site_lines);
	SiteLine *rows = (SiteLine *)(gpointer)lines->site->data;
	for (guint i = 0; i < lines->site->len; i++)
		sum += rows[i].share;
	for (guint i = 0; i < lines->site->len; i++) {
		double share = sum > 0 ? rows[i].share / sum : 1. / lines->site->len;
		if (n > 0 && rows[n - 1].line == rows[i].line)
			rows[n - 1].share += share;
		else
			rows[n++] = (SiteLine){rows[i].line, share};
	}
	g_array_set_size(lines->site, n);
}

/* Appends the lines that the calls of a site come from. */
static SiteRange make_site(CallgrindLines *lines, const CallgrindCaller *caller, guint at)
{
	g_array_set_size(lines->site, 0);
	for (guint32 calls = caller->calls; calls != CALLGRIND_NONE;)
		add_site_line(lines, caller, at, callgrind_expander_next_call(lines->source->expander, &calls));
	if (lines->site->len == 0) {
		CallgrindFrames nameless = caller->frames;
		nameless.address = CALLGRIND_NONE;
		const SiteLine line = {line_of(lines, &nameless, at), 1};
		g_array_append_val(lines->site, line);
	}
	merge_site_lines(lines);
	const SiteRange range = {lines->known->len, lines->site->len};
	g_array_append_vals(lines->known, lines->site->data, lines->site->len);
	return range;
}

/* The lines of frame number `at` of a caller that its calls come from. */
static SiteRange find_site(CallgrindLines *lines, const CallgrindCaller *caller, guint at)
{
	gboolean is_new;
	if (caller->calls == CALLGRIND_NONE)
		return make_site(lines, caller, at);
	guint32 row = pair_index_find_or_add(&lines->sites, caller->calls, at, &is_new);
	if (is_new) {
		const SiteRange range = make_site(lines, caller, at);
		g_array_append_val(lines->ranges, range);
	}
	return g_array_index(lines->ranges, SiteRange, row);
}

static double share_on_way(const CallgrindLines *lines, guint32 way, guint32 line)
{
	for (; way != 0; way = g_array_index(lines->way, WayLine, way).next)
		if (g_array_index(lines->way, WayLine, way).line == line)
			return g_array_index(lines->way, WayLine, way).share;
	return 0;
}

static void add_total(CallgrindLines *lines, guint32 line, double cost)
{
	line_tally_add_total(lines->tally, line, (LineShare){cost, cost});
}

/* Puts the lines of a frame on the way to a context, and gives them what they did not have of its cost. */
static guint32 add_frame(CallgrindLines *lines, guint32 context, SiteRange range, guint32 way)
{
	guint32 before = way;
	for (guint i = 0; i < range.n; i++) {
		const SiteLine *site = &g_array_index(lines->known, SiteLine, range.first + i);
		double known = share_on_way(lines, before, site->line);
		const WayLine line = {site->line, way, known + (1 - known) * site->share};
		if (line.share <= known)
			continue;
		add_total(lines, line.line, lines->sums[context] * (line.share - known));
		way = lines->way->len;
		g_array_append_val(lines->way, line);
	}
	return way;
}

static void add_callers(CallgrindLines *lines, guint32 context)
{
	guint start;
	guint32 caller = context_at(lines, context)->caller;
	gboolean is_started = find_callers(lines, context, &start);
	guint32 way = is_started || caller == CALLGRIND_NONE ? 0 : lines->ways[caller];
	for (guint i = start; i < lines->callers->len; i++) {
		const CallgrindCaller *row = &g_array_index(lines->callers, CallgrindCaller, i);
		for (guint k = 0; k < row->frames.n; k++) {
			if (line_tally_wants(lines->tally, row->frames.frames[k]))
				way = add_frame(lines, context, find_site(lines, row, k), way);
		}
	}
	lines->ways[context] = way;
}

/* --- lines of own code --- */

static void add_own_total(CallgrindLines *lines, const StackCost *stack, guint at)
{
	guint32 line = line_of(lines, &stack->frames, at);
	guint32 way = stack->frames.is_start ? 0 : lines->ways[stack->context];
	for (guint i = 0; i < at; i++)
		if (stack->frames.frames[i].index == stack->frames.frames[at].index &&
		        line_of(lines, &stack->frames, i) == line)
			return;
	add_total(lines, line, stack->cost * (1 - share_on_way(lines, way, line)));
}

static void add_self(CallgrindLines *lines, const StackCost *stack)
{
	const CallgrindFrames *frames = &stack->frames;
	const LineShare cost = {stack->cost, stack->cost};
	g_assert(frames->n > 0);
	if (line_tally_wants(lines->tally, frames->frames[frames->n - 1]))
		line_tally_add_self(lines->tally, line_of(lines, frames, frames->n - 1), cost);
	if (frames->address == CALLGRIND_NONE || !line_tally_wants(lines->tally, frames->frames[0]))
		return;
	const InstructionKey key = {frames->frames[0], lines->source->side, frames->address};
	line_tally_add_instruction(lines->tally, &key, cost);
}

/* Adds the cost of calls of a function that allocates as a whole; it is not told apart by lines. */
static void add_called(CallgrindLines *lines, const StackCost *stack)
{
	const CallgrindFrames called = {.frames = stack->called, .n = 1, .address = CALLGRIND_NONE};
	if (!line_tally_wants(lines->tally, *called.frames))
		return;
	guint32 line = line_of(lines, &called, 0);
	line_tally_add_self(lines->tally, line, (LineShare){stack->cost, stack->cost});
	add_total(lines, line, stack->cost);
}

static void add_stack(CallgrindLines *lines, const StackCost *stack)
{
	for (guint i = 0; i < stack->frames.n; i++)
		if (line_tally_wants(lines->tally, stack->frames.frames[i]))
			add_own_total(lines, stack, i);
	if (stack->called != NULL)
		add_called(lines, stack);
	else
		add_self(lines, stack);
}

static void add_all(CallgrindLines *lines)
{
	StackCost stack;
	find_order(lines);
	sum_up(lines);
	for (guint i = 0; i < lines->source->dump->contexts->len; i++)
		if (lines->sums[lines->order[i]] > 0)
			add_callers(lines, lines->order[i]);
	for (guint i = 0; i < n_costs(lines); i++)
		if (read_cost(lines, i, &stack))
			add_stack(lines, &stack);
}

void callgrind_lines_add(LineTally *tally, const CallgrindLinesSource *source)
{
	guint n = source->dump->contexts->len + 1;
	const WayLine none = {0};
	g_autofree double *sums = g_new0(double, n);
	g_autofree guint32 *ways = g_new0(guint32, n);
	g_autofree guint32 *order = g_new0(guint32, n);
	CallgrindLines lines = {.tally = tally, .source = source, .sums = sums, .ways = ways, .order = order};
	lines.way = g_array_new(FALSE, FALSE, sizeof(WayLine));
	lines.callers = g_array_new(FALSE, FALSE, sizeof(CallgrindCaller));
	lines.site = g_array_new(FALSE, FALSE, sizeof(SiteLine));
	lines.ranges = g_array_new(FALSE, FALSE, sizeof(SiteRange));
	lines.known = g_array_new(FALSE, FALSE, sizeof(SiteLine));
	g_array_append_val(lines.way, none);
	add_all(&lines);
	pair_index_clear(&lines.sites);
	GArray *const arrays[] = {lines.way, lines.callers, lines.site, lines.ranges, lines.known};
	for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
		g_array_unref(arrays[i]);
}
