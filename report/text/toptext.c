/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/toptext.h"

#include "core/escape.h"
#include "model/numbers/number.h"
#include "report/text/profiletotal.h"
#include "report/words/texttable.h"
#include "report/words/wording.h"
#include "report/words/wordwrap.h"

#include <math.h>
#include <string.h>

#define NEIGHBOURS_SHOWN 20
#define UNKNOWN_WORTH_A_HINT .05
#define NAME_CHARS_WIDE 4000
#define NAME_CHARS_UNCUT 100
#define NAME_CHARS_MIN 8
#define PLACE_CHARS 24
#define TEXT_CHARS 2000
#define COLUMNS_BEFORE_NAME 24 /* indent, two shares and the gaps between them */
#define COLUMNS_OF_PLACE (PLACE_CHARS + 2)
#define ROOMY_NAME_COLUMNS 24

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define YELLOW "\033[33m"
#define BOLD_RED "\033[1;31m"
#define RESET "\033[0m"
#define HOT_SHARE .10
#define WARM_SHARE .02

typedef struct {
	const TopReport *top;
	const TopTextOptions *options;
	GString *out;
	gsize name_chars;
} Screen;

static const char *styled(const Screen *screen, const char *style)
{
	return screen->options->colour ? style : NULL;
}

static void append_styled(const Screen *screen, const char *style, const char *text)
{
	if (screen->options->colour)
		g_string_append_printf(screen->out, "%s%s" RESET, style, text);
	else
		g_string_append(screen->out, text);
}

#define SHARE_DECIMALS 2

/* Shares stand below each other, so all have two decimals. */
static char *share_text(double share)
{
	return number_share_as(share, SHARE_DECIMALS);
}

static char *error_text(double half_width)
{
	g_autofree char *size = number_decimal(half_width * 100, SHARE_DECIMALS);
	return g_strconcat("± ", size, NULL);
}

static void add_share(const Screen *screen, TextTable *table, guint64 part, guint64 whole)
{
	double share = hotspots_share(part, whole);
	const char *style = share >= HOT_SHARE ? BOLD_RED : share >= WARM_SHARE ? YELLOW : NULL;
	text_table_take(table, share_text(share), style == NULL ? NULL : styled(screen, style));
}

static void add_heads(const Screen *screen, TextTable *table, const char *const *heads)
{
	for (guint i = 0; heads[i] != NULL; i++)
		text_table_cell(table, heads[i], styled(screen, DIM));
}

/* The number of characters of a name that fit beside the shares, and the module where there is room for both. */
static gsize name_chars(const TopTextOptions *options)
{
	guint width = options->width;
	if (options->wide)
		return NAME_CHARS_WIDE;
	if (width == 0)
		return NAME_CHARS_UNCUT;
	gsize room = width > COLUMNS_BEFORE_NAME ? width - COLUMNS_BEFORE_NAME : 0;
	if (room >= ROOMY_NAME_COLUMNS + COLUMNS_OF_PLACE)
		return room - COLUMNS_OF_PLACE;
	return MAX(room, NAME_CHARS_MIN);
}

/* Tells where a function is, and if it is no plain one, what it is. */
static char *place(const StackTable *table, FrameId id)
{
	static const char *const remarks[] = {
	        [FRAME_USER] = "",
	        [FRAME_INLINED] = "inlined",
	        [FRAME_KERNEL] = "kernel",
	        [FRAME_JIT] = "generated",
	        [FRAME_COMMAND] = "command",
	        [FRAME_SYNTHETIC] = "",
	};
	const char *remark = remarks[stack_table_get_frame(table, id)->kind];
	const char *module = stack_table_frame_module(table, id);
	const char *comma = *remark != '\0' && *module != '\0' ? ", " : "";
	g_autofree char *text = g_strconcat(module, comma, remark, NULL);
	return wording_clean(text, PLACE_CHARS);
}

static char *frame_name(const Screen *screen, const StackTable *table, FrameId id)
{
	const char *name = stack_table_frame_name(table, id);
	g_autofree char *shortened = hotspots_short_name(name, screen->name_chars);
	return escape_to_string(escape_terminal, shortened);
}

