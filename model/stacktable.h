/* SPDX-License-Identifier: Apache-2.0 */
/* Names, frames and stacks: the tables that every profile of one comparison shares.
 *
 * Three arrays with integer row ids, filled by find-or-add ("interning"), never shrinking:
 *
 *     names    text                      "hash_word"
 *     frames   name + module + form      hash_word in catalog; the same inlined into another function is a second row,
 *                                        and so is a command of that name
 *     stacks   parent + frame            a trie: each row is one path from the root
 *
 * Stack 0 is the empty path. A row's parent always has a smaller id than the row, so one pass from the last row to the
 * first sums subtrees, and one from the first to the last hands values down. Iteration order is insertion order; what
 * is written out is sorted by the writer. Base and head share one table, so equal ids mean equal stacks.
 *
 * The table owns all text; strings it returns are borrowed until it goes. */
#pragma once

#include <glib.h>

typedef struct {
	guint32 index;
} NameId;
typedef struct {
	guint32 index;
} FrameId;
typedef struct {
	guint32 index;
} StackId;

#define STACK_ROOT ((StackId){0})

typedef enum {
	FRAME_USER,      /* a function with code of its own */
	FRAME_INLINED,   /* a function seen through DWARF inlining */
	FRAME_KERNEL,    /* kernel code */
	FRAME_JIT,       /* generated code, from a perf map */
	FRAME_COMMAND,   /* the command name at the root of a stack */
	FRAME_SYNTHETIC, /* a bucket of our own, name in brackets: [unknown] */
	FRAME_NOTE,      /* no code: tells more of the frame before it (model/stacknote.h); never written */
} FrameKind;

/* "user", "inlined", "kernel", "jit", "command", "synthetic": the words of stored and printed forms. */
#define FRAME_KINDS (FRAME_SYNTHETIC + 1)
extern const char *const frame_kind_names[FRAME_KINDS];

/* Tells frames of one name and module apart: a function's own code (or a bucket), its inlined copies in other
 * functions, a command whose name is that of a function, and a note. */
typedef enum { FRAME_FORM_OWN, FRAME_FORM_INLINED, FRAME_FORM_COMMAND, FRAME_FORM_NOTE, N_FRAME_FORMS } FrameForm;

/* One frame of a stack. Its identity is `name` + `module` + the form of `kind`; the other fields are those of the first
 * frame interned under it, except that a file and line arrive with the first frame that has them. */
typedef struct {
	NameId name;     /* canonical demangled name (model/canonical.h) */
	NameId module;   /* base name of the object file; the empty name for commands and buckets */
	NameId raw_name; /* linkage name as it stands in the object file */
	NameId file;     /* source file of the declaration, or the empty name */
	guint32 line;    /* its line, 0 = unknown */
	FrameKind kind;
} Frame;

typedef struct StackTable StackTable;

StackTable *stack_table_new(void);
StackTable *stack_table_ref(StackTable *table);
void stack_table_unref(StackTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StackTable, stack_table_unref)

/* Interns `length` bytes of text (-1: up to the NUL). Name 0 is the empty text. */
NameId stack_table_name(StackTable *table, const char *text, gssize length);
/* The text of a name; borrowed from the table. */
const char *stack_table_text(const StackTable *table, NameId name);

/* Interns a frame. */
FrameId stack_table_frame(StackTable *table, const Frame *frame);
/* The same from text; module, file may be NULL for "none"; the raw name is the name. */
FrameId stack_table_frame_named(StackTable *table, const char *name, const char *module, FrameKind kind);
/* A frame by its id; borrowed, until a frame is added. */
const Frame *stack_table_get_frame(const StackTable *table, FrameId frame);
/* The name of a frame; borrowed from the table. */
const char *stack_table_frame_name(const StackTable *table, FrameId frame);
/* The module of a frame, "" where it has none; borrowed from the table. */
const char *stack_table_frame_module(const StackTable *table, FrameId frame);
/* The form of its name. */
FrameForm stack_table_frame_form(const StackTable *table, FrameId frame);
/* TRUE if the frame stands for code inside of another function. */
gboolean stack_table_is_inlined(const StackTable *table, FrameId frame);

/* Interns the path `parent` + `frame`. */
StackId stack_table_push(StackTable *table, StackId parent, FrameId frame);
/* Interns `n` paths, whose parents are known: the stack of each becomes its parent + frame. The same as one call after
 * the other, but all are fetched from memory at once, which is faster where the paths are unrelated. */
typedef struct {
	StackId parent;
	FrameId frame;
	StackId stack; /* the result */
} StackPush;
/* Does `n` pushes at once. */
void stack_table_push_all(StackTable *table, StackPush *pushes, guint n);
/* The stack without its last frame. */
StackId stack_table_parent(const StackTable *table, StackId stack);
/* The last frame of a path; `stack` is not the root. */
FrameId stack_table_leaf(const StackTable *table, StackId stack);
/* Number of frames of a path; 0 for the root. */
guint stack_table_depth(const StackTable *table, StackId stack);

/* Rows so far; ids are 0 .. n-1. Stacks include the root. */
guint stack_table_n_frames(const StackTable *table);
/* The number of stacks, the root included. */
guint stack_table_n_stacks(const StackTable *table);

/* Orders frames by name, then by module. */
int stack_table_frame_order(const StackTable *table, FrameId a, FrameId b);
