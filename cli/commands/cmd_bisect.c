/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/output.h"
#include "cli/output/stderrtalk.h"
#include "core/error.h"
#include "core/escape.h"
#include "gate/bisect/bisectrun.h"
#include "gate/bisect/bisectstep.h"
#include "report/json/bisectjson.h"
#include "report/text/bisecttext.h"

typedef struct {
	char *good, *bad, *benchmark, *metric, *function, *out;
	int rounds;
	gboolean first_parent, restart, step, no_store, json, quiet, verbose;
} Options;

static int check_options(const Command *command, const Options *o)
{
	if (o->good == NULL || o->benchmark == NULL)
		return command_usage(command, "--good and --benchmark are needed");
	if (!o->step)
		return o->bad != NULL ? 0 : command_usage(command, "--bad is needed, or --step under git bisect run");
	if (o->bad != NULL || o->first_parent || o->restart || o->json || o->out != NULL)
		return command_usage(command,
		        "--step tests the commit that is checked out and answers by its exit code: "
		        "leave out --bad, --first-parent, --restart, --json and --out");
	return 0;
}

static int print_log(const BisectLog *log, gboolean json)
{
	g_autofree char *text = json ? bisect_json(log, NULL) : bisect_text(log);
	if (!print_result(text))
		return FIREBREAK_ERROR_STORAGE;
	return bisect_log_confirmed(log) ? 0 : 3;
}

static int bisect(const Options *o, Talk *talk, Talk *check_talk)
{
	const BisectRequest request = {
	        .repo_path = ".",
	        .good = o->good,
	        .bad = o->bad,
	        .benchmark = o->benchmark,
	        .metric = o->metric,
	        .function = o->function,
	        .first_parent = o->first_parent,
	        .restart = o->restart,
	        .rounds = (guint)o->rounds,
	        .store = !o->no_store,
	        .out_dir = o->out != NULL ? o->out : "firebreak-out",
	        .talk = talk,
	        .check_talk = check_talk,
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(BisectLog) log = bisect_run(&request, &error);
	return log != NULL ? print_log(log, o->json) : command_failed(error);
}

static int step(const Options *o, Talk *check_talk)
{
	const BisectMeasure measure = {
	        .repo_path = ".",
	        .benchmark = o->benchmark,
	        .rounds = (guint)o->rounds,
	        .store = !o->no_store,
	        .talk = check_talk,
	};
	g_autoptr(BisectTest) test = NULL;
	int code = bisect_step(&measure, o->good, o->metric, o->function, &test);
	g_autofree char *line = bisect_test_text(test);
	g_autofree char *safe = escape_to_string(escape_terminal, line);
	g_autofree char *text = g_strdup_printf("%s\n", safe);
	return print_result(text) ? code : BISECT_STEP_ABORT + FIREBREAK_ERROR_STORAGE;
}

/* Runs the bisection. Messages of the checks themselves are shown where they can be overwritten, or when asked for. */
static int run_parsed(const Command *command, void *options, char **arguments)
{
	const Options *o = options;
	Talk talk, check_talk;
	int wrong = check_options(command, o);
	(void)arguments;
	if (wrong != 0)
		return wrong;
	talk_on_stderr(&talk, o->quiet ? TALK_QUIET : TALK_NORMAL);
	gboolean shown = !o->quiet && (talk.terminal || o->step);
	talk_on_stderr(&check_talk, o->verbose ? TALK_VERBOSE : shown ? TALK_NORMAL : TALK_QUIET);
	int code = o->step ? step(o, &check_talk) : bisect(o, &talk, &check_talk);
	talk_clear(&check_talk);
	talk_clear(&talk);
	return code;
}

static const Option option_rows[] = {
        {"good", 0, OPTION_TEXT, "REV", "a commit that was still fast", offsetof(Options, good),
                .section = SECTION_GENERAL},
        {"bad", 0, OPTION_TEXT, "REV", "a later one that is slow", offsetof(Options, bad), .section = SECTION_GENERAL},
        {"benchmark", 'b', OPTION_TEXT, "NAME", "the benchmark that became slower", offsetof(Options, benchmark),
                .section = SECTION_GENERAL},
        {"metric", 0, OPTION_TEXT, "NAME", "the metric that rose (default: the gating one that fails)",
                offsetof(Options, metric), .section = SECTION_GENERAL},
        {"function", 0, OPTION_TEXT, "NAME", "the function that costs more, with or without its parameters",
                offsetof(Options, function), .section = SECTION_GENERAL},
        {"first-parent", 0, OPTION_FLAG, NULL,
                "follow only the first parent of merges: find the merge, not the commit in it",
                offsetof(Options, first_parent), .section = SECTION_GENERAL},
        ROUNDS_OPTION(
                Options, rounds, "exactly this many rounds for each commit, twice as many where they cannot decide"),
        {"out", 'o', OPTION_FOLDER, "DIR", "folder for the report on the commit that is found (default firebreak-out)",
                offsetof(Options, out), .section = SECTION_OUTPUT},
        {"restart", 0, OPTION_FLAG, NULL, "forget what an interrupted bisection found out", offsetof(Options, restart),
                .section = SECTION_GENERAL},
        {"step", 0, OPTION_FLAG, NULL, "only test the commit that is checked out, for git bisect run",
                offsetof(Options, step), .section = SECTION_GENERAL},
        {"no-store", 0, OPTION_FLAG, NULL, "do not keep the measurements as baselines", offsetof(Options, no_store),
                .section = SECTION_GENERAL},
        {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the text", offsetof(Options, json),
                .section = SECTION_OUTPUT},
        {"quiet", 'q', OPTION_FLAG, NULL, "no progress", offsetof(Options, quiet), .section = SECTION_OUTPUT},
        {"verbose", 'v', OPTION_FLAG, NULL, "print all messages of the checks", offsetof(Options, verbose),
                .section = SECTION_OUTPUT},
};

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){0}, argv, 0, run_parsed);
}

const Command bisect_command = {
        .name = "bisect",
        .arguments = "",
        .summary = "find the commit that made a benchmark slower",
        .description = "First bad is compared with good, as by `firebreak check`. What regresses there is looked for, "
                       "or what --metric or --function names. Then commits between them are compared with good, each "
                       "time the one that leaves the fewest in question. Stored counts are used where they are enough. "
                       "A commit that is inconclusive is measured again with more rounds; if that does not decide it, "
                       "it is left out, as one that does not build is. At the end the commit that was found is "
                       "compared with its parent, and that report goes to DIR.\n"
                       "\n"
                       "To continue an interrupted bisection, run the same command again.\n"
                       "\n"
                       "Under git:\n"
                       "  git bisect start BAD GOOD\n"
                       "  git bisect run firebreak bisect --step --good GOOD --benchmark NAME\n"
                       "With --step the exit code is 0 for good, 1 for bad and 125 for inconclusive. At 192 and above "
                       "git stops: that is 192 plus the exit code of check, which is 2, 6, 7, 8 or 9.",
        .exit_codes = "0 if the commit is found; 3 if bad is not a regression against good, or if several commits "
                      "cannot be told apart; others as of check.",
        .options = {OPTION_GROUP(option_rows, 0)},
        .run = run,
};
