/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the code of synthetic functions, and a change that edits some of their lines. */
#pragma once

#include <string.h>

#include "core/git/linechanges.h"
#include "model/codefacts.h"

typedef struct {
	const char *name;
	const char *file;              /* NULL = not known */
	guint32 first, last;           /* of its lines on both sides; 0 = not known */
	guint64 hash[N_SIDES];         /* 0 = not known */
	guint64 sketch[N_SIDES];       /* likewise */
	CodeIdentity identity;         /* where the hashes do not say it: CODE_SAME for a library */
	gboolean absent[N_SIDES];      /* nothing at all is known of that side */
	guint32 head_first, head_last; /* of its lines in head, if they moved */
	SourceOrigin origin;           /* of the file, on both sides */
} KnownCode;

static inline void known_place(CodeFacts *facts, StackTable *table, const KnownCode *row, guint frame, guint side)
{
	gboolean moved = side == LINES_OF_HEAD && row->head_first != 0;
	facts->places[side][frame] = (CodePlace){
	        .file = row->file != NULL ? stack_table_name(table, row->file, -1) : (NameId){0},
	        .origin = row->origin,
	        .first_line = moved ? row->head_first : row->first,
	        .last_line = moved ? row->head_last : row->last,
	        .hash = row->hash[side],
	        .sketch = row->sketch[side],
	};
}

static inline CodeIdentity known_identity(const KnownCode *row)
{
	if (row->hash[0] == 0 || row->hash[1] == 0)
		return row->identity;
	return row->hash[0] == row->hash[1] ? CODE_SAME : CODE_CHANGED;
}

/* Facts about the frames of `table` that have a row, by name; `rows` ends with a name of NULL. Owned by the caller. */
static inline CodeFacts *known_code(StackTable *table, const KnownCode *rows)
{
	CodeFacts *facts = code_facts_new(stack_table_n_frames(table));
	for (const KnownCode *row = rows; row->name != NULL; row++)
		for (guint f = 0; f < facts->n_frames; f++) {
			if (strcmp(stack_table_frame_name(table, (FrameId){f}), row->name) != 0)
				continue;
			facts->identity[f] = known_identity(row);
			facts->is_outside[f] = row->identity == CODE_SAME && row->file == NULL;
			for (guint side = 0; side < N_SIDES; side++)
				if (!row->absent[side])
					known_place(facts, table, row, f, side);
		}
	return facts;
}

/* A change that replaces the lines first .. last of one file on both sides. */
static inline LineChanges *edit_lines(const char *file, guint32 first, guint32 last)
{
	LineChanges *changes = line_changes_new();
	guint32 lines = last - first + 1;
	LineChange change = {first, lines, first, lines};
	g_array_append_val(line_changes_add_file(changes, file, file)->changes, change);
	return changes;
}
