/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stacktable.h"

#include "model/pairindex.h"

#include <string.h>
#include <sys/mman.h>

const char *const frame_kind_names[FRAME_KINDS] = {
        [FRAME_USER] = "user",
        [FRAME_INLINED] = "inlined",
        [FRAME_KERNEL] = "kernel",
        [FRAME_JIT] = "jit",
        [FRAME_COMMAND] = "command",
        [FRAME_SYNTHETIC] = "synthetic",
};

#define TEXT_BLOCK_BYTES 65536

#define FIRST_SLOTS 1024u
#define LARGE_BYTES (4 * 1024 * 1024)

typedef struct {
	const char *text; /* borrowed from the table's blocks */
	gsize length;
} NameRow;

typedef struct {
	guint32 parent;
	guint32 frame;
	guint32 depth;
} StackRow;

/* Finds rows by two numbers: open addressing with linear probing. Both stand in the slot, so rows need not be looked
 * at, which are somewhere else in memory. */
typedef struct {
	guint32 first, second;
	guint32 row_plus_1; /* 0 = the slot is free */
} Slot;

typedef struct {
	Slot *slots; /* NULL until the first row */
	guint32 mask;
	guint32 n_rows;
} RowIndex;

struct StackTable {
	gint ref_count;
	GStringChunk *text;
	RowIndex name_index;
	GArray *names; /* of NameRow */
	PairIndex frame_index;
	GArray *frames; /* of Frame */
	RowIndex stack_index;
	GArray *stacks; /* of StackRow; row 0 is the root */
};

/* Zeroed memory. Large tables are read all over the place, which is faster where the kernel has large pages. */
static Slot *slots_new(guint64 n)
{
	if (n * sizeof(Slot) < LARGE_BYTES)
		return g_new0(Slot, n);
	void *memory = mmap(NULL, n * sizeof(Slot), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	g_assert(memory != MAP_FAILED);
	madvise(memory, n * sizeof(Slot), MADV_HUGEPAGE);
	return memory;
}

static void slots_free(Slot *slots, guint64 n)
{
	if (n * sizeof(Slot) < LARGE_BYTES)
		g_free(slots);
	else
		munmap(slots, n * sizeof(Slot));
}

static guint64 n_slots_of(const RowIndex *index)
{
	return index->slots == NULL ? 0 : (guint64)index->mask + 1;
}

/* The finaliser of splitmix64 over both. */
static guint32 hash_pair(guint32 first, guint32 second)
{
	guint64 x = ((guint64)first << 32 | second) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return (guint32)(x ^ (x >> 31));
}

/* TRUE if a third of the slots stays free with `more` rows added. Linear probing gets slow in fuller tables. */
static gboolean has_room(const RowIndex *index, guint more)
{
	return ((guint64)index->n_rows + more) * 3 < n_slots_of(index) * 2;
}

static void row_index_grow(RowIndex *index)
{
	guint64 n_slots = n_slots_of(index);
	g_assert(n_slots < G_MAXUINT32); /* more than 2.8 billion rows */
	guint64 n_grown = MAX(n_slots * 2, FIRST_SLOTS);
	Slot *grown = slots_new(n_grown);
	guint32 mask = (guint32)(n_grown - 1);
	for (guint64 i = 0; i < n_slots; i++) {
		guint32 at = hash_pair(index->slots[i].first, index->slots[i].second) & mask;
		if (index->slots[i].row_plus_1 == 0)
			continue;
		while (grown[at].row_plus_1 != 0)
			at = (at + 1) & mask;
		grown[at] = index->slots[i];
	}
	slots_free(index->slots, n_slots);
	index->slots = grown;
	index->mask = mask;
}

static void row_index_reserve(RowIndex *index)
{
	if (G_UNLIKELY(!has_room(index, 0)))
		row_index_grow(index);
}

static void row_index_add(RowIndex *index, Slot *slot, guint32 first, guint32 second)
{
	*slot = (Slot){first, second, ++index->n_rows};
}

StackTable *stack_table_new(void)
{
	StackTable *table = g_new0(StackTable, 1);
	StackRow root = {0};
	g_atomic_ref_count_init(&table->ref_count);
	table->text = g_string_chunk_new(TEXT_BLOCK_BYTES);
	table->names = g_array_new(FALSE, FALSE, sizeof(NameRow));
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
	slots_free(table->name_index.slots, n_slots_of(&table->name_index));
	slots_free(table->stack_index.slots, n_slots_of(&table->stack_index));
	g_array_unref(table->frames);
	g_array_unref(table->stacks);
	g_array_unref(table->names);
	g_string_chunk_free(table->text);
	g_free(table);
}

/* Multiplies and folds over eight bytes at a time, the last ones padded with zeros. */
static guint32 hash_text(const char *text, gsize length)
{
	guint64 hash = length * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15), word = 0;
	for (; length > sizeof word; text += sizeof word, length -= sizeof word) {
		memcpy(&word, text, sizeof word);
		hash = (hash ^ word) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
		hash ^= hash >> 29;
	}
	word = 0;
	memcpy(&word, text, length);
	hash = (hash ^ word) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return (guint32)(hash >> 32 ^ hash >> 17);
}

