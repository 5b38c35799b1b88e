/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which code lay where: the memory maps and command names of the processes of one recording, as they change in
 * time.
 *
 * The caller applies records in order of time and asks, for a sample, what its addresses mean at that moment. Rules: a
 * fork copies the maps of the parent, a new thread shares them, and so does one of a process that was never seen; exec
 * empties them; a later map cuts or replaces what it overlaps; exit keeps everything for a while, because samples may
 * follow: what is known of a thread goes when 4096 others have ended after it. Kernel maps are those of process -1.
 * Guests are left aside. A process has at most 65530 maps; of more, only what they replace is taken note of.
 *
 * A module is one object file, told apart by path and build-id. Its rows are numbered in order of appearance. */
#pragma once

#include "profile/perfdata/perfdata.h"

typedef enum {
	MAP_MODULE_FILE,   /* an object file */
	MAP_MODULE_VDSO,   /* the page of code that the kernel gives to every process */
	MAP_MODULE_ANON,   /* memory without a file, [heap], [stack] */
	MAP_MODULE_JIT,    /* generated code written out by perf inject */
	MAP_MODULE_KERNEL, /* kernel or kernel module */
} MapModuleKind;

typedef struct {
	char *path; /* as recorded */
	guint8 build_id[PERF_DATA_BUILD_ID_BYTES];
	guint build_id_length; /* 0 = not known */
	MapModuleKind kind;
} MapModule;

typedef struct ProcessMaps ProcessMaps;

/* `build_ids` (of PerfDataBuildId) are those of the header of the recording, used for maps that carry none; borrowed as
 * long as the maps live, and must not change; may be NULL. */
ProcessMaps *process_maps_new(const GArray *build_ids);
void process_maps_free(ProcessMaps *maps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ProcessMaps, process_maps_free)

/* Takes note of a record; samples are ignored. */
void process_maps_apply(ProcessMaps *maps, const PerfDataRecord *record);

/* The module at an address of a process and the offset in its file; of the kernel image, which is not in a file, the
 * address itself. FALSE if nothing is mapped there. Cheap when asked for one process again and again. */
gboolean process_maps_find(const ProcessMaps *maps, gint32 pid, guint64 address, guint *module, guint64 *offset);
/* The command name of a thread, that of its process if it has none, or NULL; borrowed until the next record. */
const char *process_maps_command(const ProcessMaps *maps, gint32 pid, gint32 tid);
/* TRUE if a process, or one it was forked from before, is known to have executed a program. Until then a child that is
 * about to run the workload is still the one that launches it, and has its name; afterwards a name is one that the
 * workload chose. */
gboolean process_maps_has_executed(const ProcessMaps *maps, gint32 pid);
/* Maps that were left out because their process had too many. */
guint64 process_maps_n_left_out(const ProcessMaps *maps);

/* The number of modules seen so far. */
guint process_maps_n_modules(const ProcessMaps *maps);
/* A module by its index; borrowed. */
const MapModule *process_maps_module(const ProcessMaps *maps, guint module);
