/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/input/profileinput.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/color.h"
#include "cli/output/output.h"
#include "cli/output/rendering.h"
#include "core/error.h"
#include "core/escape.h"
#include "model/numbers/number.h"
#include "profile/perfdata/headread.h"
#include "report/text/toptext.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROWS_BY_DEFAULT 20
#define ROWS_MISTAKE "--rows takes a number of rows; 0 shows all"
#define CANDIDATES_SHOWN 20

typedef struct {
	ProfileInputOptions input;
	char *by, *function, *callers, *callees, *base, *out;
	char **only;
	int rows;
	double percent_limit;
	gboolean json, wide, no_children;
	int sort; /* row of `sort_names` */
	ColorChoice color;
	HotGrouping grouping;
} Options;

static const char *const sort_names[] = {"self", "inclusive", "total", NULL};

/* All functions found have one name, be it in several modules. */
static gboolean is_one_name(const StackTable *table, const GArray *found)
{
	for (guint i = 1; i < found->len; i++)
		if (strcmp(stack_table_frame_name(table, g_array_index(found, FrameId, 0)),
		            stack_table_frame_name(table, g_array_index(found, FrameId, i))) != 0)
			return FALSE;
	return TRUE;
}

static int ambiguous(const Command *command, const Hotspots *hotspots, const GArray *found, const char *text)
{
	g_autofree char *safe = escape_to_string(escape_terminal, text);
	fprintf(stderr, "functions with \"%s\" in their name:\n", safe);
	for (guint i = 0; i < MIN(found->len, CANDIDATES_SHOWN); i++) {
		FrameId id = g_array_index(found, FrameId, i);
		double share = hotspots_share(hotspots->inclusive[id.index].weight, hotspots->total.weight);
		g_autofree char *name = escape_to_string(escape_terminal, stack_table_frame_name(hotspots->table, id));
		g_autofree char *size = number_share_as(share, 2);
		fprintf(stderr, "  %8s  %s\n", size, name);
	}
	if (found->len > CANDIDATES_SHOWN)
		fprintf(stderr, "  and %u more\n", found->len - CANDIDATES_SHOWN);
	return command_usage(
	        command, "--function \"%s\" fits %u functions; give the whole name of one", text, found->len);
}

/* Adds the report to the text that is printed at the end. */
static void render(const TopReport *top, const Options *options, GString *out)
{
	gboolean to_file = options->out != NULL && !g_str_equal(options->out, "-");
	TopTextOptions text_options = {
	        .colour = to_file ? options->color == COLOR_ALWAYS : color_wanted(options->color, STDOUT_FILENO),
	        .quiet = options->input.quiet,
	        .addresses = options->input.addresses,
	        .wide = options->wide,
	        .width = to_file ? 0 : terminal_width(),
	};
	g_autofree char *text = options->json ? top_json(top, NULL) : top_text(top, &text_options);
	g_string_append(out, text);
}

/* The report with callers and callees of one function. */
static int render_calls(const Command *command, TopReport *top, const Options *options, GString *out)
{
	g_autoptr(GArray) found = hotspots_find(top->hotspots, options->function);
	if (found->len == 0)
		return command_usage(command, "no function has \"%s\" in its name", options->function);
	if (!is_one_name(top->hotspots->table, found))
		return ambiguous(command, top->hotspots, found, options->function);
	g_autofree gboolean *chosen = g_new0(gboolean, top->hotspots->n_frames);
	for (guint i = 0; i < found->len; i++)
		chosen[g_array_index(found, FrameId, i).index] = TRUE;
	g_autoptr(HotspotCalls) calls = hotspot_calls_new(top->profile, chosen);
	top->calls = calls;
	top->chosen = found;
	render(top, options, out);
	return 0;
}

/* The files of a report, and the head of the recording; NULL where there is none, or another report has it. */
typedef struct {
	char **files;
	const RecordingHead *head;
} Subject;

static HotspotOrder order_of(const Options *options)
{
	return options->sort == 0 ? HOTSPOTS_BY_SELF : HOTSPOTS_BY_INCLUSIVE;
}

/* The recording to compare with, grouped in the same way. */
typedef struct {
	ProfileInput *input;
	HotGroups *groups;
} Base;

static void base_clear(Base *base)
{
	g_clear_pointer(&base->groups, hot_groups_free);
	g_clear_pointer(&base->input, profile_input_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Base, base_clear)

static const Profile *grouped_profile(const ProfileInput *input)
{
	return input->noted != NULL ? input->noted : input->profile;
}

/* Does nothing without --base. */
static gboolean read_base(const Options *options, const Profile *head, Base *base, GError **error)
{
	g_auto(GStrv) files = g_new0(char *, 2);
	if (options->base == NULL)
		return TRUE;
	files[0] = g_strdup(options->base);
	base->input = profile_input_read(&options->input, files, error);
	if (base->input == NULL)
		return FALSE;
	if (strcmp(base->input->profile->event, head->event) != 0 ||
	        strcmp(base->input->profile->unit, head->unit) != 0)
		return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE, "%s counts %s in %s, the other %s in %s",
		        options->base, base->input->profile->event, base->input->profile->unit, head->event,
		        head->unit);
	base->groups = hot_groups_new(grouped_profile(base->input), &options->grouping);
	return TRUE;
}