/* Texts are looked for by hash and length. */
static Slot *name_slot(const StackTable *table, const char *text, gsize length, guint32 hash)
{
	const RowIndex *index = &table->name_index;
	guint32 at = hash_pair(hash, (guint32)length) & index->mask;
	for (;; at = (at + 1) & index->mask) {
		Slot *slot = &index->slots[at];
		if (slot->row_plus_1 == 0)
			return slot;
		if (slot->first != hash || slot->second != (guint32)length)
			continue;
		const NameRow *row = &g_array_index(table->names, NameRow, slot->row_plus_1 - 1);
		if (row->length == length && memcmp(row->text, text, length) == 0)
			return slot;
	}
}

NameId stack_table_name(StackTable *table, const char *text, gssize length)
{
	gsize n = length < 0 ? strlen(text) : strnlen(text, (gsize)length);
	guint32 hash = hash_text(text, n);
	row_index_reserve(&table->name_index);
	Slot *slot = name_slot(table, text, n, hash);
	if (slot->row_plus_1 == 0) {
		NameRow row = {g_string_chunk_insert_len(table->text, text, (gssize)n), n};
		g_array_append_val(table->names, row);
		row_index_add(&table->name_index, slot, hash, (guint32)n);
	}
	return (NameId){slot->row_plus_1 - 1};
}

const char *stack_table_text(const StackTable *table, NameId name)
{
	g_assert(name.index < table->names->len);
	return g_array_index(table->names, NameRow, name.index).text;
}

/* A file and line may arrive after the frame. */
static void complete_frame(Frame *known, const Frame *frame)
{
	if (known->file.index != 0 || frame->file.index == 0)
		return;
	known->file = frame->file;
	known->line = frame->line;
}

static FrameForm form_of(FrameKind kind)
{
	switch (kind) {
	case FRAME_INLINED:
		return FRAME_FORM_INLINED;
	case FRAME_COMMAND:
		return FRAME_FORM_COMMAND;
	case FRAME_NOTE:
		return FRAME_FORM_NOTE;
	default:
		return FRAME_FORM_OWN;
	}
}

FrameId stack_table_frame(StackTable *table, const Frame *frame)
{
	gboolean is_new;
	guint64 place = (guint64)frame->module.index * N_FRAME_FORMS + form_of(frame->kind);
	guint32 row = pair_index_find_or_add(&table->frame_index, place, frame->name.index, &is_new);
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

/* The root takes row 0 of the array but is not in the index. */
static Slot *stack_slot(const StackTable *table, guint32 parent, guint32 frame)
{
	const RowIndex *index = &table->stack_index;
	guint32 at = hash_pair(parent, frame) & index->mask;
	while (index->slots[at].row_plus_1 != 0 &&
	        (index->slots[at].first != parent || index->slots[at].second != frame))
		at = (at + 1) & index->mask;
	return &index->slots[at];
}

/* There is room in the index. */
static StackId push_reserved(StackTable *table, StackId parent, FrameId frame)
{
	Slot *slot = stack_slot(table, parent.index, frame.index);
	if (slot->row_plus_1 == 0) {
		StackRow row = {parent.index, frame.index, stack_row(table, parent)->depth + 1};
		g_array_append_val(table->stacks, row);
		row_index_add(&table->stack_index, slot, parent.index, frame.index);
	}
	return (StackId){slot->row_plus_1};
}

FrameForm stack_table_frame_form(const StackTable *table, FrameId frame)
{
	return form_of(stack_table_get_frame(table, frame)->kind);
}

gboolean stack_table_is_inlined(const StackTable *table, FrameId frame)
{
	return stack_table_get_frame(table, frame)->kind == FRAME_INLINED;
}

StackId stack_table_push(StackTable *table, StackId parent, FrameId frame)
{
	g_assert(frame.index < table->frames->len);
	row_index_reserve(&table->stack_index);
	return push_reserved(table, parent, frame);
}

void stack_table_push_all(StackTable *table, StackPush *pushes, guint n)
{
	RowIndex *index = &table->stack_index;
	while (!has_room(index, n))
		row_index_grow(index);
	for (guint i = 0; i < n; i++) {
		g_assert(pushes[i].frame.index < table->frames->len);
		__builtin_prefetch(
		        &index->slots[hash_pair(pushes[i].parent.index, pushes[i].frame.index) & index->mask]);
	}
	for (guint i = 0; i < n; i++)
		pushes[i].stack = push_reserved(table, pushes[i].parent, pushes[i].frame);
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

int stack_table_frame_order(const StackTable *table, FrameId a, FrameId b)
{
	int order = strcmp(stack_table_frame_name(table, a), stack_table_frame_name(table, b));
	return order != 0 ? order : strcmp(stack_table_frame_module(table, a), stack_table_frame_module(table, b));
}
