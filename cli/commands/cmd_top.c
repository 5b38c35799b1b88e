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
#include "report/text/toptext.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROWS_BY_DEFAULT 20
#define ROWS_MISTAKE "--rows takes a number of rows; 0 shows all"
#define CANDIDATES_SHOWN 20

typedef struct {
	ProfileInputOptions input;
	char *function, *out;
	int rows;
	gboolean json, wide;
	HotspotOrder order;
	ColorChoice color;
} Options;

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

static int print(const TopReport *top, const Options *options)
{
	g_autoptr(GError) error = NULL;
	gboolean to_file = options->out != NULL && !g_str_equal(options->out, "-");
	TopTextOptions text_options = {
	        .colour = to_file ? options->color == COLOR_ALWAYS : color_wanted(options->color, STDOUT_FILENO),
	        .quiet = options->input.quiet,
	        .wide = options->wide,
	        .width = to_file ? 0 : terminal_width(),
	};
	g_autofree char *text = options->json ? top_json(top, NULL) : top_text(top, &text_options);
	return output_write(options->out, text, &error) ? 0 : command_failed(error);
}

/* The report with callers and callees of one function. */
static int print_calls(const Command *command, TopReport *top, const Options *options)
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
	return print(top, options);
}

static int show(const Command *command, void *data, char **files)
{
	const Options *options = data;
	g_autoptr(GError) error = NULL;
	if (options->function != NULL && *options->function == '\0')
		return command_usage(command, "--function needs a name");
	if (!output_is_no_input(options->out, files, &error))
		return profile_input_failed(command, error);
	g_autoptr(ProfileInput) input = profile_input_read(&options->input, files, &error);
	if (input == NULL)
		return profile_input_failed(command, error);
	g_autoptr(Hotspots) hotspots = hotspots_new(input->profile);
	g_autoptr(HotPatterns) patterns = hot_patterns_new(input->profile, input->counted);
	TopReport top = {
	        .profile = input->profile,
	        .files = (const char *const *)files,
	        .hotspots = hotspots,
	        .patterns = patterns,
	        .findings = input->findings,
	        .unknown = input->unknown,
	        .counted = input->counted,
	        .uneven = input->uneven,
	        .order = options->order,
	        .rows = (guint)options->rows,
	};
	return options->function != NULL ? print_calls(command, &top, options) : print(&top, options);
}

/* Returns 0, or the exit code of a usage error that was printed. */
static const char *const order_names[] = {[HOTSPOTS_BY_SELF] = "self", [HOTSPOTS_BY_INCLUSIVE] = "inclusive", NULL};

static const Option option_rows[] = {
        {"rows", 'n', OPTION_INT, "N", "functions shown (default 20, 0 = all)", offsetof(Options, rows),
                .section = SECTION_OUTPUT, .max = G_MAXINT, .mistake = ROWS_MISTAKE},
        {"by", 0, OPTION_CHOICE, "COST", "sort by self (default) or inclusive cost", offsetof(Options, order),
                .section = SECTION_OUTPUT, .choices = order_names},
        {"function", 'f', OPTION_TEXT, "NAME", "callers and callees of this function: its name or a part of it",
                offsetof(Options, function), .section = SECTION_GENERAL},
        {"json", 0, OPTION_FLAG, NULL, "as JSON (docs/schema/top-1.json)", offsetof(Options, json),
                .section = SECTION_OUTPUT},
        {"wide", 0, OPTION_FLAG, NULL, "whole names, however long", offsetof(Options, wide),
                .section = SECTION_GENERAL},
        {"output", 'o', OPTION_FILE, "FILE", "write to this file", offsetof(Options, out), .section = SECTION_OUTPUT},
        COLOR_OPTION(Options, color),
};

static int run(const Command *command, char **argv)
{
	Options options = {.rows = ROWS_BY_DEFAULT, .input.as_recorded = TRUE};
	return command_run(command, &options, argv, ANY_ARGUMENTS, show);
}

const Command top_command = {
        .name = "top",
        .arguments = "FILE...",
        .summary = "say which functions of a recording cost most, and what is notable about it",
        .description =
                "Self cost is that of a function's own code, inclusive cost that of it and all it calls; a function "
                "that is several times on a stack counts once. `pp` is half of the 95 % interval of the self share, in "
                "percentage points; there is none where costs are not samples of equal weight.",
        .examples = "  firebreak top perf.data\n"
                    "  firebreak top --by=inclusive -n 50 perf.data\n"
                    "  firebreak top --function=hash_word perf.data\n"
                    "  firebreak top --json run1.folded run2.folded",
        .exit_codes = "as of `firebreak fold`.",
        .options = {OPTION_GROUP(option_rows, 0), OPTION_GROUP(profile_weight_option, offsetof(Options, input)),
                OPTION_GROUP(profile_input_options, offsetof(Options, input))},
        .offer = OFFER_FILES,
        .run = run,
};
