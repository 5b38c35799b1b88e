/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/lastlines.h"

#include "profile/objects/dwarfwalk.h"
#include "profile/objects/sourcelines.h"

#include <dwarf.h>
#include <string.h>

enum {
	MAX_RANGES = 1 << 16,  /* of one function, and of what is inlined into it */
	MAX_VISITED = 1 << 26, /* rows of line tables, for a file */
};

/* Later languages than the header may know that we are built with. */
enum { LANG_CXX_17 = 0x2a, LANG_CXX_20 = 0x2b, LANG_C17 = 0x2c, LANG_C23 = 0x3e };

typedef struct {
	guint64 from, to;
} LineRange;

/* Tells where a function of a unit is defined. */
typedef struct {
	const char *file; /* one address for each file of the unit */
	guint32 line;
} Definition;

typedef struct {
	Dwarf_Lines *lines; /* of the unit */
	size_t n_lines;
	guint32 unit;        /* row of it */
	GArray *own;         /* of LineRange: of the function, sorted */
	GArray *inlined;     /* of LineRange: of functions inlined into it, sorted */
	GArray *definitions; /* of Definition: of the unit, sorted */
	guint64 n_visited;
} LineReader;

static gint compare_ranges(gconstpointer a, gconstpointer b)
{
	const LineRange *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static void add_ranges(GArray *ranges, Dwarf_Die *die)
{
	Dwarf_Addr base;
	LineRange range;
	ptrdiff_t at = 0;
	while (ranges->len < MAX_RANGES && (at = dwarf_ranges(die, at, &base, &range.from, &range.to)) > 0)
		g_array_append_val(ranges, range);
}

/* In these languages a function that is not in another one in the debug information is not in the source, either. */
static gboolean is_flat(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case LANG_C17:
	case LANG_C23:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case LANG_CXX_17:
	case LANG_CXX_20:
		return TRUE;
	default:
		return FALSE;
	}
}

static gint compare_definitions(gconstpointer a, gconstpointer b)
{
	const Definition *x = a, *y = b;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static gboolean enter_definition(gpointer data, Dwarf_Die *die, guint32 around, guint32 *inside)
{
	LineReader *reader = data;
	Dwarf_Attribute attribute;
	(void)around;
	(void)inside;
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		/* one without a line of its own may be a lambda, the declaration of which is in another function */
		if (dwarf_attr(die, DW_AT_declaration, &attribute) == NULL &&
		        dwarf_attr(die, DW_AT_decl_line, &attribute) != NULL) {
			SourcePlace place = source_place_of_declaration(die);
			const Definition definition = {place.file, place.line};
			g_array_append_val(reader->definitions, definition);
		}
		return FALSE;
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		return TRUE;
	default:
		return FALSE;
	}
}

/* Finds where the next function begins in the source: code that was inlined into this one is not always told apart to
 * the last instruction. */
static guint32 line_limit(const LineReader *reader, Dwarf_Die *die)
{
	const SourcePlace own = source_place_of_declaration(die);
	const Definition wanted = {own.file, own.line};
	guint from = 0, to = reader->definitions->len;
	while (from < to) {
		guint middle = from + (to - from) / 2;
		if (compare_definitions(&g_array_index(reader->definitions, Definition, middle), &wanted) <= 0)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == reader->definitions->len)
		return G_MAXUINT32;
	const Definition *next = &g_array_index(reader->definitions, Definition, from);
	return next->file == own.file ? next->line : G_MAXUINT32;
}

/* Ranges of functions inlined into the one that is walked; what is inlined into them lies in theirs. */
static gboolean enter(gpointer data, Dwarf_Die *die, guint32 around, guint32 *inside)
{
	LineReader *reader = data;
	(void)around;
	(void)inside;
	switch (dwarf_tag(die)) {
	case DW_TAG_inlined_subroutine:
		add_ranges(reader->inlined, die);
		return FALSE;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return TRUE;
	default:
		return FALSE;
	}
}

static void find_ranges(LineReader *reader, Dwarf_Die *die)
{
	g_array_set_size(reader->own, 0);
	g_array_set_size(reader->inlined, 0);
	add_ranges(reader->own, die);
	dwarf_walk(die, 0, enter, reader);
	g_array_sort(reader->own, compare_ranges);
	g_array_sort(reader->inlined, compare_ranges);
}

