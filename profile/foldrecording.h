/* One recording into raw stacks. Internal to perf_fold_*() in foldperf.c. */
#pragma once

#include "profile/foldperf.h"
#include "profile/perfdata.h"
#include "profile/rawtrie.h"
#include "profile/symbols/kernelsymbols.h"
#include "profile/symbols/leafcaller.h"
#include "profile/symbols/symbolizer.h"

/* What all recordings of a PerfFold share. */
typedef struct {
	StackTable *table;
	Symbolizer *symbolizer;
	GArray *module_names; /* of NameId, base name of each module of the symbolizer */
	RawTrie trie;
	KernelSymbols *kernel; /* NULL until kernel frames are asked for */
	LeafCallers *leaf_callers;
} FoldState;

/* What one recording gave. */
typedef struct {
	GArray *cells; /* of ProfileCell, by row of the trie */
	char *event, *unit;
	guint32 event_type;
	guint64 event_config;
	RunQuality quality;
} RawRecording;

/* Errors as of perf_fold_add(). `out` is set on success and owned by the caller. */
gboolean raw_recording_read(
        RawRecording *out, FoldState *state, const char *path, const PerfFoldOptions *options, GError **error);
void raw_recording_clear(RawRecording *recording);