static gboolean has_no_error(const Screen *screen)
{
	return screen->top->counted || screen->top->uneven;
}

/* The columns of a table are those of the costs, of the keys, and of what the costs stand for. */
typedef struct {
	GPtrArray *heads; /* of text that is static */
	GString *sides;   /* one letter for each, as of text_table_new() */
} Columns;

static void add_column(Columns *columns, const char *head, char side)
{
	g_ptr_array_add(columns->heads, (gpointer)head);
	g_string_append_c(columns->sides, side);
}

static gboolean has_key(const HotGrouping *grouping, HotKey key)
{
	for (guint i = 0; i < grouping->n_keys; i++)
		if (grouping->keys[i] == key)
			return TRUE;
	return FALSE;
}

/* A function stands beside its module, unless that is a column of its own. */
static gboolean has_place(const Screen *screen, guint key)
{
	const HotGrouping *grouping = &screen->top->groups->grouping;
	return grouping->keys[key] == HOT_FUNCTION && !has_key(grouping, HOT_MODULE);
}

static void choose_columns(const Screen *screen, Columns *columns)
{
	const HotGrouping *grouping = &screen->top->groups->grouping;
	gboolean is_compared = screen->top->base != NULL;
	add_column(columns, is_compared ? "base" : "self", 'r');
	if (is_compared)
		add_column(columns, "head", 'r');
	if (is_compared || !screen->top->self_only)
		add_column(columns, is_compared ? "change" : "inclusive", 'r');
	for (guint i = 0; i < grouping->n_keys; i++) {
		add_column(columns, hot_key_names[grouping->keys[i]], 'l');
		if (has_place(screen, i))
			add_column(columns, "module", 'l');
	}
	if (is_compared)
		add_column(columns, "of base", 'r');
	add_column(columns, is_compared ? "of head" : screen->top->counted ? "count" : "samples", 'r');
	if (!is_compared)
		add_column(columns, has_no_error(screen) ? "" : "pp", 'r');
	g_ptr_array_add(columns->heads, NULL);
}

/* A value that is no function; only a single key has the room of a function's name. */
static char *value_text(const Screen *screen, const HotGroups *groups, const HotGroup *group, guint key)
{
	gsize room = screen->options->width == 0 || groups->grouping.n_keys == 1 ? screen->name_chars : PLACE_CHARS;
	const char *text = hot_group_text(groups, group, key);
	g_autofree char *shortened = hotspots_short_name(*text != '\0' ? text : "[unknown]", room);
	return escape_to_string(escape_terminal, shortened);
}

/* `groups` are those of the side that the group is of. */
static void add_keys(const Screen *screen, TextTable *table, const HotGroups *groups, const HotGroup *group)
{
	for (guint i = 0; i < groups->grouping.n_keys; i++) {
		FrameId frame = hot_group_frame(group, i);
		gboolean is_function = groups->grouping.keys[i] == HOT_FUNCTION;
		text_table_take(table,
		        is_function ? frame_name(screen, groups->table, frame) : value_text(screen, groups, group, i),
		        NULL);
		if (has_place(screen, i))
			text_table_take(table, place(groups->table, frame), styled(screen, DIM));
	}
}

static void add_group(const Screen *screen, TextTable *table, const HotGroup *group)
{
	ProfileCell total = screen->top->groups->total;
	double share = hotspots_share(group->self.weight, total.weight);
	double half_width = hotspots_half_width(share, total.samples);
	double scale = (double)screen->top->profile->scale;
	add_share(screen, table, group->self.weight, total.weight);
	if (!screen->top->self_only)
		text_table_take(table, share_text(hotspots_share(group->inclusive.weight, total.weight)), NULL);
	add_keys(screen, table, screen->top->groups, group);
	text_table_take(table, number_parts((double)group->self.samples / scale, screen->top->profile->scale), NULL);
	text_table_take(table, has_no_error(screen) ? g_strdup("") : error_text(half_width), styled(screen, DIM));
}

