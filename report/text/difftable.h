/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of two profiles of files side by side: what `firebreak diff` prints, as text for a terminal or as JSON.
 *
 * Functions stand in the order of the comparison, that is by the size of their contribution; those that cost the same
 * on both sides are left out of the text. Costs are means over the runs and per unit of work. All foreign text of the
 * text is cut and escaped.
 *
 * The JSON has `schema` ("firebreak-diff/1"), `event`, `unit`, `per`, `tested`, `counted`, `remark` (why nothing was
 * tested, or null), `base` and `head` (each with `files`, `runs`, `total` per run), `change_pct` of the totals, and
 * `functions`: the objects of report.json's functions, each with `base_inclusive` and `head_inclusive`, in which a
 * function that is several times on a stack counts once, and `findings` about the files. */
#pragma once

#include "compare/comparison/comparison.h"
#include "core/finding.h"

#define DIFF_SCHEMA "firebreak-diff/1"

typedef struct {
	const Profile *profile;
	double work;              /* what the costs of one run are divided by: its units of work, and the scale of the
	                             profile; 0 counts as 1 */
	const char *const *files; /* NULL-terminated; foreign text */
} DiffTableSide;

/* Everything is borrowed. */
typedef struct {
	DiffTableSide base, head;              /* of one stack table */
	const BenchmarkComparison *comparison; /* rows of that table */
	const char *per;                       /* what costs are means of: "run" */
	const char *remark;                    /* why there are no tests; NULL = there are, or nothing needs one */
	gboolean counted;                      /* counts */
	const FindingList *findings;           /* about the files; of the JSON */
} DiffTable;

typedef struct {
	guint rows; /* functions shown; 0 = all */
	gboolean colour;
	guint width; /* columns of the terminal; 0 = no limit */
} DiffTextOptions;

/* The mean total of a side. */
double diff_table_total(const DiffTableSide *side);

/* The outcome, in a clause: "read_word +13.6 pp and 2 more functions changed significantly"; NULL if nothing was
 * tested. Foreign text, owned by the caller. */
char *diff_table_outcome(const DiffTable *table);

/* Owned by the caller. */
char *diff_table_text(const DiffTable *table, const DiffTextOptions *options);
/* Sets *length (may be NULL). Owned by the caller. */
char *diff_table_json(const DiffTable *table, gsize *length);
