/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the text that `perf script` prints, whatever the version of perf and of most choices of fields:
 *
 *     # cmdline : /usr/bin/perf record -g ./prog          header lines, with --header
 *     prog 4711/4712 [003] 1234.567890:   250000 cycles:u:
 *             55d0c0de1234 parse+0x14 (/srv/prog)         innermost first
 *             55d0c0de1100 main+0x40 (/srv/prog)
 *                                                         an empty line ends the sample, or the end of the file
 *     prog 4711 1234.567890: 250000 cpu-clock: 55d0c0de1234 parse+0x14 (/srv/prog)      without call chains
 *
 * Event lines. The command name may have blanks and numbers in it: the process is the last number, or pair of numbers,
 * before the time. The event is named in full, with its modifiers. Text of a tracepoint after it is skipped.
 *
 * Weights. A sample counts 1, and weighs what its period is; 1 if there is none or it is 0.
 *
 * Frames. The root is the command name, blanks become `_`. Offsets are cut, argument lists are cut, `;` becomes `:`,
 * half-demangled Rust names are mended (model/toolnames.h); mangled names stay. What has no name is `[file]`, or
 * `[unknown]` if the file is not known either. `a->b->c`, as Java's maps have it, is a with b and c inlined, which get
 * the suffix `_[i]`; `operator->` is no such thing. For a command that starts with `java`, the L in front of a class
 * goes. Frames whose name starts with `(` are notes of old versions of perf and are skipped, but not `(anonymous
 * namespace)`. The module of a frame is the base name of its file; frames that perf shows as `(inlined)` are in that of
 * their caller, and generated code is in none. A sample without frames is kept as its command.
 *
 * The text is foreign. It is read in one pass without an allocation per line; lines that are neither events nor frames
 * are counted. */
#pragma once

#include "model/profile.h"
#include "profile/perfscript/perfscriptchoice.h"

void perf_script_summary_clear(PerfScriptSummary *summary);

/* TRUE if the text begins like the output of `perf script`. */
gboolean perf_script_detect(const char *text, gsize length);

/* Adds the samples of `length` bytes of text to run `run` of `profile`. `name` is what messages call the text.
 * `options` and `summary` may be NULL. Errors: FIREBREAK_ERROR_USAGE if there is no sample, if the choice of the event
 * is not clear, or if there are no process ids to filter by; the profile is then untouched. */
gboolean perf_script_read(const char *text, gsize length, const char *name, const PerfScriptOptions *options,
        Profile *profile, guint run, PerfScriptSummary *summary, GError **error);