/* One report: of all files, or of one event. `head` is NULL where it was told already. */
static int show_input(
        const Command *command, const Options *options, const ProfileInput *input, const Subject *subject, GString *out)
{
	g_autoptr(GError) error = NULL;
	g_auto(Base) base = {0};
	if (!read_base(options, input->profile, &base, &error))
		return profile_input_failed(command, error);
	g_autoptr(Hotspots) hotspots = hotspots_new(input->profile);
	g_autoptr(HotGroups) groups = hot_groups_new(grouped_profile(input), &options->grouping);
	g_autoptr(HotPatterns) patterns = hot_patterns_new(input->profile, input->counted);
	hot_groups_sort(groups, order_of(options));
	g_autoptr(GArray) pairs = base.groups != NULL ? hot_pairs_new(base.groups, groups, order_of(options)) : NULL;
	TopReport top = {
	        .profile = input->profile,
	        .files = (const char *const *)subject->files,
	        .head = subject->head,
	        .hotspots = hotspots,
	        .groups = groups,
	        .base = base.groups,
	        .pairs = pairs,
	        .base_file = options->base,
	        .no_callers = options->callees != NULL,
	        .no_callees = options->callers != NULL,
	        .patterns = patterns,
	        .findings = input->findings,
	        .unknown = input->unknown,
	        .counted = input->counted,
	        .uneven = input->uneven,
	        .order = order_of(options),
	        .rows = (guint)options->rows,
	        .least_share = options->percent_limit / 100,
	        .self_only = options->no_children,
	};
	if (options->function != NULL)
		return render_calls(command, &top, options, out);
	render(&top, options, out);
	return 0;
}

/* Reads the values of options that are more than a word. Returns 0, or the exit code of an error that was printed. */
static int check_options(const Command *command, Options *options)
{
	g_autoptr(GError) error = NULL;
	guint n_functions = (options->function != NULL) + (options->callers != NULL) + (options->callees != NULL);
	if (n_functions > 1)
		return command_usage(command, "give one of --function, --callers and --callees");
	if (n_functions > 0 && options->base != NULL)
		return command_usage(command, "--base compares rows; leave out callers and callees");
	if (options->function == NULL)
		options->function = g_strdup(options->callers != NULL ? options->callers : options->callees);
	if (options->function != NULL && *options->function == '\0')
		return command_usage(command, "--function needs a name");
	if (options->by != NULL && (g_str_equal(options->by, "self") || g_str_equal(options->by, "inclusive")))
		return command_usage(command, "--by names what rows are; --sort=%s sorts by that cost", options->by);
	if (options->by != NULL && !hot_grouping_set_keys(&options->grouping, options->by, &error))
		return command_usage(command, "--by: %s", error->message);
	for (char **only = options->only; only != NULL && *only != NULL; only++)
		if (!hot_grouping_add_filter(&options->grouping, *only, &error))
			return command_usage(command, "--only: %s", error->message);
	if (options->no_children && order_of(options) != HOTSPOTS_BY_SELF)
		return command_usage(command, "--no-children leaves inclusive costs out; --sort cannot sort by them");
	options->input.notes = hot_grouping_notes(&options->grouping);
	options->input.addresses |= (options->input.notes & 1u << NOTE_ADDRESS) != 0;
	return 0;
}

static int show_event(const Command *command, const Options *options, const Subject *subject, GString *out)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(ProfileInput) input = profile_input_read(&options->input, subject->files, &error);
	if (input == NULL)
		return profile_input_failed(command, error);
	return show_input(command, options, input, subject, out);
}

/* One report after the other where a recording has several events and none is chosen; JSON is one report. */
static int show_files(const Command *command, Options *options, char **files, GString *out)
{
	int code = 0;
	g_autoptr(RecordingHead) head = files[0] != NULL ? head_read(files[0]) : NULL;
	gboolean each = head != NULL && head->events->len > 1 && options->input.event == NULL && !options->json &&
	                options->function == NULL;
	if (!each)
		return show_event(command, options, &(Subject){files, head}, out);
	for (guint i = 0; i < head->events->len && code == 0; i++) {
		options->input.event = g_strdup(g_array_index(head->events, RecordedEvent, i).name);
		g_string_append(out, i > 0 ? "\n" : "");
		code = show_event(command, options, &(Subject){files, i == 0 ? head : NULL}, out);
		g_clear_pointer(&options->input.event, g_free);
	}
	return code;
}

