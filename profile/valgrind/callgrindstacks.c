/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/valgrind/callgrindstacks.h"

#include "model/canonical.h"
#include "profile/valgrind/callgrindname.h"

/* Longer chains and deeper levels are cut; callgrind's own limits are lower. */
#define MAX_CALLERS 256
#define MAX_RECURSION 64

static guint32 name_row(CallgrindStacks *stacks, TextPiece name)
{
	gboolean is_new;
	const guint nowhere = 0;
	guint32 row = text_index_find_or_add(&stacks->names, name, &is_new);
	if (is_new)
		g_array_append_val(stacks->first, nowhere);
	return row;
}

static void index_function(CallgrindStacks *stacks, guint place)
{
	gboolean is_new;
	const CallgrindFunction *function = &g_array_index(stacks->functions, CallgrindFunction, place - 1);
	guint32 row = name_row(stacks, callgrind_name_parse(function->name).function);
	guint *first = &g_array_index(stacks->first, guint, row);
	*first = *first != 0 ? *first : place;
	pair_index_find_or_add(&stacks->in_object, row, function->object_row, &is_new);
	if (is_new)
		g_array_append_val(stacks->in_object_first, place);
}

void callgrind_stacks_init(CallgrindStacks *stacks, StackTable *table, const GArray *functions)
{
	*stacks = (CallgrindStacks){
	        .table = table,
	        .functions = functions,
	        .first = g_array_new(FALSE, FALSE, sizeof(guint)),
	        .in_object_first = g_array_new(FALSE, FALSE, sizeof(guint)),
	        .frames = g_array_new(FALSE, FALSE, sizeof(FrameId)),
	};
	for (guint place = 1; place <= functions->len; place++)
		index_function(stacks, place);
}

void callgrind_stacks_clear(CallgrindStacks *stacks)
{
	text_index_clear(&stacks->names);
	pair_index_clear(&stacks->in_object);
	pair_index_clear(&stacks->framed);
	g_array_unref(stacks->first);
	g_array_unref(stacks->in_object_first);
	g_array_unref(stacks->frames);
}

/* Finds the function of a caller: in the object file of what it calls, else wherever there is one of that name. */
static guint find_place(CallgrindStacks *stacks, guint32 row, guint32 object_row)
{
	gboolean is_new;
	guint first = g_array_index(stacks->first, guint, row);
	guint32 in_object = pair_index_find_or_add(&stacks->in_object, row, object_row, &is_new);
	if (is_new)
		g_array_append_val(stacks->in_object_first, first);
	return g_array_index(stacks->in_object_first, guint, in_object);
}

static gboolean is_known(TextPiece text)
{
	return text.length > 0 && !text_equals(text, "???");
}

static void set_place(const CallgrindStacks *stacks, guint place, Frame *frame)
{
	if (place == 0)
		return;
	const CallgrindFunction *function = &g_array_index(stacks->functions, CallgrindFunction, place - 1);
	if (is_known(function->object)) {
		g_autofree char *path = g_strndup(function->object.start, function->object.length);
		g_autofree char *module = canonical_module(path);
		frame->module = stack_table_name(stacks->table, module, -1);
	}
	if (is_known(function->file))
		frame->file = stack_table_name(stacks->table, function->file.start, (gssize)function->file.length);
}

static FrameId frame_of(CallgrindStacks *stacks, guint32 row, TextPiece name, guint place)
{
	gboolean is_new;
	guint32 known = pair_index_find_or_add(&stacks->framed, row, place, &is_new);
	if (!is_new)
		return g_array_index(stacks->frames, FrameId, known);
	gboolean is_named = callgrind_name_is_known(name);
	g_autofree char *shown = is_named ? callgrind_name_canonical(name) : g_strdup("[unknown]");
	Frame frame = {
	        .kind = is_named ? FRAME_USER : FRAME_SYNTHETIC,
	        .name = stack_table_name(stacks->table, shown, -1),
	        .raw_name = stack_table_name(stacks->table, name.start, (gssize)name.length),
	};
	set_place(stacks, place, &frame);
	FrameId id = stack_table_frame(stacks->table, &frame);
	g_array_append_val(stacks->frames, id);
	return id;
}

/* The frames of the callers, innermost first. Returns how many. */
static guint find_callers(CallgrindStacks *stacks, const CallgrindFunction *self, TextPiece callers, FrameId *frames)
{
	guint n = 0;
	TextPiece caller;
	guint32 object_row = self->object_row;
	while (n < MAX_CALLERS && callgrind_name_take(&callers, &caller)) {
		guint32 row = name_row(stacks, caller);
		guint place = find_place(stacks, row, object_row);
		frames[n++] = frame_of(stacks, row, caller, place);
		if (place != 0)
			object_row = g_array_index(stacks->functions, CallgrindFunction, place - 1).object_row;
	}
	return n;
}

StackId callgrind_stack_of(CallgrindStacks *stacks, guint function)
{
	FrameId callers[MAX_CALLERS];
	const CallgrindFunction *self = &g_array_index(stacks->functions, CallgrindFunction, function);
	const CallgrindName name = callgrind_name_parse(self->name);
	guint n_callers = find_callers(stacks, self, name.callers, callers);
	StackId stack = STACK_ROOT;
	for (guint i = n_callers; i-- > 0;)
		stack = stack_table_push(stacks->table, stack, callers[i]);
	FrameId frame = frame_of(stacks, name_row(stacks, name.function), name.function, function + 1);
	for (guint i = 0; i < MIN(name.level, MAX_RECURSION); i++)
		stack = stack_table_push(stacks->table, stack, frame);
	stacks->has_callers |= n_callers > 0;
	return stack;
}