/* The line below the table: what was left out. */
static void write_rest(const Screen *screen, guint n_shown)
{
	const HotGroups *groups = screen->top->groups;
	guint n_more = 0;
	const char *noun = hot_grouping_is_by_function(&groups->grouping) ? "function" : "row";
	guint64 self = 0;
	for (guint i = n_shown; i < groups->groups->len; i++) {
		const HotGroup *group = &g_array_index(groups->groups, HotGroup, i);
		n_more += group->self.weight > 0 || !screen->top->self_only;
		self += group->self.weight;
	}
	if (n_more == 0)
		return;
	g_autofree char *share = share_text(hotspots_share(self, groups->total.weight));
	g_autofree char *line = g_strdup_printf(
	        "and %u more %s%s with %s (-n 0 shows all)", n_more, noun, n_more == 1 ? "" : "s", share);
	g_string_append(screen->out, "  ");
	wrap_words(screen->out, &(WordWrap){screen->options->width, 2, 2}, line);
}

static char *change_text(double change)
{
	g_autofree char *size = number_decimal(fabs(change) * 100, SHARE_DECIMALS);
	return g_strdup_printf("%s%s pp", change < 0 ? "-" : "+", size);
}

static void add_pair(const Screen *screen, TextTable *table, const HotPair *pair)
{
	const TopReport *top = screen->top;
	const HotGroups *side = pair->head != NULL ? top->groups : top->base;
	double scale = (double)top->profile->scale;
	text_table_take(table, share_text(pair->base_share), NULL);
	text_table_take(table, share_text(pair->head_share), NULL);
	text_table_take(table, change_text(pair->head_share - pair->base_share), NULL);
	add_keys(screen, table, side, pair->head != NULL ? pair->head : pair->base);
	text_table_take(table, number_parts((double)pair->base_samples / scale, top->profile->scale), NULL);
	text_table_take(table, number_parts((double)pair->head_samples / scale, top->profile->scale), NULL);
}

static void write_pairs(const Screen *screen)
{
	g_autoptr(GPtrArray) heads = g_ptr_array_new();
	g_autoptr(GString) sides = g_string_new(NULL);
	Columns columns = {heads, sides};
	guint n = top_n_pairs_shown(screen->top);
	choose_columns(screen, &columns);
	g_autoptr(TextTable) table = text_table_new(sides->str);
	add_heads(screen, table, (const char *const *)heads->pdata);
	for (guint i = 0; i < n; i++)
		add_pair(screen, table, &g_array_index(screen->top->pairs, HotPair, i));
	text_table_append(screen->out, table, "  ", screen->options->width);
	if (n < screen->top->pairs->len)
		g_string_append_printf(
		        screen->out, "  and %u more rows (-n 0 shows all)\n", screen->top->pairs->len - n);
}

static void write_groups(const Screen *screen)
{
	g_autoptr(GPtrArray) heads = g_ptr_array_new();
	g_autoptr(GString) sides = g_string_new(NULL);
	Columns columns = {heads, sides};
	guint n = top_n_shown(screen->top);
	choose_columns(screen, &columns);
	g_autoptr(TextTable) table = text_table_new(sides->str);
	add_heads(screen, table, (const char *const *)heads->pdata);
	for (guint i = 0; i < n; i++)
		add_group(screen, table, &g_array_index(screen->top->groups->groups, HotGroup, i));
	text_table_append(screen->out, table, "  ", screen->options->width);
	write_rest(screen, n);
}

static void add_neighbour(const Screen *screen, TextTable *table, guint64 cost, const char *name, char *where)
{
	add_share(screen, table, cost, screen->top->calls->inclusive.weight);
	text_table_take(table, share_text(hotspots_share(cost, screen->top->hotspots->total.weight)), NULL);
	text_table_cell(table, name, NULL);
	text_table_take(table, where, styled(screen, DIM));
}

