/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/hotgroups.h"

#include "core/error.h"
#include "model/pairindex.h"
#include "profile/hotspots/labelsums.h"

#include <string.h>

const char *const hot_key_names[N_HOT_KEYS + 1] = {
        [HOT_FUNCTION] = "function",
        [HOT_FILE] = "file",
        [HOT_MODULE] = "module",
        [HOT_COMMAND] = "command",
        [HOT_PROCESS] = "process",
        [HOT_THREAD] = "thread",
        [HOT_CPU] = "cpu",
        [HOT_ADDRESS] = "address",
        [HOT_LINE] = "line",
        NULL,
};

/* The keys that notes tell. */
static const HotKey note_keys[N_STACK_NOTES] = {
        [NOTE_PROCESS] = HOT_PROCESS,
        [NOTE_THREAD] = HOT_THREAD,
        [NOTE_CPU] = HOT_CPU,
        [NOTE_ADDRESS] = HOT_ADDRESS,
        [NOTE_LINE] = HOT_LINE,
};

/* Of a command only these are known. */
#define KEYS_OF_COMMAND (1u << HOT_FUNCTION | 1u << HOT_COMMAND | 1u << HOT_PROCESS | 1u << HOT_THREAD | 1u << HOT_CPU)

/* --- groupings --- */

static void filter_clear(gpointer filter)
{
	g_regex_unref(((HotFilter *)filter)->pattern);
}

void hot_grouping_init(HotGrouping *grouping)
{
	*grouping = (HotGrouping){.keys = {HOT_FUNCTION}, .n_keys = 1};
	grouping->filters = g_array_new(FALSE, FALSE, sizeof(HotFilter));
	g_array_set_clear_func(grouping->filters, filter_clear);
}

void hot_grouping_clear(HotGrouping *grouping)
{
	g_clear_pointer(&grouping->filters, g_array_unref);
}

/* The key of a name; N_HOT_KEYS with an error set if it is none. */
static HotKey key_of(const char *name, GError **error)
{
	for (HotKey key = 0; key < N_HOT_KEYS; key++)
		if (strcmp(hot_key_names[key], name) == 0)
			return key;
	g_autofree char *names = g_strjoinv(", ", (char **)hot_key_names);
	firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "\"%s\" is none of %s", name, names);
	return N_HOT_KEYS;
}

static gboolean has_key(const HotGrouping *grouping, HotKey key)
{
	for (guint i = 0; i < grouping->n_keys; i++)
		if (grouping->keys[i] == key)
			return TRUE;
	return FALSE;
}

gboolean hot_grouping_set_keys(HotGrouping *grouping, const char *text, GError **error)
{
	g_auto(GStrv) names = g_strsplit(text, ",", -1);
	HotGrouping keys = {.filters = grouping->filters};
	for (char **name = names; *name != NULL; name++) {
		HotKey key = key_of(g_strstrip(*name), error);
		if (key == N_HOT_KEYS)
			return FALSE;
		if (!has_key(&keys, key))
			keys.keys[keys.n_keys++] = key;
	}
	if (keys.n_keys == 0)
		return key_of("", error) != N_HOT_KEYS;
	if ((has_key(&keys, HOT_PROCESS) || has_key(&keys, HOT_THREAD)) && !has_key(&keys, HOT_COMMAND))
		keys.keys[keys.n_keys++] = HOT_COMMAND;
	*grouping = keys;
	return TRUE;
}

