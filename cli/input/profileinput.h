/* SPDX-License-Identifier: Apache-2.0 */
/* Reading profiles on the command line: the options that fold, flamegraph and top share, and what they do.
 *
 *     command_parse() with the rows below among those of the command
 *     profile_input_read()
 */
#pragma once

#include "cli/options/commandline.h"
#include "profile/read/profileread.h"

typedef struct {
	char *weight, *event, *comm, *format, *symfs;
	int pid, tid;
	char **skip_after;
	gboolean kernel, no_inline, root_pid, root_tid, addresses, stackcollapse, quiet, verbose;
	/* Set by a command. */
	gboolean as_recorded;        /* stacks as perf script shows them: what has no name is called after its file */
	gboolean script_annotations; /* names come with the suffixes of stackcollapse-perf.pl */
	guint notes;                 /* what stacks tell besides functions, bits 1 << StackNote (model/stacknote.h) */
	gboolean may_be_empty;       /* files without a cost are read, too, unless a filter left nothing */
	gboolean two_columns;        /* files are folded text with a count of base and one of head */
	gboolean weigh_like_perf;    /* where --weight does not say what counts, periods do if they differ, as in perf
	                              * report, whatever the event is */
	gboolean keep_periods;       /* weights stay what samples stand for where --weight does not say what counts;
	                                its row is profile_diff_weight_option then */
} ProfileInputOptions;

/* Rows of ProfileInputOptions: --weight, as diff has it or all others, and the rest. */
#define N_PROFILE_INPUT_OPTIONS 15
extern const Option profile_weight_option[1], profile_top_weight_option[1], profile_diff_weight_option[1],
        profile_input_options[N_PROFILE_INPUT_OPTIONS];

/* The first option given that says what of a file is read, or how, besides --weight: "--pid"; NULL = none. Static. */
const char *profile_input_option_of_reading(const ProfileInputOptions *options);

/* The profile that was read: all files added up in run 0; of two columns, those of head in run 1. */
typedef struct {
	Profile *profile;      /* its weights are what --weight asked for; samples stay samples */
	Profile *noted;        /* the same costs with the notes that were asked for; NULL = none were */
	FindingList *findings; /* of the recordings: samples lost, functions without names, ... */
	ProfileCell unknown;   /* cost of stacks whose last function has no name */
	gboolean counted;      /* every sample stands for one unit of cost: counted, not sampled */
	gboolean uneven;       /* costs are periods that differ: their number says little of how sure shares are */
} ProfileInput;

/* Reads the files, a NULL-terminated list of what command_parse() left, from which a `--` is taken out. Errors: those
 * of profile_reader_add(); FIREBREAK_ERROR_USAGE for values of options, for no file, and if filters leave nothing;
 * FIREBREAK_ERROR_INVALID if there was nothing to begin with. */
ProfileInput *profile_input_read(const ProfileInputOptions *options, char **files, GError **error);
/* The same of one file that is open, and that stays open. */
ProfileInput *profile_input_read_file(const ProfileInputOptions *options, const InputFile *file, GError **error);
void profile_input_free(ProfileInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ProfileInput, profile_input_free)

/* Prints the findings to stderr, unless --quiet. */
void profile_input_print_findings(const ProfileInput *input, const ProfileInputOptions *options);

/* Prints an error; one of usage with the pointer to --help. Returns the exit code. */
int profile_input_failed(const Command *command, const GError *error);
