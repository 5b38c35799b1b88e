/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/dwarfindex.h"

#include "profile/objects/dwarfwalk.h"

#include <dwarf.h>

enum {
	MAX_RANGES = 1 << 16, /* of one function */
	MAX_CHAIN = 256,      /* functions at one address */
	MAX_FUNCTIONS = 1 << 24,
	MAX_PAIRS = 1 << 26,
};
#define NO_FUNCTION G_MAXUINT32

/* A function contains an address. */
typedef struct {
	guint32 address; /* its number */
	guint32 function;
	guint64 low; /* start of the range */
} AddressPair;

typedef struct {
	DwarfIndex *index;
	const guint64 *addresses;
	guint n_addresses;
	GArray *pairs; /* of AddressPair */
} DwarfWalk;

/* Number of the first address that is not below `low`. */
static guint first_address(const DwarfWalk *walk, guint64 low)
{
	guint from = 0, to = walk->n_addresses;
	while (from < to) {
		guint middle = from + (to - from) / 2;
		if (walk->addresses[middle] < low)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Visits the addresses from number `from` to before `to`, which lie in a range that begins at `low`. */
typedef void (*RangeFunc)(DwarfWalk *walk, guint32 row, guint from, guint to, guint64 low);

/* Calls `visit` for each range of an entry with addresses in it; returns how many they are. */
static guint visit_ranges(DwarfWalk *walk, Dwarf_Die *die, guint32 row, RangeFunc visit)
{
	Dwarf_Addr base, low, high;
	guint found = 0;
	ptrdiff_t offset = 0;
	for (guint n = 0; n < MAX_RANGES && (offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0; n++) {
		guint from = first_address(walk, low), to = from;
		while (to < walk->n_addresses && walk->addresses[to] < high)
			to++;
		visit(walk, row, from, to, low);
		found += to - from;
	}
	return found;
}

static void pair_addresses(DwarfWalk *walk, guint32 function, guint from, guint to, guint64 low)
{
	for (guint i = from; i < to && walk->pairs->len < MAX_PAIRS; i++) {
		const AddressPair pair = {i, function, low};
		g_array_append_val(walk->pairs, pair);
	}
}

/* The first unit that covers an address is its own. */
static void mark_unit(DwarfWalk *walk, guint32 unit, guint from, guint to, guint64 low)
{
	(void)low;
	for (guint i = from; i < to; i++) {
		guint32 *own = &g_array_index(walk->index->unit, guint32, i);
		*own = *own == DWARF_NO_UNIT ? unit : *own;
	}
}

/* Adds a function if one of the addresses is in it. Returns its row or NO_FUNCTION. */
static guint32 add_function(DwarfWalk *walk, Dwarf_Die *die, guint32 around)
{
	GArray *functions = walk->index->functions;
	guint32 row = functions->len;
	DwarfFunction function = {.die = *die, .owner = row, .unit = walk->index->units->len - 1};
	if (row >= MAX_FUNCTIONS)
		return NO_FUNCTION;
	if (around != NO_FUNCTION && dwarf_tag(die) == DW_TAG_inlined_subroutine) {
		const DwarfFunction *outer = &g_array_index(functions, DwarfFunction, around);
		function.owner = outer->owner;
		function.depth = outer->depth + 1;
	}
	if (visit_ranges(walk, die, row, pair_addresses) == 0)
		return NO_FUNCTION;
	g_array_append_val(functions, function);
	return row;
}

/* TRUE if the walk goes down into an entry; *inside is then the function around its children. Only functions have
 * others in them. */
static gboolean enter(gpointer data, Dwarf_Die *die, guint32 around, guint32 *inside)
{
	DwarfWalk *walk = data;
	switch (dwarf_tag(die)) {
	case DW_TAG_inlined_subroutine:
		*inside = add_function(walk, die, around);
		return *inside != NO_FUNCTION;
	case DW_TAG_subprogram:
		/* member functions of a local class, lambdas too, may lie in a function that has none of the addresses
		 */
		*inside = add_function(walk, die, around);
		return TRUE;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return TRUE;
	default:
		return FALSE;
	}
}

/* A unit says which addresses it covers; one that does not is taken for one that may cover any. */
static gboolean may_cover(DwarfWalk *walk, Dwarf_Die *unit)
{
	Dwarf_Addr base, low, high;
	if (visit_ranges(walk, unit, walk->index->units->len, mark_unit) > 0)
		return TRUE;
	return dwarf_ranges(unit, 0, &base, &low, &high) <= 0;
}

/* The entries of a split unit are in a file of their own. */
static void walk_unit(DwarfWalk *walk, Dwarf_Die *unit, Dwarf_Die *split, gboolean is_split)
{
	if (!may_cover(walk, unit))
		return;
	g_array_append_val(walk->index->units, *unit);
	if (!is_split)
		dwarf_walk(unit, NO_FUNCTION, enter, walk);
	else if (split->addr != NULL)
		dwarf_walk(split, NO_FUNCTION, enter, walk);
	else
		walk->index->n_split++;
}

static void walk_units(DwarfWalk *walk, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split = {0};
	uint8_t type;
	while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &split) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			walk_unit(walk, &die, &split, type == DW_UT_skeleton);
}

/* By address, then in the order in which functions were found. */
static gint compare_pairs(gconstpointer a, gconstpointer b)
{
	const AddressPair *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->function > y->function) - (x->function < y->function);
}

/* Of several functions with code of their own at one address, the one that starts last is the closest. */
static guint32 choose_owner(const DwarfWalk *walk, guint from, guint to)
{
	guint32 owner = NO_FUNCTION;
	guint64 best = 0;
	for (guint i = from; i < to; i++) {
		const AddressPair *pair = &g_array_index(walk->pairs, AddressPair, i);
		gboolean is_owner = g_array_index(walk->index->functions, DwarfFunction, pair->function).depth == 0;
		if (is_owner && (owner == NO_FUNCTION || pair->low > best)) {
			owner = pair->function;
			best = pair->low;
		}
	}
	return owner;
}

/* Rows of functions grow with depth, because a function is found before those inside of it. Of two at one depth, which
 * a sound file does not have, the first one counts. */
static void append_chain(const DwarfWalk *walk, guint from, guint to)
{
	DwarfIndex *index = walk->index;
	guint32 owner = choose_owner(walk, from, to), depth = 0;
	for (guint i = from; i < to && depth < MAX_CHAIN; i++) {
		guint32 row = g_array_index(walk->pairs, AddressPair, i).function;
		const DwarfFunction *function = &g_array_index(index->functions, DwarfFunction, row);
		if (function->owner != owner || function->depth != depth)
			continue;
		g_array_append_val(index->chain, row);
		depth++;
	}
}

/* The unit of the function at the address is its own, whatever others say that cover it, too. */
static void note_unit(DwarfIndex *index, guint32 address)
{
	guint32 first = g_array_index(index->first, guint32, address);
	if (first == index->chain->len)
		return;
	guint32 function = g_array_index(index->chain, guint32, first);
	g_array_index(index->unit, guint32, address) = g_array_index(index->functions, DwarfFunction, function).unit;
}

static void build_chains(DwarfWalk *walk)
{
	guint from = 0;
	g_array_sort(walk->pairs, compare_pairs);
	for (guint32 address = 0; address < walk->n_addresses; address++) {
		guint to = from;
		while (to < walk->pairs->len && g_array_index(walk->pairs, AddressPair, to).address == address)
			to++;
		g_array_append_val(walk->index->first, walk->index->chain->len);
		append_chain(walk, from, to);
		note_unit(walk->index, address);
		from = to;
	}
	g_array_append_val(walk->index->first, walk->index->chain->len);
}

void dwarf_index_init(DwarfIndex *index, Dwarf *dwarf, const guint64 *addresses, guint n_addresses)
{
	*index = (DwarfIndex){
	        .functions = g_array_new(FALSE, FALSE, sizeof(DwarfFunction)),
	        .chain = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .first = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .units = g_array_new(FALSE, FALSE, sizeof(Dwarf_Die)),
	        .unit = g_array_new(FALSE, FALSE, sizeof(guint32)),
	};
	const guint32 none = DWARF_NO_UNIT;
	for (guint i = 0; i < n_addresses; i++)
		g_array_append_val(index->unit, none);
	DwarfWalk walk = {.index = index, .addresses = addresses, .n_addresses = n_addresses};
	walk.pairs = g_array_new(FALSE, FALSE, sizeof(AddressPair));
	walk_units(&walk, dwarf);
	build_chains(&walk);
	g_array_unref(walk.pairs);
}

void dwarf_index_clear(DwarfIndex *index)
{
	g_array_unref(index->functions);
	g_array_unref(index->chain);
	g_array_unref(index->first);
	g_array_unref(index->units);
	g_array_unref(index->unit);
	*index = (DwarfIndex){0};
}
