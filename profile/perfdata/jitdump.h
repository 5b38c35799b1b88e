/* SPDX-License-Identifier: Apache-2.0 */
/* jitdump: the file in which a just-in-time compiler writes down its code for perf, `jit-PID.dump`. It is found by the
 * compiler's mapping of it, which is the only trace of it in a recording.
 *
 *     header   "JiTD" in the writer's order of bytes, version, machine, pid, time, flags
 *     records  code loaded | code moved | debug information of the next load | close | unwinding information
 *
 * Every record has a time, and code memory is used again: so the reader goes through the dump as time goes on in the
 * recording. Clocks may differ (perf's own is not that of the dump unless it was asked to, `perf record -k mono`);
 * where nothing is known at an address at a time, what was there at the end of the dump counts.
 *
 * The file is foreign: all sizes are checked, and what comes after a damaged record or a million pieces of code is left
 * aside. Times are in nanoseconds of the clock of the dump. Source: tools/perf/Documentation/jitdump-specification.txt
 * of Linux. */
#pragma once

#include <glib.h>

typedef struct JitDump JitDump;

typedef struct {
	const char *name;
	const char *file; /* of its first instruction, NULL = not known */
	guint32 line;     /* 0 = not known */
} JitSymbol;

/* TRUE if a mapping of this path says where a dump is. */
gboolean jit_dump_is_path(const char *path);
/* Reads the file at `path` of a process, as owned_file_read() does; NULL if it is not there or no dump. A dump of more
 * than 256 MiB ends there. */
JitDump *jit_dump_read(const char *path, gint32 pid);
/* Reads the content of such a file; NULL if it is no dump. Nothing of `bytes` is kept. */
JitDump *jit_dump_parse(const guint8 *bytes, gsize length);
void jit_dump_free(JitDump *dump);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(JitDump, jit_dump_free)

/* Goes on to a time; back is not possible and does nothing. Returns a number that is another one if any code has come
 * or gone since the last call. */
guint jit_dump_advance(JitDump *dump, guint64 time_ns);
/* Finds the code that was at an address at that time; FALSE if nothing is known. Strings are borrowed. */
gboolean jit_dump_find(const JitDump *dump, guint64 address, JitSymbol *symbol);