gboolean hot_grouping_add_filter(HotGrouping *grouping, const char *text, GError **error)
{
	g_autoptr(GError) wrong = NULL;
	const char *equals = strchr(text, '=');
	if (equals == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "\"%s\" is not of the form KEY=REGEXP", text);
	g_autofree char *name = g_strndup(text, (gsize)(equals - text));
	HotFilter filter = {.key = key_of(name, error)};
	if (filter.key == N_HOT_KEYS)
		return FALSE;
	filter.pattern = g_regex_new(equals + 1, G_REGEX_OPTIMIZE, 0, &wrong);
	if (filter.pattern == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s", wrong->message);
	g_array_append_val(grouping->filters, filter);
	return TRUE;
}

guint hot_grouping_notes(const HotGrouping *grouping)
{
	guint keys = 0, notes = 0;
	for (guint i = 0; i < grouping->n_keys; i++)
		keys |= 1u << grouping->keys[i];
	for (guint i = 0; i < grouping->filters->len; i++)
		keys |= 1u << g_array_index(grouping->filters, HotFilter, i).key;
	for (guint note = 0; note < N_STACK_NOTES; note++)
		if ((keys & 1u << note_keys[note]) != 0)
			notes |= 1u << note;
	return notes;
}

gboolean hot_grouping_is_by_function(const HotGrouping *grouping)
{
	return grouping->n_keys == 1 && grouping->keys[0] == HOT_FUNCTION;
}

/* --- groups --- */

/* The values of all keys at a row of the stack table: a frame, else names. */
typedef struct {
	guint32 values[N_HOT_KEYS];
	guint n_notes; /* of its last frame so far */
	gboolean is_command;
} Place;

typedef struct {
	const Profile *profile;
	const HotGrouping *grouping;
	NameId kernel;           /* the module of the kernel as one frame, which has none */
	gboolean is_of_commands; /* commands have all keys */
	guint notes[2];          /* how many a function and a command has */
	GArray **matches;        /* by filter, by value: 0 = not asked yet, else 1 + whether it matches */
	PairIndex *index;        /* by number of the key: groups of the keys before it, and its value */
	GArray *groups;
} Grouper;

static const char *value_text(const StackTable *table, HotKey key, guint32 value)
{
	return key == HOT_FUNCTION ? stack_table_frame_name(table, (FrameId){value})
	                           : stack_table_text(table, (NameId){value});
}

/* The place of a row, from that of its parent. */
static Place place_of(const Grouper *grouper, const Place *parent, FrameId leaf)
{
	StackNote note;
	const StackTable *table = grouper->profile->table;
	Place place = *parent;
	const Frame *frame = stack_table_get_frame(table, leaf);
	if (stack_note_is(table, leaf, &note)) {
		place.values[note_keys[note]] = frame->name.index;
		place.n_notes++;
		return place;
	}
	place.is_command = frame->kind == FRAME_COMMAND;
	place.n_notes = 0;
	place.values[HOT_FUNCTION] = leaf.index;
	place.values[HOT_FILE] = frame->file.index;
	gboolean is_whole_kernel = frame->kind == FRAME_KERNEL && frame->module.index == 0;
	place.values[HOT_MODULE] = is_whole_kernel ? grouper->kernel.index : frame->module.index;
	if (place.is_command)
		place.values[HOT_COMMAND] = frame->name.index;
	return place;
}

static gboolean filter_matches(const Grouper *grouper, guint row, guint32 value)
{
	const HotFilter *filter = &g_array_index(grouper->grouping->filters, HotFilter, row);
	GArray *matches = grouper->matches[row];
	if (value >= matches->len)
		g_array_set_size(matches, value + 1);
	guint8 *known = &g_array_index(matches, guint8, value);
	if (*known == 0) {
		const char *text = value_text(grouper->profile->table, filter->key, value);
		g_autofree char *valid = g_utf8_make_valid(text, -1);
		*known = 1 + (g_regex_match(filter->pattern, valid, 0, NULL) ? 1 : 0);
	}
	return *known == 2;
}

static gboolean is_kept(const Grouper *grouper, const Place *place)
{
	for (guint i = 0; i < grouper->grouping->filters->len; i++) {
		HotKey key = g_array_index(grouper->grouping->filters, HotFilter, i).key;
		if (!filter_matches(grouper, i, place->values[key]))
			return FALSE;
	}
	return TRUE;
}

/* The group of a place, found or added. */
static guint32 group_of(Grouper *grouper, const Place *place)
{
	gboolean is_new = FALSE;
	guint32 row = 0;
	HotGroup group = {0};
	for (guint i = 0; i < grouper->grouping->n_keys; i++) {
		group.values[i] = place->values[grouper->grouping->keys[i]];
		row = pair_index_find_or_add(&grouper->index[i], group.values[i], row, &is_new);
	}
	if (is_new)
		g_array_append_val(grouper->groups, group);
	return row;
}

/* The group of a row; NO_STACK_LABEL if its notes are still to come, or it is in none. */
static guint32 label_of(Grouper *grouper, const Place *place, StackId stack)
{
	if (place->n_notes < grouper->notes[place->is_command] || !is_kept(grouper, place))
		return NO_STACK_LABEL;
	if (place->is_command && grouper->is_of_commands == 0 &&
	        profile_stack_total(grouper->profile, stack).weight == 0)
		return NO_STACK_LABEL;
	return group_of(grouper, place);
}

/* The group of each row; owned by the caller. Parents come before their children, so one pass does. */
static guint32 *label_rows(Grouper *grouper)
{
	const StackTable *table = grouper->profile->table;
	guint n = stack_table_n_stacks(table);
	g_autofree Place *places = g_new0(Place, n);
	guint32 *labels = g_new0(guint32, n);
	labels[STACK_ROOT.index] = NO_STACK_LABEL;
	for (guint i = 1; i < n; i++) {
		const Place *parent = &places[stack_table_parent(table, (StackId){i}).index];
		places[i] = place_of(grouper, parent, stack_table_leaf(table, (StackId){i}));
		labels[i] = label_of(grouper, &places[i], (StackId){i});
	}
	return labels;
}

static void grouper_init(Grouper *grouper, const Profile *profile, const HotGrouping *grouping)
{
	guint notes = hot_grouping_notes(grouping), keys = 0;
	*grouper = (Grouper){.profile = profile, .grouping = grouping};
	grouper->kernel = stack_table_name(profile->table, "[kernel]", -1);
	for (guint i = 0; i < grouping->n_keys; i++)
		keys |= 1u << grouping->keys[i];
	grouper->is_of_commands = (keys & ~KEYS_OF_COMMAND) == 0;
	grouper->notes[FALSE] = (guint)__builtin_popcount(notes & NOTES_OF_FUNCTION);
	grouper->notes[TRUE] = (guint)__builtin_popcount(notes & NOTES_OF_COMMAND);
	grouper->matches = g_new0(GArray *, MAX(1, grouping->filters->len));
	for (guint i = 0; i < grouping->filters->len; i++)
		grouper->matches[i] = g_array_new(FALSE, TRUE, 1);
	grouper->index = g_new0(PairIndex, grouping->n_keys);
	grouper->groups = g_array_new(FALSE, TRUE, sizeof(HotGroup));
}

static void grouper_clear(Grouper *grouper)
{
	for (guint i = 0; i < grouper->grouping->filters->len; i++)
		g_array_unref(grouper->matches[i]);
	for (guint i = 0; i < grouper->grouping->n_keys; i++)
		pair_index_clear(&grouper->index[i]);
	g_free(grouper->matches);
	g_free(grouper->index);
	g_array_unref(grouper->groups);
}

/* Keeps the groups that cost anything. */
static void take_groups(HotGroups *result, Grouper *grouper, const LabelSums *sums)
{
	for (guint i = 0; i < grouper->groups->len; i++) {
		HotGroup *group = &g_array_index(grouper->groups, HotGroup, i);
		group->self = sums->self[i];
		group->inclusive = sums->inclusive[i];
		label_sums_add(&result->kept, group->self);
		if (group->inclusive.weight > 0)
			g_array_append_vals(result->groups, group, 1);
	}
}

HotGroups *hot_groups_new(const Profile *profile, const HotGrouping *grouping)
{
	Grouper grouper;
	HotGroups *result = g_new0(HotGroups, 1);
	result->table = profile->table;
	result->grouping = *grouping;
	result->groups = g_array_new(FALSE, FALSE, sizeof(HotGroup));
	grouper_init(&grouper, profile, grouping);
	g_autofree guint32 *labels = label_rows(&grouper);
	guint n = MAX(1, grouper.groups->len);
	g_autofree ProfileCell *self = g_new0(ProfileCell, n), *inclusive = g_new0(ProfileCell, n);
	const LabelSums sums = {labels, grouper.groups->len, self, inclusive};
	result->total = label_sums_fill(&sums, profile);
	take_groups(result, &grouper, &sums);
	grouper_clear(&grouper);
	hot_groups_sort(result, HOTSPOTS_BY_SELF);
	return result;
}

void hot_groups_free(HotGroups *groups)
{
	if (groups == NULL)
		return;
	g_array_unref(groups->groups);
	g_free(groups);
}

const char *hot_group_text(const HotGroups *groups, const HotGroup *group, guint key)
{
	return value_text(groups->table, groups->grouping.keys[key], group->values[key]);
}

FrameId hot_group_frame(const HotGroup *group, guint key)
{
	return (FrameId){group->values[key]};
}

/* --- sorting --- */

typedef struct {
	const HotGroups *groups;
	HotspotOrder order;
} Sorting;

static int larger_first(guint64 a, guint64 b)
{
	return a == b ? 0 : a > b ? -1 : 1;
}

static int compare_values(const HotGroups *groups, const HotGroup *a, const HotGroup *b)
{
	int order = 0;
	for (guint i = 0; i < groups->grouping.n_keys && order == 0; i++)
		order = groups->grouping.keys[i] == HOT_FUNCTION
		                ? stack_table_frame_order(groups->table, hot_group_frame(a, i), hot_group_frame(b, i))
		                : strcmp(hot_group_text(groups, a, i), hot_group_text(groups, b, i));
	return order;
}

static gint compare_groups(gconstpointer left, gconstpointer right, gpointer data)
{
	const Sorting *sorting = data;
	const HotGroup *a = left, *b = right;
	int by_self = larger_first(a->self.weight, b->self.weight);
	int by_inclusive = larger_first(a->inclusive.weight, b->inclusive.weight);
	int first = sorting->order == HOTSPOTS_BY_SELF ? by_self : by_inclusive;
	int second = sorting->order == HOTSPOTS_BY_SELF ? by_inclusive : by_self;
	if (first != 0 || second != 0)
		return first != 0 ? first : second;
	return compare_values(sorting->groups, a, b);
}

void hot_groups_sort(HotGroups *groups, HotspotOrder order)
{
	Sorting sorting = {groups, order};
	g_array_sort_with_data(groups->groups, compare_groups, &sorting);
}