static int show(const Command *command, void *data, char **files)
{
	Options *options = data;
	g_autoptr(GError) error = NULL;
	int code = check_options(command, options);
	if (code != 0)
		return code;
	if (!output_is_no_input(options->out, files, &error))
		return profile_input_failed(command, error);
	g_autoptr(GString) out = g_string_new(NULL);
	code = show_files(command, options, files, out);
	if (code != 0)
		return code;
	return output_write(options->out, out->str, &error) ? 0 : command_failed(error);
}

static const Option option_rows[] = {
        {"rows", 'n', OPTION_INT, "N", "rows shown (default 20, 0 = all)", offsetof(Options, rows),
                .section = SECTION_OUTPUT, .max = G_MAXINT, .mistake = ROWS_MISTAKE},
        {"by", 0, OPTION_TEXT, "KEY,...",
                "one row for each function (default), file, module or command; of recordings also for each process, "
                "thread, cpu, address or line; for each combination of several keys",
                offsetof(Options, by), .section = SECTION_GENERAL},
        {"only", 0, OPTION_TEXTS, "KEY=REGEXP", "only rows whose key has a match in it, as module=^libc (repeatable)",
                offsetof(Options, only), .section = SECTION_GENERAL},
        {"sort", 0, OPTION_CHOICE, "COST", "sort by self (default) or inclusive cost, which is also called total",
                offsetof(Options, sort), .section = SECTION_OUTPUT, .choices = sort_names},
        {"percent-limit", 0, OPTION_NUMBER, "N", "only rows with at least N % of the cost that they are sorted by",
                offsetof(Options, percent_limit), .section = SECTION_OUTPUT, .max = 100},
        {"no-children", 0, OPTION_FLAG, NULL, "leave out the column of inclusive costs", offsetof(Options, no_children),
                .section = SECTION_OUTPUT},
        {"function", 'f', OPTION_TEXT, "NAME", "callers and callees of this function: its name or a part of it",
                offsetof(Options, function), .section = SECTION_GENERAL},
        {"callers", 0, OPTION_TEXT, "NAME", "only the callers of this function", offsetof(Options, callers),
                .section = SECTION_GENERAL},
        {"callees", 0, OPTION_TEXT, "NAME", "only what this function calls", offsetof(Options, callees),
                .section = SECTION_GENERAL},
        {"base", 0, OPTION_FILE, "FILE",
                "compare with this recording: the shares of both in columns, the largest change first",
                offsetof(Options, base), .section = SECTION_GENERAL},
        {"json", 0, OPTION_FLAG, NULL, "as JSON (docs/schema/top-1.json)", offsetof(Options, json),
                .section = SECTION_OUTPUT},
        {"wide", 0, OPTION_FLAG, NULL, "whole names, however long", offsetof(Options, wide),
                .section = SECTION_GENERAL},
        {"output", 'o', OPTION_FILE, "FILE", "write to this file", offsetof(Options, out), .section = SECTION_OUTPUT},
        COLOR_OPTION(Options, color),
};

static int run(const Command *command, char **argv)
{
	Options options = {.rows = ROWS_BY_DEFAULT, .input.as_recorded = TRUE, .input.weigh_like_perf = TRUE};
	hot_grouping_init(&options.grouping);
	int code = command_run(command, &options, argv, ANY_ARGUMENTS, show);
	hot_grouping_clear(&options.grouping);
	return code;
}

const Command top_command = {
        .name = "top",
        .arguments = "FILE...",
        .summary = "say which functions of a recording cost most, and what is notable about it",
        .description =
                "Self cost is that of a function's own code, inclusive cost that of it and all it calls; a function "
                "that is several times on a stack counts once. `pp` is half of the 95 % interval of the self share, in "
                "percentage points; there is none where costs are not samples of equal weight. --base only shows "
                "shares; `firebreak diff` tests which changes are beyond chance.",
        .examples = "  firebreak top perf.data\n"
                    "  firebreak top --sort=inclusive -n 50 perf.data\n"
                    "  firebreak top --by=thread,function --only=module=^libc perf.data\n"
                    "  firebreak top --function=hash_word perf.data\n"
                    "  firebreak top --by=module --base=before.data perf.data\n"
                    "  firebreak top --json run1.folded run2.folded",
        .exit_codes = "as of `firebreak fold`.",
        .options = {OPTION_GROUP(option_rows, 0), OPTION_GROUP(profile_top_weight_option, offsetof(Options, input)),
                OPTION_GROUP(profile_input_options, offsetof(Options, input))},
        .offer = OFFER_FILES,
        .run = run,
};
