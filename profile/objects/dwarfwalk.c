/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/dwarfwalk.h"

/* The walk keeps its own stack, since a foreign file could nest entries deeper than that of the process. */
enum { MAX_DEPTH = 512 };

/* On each level, the entry that is next to be looked at. */
typedef struct {
	Dwarf_Die die;
	guint32 around;
} OpenEntry;

/* The file is foreign: entries must lie further and further on, or the walk might never end. */
static gboolean to_sibling(Dwarf_Die *die)
{
	Dwarf_Die next;
	if (dwarf_siblingof(die, &next) != 0 || dwarf_dieoffset(&next) <= dwarf_dieoffset(die))
		return FALSE;
	*die = next;
	return TRUE;
}

static void open_children(GArray *open, Dwarf_Die *die, guint32 around)
{
	OpenEntry child = {.around = around};
	if (open->len < MAX_DEPTH && dwarf_child(die, &child.die) == 0 &&
	        dwarf_dieoffset(&child.die) > dwarf_dieoffset(die))
		g_array_append_val(open, child);
}

void dwarf_walk(Dwarf_Die *root, guint32 around, DwarfEnterFunc enter, gpointer data)
{
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(OpenEntry));
	open_children(open, root, around);
	while (open->len > 0) {
		OpenEntry *top = &g_array_index(open, OpenEntry, open->len - 1);
		OpenEntry entry = *top;
		guint32 inside = entry.around;
		if (!to_sibling(&top->die))
			g_array_set_size(open, open->len - 1);
		if (enter(data, &entry.die, entry.around, &inside))
			open_children(open, &entry.die, inside);
	}
}