/* `own` is the cost that belongs to no neighbour, named `own_name`. */
static void write_neighbours(const Screen *screen, const GArray *neighbours, guint64 own, const char *own_name)
{
	static const char *const heads[] = {"of it", "of all", "", "", NULL};
	g_autoptr(TextTable) table = text_table_new("rrll");
	add_heads(screen, table, heads);
	if (own > 0)
		add_neighbour(screen, table, own, own_name, g_strdup(""));
	for (guint i = 0; i < MIN(neighbours->len, NEIGHBOURS_SHOWN); i++) {
		const HotspotNeighbour *neighbour = &g_array_index(neighbours, HotspotNeighbour, i);
		g_autofree char *name = frame_name(screen, screen->top->hotspots->table, neighbour->frame);
		add_neighbour(screen, table, neighbour->cost.weight, name,
		        place(screen->top->hotspots->table, neighbour->frame));
	}
	text_table_append(screen->out, table, "  ", screen->options->width);
	if (neighbours->len > NEIGHBOURS_SHOWN)
		g_string_append_printf(screen->out, "  and %u more\n", neighbours->len - NEIGHBOURS_SHOWN);
}

/* A line with the name of a function, and where there is room, its place. */
static void write_chosen(const Screen *screen, FrameId id)
{
	guint width = screen->options->width;
	g_autofree char *name = frame_name(screen, screen->top->hotspots->table, id),
	                *where = place(screen->top->hotspots->table, id);
	g_string_append(screen->out, "  ");
	append_styled(screen, BOLD, name);
	if (*where != '\0' && (width == 0 || 4 + wording_columns(name) + wording_columns(where) <= width))
		g_string_append_printf(screen->out, "  %s", where);
	g_string_append_c(screen->out, '\n');
}

static void write_calls(const Screen *screen)
{
	const HotspotCalls *calls = screen->top->calls;
	guint64 whole = screen->top->hotspots->total.weight;
	g_autofree char *self = share_text(hotspots_share(calls->self.weight, whole));
	g_autofree char *inclusive = share_text(hotspots_share(calls->inclusive.weight, whole));
	for (guint i = 0; i < screen->top->chosen->len; i++)
		write_chosen(screen, g_array_index(screen->top->chosen, FrameId, i));
	g_string_append_printf(screen->out, "  self %s, inclusive %s of all\n", self, inclusive);
	if (!screen->top->no_callers) {
		g_string_append(screen->out, "\ncallers\n");
		write_neighbours(screen, calls->callers, calls->from_root.weight, "(the stack begins with it)");
	}
	if (!screen->top->no_callees) {
		g_string_append(screen->out, "\ncallees\n");
		write_neighbours(screen, calls->callees, calls->self.weight, "(itself)");
	}
}

static void write_head_line(const Screen *screen, const char *label, const char *text)
{
	g_autofree char *safe = wording_clean(text, TEXT_CHARS);
	append_styled(screen, DIM, label);
	g_string_append_c(screen->out, ' ');
	guint column = (guint)strlen(label) + 1;
	wrap_words(screen->out, &(WordWrap){screen->options->width, column, 2}, safe);
}

/* Says where and of what the recording was made, and which events it has if they are several. */
static void write_head(const Screen *screen)
{
	const RecordingHead *head = screen->top->head;
	g_autoptr(GString) place = g_string_new(NULL), events = g_string_new(NULL);
	g_string_append(place, head->host != NULL ? head->host : "an unknown machine");
	if (head->kernel_release != NULL)
		g_string_append_printf(place, ", Linux %s", head->kernel_release);
	if (head->machine != NULL)
		g_string_append_printf(place, ", %s", head->machine);
	for (guint i = 0; i < head->events->len; i++) {
		const RecordedEvent *event = &g_array_index(head->events, RecordedEvent, i);
		g_autofree char *samples = number_parts((double)event->samples, 1);
		g_string_append_printf(events, "%s%s with %s samples", i > 0 ? ", " : "", event->name, samples);
	}
	write_head_line(screen, "recorded on", place->str);
	if (head->command != NULL)
		write_head_line(screen, "command:", head->command);
	if (head->events->len > 1)
		write_head_line(screen, "events:", events->str);
}