static guint64 line_address(const LineReader *reader, size_t row)
{
	Dwarf_Addr address = G_MAXUINT64;
	Dwarf_Line *line = dwarf_onesrcline(reader->lines, row);
	return line != NULL && dwarf_lineaddr(line, &address) == 0 ? address : G_MAXUINT64;
}

/* Returns the first row from the address on. */
static size_t first_row(const LineReader *reader, guint64 address)
{
	size_t from = 0, to = reader->n_lines;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (line_address(reader, middle) < address)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The lines that a function may have: those from its declaration to before `limit`. */
typedef struct {
	const char *file;
	guint32 first, limit;
} LineBounds;

/* The line of a row if it is within the bounds, else 0. */
static guint32 row_line(const LineReader *reader, size_t row, const LineBounds *bounds)
{
	int number = 0;
	Dwarf_Line *line = dwarf_onesrcline(reader->lines, row);
	if (line == NULL || dwarf_lineno(line, &number) != 0 || number <= 0 || (guint32)number < bounds->first ||
	        (guint32)number >= bounds->limit)
		return 0;
	const char *file = dwarf_linesrc(line, NULL, NULL);
	return file != NULL && g_str_equal(file, bounds->file) ? (guint32)number : 0;
}

/* The largest line in a range. Of several rows with one address only the last one has code; the others tell of calls of
 * which nothing was left. Rows and ranges of inlined functions are both sorted, so each is passed once: *next is the
 * first of these that does not end before. */
static guint32 last_line_in(LineReader *reader, const LineRange *range, guint *next, const LineBounds *bounds)
{
	guint32 last = 0;
	for (size_t row = first_row(reader, range->from); row < reader->n_lines; row++) {
		guint64 address = line_address(reader, row);
		if (address >= range->to || reader->n_visited++ >= MAX_VISITED)
			break;
		if (row + 1 < reader->n_lines && line_address(reader, row + 1) == address)
			continue;
		const LineRange *inlined = (const LineRange *)(gpointer)reader->inlined->data;
		while (*next < reader->inlined->len && inlined[*next].to <= address)
			(*next)++;
		if (*next < reader->inlined->len && inlined[*next].from <= address)
			continue;
		guint32 line = row_line(reader, row, bounds);
		last = MAX(last, line);
	}
	return last;
}

static void open_unit(LineReader *reader, const DwarfIndex *index, guint32 unit)
{
	Dwarf_Die die = g_array_index(index->units, Dwarf_Die, unit);
	reader->unit = unit;
	if (dwarf_getsrclines(&die, &reader->lines, &reader->n_lines) != 0)
		reader->n_lines = 0;
	g_array_set_size(reader->definitions, 0);
	if (is_flat(&die))
		dwarf_walk(&die, 0, enter_definition, reader);
	g_array_sort(reader->definitions, compare_definitions);
}

static guint32 last_line(LineReader *reader, Dwarf_Die *die, const DwarfName *name)
{
	guint32 last = 0;
	guint next = 0;
	/* as the line table has it, which is not the whole path */
	const SourcePlace declared = source_place_of_declaration(die);
	const LineBounds bounds = {declared.file, name->line, line_limit(reader, die)};
	if (declared.file == NULL)
		return 0;
	find_ranges(reader, die);
	for (guint i = 0; i < reader->own->len; i++) {
		guint32 line = last_line_in(reader, &g_array_index(reader->own, LineRange, i), &next, &bounds);
		last = MAX(last, line);
	}
	return last;
}

guint32 *last_lines_resolve(const DwarfIndex *index, const DwarfName *names)
{
	guint32 *lines = g_new0(guint32, MAX(1, index->functions->len));
	LineReader reader = {.unit = DWARF_NO_UNIT};
	reader.own = g_array_new(FALSE, FALSE, sizeof(LineRange));
	reader.inlined = g_array_new(FALSE, FALSE, sizeof(LineRange));
	reader.definitions = g_array_new(FALSE, FALSE, sizeof(Definition));
	for (guint i = 0; i < index->functions->len; i++) {
		DwarfFunction *function = &g_array_index(index->functions, DwarfFunction, i);
		if (names[i].file == NULL || names[i].line == 0 || function->unit >= index->units->len)
			continue;
		if (function->unit != reader.unit)
			open_unit(&reader, index, function->unit);
		if (reader.n_lines > 0)
			lines[i] = last_line(&reader, &function->die, &names[i]);
	}
	g_array_unref(reader.definitions);
	g_array_unref(reader.own);
	g_array_unref(reader.inlined);
	return lines;
}
