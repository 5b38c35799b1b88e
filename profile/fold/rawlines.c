/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/fold/rawlines.h"

/* A line on the way to a stack, and those before it. */
typedef struct {
	guint32 line; /* row of the tally */
	guint32 next; /* row of `way`; 0 = none */
} WayLine;

typedef struct {
	LineTally *tally;
	const RawLinesSource *source;
	LineShare *sums; /* by stack, of it and all that begin with it */
	guint32 *ways;   /* by stack: row of `way` */
	GArray *way;     /* of WayLine */
} RawLines;

/* The frames that a raw one became. */
typedef struct {
	const FrameId *frames;
	guint n;
	FrameId known; /* what `frames` points to for one that is no address */
	gboolean is_start;
} RowFrames;

static void frames_of(const RawLines *lines, const RawStack *raw, RowFrames *row)
{
	*row = (RowFrames){.frames = &row->known, .n = 1, .known = {raw->frame.row}};
	if (!raw->frame.is_address)
		return;
	const AddressFrames *address = symbol_frames_address(lines->source->frames, raw->frame.row);
	*row = (RowFrames){symbol_frames_of(lines->source->frames, address), address->n, {0}, address->is_start};
}

/* The stack that one continues: at the start of the program only its command. */
static guint32 continued(const RawStack *raw, const RowFrames *row)
{
	return row->is_start ? raw->root : raw->parent;
}

static void sum_up(RawLines *lines)
{
	/* Children come after their parents, so the sums of a stack are complete when its turn comes. */
	for (guint32 i = lines->source->trie->stacks->len; i-- > 1;) {
		RowFrames row;
		const RawStack *raw = raw_trie_get(lines->source->trie, i);
		frames_of(lines, raw, &row);
		LineShare *own = &lines->sums[i], *outer = &lines->sums[continued(raw, &row)];
		own->weight += lines->source->costs[i].weight;
		own->samples += lines->source->costs[i].samples;
		outer->weight += own->weight;
		outer->samples += own->samples;
	}
}

static gboolean is_on_way(const RawLines *lines, guint32 way, guint32 line)
{
	for (; way != 0; way = g_array_index(lines->way, WayLine, way).next)
		if (g_array_index(lines->way, WayLine, way).line == line)
			return TRUE;
	return FALSE;
}

static guint32 line_of(const RawLines *lines, const RawStack *raw, const RowFrames *row, guint at)
{
	LineKey key = {.frame = row->frames[at], .side = lines->source->side};
	if (raw->frame.is_address)
		key.place = address_lines_place(lines->source->lines, raw->frame.row, at);
	return line_tally_row(lines->tally, &key);
}

/* Adds the own cost of a stack: to the line of its last frame, and to the instruction, which is that of the first frame
 * at its address. */
static void add_self(RawLines *lines, guint32 stack, const RawStack *raw, const RowFrames *row)
{
	LineShare cost = lines->source->costs[stack];
	if (cost.samples <= 0)
		return;
	if (line_tally_wants(lines->tally, row->frames[row->n - 1]))
		line_tally_add_self(lines->tally, line_of(lines, raw, row, row->n - 1), cost);
	if (!raw->frame.is_address || !line_tally_wants(lines->tally, row->frames[0]))
		return;
	const InstructionKey key = {row->frames[0], lines->source->side, raw->frame.row};
	line_tally_add_instruction(lines->tally, &key, cost);
}

static void add_stack(RawLines *lines, guint32 stack)
{
	RowFrames row;
	const RawStack *raw = raw_trie_get(lines->source->trie, stack);
	frames_of(lines, raw, &row);
	guint32 way = lines->ways[continued(raw, &row)];
	for (guint i = 0; i < row.n; i++) {
		if (!line_tally_wants(lines->tally, row.frames[i]))
			continue;
		const WayLine line = {line_of(lines, raw, &row, i), way};
		/* A line of a recursive function is on the way several times, but its total has each sample once. */
		if (is_on_way(lines, way, line.line))
			continue;
		way = lines->way->len;
		g_array_append_val(lines->way, line);
		line_tally_add_total(lines->tally, line.line, lines->sums[stack]);
	}
	lines->ways[stack] = way;
	add_self(lines, stack, raw, &row);
}

void raw_lines_add(LineTally *tally, const RawLinesSource *source)
{
	guint n = source->trie->stacks->len;
	const WayLine none = {0};
	g_autofree LineShare *sums = g_new0(LineShare, n);
	g_autofree guint32 *ways = g_new0(guint32, n);
	g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(WayLine));
	RawLines lines = {tally, source, sums, ways, way};
	g_array_append_val(way, none);
	sum_up(&lines);
	for (guint32 i = 1; i < n; i++)
		/* The first frame of each stack is the command, which has no lines. */
		if (sums[i].samples > 0 && raw_trie_get(source->trie, i)->parent != 0)
			add_stack(&lines, i);
}
