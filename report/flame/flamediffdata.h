/* SPDX-License-Identifier: Apache-2.0 */
/* The profiles of both sides inside a differential flame graph, so that anyone who has the picture can draw it again or
 * get the folded stacks of either side exactly back.
 *
 *     <metadata class="folded">firebreak-folded 2        what it is
 *     cycles cycles 5 5 1 1 5 5 1e5 1e5 sampled          event, unit, runs of base and head, units of work of a run,
 *                                                        columns of base and head, cost of a sample, counted or
 * sampled, and the scale of the profiles unless it is 1 1 main=catalog                                     a row of the
 * trie: how many rows above its parent stands 1 parse=catalog 8 9 8 7 8 8 7 8 9 8                (row 0 is the root),
 * its frame, its self cost in the columns 1 =2                                               of base, then head; zeroes
 * at the end are left out
 *     </metadata>
 *
 * Where the work of base makes its total that of head, as `firebreak diff -n` does, the word `normalized` follows.
 *
 * A side has a column per run. Where that would take more than FLAME_DIFF_DATA_MAX_BYTES, it has one, the sum of its
 * runs; where even those would, the element is empty and says so: flame_diff_data_append() returns which it was.
 *
 * A frame is its name, with its module after a = if it has one, and then the word of its kind after another if that
 * is not "user". One that another row had already is `=` and the number of that row. Rows stand depth first, siblings
 * in order of name, so the same stacks give the same text whatever the order in which they were read. Texts are one
 * word: bytes that are no printable ASCII, and % < > & " ' =, are written as %41, an empty text as %.
 *
 * Where all samples weigh alike, a cost divided by that of a sample is how many there are. Of sampled costs of which it
 * is not, as of varying periods, a cell is `cost:samples`, and the first line ends in 3 then. Pictures of older
 * versions end in 2 there always; of what varies they tell about as many samples. */
#pragma once

#include "model/profile.h"

#define FLAME_DIFF_DATA_MAX_BYTES ((gsize)1024 * 1024)

/* Both sides; as what is read, owned by the caller and cleared by flame_diff_data_clear(). */
typedef struct {
	Profile *base, *head;        /* one table; written: either may be NULL; read: none is NULL */
	guint base_runs, head_runs;  /* of what was written; read, a profile has as many, or one, which is their sum */
	double base_work, head_work; /* units of work of one run; 0 counts as 1 */
	gboolean counted;            /* costs are counts */
	gboolean normalized;         /* base_work is no work, but what scales base to the total of head */
} FlameDiffData;

void flame_diff_data_clear(FlameDiffData *data);

typedef enum {
	FLAME_DIFF_DATA_RUNS,
	FLAME_DIFF_DATA_SUMS, /* of the runs of either side */
	FLAME_DIFF_DATA_NONE, /* left out */
} FlameDiffKept;

/* Appends the element, and returns what it holds. Fields are borrowed, the numbers of runs are those of the profiles.
 */
FlameDiffKept flame_diff_data_append(GString *out, const FlameDiffData *data);

/* Units of work that each run of a profile that was read stands for. */
double flame_diff_data_work(const FlameDiffData *data, gboolean head);

/* Reads the element out of the text of a picture. `name` is what messages call it. Fills *data, which is overwritten.
 * Errors: FIREBREAK_ERROR_USAGE if the picture has none, or was too large for it; FIREBREAK_ERROR_INVALID if it is
 * damaged. */
gboolean flame_diff_data_read(const char *text, gsize length, const char *name, FlameDiffData *data, GError **error);
