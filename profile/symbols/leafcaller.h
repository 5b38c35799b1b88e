/* Who called a function that has no frame.
 *
 * A walk along frame pointers starts at the frame of the interrupted function. While that function has none - a leaf
 * function for which the compiler saw no need, or any function in its first and last instructions - the walk begins one
 * frame too late, and the caller is missing. The call frame information of the object file says where the return
 * address lies then, so that it can be read from the few bytes of stack that the recorder keeps with a sample.
 *
 *     stack pointer ->  | ...            |
 *     + distance        | return address |  <- the missing caller
 *
 * x86-64 only. Answers are remembered per address; each object file is opened at most once. */
#pragma once

#include <glib.h>

typedef struct LeafCallers LeafCallers;

LeafCallers *leaf_callers_new(void);
void leaf_callers_free(LeafCallers *callers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LeafCallers, leaf_callers_free)

/* An object file, under a number of the caller's choice that stands for it. */
typedef struct {
	guint number;
	const char *path;
	const guint8 *build_id;
	guint build_id_length; /* 0 = any */
} LeafModule;

/* The distance in bytes from the stack pointer to the return address, while the program is at `file_offset` of a
 * module. FALSE if there is a frame, so that nothing is missing, or if it is not known. */
gboolean leaf_callers_find(LeafCallers *callers, const LeafModule *module, guint64 file_offset, guint32 *distance);
