/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what an address of a process is, at a moment of a recording: the step from numbers to raw frames.
 *
 *     mapped from an object file   its offset in the file, to be named by the symbolizer later; the many files that
 *                                  perf inject makes of generated code are one module
 *     generated code               its name, from the jitdump or the perf map of the process
 *     kernel                       its name from /proc/kallsyms, or one bucket for all
 *     nothing                      the frame `nowhere`
 *
 * The records of a recording are applied in order of time; frame_finder_select() chooses the process and the moment
 * that the questions after it are about. Answers are remembered by address and state of the maps, so that most cost one
 * look into a small table.
 *
 * A process that was forked knows the generated code of its parent. What lies on this machine (perf maps in /tmp, the
 * directories of living processes, the names of the kernel, its vDSO, object files without a build-id) is used only for
 * a recording of this machine (profile/perfdata/recordingorigin.h); all but object files only if it is not older than
 * the last boot. */
#pragma once

#include "profile/fold/rawtrie.h"
#include "profile/objects/kernelsymbols.h"
#include "profile/perfdata/processmaps.h"
#include "profile/symbols/symbolizer.h"

/* The module of all generated code. */
#define FRAME_FINDER_JIT_MODULE "[jit]"

/* The data that all recordings of a fold share. */
typedef struct {
	StackTable *table;
	Symbolizer *symbolizer;
	GArray *module_names; /* of NameId, name of each module of the symbolizer */
	GArray *module_files; /* of NameId, the base name of its file as recorded */
	RawTrie trie;
	KernelSymbols *kernel;       /* NULL until kernel frames are asked for */
	gboolean is_kernel_nameless; /* a recording was to show kernel frames, but there are no names for it here */
	GArray *foreign_modules;     /* of gboolean by module of the symbolizer: in a recording that is not known to be
	                              * of this machine; may be shorter, or NULL */
	char *foreign_origin;        /* where the first such recording was made, as recording_origin_text() says it */
} FoldState;

/* The recording; all borrowed as long as the finder lives. */
typedef struct {
	const char *path;
	const PerfDataSummary *summary;
	const char *symfs;         /* look for object files below this directory, too; or NULL */
	gboolean kernel_in_detail; /* else all kernel code is one frame */
	/* what has no name is called after its file, [libz.so.1.2.13], also in the kernel; with its address, if asked
	 */
	gboolean names_files, addresses;
} FrameFinderSource;

typedef struct FrameFinder FrameFinder;

/* `state` is borrowed. */
FrameFinder *frame_finder_new(FoldState *state, const FrameFinderSource *source);
void frame_finder_free(FrameFinder *finder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FrameFinder, frame_finder_free)

/* Takes note of a record; samples are ignored. */
void frame_finder_apply(FrameFinder *finder, const PerfDataRecord *record);
/* The memory maps of all processes so far; borrowed. */
const ProcessMaps *frame_finder_maps(const FrameFinder *finder);

/* The process whose code is looked up from now on, as it was at that time. */
void frame_finder_select(FrameFinder *finder, gint32 pid, guint64 time_ns);
/* The frame of a user address. */
RawFrame frame_finder_user(FrameFinder *finder, guint64 address);
/* The frame of a kernel address; *is_named is FALSE if it is only the bucket `[kernel]`. */
RawFrame frame_finder_kernel(FrameFinder *finder, guint64 address, gboolean *is_named);

/* The frames that stand for all code of a kind that cannot be seen into: `[guest]`, `[guest_kernel]`, `[hypervisor]`.
 */
typedef enum { OUTSIDE_GUEST, OUTSIDE_GUEST_KERNEL, OUTSIDE_HYPERVISOR, N_OUTSIDE } OutsideKind;
/* The frame that stands for what is outside, of that kind. */
RawFrame frame_finder_outside(const FrameFinder *finder, OutsideKind kind);

/* TRUE if it is the frame of an address where nothing is mapped, or of one where nothing is known. */
gboolean frame_finder_is_nowhere(const FrameFinder *finder, RawFrame frame);
/* TRUE if nothing names the code of the frame. */
gboolean frame_finder_is_unknown(const FrameFinder *finder, RawFrame frame);
