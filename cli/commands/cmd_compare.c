/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/color.h"
#include "cli/output/rendering.h"
#include "core/error.h"
#include "gate/stored/comparestored.h"
#include "report/output/outdir.h"

typedef struct {
	char *out;
	char **benchmarks;
	ColorChoice color;
	InconclusiveChoice inconclusive;
	gboolean allow_policy_change, json, quiet;
} Options;

static int compare_and_print(const Command *command, void *options, char **sides)
{
	const Options *o = options;
	g_autoptr(GError) error = NULL;
	if (g_strv_length(sides) != 2)
		return command_usage(command, "name two sides: base and head");
	StoredRequest request = {.repo_path = ".",
	        .base = sides[0],
	        .head = sides[1],
	        .benchmarks = o->benchmarks,
	        .allow_policy_change = o->allow_policy_change};
	g_autoptr(CheckResult) result = compare_stored(&request);
	if (o->out != NULL && !outdir_write(result, o->out, &error))
		return command_failed(error);
	PrintForm form = o->json ? PRINT_JSON : o->quiet ? PRINT_VERDICT : PRINT_DETAILS;
	if (!print_check(result, o->color, o->out, form))
		return FIREBREAK_ERROR_STORAGE;
	return print_exit_code(result, o->inconclusive, form);
}

static const Option option_rows[] = {
        BENCHMARKS_OPTION(Options, benchmarks),
        {"out", 'o', OPTION_FOLDER, "DIR", "also write report, tables and flame graphs to this folder",
                offsetof(Options, out), .section = SECTION_OUTPUT},
        {"allow-policy-change", 0, OPTION_FLAG, NULL, "warn instead of failing where head weakens the gate",
                offsetof(Options, allow_policy_change), .section = SECTION_GENERAL},
        INCONCLUSIVE_OPTION(Options, inconclusive),
        REPORT_JSON_OPTION(Options, json),
        COLOR_OPTION(Options, color),
        VERDICT_ONLY_OPTION(Options, quiet),
};

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){0}, argv, ANY_ARGUMENTS, compare_and_print);
}

const Command compare_command = {
        .name = "compare",
        .arguments = "BASE HEAD",
        .summary = "compare two stored measurements without running anything",
        .description = "BASE and HEAD are revisions whose measurements are stored (`firebreak run`, `check`, `baseline "
                       "fetch`), or files that `firebreak baseline export` wrote. A name that is both is a revision; "
                       "./NAME is a file.\n"
                       "\n"
                       "Counts (engine callgrind) of the same environment are judged, by base's firebreak.yml "
                       "where the clone has it. What was timed is shown but never judged: that takes a `check`, which "
                       "runs both sides together. A benchmark that was only timed is inconclusive.",
        .exit_codes = "those of check; 6 where a side has nothing stored that can be compared.",
        .options = {OPTION_GROUP(option_rows, 0)},
        .offer = OFFER_REVISIONS,
        .run = run,
};
