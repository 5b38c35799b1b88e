/* Leaf hints: what a recording keeps of the stack so that the caller of a function without a frame can be found again
 * (profile/symbols/leafcaller.h).
 *
 * The hints are a feature of the perf.data file, with a number above those that perf knows, so that perf skips them.
 * Raw stack is never kept: a hint holds only words that point into code of the process. */
#pragma once

#include <glib.h>

#define LEAF_HINTS_FEATURE 200

/* The feature is a sequence of these, by ascending offset of the sample record within the records section, each
 * followed by its words. All integers are little endian. */
typedef struct {
	guint64 record_offset;
	guint64 n_words;
} LeafHintHead;

typedef struct {
	guint64 offset; /* bytes above the stack pointer */
	guint64 value;
} LeafWord;

/* One hint as it is handed to readers; words are borrowed. */
typedef struct {
	const LeafWord *words;
	guint n_words;
} LeafHint;
