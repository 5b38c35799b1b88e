#include "profile/callgrindstacks.h"

#include "profile/symbols/canonical.h"
#include "profile/toolnames.h"

#include <string.h>

/* Longer chains and deeper levels are cut; callgrind's own limits are lower. */
#define MAX_CALLERS 256
#define MAX_RECURSION 64

/* A name taken apart. */
typedef struct {
	TextPiece function;
	guint recursion;
	TextPiece callers[MAX_CALLERS]; /* innermost first */
	guint n_callers;
} Context;

/* The length up to the apostrophe that ends a name. One in brackets belongs to it: foo<'a'>, {lambda'1}. */
static gsize name_length(TextPiece text)
{
	gsize depth = 0;
	for (gsize i = 0; i < text.length; i++) {
		char c = text.start[i];
		if (c == '\'' && depth == 0 && i > 0)
			return i;
		if (strchr("<({[", c) != NULL && c != '\0')
			depth++;
		else if (strchr(">)}]", c) != NULL && c != '\0' && depth > 0)
			depth--;
	}
	return text.length;
}

/* Moves the next name from the front of *text. */
static TextPiece take_name(TextPiece *text)
{
	TextPiece name = {text->start, name_length(*text)};
	gsize step = MIN(name.length + 1, text->length);
	*text = (TextPiece){text->start + step, text->length - step};
	return name;
}

static void parse_context(TextPiece text, Context *context)
{
	context->function = take_name(&text);
	context->recursion = 1;
	context->n_callers = 0;
	while (text.length > 0 && context->n_callers < MAX_CALLERS) {
		TextPiece name = take_name(&text);
		if (context->n_callers == 0 && text_is_number(name))
			context->recursion = (guint)CLAMP(text_number(name), 1, MAX_RECURSION);
		else if (name.length > 0)
			context->callers[context->n_callers++] = name;
	}
}

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
	guint32 row = name_row(stacks, (TextPiece){function->name.start, name_length(function->name)});
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

/* Where a caller is defined: in the object file of what it calls, else wherever there is one of that name. */
static guint find_place(CallgrindStacks *stacks, guint32 row, guint32 object_row)
{
	gboolean is_new;
	guint first = g_array_index(stacks->first, guint, row);
	guint32 in_object = pair_index_find_or_add(&stacks->in_object, row, object_row, &is_new);
	if (is_new)
		g_array_append_val(stacks->in_object_first, first);
	return g_array_index(stacks->in_object_first, guint, in_object);
}

static gboolean is_address(TextPiece name)
{
	return name.length > 2 && memcmp(name.start, "0x", 2) == 0 && g_ascii_isxdigit(name.start[2]);
}

/* The name without what differs between two builds. */
static NameId frame_name(const CallgrindStacks *stacks, TextPiece name)
{
	g_autofree char *text = g_strndup(name.start, name.length);
	g_autofree char *canonical = canonical_name(text);
	char *clone = strstr(canonical, " [clone ");
	if (clone != NULL && clone > canonical)
		*clone = '\0';
	canonical[tool_name_without_arguments(canonical, strlen(canonical))] = '\0';
	canonical_drop_numbers(canonical);
	return stack_table_name(stacks->table, canonical, -1);
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
	gboolean is_named = is_known(name) && !is_address(name);
	Frame frame = {
	        .kind = is_named ? FRAME_USER : FRAME_SYNTHETIC,
	        .name = is_named ? frame_name(stacks, name) : stack_table_name(stacks->table, "[unknown]", -1),
	        .raw_name = stack_table_name(stacks->table, name.start, (gssize)name.length),
	};
	set_place(stacks, place, &frame);
	FrameId id = stack_table_frame(stacks->table, &frame);
	g_array_append_val(stacks->frames, id);
	return id;
}

StackId callgrind_stack_of(CallgrindStacks *stacks, guint function)
{
	Context context;
	FrameId callers[MAX_CALLERS];
	const CallgrindFunction *self = &g_array_index(stacks->functions, CallgrindFunction, function);
	guint32 object_row = self->object_row;
	parse_context(self->name, &context);
	for (guint i = 0; i < context.n_callers; i++) {
		guint32 row = name_row(stacks, context.callers[i]);
		guint place = find_place(stacks, row, object_row);
		callers[i] = frame_of(stacks, row, context.callers[i], place);
		if (place != 0)
			object_row = g_array_index(stacks->functions, CallgrindFunction, place - 1).object_row;
	}
	StackId stack = STACK_ROOT;
	for (guint i = context.n_callers; i-- > 0;)
		stack = stack_table_push(stacks->table, stack, callers[i]);
	FrameId frame = frame_of(stacks, name_row(stacks, context.function), context.function, function + 1);
	for (guint i = 0; i < context.recursion; i++)
		stack = stack_table_push(stacks->table, stack, frame);
	stacks->has_callers |= context.n_callers > 0;
	return stack;
}