/* Says what the columns of a comparison are. */
static void write_base(const Screen *screen)
{
	const TopReport *top = screen->top;
	const char *which = top->order == HOTSPOTS_BY_SELF ? "self" : "inclusive";
	g_autofree char *file = wording_clean(top->base_file, TEXT_CHARS);
	guint64 counts = top->counted ? top->base->total.weight : top->base->total.samples;
	g_autofree char *total = number_parts((double)counts / (double)top->profile->scale, top->profile->scale);
	g_autofree char *line = g_strdup_printf("base is %s, %s %s; shares are %s costs, of each side's own total",
	        file, total, top->counted ? top->profile->unit : "samples", which);
	wrap_words(screen->out, &(WordWrap){.width = screen->options->width}, line);
}

static void write_summary(const Screen *screen)
{
	const TopReport *top = screen->top;
	g_autofree char *total = profile_total_text(top->profile, top->counted, 1),
	                *safe = wording_clean(total, TEXT_CHARS);
	g_autofree char *unknown = share_text(hotspots_share(top->unknown.weight, top->hotspots->total.weight));
	g_autofree char *kept = share_text(hotspots_share(top->groups->kept.weight, top->groups->total.weight));
	gboolean is_filtered = top->groups->grouping.filters->len > 0;
	g_autofree char *line = g_strdup_printf("%s, %s without a name%s%s%s", safe, unknown,
	        is_filtered ? "; --only keeps " : "", is_filtered ? kept : "", is_filtered ? " of it" : "");
	wrap_words(screen->out, &(WordWrap){.width = screen->options->width}, line);
	if (top->base != NULL)
		write_base(screen);
	g_string_append_c(screen->out, '\n');
}

static void write_remark(const Screen *screen, const char *label, const char *style, const char *text)
{
	g_autofree char *safe = wording_clean(text, TEXT_CHARS);
	append_styled(screen, style, label);
	g_string_append(screen->out, ": ");
	wrap_words(screen->out,
	        &(WordWrap){.width = screen->options->width, .column = (guint)strlen(label) + 2, .indent = 2}, safe);
}

/* Functions without a name are one row for each file. */
static void write_addresses_hint(const Screen *screen)
{
	const TopReport *top = screen->top;
	gboolean is_worth_it = hotspots_share(top->unknown.weight, top->hotspots->total.weight) >= UNKNOWN_WORTH_A_HINT;
	if (top->head != NULL && is_worth_it && !screen->options->addresses)
		write_remark(screen, "hint", BOLD,
		        "functions without a name are one row for each file: --addresses shows them by address");
}

static void write_remarks(const Screen *screen)
{
	static const char *const styles[] = {
	        [FINDING_INFO] = DIM, [FINDING_WARNING] = YELLOW, [FINDING_ERROR] = BOLD_RED};
	const GArray *patterns = screen->top->patterns->patterns;
	const FindingList *findings = screen->top->findings;
	if (patterns->len + finding_count(findings) > 0)
		g_string_append_c(screen->out, '\n');
	for (guint i = 0; i < patterns->len; i++)
		write_remark(screen, "hint", BOLD, g_array_index(patterns, HotPattern, i).text);
	write_addresses_hint(screen);
	for (guint i = 0; i < finding_count(findings); i++) {
		const Finding *finding = finding_get(findings, i);
		write_remark(
		        screen, finding_severity_name(finding->severity), styles[finding->severity], finding->text);
	}
}

char *top_text(const TopReport *top, const TopTextOptions *options)
{
	Screen screen = {top, options, g_string_new(NULL), name_chars(options)};
	if (top->head != NULL && !options->quiet)
		write_head(&screen);
	write_summary(&screen);
	if (top->calls != NULL)
		write_calls(&screen);
	else if (top->base != NULL)
		write_pairs(&screen);
	else
		write_groups(&screen);
	if (!options->quiet)
		write_remarks(&screen);
	return g_string_free(screen.out, FALSE);
}
