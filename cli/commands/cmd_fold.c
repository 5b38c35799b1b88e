/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/input/profileinput.h"
#include "cli/options/commandline.h"
#include "cli/output/output.h"
#include "profile/folded/folded.h"

#include <string.h>

typedef struct {
	ProfileInputOptions input;
	gboolean annotate;
	char *out;
} Options;

static const char *annotation(FrameKind kind)
{
	static const char *const suffixes[] = {
	        [FRAME_USER] = NULL,
	        [FRAME_INLINED] = "_[i]",
	        [FRAME_KERNEL] = "_[k]",
	        [FRAME_JIT] = "_[j]",
	        [FRAME_COMMAND] = NULL,
	        [FRAME_SYNTHETIC] = NULL,
	};
	return suffixes[kind];
}

/* The name of a frame with its kind after it, unless it says it already. */
static char *marked_name(const StackTable *from, const Frame *frame)
{
	const char *name = stack_table_text(from, frame->name), *suffix = annotation(frame->kind);
	return suffix == NULL || g_str_has_suffix(name, suffix) ? g_strdup(name) : g_strconcat(name, suffix, NULL);
}

static FrameId marked_frame(StackTable *table, const StackTable *from, FrameId id)
{
	const Frame *frame = stack_table_get_frame(from, id);
	g_autofree char *text = marked_name(from, frame);
	return stack_table_frame_named(table, text, stack_table_text(from, frame->module), frame->kind);
}

/* The same stacks with other names. Parents come before their children, so one pass does. */
static Profile *marked_profile(const Profile *profile)
{
	const StackTable *from = profile->table;
	g_autoptr(StackTable) table = stack_table_new();
	guint n_frames = stack_table_n_frames(from), n_stacks = stack_table_n_stacks(from);
	g_autofree FrameId *frames = g_new0(FrameId, MAX(1, n_frames));
	g_autofree StackId *stacks = g_new0(StackId, n_stacks);
	Profile *result = profile_new(table, profile->event, profile->unit);
	result->scale = profile->scale;
	profile_add_run(result);
	for (guint i = 0; i < n_frames; i++)
		frames[i] = marked_frame(table, from, (FrameId){i});
	for (guint i = 1; i < n_stacks; i++) {
		StackId parent = stacks[stack_table_parent(from, (StackId){i}).index];
		stacks[i] = stack_table_push(table, parent, frames[stack_table_leaf(from, (StackId){i}).index]);
		profile_add(result, 0, stacks[i], profile_stack_total(profile, (StackId){i}));
	}
	return result;
}

static int fold(const Command *command, void *data, char **files)
{
	Options *options = data;
	g_autoptr(GError) error = NULL;
	options->input.script_annotations = options->annotate && options->input.stackcollapse;
	if (!output_is_no_input(options->out, files, &error))
		return profile_input_failed(command, error);
	g_autoptr(ProfileInput) input = profile_input_read(&options->input, files, &error);
	if (input == NULL)
		return profile_input_failed(command, error);
	gboolean marks = options->annotate && !options->input.stackcollapse;
	g_autoptr(Profile) marked = marks ? marked_profile(input->profile) : NULL;
	FoldedFlags flags = options->input.stackcollapse ? FOLDED_WEIGHT | FOLDED_AS_IS : FOLDED_WEIGHT;
	g_autofree char *text = folded_write(marked != NULL ? marked : input->profile, FOLDED_ALL_RUNS, flags);
	profile_input_print_findings(input, &options->input);
	return output_write(options->out, text, &error) ? 0 : command_failed(error);
}

static const Option option_rows[] = {
        {"output", 'o', OPTION_FILE, "FILE", "write to this file", offsetof(Options, out), .section = SECTION_OUTPUT},
        {"annotate", 0, OPTION_FLAG, NULL, "mark kernel, inlined and generated functions with _[k], _[i] and _[j]",
                offsetof(Options, annotate), .section = SECTION_GENERAL},
};

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){.input.as_recorded = TRUE}, argv, ANY_ARGUMENTS, fold);
}

const Command fold_command = {
        .name = "fold",
        .arguments = "FILE...",
        .summary = "turn perf.data, perf script text, callgrind, DHAT or pprof files into folded stacks",
        .description =
                "Writes one line for each distinct stack, root first: command;main;parse;read_word 42. Several files "
                "add up. FILE - is standard input. Lines are sorted, so that equal recordings give equal bytes.",
        .examples = "  firebreak fold perf.data\n"
                    "  firebreak fold --weight=period --comm=worker perf.data -o worker.folded\n"
                    "  perf script | firebreak fold -",
        .exit_codes = "2 a file of no known format, or options that leave no samples; 4 a damaged recording, or one "
                      "without samples; 7 a file that cannot be read or written.",
        .options = {OPTION_GROUP(option_rows, 0), OPTION_GROUP(profile_weight_option, offsetof(Options, input)),
                OPTION_GROUP(profile_input_options, offsetof(Options, input))},
        .offer = OFFER_FILES,
        .run = run,
};
