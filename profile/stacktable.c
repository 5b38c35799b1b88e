#include "profile/stacktable.h"

#include "profile/pairindex.h"

#include <string.h>

const char *const frame_kind_names[FRAME_KINDS] = {
        [FRAME_USER] = "user",
        [FRAME_INLINED] = "inlined",
        [FRAME_KERNEL] = "kernel",
        [FRAME_JIT] = "jit",
        [FRAME_COMMAND] = "command",
        [FRAME_SYNTHETIC] = "synthetic",
};

#define TEXT_BLOCK_BYTES 65536

typedef struct {
	guint32 parent;
	guint32 frame;
	guint32 depth;
} StackRow;

struct StackTable {
	gint ref_count;
	GStringChunk *text;
	GHashTable *name_ids; /* text -> index + 1 */
	GPtrArray *names;     /* of text, borrowed from `text` */
	GString *scratch;     /* a NUL-terminated copy for look-ups by length */
	PairIndex frame_index;
	GArray *frames; /* of Frame */
	PairIndex stack_index;
	GArray *stacks; /* of StackRow; row 0 is the root */
};

StackTable *stack_table_new(void)
{
	StackTable *table = g_new0(StackTable, 1);
	StackRow root = {0};
	g_atomic_ref_count_init(&table->ref_count);
	table->text = g_string_chunk_new(TEXT_BLOCK_BYTES);
	table->name_ids = g_hash_table_new(g_str_hash, g_str_equal);
	table->names = g_ptr_array_new();
	table->scratch = g_string_new(NULL);
	table->frames = g_array_new(FALSE, FALSE, sizeof(Frame));
	table->stacks = g_array_new(FALSE, FALSE, sizeof(StackRow));
	g_array_append_val(table->stacks, root);
	stack_table_name(table, "", 0);
	return table;
}

StackTable *stack_table_ref(StackTable *table)
{
	g_atomic_ref_count_inc(&table->ref_count);
	return table;
}

void stack_table_unref(StackTable *table)
{
	if (table == NULL || !g_atomic_ref_count_dec(&table->ref_count))
		return;
	pair_index_clear(&table->frame_index);
	pair_index_clear(&table->stack_index);
	g_array_unref(table->frames);
	g_array_unref(table->stacks);
	g_hash_table_unref(table->name_ids);
	g_ptr_array_unref(table->names);
	g_string_free(table->scratch, TRUE);
	g_string_chunk_free(table->text);
	g_free(table);
}

NameId stack_table_name(StackTable *table, const char *text, gssize length)
{
	if (length >= 0) {
		g_string_truncate(table->scratch, 0);
		g_string_append_len(table->scratch, text, (gssize)strnlen(text, (gsize)length));
		text = table->scratch->str;
	}
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(table->name_ids, text));
	if (known != 0)
		return (NameId){known - 1};
	char *kept = g_string_chunk_insert(table->text, text);
	g_ptr_array_add(table->names, kept);
	g_hash_table_insert(table->name_ids, kept, GUINT_TO_POINTER(table->names->len));
	return (NameId){table->names->len - 1};
}

const char *stack_table_text(const StackTable *table, NameId name)
{
	g_assert(name.index < table->names->len);
	return table->names->pdata[name.index];
}

/* A file and line may arrive after the frame. */
static void complete_frame(Frame *known, const Frame *frame)
{
	if (known->file.index != 0 || frame->file.index == 0)
		return;
	known->file = frame->file;
	known->line = frame->line;
}

FrameId stack_table_frame(StackTable *table, const Frame *frame)
{
	gboolean is_new;
	guint32 row = pair_index_find_or_add(&table->frame_index, frame->name.index, frame->module.index, &is_new);
	if (is_new)
		g_array_append_vals(table->frames, frame, 1);
	else
		complete_frame(&g_array_index(table->frames, Frame, row), frame);
	return (FrameId){row};
}

FrameId stack_table_frame_named(StackTable *table, const char *name, const char *module, FrameKind kind)
{
	NameId name_id = stack_table_name(table, name, -1);
	Frame frame = {.name = name_id, .raw_name = name_id, .kind = kind};
	if (module != NULL)
		frame.module = stack_table_name(table, module, -1);
	return stack_table_frame(table, &frame);
}

const Frame *stack_table_get_frame(const StackTable *table, FrameId frame)
{
	g_assert(frame.index < table->frames->len);
	return &g_array_index(table->frames, Frame, frame.index);
}

const char *stack_table_frame_name(const StackTable *table, FrameId frame)
{
	return stack_table_text(table, stack_table_get_frame(table, frame)->name);
}

const char *stack_table_frame_module(const StackTable *table, FrameId frame)
{
	return stack_table_text(table, stack_table_get_frame(table, frame)->module);
}

static const StackRow *stack_row(const StackTable *table, StackId stack)
{
	g_assert(stack.index < table->stacks->len);
	return &g_array_index(table->stacks, StackRow, stack.index);
}

StackId stack_table_push(StackTable *table, StackId parent, FrameId frame)
{
	gboolean is_new;
	g_assert(frame.index < table->frames->len);
	StackRow row = {parent.index, frame.index, stack_row(table, parent)->depth + 1};
	/* the root takes row 0 of the array but is not in the index */
	guint32 found = pair_index_find_or_add(&table->stack_index, parent.index, frame.index, &is_new) + 1;
	if (is_new)
		g_array_append_val(table->stacks, row);
	return (StackId){found};
}

StackId stack_table_parent(const StackTable *table, StackId stack)
{
	return (StackId){stack_row(table, stack)->parent};
}

FrameId stack_table_leaf(const StackTable *table, StackId stack)
{
	g_assert(stack.index != STACK_ROOT.index);
	return (FrameId){stack_row(table, stack)->frame};
}

guint stack_table_depth(const StackTable *table, StackId stack)
{
	return stack_row(table, stack)->depth;
}

guint stack_table_n_frames(const StackTable *table)
{
	return table->frames->len;
}

guint stack_table_n_stacks(const StackTable *table)
{
	return table->stacks->len;
}
