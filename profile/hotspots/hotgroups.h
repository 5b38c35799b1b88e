/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of anything that stacks tell apart: functions, files, modules, commands; and, in a profile with notes
 * (model/stacknote.h), processes, threads, CPUs, addresses and source lines.
 *
 *     keys                rows                       self   inclusive
 *     function            main                       0      100
 *                         parse                      60     90
 *     thread, function    4711, parse                40     50
 *                         4712, parse                20     40
 *
 * Every frame of a stack belongs to one group, by its values of all keys. The self cost of a group is that of the
 * stacks whose last frame belongs to it, its inclusive cost that of the stacks that have such a frame anywhere. A
 * function here is a frame: a name in a module. Commands are frames, too; where they have no value of a key, as of its
 * module, they are in no group, unless a stack ends with them.
 *
 * A filter keeps the frames whose value of a key matches a pattern; all others belong to no group. The total stays that
 * of the profile. */
#pragma once

#include "model/stacknote.h"
#include "profile/hotspots/hotspots.h"

typedef enum {
	HOT_FUNCTION,
	HOT_FILE,
	HOT_MODULE,
	HOT_COMMAND,
	HOT_PROCESS,
	HOT_THREAD,
	HOT_CPU,
	HOT_ADDRESS,
	HOT_LINE,
	N_HOT_KEYS
} HotKey;

/* "function", ...; NULL at the end. */
extern const char *const hot_key_names[N_HOT_KEYS + 1];

/* A frame is kept if its value of the key has a match of the pattern in it. */
typedef struct {
	HotKey key;
	GRegex *pattern;
} HotFilter;

typedef struct {
	HotKey keys[N_HOT_KEYS]; /* each once */
	guint n_keys;            /* at least 1 */
	GArray *filters;         /* of HotFilter; all must match */
} HotGrouping;

/* A grouping by functions without filters; the caller clears it. */
void hot_grouping_init(HotGrouping *grouping);
void hot_grouping_clear(HotGrouping *grouping);
/* Takes keys from a text, "thread,function". The command is one of them beside processes and threads, as numbers alone
 * tell a reader little. Errors: FIREBREAK_ERROR_USAGE; the grouping is then as it was. */
gboolean hot_grouping_set_keys(HotGrouping *grouping, const char *text, GError **error);
/* Adds a filter from a text, "module=^libc". Errors: FIREBREAK_ERROR_USAGE. */
gboolean hot_grouping_add_filter(HotGrouping *grouping, const char *text, GError **error);
/* The notes that a profile must have for it, as bits. */
guint hot_grouping_notes(const HotGrouping *grouping);
/* TRUE if groups are functions and nothing else. */
gboolean hot_grouping_is_by_function(const HotGrouping *grouping);

typedef struct {
	guint32 values[N_HOT_KEYS]; /* by number of the key in the grouping; see hot_group_text() */
	ProfileCell self, inclusive;
} HotGroup;

typedef struct {
	const StackTable *table; /* of the profile, borrowed */
	HotGrouping grouping;    /* borrowed as well */
	GArray *groups;          /* of HotGroup: those that cost anything */
	ProfileCell total;       /* of the whole profile */
	ProfileCell kept;        /* of the stacks whose last frame belongs to a group */
} HotGroups;

/* `profile` has the notes of hot_grouping_notes() and no others. Both are borrowed. The groups are in the order of
 * hot_groups_sort() by self cost. */
HotGroups *hot_groups_new(const Profile *profile, const HotGrouping *grouping);
void hot_groups_free(HotGroups *groups);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HotGroups, hot_groups_free)

/* The largest first; ties by the other cost, then by the texts of the keys. */
void hot_groups_sort(HotGroups *groups, HotspotOrder order);
/* The value of key number `key` of the grouping; "" where the stacks do not tell it. Borrowed from the table. */
const char *hot_group_text(const HotGroups *groups, const HotGroup *group, guint key);
/* The frame of a group whose key number `key` is HOT_FUNCTION. */
FrameId hot_group_frame(const HotGroup *group, guint key);
