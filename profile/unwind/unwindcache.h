/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of call frame information (profile/objects/unwindrows.h) by module and offset, read when first asked for and
 * then remembered, so that a second walk through the same code costs two binary searches per frame. Internal to
 * profile/unwind/unwind.c.
 *
 * Modules are told apart by path and build-id, so that one cache serves any number of ProcessMaps. A module that could
 * not be read once is not tried again. What is remembered is limited: beyond that, all is forgotten. So is the time
 * that reading takes: files can be made to be slow, and whoever records must go on. When it is used up, nothing is read
 * any more, and code that is not known by then counts as code without call frame information. */
#pragma once

#include "profile/perfdata/processmaps.h"
#include "profile/symbols/symbolchild.h"

/* Appends rows like symbol_child_unwind_rows(), which is the usual one. */
typedef gboolean (*UnwindReader)(
        gpointer data, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error);

/* A row with what a walk wants to know about it. */
typedef struct {
	UnwindRow row;
	guint64 undefined; /* bit i: the rule of register i is UNWIND_UNDEFINED */
	guint64 computed;  /* bit i: it is neither that nor UNWIND_SAME */
	gboolean is_inner; /* code that keeps frame pointers was seen further up (profile/unwind/unwind.c) */
} CachedRow;

typedef struct UnwindCache UnwindCache;

/* `data` is borrowed as long as the cache lives. */
UnwindCache *unwind_cache_new(UnwindReader read, gpointer data);
void unwind_cache_free(UnwindCache *cache);
/* See unwinder_set_symfs(). */
void unwind_cache_set_symfs(UnwindCache *cache, const char *symfs);

/* Time for reading, in all; 30 seconds if this is not called. */
void unwind_cache_set_budget(UnwindCache *cache, gint64 budget_us);
/* Tells why something could not be read, the first time that this happened; borrowed. NULL if it never did. Memory that
 * is no file, or had none any more when it was mapped, has no call frame information, and that is no problem. */
const GError *unwind_cache_problem(const UnwindCache *cache);

/* The row at an address of a process, borrowed until the next unwind_cache_trim(). NULL where nothing is mapped or
 * nothing is known. */
CachedRow *unwind_cache_find(UnwindCache *cache, const ProcessMaps *maps, gint32 pid, guint64 address);
/* Forgets everything if there is too much of it. */
void unwind_cache_trim(UnwindCache *cache);
