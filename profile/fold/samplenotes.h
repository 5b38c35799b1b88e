/* SPDX-License-Identifier: Apache-2.0 */
/* The notes of a sample (model/stacknote.h): of its process, thread and CPU, as raw frames that stand behind its
 * command. Internal to foldrecording.c. Each number becomes a frame once; later samples find it in a table. */
#pragma once

#include "model/stacknote.h"
#include "profile/fold/rawtrie.h"
#include "profile/perfdata/perfdatacontent.h"

typedef struct {
	StackTable *table; /* borrowed */
	guint wanted;      /* bits 1 << StackNote */
	GHashTable *known; /* number and note -> frame index + 1; NULL if nothing is wanted */
} SampleNotes;

/* `wanted`: bits, of which those of a command count. */
void sample_notes_init(SampleNotes *notes, StackTable *table, guint wanted);
void sample_notes_clear(SampleNotes *notes);
/* Pushes the notes of a sample onto its path. */
void sample_notes_push(SampleNotes *notes, RawPath *path, const PerfDataRecord *record);
