/* SPDX-License-Identifier: Apache-2.0 */
/* The data that the writers of other tools' formats share: a profile, or two that are compared, and the rows of their
 * tables that are needed for it. The writers are profile/exchange/pprofwrite.h, profile/exchange/speedscopewrite.h and
 * profile/exchange/firefoxwrite.h.
 *
 * All runs of a side are added up. A comparison is taken as it is: neither side is scaled to the other. */
#pragma once

#include "model/profile.h"

typedef struct {
	const Profile *head;       /* the profile; of a comparison, head's */
	const Profile *base;       /* on the same table and of the same scale as head's; NULL = this is no comparison */
	const char *name;          /* what a viewer shows as heading */
	const char *exporter;      /* the program and its version */
	const char *const *labels; /* of every sample: key, value, key, value, ..., NULL; NULL = none */
	gint64 time_s;             /* when it was measured, in seconds since 1970; 0 = not told */
} ExportedProfile;

/* Costs of a stack that a format can show: of one side, or of head less base. */
typedef enum {
	EXPORT_HEAD,
	EXPORT_BASE,
	EXPORT_INCREASE,   /* where head costs more: by how much, else 0 */
	EXPORT_DIFFERENCE, /* head less base, negative where base costs more */
} ExportedPart;

/* One side's samples and weight of a stack. */
ProfileCell exported_cell(const Profile *side, StackId stack);
/* The weight of a stack in `part`, which is EXPORT_HEAD if there is no base. Limited to what the type holds. */
gint64 exported_weight(const ExportedProfile *exported, ExportedPart part, StackId stack);

/* Appends it as a number of units. */
void exported_append_cost(GString *out, const ExportedProfile *exported, gint64 weight);

/* The kind of weights that the samples have. */
typedef struct {
	gboolean has_weight; /* FALSE: only samples were counted */
	gboolean is_count;   /* weight and samples of every stack are equal: there is one number, not two */
	gboolean is_sampled; /* they count samples, or what folded text does not name if that is whole */
} ExportedScale;
/* The meaning of the numbers of its stacks. */
ExportedScale exported_scale(const ExportedProfile *exported);

/* The stacks that cost something on either side, with all that lead to them, and their frames; parents stand before
 * their children, frames in the order of their first use. */
typedef struct {
	GArray *stacks;      /* of StackId */
	GArray *frames;      /* of FrameId */
	guint32 *stack_rows; /* by StackId: its row in `stacks`; G_MAXUINT32 = it is not there */
	guint32 *frame_rows; /* by FrameId, likewise */
} ExportedRows;

/* Finds the rows that `exported` needs. The caller clears it. */
void exported_rows_init(ExportedRows *rows, const ExportedProfile *exported);
void exported_rows_clear(ExportedRows *rows);
/* The frame of row `row` of the stacks, as a row of the frames. */
guint32 exported_rows_leaf(const ExportedRows *rows, const StackTable *table, guint row);

/* Texts that are written once and named by their number. Borrowed from their owners. */
typedef struct {
	GPtrArray *texts;
	GHashTable *by_name; /* of a stack table: NameId + 1 -> number + 1 */
} ExportedTexts;

/* An empty table. The caller clears it. */
void exported_texts_init(ExportedTexts *texts);
void exported_texts_clear(ExportedTexts *texts);
/* Adds a text and returns its number. */
guint32 exported_texts_add(ExportedTexts *texts, const char *text);
/* The number of a name, which is added if it is new. */
guint32 exported_texts_name(ExportedTexts *texts, const StackTable *table, NameId name);

/* A copy of a profile with its runs on another table, as two sides that were read one by one need it. */
Profile *exported_copy(const Profile *profile, StackTable *table);
