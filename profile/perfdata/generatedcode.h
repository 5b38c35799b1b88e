/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the code that processes of one recording generated: their jitdumps and perf maps, found and read when an
 * address asks for them.
 *
 * The maps that the recording itself carries count, since they were read when the process lived. Only if it carries
 * none and is of this machine, those in the folder for temporary files do that are not younger than the recording: the
 * number of a process is soon another's. Where a process has both a jitdump and a perf
 * map, the dump counts, because it knows times. */
#pragma once

#include "profile/perfdata/jitdump.h"
#include "profile/perfdata/recordingorigin.h"

typedef struct GeneratedCode GeneratedCode;

/* `summary` is borrowed as long as the object lives. */
GeneratedCode *generated_code_new(const PerfDataSummary *summary, const RecordingOrigin *origin);
void generated_code_free(GeneratedCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GeneratedCode, generated_code_free)

/* Takes note of forks, execs and mappings of jitdumps; in order of time. */
void generated_code_apply(GeneratedCode *code, const PerfDataRecord *record);
/* Goes on to a time; returns a number that changes whenever code of the process came or went by then. */
guint64 generated_code_advance(GeneratedCode *code, gint32 pid, guint64 time_ns);
/* Finds the generated code at an address of a process; FALSE if nothing is known. Strings are borrowed as long as
 * `code` lives. */
gboolean generated_code_find(GeneratedCode *code, gint32 pid, guint64 address, JitSymbol *symbol);
