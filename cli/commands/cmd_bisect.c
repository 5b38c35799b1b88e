#include "cli/options/command.h"
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

static void options_clear(Options *o)
{
	g_free(o->good);
	g_free(o->bad);
	g_free(o->benchmark);
	g_free(o->metric);
	g_free(o->function);
	g_free(o->out);
}

static int check_options(const Command *command, const Options *o)
{
	if (o->good == NULL || o->benchmark == NULL)
		return command_usage(command, "--good and --benchmark are needed");
	if (!rounds_valid(o->rounds))
		return command_usage(command, "--rounds is a number from 1 to 62");
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
	        .rounds = (guint)MAX(o->rounds, 0),
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
	        .rounds = (guint)MAX(o->rounds, 0),
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

/* What the checks themselves say is shown where it can be overwritten, or when asked for. */
static int run_parsed(const Options *o)
{
	Talk talk, check_talk;
	talk_on_stderr(&talk, o->quiet ? TALK_QUIET : TALK_NORMAL);
	gboolean shown = !o->quiet && (talk.terminal || o->step);
	talk_on_stderr(&check_talk, o->verbose ? TALK_VERBOSE : shown ? TALK_NORMAL : TALK_QUIET);
	int code = o->step ? step(o, &check_talk) : bisect(o, &talk, &check_talk);
	talk_clear(&check_talk);
	talk_clear(&talk);
	return code;
}

static int run(const Command *command, char **argv)
{
	Options o = {.rounds = ROUNDS_AS_CONFIGURED};
	int code = 0;
	const GOptionEntry entries[] = {
	        {"good", 0, 0, G_OPTION_ARG_STRING, &o.good, "a commit that was still fast", "REV"},
	        {"bad", 0, 0, G_OPTION_ARG_STRING, &o.bad, "a later one that is slow", "REV"},
	        {"benchmark", 'b', 0, G_OPTION_ARG_STRING, &o.benchmark, "the benchmark that tells", "NAME"},
	        {"metric", 0, 0, G_OPTION_ARG_STRING, &o.metric,
	                "the metric that rose (default: the gating one that fails)", "NAME"},
	        {"function", 0, 0, G_OPTION_ARG_STRING, &o.function,
	                "the function that costs more, with or without its parameters", "NAME"},
	        {"first-parent", 0, 0, G_OPTION_ARG_NONE, &o.first_parent,
	                "follow only the first parent of merges: find the merge, not the commit in it", NULL},
	        {"rounds", 0, 0, G_OPTION_ARG_INT, &o.rounds,
	                "exactly this many rounds for each commit, twice as many where they cannot tell", "N"},
	        {"out", 'o', 0, G_OPTION_ARG_FILENAME, &o.out,
	                "folder for the report on the commit that is found (default firebreak-out)", "DIR"},
	        {"restart", 0, 0, G_OPTION_ARG_NONE, &o.restart, "forget what an interrupted bisection found out",
	                NULL},
	        {"step", 0, 0, G_OPTION_ARG_NONE, &o.step,
	                "only test the commit that is checked out, for git bisect run", NULL},
	        {"no-store", 0, 0, G_OPTION_ARG_NONE, &o.no_store, "do not keep the measurements as baselines", NULL},
	        {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "print JSON instead of the text", NULL},
	        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "no progress", NULL},
	        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &o.verbose, "all that the checks say", NULL},
	        G_OPTION_ENTRY_NULL,
	};
	g_auto(GStrv) rest = command_parse(command, entries, argv, &code);
	if (rest != NULL && rest[1] != NULL)
		code = command_usage(command, "unexpected argument \"%s\"", rest[1]);
	if (rest != NULL && code == 0)
		code = check_options(command, &o);
	if (rest != NULL && code == 0)
		code = run_parsed(&o);
	options_clear(&o);
	return code;
}

const Command bisect_command = {
        .name = "bisect",
        .arguments = "",
        .summary = "find the commit that made a benchmark slower",
        .description =
                "Bad is compared with good first, as check does it; what regresses there is looked for, or what\n"
                "--metric or --function name. Then the commits between them are compared with good, each time the one\n"
                "that tells most. Stored exact counts are used where they suffice. What cannot be told is measured\n"
                "once more with more rounds, and then left out like a commit that does not build. In the end the\n"
                "commit that was found is compared with its parent, and that report goes to DIR.\n\n"
                "An interrupted bisection goes on when the same command is run again.\n\n"
                "Exit codes: 0 found, 3 nothing to be found or several commits that cannot be told apart; others as\n"
                "of check.\n\n"
                "Under git:\n"
                "  git bisect start BAD GOOD\n"
                "  git bisect run firebreak bisect --step --good GOOD --benchmark NAME\n"
                "With --step the exit code is 0 good, 1 bad, 125 cannot be told, or one from 192 on, at which git\n"
                "stops: 192 and the exit code of check, 2, 6, 7, 8 or 9.",
        .run = run,
};
