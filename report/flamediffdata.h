/* The profiles of both sides inside a differential flame graph, so that anyone who has the picture can draw it again or
 * get the folded stacks of either side exactly back.
 *
 *     <metadata class="folded">firebreak-folded 1        what it is
 *     cycles cycles 5 5 1 1                              event, unit, runs of base and head, units of work of a run
 *     1 main                                             a row of the trie: how many rows above its parent stands
 *     1 parse 40 38                                      (row 0 is the root), its name, its self cost in base and head,
 *     1 =2                                               summed over all runs; zeroes at the end are left out
 *     </metadata>
 *
 * A name that another row had already is `=` and the number of that row, so a row takes some ten bytes whatever the
 * names are. Texts are one word: bytes that are no printable ASCII, and % < > & " ' =, are written as %41, an empty
 * text as %. Modules are not kept. What would take more than FLAME_DIFF_DATA_MAX_BYTES, some 90,000 rows, is left
 * out, and the element says so. */
#pragma once

#include "profile/profile.h"

#define FLAME_DIFF_DATA_MAX_BYTES ((gsize)1024 * 1024)

/* Both sides; as what is read, owned by the caller and cleared by flame_diff_data_clear(). */
typedef struct {
	Profile *base, *head;        /* one table; written: either may be NULL; read: one run each, none is NULL */
	guint base_runs, head_runs;  /* runs that the costs are the sum of */
	double base_work, head_work; /* units of work of one run; 0 counts as 1 */
} FlameDiffData;

void flame_diff_data_clear(FlameDiffData *data);

/* Appends the element. Fields are borrowed, the numbers of runs are those of the profiles. */
void flame_diff_data_append(GString *out, const FlameDiffData *data);

/* Reads the element out of the text of a picture. `name` is what messages call it. Fills *data, which is overwritten.
 * Errors: FIREBREAK_ERROR_USAGE if the picture has none, or was too large for it; FIREBREAK_ERROR_INVALID if it is
 * damaged. */
gboolean flame_diff_data_read(const char *text, gsize length, const char *name, FlameDiffData *data, GError **error);
